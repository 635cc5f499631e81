//! Child processes: started in a group of their own, watched, ended and reaped.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use process_wrap::tokio::{ChildWrapper, CommandWrap, KillOnDrop, ProcessGroup};
use secrecy::{ExposeSecret, SecretString};
use tokio::io::AsyncReadExt;
use tokio::process::{ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::time::timeout;
use tokio_util::task::TaskTracker;

const SIGTERM: i32 = 15;

/// How a child is started.
pub(crate) struct Launch<'a> {
    pub(crate) command: &'a str,
    pub(crate) args: &'a [String],
    pub(crate) env: &'a BTreeMap<String, SecretString>,
    pub(crate) cwd: Option<&'a Path>,
}

/// A running child and its process group.
pub(crate) struct Child {
    process: Box<dyn ChildWrapper>,
}

impl Child {
    /// Starts a child; gives its input and output. Its error output goes to the log, shortened to `stderr_bytes_max`.
    pub(crate) fn start(
        launch: &Launch<'_>,
        name: &str,
        stderr_bytes_max: usize,
        tracker: &TaskTracker,
    ) -> io::Result<(Self, ChildStdin, ChildStdout)> {
        let mut command = Command::new(launch.command);
        command.args(launch.args).env_clear();
        command.envs(launch.env.iter().map(|(name, value)| (name, value.expose_secret())));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(directory) = launch.cwd {
            command.current_dir(directory);
        }
        let mut process = CommandWrap::from(command).wrap(ProcessGroup::leader()).wrap(KillOnDrop).spawn()?;
        let stdin = process.stdin().take().ok_or(io::ErrorKind::BrokenPipe)?;
        let stdout = process.stdout().take().ok_or(io::ErrorKind::BrokenPipe)?;
        if let Some(stderr) = process.stderr().take() {
            tracker.spawn(log_tail(stderr, name.to_owned(), stderr_bytes_max));
        }
        Ok((Self { process }, stdin, stdout))
    }

    /// Waits until the child has left.
    ///
    /// # Cancel safety
    ///
    /// May be dropped and begun anew.
    pub(crate) async fn left(&mut self) {
        let _ = self.process.wait().await;
    }

    /// Ends the child, whose input is closed by now: waits, asks, and at last kills the group. Reaps it in any case.
    pub(crate) async fn end(mut self, patience: Duration) {
        if timeout(patience, self.left()).await.is_err() {
            let _ = self.process.signal(SIGTERM);
            let _ = timeout(patience, self.left()).await;
        }
        // Children of the child may have outlived it.
        let _ = self.process.start_kill();
        self.left().await;
    }
}

async fn log_tail(mut stderr: ChildStderr, name: String, bytes_max: usize) {
    let mut tail = Vec::new();
    while let Ok(1..) = stderr.read_buf(&mut tail).await {
        let excess = tail.len().saturating_sub(bytes_max);
        tail.drain(..excess);
    }
    if !tail.is_empty() {
        tracing::debug!(listing = name, stderr = %String::from_utf8_lossy(&tail), "a server's error output ended");
    }
}
