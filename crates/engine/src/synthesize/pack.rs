//! The evidence pack: what the writer is shown, within its bound. Long texts are cut to what the question asks about, or
//! shortened by a model, and the reader is told.

use domain::{Evidence, Gap, GapCode, Severity};
use llm::{Model, SummaryBrief};
use policy::{ModelStage, Policy};
use reading::words;
use serde_json::Value;

use crate::assess::Assessed;
use crate::run::Run;

/// A pack that differs from the evidence that it was made from.
pub(super) struct Packed {
    pub(super) evidence: Evidence,
    /// How it was made to fit.
    pub(super) reasons: Vec<&'static str>,
    /// What was left out of it.
    pub(super) gaps: Vec<Gap>,
}

/// The pack of an answer; none where the evidence fits as it is.
pub(super) async fn of(assessed: &Assessed, run: &Run, policy: &Policy, model: &dyn Model) -> Option<Packed> {
    let brief = assessed.brief(&policy.evidence.answer);
    let chars_max = policy.evidence.pack.text_chars_max;
    let is_long = |value: &Value| value.as_str().is_some_and(|text| text.chars().count() > chars_max);
    if !brief.evidence.facts.iter().any(|fact| is_long(&fact.value)) {
        return None;
    }
    let mut packed = Packed { evidence: brief.evidence.clone(), reasons: Vec::new(), gaps: Vec::new() };
    for at in 0..packed.evidence.facts.len() {
        let fact = &packed.evidence.facts[at];
        let Some(text) = fact.value.as_str().filter(|_| is_long(&fact.value)) else { continue };
        let (text, label) = (text.to_owned(), fact.label.clone());
        let summary = SummaryBrief { question: brief.question, text: &text };
        let shorter = if model.asks(ModelStage::Summarize) {
            let shorter = model.summarize(&summary).await;
            run.hear(model);
            shorter
        } else {
            None
        };
        let (shorter, left_out, reason) = match shorter {
            Some(shorter) => (shorter.summary, shorter.left_out, "internal_summarization"),
            None => (window(&text, brief.question, chars_max), String::new(), "text_window"),
        };
        let left_out = if left_out.is_empty() { "the rest of a long text".to_owned() } else { left_out };
        packed.evidence.facts[at].value = Value::from(shorter);
        if !packed.reasons.contains(&reason) {
            packed.reasons.push(reason);
        }
        packed.gaps.push(Gap {
            code: GapCode::ContextTruncated,
            severity: Severity::Medium,
            detail: format!("The writer saw a shortened form of \"{label}\", without {left_out}."),
        });
    }
    packed.evidence.known_unknowns.extend(packed.gaps.iter().map(|gap| gap.detail.clone()));
    Some(packed)
}

/// The stretch of a text that has most of the question's words: whole lines or sentences, within the bound.
fn window(text: &str, question: &str, chars_max: usize) -> String {
    let asked = words::terms(question);
    let ranges = cite::sentences(text);
    let score = |range: &std::ops::Range<usize>| {
        words::terms(&text[range.clone()]).iter().filter(|term| asked.contains(*term)).count()
    };
    let best = ranges.iter().enumerate().max_by_key(|(at, range)| (score(range), std::cmp::Reverse(*at)));
    let first = best.map_or(0, |(_, range)| range.start);
    text[first..].chars().take(chars_max).collect()
}
