//! Passes of programs whose ending hung on the machine: on its clock, its memory, its processes; and those that the request's
//! deadline came before.

use futures::FutureExt;
use futures::future::BoxFuture;
use program::{Ready, Step};
use worker::{Lost, Passes};

use super::{Entry, Journal, Recorded, Waited, Waits};
use crate::format::pass::PassEnd;

impl Journal {
    /// Where programs run, with what another run need not come to noted.
    pub fn programs<'a>(&'a self, live: &'a dyn Passes) -> impl Passes + 'a {
        Recorded { journal: self, live }
    }
}

impl Passes for Recorded<'_, dyn Passes + '_> {
    fn next(&self, ready: Ready) -> BoxFuture<'_, Result<Step, Lost>> {
        async move {
            let number = self.journal.next_pass();
            let waits = Waits { journal: self.journal, what: Some(Waited::Pass(number)) };
            let step = self.live.next(ready).await;
            waits.end();
            if let Some(ended) = PassEnd::of(&step) {
                self.journal.note(Entry::Pass { number, ended }, 0);
            }
            step
        }
        .boxed()
    }
}
