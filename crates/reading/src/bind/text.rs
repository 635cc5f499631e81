//! Names, places, codes, paths and other texts.

use std::ops::Range;

use serde_json::Value;

use super::code;
use super::label;
use super::parameter::{Parameter, Parameters};
use super::phrase;
use super::place;
use super::proximity::{direction, nearness};
use super::role::Role;
use super::stretch::{shouts, spanned};
use super::topic;
use super::{Candidate, Family};
use crate::Question;
use crate::form;
use crate::spans::Kind;
use crate::standards;
use crate::time::zone_of;
use crate::words::Word;

pub(super) fn candidates(
    question: &Question,
    parameter: &Parameter,
    parameters: &Parameters,
) -> Vec<Candidate> {
    match parameter.role {
        Role::Zone => code::zones(question, parameter),
        Role::Search | Role::Text => topic::candidates(question, parameter, parameters),
        Role::Formal => formal(question),
        Role::Currency => {
            code::coded(question, parameter, |text| standards::currency(text).map(str::to_owned))
        }
        Role::CountryCode => {
            let is_long = parameter.notes.contains("alpha-3") || parameter.notes.contains("three");
            code::coded(question, parameter, |text| {
                standards::country(text)
                    .map(|country| if is_long { country.alpha3 } else { country.alpha2 }.to_owned())
            })
        }
        Role::Language => languages(question, parameter, parameters),
        Role::Path
        | Role::Url
        | Role::Email
        | Role::Country
        | Role::Symbol
        | Role::Place
        | Role::Id
        | Role::Secret
        | Role::Name
        | Role::Limit
        | Role::Length(_) => named(question, parameter, parameters),
        // These come from the question's moments.
        Role::Start
        | Role::End
        | Role::Date
        | Role::Year
        | Role::Month
        | Role::Clock
        | Role::Window
        | Role::Grain
        | Role::Page => Vec::new(),
    }
}

/// Spans by how well their kind fits, then phrases after prepositions.
fn named(question: &Question, parameter: &Parameter, parameters: &Parameters) -> Vec<Candidate> {
    let mut found: Vec<Candidate> =
        question.spans.iter().filter_map(|span| spanned(question, (parameter, parameters), span)).collect();
    if parameter.role == Role::Place {
        found.extend(place::addresses(question, parameter));
        if !place::is_told_apart(parameters) {
            found.extend(place::joined(question, parameter));
        }
    }
    if matches!(parameter.role, Role::Place | Role::Name | Role::Symbol | Role::Country | Role::Path) {
        found.extend(
            phrase::phrases(question, parameters).filter_map(|phrase| phrased(question, parameter, phrase)),
        );
    }
    if matches!(parameter.role, Role::Name | Role::Place | Role::Symbol) {
        found.extend(label::beside(question, parameter, parameters));
        found.extend(label::modifying(question, parameter, parameters));
    }
    found.extend(label::sizes(question, parameter));
    found.extend(label::colours(question, parameter));
    found.extend(label::telephones(question, parameter));
    found.extend(label::versions(question, parameter));
    if parameter.role == Role::Id {
        found.extend(label::identified(question, parameter));
    }
    // The "warmer" of "warmer than 20 degrees" is nowhere, and neither is the "biggest" of "biggest cities".
    let leads = |word: &Word| {
        question.leads_to_bound(word) || question.form.order.is_some() && form::is_superlative(&word.lower)
    };
    let is_lead = |range: &Range<usize>| {
        let mut words = question.words_in(range).peekable();
        words.peek().is_some() && words.all(leads)
    };
    let each = |range: &Range<usize>| question.says_each(question.words_before(range).len());
    found.retain(|candidate| !candidate.claim.as_ref().is_some_and(|claim| is_lead(claim) || each(claim)));
    found
}

