//! The seam: a program's next pass, wherever programs run.

use futures::FutureExt;
use futures::future::BoxFuture;
use policy::{Sandbox, SandboxMode};
use program::{Cancellation, Ready, Step};
use tokio::sync::oneshot;

use crate::lost::Lost;
use crate::pool::{Counts, Pool};
use crate::process::Executable;

/// Runs programs, a pass at a time: where they run, or what stands before it.
pub trait Passes: Send + Sync {
    /// Runs a program up to its next step.
    ///
    /// # Cancel safety
    /// Where the future is dropped, the program is stopped.
    fn next(&self, ready: Ready) -> BoxFuture<'_, Result<Step, Lost>>;
}

/// Where programs run, by policy.
#[derive(Debug)]
pub enum Programs {
    /// On threads of this process.
    InProcess,
    /// In worker processes.
    Workers(Pool),
}

impl Programs {
    /// The mode that the policy names; `executable` is what a worker process runs. Wants a runtime.
    #[must_use]
    pub fn open(policy: &Sandbox, executable: Executable) -> Self {
        match policy.mode {
            SandboxMode::InProcess => Self::InProcess,
            SandboxMode::Workers => Self::Workers(Pool::open(&policy.workers, executable)),
        }
    }

    /// Runs a program up to its next step.
    ///
    /// # Cancel safety
    /// Where the future is dropped, the program is stopped.
    pub async fn next(&self, ready: Ready) -> Result<Step, Lost> {
        match self {
            Self::InProcess => aside(ready).await,
            Self::Workers(pool) => pool.next(ready).await,
        }
    }

    /// How the worker processes are doing; none where programs run in this process.
    #[must_use]
    pub fn counts(&self) -> Option<Counts> {
        match self {
            Self::InProcess => None,
            Self::Workers(pool) => Some(pool.counts()),
        }
    }

    /// Ends every worker process.
    pub async fn close(&self) {
        match self {
            Self::InProcess => {}
            Self::Workers(pool) => pool.close().await,
        }
    }
}

impl Passes for Programs {
    fn next(&self, ready: Ready) -> BoxFuture<'_, Result<Step, Lost>> {
        Self::next(self, ready).boxed()
    }
}

async fn aside(ready: Ready) -> Result<Step, Lost> {
    let mut unless_left = StopOnDrop(Some(ready.cancellation().clone()));
    let (told, step) = oneshot::channel();
    ready.run_aside(move |step| drop(told.send(step)));
    let step = step.await.map_err(|_| Lost::Ended("its thread is gone".to_owned()));
    unless_left.0 = None;
    step
}

/// Stops a program that nobody waits for any more, at its next operation.
struct StopOnDrop(Option<Cancellation>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        if let Some(cancellation) = &self.0 {
            cancellation.cancel();
        }
    }
}
