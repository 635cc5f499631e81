//! Documents, their search, and the answers from them.

use serde::Deserialize;

use crate::range::{OutOfRange, at_least_one, within};

/// `library.toml`: documents and the answers from them.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Library {
    /// What may be taken in.
    pub documents: DocumentLimits,
    /// How long paragraphs are.
    pub chunks: ChunkSizes,
    /// How chunks are ranked.
    pub search: ChunkRanking,
    /// How items are found.
    pub find: Finding,
    /// How often a caller may ask.
    pub rates: RequestRates,
    /// Sessions of searches.
    pub sessions: SearchSessions,
    /// How far an expansion goes.
    pub expand: Expansion,
    /// What is done for one question of a conversation.
    pub explore: Exploration,
    /// How an answer is put together.
    pub reason: Reasoning,
    /// Markers in answers.
    pub markers: MarkerLimits,
    /// How support is scored.
    pub support: SupportWeights,
    /// What counts as a conflict.
    pub conflicts: ConflictRules,
}

/// What may be taken in.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DocumentLimits {
    /// Bytes of one document as it is given.
    pub bytes_max: usize,
    /// Characters of its text.
    pub chars_max: usize,
    /// Chunks of one document.
    pub chunks_max: usize,
    /// Characters of a title.
    pub title_chars_max: usize,
    /// Tags of one document.
    pub tags_max: usize,
    /// Characters of a tag.
    pub tag_chars_max: usize,
    /// Documents of one page where the caller does not say.
    pub page_default: usize,
    /// Documents of one page at the most.
    pub page_max: usize,
}

/// How long paragraphs are, in words.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChunkSizes {
    /// Shorter ones are put together with what follows.
    pub words_min: usize,
    /// Longer ones are split.
    pub words_max: usize,
}

/// How chunks are ranked against a question.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChunkRanking {
    /// What the headings of a paragraph count, beside its text.
    pub heading_weight: f32,
    /// What its section counts.
    pub section_weight: f32,
    /// What its document counts.
    pub document_weight: f32,
    /// Candidates drawn at each level.
    pub candidates_max: usize,
    /// Paragraphs of one document among the results.
    pub per_document_max: usize,
    /// Results where the caller does not say.
    pub results_default: usize,
    /// Results at the most.
    pub results_max: usize,
    /// Characters of a query.
    pub query_chars_max: usize,
    /// Different terms that are looked up.
    pub terms_max: usize,
    /// Paragraphs with all the words that are read where words are looked for as they stand.
    pub literal_candidates_max: usize,
    /// Memory of the index writer, in bytes.
    pub writer_bytes: usize,
    /// How the turns of a conversation count.
    pub turns: TurnWeights,
    /// How sure it is that a question can be answered.
    pub confidence: ConfidenceWeights,
    /// Words that are a slip away.
    pub typos: ChunkTypos,
    /// How what words find is joined with what vectors find.
    pub fusion: Fusion,
}

/// How what words find is joined with what vectors find: by rank.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fusion {
    /// What a place among those with the words counts.
    pub lexical_weight: f64,
    /// What a place among those with the meaning counts.
    pub vector_weight: f64,
    /// The larger, the less the first places stand out.
    pub rank_constant: u32,
    /// The share of a scope's paragraphs that must have vectors, from 0 to 1.
    pub embedded_min: f64,
    /// The likeness from which a paragraph is evidence though it shares no word with the question, from 0 to 1.
    pub likeness_min: f64,
    /// Vectors held in memory, in bytes.
    pub memory_bytes_max: usize,
}

/// What speaks for a question's being answered, each a share from 0 to 1.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConfidenceWeights {
    /// What the best chunk has of the question's terms.
    pub coverage_weight: f64,
    /// How much it speaks of them.
    pub depth_weight: f64,
    /// How far it stands out from those that follow it.
    pub lead_weight: f64,
}

/// How the turns of a conversation count.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TurnWeights {
    /// The question.
    pub last_weight: f32,
    /// The user's turn before it.
    pub previous_weight: f32,
}

/// Words of a question that no chunk has.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChunkTypos {
    /// The coverage below which such words are looked at, from 0 to 1.
    pub coverage_below: f64,
    /// Letters that a word must have.
    pub chars_min: usize,
    /// Words of one question.
    pub words_max: usize,
    /// What a match counts, as a share of the word itself, from 0 to 1.
    pub share: f32,
}

