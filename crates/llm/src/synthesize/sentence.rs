//! The direct first sentence, in the question's own words where its form allows.

use domain::{Fact, View, ViewKind};
use reading::form::{self, FormKind, Order};
use reading::time::Window;
use reading::words::{self, Word};
use serde_json::Value;

use super::{figure, layout};
use crate::SynthesisBrief;

/// The first sentence, and the fact that it says, where it says one.
pub(super) struct Lead {
    pub(super) text: String,
    pub(super) fact: Option<usize>,
    /// Whether it says what the view's first row says.
    pub(super) is_of_rows: bool,
}

pub(super) fn lead(brief: &SynthesisBrief<'_>) -> Option<Lead> {
    let view = &brief.evidence.view;
    let of_rows = match (view.kind, brief.reading.form.kind) {
        (ViewKind::Leaderboard, _) => ranking(brief, view),
        (_, FormKind::Comparison) => comparison(view, form::asks_for_less(brief.question)),
        (ViewKind::Timeseries, _) => series(view),
        (ViewKind::Table | ViewKind::Heatmap, _) => None,
    };
    let is_of_all = |fact: &&Fact| {
        fact.id.contains("row_mean:") || matches!(fact.id.as_str(), "path_lookup:mean" | "path_lookup:total")
    };
    if let Some(fact) = brief.evidence.facts.first().filter(is_of_all) {
        return Some(Lead { text: said(fact), fact: Some(0), is_of_rows: false });
    }
    of_rows
        .map(|text| Lead { text, fact: None, is_of_rows: view.kind == ViewKind::Leaderboard })
        .or_else(|| of_fact(brief))
}

/// "Oslo had the most rain in the last 24 hours: 31 mm."
fn ranking(brief: &SynthesisBrief<'_>, view: &View) -> Option<String> {
    let [_, _, measure, ..] = view.columns.as_slice() else { return None };
    let [_, subject, value, ..] = view.rows.first()?.cells.as_slice() else { return None };
    let (subject, value) = (capital(&figure::clean(subject)), figure::cell(measure, value));
    if let Some(rest) = predicate(brief) {
        return Some(format!("{subject} {rest}: {value} ({}).", uncapital(figure::quantity(measure))));
    }
    let measure = uncapital(figure::quantity(measure));
    let place = match (brief.reading.turned.is_some(), brief.reading.order == Some(Order::Ascending)) {
        (true, true) => "comes first",
        (true, false) => "comes last",
        (false, true) => "has the least",
        (false, false) => "has the most",
    };
    Some(format!("By {measure}, {subject} {place}: {value}."))
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

/// "BTC has the highest price: 97,000, against 3,400 for ETH."
fn comparison(view: &View, asks_for_less: bool) -> Option<String> {
    let [_, measure, ..] = view.columns.as_slice() else { return None };
    let mut rows: Vec<(f64, &str, &str)> = Vec::new();
    for row in &view.rows {
        let [subject, value, ..] = row.cells.as_slice() else { return None };
        if rows.iter().any(|(_, known, _)| known == subject) {
            return None;
        }
        rows.push((value.parse().ok()?, subject, value));
    }
    rows.sort_by(|one, other| other.0.total_cmp(&one.0));
    if asks_for_less {
        rows.reverse();
    }
    let end = if asks_for_less { "lowest" } else { "highest" };
    let [(most, first, first_value), others @ ..] = rows.as_slice() else { return None };
    let label = uncapital(figure::quantity(measure));
    let against: Vec<String> = others
        .iter()
        .map(|(_, subject, value)| format!("{} for {}", figure::cell(measure, value), figure::clean(subject)))
        .collect();
    let is_equal = others.iter().all(|(value, _, _)| value.total_cmp(most).is_eq());
    let (first, first_value) = (capital(&figure::clean(first)), figure::cell(measure, first_value));
    match (others.is_empty(), is_equal) {
        (true, _) => None,
        (false, true) => Some(format!("All have the same {label}: {first_value}.")),
        (false, false) => {
            Some(format!("{first} has the {end} {label}: {first_value}, against {}.", against.join(" and ")))
        }
    }
}

/// "Net flow went from $1 (2026-03-17) to $2 (2026-03-18)."
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
        "{} went from {} ({}) to {} ({}).",
        figure::quantity(measure),
        figure::cell(measure, first_value),
        figure::clean(first_time),
        figure::cell(measure, last_value),
        figure::clean(last_time)
    ))
}

