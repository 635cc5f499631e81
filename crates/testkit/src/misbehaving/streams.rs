//! The misbehaving server over lines: a process's standard streams, or a stream in this process.

use std::io::{self, BufRead, Write};

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, split};

use super::server::{Act, Quirk, Server};

/// Serves one client over `input` and `output` until the input ends or it dies.
pub fn stdio(quirks: &[Quirk], input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let mut server = Server::new(quirks);
    for line in input.lines() {
        for act in acts(&mut server, &line?) {
            let Some(line) = line_of(act) else { return Ok(()) };
            output.write_all(line.as_bytes())?;
        }
        output.flush()?;
    }
    Ok(())
}

/// Serves one client over `stream` until it ends or it dies.
pub async fn embedded(quirks: Vec<Quirk>, stream: DuplexStream) {
    let mut server = Server::new(&quirks);
    let (input, mut output) = split(stream);
    let mut lines = BufReader::new(input).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        for act in acts(&mut server, &line) {
            let Some(line) = line_of(act) else { return };
            if output.write_all(line.as_bytes()).await.is_err() {
                return;
            }
        }
    }
}

fn acts(server: &mut Server, line: &str) -> Vec<Act> {
    serde_json::from_str::<Value>(line).map(|message| server.receive(&message)).unwrap_or_default()
}

fn line_of(act: Act) -> Option<String> {
    match act {
        Act::Send(message) => Some(format!("{message}\n")),
        Act::SendGarbage(text) => Some(format!("{text}\n")),
        Act::Die => None,
    }
}
