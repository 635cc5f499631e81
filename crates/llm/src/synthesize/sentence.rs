//! The direct first sentence, in the question's own words where its form allows.

use domain::{Fact, View, ViewKind};
use reading::form::{FormKind, Order};
use reading::words;
use serde_json::Value;

use super::{figure, layout};
use crate::SynthesisBrief;

/// The first sentence, and the fact that it says, where it says one.
pub(super) struct Lead {
    pub(super) text: String,
    pub(super) fact: Option<usize>,
}

pub(super) fn lead(brief: &SynthesisBrief<'_>) -> Option<Lead> {
    let view = &brief.evidence.view;
    let of_rows = match (view.kind, brief.reading.form.kind) {
        (ViewKind::Leaderboard, _) => ranking(brief, view),
        (_, FormKind::Comparison) => comparison(view),
        (ViewKind::Timeseries, _) => series(view),
        (ViewKind::Table | ViewKind::Heatmap, _) => None,
    };
    of_rows.map(|text| Lead { text, fact: None }).or_else(|| of_fact(brief))
}

/// "Oslo had the most rain in the last 24 hours: 31 mm."
fn ranking(brief: &SynthesisBrief<'_>, view: &View) -> Option<String> {
    let [_, _, measure, ..] = view.columns.as_slice() else { return None };
    let [_, subject, value, ..] = view.rows.first()?.cells.as_slice() else { return None };
    let (subject, value) = (figure::clean(subject), figure::cell(measure, value));
    if let Some(rest) = predicate(brief) {
        return Some(format!("{subject} {rest}: {value} ({}).", uncapital(measure)));
    }
    let place = if brief.reading.order == Some(Order::Ascending) { "the least" } else { "the most" };
    Some(format!("By {}, {subject} has {place}: {value}.", uncapital(measure)))
}

/// What follows "Which exchanges" in the question, with a verb that fits one thing.
fn predicate(brief: &SynthesisBrief<'_>) -> Option<String> {
    let question = brief.question.trim().trim_end_matches(['?', '.', '!']);
    let noun = brief.reading.form.dimension.as_ref()?;
    let lower = question.to_lowercase();
    let opens = ["which ", "what "].iter().any(|word| lower.starts_with(word));
    let at = question.find(&noun.text).filter(|_| opens)?;
    let rest = question[at + noun.text.len()..].trim_start();
    let (verb, after) = rest.split_once(' ')?;
    let verb = match verb {
        "have" => "has",
        "are" => "is",
        "were" => "was",
        "has" | "is" | "was" | "had" | "saw" | "got" | "won" | "lost" | "made" | "took" | "paid" | "grew"
        | "fell" | "rose" => verb,
        past if past.ends_with("ed") && past.len() > 4 => past,
        singular if !noun.is_plural && singular.ends_with('s') => singular,
        _ => return None,
    };
    // A second clause would read as if the first had answered it.
    (!after.contains([';', '?', ','])).then(|| format!("{verb} {}", figure::clean(after)))
}

/// "BTC is higher on price: 97,000, against 3,400 for ETH."
fn comparison(view: &View) -> Option<String> {
    let [_, measure, ..] = view.columns.as_slice() else { return None };
    let mut rows: Vec<(f64, &str, &str)> = Vec::new();
    for row in &view.rows {
        let [subject, value, ..] = row.cells.as_slice() else { return None };
        rows.push((value.parse().ok()?, subject, value));
    }
    rows.sort_by(|one, other| other.0.total_cmp(&one.0));
    let [(most, first, first_value), others @ ..] = rows.as_slice() else { return None };
    let label = uncapital(measure);
    let against: Vec<String> = others
        .iter()
        .map(|(_, subject, value)| format!("{} for {}", figure::cell(measure, value), figure::clean(subject)))
        .collect();
    let is_equal = others.iter().all(|(value, _, _)| value.total_cmp(most).is_eq());
    let (first, first_value) = (figure::clean(first), figure::cell(measure, first_value));
    match (others.is_empty(), is_equal) {
        (true, _) => None,
        (false, true) => Some(format!("All have the same {label}: {first_value}.")),
        (false, false) => Some(format!(
            "{first} has the highest {label}: {first_value}, against {}.",
            against.join(" and ")
        )),
    }
}

