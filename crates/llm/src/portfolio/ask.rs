//! Asking a stage's models, one after the other, until one gives a reply that holds.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use backon::{ExponentialBuilder, Retryable};
use futures::future::{Either, select};
use futures::stream::FuturesUnordered;
use futures::{FutureExt, StreamExt};
use policy::{HostedModel, ModelStage, StageModels, Template};
use serde_json::Value;
use tokio::time::{Instant, sleep, timeout_at};

use super::aloud::Aloud;
use super::purse::Purse;
use super::recording::{Entry, Recording, most, usage};
use super::{Endpoint, Portfolio};
use crate::dialect::{Ask, Said, Turn};
use crate::endpoint::Refused;
use crate::exchange::{Exchanges, HearText, ModelReply, ModelRequest};
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
    /// Stands between the request and the endpoints; none where they are asked directly.
    pub(super) exchanges: Option<&'a dyn Exchanges>,
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
            if let Some(aloud) = call.aloud {
                aloud.take_back();
            }
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
            Some((model, endpoint)) => {
                let outcome = self.exchange(call, name, (model, endpoint), (turns, entry)).await;
                let fault = outcome.as_ref().err().map(|refused| &refused.reason);
                if fault != Some(&FallbackReason::CircuitOpen) {
                    endpoint.note(fault, Instant::now());
                }
                outcome
            }
            None => Err(Refused::of(FallbackReason::CircuitOpen)),
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
        name: &str,
        (model, endpoint): (&HostedModel, &Endpoint),
        (turns, entry): (&[Turn], Entry),
    ) -> Result<Said, Refused> {
        let settings = self.settings(call);
        let ask = Ask {
            system: &call.prompt.system,
            turns,
            schema: self.prompts.of(call.stage).reply_schema.as_ref(),
            output_tokens_max: settings.output_tokens_max,
            is_streamed: call.aloud.is_some(),
        };
        let prompt_chars = ask.chars();
        // The most that it can cost has to be there before it is asked.
        let most = most(model, prompt_chars, settings.output_tokens_max);
        if !call.purse.take(most) {
            return Err(Refused::of(FallbackReason::BudgetSpent));
        }
        call.recording.reckon(entry, usage(model, prompt_chars, &Said::default()));
        let hear = |text: &str| call.aloud.map_or(Ok(()), |aloud| aloud.hear(text));
        let body = endpoint.request(model, &ask);
        let reply = match call.exchanges {
            None => self.live(call, endpoint, (&body, ask.is_streamed), &hear).await,
            Some(exchanges) => {
                let request = ModelRequest { stage: call.stage, model: name, body: body.clone() };
                let live = self.live(call, endpoint, (&body, ask.is_streamed), &hear).boxed();
                exchanges.exchange(request, live, &hear).await
            }
        };
        let ModelReply { text, model: effective, input_tokens, output_tokens, stop, fault, .. } = reply;
        let said = Said { text, model: effective, input_tokens, output_tokens, stop };
        let spent = match &fault {
            Some(reason) if !reason.is_charged() => crate::Usage::default(),
            Some(_) | None => usage(model, prompt_chars, &said),
        };
        call.purse.give_back(most.saturating_sub(spent.cost));
        call.recording.end(entry, said.model.clone(), spent, reply.elapsed);
        if let Some(reason) = fault {
            return Err(Refused { reason, retry_after: reply.retry_after });
        }
        let said = said.whole().map_err(Refused::of)?;
        if said.text.chars().count() > settings.output_chars_max {
            return Err(Refused::of(FallbackReason::TooLong));
        }
        if let Some(aloud) = call.aloud {
            aloud.end().map_err(Refused::of)?;
        }
        Ok(said)
    }

    /// Asks the endpoint, where it is not left alone just now.
    async fn live(
        &self,
        call: &Call<'_>,
        endpoint: &Endpoint,
        (body, is_streamed): (&Value, bool),
        hear: &HearText<'_>,
    ) -> ModelReply {
        let began = Instant::now();
        if !endpoint.allows(began) {
            return ModelReply { fault: Some(FallbackReason::CircuitOpen), ..ModelReply::default() };
        }
        let patience = began + milliseconds(self.settings(call).attempt_timeout_ms);
        let late =
            if patience < call.deadline { FallbackReason::TimedOut } else { FallbackReason::DeadlinePassed };
        let mut said = Said::default();
        let pieces = Mutex::new(Vec::new());
        let heard = |text: &str| {
            pieces.lock().unwrap_or_else(PoisonError::into_inner).push(text.to_owned());
            hear(text)
        };
        let carried = call.exchanges.map(Exchanges::carried).unwrap_or_default();
        let request = (body, is_streamed, carried.as_slice());
        let exchange = endpoint.exchange(request, &mut said, &heard, &*self.clock);
        let ended = timeout_at(patience.min(call.deadline), exchange).await;
        let refused = ended.unwrap_or(Err(Refused::of(late))).err();
        ModelReply {
            text: said.text,
            pieces: pieces.into_inner().unwrap_or_else(PoisonError::into_inner),
            model: said.model,
            input_tokens: said.input_tokens,
            output_tokens: said.output_tokens,
            stop: said.stop,
            retry_after: refused.as_ref().and_then(|refused| refused.retry_after),
            fault: refused.map(|refused| refused.reason),
            // As finely as a recording keeps it, so that several add up to the same when it is replayed.
            elapsed: Duration::from_micros(u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX)),
        }
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
