//! What a question leaves open and the caller said before it: "and the forecast?" after "the weather in Tokyo".

use domain::{MethodRef, Speaker};
use fit::Knowledge;
use reading::bind;
use reading::{Question, words};
use serde_json::Value;

use super::{Planned, alone};
use crate::{MissingArgument, PlanBrief, PlanReply, PlannedText};

/// The program with what earlier turns told, the last ones first: of it what the method that fits the question takes, or else
/// all that one turn told, of the method that fits the question with it. None where the question stands on its own, or where
/// they do not give all that it leaves open.
pub(super) fn plan(brief: &PlanBrief, own: &Planned, knowledge: &Knowledge) -> Option<PlannedText> {
    match &own.reply {
        PlanReply::Missing(missing) => {
            let method = &missing.first()?.method;
            if names_in_vain(brief, (method, missing), knowledge) {
                return None;
            }
            taken_one_by_one(brief, (own, method), knowledge)
                .or_else(|| taken_together(brief, own, knowledge))
        }
        PlanReply::Program(text) if reading::points_back(&brief.question) => {
            taken_one_by_one(brief, (own, &text.primary), knowledge)
        }
        PlanReply::Program(_) | PlanReply::NoMatch { .. } => None,
    }
}

/// Whether the question itself names something for an argument of the method that does not take it: nothing that was said before is
/// meant then.
fn names_in_vain(
    brief: &PlanBrief,
    (method, missing): (&MethodRef, &[MissingArgument]),
    knowledge: &Knowledge,
) -> bool {
    let Some(candidate) = brief.candidate(method) else { return false };
    let parameters = &knowledge.of(&candidate.method).parameters;
    let question = Question::read(&brief.question, brief.now);
    let own = bind::bind(&question, parameters);
    missing.iter().any(|it| own.named_in_vain(&question, parameters, &it.argument).is_some())
}

/// The program of a method with what it takes of the earlier turns.
fn taken_one_by_one(
    brief: &PlanBrief,
    (own, method): (&Planned, &MethodRef),
    knowledge: &Knowledge,
) -> Option<PlannedText> {
    let known = knowledge.of(&brief.candidate(method)?.method);
    let (mut best, mut taken): (Option<Planned>, Vec<String>) = (None, Vec::new());
    for turn in turns(brief) {
        let phrases = reading::told_by(turn, Some(&known.parameters), brief.now);
        let mut is_taken = vec![false; phrases.len()];
        let said = |is_said: &dyn Fn(usize) -> bool| -> Vec<String> {
            let of_turn = phrases.iter().enumerate().filter(|(place, _)| is_said(*place));
            taken.iter().chain(of_turn.map(|(_, phrase)| phrase)).cloned().collect()
        };
        // One phrase may only say something beside another: the "100" of "100 USD".
        while let Some((place, more)) =
            (0..phrases.len()).filter(|place| !is_taken[*place]).find_map(|place| {
                let phrases = said(&|other| other == place || is_taken[other]);
                let more = alone(&with(brief, &phrases, Some(method)), knowledge);
                (tells_more(&more, best.as_ref().unwrap_or(own)) && keeps(&more, own))
                    .then_some((place, more))
            })
        {
            is_taken[place] = true;
            best = Some(more);
        }
        taken = said(&|place| is_taken[place]);
        if best.as_ref().is_some_and(Planned::is_whole) && !reading::points_back(&brief.question) {
            break;
        }
    }
    disclosed(best?.reply, &taken)
}

/// The program with all that one of the earlier turns named.
fn taken_together(brief: &PlanBrief, own: &Planned, knowledge: &Knowledge) -> Option<PlannedText> {
    turns(brief).find_map(|turn| {
        let named = reading::told_by(turn, None, brief.now);
        let more = || alone(&with(brief, &named, brief.chosen.as_ref()), knowledge);
        let more = (!named.is_empty()).then(more).filter(|more| keeps(more, own))?;
        disclosed(more.reply, &named)
    })
}

/// The earlier turns of the caller, the last one first.
fn turns(brief: &PlanBrief) -> impl Iterator<Item = &str> {
    let said = brief.history.iter().rev().filter(|turn| turn.speaker == Speaker::User);
    said.map(|turn| turn.text.as_str()).take(brief.limits.turns_max)
}

/// The question with some phrases behind it.
fn with(brief: &PlanBrief, phrases: &[String], method: Option<&MethodRef>) -> PlanBrief {
    let asked = words::unended(&brief.question);
    let question = format!("{asked} {}", phrases.join(" "));
    PlanBrief { question, chosen: method.cloned(), ..brief.clone() }
}

/// A program that says what it took from earlier turns.
fn disclosed(reply: PlanReply, taken: &[String]) -> Option<PlannedText> {
    let PlanReply::Program(mut text) = reply else { return None };
    let phrases: Vec<String> = taken.iter().map(|phrase| format!("\"{phrase}\"")).collect();
    let are = if taken.len() == 1 { "is" } else { "are" };
    text.assumptions.push(format!("{} {are} taken from what was asked before", phrases.join(", ")));
    Some(text)
}

/// Whether a reply with what was said before still takes all that the question itself gives to the same method.
fn keeps(more: &Planned, own: &Planned) -> bool {
    let is_taken = |value: &Value| more.said.values().any(|other| other == value);
    more.method() != own.method() || own.said.values().all(is_taken)
}

/// Whether one reply has more of what the question leaves open than another, or as much and is told more.
fn tells_more(one: &Planned, other: &Planned) -> bool {
    match (&one.reply, &other.reply) {
        (PlanReply::Program(_), PlanReply::Missing(_)) => true,
        (PlanReply::Missing(lacking), PlanReply::Missing(more)) => {
            (more.len(), one.said.len()) > (lacking.len(), other.said.len())
        }
        (PlanReply::Program(_), PlanReply::Program(_)) => one.said.len() > other.said.len(),
        (_, _) => false,
    }
}
