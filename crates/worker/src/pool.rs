//! The pool: as many worker processes as there is work for, within the policy, and none left when it closes.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use policy::Workers;
use program::{Order, Ready, Step};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::lost::Lost;
use crate::process::{Executable, Process};

/// Worker processes, kept between passes and replaced when they are lost.
#[derive(Debug)]
pub struct Pool {
    shared: Arc<Shared>,
    tasks: TaskTracker,
}

/// How the processes of a pool are doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Running a pass.
    pub busy: usize,
    /// Waiting for work.
    pub idle: usize,
    /// Started since the pool was.
    pub started: u64,
    /// Lost while they ran a pass: crashed, or killed because they hung.
    pub lost: u64,
}

#[derive(Debug)]
struct Shared {
    executable: Executable,
    policy: Workers,
    turns: Arc<Semaphore>,
    /// The last one to rest is the first to work, so that those that are not needed can go.
    idle: Mutex<Vec<Process>>,
    stop: CancellationToken,
    started: AtomicU64,
    lost: AtomicU64,
}

impl Pool {
    /// A pool without processes: each is started when there is work for it. Wants a runtime.
    #[must_use]
    pub fn open(policy: &Workers, executable: Executable) -> Self {
        let shared = Arc::new(Shared {
            executable,
            policy: policy.clone(),
            turns: Arc::new(Semaphore::new(policy.processes_max.min(Semaphore::MAX_PERMITS))),
            idle: Mutex::default(),
            stop: CancellationToken::new(),
            started: AtomicU64::new(0),
            lost: AtomicU64::new(0),
        });
        let tasks = TaskTracker::new();
        tasks.spawn(Arc::clone(&shared).end_idle());
        Self { shared, tasks }
    }

    /// Runs a program's next pass in a process, as soon as one is free.
    ///
    /// # Cancel safety
    /// Where the future is dropped, the process that runs the pass is killed.
    pub(crate) async fn next(&self, ready: Ready) -> Result<Step, Lost> {
        let order = match ready.into_order(self.shared.policy.message_bytes_max) {
            Ok(order) => order,
            Err(ended) => return Ok(ended),
        };
        // Held so that closing waits for the pass, even where it has not begun.
        let _pass = self.tasks.token();
        let turns = Arc::clone(&self.shared.turns);
        let turn = turns.acquire_owned().await.map_err(|_| Lost::Stopping)?;
        let (told, step) = oneshot::channel();
        self.tasks.spawn(Arc::clone(&self.shared).pass(order, turn, told));
        step.await.unwrap_or(Err(Lost::Stopping))
    }

    /// How the processes are doing.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let Shared { policy, turns, started, lost, .. } = &*self.shared;
        Counts {
            busy: policy.processes_max.saturating_sub(turns.available_permits()),
            idle: self.shared.idle().len(),
            started: started.load(Ordering::Relaxed),
            lost: lost.load(Ordering::Relaxed),
        }
    }

    /// Kills every process, whether it works or not, and waits until all are gone.
    pub async fn close(&self) {
        self.shared.stop.cancel();
        self.shared.turns.close();
        self.tasks.close();
        self.tasks.wait().await;
        let idle = std::mem::take(&mut *self.shared.idle());
        for process in idle {
            process.end().await;
        }
    }
}

impl Shared {
    /// Runs one pass in a process and tells where the program stands. It ends with the request that wants it.
    async fn pass(
        self: Arc<Self>,
        order: Order,
        turn: OwnedSemaphorePermit,
        mut told: oneshot::Sender<Result<Step, Lost>>,
    ) {
        let step = match self.process() {
            Ok(mut process) => {
                let limit = order.wall_left() + Duration::from_millis(self.policy.kill_after_ms);
                let reported = tokio::select! {
                    biased;
                    () = told.closed() => Err(Lost::Stopping),
                    () = self.stop.cancelled() => Err(Lost::Stopping),
                    reported = timeout(limit, process.exchange(order.bytes(), self.policy.message_bytes_max)) => {
                        reported.unwrap_or(Err(Lost::Killed))
                    }
                };
                let step = reported.and_then(|report| Ok(order.conclude(&report)?));
                match &step {
                    Ok(_) => self.rest(process).await,
                    Err(lost) => self.give_up(process, lost).await,
                }
                step
            }
            Err(lost) => Err(lost),
        };
        drop(turn);
        // Where the request is over there is nobody to tell.
        let _ = told.send(step);
    }

    /// A process that can run a pass: one that rests, or a new one.
    fn process(&self) -> Result<Process, Lost> {
        while let Some(mut process) = self.pop() {
            if process.is_fit(self.policy.process_passes_max) {
                return Ok(process);
            }
        }
        self.started.fetch_add(1, Ordering::Relaxed);
        Process::start(&self.executable, &self.policy).map_err(|error| {
            tracing::error!(%error, "no worker process could be started");
            Lost::NotStarted(error.kind())
        })
    }

    /// Keeps a process for the next pass, but where it keeps too much itself.
    async fn rest(&self, process: Process) {
        if process.resident_bytes().is_none_or(|bytes| bytes <= self.policy.resident_bytes_max) {
            self.idle().push(process.rest());
        } else {
            process.end().await;
        }
    }

    async fn give_up(&self, process: Process, lost: &Lost) {
        if *lost != Lost::Stopping {
            self.lost.fetch_add(1, Ordering::Relaxed);
            tracing::warn!(process = process.id(), %lost, "a program was lost with its worker process");
        }
        process.end().await;
    }

    /// Ends the processes that have had no work for a while, until the pool closes.
    async fn end_idle(self: Arc<Self>) {
        let kept = Duration::from_millis(self.policy.idle_ms);
        let mut due = tokio::time::interval(kept);
        while self.stop.run_until_cancelled(due.tick()).await.is_some() {
            let old = self.without_work_for(kept);
            for process in old {
                process.end().await;
            }
        }
    }

    fn without_work_for(&self, kept: Duration) -> Vec<Process> {
        let mut idle = self.idle();
        let is_old = |process: &Process| process.idle_since().elapsed() >= kept;
        let (old, young) = std::mem::take(&mut *idle).into_iter().partition(is_old);
        *idle = young;
        old
    }

    fn pop(&self) -> Option<Process> {
        self.idle().pop()
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Process>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
