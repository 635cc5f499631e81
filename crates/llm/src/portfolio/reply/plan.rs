//! A planner's reply as a plan: mended, about a method that there is, tied to what the question wants to see.

use domain::{Asked, Candidate};
use fit::Knowledge;
use reading::{Part, Question, Reading};
use serde::Deserialize;
use serde_json::Value;

use crate::mend::mended;
use crate::report::FallbackReason;
use crate::{MissingArgument, PlanBrief, PlanReply, PlannedText};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Reply {
    outcome: Outcome,
    source: String,
    primary: Option<String>,
    dimension: Option<String>,
    measures: Vec<String>,
    assumptions: Vec<String>,
    missing: Vec<Missing>,
    reason: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Outcome {
    Program,
    Missing,
    NoMatch,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Missing {
    argument: String,
    why: String,
}

/// The plan of a reply.
pub(crate) fn plan(
    value: Value,
    brief: &PlanBrief,
    knowledge: &Knowledge,
) -> Result<PlanReply, FallbackReason> {
    let reply: Reply =
        serde_json::from_value(value).map_err(|error| FallbackReason::Unusable(error.to_string()))?;
    match reply.outcome {
        Outcome::Program => program(reply, brief, knowledge).map(PlanReply::Program),
        Outcome::Missing => missing(&reply, brief).map(PlanReply::Missing),
        Outcome::NoMatch if reply.reason.trim().is_empty() => Err(unusable("`reason` is empty")),
        Outcome::NoMatch => Ok(PlanReply::NoMatch { reason: reply.reason.trim().to_owned() }),
    }
}

fn program(reply: Reply, brief: &PlanBrief, knowledge: &Knowledge) -> Result<PlannedText, FallbackReason> {
    let primary = primary(&reply, brief)?;
    let name = primary.call_name();
    let source = mended(&reply.source).source;
    if source.trim().is_empty() {
        return Err(unusable("`source` is empty"));
    }
    if !source.contains(&name) {
        return Err(unusable(&format!("`source` does not call the primary method `{name}`")));
    }
    let question = Question::read(&brief.question, brief.now);
    let question = question.asked_of(&primary.listing);
    let reading = reading(&reply, &question, primary, knowledge);
    Ok(PlannedText {
        reading: Reading { parts: parts(&reading, brief, &source), ..reading },
        source,
        primary: primary.method_ref(),
        assumptions: reply.assumptions.into_iter().filter(|said| !said.trim().is_empty()).collect(),
    })
}

/// The method that the reply names: one that is listed, that has not failed, and that the gate settled on where it did.
fn primary<'a>(reply: &Reply, brief: &'a PlanBrief) -> Result<&'a Candidate, FallbackReason> {
    let name = reply.primary.as_deref().ok_or_else(|| unusable("`primary` is null"))?;
    let mut listed = brief.candidates.iter().chain(&brief.helpers);
    let found = listed
        .find(|candidate| candidate.call_name() == name)
        .ok_or_else(|| unusable("`primary` is no method that is listed"))?;
    let method = found.method_ref();
    if brief.avoid.iter().any(|(avoided, _)| *avoided == method) {
        return Err(unusable("`primary` is a method that failed before"));
    }
    match &brief.chosen {
        Some(chosen) if *chosen != method => Err(unusable("`primary` is not the method that was chosen")),
        Some(_) | None => Ok(found),
    }
}

fn reading(reply: &Reply, question: &Question, primary: &Candidate, knowledge: &Knowledge) -> Reading {
    let known = knowledge.of(&primary.method);
    let form = known.outline.in_own_words(&question.form);
    let is_known = |path: &&String| known.outline.leaves.iter().any(|leaf| leaf.path == **path);
    let wanted = known.outline.ranked_by(&form).unwrap_or(&form.measures);
    let mut measures: Vec<String> = reply.measures.iter().filter(is_known).cloned().collect();
    for measure in known.outline.measures(wanted, question) {
        if !measures.contains(&measure) {
            measures.push(measure);
        }
    }
    let dated = question.window_said().and_then(|moment| known.outline.dated(question, moment));
    Reading {
        order: known.outline.order(question, &measures),
        limit: form.limit,
        measures,
        dimensions: reply.dimension.iter().filter(|name| !name.trim().is_empty()).cloned().collect(),
        entities: form.entities.iter().map(|entity| entity.text.clone()).collect(),
        window: question.window().cloned(),
        dated: dated.map(|time| time.key.clone()),
        turned: known.outline.turned(&form).map(|time| time.key.clone()),
        form: Box::new(form),
        open: Vec::new(),
        parts: Vec::new(),
    }
}

/// The parts of a program that gives a result for each clause of the question.
fn parts(reading: &Reading, brief: &PlanBrief, source: &str) -> Vec<Part> {
    let things = brief.things();
    let part = |(place, thing): (usize, &Asked)| {
        let key = format!("part_{}", place + 1);
        let read = Question::read(&thing.question, brief.now);
        source.contains(&format!("{key}:")).then(|| Part {
            key,
            question: thing.question.clone(),
            reading: Reading {
                order: read.form.order,
                limit: read.form.limit,
                window: read.window().cloned(),
                form: Box::new(read.form),
                ..reading.clone()
            },
        })
    };
    let parts: Vec<Part> = things.iter().enumerate().filter_map(part).collect();
    if parts.len() == things.len() && parts.len() > 1 { parts } else { Vec::new() }
}

fn missing(reply: &Reply, brief: &PlanBrief) -> Result<Vec<MissingArgument>, FallbackReason> {
    let primary = primary(reply, brief)?;
    let properties = &primary.method.input_schema["properties"];
    let argument = |missing: &Missing| {
        let schema = properties
            .get(&missing.argument)
            .ok_or_else(|| unusable("`missing` names no argument of `primary`"))?;
        Ok(MissingArgument {
            method: primary.method_ref(),
            argument: missing.argument.clone(),
            description: schema["description"].as_str().unwrap_or_default().to_owned(),
            why: missing.why.trim().trim_end_matches('.').to_owned(),
        })
    };
    if reply.missing.is_empty() {
        return Err(unusable("`missing` is empty"));
    }
    reply.missing.iter().map(argument).collect()
}

fn unusable(what: &str) -> FallbackReason {
    FallbackReason::Unusable(what.to_owned())
}
