//! The writer's brief as the values of its prompt.

use domain::{Evidence, Fact, SourceRef, ViewRow};
use policy::PromptLimits;
use serde_json::json;

use super::{Values, items};
use crate::SynthesisBrief;
use crate::fence::cut;

/// The values of the writer's prompt.
pub(crate) fn synthesize(brief: &SynthesisBrief<'_>, limits: &PromptLimits) -> Values {
    let evidence = brief.evidence;
    Values::from([
        ("question", cut(brief.question, limits.item_chars_max)),
        ("sources", items(sources(evidence), limits)),
        ("facts", items(facts(evidence), limits)),
        ("table", items(table(evidence), limits)),
        ("assumptions", items(evidence.assumptions.iter().cloned(), limits)),
        ("gaps", items(evidence.known_unknowns.iter().cloned(), limits)),
    ])
}

/// `[1] {..}`: the markers' numbers are the places in the evidence.
pub(super) fn sources(evidence: &Evidence) -> impl Iterator<Item = String> {
    evidence.sources.iter().enumerate().map(|(place, source)| format!("[{}] {}", place + 1, told(source)))
}

fn told(source: &SourceRef) -> String {
    let mut told = json!({
        "provider": source.provider, "dataset": source.dataset, "observed_at": source.observed_at.to_string()
    });
    if let Some(published) = source.published_at {
        told["published_at"] = json!(published.to_string());
    }
    if let Some(note) = &source.note {
        told["note"] = json!(note);
    }
    told.to_string()
}

/// `[1] label: value`.
pub(super) fn facts(evidence: &Evidence) -> impl Iterator<Item = String> {
    evidence
        .facts
        .iter()
        .map(|fact| format!("{}{}", marker(evidence, fact), json!({fact.label.as_str(): fact.value})))
}

fn marker(evidence: &Evidence, fact: &Fact) -> String {
    fact.source.as_ref().map_or_else(String::new, |source| number(evidence, source))
}

fn number(evidence: &Evidence, source: &str) -> String {
    let place = evidence.sources.iter().position(|known| known.id == *source);
    place.map_or_else(String::new, |place| format!("[{}] ", place + 1))
}

fn table(evidence: &Evidence) -> impl Iterator<Item = String> {
    let view = &evidence.view;
    let head = (!view.rows.is_empty()).then(|| json!(view.columns).to_string());
    let row = |row: &ViewRow| {
        let markers: String = row.sources.iter().map(|source| number(evidence, source)).collect();
        format!("{markers}{}", json!(row.cells))
    };
    head.into_iter().chain(view.rows.iter().map(row))
}
