//! A clarification: one question back, with options that would do different things.

mod followup;
mod label;
mod plain;
mod question;

use domain::MethodRef;
use probe::Open;

pub(crate) use label::labels;
pub(crate) use plain::plain;

use crate::brief::{Brief, BriefOption};
use crate::decision::Decision;
use crate::opinion::OptionId;
use crate::standing;
use crate::token::Stake;

/// The clarification of an ambiguous question.
#[derive(Debug)]
pub struct Card {
    /// What is unclear, with all that is needed to answer it.
    pub question: String,
    /// What it could mean, the recommended one first: two or three, or one where a value is missing.
    pub options: Vec<CardOption>,
    /// Whether an answer in own words makes sense.
    pub allows_freeform: bool,
    /// The question that was asked.
    pub original: String,
    /// What the tokens of its options are bound to.
    pub stake: Stake,
}

/// One thing that the question could mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardOption {
    /// Its name.
    pub id: OptionId,
    /// What it would call.
    pub method: MethodRef,
    /// The listing's name.
    pub listing_name: String,
    /// What it would do and for which entity, in plain language.
    pub label: String,
    /// More of the same.
    pub description: String,
    /// How well it fits, in whole points.
    pub fit_score: i64,
    /// Where a value rather than a method is missing: how to ask for it.
    pub followup: Option<String>,
}

impl Card {
    /// The option to take where nobody can be asked: the first.
    #[must_use]
    pub fn recommended(&self) -> Option<&CardOption> {
        self.options.first()
    }
}

/// The card of a decision to ask.
pub(crate) fn of(brief: &Brief, decision: &Decision, stake: Stake) -> Card {
    let options = options(brief, decision);
    Card {
        question: question::of(brief, decision, &options),
        allows_freeform: options.iter().any(|option| option.followup.is_some()),
        options,
        original: brief.original.clone(),
        stake,
    }
}

fn options(brief: &Brief, decision: &Decision) -> Vec<CardOption> {
    let is_only = decision.options.len() == 1;
    let labelled = labels(brief, &decision.options).into_iter();
    labelled.filter_map(|(id, label)| Some(option(brief, brief.option(&id)?, (label, is_only)))).collect()
}

fn option(brief: &Brief, option: &BriefOption, (label, is_only): (String, bool)) -> CardOption {
    #[expect(clippy::cast_possible_truncation, reason = "points run from 0 to 100")]
    let fit_score = option.points.round() as i64;
    CardOption {
        id: option.id.clone(),
        method: option.effect.method.clone(),
        listing_name: option.listing_name.clone(),
        description: label::description(option, &brief.policy),
        label,
        fit_score,
        followup: lacking(brief, option, is_only).map(|open| followup::of(open, &option.open_values)),
    }
}

/// The value to ask for: what only the caller can give, or, where there is nothing else to ask, what stays open. So it is of one
/// part, of which picking the option would not say which.
fn lacking<'b>(brief: &Brief, option: &'b BriefOption, is_only: bool) -> Option<&'b Open> {
    let is_needed = is_only || standing::leaves_part_open(brief, option);
    option.asks_for(&brief.policy).or_else(|| option.open.first().filter(|_| is_needed))
}

#[cfg(test)]
mod tests;
