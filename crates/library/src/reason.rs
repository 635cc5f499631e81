//! An answer from documents: gather, abstain or write, check.
//!
//! What is gathered is packed whole within the limits. Where nothing covers the question nobody is asked to write. What is
//! written is checked: markers that lead nowhere are taken out, an answer without one that leads somewhere becomes a gap, and
//! so does what the writer calls insufficient. Conflicts are found between the sources themselves, whatever the writer says.
//! Nothing is kept.

mod check;
mod extractive;
mod gather;
mod plain;

use std::future::Future;

use cite::{Conflict, SentenceSupport};

use crate::search::Question;
use crate::{Error, Library, Quote, Retrieval, Scope};
pub use check::{Rarities, check_by};
pub use extractive::Extractive;
pub use gather::{Gathered, Source};

/// Writes an answer from sources. Two do it: [`Extractive`], which needs no model, and the caller's models.
pub trait Synthesizer: Send + Sync {
    /// Writes an answer. Sources are cited as `[ordinal]` or `[[chunk id]]`.
    fn write(&self, evidence: &Evidence<'_>) -> impl Future<Output = Result<Written, SynthesisFault>> + Send;
}

/// What an answer may rest on.
#[derive(Clone, Copy, Debug)]
pub struct Evidence<'a> {
    /// The question.
    pub question: &'a str,
    /// The sources; the first has ordinal 1.
    pub sources: &'a [Source],
    /// The share of the question's terms that the best source has, from 0 to 1.
    pub coverage: f64,
}

/// What a synthesizer wrote.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// The answer, with its markers.
    pub answer: String,
    /// Sources that it says it used, by ordinal, whether or not a marker stands for them.
    pub cited: Vec<usize>,
    /// What it could not find, in words for the caller.
    pub gaps: Vec<String>,
    /// Where sources contradict each other, with their ordinals.
    pub conflicts: Vec<(String, Vec<usize>)>,
    /// Whether the sources suffice.
    pub is_sufficient: bool,
}

/// A synthesizer that gave nothing. What was gathered is not lost with it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no answer could be written: {0}")]
pub struct SynthesisFault(pub String);

/// An answer with everything that it rests on.
#[derive(Clone, Debug, PartialEq)]
pub struct Reasoned {
    /// The answer as readers see it; empty where there is none.
    pub answer: String,
    /// What it cites; the first has number 1.
    pub citations: Vec<Citation>,
    /// What is missing.
    pub gaps: Vec<ReasonGap>,
    /// Where sources contradict each other.
    pub conflicts: Vec<SourceConflict>,
    /// Each sentence with how far its citations carry it.
    pub support: Vec<SentenceSupport>,
    /// What was gathered, cited or not.
    pub sources: Vec<Source>,
    /// How it came about.
    pub report: ReasonReport,
}

/// A source that an answer cites.
#[derive(Clone, Debug, PartialEq)]
pub struct Citation {
    /// The number that readers see.
    pub number: usize,
    /// The source's ordinal, by which [`Reasoned::sources`] has it.
    pub ordinal: usize,
    /// What of the source carries the answer best.
    pub quote: Quote,
    /// The weakest support that a sentence has by this citation.
    pub support: Option<cite::Support>,
}

/// Something that an answer lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReasonGap {
    /// Why.
    pub kind: ReasonGapKind,
    /// What, in the writer's words where it has any.
    pub detail: Option<String>,
}

/// Why something is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReasonGapKind {
    /// Nothing in the scope has to do with the question.
    NoEvidence,
    /// What there is covers too little of the question.
    LowCoverage,
    /// The writer says that the sources do not suffice.
    Insufficient,
    /// The answer cited nothing that there is.
    UncitedAnswer,
    /// The writer names something that it could not find.
    Missing,
    /// Sources were left out for their size.
    EvidenceTruncated,
}

/// Sources that contradict each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceConflict {
    /// By their own words.
    Found(Conflict),
    /// By the writer's word, with two or more ordinals.
    Told {
        /// What it says.
        text: String,
        /// The sources.
        sources: Vec<usize>,
    },
}

