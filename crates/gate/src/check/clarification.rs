//! Checks of an opinion that says: ask.

use crate::brief::{Brief, BriefOption};
use crate::opinion::{Opinion, Verdict};
use crate::standing;

use super::{Case, Note};

/// A question back gives two or three grounded options, the recommended one among them; or one of which a value is missing.
#[must_use]
pub fn options_of_a_choice(opinion: &Opinion, case: &Case<'_>) -> Option<Note> {
    if opinion.verdict != Verdict::Clarify {
        return None;
    }
    let policy = &case.brief.policy;
    let options = options(opinion, case.brief);
    let is_recommended = opinion.recommended.as_ref().is_some_and(|id| opinion.options.contains(id));
    let is_grounded = options.iter().all(|option| option.grounding >= policy.near_min);
    let is_choice = match options.as_slice() {
        [] => false,
        [only] => only.asks_for(policy).is_some(),
        several => several.len() <= policy.options_max,
    };
    let is_whole = options.len() == opinion.options.len() && case.brief.unavailable.is_none();
    let holds = is_choice && is_recommended && is_grounded && is_whole;
    (!holds).then_some(Note::NoChoice { given: opinion.options.len(), most: policy.options_max })
}

/// Each two of its options would do different things.
#[must_use]
pub fn options_differ(opinion: &Opinion, case: &Case<'_>) -> Option<Note> {
    if opinion.verdict != Verdict::Clarify {
        return None;
    }
    let options = options(opinion, case.brief);
    let mut pairs = options
        .iter()
        .enumerate()
        .flat_map(|(at, one)| options[at + 1..].iter().map(move |other| (*one, *other)));
    let same = pairs.find(|(one, other)| !standing::is_material(one, other, &case.brief.policy));
    same.map(|(one, other)| Note::SameEffect(one.id.clone(), other.id.clone()))
}

/// It does not ask where one option serves all that is asked, unless that one lacks a value.
#[must_use]
pub fn composite_is_heard(opinion: &Opinion, case: &Case<'_>) -> Option<Note> {
    let composite = case.standing.composite.filter(|_| opinion.verdict == Verdict::Clarify)?;
    let is_settled = case.standing.alternatives.len() == 1 && case.standing.unclear.is_none();
    (is_settled && opinion.options.len() > 1).then(|| Note::IgnoredComposite(composite.id.clone()))
}

/// It does not ask between options that the question wants together.
#[must_use]
pub fn clauses_are_no_choice(opinion: &Opinion, case: &Case<'_>) -> Option<Note> {
    let is_choice = opinion.verdict == Verdict::Clarify && opinion.options.len() > 1;
    (is_choice && case.standing.is_complementary).then_some(Note::ComplementaryClauses)
}

fn options<'b>(opinion: &Opinion, brief: &'b Brief) -> Vec<&'b BriefOption> {
    opinion.options.iter().take(brief.options.len()).filter_map(|id| brief.option(id)).collect()
}
