//! Passes of programs: run anew, but for those that the machine ended, which end as they did.

use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use program::{Ready, Step};
use worker::{Lost, Passes};

use super::{Keeping, Tape, Turn};
use crate::format::pass::PassEnd;

impl Tape {
    /// Where programs run, with the endings of the tape.
    pub fn programs<'a>(self: &'a Arc<Self>, live: &'a dyn Passes) -> impl Passes + 'a {
        Played { tape: self, live }
    }

    fn pass_end(&self) -> Option<(usize, PassEnd)> {
        let mut state = self.state();
        let number = state.passes;
        state.passes += 1;
        let ended = self.reel.passes.get(&number).filter(|_| self.keeping == Keeping::Strict)?;
        Some((number, ended.clone()))
    }
}

struct Played<'a> {
    tape: &'a Tape,
    live: &'a dyn Passes,
}

impl Passes for Played<'_> {
    fn next(&self, ready: Ready) -> BoxFuture<'_, Result<Step, Lost>> {
        let Some((number, ended)) = self.tape.pass_end() else { return self.live.next(ready) };
        async move {
            self.tape.due(|turn| *turn == Turn::Pass(number)).await;
            match ended {
                PassEnd::Lost(how) => Err(Lost::Recorded(how)),
                PassEnd::Stopped(report) => Ok(ready.stopped(&report)?),
            }
        }
        .boxed()
    }
}
