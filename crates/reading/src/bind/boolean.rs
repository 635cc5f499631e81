//! Flags: "with details", "without duplicates".

use serde_json::Value;

use super::parameter::{Parameter, Parameters};
use super::{Candidate, Family};
use crate::Question;

pub(super) fn candidates(
    question: &Question,
    parameter: &Parameter,
    parameters: &Parameters,
) -> Vec<Candidate> {
    let is_carrier = |stem: &str| {
        matches!(
            stem,
            "is" | "has"
                | "includ"
                | "with"
                | "show"
                | "enabl"
                | "use"
                | "get"
                | "return"
                | "onli"
                | "flag"
                | "should"
                | "do"
                | "want"
                | "need"
                | "allow"
                | "as"
                | "in"
                | "by"
                | "for"
                | "of"
                | "to"
                | "exclud"
                | "visibl"
                | "mode"
                | "option"
                | "set"
                | "friend"
        )
    };
    let mut stems: Vec<&String> = parameter.own.iter().filter(|stem| !is_carrier(stem)).collect();
    if stems.is_empty() {
        // "Alerts should be enabled."
        stems = parameter.own.iter().filter(|stem| stem.as_str() == "enabl").collect();
    }
    if stems.is_empty() {
        return Vec::new();
    }
    let found: Vec<usize> =
        (0..question.words.len()).filter(|&at| stems.contains(&&question.words[at].stem)).collect();
    let mut distinct: Vec<&str> = found.iter().map(|&at| question.words[at].stem.as_str()).collect();
    distinct.sort_unstable();
    distinct.dedup();
    if distinct.len() < stems.len() {
        return Vec::new();
    }
    let first = found[0];
    let is_negated = (first.saturating_sub(3)..first).any(|at| {
        matches!(
            question.words[at].lower.as_str(),
            "without" | "no" | "not" | "don" | "exclude" | "excluding" | "except" | "skip"
        )
    });
    // A word that the method itself is about is no wish for a flag.
    let is_topic = stems.iter().all(|stem| parameters.name.contains(stem));
    let score = if is_topic { 0.4 } else { 0.7 };
    let range = question.words[first].range.clone();
    vec![Candidate::said(Value::Bool(!is_negated), score, range, Family::Flag)]
}
