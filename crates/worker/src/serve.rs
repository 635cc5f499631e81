//! The inside of a worker process: confines itself, then runs one pass after the other until its input ends.

use std::io;

use crate::frame::{self, FrameFault};

/// What a worker process may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Confines {
    /// Bytes of address space.
    pub address_space_bytes: u64,
    /// Bytes of one message.
    pub message_bytes_max: usize,
}

/// Why a worker process cannot serve.
#[derive(Debug, thiserror::Error)]
pub enum ServeFault {
    /// It cannot be confined, and must not run programs.
    #[error("the worker process cannot be confined: {0}")]
    NotConfined(#[source] io::Error),
    /// Its orders do not come through.
    #[error(transparent)]
    Frame(#[from] FrameFault),
}

impl Confines {
    /// The confines as the last of a process's arguments say them.
    #[must_use]
    pub fn of_arguments(arguments: impl DoubleEndedIterator<Item = String>) -> Option<Self> {
        let mut from_last = arguments.rev();
        let message_bytes_max = from_last.next()?.parse().ok()?;
        let address_space_bytes = from_last.next()?.parse().ok()?;
        Some(Self { address_space_bytes, message_bytes_max })
    }
}

/// Serves standard input and output until the input ends, which ends the process even in the middle of a pass: whoever
/// ordered it is gone.
pub fn serve(confines: Confines) -> Result<(), ServeFault> {
    confine(confines).map_err(ServeFault::NotConfined)?;
    let bytes_max = confines.message_bytes_max;
    let mut input = io::stdin().lock();
    while let Some(order) = frame::read(&mut input, bytes_max)? {
        program::run_order(&order, bytes_max, move |report| {
            // Where nobody reads the report, the input ends as well.
            let _ = frame::write(&mut io::stdout().lock(), &report, bytes_max);
        });
    }
    Ok(())
}

/// Bounds the address space; no file may grow, and no core may be dumped, which would hold what a program was given.
#[cfg(unix)]
fn confine(confines: Confines) -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let limits = [(Resource::As, confines.address_space_bytes), (Resource::Fsize, 0), (Resource::Core, 0)];
    for (resource, most) in limits {
        setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })?;
    }
    Ok(())
}

#[cfg(not(unix))]
fn confine(_: Confines) -> io::Result<()> {
    Err(io::Error::from(io::ErrorKind::Unsupported))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn confines_stand_last_among_the_arguments() {
        let of = |arguments: &[&str]| Confines::of_arguments(arguments.iter().map(|it| (*it).to_owned()));
        let confines = Confines { address_space_bytes: 1 << 30, message_bytes_max: 4096 };
        assert_eq!(of(&["program-worker", "1073741824", "4096"]), Some(confines));
        assert_eq!(of(&["4096"]), None);
        assert_eq!(of(&["-1", "4096"]), None);
    }
}
