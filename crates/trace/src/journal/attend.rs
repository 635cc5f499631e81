//! Giving up, seen by a request between two of its steps alone.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures::FutureExt;
use futures::future::BoxFuture;
use tokio_util::sync::CancellationToken;

use super::{Entry, Journal};
use crate::format::exchange::microseconds;

impl Journal {
    /// Trips where the request is given up. This is the token that the request is to look at.
    #[must_use]
    pub fn gate(&self) -> CancellationToken {
        self.gate.clone()
    }

    /// Runs the request. That its caller gives it up, or lets go of it, is noted before the request learns of it: so what
    /// is noted around it says how far it had come.
    pub fn attend<'a, T>(&'a self, run: impl Future<Output = T> + Send + 'a) -> impl Future<Output = T> + 'a
    where
        T: 'a,
    {
        let given_up = self.cancel.clone().cancelled_owned().boxed();
        Attended { journal: self, given_up, run: run.boxed(), is_over: false }
    }

    fn give_up(&self) {
        if !self.gate.is_cancelled() {
            let passes = self.notes().passes;
            self.note(Entry::Cancelled { passes }, 0);
            self.gate.cancel();
        }
    }
}

/// A request under way.
struct Attended<'a, T> {
    journal: &'a Journal,
    given_up: BoxFuture<'a, ()>,
    run: BoxFuture<'a, T>,
    is_over: bool,
}

impl<T> Future for Attended<'_, T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        if !self.journal.gate.is_cancelled() && self.given_up.poll_unpin(context).is_ready() {
            self.journal.give_up();
        }
        let step = microseconds(self.journal.began.elapsed());
        self.journal.notes().step = Some(step);
        let polled = self.run.poll_unpin(context);
        self.journal.notes().step = None;
        self.is_over = polled.is_ready();
        polled
    }
}

impl<T> Drop for Attended<'_, T> {
    /// Before the request itself goes, with all that it waits for.
    fn drop(&mut self) {
        if !self.is_over {
            self.journal.give_up();
        }
    }
}