fn of_fact(brief: &SynthesisBrief<'_>) -> Option<Lead> {
    let facts = &brief.evidence.facts;
    if let Some((at, text)) = yes_or_no(brief, facts) {
        return Some(Lead { text, fact: Some(at), is_of_rows: false });
    }
    if brief.reading.form.kind == FormKind::Count
        && !super::is_tabular(brief)
        && !facts.first().is_some_and(|fact| fact.id.contains("row_count:"))
        && let Some((at, fact)) = facts.iter().enumerate().find(|(_, fact)| is_count(fact))
    {
        return Some(Lead { text: said(fact), fact: Some(at), is_of_rows: false });
    }
    let first = facts.first()?;
    if first.id.contains("row_count:") {
        let value = figure::value(&first.label, &first.value);
        let rows = uncapital(&first.label);
        return Some(Lead {
            text: format!("Counted from what came back: {value} ({rows})."),
            fact: Some(0),
            is_of_rows: false,
        });
    }
    if super::is_text(brief) && facts.len() > 1 {
        return Some(Lead { text: format!("{} says:", source_of(brief)), fact: None, is_of_rows: false });
    }
    if super::is_tabular(brief) && !brief.evidence.view.rows.is_empty() {
        let is_one = brief.evidence.view.rows.len() == 1;
        let text = if is_one { "The result lists one:" } else { "The results list these:" };
        return Some(Lead { text: text.to_owned(), fact: None, is_of_rows: false });
    }
    let asked = asked_for(brief).filter(|(subject, _)| !qualifies(brief, subject, first));
    let text = match (asked, &first.value) {
        (_, Value::String(text)) if super::is_text(brief) => layout::sentence(text),
        (Some((subject, verb)), value) if is_what_is_asked(brief, first) => {
            format!("{subject} {verb} {}.", figure::value(&first.label, value))
        }
        (Some((subject, _)), _) if is_of_source(brief, &subject) => said_of(&subject, first),
        _ => said(first),
    };
    Some(Lead { text, fact: Some(0), is_of_rows: false })
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

/// What a question asks for, and the verb behind it: "What is the price of gold?" asks for "The price of gold", which "is".
fn asked_for(brief: &SynthesisBrief<'_>) -> Option<(String, &'static str)> {
    let question = brief.question.trim().trim_end_matches(['?', '.', '!']);
    let lower = question.to_lowercase();
    let (lead, verb) = [("what is ", "is"), ("what's ", "is"), ("what was ", "was"), ("whats ", "is")]
        .into_iter()
        .find(|(lead, _)| lower.starts_with(lead))?;
    let rest = question.get(lead.len()..)?.trim();
    // A time that no method was asked of is not said of its result.
    let is_unasked = |window: &Window| !brief.reading.open.is_empty() && rest.contains(&window.text);
    let is_simple = !rest.contains([',', ';', '?', '.'])
        && !rest.to_lowercase().contains(" and ")
        && rest.to_lowercase().starts_with("the ")
        && !brief.reading.window.as_ref().is_some_and(is_unasked);
    is_simple.then(|| (layout::sentence(rest).trim_end_matches('.').to_owned(), verb))
}

/// Whether a fact's label says no more than what the question asks for, units aside, so that the question's words may
/// stand before its value.
fn is_what_is_asked(brief: &SynthesisBrief<'_>, fact: &Fact) -> bool {
    let asked = words::terms(brief.question);
    let label = words::identifier_terms(&fact.label);
    let is_unit = |stem: &String| {
        matches!(
            stem.as_str(),
            "usd" | "percent" | "pct" | "celsius" | "kmh" | "mm" | "price" | "valu" | "rate"
        )
    };
    let shares = label.iter().any(|stem| asked.contains(stem));
    !fact.value.is_boolean() && shares && label.iter().all(|stem| asked.contains(stem) || is_unit(stem))
}

/// Whether a question says of which kind the figure is to be that it asks for, and neither the fact nor anything beside it says so:
/// "the predicted rate of BTC" is not any rate.
fn qualifies(brief: &SynthesisBrief<'_>, subject: &str, fact: &Fact) -> bool {
    let label = words::identifier_terms(&fact.label);
    let is_in = |word: &Word, text: &str| text.to_lowercase().contains(&word.lower);
    let is_told = |word: &Word| {
        label.contains(&word.stem)
            || brief.reading.form.entities.iter().any(|entity| is_in(word, &entity.text))
            || brief.evidence.facts.iter().any(|fact| {
                is_in(word, &fact.label) || fact.value.as_str().is_some_and(|text| is_in(word, text))
            })
    };
    words::words(subject).iter().any(|word| is_qualifier(&word.lower) && !is_told(word))
}

/// Whether a word before a figure says of which kind it is: "the predicted rate", "the average volume".
fn is_qualifier(lower: &str) -> bool {
    const KINDS: [&str; 8] = ["average", "gross", "maximum", "mean", "median", "minimum", "net", "total"];
    lower.ends_with("ed") && lower.len() > "need".len() || KINDS.contains(&lower)
}

/// The method that gave the answer's text.
fn source_of(brief: &SynthesisBrief<'_>) -> String {
    let source = brief.evidence.sources.last();
    source.map_or_else(|| "The result".to_owned(), |source| format!("`{}`", source.dataset))
}

/// Whether the method that answered is named for what is asked.
fn is_of_source(brief: &SynthesisBrief<'_>, topic: &str) -> bool {
    let asked = words::terms(topic);
    let sources = brief.evidence.sources.iter();
    sources.flat_map(|source| words::identifier_terms(&source.dataset)).any(|stem| asked.contains(&stem))
}

/// A fact under what the question asks for: "The weather in Paris: temperature 4.7 °C."
fn said_of(topic: &str, fact: &Fact) -> String {
    let labelled = figure::labelled(&fact.label, &fact.value);
    layout::sentence(&format!("{topic}: {}", uncapital(&labelled.replacen(':', "", 1))))
}

fn is_count(fact: &Fact) -> bool {
    let stems = words::identifier_terms(&fact.label);
    let is_money = stems.iter().any(|stem| matches!(stem.as_str(), "usd" | "eur" | "price" | "percent"));
    fact.value.is_u64()
        && !is_money
        && stems.iter().any(|stem| matches!(stem.as_str(), "count" | "total" | "number"))
}

/// A plain word at the start of a sentence; a name with other signs is left as it is.
fn capital(name: &str) -> String {
    if name.is_empty() || !name.chars().all(char::is_alphabetic) {
        return name.to_owned();
    }
    layout::sentence(name).trim_end_matches('.').to_owned()
}

/// A label within a sentence: its first letter small, units such as USD as they are.
fn uncapital(label: &str) -> String {
    let mut characters = label.chars();
    characters.next().map(|first| first.to_lowercase().collect::<String>()).unwrap_or_default()
        + characters.as_str()
}

fn said(fact: &Fact) -> String {
    layout::sentence(&figure::labelled(&fact.label, &fact.value))
}
