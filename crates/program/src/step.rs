//! The states of a running program: it waits for calls, is done, or has failed.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use domain::{Call, CallFault, FaultKind, MethodRef, Position, Reply};
use serde_json::Value;

use crate::journal::Journal;
use crate::pass::{self, Ended};
use crate::program::Compiled;
use crate::thread::Thread;

/// Where a program stands.
#[derive(Debug)]
pub enum Step {
    /// It waits for the replies of calls that may be made together.
    Calls(Box<Pending>),
    /// It has given its value.
    Done(Box<Finished>),
    /// It cannot go on.
    Failed(Box<Fault>),
}

/// A program that is ready for its next pass. It holds no thread.
#[derive(Debug)]
pub struct Ready {
    pub(crate) run: Run,
}

impl Ready {
    pub(crate) fn of(run: Run) -> Self {
        Self { run }
    }

    /// Runs the pass in this process. Blocks the thread for as long as the interpreter runs, which the policy bounds.
    #[must_use]
    pub fn run(self) -> Step {
        let (told, step) = mpsc::channel();
        self.run_aside(move |step| drop(told.send(step)));
        step.recv().unwrap_or_else(|_| {
            let cause = Cause::Interpreter { message: "the program's thread is gone".to_owned() };
            let (journal, asked) = (Journal::default(), BTreeSet::new());
            Step::Failed(Box::new(Fault { cause, journal, asked, usage: Usage::default() }))
        })
    }

    /// Like [`Ready::run`], without waiting: `then` is told where the program stands, on the program's thread. It must not
    /// panic.
    pub fn run_aside(self, then: impl FnOnce(Step) + Send + 'static) {
        self.run.pass_aside(|run, ended| then(run.step(ended)));
    }

    /// What stops the program from outside.
    #[must_use]
    pub fn cancellation(&self) -> &Cancellation {
        &self.run.cancellation
    }

    /// What it used so far.
    #[must_use]
    pub fn usage(&self) -> Usage {
        self.run.usage
    }
}

/// A program that waits for calls. It holds no thread.
#[derive(Debug)]
pub struct Pending {
    run: Run,
    calls: Vec<Call>,
}

impl Pending {
    /// The calls of this wave, in the order in which the program asked; never empty.
    #[must_use]
    pub fn calls(&self) -> &[Call] {
        &self.calls
    }

    /// Goes on with the replies, in the order of [`Pending::calls`]. A missing reply counts as a cancelled call.
    #[must_use]
    pub fn ready(self, replies: Vec<Reply>) -> Ready {
        let Self { mut run, calls } = self;
        run.receive(calls, replies);
        Ready::of(run)
    }

    /// Like [`Pending::ready`], and runs the next pass in this process. Blocks the thread for as long as the interpreter
    /// runs, which the policy bounds.
    #[must_use]
    pub fn resume(self, replies: Vec<Reply>) -> Step {
        self.ready(replies).run()
    }

    /// Gives the program up and keeps what was paid for.
    #[must_use]
    pub fn into_journal(self) -> Journal {
        Arc::unwrap_or_clone(self.run.journal)
    }
}

/// A program that has given its value.
#[derive(Debug)]
pub struct Finished {
    /// What it gave, as JSON.
    pub value: Value,
    /// Where results stand in the value.
    pub origins: Vec<Origin>,
    /// Its calls and their replies, and those of the programs whose journal it ran from.
    pub journal: Journal,
    /// The calls that it asked for itself, whether they were made for it or served.
    pub asked: BTreeSet<Position>,
    /// What it used.
    pub usage: Usage,
}

/// A place in a program's value where a result, or a part of one, stands as the call gave it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The place: `$`, `$.rows[0]`, `$["a name"]`.
    pub path: String,
    /// The call.
    pub position: Position,
    /// The part of its result, as a JSON pointer; empty for the whole.
    pub pointer: String,
}

/// A program that cannot go on.
#[derive(Debug, thiserror::Error)]
#[error("the program failed: {cause}")]
pub struct Fault {
    /// Why.
    #[source]
    pub cause: Cause,
    /// Its calls and their replies: a repaired program starts from them.
    pub journal: Journal,
    /// The calls that it asked for itself, as far as it came.
    pub asked: BTreeSet<Position>,
    /// What it used.
    pub usage: Usage,
}

