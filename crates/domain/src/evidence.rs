//! The evidence package of an answer.

use jiff::Timestamp;
use serde_json::Value;

use crate::MarketIntelligence;

/// Everything that an answer rests on.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    /// The facts, most relevant first.
    pub facts: Vec<Fact>,
    /// Where they come from.
    pub sources: Vec<SourceRef>,
    /// What was assumed, in words for the caller.
    pub assumptions: Vec<String>,
    /// What could not be found out, in words for the caller.
    pub known_unknowns: Vec<String>,
    /// How the facts were taken from the results: `keyword_lookup`, `large_canonical_payload` and so on.
    pub retrieval_reasons: Vec<&'static str>,
    /// The facts laid out.
    pub view: View,
    /// How old they are.
    pub freshness: Freshness,
    /// How far they carry.
    pub confidence: Confidence,
    /// Where they contradict each other.
    pub conflicts: Vec<Conflict>,
    /// The same in the terms of markets, where the question is about them.
    pub market: Option<Box<MarketIntelligence>>,
}

/// One value taken from a result.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// Unique within the answer: `path_lookup:0`.
    pub id: String,
    /// What the value is.
    pub label: String,
    /// Where in the data it stands, as a JSON path from `$`.
    pub path: Option<String>,
    /// How near it is to the question, from 0 to 1.
    pub relevance: Option<f64>,
    /// The value.
    pub value: Value,
    /// The source that it was read from.
    pub source: Option<String>,
}

/// One source: one call's result.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceRef {
    /// Unique within the answer: `source-1`.
    pub id: String,
    /// The listing's name.
    pub provider: String,
    /// The method's name.
    pub dataset: String,
    /// When the data was observed, by its own word, else when it arrived.
    pub observed_at: Timestamp,
    /// When it was published, by its own word.
    pub published_at: Option<Timestamp>,
    /// The result's content address.
    pub artifact: Option<String>,
    /// Where a person can look.
    pub url: Option<String>,
    /// What else to know: the arguments of the call, that it is sample data.
    pub note: Option<String>,
}

/// The facts laid out for a page.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// The layout.
    pub kind: ViewKind,
    /// Its heading.
    pub title: String,
    /// A few numbers to show large.
    pub metrics: Vec<Metric>,
    /// The column headings.
    pub columns: Vec<String>,
    /// The rows; each has as many cells as there are columns.
    pub rows: Vec<ViewRow>,
}

/// The layout of a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViewKind {
    /// Names and values.
    Table,
    /// Ranked rows.
    Leaderboard,
    /// Rows by columns, by magnitude.
    Heatmap,
    /// Rows in time.
    Timeseries,
}

/// One number to show large.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metric {
    /// What it is.
    pub label: String,
    /// Its text.
    pub value: String,
    /// How to colour it.
    pub tone: Option<Tone>,
}

/// One row of a view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViewRow {
    /// Unique within the view.
    pub key: String,
    /// Its cells.
    pub cells: Vec<String>,
    /// How to colour it.
    pub tone: Option<Tone>,
    /// The sources that it was read from.
    pub sources: Vec<String>,
}

/// How to colour something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Good.
    Positive,
    /// Bad.
    Negative,
    /// Neither.
    Neutral,
    /// Take care.
    Caution,
}

/// How old the evidence is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Freshness {
    /// The newest observation.
    pub as_of: Option<Timestamp>,
    /// Every source's observation, newest first, without repeats.
    pub observed: Vec<Timestamp>,
}

/// How far the evidence carries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confidence {
    /// The level.
    pub level: Level,
    /// Why that level.
    pub reason: String,
    /// Facts read from results.
    pub verified_facts: usize,
    /// Facts computed from them.
    pub inferred_facts: usize,
    /// What is missing.
    pub gaps: Vec<Gap>,
}

/// A level of confidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Little to rest on.
    Low,
    /// Some gaps.
    Medium,
    /// No gaps.
    High,
}

/// Something that is missing from the evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// What kind.
    pub code: GapCode,
    /// How much it matters.
    pub severity: Severity,
    /// The particulars.
    pub detail: String,
}

/// Values of one thing that sources give differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// What it is of, in words.
    pub detail: String,
    /// What each source says: its id, and its value as it stands.
    pub sides: [(String, String); 2],
}

/// What kind of gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GapCode {
    /// A result was larger than what was looked at.
    ContextTruncated,
    /// More rows than were shown.
    LimitedSliceCoverage,
    /// The calls gave nothing.
    EmptyCanonicalPayload,
    /// A call failed.
    UpstreamFailure,
    /// A budget of the request kept a call from being made.
    BudgetSpent,
    /// Something that the question names is in no result.
    EntityNotCovered,
    /// A field that was due is null or absent.
    MissingField,
    /// The data is older than the question allows.
    StaleData,
    /// More pages were there than were read.
    PaginationLeftOver,
    /// Two sources give different values for one thing.
    ConflictingValues,
    /// The written answer said what no source says.
    UnsupportedStatement,
}

impl GapCode {
    /// The word of the wire.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::ContextTruncated => "context_truncated",
            Self::LimitedSliceCoverage => "limited_slice_coverage",
            Self::EmptyCanonicalPayload => "empty_canonical_payload",
            Self::UpstreamFailure => "upstream_failure",
            Self::BudgetSpent => "budget_spent",
            Self::EntityNotCovered => "entity_not_covered",
            Self::MissingField => "missing_field",
            Self::StaleData => "stale_data",
            Self::PaginationLeftOver => "pagination_left_over",
            Self::ConflictingValues => "conflicting_values",
            Self::UnsupportedStatement => "unsupported_statement",
        }
    }
}

/// How much a gap matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// A blemish.
    Low,
    /// Part of the answer.
    Medium,
    /// The heart of the answer.
    High,
}