/// Whether a phrase is in lower case where the question writes its names in capitals: "to uncover family history" is no place,
/// "my travel account" is nobody.
fn is_below_names(question: &Question, phrase: &str) -> bool {
    let mut names = question.spans.iter().filter(|span| span.kind == Kind::Name);
    !phrase.contains(char::is_uppercase) && names.any(|span| span.text.starts_with(char::is_uppercase))
}

/// Whether a parameter takes what somebody is called.
fn is_of_person(parameter: &Parameter) -> bool {
    let has = |stems: &[&str]| parameter.own.iter().any(|own| stems.contains(&own.as_str()));
    has(&["name"]) && has(&["first", "last", "given", "famili", "middl", "full"])
}

/// "weather in paris": a phrase in lower case after a preposition.
pub(super) fn phrased(question: &Question, parameter: &Parameter, range: &Range<usize>) -> Option<Candidate> {
    let text = &question.text[range.clone()];
    let near = nearness(question, parameter, range);
    let preposition = topic::word_before(question, range);
    let mut score = 0.28 + 0.35 * near + direction(question, parameter, range);
    let first = question.words_in(range).next();
    if first.is_some_and(|word| standards::number_word(&word.lower).is_some()) {
        return None;
    }
    if matches!(parameter.role, Role::Place | Role::Country) {
        // "For a run" is nowhere.
        if question.words_before(range).last().is_some_and(|word| matches!(word.lower.as_str(), "a" | "an")) {
            return None;
        }
        // A single word may be a place that is written in passing.
        if text.contains(char::is_whitespace) && is_below_names(question, text) {
            return None;
        }
        score += match preposition {
            "in" | "at" | "near" | "around" => 0.2,
            "for" | "from" | "to" | "of" => 0.08,
            _ => return None,
        };
        if zone_of(text).is_some() {
            score += 0.15;
        }
    } else if parameter.role == Role::Symbol {
        let is_short = (2..=5).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if !is_short {
            return None;
        }
        let upper = Value::from(text.to_uppercase());
        return Some(Candidate::said(upper, score, range.clone(), Family::Text));
    } else if parameter.role == Role::Name {
        if is_of_person(parameter) && is_below_names(question, text) {
            return None;
        }
        score += if matches!(preposition, "named" | "called" | "titled") { 0.35 } else { 0.0 };
        if shouts(parameter) {
            return None;
        }
    } else if !matches!(preposition, "named" | "called") {
        return None;
    }
    Some(Candidate::said(Value::from(text), score, range.clone(), Family::Text))
}

fn languages(question: &Question, parameter: &Parameter, parameters: &Parameters) -> Vec<Candidate> {
    let wants_code = ["iso 639", "code", "'en'", "\"en\"", "(en", "e.g. en", "e.g., en", "en-us"]
        .iter()
        .any(|mark| parameter.notes.contains(mark))
        || parameter.choices.iter().any(|choice| choice.text == "en");
    let mut found = code::coded(question, parameter, |text| {
        let code = standards::language(text)?;
        Some(if wants_code { code.to_owned() } else { text.to_owned() })
    });
    if found.is_empty() && parameter.is_required && !wants_code {
        found = label::beside(question, parameter, parameters);
    }
    found
}

/// SQL, code and formulas have to be written out.
fn formal(question: &Question) -> Vec<Candidate> {
    let mut found: Vec<Candidate> = question
        .spans
        .iter()
        .filter(|span| matches!(span.kind, Kind::Quoted | Kind::Code))
        .map(|span| Candidate::said(Value::from(span.text.as_str()), 0.8, span.range.clone(), Family::Text))
        .collect();
    let upper = ["SELECT ", "WITH ", "select "];
    if found.is_empty()
        && let Some(start) = upper
            .iter()
            .find_map(|word| question.text.find(word))
            .filter(|start| question.text[*start..].to_lowercase().contains(" from "))
    {
        let range = start..question.text.len();
        let text = question.text[range.clone()].trim_end_matches(['?', '.']);
        found.push(Candidate::said(Value::from(text), 0.9, range, Family::Text));
    }
    found
}
