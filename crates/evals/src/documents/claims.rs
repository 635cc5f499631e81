//! Claims of people with the passages that they rest on: how often a citation of another passage is flagged.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use cite::{Passage, Strength, support};
use policy::SupportWeights;
use reading::words;
use serde::{Deserialize, Serialize};

use super::corpus::lines;
use crate::EvalFault;
use crate::metrics::{Share, number};

/// How far the support of claims by passages can be told.
#[derive(Clone, Debug, Serialize)]
pub struct ClaimsReport {
    /// The set.
    pub name: String,
    /// Citations of a passage of another claim that are flagged as weak.
    pub swapped: Share,
    /// Citations of the claim's own passage that are.
    pub false_alarms: Share,
}

/// So far away in the file stands the claim whose passage is cited instead.
const SHIFTS: [usize; 5] = [1, 7, 31, 101, 211];

#[derive(Deserialize)]
struct Line {
    label: String,
    claim: String,
    evidence: Vec<String>,
    #[serde(default)]
    meta: Meta,
}

#[derive(Default, Deserialize)]
struct Meta {
    #[serde(default)]
    claim_title: String,
}

struct Case {
    origin: String,
    claim: Passage,
    passage: Passage,
}

/// Measures the claims of a directory; nothing where it has none.
pub(super) fn measured(
    name: &str,
    directory: &Path,
    weights: &SupportWeights,
) -> Result<Option<ClaimsReport>, EvalFault> {
    let unreadable = |source| EvalFault::Unreadable { path: directory.to_owned(), source };
    let mut files = Vec::new();
    for entry in fs::read_dir(directory).map_err(unreadable)? {
        files.push(entry.map_err(unreadable)?.path());
    }
    files.retain(|path| path.extension().is_some_and(|ending| ending == "jsonl"));
    files.sort();
    let mut read: Vec<Line> = Vec::new();
    for file in files {
        read.extend(lines::<Line>(&file)?);
    }
    if read.is_empty() {
        return Ok(None);
    }
    let rarity = rarities(&read);
    let cases: Vec<Case> = read
        .into_iter()
        .filter(|line| line.label == "supported")
        .map(|line| Case {
            origin: line.meta.claim_title,
            claim: Passage::of(&line.claim),
            passage: Passage::of(&line.evidence.join("\n")),
        })
        .collect();
    let is_weak = |claim: &Passage, passage: &Passage| {
        support(claim, passage, &rarity, weights).strength == Strength::Weak
    };
    let false_alarms = Share::count(cases.iter().map(|case| is_weak(&case.claim, &case.passage)));
    let mut swapped = Share::default();
    for shift in SHIFTS {
        for (at, case) in cases.iter().enumerate() {
            let other = &cases[(at + shift) % cases.len()];
            let is_another = other.claim != case.claim && other.passage != case.passage;
            if is_another && (other.origin != case.origin || case.origin.is_empty()) {
                swapped.add(is_weak(&case.claim, &other.passage));
            }
        }
    }
    Ok(Some(ClaimsReport { name: name.to_owned(), swapped, false_alarms }))
}

/// How much a term tells among all passages.
fn rarities(read: &[Line]) -> impl Fn(&str) -> f64 + use<> {
    let mut holders: BTreeMap<String, usize> = BTreeMap::new();
    for line in read {
        let mut terms: Vec<String> =
            words::words(&line.evidence.join("\n")).into_iter().map(|word| word.stem).collect();
        terms.sort();
        terms.dedup();
        for term in terms {
            *holders.entry(term).or_default() += 1;
        }
    }
    let all = number(read.len());
    move |term| {
        let holding = number(holders.get(term).copied().unwrap_or(0));
        (1.0 + (all - holding + 0.5) / (holding + 0.5)).ln()
    }
}
