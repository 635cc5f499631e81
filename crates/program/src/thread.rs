//! The threads of programs: each with a stack that deep values cannot exhaust, and kept a while for the next pass, since
//! mapping such a stack takes longer than most passes run.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::Builder;
use std::time::Duration;

type Work = Box<dyn FnOnce() + Send>;

/// A thread that waits for work.
#[derive(Clone, Debug)]
pub(crate) struct Thread {
    id: u64,
    stack_bytes: usize,
    work: Sender<Work>,
}

/// The threads without work. As many as passes were once under way together, for [`KEPT_FOR`] at the most.
static IDLE: Mutex<Vec<Thread>> = Mutex::new(Vec::new());

/// How long a thread waits for work before it ends and its stack is given back.
const KEPT_FOR: Duration = Duration::from_secs(10);

impl Thread {
    /// A thread with a stack of this size, kept or new. Whoever takes one gives it work.
    pub(crate) fn take(stack_bytes: usize) -> io::Result<Self> {
        let kept = {
            let mut idle = idle();
            let fits = idle.iter().rposition(|thread| thread.stack_bytes == stack_bytes);
            fits.map(|at| idle.swap_remove(at))
        };
        kept.map_or_else(|| Self::begin(stack_bytes), Ok)
    }

    fn begin(stack_bytes: usize) -> io::Result<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let (work, waiting) = mpsc::channel();
        let thread = Self { id: NEXT.fetch_add(1, Ordering::Relaxed), stack_bytes, work };
        let own = thread.clone();
        Builder::new()
            .name("program".to_owned())
            .stack_size(stack_bytes)
            .spawn(move || own.serve(&waiting))?;
        Ok(thread)
    }

    /// Has the thread do this work, which must not panic.
    pub(crate) fn give(self, work: impl FnOnce() + Send + 'static) {
        // The thread ends only where nobody has taken it, so it hears this.
        let _ = self.work.send(Box::new(work));
    }

    fn serve(&self, waiting: &Receiver<Work>) {
        loop {
            if let Ok(work) = waiting.recv_timeout(KEPT_FOR) {
                work();
                idle().push(self.clone());
            } else if self.is_given_up() {
                return;
            }
        }
    }

    /// Takes itself from the idle ones; false where it has just been taken, and work is on its way.
    fn is_given_up(&self) -> bool {
        let mut idle = idle();
        let own = idle.iter().position(|thread| thread.id == self.id);
        own.map(|at| idle.swap_remove(at)).is_some()
    }
}

fn idle() -> MutexGuard<'static, Vec<Thread>> {
    IDLE.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::thread::{self, ThreadId};

    use super::*;

    /// A size of its own keeps the test's thread apart from all others.
    const STACK_BYTES: usize = 1 << 18;

    fn worker() -> ThreadId {
        let (told, worker) = mpsc::channel();
        Thread::take(STACK_BYTES).unwrap().give(move || told.send(thread::current().id()).unwrap());
        worker.recv().unwrap()
    }

    #[test]
    fn a_thread_is_kept_for_the_next_work() {
        let first = worker();
        while !idle().iter().any(|thread| thread.stack_bytes == STACK_BYTES) {
            thread::yield_now();
        }
        assert_eq!(worker(), first);
    }
}
