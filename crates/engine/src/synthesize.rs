//! Synthesis: the written answer, from the evidence and nothing else.

use domain::Evidence;
use llm::Model;

use crate::assess::Assessed;
use crate::outcome::Answer;

/// Writes the answer.
pub(crate) async fn answer(assessed: Box<Assessed>, model: &dyn Model) -> Answer {
    let text = model.synthesize(&assessed.brief()).await;
    assessed.into_answer(text)
}

/// What stands in the answer's place where the caller wants none: what there is, counted.
pub(crate) fn summary(evidence: &Evidence) -> String {
    format!(
        "Evidence only: {} fact(s) from {} source(s), {} row(s), {} known gap(s).",
        evidence.facts.len(),
        evidence.sources.len(),
        evidence.view.rows.len(),
        evidence.known_unknowns.len()
    )
}
