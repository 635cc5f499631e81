//! The planner's brief as the values of its prompt.

use std::fmt::Write;

use domain::{Candidate, Served, Turn};
use policy::{PromptLimits, Template};

use super::{Values, fill, items, signature};
use crate::PlanBrief;
use crate::fence::cut;
use crate::model::RefusedProgram;

/// The values of the planner's prompt.
pub(crate) fn plan(brief: &PlanBrief, limits: &PromptLimits) -> Values {
    let methods = |candidates: &[Candidate]| items(candidates.iter().map(method), limits);
    let named = |method: &domain::MethodRef| {
        brief.candidate(method).map_or_else(|| method.method.to_string(), Candidate::call_name)
    };
    let unserved = brief.asked.iter().filter(|asked| asked.served == Served::No);
    let avoid = brief.avoid.iter().map(|(method, why)| format!("{}: {why}", named(method)));
    Values::from([
        ("now", brief.now.to_string()),
        ("calls_max", brief.limits.calls_max.to_string()),
        ("fan_out_max", brief.limits.fan_out_max.to_string()),
        ("chosen", brief.chosen.as_ref().map_or_else(|| "(none was chosen)".to_owned(), named)),
        ("unserved", items(unserved.map(|asked| asked.question.clone()), limits)),
        ("question", cut(&brief.question, limits.item_chars_max)),
        ("history", items(brief.history.iter().map(Turn::told), limits)),
        ("methods", methods(&brief.candidates)),
        ("helpers", methods(&brief.helpers)),
        ("avoid", items(avoid, limits)),
    ])
}

/// What follows a program that was refused.
pub(crate) fn refused(template: &Template, refused: &RefusedProgram, limits: &PromptLimits) -> String {
    let values = Values::from([
        ("source", cut(&numbered(&refused.source), limits.item_chars_max)),
        ("notes", items(refused.notes.iter().cloned(), limits)),
    ]);
    fill(template, &values)
}

/// The lines with the numbers that the notes name.
fn numbered(source: &str) -> String {
    let lines = source.lines().enumerate().map(|(place, line)| format!("{:>3} {line}", place + 1));
    lines.collect::<Vec<_>>().join("\n")
}

fn method(candidate: &Candidate) -> String {
    let method = &candidate.method;
    let mut told = signature::of(&candidate.call_name(), method);
    let price = method.meta.execute_price.map(|price| format!("{price} USD a call, "));
    let _ = write!(told, "\n  {}{}", price.unwrap_or_default(), method.meta.latency.word());
    let description = method.description.split_whitespace().collect::<Vec<_>>().join(" ");
    if !description.is_empty() {
        let _ = write!(told, "\n  {description}");
    }
    told
}
