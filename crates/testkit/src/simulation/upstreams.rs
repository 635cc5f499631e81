//! Upstreams and models that take time and fail as a seed says.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use domain::{Call, CallFault, FaultKind, MethodRef, Reply};
use futures::FutureExt;
use futures::future::{BoxFuture, pending};
use llm::{Exchanges, FallbackReason, HearText, ModelReply, ModelRequest, Stop};
use mcp::Tools;
use tokio::time::{Instant, sleep_until};
use trace::Journal;

use super::dice::Dice;
use super::world::World;

/// The upstreams of one run, and all that it waits for.
pub(super) struct Sea<'a> {
    world: &'a World,
    /// Whether nothing fails.
    is_fair: bool,
    state: Mutex<State>,
}

struct State {
    dice: Dice,
    /// When what is waited for comes; none where it never does.
    waiting: BTreeMap<u64, Option<Instant>>,
    waited: u64,
    /// Calls that are being answered right now, on a runtime of their own.
    busy: usize,
    delivered: BTreeMap<MethodRef, usize>,
    executed: usize,
}

/// How a call goes.
#[derive(Clone, Copy)]
enum Weather {
    Fair,
    Fails(FaultKind),
    Never,
}

impl<'a> Sea<'a> {
    pub(super) fn new(world: &'a World, dice: Dice, is_fair: bool) -> Self {
        let state = State {
            dice,
            waiting: BTreeMap::new(),
            waited: 0,
            busy: 0,
            delivered: BTreeMap::new(),
            executed: 0,
        };
        Self { world, is_fair, state: Mutex::new(state) }
    }

    /// Whether everything that is waited for is only a matter of time.
    pub(super) fn is_calm(&self) -> bool {
        let state = self.state();
        state.busy == 0 && !state.waiting.is_empty()
    }

    /// How long until something comes.
    pub(super) fn next_due(&self) -> Option<Duration> {
        let now = Instant::now();
        let due = self.state().waiting.values().flatten().min().copied()?;
        Some(due.saturating_duration_since(now).max(Duration::from_millis(1)))
    }

    /// What was delivered, and how many calls there were.
    pub(super) fn log(&self) -> (BTreeMap<MethodRef, usize>, usize) {
        let state = self.state();
        (state.delivered.clone(), state.executed)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets so much time pass, or all of it.
    pub(super) async fn wait(&self, time: Option<Duration>) {
        let due = time.map(|time| Instant::now() + time);
        let number = {
            let mut state = self.state();
            state.waited += 1;
            let number = state.waited;
            state.waiting.insert(number, due);
            number
        };
        let _waiting = Waiting { sea: self, number };
        match due {
            Some(due) => sleep_until(due).await,
            None => pending().await,
        }
    }

    fn weather(&self) -> (Weather, Duration) {
        let mut state = self.state();
        let dice = &mut state.dice;
        let kinds = [
            FaultKind::MethodError,
            FaultKind::InvalidResult,
            FaultKind::Timeout,
            FaultKind::Unreachable,
            FaultKind::Protocol,
            FaultKind::NeedsAction,
        ];
        if self.is_fair {
            return (Weather::Fair, Duration::from_millis(dice.below(900)));
        }
        let weather = match dice.below(20) {
            0..=14 => Weather::Fair,
            15..=18 => Weather::Fails(dice.pick(&kinds)),
            _ => Weather::Never,
        };
        let slow = if dice.once_in(8) { 60_000 } else { 900 };
        (weather, Duration::from_millis(dice.below(slow)))
    }
}

struct Waiting<'a> {
    sea: &'a Sea<'a>,
    number: u64,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.sea.state().waiting.remove(&self.number);
    }
}

struct Busy<'a>(&'a Sea<'a>);

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.state().busy -= 1;
    }
}

impl Tools for Sea<'_> {
    fn call<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Reply> {
        async move {
            let (weather, delay) = self.weather();
            self.state().executed += 1;
            let reply = match weather {
                Weather::Never => {
                    self.wait(None).await;
                    pending().await
                }
                Weather::Fails(kind) => Err(CallFault { kind, message: "the weather was bad".to_owned() }),
                Weather::Fair => {
                    self.state().busy += 1;
                    let _busy = Busy(self);
                    self.world.answer(call).await
                }
            };
            self.wait(Some(delay)).await;
            if reply.is_ok() {
                *self.state().delivered.entry(call.method.clone()).or_default() += 1;
            }
            reply
        }
        .boxed()
    }
}

/// Models that say odd things.
pub(super) struct Odd<'a> {
    dice: Mutex<Dice>,
    sea: &'a Sea<'a>,
    /// Whether they are left alone.
    is_quiet: bool,
}

impl<'a> Odd<'a> {
    pub(super) fn new(dice: Dice, sea: &'a Sea<'a>, is_quiet: bool) -> Self {
        Self { dice: Mutex::new(dice), sea, is_quiet }
    }

    fn reply(&self) -> (ModelReply, Option<Duration>) {
        let mut dice = self.dice.lock().unwrap_or_else(PoisonError::into_inner);
        let texts = [
            "",
            "{",
            "The answer is 42.",
            "{\"outcomeType\":\"answer\",\"optionIds\":[],\"recommendedOptionId\":null,\"confidence\":0.9,\"reason\":\"-\"}",
            "{\"outcome\":\"answer\",\"options\":[],\"recommended\":null,\"confidence\":0.1,\"reason\":\"-\"}",
            "{\"source\":\"tools.none()\",\"assumptions\":[]}",
            "{\"source\":\"loop { }\"}",
            "{\"outcome\":\"complete\",\"missing\":[],\"reason\":\"-\"}",
        ];
        let faults = [
            FallbackReason::RateLimited,
            FallbackReason::ServerError(503),
            FallbackReason::Rejected(400),
            FallbackReason::TimedOut,
            FallbackReason::Truncated,
            FallbackReason::CircuitOpen,
            FallbackReason::Garbled("no JSON at line 1".to_owned()),
        ];
        let fault = (dice.below(3) == 0).then(|| {
            let place = usize::try_from(dice.below(7)).unwrap_or(0);
            faults[place].clone()
        });
        let slow = if dice.once_in(6) { 90_000 } else { 2_000 };
        let elapsed = Duration::from_millis(dice.below(slow));
        let delay = (!dice.once_in(15)).then_some(elapsed);
        let reply = ModelReply {
            text: dice.pick(&texts).to_owned(),
            model: Some("odd-1".to_owned()),
            input_tokens: Some(dice.below(5_000)),
            output_tokens: Some(dice.below(500)),
            stop: Some(dice.pick(&[Stop::Done, Stop::Done, Stop::Done, Stop::Length, Stop::Declined])),
            fault,
            elapsed,
            ..ModelReply::default()
        };
        (reply, delay)
    }
}

/// The odd models with a journal before them.
pub(super) struct Through<'a> {
    pub(super) journal: &'a Journal,
    pub(super) odd: &'a Odd<'a>,
}

impl Exchanges for Through<'_> {
    fn exchange<'a>(
        &'a self,
        request: ModelRequest<'a>,
        live: BoxFuture<'a, ModelReply>,
        hear: &'a HearText<'a>,
    ) -> BoxFuture<'a, ModelReply> {
        drop(live);
        let odd = async move {
            if self.odd.is_quiet {
                return ModelReply { fault: Some(FallbackReason::CircuitOpen), ..ModelReply::default() };
            }
            let (reply, delay) = self.odd.reply();
            self.odd.sea.wait(delay).await;
            reply
        };
        self.journal.exchange(request, odd.boxed(), hear)
    }
}
