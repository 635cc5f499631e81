//! The deterministic checks: each looks at results in one respect, and says what may help.

use domain::Position;
use policy::{MarketKind, Pages};
use reading::Reading;
use reading::form::FormKind;
use serde_json::Value;

use super::gaps;
use crate::execute::Executed;

/// What a check found.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Finding {
    /// What it found, a sentence.
    pub(super) detail: String,
    /// What may help.
    pub(super) remedy: Remedy,
}

/// What may help.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Remedy {
    /// The same calls once more.
    Retry(Vec<Position>),
    /// Another program for the same methods.
    Rewrite,
    /// The further pages.
    ReadOn,
    /// A wider window.
    Widen,
    /// The evidence that is lacking.
    Gather,
    /// Other methods.
    OtherMethods,
    /// Nothing: it is told.
    Disclose,
}

/// What the results are held against.
#[derive(Clone, Copy)]
pub(super) struct Held<'a> {
    pub(super) question: &'a str,
    pub(super) reading: &'a Reading,
    pub(super) executed: &'a Executed,
    pub(super) pages: &'a Pages,
}

/// Everything that the checks find, in their order.
pub(super) fn of(held: Held<'_>) -> Vec<Finding> {
    let mut findings = failed_calls(held);
    findings.extend(broken_program(held));
    findings.extend(empty_result(held));
    if held.executed.delivered().next().is_some() {
        findings.extend(null_measure(held));
        findings.extend(entities(held));
        findings.extend(parts(held));
        findings.extend(pages_left(held));
    }
    findings
}

fn failed_calls(held: Held<'_>) -> Vec<Finding> {
    let gaps = gaps::faults(held.executed)
        .into_iter()
        .map(|gap| Finding { detail: gap.detail, remedy: Remedy::Disclose });
    let mut findings: Vec<Finding> = gaps.collect();
    let passing = held.executed.faults().filter(|(_, fault)| fault.kind.may_pass());
    let positions: Vec<Position> = passing.map(|(record, _)| record.call().position.clone()).collect();
    let is_broken = held.executed.fault.is_some();
    if let Some(first) = findings.first_mut() {
        if !positions.is_empty() {
            first.remedy = Remedy::Retry(positions);
        } else if is_broken && held.executed.faults().any(|(_, fault)| fault.kind.is_of_the_call()) {
            first.remedy = Remedy::Rewrite;
        }
    }
    findings
}

/// A program that ended for a fault of its own.
fn broken_program(held: Held<'_>) -> Option<Finding> {
    let fault = held.executed.fault.as_ref()?;
    held.executed
        .faults()
        .next()
        .is_none()
        .then(|| Finding { detail: format!("The program stopped: {fault}."), remedy: Remedy::Rewrite })
}

fn empty_result(held: Held<'_>) -> Option<Finding> {
    let executed = held.executed;
    if executed.fault.is_some() || executed.delivered().next().is_none() || !gaps::is_empty(&executed.value) {
        return None;
    }
    let remedy = if held.reading.window.is_none() { Remedy::Widen } else { Remedy::OtherMethods };
    let detail = "The tools answered, but with nothing in it.".to_owned();
    Some(Finding { detail, remedy })
}

fn null_measure(held: Held<'_>) -> Option<Finding> {
    let gap = gaps::missing_measure(held.executed, held.reading)?;
    Some(Finding { detail: gap.detail, remedy: Remedy::Disclose })
}

fn entities(held: Held<'_>) -> Vec<Finding> {
    let gaps = gaps::uncovered_entities(held.executed, held.reading).into_iter();
    gaps.map(|gap| Finding { detail: gap.detail, remedy: Remedy::Disclose }).collect()
}

/// The parts of the question whose place in the value holds nothing.
fn parts(held: Held<'_>) -> Vec<Finding> {
    let gaps = gaps::uncovered_parts(held.executed, held.reading).into_iter();
    gaps.map(|gap| Finding { detail: gap.detail, remedy: Remedy::Disclose }).collect()
}

fn pages_left(held: Held<'_>) -> Option<Finding> {
    let (record, _) = held.executed.whole()?;
    let value = &record.reply().as_ref().ok()?.value;
    let wants_all = gaps::has_more(value, held.pages) && wants_the_whole(held, value);
    wants_all.then(|| Finding {
        detail: "The question is about the whole, and only its first page was read.".to_owned(),
        remedy: Remedy::ReadOn,
    })
}

/// What a question about flows asks for and no result gives.
pub(super) fn evidence_lacking(missing: &[MarketKind]) -> Option<Finding> {
    let words: Vec<String> = missing.iter().map(|kind| kind.word().replace('_', " ")).collect();
    (!words.is_empty())
        .then(|| Finding { detail: format!("Nothing gives {}.", words.join(", ")), remedy: Remedy::Gather })
}

/// Whether the question is about all of a collection, and not about whatever stands on its first page.
fn wants_the_whole(held: Held<'_>, value: &Value) -> bool {
    let form = &held.reading.form;
    let listed = value.as_object().and_then(|object| object.values().find_map(Value::as_array));
    let listed = listed.map_or(0, Vec::len);
    let says_all = || {
        let words = reading::words::words(held.question);
        words.iter().any(|word| matches!(word.lower.as_str(), "all" | "every" | "each" | "whole" | "entire"))
    };
    let is_short = held.reading.limit.is_some_and(|limit| limit > listed);
    let counts = form.kind == FormKind::Count && !has_a_total(value);
    is_short || counts || held.reading.order.is_some() || (form.kind == FormKind::List && says_all())
}

/// Whether a result says itself how many there are.
fn has_a_total(value: &Value) -> bool {
    let says = |(key, value): (&String, &Value)| {
        let terms = reading::words::identifier_words(key);
        value.is_u64() && terms.iter().any(|term| matches!(term.as_str(), "total" | "count"))
    };
    value.as_object().is_some_and(|object| object.iter().any(says))
}
