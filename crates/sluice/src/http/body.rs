//! Reads a request body: whole, within its limits, whatever it is declared as.

use std::time::Duration;

use axum::body::{Body, BodyDataStream};
use futures::StreamExt;

use crate::http::fault::Fault;

/// The bytes of a body.
pub(crate) async fn read(body: Body, policy: &policy::Server) -> Result<Vec<u8>, Fault> {
    read_up_to(body, policy.body_ms_max, policy.body_bytes_max).await
}

/// The bytes of a body that may have so many, and take so long.
pub(crate) async fn read_up_to(body: Body, ms_max: u64, bytes_max: usize) -> Result<Vec<u8>, Fault> {
    let reading = tokio::time::timeout(Duration::from_millis(ms_max), collect(body, bytes_max));
    reading.await.unwrap_or(Err(Fault::BodyTooSlow { ms_max }))
}

async fn collect(body: Body, bytes_max: usize) -> Result<Vec<u8>, Fault> {
    let mut chunks = body.into_data_stream();
    let mut bytes = Vec::new();
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk.map_err(|_| Fault::BodyBroken)?;
        if bytes.len() + chunk.len() > bytes_max {
            discard(chunks, bytes_max).await;
            return Err(Fault::BodyTooLarge { bytes_max });
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

/// Reads on for as much again: a client that is cut off while it writes never reads why.
async fn discard(mut chunks: BodyDataStream, bytes_max: usize) {
    let mut left = bytes_max;
    while let Some(Ok(chunk)) = chunks.next().await {
        left = left.saturating_sub(chunk.len());
        if left == 0 {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use futures::stream;

    use super::*;

    fn in_chunks(chunks: &'static [&'static str]) -> Body {
        Body::from_stream(stream::iter(chunks.iter().copied().map(Ok::<_, Infallible>)))
    }

    #[tokio::test]
    async fn a_body_may_be_as_long_as_the_limit() {
        assert_eq!(collect(in_chunks(&["ab", "cd"]), 4).await, Ok(b"abcd".to_vec()));
        let refused = Err(Fault::BodyTooLarge { bytes_max: 4 });
        assert_eq!(collect(in_chunks(&["ab", "cde"]), 4).await, refused);
        assert_eq!(collect(in_chunks(&["abcde", "fghij", "klm"]), 4).await, refused);
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_that_stalls_is_given_up() {
        let mut policy = policy::Policy::shipped().unwrap().server;
        policy.body_ms_max = 20;
        let stalled = Body::from_stream(stream::pending::<Result<&str, Infallible>>());
        assert_eq!(read(stalled, &policy).await, Err(Fault::BodyTooSlow { ms_max: 20 }));
    }
}