/// How an answer came about.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReasonReport {
    /// Chunks that were gathered.
    pub chunks_gathered: usize,
    /// By what they were found.
    pub retrieval: Retrieval,
    /// The share of the question's terms that the best source has, from 0 to 1.
    pub coverage: f64,
    /// How sure it is that the question can be answered, from 0 to 1.
    pub confidence: f64,
    /// Tokens of the evidence, by the policy's count of characters.
    pub evidence_tokens: usize,
    /// Whether sources were left out for their size.
    pub evidence_truncated: bool,
    /// Whether a synthesizer was asked.
    pub was_synthesized: bool,
    /// Citations that pointed to nothing: markers, and sources or conflicts that the writer named.
    pub citations_dropped: usize,
    /// Markers that pointed to nothing and were taken out.
    pub markers_stripped: usize,
    /// Markers that repeated the one before.
    pub markers_repeated: usize,
    /// Citations whose support is weak.
    pub weak_citations: usize,
}

/// What may be asked of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReasonLimits {
    /// Chunks at the most.
    pub chunks: Option<usize>,
    /// Tokens of evidence at the most.
    pub tokens: Option<usize>,
}

/// An answer, or what was gathered for one that could not be written.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// An answer, perhaps an empty one with its gaps.
    Answer(Box<Reasoned>),
    /// The synthesizer failed.
    Unwritten {
        /// What was gathered.
        sources: Vec<Source>,
        /// Why.
        fault: SynthesisFault,
    },
}

/// An answer that is yet to be held against its sources, or its ending before that.
#[derive(Clone, Debug, PartialEq)]
pub enum Draft {
    /// It ends without anything to check.
    Ended(Ending),
    /// It was written: [`Library::check`] comes next.
    Written {
        /// From this.
        gathered: Gathered,
        /// What.
        written: Written,
    },
}

impl Library {
    /// Answers a question from a scope.
    pub async fn reason(
        &self,
        scope: &Scope,
        question: Question<'_>,
        limits: ReasonLimits,
        synthesizer: &impl Synthesizer,
    ) -> Result<Ending, Error> {
        let gathered = self.gather(scope, question, limits).await?;
        match draft(&self.policy, question.text, gathered, synthesizer).await {
            Draft::Ended(ending) => Ok(ending),
            Draft::Written { gathered, written } => {
                let (reasoned, _) = self.check(gathered, written).await?;
                Ok(Ending::Answer(Box::new(reasoned)))
            }
        }
    }
}

/// Abstains, or has an answer written. Wants nothing of the library.
pub async fn draft(
    policy: &policy::Library,
    question: &str,
    gathered: Gathered,
    synthesizer: &impl Synthesizer,
) -> Draft {
    let kind = match gathered.sources.as_slice() {
        [] => Some(ReasonGapKind::NoEvidence),
        _ if !suffices(&gathered, policy) => Some(ReasonGapKind::LowCoverage),
        _ => None,
    };
    if let Some(kind) = kind {
        return Draft::Ended(Ending::Answer(Box::new(abstained(gathered, kind))));
    }
    let evidence = Evidence { question, sources: &gathered.sources, coverage: gathered.coverage };
    match synthesizer.write(&evidence).await {
        Ok(written) => Draft::Written { gathered, written },
        Err(fault) => Draft::Ended(Ending::Unwritten { sources: gathered.sources, fault }),
    }
}

/// Whether what was gathered speaks of the question, by its words or by its meaning.
fn suffices(gathered: &Gathered, policy: &policy::Library) -> bool {
    gathered.confidence >= policy.reason.confidence_min
        || gathered.likeness >= policy.search.fusion.likeness_min
}

fn abstained(gathered: Gathered, kind: ReasonGapKind) -> Reasoned {
    Reasoned {
        answer: String::new(),
        citations: Vec::new(),
        gaps: vec![ReasonGap { kind, detail: None }],
        conflicts: Vec::new(),
        support: Vec::new(),
        report: gathered.report(),
        sources: gathered.sources,
    }
}

#[cfg(test)]
mod tests;
