//! Documents: how well the library finds what answers a question, beside flat BM25 in the same run, and how well its
//! confidence tells questions that can be answered from those that cannot.
//!
//! A set is a directory with questions (`queries.jsonl`). One that comes cut into chunks (`chunks.jsonl`) is judged by
//! paragraph; one of texts (`corpus.jsonl`), which the library cuts itself, by text: a text ranks as its best paragraph does.
//! A directory of claims has none of these, only claims with the passages that they rest on.

mod auc;
mod claims;
mod corpus;
mod flat;
mod gates;
mod sets;

use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::metrics::{Interval, Mean, Quantiles, Relevance, Share, ndcg_at, recall_at};
use crate::{EvalFault, metrics::number};
pub use auc::Auc;
pub use claims::ClaimsReport;
use corpus::Asked;
use flat::Flat;
pub(crate) use gates::SetGates;
pub use gates::{SetFigure, SetMeasure};
use sets::Shelf;

/// Why documents cannot be measured.
#[derive(Debug, thiserror::Error)]
pub enum DocumentsFault {
    /// A set cannot be read.
    #[error(transparent)]
    Set(#[from] EvalFault),
    /// The library failed.
    #[error("the library failed")]
    Library(#[from] library::Error),
    /// The store failed.
    #[error("the store failed")]
    Store(#[from] store::Error),
}

/// How well the library did over the sets of a directory.
#[derive(Clone, Debug, Serialize)]
pub struct DocumentsReport {
    /// The sets that there were, by name.
    pub sets: Vec<SetReport>,
    /// How well confidence tells what can be answered.
    pub abstention: Vec<AbstentionReport>,
    /// How well the support of claims is told.
    pub claims: Vec<ClaimsReport>,
    /// What was not measured, with the reason.
    pub skipped: Vec<String>,
}

/// How well the library did over one set.
#[derive(Clone, Debug, Serialize)]
pub struct SetReport {
    /// The set.
    pub name: String,
    /// Whether questions were put with the turn before them.
    pub with_history: bool,
    /// Questions that something answers.
    pub questions: usize,
    /// What was searched: paragraphs or texts.
    pub items: usize,
    /// Flat BM25 over the same items.
    pub flat: Ranked,
    /// The library.
    pub library: Ranked,
    /// The library less flat BM25, question by question.
    pub gain: Gain,
    /// How long the library's searches took.
    pub latency: Quantiles,
}

/// Measures of ranking, each a mean over questions.
#[derive(Clone, Debug, Serialize)]
pub struct Ranked {
    /// The share of the wanted items among the first five.
    pub recall_at_5: Mean,
    /// The share among the first ten.
    pub recall_at_10: Mean,
    /// Normalized discounted cumulative gain of the first ten.
    pub ndcg_at_10: Mean,
}

/// Differences of measures.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Gain {
    /// Of recall at five.
    pub recall_at_5: Difference,
    /// Of recall at ten.
    pub recall_at_10: Difference,
    /// Of nDCG at ten.
    pub ndcg_at_10: Difference,
}

/// The mean of differences, with its bootstrap interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// The mean.
    pub value: f64,
    /// What 95 of 100 resamples give.
    pub interval: Interval,
}

/// How well confidence tells questions that can be answered from others.
#[derive(Clone, Debug, Serialize)]
pub struct AbstentionReport {
    /// The set.
    pub name: String,
    /// Whether nothing near is there for the others; otherwise something is.
    pub is_page_absent: bool,
    /// How often more is made of a question that can be answered than of one that cannot.
    pub auc: Auc,
    /// The share of questions that can be answered and are refused at the policy's floor.
    pub refused: Share,
    /// The share of the others that are.
    pub caught: Share,
}

#[derive(Clone, Copy)]
struct Measures([f64; 3]);

impl Measures {
    fn of(ranked: &[usize], relevance: &Relevance) -> Self {
        Self([
            recall_at(5, ranked, relevance),
            recall_at(10, ranked, relevance),
            ndcg_at(10, ranked, relevance),
        ])
    }
}

/// The sets that are looked for; a directory whose name starts so is one of them.
const SETS: [&str; 5] = ["docs-hier", "clapnq", "mtrag-un", "scifact", "claim-support"];

/// Measures the library on every set of a directory. `clock` gives microseconds; `told` hears what is measured next.
pub async fn documents(
    directory: &Path,
    policy: &policy::Library,
    mut clock: impl FnMut() -> u64,
    told: impl Fn(&str),
) -> Result<DocumentsReport, DocumentsFault> {
    let directories = directories(directory)?;
    let mut report =
        DocumentsReport { sets: Vec::new(), abstention: Vec::new(), claims: Vec::new(), skipped: Vec::new() };
    for set in SETS {
        if !directories.iter().any(|(name, _)| name.starts_with(set)) {
            report.skipped.push(format!("{set}: {} has no such directory", directory.display()));
        }
    }
    for (name, path) in &directories {
        told(name);
        if path.join("queries.jsonl").is_file() {
            ranked_and_told(name, path, policy, &mut clock, &mut report).await?;
        } else if let Some(claims) = claims::measured(name, path, &policy.support)? {
            report.claims.push(claims);
        } else {
            report.skipped.push(format!("{name}: no questions and no claims in it"));
        }
    }
    Ok(report)
}

/// The directories of a directory by name, in order.
fn directories(directory: &Path) -> Result<Vec<(String, PathBuf)>, EvalFault> {
    let unreadable = |source| EvalFault::Unreadable { path: directory.to_owned(), source };
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.is_dir() {
            found.push((path.file_name().unwrap_or_default().to_string_lossy().into_owned(), path));
        }
    }
    found.sort();
    Ok(found)
}

