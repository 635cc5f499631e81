//! Asking a stage's models, one after the other, until one gives a reply that holds.

use std::time::Duration;

use backon::{ExponentialBuilder, Retryable};
use futures::StreamExt;
use futures::future::{Either, select};
use futures::stream::FuturesUnordered;
use policy::{HostedModel, ModelStage, StageModels, Template};
use serde_json::Value;
use tokio::time::{Instant, sleep, timeout_at};

use super::aloud::Aloud;
use super::purse::Purse;
use super::recording::{Entry, Recording, most, usage};
use super::{Endpoint, Portfolio};
use crate::dialect::{Ask, Said, Turn};
use crate::endpoint::Refused;
use crate::fence::cut;
use crate::prompt::{self, Filled, Values};
use crate::report::FallbackReason;

/// What one stage asks.
pub(super) struct Call<'a> {
    pub(super) stage: ModelStage,
    pub(super) chain: Vec<&'a str>,
    pub(super) prompt: Filled,
    /// What follows the brief: a program that was refused.
    pub(super) more: Option<String>,
    /// Hears the reply as it comes; none for a reply that counts as a whole.
    pub(super) aloud: Option<&'a Aloud<'a>>,
    pub(super) purse: &'a Purse,
    pub(super) recording: Recording<'a>,
    /// When the stage's time is over.
    pub(super) deadline: Instant,
}

/// Takes a reply's text for what it says, or says why it cannot.
pub(super) type Read<'a, T> = dyn Fn(&str) -> Result<T, FallbackReason> + Send + Sync + 'a;

impl Portfolio {
    /// The first reply that holds, within the stage's time; none where no model gives one.
    pub(super) async fn first_good<T: Send>(&self, call: &Call<'_>, read: &Read<'_, T>) -> Option<T> {
        let reply = timeout_at(call.deadline, self.down_the_chain(call, read)).await;
        if reply.is_err() {
            call.recording.late();
        }
        let reply = reply.ok().flatten();
        if reply.is_none()
            && let Some(aloud) = call.aloud
        {
            aloud.take_back();
        }
        reply
    }

    /// Asks each model once the one before has failed or, where the policy hedges, has taken too long.
    async fn down_the_chain<T: Send>(&self, call: &Call<'_>, read: &Read<'_, T>) -> Option<T> {
        let hedge = self.settings(call).hedge_ms.filter(|_| call.aloud.is_none()).map(milliseconds);
        let mut waiting = call.chain.iter();
        let mut asked = FuturesUnordered::new();
        loop {
            if asked.is_empty() {
                asked.push(self.ask_model(call, waiting.next()?, read));
            }
            let ended = match hedge.filter(|_| waiting.len() > 0) {
                None => asked.next().await,
                Some(after) => match select(asked.next(), Box::pin(sleep(after))).await {
                    Either::Left((ended, _)) => ended,
                    Either::Right(((), _)) => {
                        if let Some(model) = waiting.next() {
                            asked.push(self.ask_model(call, model, read));
                        }
                        continue;
                    }
                },
            };
            if let Some(Some(reply)) = ended {
                return Some(reply);
            }
        }
    }

    /// One model's reply, asked for again where it does not hold.
    async fn ask_model<T: Send>(&self, call: &Call<'_>, name: &str, read: &Read<'_, T>) -> Option<T> {
        let mut turns = vec![Turn::User(match &call.more {
            Some(more) => format!("{}\n\n{more}", call.prompt.user),
            None => call.prompt.user.clone(),
        })];
        let mut reasks_left = self.settings(call).reasks_max;
        loop {
            let (said, entry) = match self.with_retries(call, name, &turns).await {
                Ok(heard) => heard,
                Err(refused) => {
                    call.recording.done_without(name, &refused.reason);
                    return None;
                }
            };
            let reason = match read(&said.text) {
                Ok(reply) => {
                    call.recording.answered(name);
                    return Some(reply);
                }
                Err(reason) => reason,
            };
            call.recording.fault(entry, &reason);
            call.recording.done_without(name, &reason);
            let again = self.prompts.of(call.stage).again.as_ref();
            let again = again.filter(|_| reasks_left > 0 && reason.is_mendable())?;
            reasks_left -= 1;
            turns.push(Turn::Model(cut(&said.text, self.models.prompt.item_chars_max)));
            turns.push(Turn::User(self.told_again(again, &reason)));
        }
    }