/// How items are found.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// The score below which an item is left out, from 0 to 1.
    pub score_min: f64,
    /// Items at the most.
    pub results_max: usize,
    /// Characters on each side of a match.
    pub highlight_chars: usize,
    /// Headings that the catalog's listing names.
    pub headings_max: usize,
}

/// How often a caller may ask, over a window that slides.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RequestRates {
    /// The window, in seconds.
    pub window_seconds: u32,
    /// Requests that only read.
    pub readonly_max: usize,
    /// Other requests.
    pub api_max: usize,
    /// Callers that are remembered.
    pub callers_max: usize,
}

/// Sessions, whose searches leave out what was shown.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchSessions {
    /// How long one lives.
    pub minutes: u32,
    /// How many may be open.
    pub open_max: usize,
    /// Chunks that one remembers.
    pub chunks_max: usize,
}

/// How far an expansion goes.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expansion {
    /// Chunks to a side where the caller does not say.
    pub count_default: usize,
    /// Chunks to a side at the most.
    pub count_max: usize,
}

/// How an answer is put together.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reasoning {
    /// Chunks gathered where the caller does not say.
    pub chunks_default: usize,
    /// Chunks gathered at the most.
    pub chunks_max: usize,
    /// Tokens of evidence where the caller does not say.
    pub tokens_default: usize,
    /// Tokens of evidence at the most.
    pub tokens_max: usize,
    /// Characters that count as one token.
    pub chars_per_token: usize,
    /// Confidence below which nothing is asked of a model, from 0 to 1.
    pub confidence_min: f64,
    /// Sentences of an answer that is put together without a model.
    pub sentences_max: usize,
    /// Characters of a quote.
    pub quote_chars_max: usize,
}

/// What is done for one question of a conversation about documents.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exploration {
    /// Searches, reads and expansions.
    pub moves_max: usize,
    /// Requests to models for the next move or the answer, repeats of one request left out.
    pub model_requests_max: usize,
    /// Passages that are gathered.
    pub passages_max: usize,
    /// The share of a question's terms that is enough, from 0 to 1: rules look no further.
    pub coverage_enough: f64,
}

/// Markers in answers.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MarkerLimits {
    /// Bytes that are looked ahead for a marker, a link or a code span.
    pub hold_bytes_max: usize,
}

/// How support is scored.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SupportWeights {
    /// What pairs of words count, where single words count 1.
    pub pairs_weight: f64,
    /// What names count.
    pub names_weight: f64,
    /// What numbers count.
    pub numbers_weight: f64,
    /// The score from which on support is strong, from 0 to 1.
    pub strong_min: f64,
}

/// What counts as a conflict.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConflictRules {
    /// The share of two sentences' terms, by rarity, that they must have in common, from 0 to 1.
    pub subject_overlap_min: f64,
    /// How many terms they must have in common.
    pub subject_terms_min: usize,
    /// Conflicts that are told.
    pub conflicts_max: usize,
    /// Sentences that are compared.
    pub sentences_max: usize,
}

