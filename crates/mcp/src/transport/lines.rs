//! JSON-RPC as lines over a byte stream: children and embedded servers.
//!
//! In the SDK's own line transport an oversized or broken answer is dropped, and its call waits for the whole timeout.
//! Here such a line becomes an error answer to the call that it names.

use std::future::Future;
use std::io;
use std::mem;
use std::sync::Arc;

use rmcp::RoleClient;
use rmcp::model::{ErrorCode, ErrorData, RequestId, ServerJsonRpcMessage};
use rmcp::service::TxJsonRpcMessage;
use rmcp::transport::Transport;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::Mutex;

use super::salvage::Salvage;
use crate::words::{GARBLED, TOO_LARGE};

type Reader = Box<dyn AsyncRead + Send + Unpin>;
type Writer = Box<dyn AsyncWrite + Send + Unpin>;

/// One JSON-RPC message a line, of at most so many bytes.
pub(crate) struct Lines {
    reader: BufReader<Reader>,
    line: Line,
    bytes_max: usize,
    writer: Arc<Mutex<Option<Writer>>>,
}

/// The line being read: its bytes, or what can be salvaged of it once it is too long.
enum Line {
    Kept(Vec<u8>),
    Oversized(Salvage),
}

impl Lines {
    pub(crate) fn new(
        reader: impl AsyncRead + Send + Unpin + 'static,
        writer: impl AsyncWrite + Send + Unpin + 'static,
        bytes_max: usize,
    ) -> Self {
        Self {
            reader: BufReader::new(Box::new(reader)),
            line: Line::Kept(Vec::new()),
            bytes_max,
            writer: Arc::new(Mutex::new(Some(Box::new(writer)))),
        }
    }

    /// Adds bytes of a line that goes on.
    fn extend(&mut self, bytes: &[u8]) {
        match &mut self.line {
            Line::Kept(line) if line.len() + bytes.len() <= self.bytes_max => line.extend_from_slice(bytes),
            Line::Kept(line) => {
                let mut salvage = Salvage::default();
                salvage.feed(line);
                salvage.feed(bytes);
                self.line = Line::Oversized(salvage);
            }
            Line::Oversized(salvage) => salvage.feed(bytes),
        }
    }

    /// The message of a line that has ended; none where there is nothing to hand on.
    fn finish(&mut self) -> Option<ServerJsonRpcMessage> {
        match mem::replace(&mut self.line, Line::Kept(Vec::new())) {
            Line::Kept(line) if line.trim_ascii().is_empty() => None,
            Line::Kept(line) => serde_json::from_slice(&line).ok().or_else(|| {
                let mut salvage = Salvage::default();
                salvage.feed(&line);
                tracing::debug!(bytes = line.len(), "a server sent a line that is no JSON-RPC message");
                Some(refusal(salvage.answered()?, GARBLED, "the server's answer is no JSON-RPC".to_owned()))
            }),
            Line::Oversized(salvage) => {
                tracing::debug!(bytes_max = self.bytes_max, "a server sent a line that is too long");
                let message = format!("the answer has more than {} bytes", self.bytes_max);
                Some(refusal(salvage.answered()?, TOO_LARGE, message))
            }
        }
    }
}

impl Transport<RoleClient> for Lines {
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let writer = Arc::clone(&self.writer);
        async move {
            let mut line = serde_json::to_vec(&item)?;
            line.push(b'\n');
            let mut writer = writer.lock().await;
            let writer = writer.as_mut().ok_or(io::ErrorKind::NotConnected)?;
            writer.write_all(&line).await?;
            writer.flush().await
        }
    }

    /// # Cancel safety
    ///
    /// What was read of a line stays in `self`.
    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        loop {
            let available = self.reader.fill_buf().await.ok().filter(|bytes| !bytes.is_empty())?;
            let newline = available.iter().position(|byte| *byte == b'\n');
            let bytes = available[..newline.unwrap_or(available.len())].to_vec();
            self.reader.consume(bytes.len() + usize::from(newline.is_some()));
            self.extend(&bytes);
            if newline.is_some()
                && let Some(message) = self.finish()
            {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.writer.lock().await.take();
        Ok(())
    }
}

/// An error answer of our own making.
pub(super) fn refusal(id: RequestId, code: ErrorCode, message: String) -> ServerJsonRpcMessage {
    ServerJsonRpcMessage::error(ErrorData::new(code, message, None), Some(id))
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;
    use tokio::io::{duplex, split};

    use super::*;

    async fn received(text: &str, bytes_max: usize) -> Vec<ServerJsonRpcMessage> {
        let (reader, writer) =
            split(tokio::io::join(io::Cursor::new(text.as_bytes().to_vec()), tokio::io::sink()));
        let mut lines = Lines::new(reader, writer, bytes_max);
        let mut messages = Vec::new();
        while let Some(message) = lines.receive().await {
            messages.push(message);
        }
        messages
    }

    fn error_of(message: &ServerJsonRpcMessage) -> (Option<RequestId>, ErrorCode) {
        let ServerJsonRpcMessage::Error(error) = message else { panic!("an error") };
        (error.id.clone(), error.error.code)
    }

    #[tokio::test]
    async fn an_oversized_answer_fails_its_call_alone() {
        let large = format!(r#"{{"jsonrpc":"2.0","result":{{"text":"{}"}},"id":7}}"#, "x".repeat(500));
        let good = r#"{"jsonrpc":"2.0","id":8,"result":{}}"#;
        let messages = received(&format!("{large}\r\n\n{good}\n"), 100).await;
        assert_eq!(messages.len(), 2);
        assert_eq!(error_of(&messages[0]), (Some(RequestId::Number(7)), TOO_LARGE));
        assert!(matches!(messages[1], ServerJsonRpcMessage::Response(_)));
    }

    #[tokio::test]
    async fn a_broken_answer_fails_its_call_and_chatter_is_skipped() {
        let messages =
            received("Server ready.\n{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"content\":[\n", 1_000).await;
        assert_eq!(
            messages.iter().map(error_of).collect::<Vec<_>>(),
            [(Some(RequestId::Number(3)), GARBLED)]
        );
    }

    #[tokio::test]
    async fn a_dropped_read_loses_nothing() {
        let (near, mut far) = duplex(1_000);
        let (reader, writer) = split(near);
        let mut lines = Lines::new(reader, writer, 1_000);
        far.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":1,").await.unwrap();
        assert!(lines.receive().now_or_never().is_none());
        far.write_all(b"\"result\":{}}\n").await.unwrap();
        assert!(matches!(lines.receive().now_or_never(), Some(Some(ServerJsonRpcMessage::Response(_)))));
    }
}
