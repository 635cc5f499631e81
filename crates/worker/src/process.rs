//! One worker process, as its owner sees it.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::{fs, io};

use policy::Workers;
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::Instant;

use crate::frame::{self, FrameFault};
use crate::lost::Lost;

/// What is started as a worker process: it must call [`serve`](crate::serve) with what follows its own arguments.
#[derive(Clone, Debug)]
pub struct Executable {
    /// The file.
    pub path: PathBuf,
    /// Its arguments, before those that say the process's limits.
    pub arguments: Vec<OsString>,
}

/// A running worker process. Dropping it kills it.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    input: ChildStdin,
    output: ChildStdout,
    passes: u64,
    idle_since: Instant,
}

impl Process {
    /// Starts one: with nothing of this process's environment, in a group of its own, so that nobody who interrupts the
    /// server interrupts it.
    pub(crate) fn start(executable: &Executable, policy: &Workers) -> io::Result<Self> {
        let mut command = Command::new(&executable.path);
        command
            .args(&executable.arguments)
            .arg(policy.address_space_bytes.to_string())
            .arg(policy.message_bytes_max.to_string())
            .env_clear()
            .env("MIMALLOC_ARENA_RESERVE", format!("{}K", policy.address_space_bytes / ARENAS / 1024))
            .current_dir(ROOT)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // What a broken program says is not for the server's log.
            .stderr(Stdio::null())
            .kill_on_drop(true);
        #[cfg(unix)]
        command.process_group(0);
        let mut child = command.spawn()?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::from(io::ErrorKind::BrokenPipe));
        };
        Ok(Self { child, input, output, passes: 0, idle_since: Instant::now() })
    }

    /// Has it run a pass, and gives its report.
    pub(crate) async fn exchange(&mut self, order: &[u8], bytes_max: usize) -> Result<Vec<u8>, Lost> {
        self.passes += 1;
        let exchanged = async {
            frame::send(&mut self.input, order, bytes_max).await?;
            frame::receive(&mut self.output, bytes_max).await?.ok_or(FrameFault::Cut)
        };
        match exchanged.await {
            Ok(report) => Ok(report),
            Err(FrameFault::Cut | FrameFault::Io(_)) => {
                // Its status says more than the broken pipe; a process that closed its pipes and lives on has none.
                let _ = self.child.start_kill();
                Err(Lost::Ended(self.child.wait().await.map_or_else(|error| error.to_string(), said)))
            }
            Err(fault @ FrameFault::TooLarge { .. }) => Err(Lost::Ended(fault.to_string())),
        }
    }

    pub(crate) fn id(&self) -> Option<u32> {
        self.child.id()
    }

    /// The memory that it holds, in bytes; none where the system does not tell.
    pub(crate) fn resident_bytes(&self) -> Option<u64> {
        let told = fs::read_to_string(format!("/proc/{}/status", self.id()?)).ok()?;
        let kilobytes =
            told.lines().find_map(|line| line.strip_prefix("VmRSS:"))?.trim().strip_suffix("kB")?;
        Some(kilobytes.trim().parse::<u64>().ok()? << 10)
    }

    /// Whether it can run another pass.
    pub(crate) fn is_fit(&mut self, passes_max: u64) -> bool {
        self.passes < passes_max && matches!(self.child.try_wait(), Ok(None))
    }

    /// From now on it has no work.
    pub(crate) fn rest(mut self) -> Self {
        self.idle_since = Instant::now();
        self
    }

    pub(crate) fn idle_since(&self) -> Instant {
        self.idle_since
    }

    /// Kills it, and waits until it is gone. It holds nothing that would want to be put in order.
    pub(crate) async fn end(mut self) {
        if let Err(error) = self.child.kill().await {
            tracing::warn!(%error, "a worker process could not be killed");
        }
    }
}

/// Into how many parts the address space is cut for the allocator, which takes one at a time: by itself it takes a
/// gigabyte before anything else, which may be all that there is.
const ARENAS: u64 = 16;

#[cfg(unix)]
const ROOT: &str = "/";
#[cfg(not(unix))]
const ROOT: &str = ".";

fn said(status: ExitStatus) -> String {
    status.to_string()
}