impl Library {
    pub(crate) fn check(&self) -> Result<(), OutOfRange> {
        self.check_counts()?;
        let sizes = self.chunks;
        within(
            "chunks.words_max",
            sizes.words_max >= 2 * sizes.words_min,
            "must be at least twice words_min",
        )?;
        let weights = [
            ("search.heading_weight", f64::from(self.search.heading_weight)),
            ("search.section_weight", f64::from(self.search.section_weight)),
            ("search.document_weight", f64::from(self.search.document_weight)),
            ("search.turns.last_weight", f64::from(self.search.turns.last_weight)),
            ("search.turns.previous_weight", f64::from(self.search.turns.previous_weight)),
            ("search.confidence.coverage_weight", self.search.confidence.coverage_weight),
            ("search.confidence.depth_weight", self.search.confidence.depth_weight),
            ("search.confidence.lead_weight", self.search.confidence.lead_weight),
            ("search.fusion.lexical_weight", self.search.fusion.lexical_weight),
            ("search.fusion.vector_weight", self.search.fusion.vector_weight),
            ("support.pairs_weight", self.support.pairs_weight),
            ("support.names_weight", self.support.names_weight),
            ("support.numbers_weight", self.support.numbers_weight),
        ];
        for (key, weight) in weights {
            within(key, weight.is_finite() && weight >= 0.0, "must be a number that is not negative")?;
        }
        let shares = [
            ("search.typos.coverage_below", self.search.typos.coverage_below),
            ("search.fusion.embedded_min", self.search.fusion.embedded_min),
            ("search.fusion.likeness_min", self.search.fusion.likeness_min),
            ("find.score_min", self.find.score_min),
            ("search.typos.share", f64::from(self.search.typos.share)),
            ("reason.confidence_min", self.reason.confidence_min),
            ("explore.coverage_enough", self.explore.coverage_enough),
            ("support.strong_min", self.support.strong_min),
            ("conflicts.subject_overlap_min", self.conflicts.subject_overlap_min),
        ];
        for (key, share) in shares {
            within(key, (0.0..=1.0).contains(&share), "must be from 0 to 1")?;
        }
        Ok(())
    }

    fn check_counts(&self) -> Result<(), OutOfRange> {
        let counts = [
            ("documents.bytes_max", self.documents.bytes_max),
            ("documents.chars_max", self.documents.chars_max),
            ("documents.chunks_max", self.documents.chunks_max),
            ("documents.title_chars_max", self.documents.title_chars_max),
            ("documents.tags_max", self.documents.tags_max),
            ("documents.tag_chars_max", self.documents.tag_chars_max),
            ("documents.page_default", self.documents.page_default),
            ("documents.page_max", self.documents.page_max),
            ("chunks.words_min", self.chunks.words_min),
            ("search.candidates_max", self.search.candidates_max),
            ("search.per_document_max", self.search.per_document_max),
            ("search.results_default", self.search.results_default),
            ("search.results_max", self.search.results_max),
            ("search.query_chars_max", self.search.query_chars_max),
            ("search.terms_max", self.search.terms_max),
            ("search.literal_candidates_max", self.search.literal_candidates_max),
            ("search.typos.chars_min", self.search.typos.chars_min),
            ("search.fusion.memory_bytes_max", self.search.fusion.memory_bytes_max),
            ("find.results_max", self.find.results_max),
            ("find.highlight_chars", self.find.highlight_chars),
            ("find.headings_max", self.find.headings_max),
            ("rates.readonly_max", self.rates.readonly_max),
            ("rates.api_max", self.rates.api_max),
            ("rates.callers_max", self.rates.callers_max),
            ("sessions.open_max", self.sessions.open_max),
            ("sessions.chunks_max", self.sessions.chunks_max),
            ("expand.count_default", self.expand.count_default),
            ("expand.count_max", self.expand.count_max),
            ("explore.moves_max", self.explore.moves_max),
            ("explore.model_requests_max", self.explore.model_requests_max),
            ("explore.passages_max", self.explore.passages_max),
            ("reason.chunks_default", self.reason.chunks_default),
            ("reason.chunks_max", self.reason.chunks_max),
            ("reason.tokens_default", self.reason.tokens_default),
            ("reason.tokens_max", self.reason.tokens_max),
            ("reason.chars_per_token", self.reason.chars_per_token),
            ("reason.sentences_max", self.reason.sentences_max),
            ("reason.quote_chars_max", self.reason.quote_chars_max),
            ("conflicts.subject_terms_min", self.conflicts.subject_terms_min),
            ("conflicts.conflicts_max", self.conflicts.conflicts_max),
            ("conflicts.sentences_max", self.conflicts.sentences_max),
        ];
        for (key, count) in counts {
            within(key, count >= 1, "must be at least 1")?;
        }
        at_least_one("sessions.minutes", self.sessions.minutes)?;
        at_least_one("search.fusion.rank_constant", self.search.fusion.rank_constant)?;
        at_least_one("rates.window_seconds", self.rates.window_seconds)?;
        within("markers.hold_bytes_max", self.markers.hold_bytes_max >= 64, "must be at least 64")?;
        within("search.writer_bytes", self.search.writer_bytes >= 15_000_000, "must be at least 15,000,000")
    }
}
