//! The embedded writer: a direct sentence, the facts, and what to know about them. Every word of it is the question's,
//! the evidence's or fixed; every number is in a result or in the question.

use domain::{Evidence, ViewKind};
use reading::Part;
use reading::form::FormKind;

use crate::SynthesisBrief;

mod figure;
mod layout;
mod market;
mod sentence;

/// The answer in Markdown. An image in a result's own words would be loaded by whoever shows the answer: it is shown as
/// what it is, a text.
pub(crate) fn answer(brief: &SynthesisBrief<'_>) -> String {
    written(brief).replace("![", "\\![")
}

fn written(brief: &SynthesisBrief<'_>) -> String {
    let evidence = brief.evidence;
    if let Some(found) = &evidence.market {
        let table = layout::table(&evidence.view, brief.reading.limit, brief.limits);
        let said = market::sentences(found, evidence, brief.limits.catalysts_max);
        return [Some(said), table]
            .into_iter()
            .flatten()
            .chain(notes(brief))
            .collect::<Vec<_>>()
            .join("\n\n");
    }
    if evidence.facts.is_empty() && evidence.view.rows.is_empty() {
        let mut parts = vec!["The results hold nothing that answers the question.".to_owned()];
        parts.extend(notes(brief));
        return parts.join("\n\n");
    }
    if !brief.reading.parts.is_empty() {
        let parts = brief.reading.parts.iter().filter_map(|part| of_part(brief, part));
        return parts.chain(notes(brief)).collect::<Vec<_>>().join("\n\n");
    }
    let lead = sentence::lead(brief).map(|lead| cited(lead, evidence, brief.limits.cited_max));
    let said = lead.as_ref().map(|lead| lead.fact);
    let mut parts: Vec<String> = lead.into_iter().map(|lead| lead.text).collect();
    let has_table = evidence.view.columns.len() > 1 && is_tabular(brief);
    parts.extend(if has_table {
        layout::table(&evidence.view, brief.reading.limit, brief.limits)
    } else if is_text(brief) && evidence.facts.len() > 1 {
        Some(layout::lines(&evidence.facts))
    } else {
        layout::list(&evidence.facts, said.flatten(), &evidence.sources)
    });
    parts.extend(notes(brief));
    parts.join("\n\n")
}

/// The lead with the markers of what it rests on before its full stop: its fact, the first of ranked rows, or all rows.
fn cited(mut lead: sentence::Lead, evidence: &Evidence, cited_max: usize) -> sentence::Lead {
    let rows = evidence.view.rows.iter().take(if lead.is_of_rows { 1 } else { usize::MAX });
    let marker = match lead.fact.or(evidence.view.rows.is_empty().then_some(0)) {
        Some(at) => {
            evidence.facts.get(at).map_or_else(String::new, |fact| layout::marker(&evidence.sources, fact))
        }
        None => layout::markers(&evidence.sources, rows, cited_max),
    };
    let end = lead.text.len() - usize::from(lead.text.ends_with(['.', ':']));
    lead.text.insert_str(end, &marker);
    lead
}

/// The answer to one part of a question, from its own facts.
fn of_part(brief: &SynthesisBrief<'_>, part: &Part) -> Option<String> {
    let mut evidence = brief.evidence.clone();
    evidence.facts.retain(|fact| fact.id.starts_with(&format!("{}:", part.key)));
    evidence.view.rows.clear();
    let brief =
        SynthesisBrief { question: &part.question, reading: &part.reading, evidence: &evidence, ..*brief };
    let lead = cited(sentence::lead(&brief)?, &evidence, brief.limits.cited_max);
    let facts = layout::list(&evidence.facts, lead.fact, &evidence.sources);
    Some([Some(lead.text), facts].into_iter().flatten().collect::<Vec<_>>().join("\n\n"))
}

/// Whether the view's rows say more than the facts one by one.
fn is_tabular(brief: &SynthesisBrief<'_>) -> bool {
    let view = &brief.evidence.view;
    let is_plain = view.columns.first().is_some_and(|column| column == "Evidence");
    let is_alone =
        view.rows.len() < 2 && view.kind == ViewKind::Table && brief.reading.form.kind != FormKind::List;
    !view.rows.is_empty() && !is_plain && !is_alone
}

/// Whether the facts are the lines of a text.
fn is_text(brief: &SynthesisBrief<'_>) -> bool {
    !brief.evidence.facts.is_empty() && brief.evidence.facts.iter().all(|fact| fact.label == "Text")
}

/// Assumptions, gaps and that it is sample data, a sentence each.
fn notes(brief: &SynthesisBrief<'_>) -> Vec<String> {
    let evidence = brief.evidence;
    let mut sentences: Vec<String> = evidence.assumptions.iter().map(|text| layout::sentence(text)).collect();
    sentences.extend(evidence.known_unknowns.iter().map(|text| layout::sentence(text)));
    let is_sample = |note: &String| note.to_lowercase().contains("sample data");
    if evidence.sources.iter().filter_map(|source| source.note.as_ref()).any(is_sample) {
        sentences.push("This is sample data, not a real measurement.".to_owned());
    }
    sentences.dedup();
    let notes = (!sentences.is_empty()).then(|| sentences.join(" "));
    notes.into_iter().chain(layout::sources(&evidence.sources)).collect()
}

#[cfg(test)]
mod tests;
