//! A machine whose clock and whose processes end a program's pass now and then.

use std::sync::{Mutex, PoisonError};

use futures::FutureExt;
use futures::future::BoxFuture;
use program::{Ready, Step};
use serde_json::json;
use worker::{Lost, Passes, Programs};

use super::dice::Dice;

/// Where programs of a simulation run.
pub(super) struct Machine {
    dice: Mutex<Dice>,
    /// Whether nothing ends them.
    is_fair: bool,
}

impl Machine {
    pub(super) fn new(dice: Dice, is_fair: bool) -> Self {
        Self { dice: Mutex::new(dice), is_fair }
    }
}

impl Passes for Machine {
    fn next(&self, ready: Ready) -> BoxFuture<'_, Result<Step, Lost>> {
        let cast = self.dice.lock().unwrap_or_else(PoisonError::into_inner).below(60);
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
                _ => Programs::InProcess.next(ready).await,
            }
        }
        .boxed()
    }
}
