//! The processes that programs run in.

use serde::{Deserialize, Serialize};

use crate::range::{OutOfRange, at_least_one, within};

/// Where programs run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SandboxMode {
    /// In processes that hold nothing, see no environment and can be killed.
    Workers,
    /// On threads of this process.
    InProcess,
}

/// `sandbox.toml`, `[workers]`: the processes that programs run in.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Workers {
    /// Processes at once.
    pub processes_max: usize,
    /// Bytes of address space of one process.
    pub address_space_bytes: u64,
    /// How long a pass may take beyond what is left of its wall time before its process is killed, in milliseconds.
    pub kill_after_ms: u64,
    /// Bytes of one message to or from a process.
    pub message_bytes_max: usize,
    /// Passes of one process before a fresh one takes its place.
    pub process_passes_max: u64,
    /// Bytes of memory that a process may keep from one pass to the next; where it keeps more, a fresh one takes its place.
    pub resident_bytes_max: u64,
    /// How long a process without work is kept, in milliseconds.
    pub idle_ms: u64,
}

/// What a process needs beside a program's own stack and values: its code, its allocator and the message it was sent.
const OVERHEAD_BYTES: usize = 256 << 20;

impl Workers {
    /// `program_bytes` is what one program's stack and values may take.
    pub(crate) fn check(&self, program_bytes: usize) -> Result<(), OutOfRange> {
        at_least_one("workers.processes_max", self.processes_max)?;
        at_least_one("workers.kill_after_ms", self.kill_after_ms)?;
        at_least_one("workers.process_passes_max", self.process_passes_max)?;
        at_least_one("workers.resident_bytes_max", self.resident_bytes_max)?;
        at_least_one("workers.idle_ms", self.idle_ms)?;
        within(
            "workers.message_bytes_max",
            (1 << 16..=1 << 30).contains(&self.message_bytes_max),
            "must be from 64 kibibytes to one gibibyte",
        )?;
        let needed = program_bytes.saturating_add(OVERHEAD_BYTES);
        within(
            "workers.address_space_bytes",
            usize::try_from(self.address_space_bytes).is_ok_and(|bytes| bytes >= needed),
            "must be at least `stack_bytes`, `memory_bytes_max` and 256 mebibytes together",
        )
    }
}

#[cfg(test)]
mod tests {
    use crate::Policy;

    #[test]
    fn a_process_has_room_for_a_program() {
        let shipped = Policy::shipped().unwrap().sandbox;
        assert_eq!(shipped.check(), Ok(()));
        let mut narrow = shipped.clone();
        narrow.workers.address_space_bytes = 300 << 20;
        assert_eq!(narrow.check().unwrap_err().0, "workers.address_space_bytes");
        let mut silent = shipped;
        silent.workers.message_bytes_max = 1;
        assert_eq!(silent.check().unwrap_err().0, "workers.message_bytes_max");
    }
}
