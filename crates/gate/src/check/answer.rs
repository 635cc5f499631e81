//! Checks of an opinion that says: go on.

use crate::brief::BriefOption;
use crate::opinion::{Opinion, Verdict};
use crate::standing::{Unclear, is_material, is_one_or_whole};

use super::{Case, Note};

/// An answer says with which option, and that option is one of those that it finds viable.
#[must_use]
pub fn valid_recommendation(opinion: &Opinion, case: &Case<'_>) -> Option<Note> {
    let is_named = opinion.recommended.as_ref().is_some_and(|id| {
        case.brief.option(id).is_some() && (opinion.options.is_empty() || opinion.options.contains(id))
    });
    (opinion.verdict == Verdict::Answer && !is_named).then_some(Note::NoRecommendation)
}

/// An answer is made with an option that is grounded.
#[must_use]
pub fn recommends_grounded(opinion: &Opinion, case: &Case<'_>) -> Option<Note> {
    let option = answered(opinion, case)?;
    let is_grounded = option.grounding >= case.brief.policy.grounding_min && case.brief.unavailable.is_none();
    (!is_grounded).then(|| Note::UngroundedAnswer(option.id.clone()))
}

/// A method for one named thing answers a question that names one, or gives it in other words.
#[must_use]
pub fn targets_named(opinion: &Opinion, case: &Case<'_>) -> Option<Note> {
    let option = answered(opinion, case)?;
    let is_aimless = option.effect.profile.requires_named_entity
        && !case.brief.names_target
        && option.said.is_empty()
        && !option.open.is_empty();
    is_aimless.then(|| Note::NoNamedTarget(option.id.clone()))
}

/// Where the question leaves open whether it is about one thing or about the whole, there is no answer.
#[must_use]
pub fn one_scope(opinion: &Opinion, case: &Case<'_>) -> Option<Note> {
    answered(opinion, case)?;
    if case.standing.unclear != Some(Unclear::Scope) {
        return None;
    }
    let (best, others) = case.standing.alternatives.split_first()?;
    let other = others.iter().find(|option| is_one_or_whole(best, option, &case.brief.policy))?;
    let (part, whole) =
        if best.effect.profile.scope > other.effect.profile.scope { (best, other) } else { (other, best) };
    Some(Note::UnresolvedScope { part: part.id.clone(), whole: whole.id.clone() })
}

/// Where options are left that would do different things, there is no answer; nor where words alone tell near ones apart.
#[must_use]
pub fn nothing_left_open(opinion: &Opinion, case: &Case<'_>) -> Option<Note> {
    answered(opinion, case)?;
    let standing = &case.standing;
    let best = standing.viable.first().map_or(0.0, |option| option.points);
    let is_near = |option: &&BriefOption| best - option.points < case.brief.policy.dominance_points;
    let near: Vec<&BriefOption> = standing.by_any_words.iter().copied().filter(is_near).collect();
    let left = if near.len() > 1 { &near } else { &standing.alternatives };
    (left.len() > 1).then(|| Note::SeveralViable(left.iter().map(|option| option.id.clone()).collect()))
}

/// Where the question itself takes a viable option out of the choice, the answer is not made with it.
#[must_use]
pub fn follows_the_question(opinion: &Opinion, case: &Case<'_>) -> Option<Note> {
    let option = answered(opinion, case)?;
    let standing = &case.standing;
    let is_viable = standing.viable.iter().any(|viable| viable.id == option.id);
    let meant = standing.recommended().filter(|_| is_viable && !standing.is_complementary)?;
    let differs = standing.alternatives.iter().all(|left| is_material(left, option, &case.brief.policy));
    differs.then(|| Note::RuledOut { option: option.id.clone(), meant: meant.id.clone() })
}

/// An answer lacks no value that only the caller can give.
#[must_use]
pub fn no_value_missing(opinion: &Opinion, case: &Case<'_>) -> Option<Note> {
    let option = answered(opinion, case)?;
    let open = option.asks_for(&case.brief.policy)?;
    Some(Note::MissingValue { option: option.id.clone(), argument: open.name.clone() })
}

fn answered<'b>(opinion: &Opinion, case: &Case<'b>) -> Option<&'b BriefOption> {
    let id = opinion.recommended.as_ref().filter(|_| opinion.verdict == Verdict::Answer)?;
    case.brief.option(id)
}
