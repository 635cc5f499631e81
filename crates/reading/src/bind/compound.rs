//! Lists and nested objects.

use std::ops::Range;

use serde_json::{Map, Value};

use super::parameter::{Bounds, Choice, Parameter, Parameters, Shape};
use super::phrase;
use super::role::Role;
use super::{Candidate, Family, Source, assign, choice, days, number, text};
use crate::Question;
use crate::spans::{Kind, Span};
use crate::words::Word;

/// The lists that a question gives: values side by side, or every value that fits the items.
pub(super) fn lists(question: &Question, item: &Parameter, parameters: &Parameters) -> Vec<Candidate> {
    if let Shape::Number(bounds) = item.shape {
        return number_runs(question, item, bounds);
    }
    if let Some(days) = days::pair(question, item).or_else(|| days::of_the_week(question, item)) {
        return vec![days];
    }
    if let Shape::Nested(parts) = &item.shape
        && let Some(objects) = objects(question, item, parts, parameters)
    {
        return vec![objects];
    }
    let candidates = assign::candidates(question, item, parameters);
    if let Shape::Nested(_) | Shape::List(_) | Shape::Other = item.shape {
        return candidates.into_iter().map(listed).collect();
    }
    let candidates = candidates.into_iter().filter(|it| !is_chosen_elsewhere(it, item, parameters)).collect();
    let mut lists = enumerations(question, item, parameters);
    lists.extend(of_items(question, item, candidates));
    lists
}

/// Whether another argument lists a value among those that it may have.
fn is_chosen_elsewhere(candidate: &Candidate, item: &Parameter, parameters: &Parameters) -> bool {
    let Some(text) = candidate.value.as_str().map(str::to_lowercase) else { return false };
    let is_it = |choice: &Choice| choice.value.is_string() && choice.text == text;
    let others = parameters.list.iter().filter(|other| other.name != item.name);
    item.choices.is_empty() && others.flat_map(Parameter::listed).any(is_it)
}

/// One object for each of the values that the question names for one of its parts: "with group chat and voice messages".
fn objects(
    question: &Question,
    item: &Parameter,
    parts: &[Parameter],
    all: &Parameters,
) -> Option<Candidate> {
    let is_key = |part: &&Parameter| part.is_required && matches!(part.shape, Shape::Choice);
    let key = parts.iter().find(is_key)?;
    let named = days::of_the_week(question, key).or_else(|| {
        let mut said = choice::candidates(question, key);
        said.retain(|candidate| candidate.score >= NAMED_MIN);
        said.sort_by_key(|candidate| candidate.claim.as_ref().map(|claim| claim.start));
        said.dedup_by(|one, other| one.value == other.value);
        whole(&said, NAMED_MIN).filter(|_| said.len() > 1)
    })?;
    let others: Vec<Parameter> = parts.iter().filter(|part| part.name != key.name).cloned().collect();
    let rest = if others.iter().any(|part| part.is_required) {
        nested(question, item, &others, all).into_iter().next()?.value
    } else {
        Value::Object(Map::new())
    };
    let with = |value: &Value| {
        let mut object = rest.clone();
        object[key.name.as_str()] = value.clone();
        object
    };
    let value: Value = named.value.as_array()?.iter().map(with).collect();
    Some(Candidate { value, ..named })
}

/// How sure a value has to be for an object of its own.
const NAMED_MIN: f64 = 0.7;

