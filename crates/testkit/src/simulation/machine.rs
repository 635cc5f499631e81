//! A machine whose clock and whose processes end a program's pass now and then, and which now and then is too slow for one.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use program::{Ready, Step};
use serde_json::json;
use worker::{Lost, Passes, Programs};

use super::dice::Dice;
use super::upstreams::Sea;

/// Where programs of a simulation run.
pub(super) struct Machine<'a> {
    dice: Mutex<Dice>,
    sea: &'a Sea<'a>,
    /// Whether nothing ends them.
    is_fair: bool,
}

impl<'a> Machine<'a> {
    pub(super) fn new(dice: Dice, sea: &'a Sea<'a>, is_fair: bool) -> Self {
        Self { dice: Mutex::new(dice), sea, is_fair }
    }

    /// What becomes of the next pass, and how many milliseconds that takes.
    fn cast(&self) -> (u64, u64) {
        let mut dice = self.dice.lock().unwrap_or_else(PoisonError::into_inner);
        (dice.below(60), dice.below(90_000))
    }
}

impl Passes for Machine<'_> {
    fn next(&self, ready: Ready) -> BoxFuture<'_, Result<Step, Lost>> {
        let (cast, milliseconds) = self.cast();
        async move {
            match cast {
                0 if !self.is_fair => Err(Lost::Killed),
                1..3 if !self.is_fair => Ok(ready.stopped(&json!({
                    "ended": {"Limit": {"limit": "wall_ms_max"}},
                    "asked": [],
                    "operations": 12_345,
                    "wall": {"secs": 2, "nanos": 1},
                    "memory_bytes_peak": 0,
                }))?),
                // It computes for a long time: for longer, now and then, than anybody waits.
                3..6 if !self.is_fair => {
                    self.sea.wait(Some(Duration::from_millis(milliseconds))).await;
                    Programs::InProcess.next(ready).await
                }
                _ => Programs::InProcess.next(ready).await,
            }
        }
        .boxed()
    }
}
