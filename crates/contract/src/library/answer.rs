//! What `reason` answers.

use serde::Serialize;
use utoipa::ToSchema;

/// An answer with everything that it rests on.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Reasoned {
    /// The answer with its markers; empty where there is none.
    pub answer: String,
    /// What it cites; `[1]` is the first.
    pub citations: Vec<Citation>,
    /// What is missing, in words.
    pub gaps: Vec<String>,
    /// Where sources contradict each other, in words, each with two sources.
    pub conflicts: Vec<String>,
    /// How it came about.
    pub meta: ReasonMeta,
    /// The same conflicts for programs; our own addition.
    pub conflict_details: Vec<ConflictDetail>,
    /// The sentences of the answer with how far their citations carry them; our own addition.
    pub sentences: Vec<SentenceBody>,
}

/// A source that an answer cites, or that was gathered for it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Citation {
    /// The chunk.
    pub chunk_id: String,
    /// Its document.
    pub document_id: String,
    /// Its document's title.
    pub document_title: String,
    /// How well it was found, from 0 to 1.
    pub score: f64,
    /// The number of its marker, from 1.
    pub ordinal: usize,
    /// The headings above it, as `A > B`.
    pub section_path: String,
    /// What of it carries the answer best.
    pub quote: QuoteBody,
    /// The weakest support that a sentence has by it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub support: Option<Strength>,
    /// That support from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub support_score: Option<f64>,
    /// Where a person can read its document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Its document's version.
    pub document_version: i64,
}

/// A quote, by which it can be found again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QuoteBody {
    /// The words.
    pub text: String,
    /// Where they begin in the document's text, in bytes.
    pub start: usize,
    /// Where they end there.
    pub end: usize,
    /// Their SHA-256, in hex.
    pub sha256: String,
    /// The path that says whether they still stand there.
    pub check_url: String,
}

/// How far a citation carries a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Strength {
    /// It does.
    Strong,
    /// It does not speak of it.
    Weak,
}

/// A sentence of an answer.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct SentenceBody {
    /// Where it begins in the answer with numbers for markers, in bytes.
    pub start: usize,
    /// Where it ends there.
    pub end: usize,
    /// What it cites.
    pub citations: Vec<SentenceCitation>,
}

/// A citation of a sentence.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct SentenceCitation {
    /// The number of its marker.
    pub ordinal: usize,
    /// From 0 to 1.
    pub score: f64,
    /// What that means.
    pub support: Strength,
}

/// Sources that contradict each other.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ConflictDetail {
    /// `number`, `date`, `version` or `negation` where the sources' own words say it; `told` where a model does.
    pub kind: String,
    /// What they speak of, or what the model says.
    pub subject: String,
    /// The two sources, or more.
    pub sides: Vec<ConflictSide>,
}

/// What one source says.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConflictSide {
    /// The chunk.
    pub chunk_id: String,
    /// Its document.
    pub document_id: String,
    /// Its document's title.
    pub document_title: String,
    /// The value that it gives.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

/// By what chunks were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Retrieval {
    /// Words.
    Lexical,
    /// Words and embeddings.
    Hybrid,
}

/// How an answer came about.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReasonMeta {
    /// Chunks that were gathered.
    pub chunks_gathered: usize,
    /// Citations that pointed to nothing.
    pub citations_dropped: usize,
    /// How long it took, in milliseconds.
    pub latency_ms: u64,
    /// Why nobody was asked to write: `no_evidence` or `low_coverage`; null where somebody was.
    pub abstained: Option<String>,
    /// By what chunks were found.
    pub retrieval: Retrieval,
    /// The share of the question's terms that the best chunk has.
    pub coverage: f64,
    /// How sure it is that the question can be answered, from 0 to 1.
    pub confidence: f64,
    /// Tokens of the evidence, reckoned from its characters.
    pub evidence_tokens: usize,
    /// Whether chunks were left out for their size.
    pub evidence_truncated: bool,
    /// Markers that pointed to nothing and were taken out.
    pub markers_stripped: usize,
    /// Citations that do not speak of what the sentence says.
    pub weak_citations: usize,
    /// The model that wrote it; `extractive` where none did, null where nothing was written.
    pub model: Option<String>,
    /// Tokens of the prompts.
    pub tokens_in: u64,
    /// Tokens of the replies.
    pub tokens_out: u64,
    /// What the model cost, in US dollars, as a decimal string.
    pub cost_usd: String,
}
