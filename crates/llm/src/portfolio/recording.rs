//! The record of one stage's requests. It reaches its session however the stage ends, also when nobody waits any more.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use domain::Usd;
use policy::{EMBEDDED, HostedModel, ModelStage};

use crate::dialect::Said;
use crate::report::{Attempt, FallbackReason, StageReport, Usage};

/// The record of one stage, under way.
pub(super) struct Recording<'a> {
    sink: &'a Mutex<Vec<StageReport>>,
    report: Mutex<StageReport>,
}

/// Where an attempt stands in the record.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry(usize);

impl<'a> Recording<'a> {
    /// A record that says that the embedded portfolio answered, until a model does.
    pub(super) fn new(
        sink: &'a Mutex<Vec<StageReport>>,
        stage: ModelStage,
        first: &str,
        named: Option<&str>,
    ) -> Self {
        Self {
            sink,
            report: Mutex::new(StageReport {
                stage,
                named: named.map(str::to_owned),
                first: first.to_owned(),
                answered_by: EMBEDDED.to_owned(),
                fallback: None,
                attempts: Vec::new(),
            }),
        }
    }

    /// An attempt begins; until it ends, it counts as given up.
    pub(super) fn begin(&self, model: &str) -> Entry {
        let mut report = self.report();
        report.attempts.push(Attempt {
            model: model.to_owned(),
            effective_model: None,
            usage: Usage::default(),
            elapsed: Duration::ZERO,
            fault: Some(FallbackReason::GivenUp),
        });
        Entry(report.attempts.len() - 1)
    }

    /// What an attempt is taken to spend as long as nothing is heard of it.
    pub(super) fn reckon(&self, entry: Entry, usage: Usage) {
        if let Some(attempt) = self.report().attempts.get_mut(entry.0) {
            attempt.usage = usage;
        }
    }

    /// An attempt is over.
    pub(super) fn end(&self, entry: Entry, effective: Option<String>, usage: Usage, elapsed: Duration) {
        if let Some(attempt) = self.report().attempts.get_mut(entry.0) {
            attempt.effective_model = effective;
            attempt.usage = usage;
            attempt.elapsed = elapsed;
            attempt.fault = None;
        }
    }

    /// An attempt's reply is not taken.
    pub(super) fn fault(&self, entry: Entry, reason: &FallbackReason) {
        if let Some(attempt) = self.report().attempts.get_mut(entry.0) {
            attempt.fault = Some(reason.clone());
        }
    }

    /// A model is done without, for this reason.
    pub(super) fn done_without(&self, model: &str, reason: &FallbackReason) {
        let mut report = self.report();
        if report.first == model {
            report.fallback = Some(reason.clone());
        }
    }

    /// A model answered.
    pub(super) fn answered(&self, model: &str) {
        let mut report = self.report();
        model.clone_into(&mut report.answered_by);
        if report.first == model {
            report.fallback = None;
        } else if report.fallback.is_none() {
            report.fallback = Some(FallbackReason::GivenUp);
        }
    }

    /// The stage's time is over; what the first model did wrong before is the better reason.
    pub(super) fn late(&self) {
        self.report().fallback.get_or_insert(FallbackReason::DeadlinePassed);
    }

    fn report(&self) -> MutexGuard<'_, StageReport> {
        self.report.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Recording<'_> {
    fn drop(&mut self) {
        let mut report = self.report().clone();
        if report.answered_by == EMBEDDED {
            report.fallback.get_or_insert(FallbackReason::GivenUp);
        }
        self.sink.lock().unwrap_or_else(PoisonError::into_inner).push(report);
    }
}

/// What a reply spent: by the endpoint's count, else by its characters.
pub(super) fn usage(model: &HostedModel, prompt_chars: usize, said: &Said) -> Usage {
    let input_tokens = said.input_tokens.unwrap_or_else(|| reckoned(prompt_chars));
    let output_tokens = said.output_tokens.unwrap_or_else(|| reckoned(said.text.chars().count()));
    Usage {
        input_tokens,
        output_tokens,
        cost: model.cost(input_tokens, output_tokens),
        is_estimated: said.input_tokens.is_none() || said.output_tokens.is_none(),
    }
}

/// The most that a request can cost.
pub(super) fn most(model: &HostedModel, prompt_chars: usize, output_tokens_max: u32) -> Usd {
    model.cost(reckoned(prompt_chars), u64::from(output_tokens_max.min(model.output_tokens_max)))
}

/// Tokens of so many characters, rather too many than too few.
fn reckoned(chars: usize) -> u64 {
    u64::try_from(chars.div_ceil(CHARS_PER_TOKEN)).unwrap_or(u64::MAX)
}

const CHARS_PER_TOKEN: usize = 3;
