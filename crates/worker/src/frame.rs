//! Frames: the length of a message in four bytes, least first, and then its bytes.

use std::io::{self, Read, Write};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// A message that cannot be sent or received.
#[derive(Debug, thiserror::Error)]
pub enum FrameFault {
    /// It is longer than a message may be.
    #[error("a message of {bytes} bytes, and {bytes_max} are allowed")]
    TooLarge {
        /// Its bytes, as its frame says.
        bytes: usize,
        /// The bytes that are allowed.
        bytes_max: usize,
    },
    /// The other side ended in the middle of it.
    #[error("a message that was cut off")]
    Cut,
    /// Input or output failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

const HEADER_BYTES: usize = 4;

/// Writes one message.
pub(crate) fn write(output: &mut impl Write, message: &[u8], bytes_max: usize) -> Result<(), FrameFault> {
    output.write_all(&header(message.len(), bytes_max)?)?;
    output.write_all(message)?;
    Ok(output.flush()?)
}

/// Reads one message; none where the other side has ended. Memory is taken as bytes arrive, not as the frame promises.
pub(crate) fn read(input: &mut impl Read, bytes_max: usize) -> Result<Option<Vec<u8>>, FrameFault> {
    let mut header = Vec::with_capacity(HEADER_BYTES);
    input.by_ref().take(HEADER_BYTES as u64).read_to_end(&mut header)?;
    let Some(bytes) = length(&header, bytes_max)? else { return Ok(None) };
    let mut message = Vec::new();
    input.by_ref().take(bytes as u64).read_to_end(&mut message)?;
    whole(message, bytes).map(Some)
}

/// Like [`write`], without blocking.
pub(crate) async fn send(
    output: &mut (impl AsyncWrite + Unpin),
    message: &[u8],
    bytes_max: usize,
) -> Result<(), FrameFault> {
    output.write_all(&header(message.len(), bytes_max)?).await?;
    output.write_all(message).await?;
    Ok(output.flush().await?)
}

/// Like [`read`], without blocking.
pub(crate) async fn receive(
    input: &mut (impl AsyncRead + Unpin),
    bytes_max: usize,
) -> Result<Option<Vec<u8>>, FrameFault> {
    let mut header = Vec::with_capacity(HEADER_BYTES);
    input.take(HEADER_BYTES as u64).read_to_end(&mut header).await?;
    let Some(bytes) = length(&header, bytes_max)? else { return Ok(None) };
    let mut message = Vec::new();
    input.take(bytes as u64).read_to_end(&mut message).await?;
    whole(message, bytes).map(Some)
}

fn header(bytes: usize, bytes_max: usize) -> Result<[u8; HEADER_BYTES], FrameFault> {
    match u32::try_from(bytes) {
        Ok(length) if bytes <= bytes_max => Ok(length.to_le_bytes()),
        Ok(_) | Err(_) => Err(FrameFault::TooLarge { bytes, bytes_max }),
    }
}

/// The length that a header says; none where there is no header.
fn length(header: &[u8], bytes_max: usize) -> Result<Option<usize>, FrameFault> {
    if header.is_empty() {
        return Ok(None);
    }
    let header: [u8; HEADER_BYTES] = header.try_into().map_err(|_| FrameFault::Cut)?;
    let bytes = usize::try_from(u32::from_le_bytes(header)).unwrap_or(usize::MAX);
    if bytes > bytes_max { Err(FrameFault::TooLarge { bytes, bytes_max }) } else { Ok(Some(bytes)) }
}

fn whole(message: Vec<u8>, bytes: usize) -> Result<Vec<u8>, FrameFault> {
    if message.len() == bytes { Ok(message) } else { Err(FrameFault::Cut) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Gives its bytes in pieces of these sizes.
    struct Pieces<'a> {
        bytes: &'a [u8],
        sizes: std::iter::Cycle<std::vec::IntoIter<usize>>,
    }

    impl Read for Pieces<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let size = self.sizes.next().unwrap_or(1).min(buffer.len()).min(self.bytes.len());
            let (piece, rest) = self.bytes.split_at(size);
            buffer[..size].copy_from_slice(piece);
            self.bytes = rest;
            Ok(size)
        }
    }

    /// Everything that can be read, and whether it ends where a message does.
    fn read_all(mut input: impl Read, bytes_max: usize) -> (Vec<Vec<u8>>, bool) {
        let mut messages = Vec::new();
        loop {
            match read(&mut input, bytes_max) {
                Ok(Some(message)) => messages.push(message),
                Ok(None) => return (messages, true),
                Err(_) => return (messages, false),
            }
        }
    }

    fn received(bytes: &[u8], bytes_max: usize) -> (Vec<Vec<u8>>, bool) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let (mut input, mut messages) = (bytes, Vec::new());
            loop {
                match receive(&mut input, bytes_max).await {
                    Ok(Some(message)) => messages.push(message),
                    Ok(None) => return (messages, true),
                    Err(_) => return (messages, false),
                }
            }
        })
    }

    proptest! {
        #[test]
        fn what_was_written_is_read_in_whatever_pieces(
            messages in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..60), 0..6),
            sizes in prop::collection::vec(1..9_usize, 1..5),
        ) {
            let mut bytes = Vec::new();
            for message in &messages {
                write(&mut bytes, message, 60).unwrap();
            }
            let pieces = Pieces { bytes: &bytes, sizes: sizes.into_iter().cycle() };
            prop_assert_eq!(read_all(pieces, 60), (messages.clone(), true));
            prop_assert_eq!(received(&bytes, 60), (messages, true));
        }

        #[test]
        fn any_bytes_are_read_or_refused(
            bytes in prop::collection::vec(prop_oneof![Just(0), Just(1), any::<u8>()], 0..80),
            bytes_max in 0..70_usize,
        ) {
            let read = read_all(&bytes[..], bytes_max);
            prop_assert!(read.0.iter().all(|message| message.len() <= bytes_max));
            prop_assert_eq!(received(&bytes, bytes_max), read);
        }

        #[test]
        fn a_frame_that_is_cut_is_no_message(message in prop::collection::vec(any::<u8>(), 0..40), cut in 1..44_usize) {
            let mut bytes = Vec::new();
            write(&mut bytes, &message, 40).unwrap();
            bytes.truncate(bytes.len().saturating_sub(cut).max(1));
            prop_assert_eq!(read_all(&bytes[..], 40), (Vec::new(), false));
        }

        #[test]
        fn what_is_too_large_is_not_written(message in prop::collection::vec(any::<u8>(), 1..40)) {
            let mut bytes = Vec::new();
            prop_assert!(write(&mut bytes, &message, message.len() - 1).is_err());
            prop_assert!(bytes.is_empty());
        }
    }

    #[test]
    fn a_promise_of_much_takes_no_memory() {
        let promise = u32::MAX.to_le_bytes();
        assert!(matches!(read(&mut &promise[..], usize::MAX), Err(FrameFault::Cut)));
        assert!(matches!(
            read(&mut &promise[..], 1 << 20),
            Err(FrameFault::TooLarge { bytes_max: 1_048_576, .. })
        ));
    }
}