/// "Net flow USD went from $1 (2026-03-17) to $2 (2026-03-18)."
fn series(view: &View) -> Option<String> {
    let [_, measure, ..] = view.columns.as_slice() else { return None };
    let (first, last) = (view.rows.first()?, view.rows.last()?);
    let ([first_time, first_value, ..], [last_time, last_value, ..]) =
        (first.cells.as_slice(), last.cells.as_slice())
    else {
        return None;
    };
    let numbers = (first_value.parse::<f64>().is_ok(), last_value.parse::<f64>().is_ok());
    if view.rows.len() < 2 || numbers != (true, true) {
        return None;
    }
    Some(format!(
        "{measure} went from {} ({}) to {} ({}).",
        figure::cell(measure, first_value),
        figure::clean(first_time),
        figure::cell(measure, last_value),
        figure::clean(last_time)
    ))
}

fn of_fact(brief: &SynthesisBrief<'_>) -> Option<Lead> {
    let facts = &brief.evidence.facts;
    if let Some((at, text)) = yes_or_no(brief, facts) {
        return Some(Lead { text, fact: Some(at) });
    }
    if brief.reading.form.kind == FormKind::Count
        && let Some((at, fact)) = facts.iter().enumerate().find(|(_, fact)| is_count(fact))
    {
        return Some(Lead { text: said(fact), fact: Some(at) });
    }
    let first = facts.first()?;
    if super::is_tabular(brief) && brief.evidence.view.rows.len() > 1 {
        return Some(Lead { text: "The results list these:".to_owned(), fact: None });
    }
    let text = match (echo(brief), &first.value) {
        (_, Value::String(text)) if first.label == "Text" => layout::sentence(text),
        (Some(subject), value) if is_what_is_asked(brief, first) => {
            format!("{subject} {}.", figure::value(&first.label, value))
        }
        _ => said(first),
    };
    Some(Lead { text, fact: Some(0) })
}

/// Answers yes or no only where a flag of the result shares a word with the question.
fn yes_or_no(brief: &SynthesisBrief<'_>, facts: &[Fact]) -> Option<(usize, String)> {
    let is_negated = words::words(brief.question)
        .iter()
        .any(|word| matches!(word.lower.as_str(), "not" | "isn" | "aren" | "no" | "never" | "without"));
    if brief.reading.form.kind != FormKind::YesNo || is_negated {
        return None;
    }
    let asked = words::terms(brief.question);
    facts.iter().enumerate().find_map(|(at, fact)| {
        let flag = fact.value.as_bool()?;
        words::identifier_terms(&fact.label).iter().any(|stem| asked.contains(stem)).then(|| {
            let word = if flag { "Yes" } else { "No" };
            (at, format!("{word}: {} is {flag}.", uncapital(&fact.label)))
        })
    })
}

/// "What is the price of gold?" is "The price of gold is".
fn echo(brief: &SynthesisBrief<'_>) -> Option<String> {
    let question = brief.question.trim().trim_end_matches(['?', '.', '!']);
    let lower = question.to_lowercase();
    let (lead, verb) = [("what is ", "is"), ("what's ", "is"), ("what was ", "was"), ("whats ", "is")]
        .into_iter()
        .find(|(lead, _)| lower.starts_with(lead))?;
    let rest = question.get(lead.len()..)?.trim();
    let is_simple = !rest.contains([',', ';', '?', '.'])
        && !rest.to_lowercase().contains(" and ")
        && rest.to_lowercase().starts_with("the ");
    is_simple.then(|| format!("{} {verb}", layout::sentence(rest).trim_end_matches('.')))
}

/// Whether a fact's label says what the question asks for, so that the question's words may stand before its value.
fn is_what_is_asked(brief: &SynthesisBrief<'_>, fact: &Fact) -> bool {
    let asked = words::terms(brief.question);
    !fact.value.is_boolean() && words::identifier_terms(&fact.label).iter().any(|stem| asked.contains(stem))
}

fn is_count(fact: &Fact) -> bool {
    let stems = words::identifier_terms(&fact.label);
    fact.value.is_number()
        && stems.iter().any(|stem| matches!(stem.as_str(), "count" | "total" | "number" | "size"))
}

/// A label within a sentence: its first letter small, units such as USD as they are.
fn uncapital(label: &str) -> String {
    let mut characters = label.chars();
    characters.next().map(|first| first.to_lowercase().collect::<String>()).unwrap_or_default()
        + characters.as_str()
}

fn said(fact: &Fact) -> String {
    layout::sentence(&format!("{}: {}", fact.label, figure::value(&fact.label, &fact.value)))
}