    fn told_again(&self, again: &Template, reason: &FallbackReason) -> String {
        let fault = cut(&reason.to_string(), self.models.prompt.item_chars_max);
        prompt::fill(again, &Values::from([("fault", fault)]))
    }

    /// One reply; requests that were refused for load or failed on the other side are repeated after a while.
    async fn with_retries(
        &self,
        call: &Call<'_>,
        name: &str,
        turns: &[Turn],
    ) -> Result<(Said, Entry), Refused> {
        let retries = &self.models.retries;
        let delays = ExponentialBuilder::default()
            .with_min_delay(milliseconds(retries.first_ms))
            .with_max_delay(milliseconds(retries.last_ms))
            .with_max_times(self.settings(call).retries_max)
            .with_jitter();
        let attempt = || self.attempt(call, name, turns);
        attempt
            .retry(delays)
            .sleep(sleep)
            .when(|refused: &Refused| refused.reason.is_passing())
            .adjust(|refused: &Refused, delay| {
                let wait = delay?.max(refused.retry_after.unwrap_or_default());
                // There is no sense in waiting for what comes too late.
                (Instant::now() + wait < call.deadline).then_some(wait)
            })
            .await
    }

    /// One request.
    async fn attempt(&self, call: &Call<'_>, name: &str, turns: &[Turn]) -> Result<(Said, Entry), Refused> {
        let entry = call.recording.begin(name);
        let outcome = match self.found(name) {
            Some((model, endpoint)) if endpoint.allows(Instant::now()) => {
                let outcome = self.exchange(call, (model, endpoint), turns, entry).await;
                endpoint.note(outcome.as_ref().err().map(|refused| &refused.reason), Instant::now());
                outcome
            }
            Some(_) | None => Err(Refused::of(FallbackReason::CircuitOpen)),
        };
        if let Err(refused) = &outcome {
            call.recording.fault(entry, &refused.reason);
            if let Some(aloud) = call.aloud {
                aloud.take_back();
            }
        }
        outcome.map(|said| (said, entry))
    }

    async fn exchange(
        &self,
        call: &Call<'_>,
        (model, endpoint): (&HostedModel, &Endpoint),
        turns: &[Turn],
        entry: Entry,
    ) -> Result<Said, Refused> {
        let settings = self.settings(call);
        let schema: Option<&Value> = self.prompts.of(call.stage).reply_schema.as_ref();
        let ask = Ask {
            system: &call.prompt.system,
            turns,
            schema,
            output_tokens_max: settings.output_tokens_max,
            is_streamed: call.aloud.is_some(),
        };
        let prompt_chars = ask.chars();
        // The most that it can cost has to be there before it is asked.
        let most = most(model, prompt_chars, settings.output_tokens_max);
        if !call.purse.take(most) {
            return Err(Refused::of(FallbackReason::BudgetSpent));
        }
        let began = Instant::now();
        call.recording.reckon(entry, usage(model, prompt_chars, &Said::default()));
        let hear = |text: &str| call.aloud.map_or(Ok(()), |aloud| aloud.hear(text));
        let mut said = Said::default();
        let exchange = endpoint.exchange(model, &ask, &mut said, &hear, &*self.clock);
        let patience = began + milliseconds(settings.attempt_timeout_ms);
        let late =
            if patience < call.deadline { FallbackReason::TimedOut } else { FallbackReason::DeadlinePassed };
        let ended = timeout_at(patience.min(call.deadline), exchange).await;
        let ended = ended.unwrap_or(Err(Refused::of(late)));
        let spent = match &ended {
            Err(refused) if !refused.reason.is_charged() => crate::Usage::default(),
            Ok(()) | Err(_) => usage(model, prompt_chars, &said),
        };
        call.purse.give_back(most.saturating_sub(spent.cost));
        call.recording.end(entry, said.model.clone(), spent, began.elapsed());
        ended?;
        let said = said.whole().map_err(Refused::of)?;
        if said.text.chars().count() > settings.output_chars_max {
            return Err(Refused::of(FallbackReason::TooLong));
        }
        if let Some(aloud) = call.aloud {
            aloud.end().map_err(Refused::of)?;
        }
        Ok(said)
    }

    fn found(&self, name: &str) -> Option<(&HostedModel, &Endpoint)> {
        let model = self.models.models.get(name)?;
        Some((model, self.endpoints.get(&model.endpoint)?))
    }

    fn settings(&self, call: &Call<'_>) -> &StageModels {
        self.models.stage(call.stage)
    }
}

pub(super) fn milliseconds(count: u64) -> Duration {
    Duration::from_millis(count)
}