async fn ranked_and_told(
    name: &str,
    path: &Path,
    policy: &policy::Library,
    clock: &mut impl FnMut() -> u64,
    report: &mut DocumentsReport,
) -> Result<(), DocumentsFault> {
    let corpus = corpus::read(path)?;
    let shelf = Shelf::of(&corpus, policy, |_| true).await?;
    let flat = Flat::build(corpus.items.iter().map(|item| item.flat_text.as_str()));
    report.sets.push(measured(name, &corpus.asked, &shelf, &flat, false, clock).await?);
    if corpus.asked.iter().any(|asked| asked.previous.is_some()) {
        report.sets.push(measured(name, &corpus.asked, &shelf, &flat, true, clock).await?);
    }
    abstention(name, &corpus, &shelf, policy, &mut report.abstention).await
}

async fn measured(
    name: &str,
    asked: &[Asked],
    shelf: &Shelf,
    flat: &Flat,
    with_history: bool,
    clock: &mut impl FnMut() -> u64,
) -> Result<SetReport, DocumentsFault> {
    let (mut flats, mut owns, mut durations) = (Vec::new(), Vec::new(), Vec::new());
    for asked in asked.iter().filter(|asked| !asked.relevant.is_empty()) {
        let relevance = Relevance { items: asked.relevant.clone(), any_of: false };
        let ranked = flat.search(&asked.question, |item| shelf.is_in_scope(item, asked.scope.as_deref()));
        flats.push(Measures::of(&ranked, &relevance));
        let started = clock();
        let found = shelf.search(asked, with_history).await?;
        durations.push(clock().saturating_sub(started));
        owns.push(Measures::of(&found.items, &relevance));
    }
    Ok(SetReport {
        name: name.to_owned(),
        with_history,
        questions: owns.len(),
        items: shelf.len(),
        flat: ranked(&flats),
        library: ranked(&owns),
        gain: gain(&flats, &owns),
        latency: Quantiles::of(durations),
    })
}

fn ranked(measures: &[Measures]) -> Ranked {
    let mean = |at: usize| Mean::of(&measures.iter().map(|Measures(values)| values[at]).collect::<Vec<_>>());
    Ranked { recall_at_5: mean(0), recall_at_10: mean(1), ndcg_at_10: mean(2) }
}

fn gain(flats: &[Measures], owns: &[Measures]) -> Gain {
    let of = |at: usize| {
        let differences: Vec<f64> =
            owns.iter().zip(flats).map(|(own, flat)| own.0[at] - flat.0[at]).collect();
        let value = differences.iter().sum::<f64>() / number(differences.len().max(1));
        let interval = auc::resampled(differences.len(), |chosen| {
            chosen.iter().map(|at| differences[*at]).sum::<f64>() / number(chosen.len().max(1))
        });
        Difference { value, interval }
    };
    Gain { recall_at_5: of(0), recall_at_10: of(1), ndcg_at_10: of(2) }
}

/// Questions that are answered against those that are not: because nothing near is there, or though something is.
async fn abstention(
    name: &str,
    corpus: &corpus::Corpus,
    shelf: &Shelf,
    policy: &policy::Library,
    reports: &mut Vec<AbstentionReport>,
) -> Result<(), DocumentsFault> {
    let (mut answered, mut others) = (Vec::new(), Vec::new());
    for asked in &corpus.asked {
        let Some(is_answerable) = asked.is_answerable else { continue };
        let confidence = shelf.search(asked, true).await?.confidence;
        if is_answerable {
            answered.push(confidence);
        } else {
            others.push(confidence);
        }
    }
    let floor = policy.reason.confidence_min;
    if !others.is_empty() {
        reports.push(told_apart(name, corpus.is_cut, (&answered, &others), floor));
    }
    if corpus.is_cut || corpus.asked.iter().all(|asked| asked.has_distractor != Some(true)) {
        return Ok(());
    }
    let wanted = |item: usize| corpus.asked.iter().any(|asked| asked.relevant.contains(&item));
    let without = Shelf::of(corpus, policy, |item| !wanted(item)).await?;
    let mut absent = Vec::new();
    for asked in corpus.asked.iter().filter(|asked| asked.is_answerable == Some(true)) {
        absent.push(without.search(asked, true).await?.confidence);
    }
    reports.push(told_apart(name, true, (&answered, &absent), floor));
    Ok(())
}

fn told_apart(
    name: &str,
    is_page_absent: bool,
    (answered, others): (&[f64], &[f64]),
    floor: f64,
) -> AbstentionReport {
    let below = |values: &[f64]| Share::count(values.iter().map(|value| *value < floor));
    AbstentionReport {
        name: name.to_owned(),
        is_page_absent,
        auc: Auc::of(answered, others),
        refused: below(answered),
        caught: below(others),
    }
}

#[cfg(test)]
mod tests;