/// Why a program cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Cause {
    /// It used the result of a call that failed.
    #[error("the call of `{}` at {position} failed: {fault}", method.method)]
    CallFailed {
        /// The method.
        method: MethodRef,
        /// The call.
        position: Position,
        /// What came of it.
        fault: CallFault,
    },
    /// It passed a limit of the policy.
    #[error("over the limit `{limit}`")]
    Limit {
        /// The key in `sandbox.toml`.
        limit: &'static str,
    },
    /// It does something that cannot be done.
    #[error("{message}")]
    Script {
        /// What.
        message: String,
        /// The line, from one.
        line: Option<usize>,
        /// The column, from one.
        column: Option<usize>,
    },
    /// It gave up, in its own words: `throw "..."`.
    #[error("{message}")]
    GaveUp {
        /// The words.
        message: String,
    },
    /// Its value holds something that JSON cannot.
    #[error("{path}: {message}")]
    NoJson {
        /// The place in the value.
        path: String,
        /// What is there.
        message: String,
    },
    /// The host cancelled it.
    #[error("cancelled")]
    Cancelled,
    /// The interpreter itself failed.
    #[error("{message}")]
    Interpreter {
        /// How.
        message: String,
    },
}

/// What a program used over all its passes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Runs from the journal.
    pub passes: usize,
    /// Interpreter operations.
    pub operations: u64,
    /// Wall time of the interpreter; waiting for calls is left out.
    pub wall: Duration,
    /// The most that one pass held, in bytes; zero where the allocator does not count.
    pub memory_bytes_peak: usize,
}

/// Stops a program from outside, at its next operation. Clones stop the same programs.
#[derive(Clone, Debug, Default)]
pub struct Cancellation {
    flag: Arc<AtomicBool>,
}

impl Cancellation {
    /// Stops the program.
    pub fn cancel(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }

    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.flag)
    }
}

/// A program under way.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) compiled: Arc<Compiled>,
    pub(crate) journal: Arc<Journal>,
    /// The calls that it asked for so far.
    pub(crate) asked: BTreeSet<Position>,
    pub(crate) cancellation: Cancellation,
    pub(crate) usage: Usage,
}

impl Run {
    /// Runs the program once from its journal, on a thread with a stack that deep values cannot exhaust.
    pub(crate) fn pass_aside(self, then: impl FnOnce(Self, Ended) + Send + 'static) {
        match Thread::take(self.compiled.limits.stack_bytes) {
            Ok(thread) => thread.give(move || {
                let (run, ended) = self.pass();
                then(run, ended);
            }),
            Err(error) => {
                let message = format!("no thread for the program: {error}");
                then(self, Ended::Failed(Cause::Interpreter { message }));
            }
        }
    }

    fn receive(&mut self, calls: Vec<Call>, replies: Vec<Reply>) {
        let journal = Arc::make_mut(&mut self.journal);
        let depth_max = self.compiled.limits.value_depth_max;
        let missing =
            || Err(CallFault { kind: FaultKind::Cancelled, message: "the host gave no reply".to_owned() });
        let replies = replies.into_iter().chain(std::iter::repeat_with(missing));
        for (call, reply) in calls.into_iter().zip(replies) {
            self.asked.insert(call.position.clone());
            journal.receive(call, reply, depth_max);
        }
    }

    fn pass(mut self) -> (Self, Ended) {
        let ended = if self.is_worn() {
            Ended::Failed(Cause::limit("passes_max"))
        } else {
            let (ended, served) =
                pass::run(&self.compiled, &self.journal, &mut self.usage, &self.cancellation);
            self.asked.extend(served);
            ended
        };
        (self, ended)
    }

    /// Whether it may not run again.
    pub(crate) fn is_worn(&self) -> bool {
        self.usage.passes >= self.compiled.limits.passes_max
    }

    /// Where the program stands after a pass that ended so.
    pub(crate) fn step(self, ended: Ended) -> Step {
        match ended {
            Ended::Suspended(calls) if !calls.is_empty() => {
                Step::Calls(Box::new(Pending { run: self, calls }))
            }
            Ended::Suspended(_) => {
                self.fail(Cause::Interpreter { message: "suspended for nothing".to_owned() })
            }
            Ended::Done(value, origins) => Step::Done(Box::new(Finished {
                value,
                origins,
                journal: Arc::unwrap_or_clone(self.journal),
                asked: self.asked,
                usage: self.usage,
            })),
            Ended::Failed(cause) => self.fail(cause),
        }
    }

    fn fail(self, cause: Cause) -> Step {
        let journal = Arc::unwrap_or_clone(self.journal);
        Step::Failed(Box::new(Fault { cause, journal, asked: self.asked, usage: self.usage }))
    }
}
