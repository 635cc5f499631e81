//! What was written, held against what was gathered.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use cite::{Cited, Passage, SentenceSupport, SourceText, Sources, Style};

use super::{
    Citation, Gathered, ReasonGap, ReasonGapKind, ReasonReport, Reasoned, Source, SourceConflict, Written,
};
use crate::library::blocking;
use crate::{Error, Library};

/// How rare terms are in a library, by term. All that a check wants to know of the library.
pub type Rarities = BTreeMap<String, f64>;

impl Library {
    /// Holds what was written against what was gathered; and how rare the terms are that this hung on.
    pub async fn check(&self, gathered: Gathered, written: Written) -> Result<(Reasoned, Rarities), Error> {
        let (index, policy) = (Arc::clone(&self.index), Arc::clone(&self.policy));
        blocking(move || {
            let rarity_of = index.rarities()?;
            let known: RefCell<Rarities> = RefCell::default();
            let rarity = |term: &str| {
                let mut known = known.borrow_mut();
                known.get(term).copied().unwrap_or_else(|| {
                    let rarity = rarity_of(term).unwrap_or(0.0);
                    known.insert(term.to_owned(), rarity);
                    rarity
                })
            };
            let reasoned = checked(gathered, &written, rarity, &policy);
            Ok((reasoned, known.into_inner()))
        })
        .await
    }
}

/// The same without the library, for terms that are as rare as this.
#[must_use]
pub fn check_by(
    rarities: &Rarities,
    gathered: Gathered,
    written: &Written,
    policy: &policy::Library,
) -> Reasoned {
    checked(gathered, written, |term| rarities.get(term).copied().unwrap_or(0.0), policy)
}

/// Holds what was written against what was gathered.
pub(super) fn checked(
    gathered: Gathered,
    written: &Written,
    rarity: impl Fn(&str) -> f64,
    policy: &policy::Library,
) -> Reasoned {
    let mut report = ReasonReport { was_synthesized: true, ..gathered.report() };
    let sources = gathered.sources;
    let known: Sources = sources.iter().map(|source| source.chunk_id.as_str()).collect();
    let cited = cite::cite(&written.answer, &known, Style::Numbers, policy.markers.hold_bytes_max);
    let passages: BTreeMap<usize, Passage> = cited
        .numbering
        .iter()
        .filter_map(|ordinal| Some((*ordinal, Passage::of(&sources.get(ordinal - 1)?.read()))))
        .collect();
    let support = cite::supports(&cited, |ordinal| passages.get(&ordinal), &rarity, &policy.support);
    let told = told_conflicts(written, sources.len(), &mut report);
    let texts: Vec<SourceText<'_>> = sources
        .iter()
        .enumerate()
        .map(|(at, source)| SourceText { source: at + 1, text: &source.content })
        .collect();
    let found = cite::conflicts(&texts, &rarity, &policy.conflicts);
    let conflicts = found.into_iter().map(SourceConflict::Found).chain(told).collect();
    report.citations_dropped +=
        cited.dropped.unknown + written.cited.iter().filter(|ordinal| known.id(**ordinal).is_none()).count();
    report.markers_stripped = cited.dropped.unknown;
    report.markers_repeated = cited.dropped.repeated;
    report.weak_citations = support
        .iter()
        .flat_map(|sentence| &sentence.citations)
        .filter(|citation| citation.support.strength == cite::Strength::Weak)
        .count();
    let gaps = gaps(written, &cited, report.evidence_truncated);
    let is_answer = !cited.numbering.is_empty();
    let citations = citations(&cited, &support, &sources, policy.reason.quote_chars_max);
    Reasoned {
        answer: if is_answer { cited.text } else { String::new() },
        support: if is_answer { support } else { Vec::new() },
        citations,
        gaps,
        conflicts,
        sources,
        report,
    }
}

fn gaps(written: &Written, cited: &Cited, is_truncated: bool) -> Vec<ReasonGap> {
    let mut gaps: Vec<ReasonGap> = written
        .gaps
        .iter()
        .filter(|gap| !gap.trim().is_empty())
        .map(|gap| ReasonGap { kind: ReasonGapKind::Missing, detail: Some(gap.trim().to_owned()) })
        .collect();
    if !written.is_sufficient && gaps.is_empty() {
        gaps.push(ReasonGap { kind: ReasonGapKind::Insufficient, detail: None });
    }
    if cited.numbering.is_empty() {
        gaps.push(ReasonGap { kind: ReasonGapKind::UncitedAnswer, detail: None });
    }
    if is_truncated {
        gaps.push(ReasonGap { kind: ReasonGapKind::EvidenceTruncated, detail: None });
    }
    gaps
}

/// The conflicts that the writer tells of, each with two sources that there are.
fn told_conflicts(written: &Written, sources: usize, report: &mut ReasonReport) -> Vec<SourceConflict> {
    let mut told = Vec::new();
    for (text, ordinals) in &written.conflicts {
        let mut known: Vec<usize> =
            ordinals.iter().copied().filter(|one| (1..=sources).contains(one)).collect();
        known.sort_unstable();
        known.dedup();
        if known.len() >= 2 && !text.trim().is_empty() {
            told.push(SourceConflict::Told { text: text.trim().to_owned(), sources: known });
        } else {
            report.citations_dropped += 1;
        }
    }
    told
}

fn citations(
    cited: &Cited,
    support: &[SentenceSupport],
    sources: &[Source],
    quote_chars_max: usize,
) -> Vec<Citation> {
    let mut weakest: BTreeMap<usize, cite::Support> = BTreeMap::new();
    for one in support.iter().flat_map(|sentence| &sentence.citations) {
        let known = weakest.entry(one.number).or_insert(one.support);
        if one.support.score < known.score {
            *known = one.support;
        }
    }
    let mut citations = Vec::with_capacity(cited.numbering.len());
    for (at, ordinal) in cited.numbering.iter().enumerate() {
        let Some(source) = sources.get(ordinal - 1) else { continue };
        let number = at + 1;
        let mut sentences =
            support.iter().filter(|one| one.citations.iter().any(|cited| cited.number == number));
        let sentence = sentences.next().map_or("", |one| &cited.text[one.range.clone()]);
        let quote = source.quote(sentence, quote_chars_max);
        citations.push(Citation { number, ordinal: *ordinal, quote, support: weakest.get(&number).copied() });
    }
    citations
}
