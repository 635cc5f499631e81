//! Passes of programs: run anew, but for those that the machine ended, which end as they did, and those that nobody waited
//! for to their end, which never come to one.

use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use program::{Ready, Step};
use worker::{Lost, Passes};

use super::{Keeping, Tape, Turn};
use crate::format::pass::PassEnd;
use crate::journal::Waited;

impl Tape {
    /// Where programs run, with the endings of the tape.
    pub fn programs<'a>(self: &'a Arc<Self>, live: &'a dyn Passes) -> impl Passes + 'a {
        Played { tape: self, live }
    }

    /// The number of the next pass, and what the recording says of its ending.
    fn next_pass(&self) -> (usize, Ending) {
        let number = {
            let mut state = self.state();
            state.passes += 1;
            state.passes - 1
        };
        let ending = match self.reel.passes.get(&number) {
            _ if self.keeping == Keeping::Free => Ending::Own,
            Some(ended) => Ending::OfMachine(ended.clone()),
            None if self.reel.passes_let_go.contains(&number) => Ending::Never,
            None => Ending::Own,
        };
        (number, ending)
    }
}

/// How a pass ends.
enum Ending {
    /// As the program has it.
    Own,
    OfMachine(PassEnd),
    Never,
}

/// A pass that is run. Time stands still meanwhile, so that no deadline comes before its end, however slow this machine is.
struct Computing<'a>(&'a Tape);

impl<'a> Computing<'a> {
    fn begin(tape: &'a Tape) -> Self {
        tape.state().computing += 1;
        Self(tape)
    }
}

impl Drop for Computing<'_> {
    fn drop(&mut self) {
        self.0.state().computing -= 1;
    }
}

struct Played<'a> {
    tape: &'a Tape,
    live: &'a dyn Passes,
}

impl Passes for Played<'_> {
    fn next(&self, ready: Ready) -> BoxFuture<'_, Result<Step, Lost>> {
        async move {
            let (number, ending) = self.tape.next_pass();
            let ended = match ending {
                Ending::Own => {
                    let computing = Computing::begin(self.tape);
                    let step = self.live.next(ready).await;
                    drop(computing);
                    self.tape.caught_up().await;
                    return step;
                }
                Ending::Never => return self.tape.never(Waited::Pass(number)).await,
                Ending::OfMachine(ended) => ended,
            };
            self.tape.due(|turn| *turn == Turn::Pass(number)).await;
            match ended {
                PassEnd::Lost(how) => Err(Lost::Recorded(how)),
                PassEnd::Stopped(report) => Ok(ready.stopped(&report)?),
            }
        }
        .boxed()
    }
}