/// What fits the items: all of it, and what of it stands side by side.
fn of_items(question: &Question, item: &Parameter, candidates: Vec<Candidate>) -> Vec<Candidate> {
    let is_sure = |candidate: &Candidate| candidate.claim.is_some() && candidate.score >= 0.3;
    let (mut found, others): (Vec<_>, Vec<_>) = candidates.into_iter().partition(is_sure);
    found.sort_by(|one, other| other.score.total_cmp(&one.score));
    let Some(best) = found.first().map(|candidate| candidate.score) else {
        return others.into_iter().take(1).map(listed).collect();
    };
    let mut kept: Vec<Candidate> = Vec::new();
    for candidate in found {
        let is_free = !kept.iter().any(|other| match (&other.claim, &candidate.claim) {
            (Some(taken), Some(claim)) => crate::spans::overlaps(taken, claim),
            _ => false,
        });
        if is_free
            && candidate.score >= best - 0.3
            && !kept.iter().any(|other| other.value == candidate.value)
        {
            kept.push(candidate);
        }
    }
    kept.sort_by_key(|candidate| candidate.claim.as_ref().map(|claim| claim.start));
    let mut found = Vec::from_iter(whole(&kept, best));
    // Where others have a part of it, what stands side by side.
    let runs =
        kept.chunk_by(|one, other| is_beside(question, one, other)).filter(|run| run.len() < kept.len());
    found.extend(runs.filter(|run| run.len() > 1).filter_map(|run| whole(run, best - RUN_BEHIND)));
    // Else, where there has to be one, what fits best of all.
    let stands = item.is_required && kept.len() > 1;
    let first = kept.iter().filter(|_| stands).max_by(|one, other| one.score.total_cmp(&other.score));
    found.extend(first.and_then(|first| whole(std::slice::from_ref(first), best - 2.0 * RUN_BEHIND)));
    found
}

/// "Interested in chemistry and music", "including meetings, letters, and calls": nouns in a row behind a preposition.
fn enumerations(question: &Question, item: &Parameter, parameters: &Parameters) -> Vec<Candidate> {
    if item.role != Role::Name || !item.choices.is_empty() || !matches!(item.shape, Shape::Text(_)) {
        return Vec::new();
    }
    let list = |phrase: &Range<usize>| {
        let nouns = enumerated(question, phrase.start);
        let (first, last) = (nouns.first()?.start, nouns.last().filter(|_| nouns.len() > 1)?.end);
        let score = text::phrased(question, item, phrase)?.score + ENUMERATED;
        let values = nouns.iter().map(|noun| Value::from(&question.text[noun.clone()])).collect();
        Some(Candidate::said(values, score, first..last, Family::Text))
    };
    phrase::phrases(question, parameters).filter_map(list).collect()
}

/// What it says for a list that nouns stand in a row.
const ENUMERATED: f64 = 0.1;

/// The nouns in a row from a place of the question on, in bytes.
fn enumerated(question: &Question, from: usize) -> Vec<Range<usize>> {
    let words = &question.words;
    let mut nouns: Vec<Range<usize>> = Vec::new();
    let mut at = words.partition_point(|word| word.range.start < from);
    while at < words.len() {
        let is_conjunction = matches!(words[at].lower.as_str(), "and" | "or");
        at += usize::from(is_conjunction && !nouns.is_empty());
        let goes_on = |at: usize| {
            let follows =
                |word: &Word| matches!(&question.text[word.range.end..words[at].range.start], " " | "-");
            !words[at].is_stop && !question.is_when(&words[at]) && (at == 0 || follows(&words[at - 1]))
        };
        let end = (at + 1..words.len()).find(|&at| !goes_on(at)).unwrap_or(words.len());
        if at >= words.len() || words[at].is_stop || end - at > NOUN_WORDS_MAX {
            break;
        }
        nouns.push(words[at].range.start..words[end - 1].range.end);
        let Some(next) = words.get(end) else { break };
        let gap = question.text[words[end - 1].range.end..next.range.start].trim();
        let joins = gap == "," || gap.is_empty() && matches!(next.lower.as_str(), "and" | "or") || gap == "&";
        if !joins {
            break;
        }
        at = end;
    }
    nouns
}

/// More words than this in a row are no noun of an enumeration.
const NOUN_WORDS_MAX: usize = 4;

/// How far a part of a list is behind all of it.
const RUN_BEHIND: f64 = 0.01;

/// The list of some items, from the first to the last of them.
fn whole(items: &[Candidate], score: f64) -> Option<Candidate> {
    let claims = || items.iter().filter_map(|candidate| candidate.claim.as_ref());
    let range = claims().next()?.start..claims().next_back()?.end;
    let values = items.iter().map(|candidate| candidate.value.clone()).collect();
    let implied = |candidate: &Candidate| {
        if let Source::Implied { why, .. } = &candidate.source { Some(why.clone()) } else { None }
    };
    Some(match items.iter().find_map(implied) {
        None => Candidate::said(values, score, range, Family::Text),
        Some(why) => Candidate::implied(values, score, range, why),
    })
}

/// Whether two items have nothing but a conjunction between them.
fn is_beside(question: &Question, one: &Candidate, other: &Candidate) -> bool {
    let (Some(one), Some(other)) = (&one.claim, &other.claim) else { return false };
    only_joins(question.text.get(one.end..other.start).unwrap_or_default())
}

/// Whether what stands between two stretches says no more than that they stand side by side.
pub(super) fn only_joins(between: &str) -> bool {
    let mut words = between.split([' ', ',', '\'', '"', '“', '”', '[', ']']).filter(|word| !word.is_empty());
    words.all(|word| matches!(word, "and" | "or" | "&" | "및" | "와" | "과" | "랑" | "하고"))
}

fn listed(candidate: Candidate) -> Candidate {
    Candidate { value: Value::Array(vec![candidate.value]), ..candidate }
}

/// Runs of numbers with only commas, "and" and brackets between them.
fn number_runs(question: &Question, item: &Parameter, bounds: Bounds) -> Vec<Candidate> {
    let numbers: Vec<&Span> =
        question.spans.iter().filter(|span| matches!(span.kind, Kind::Number(_))).collect();
    let mut runs: Vec<Vec<&Span>> = Vec::new();
    for span in numbers {
        let joins = runs.last().and_then(|run| run.last()).is_some_and(|last| {
            let between = question.text[last.range.end..span.range.start].trim();
            matches!(between, "" | "," | "and" | ", and" | "&" | ";" | "to" | "or")
        });
        match runs.last_mut() {
            Some(run) if joins => run.push(span),
            _ => runs.push(vec![span]),
        }
    }
    // "The two numbers" says how many there are, and not which.
    let only_counts =
        |run: &Vec<&Span>| matches!(run.as_slice(), [only] if only.text.starts_with(char::is_alphabetic));
    runs.into_iter()
        .filter(|run| !only_counts(run))
        .filter_map(|run| {
            let values: Option<Vec<Value>> = run
                .iter()
                .map(|span| {
                    let Kind::Number(amount) = span.kind else { return None };
                    number::value(item, amount, bounds)
                })
                .collect();
            let range = run.first()?.range.start..run.last()?.range.end;
            let near = super::proximity::nearness(question, item, &range);
            let length = if run.len() > 1 { 0.3 } else { 0.0 };
            Some(Candidate::said(Value::Array(values?), 0.3 + length + 0.3 * near, range, Family::Number))
        })
        .collect()
}

/// An object whose required parts the question gives.
pub(super) fn nested(
    question: &Question,
    parameter: &Parameter,
    children: &[Parameter],
    parameters: &Parameters,
) -> Vec<Candidate> {
    let bound = assign::filled(question, children, parameters);
    let mut object = Map::new();
    let mut score = 1.0_f64;
    let mut sources: Vec<Source> = Vec::new();
    for (child, bound) in children.iter().zip(bound) {
        match (bound, &child.default) {
            (Some(bound), _) => {
                sources.push(bound.source);
                score = score.min(bound.confidence);
                object.insert(child.name.clone(), bound.value);
            }
            (None, Some(default)) if child.is_required => {
                object.insert(child.name.clone(), default.clone());
            }
            (None, _) if child.is_required => return Vec::new(),
            (None, _) => {}
        }
    }
    let put_together = || {
        let why = format!("`{}` is put together from what the question says", parameter.name);
        let ranges = sources.iter().flat_map(Source::places).cloned().collect();
        Source::Parts { ranges, why }
    };
    let source = match sources.split_first() {
        None => return Vec::new(),
        // The two ends of one time.
        Some((first @ Source::Window { .. }, others)) if others.iter().all(|other| other == first) => {
            first.clone()
        }
        Some(_) => put_together(),
    };
    vec![Candidate { value: Value::Object(object), score, source, claim: None, family: Family::Text }]
}
