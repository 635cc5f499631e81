//! What an answer may rest on: the best chunks, whole, as many as fit.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use store::StoredChunk;

use super::{ReasonLimits, ReasonReport};
use crate::search::Question;
use crate::{Error, Library, Quote, Retrieval, Scope, SearchResult};

/// A chunk that an answer may cite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Source {
    /// Its identifier.
    pub chunk_id: String,
    /// Its document.
    pub document_id: String,
    /// Its document's title.
    pub document_title: String,
    /// Where a person can read it.
    pub document_url: Option<String>,
    /// Its document's version.
    pub document_version: i64,
    /// The headings above it, outermost first.
    pub path: Vec<String>,
    /// Where it stands in the document's text, in bytes.
    pub range: std::ops::Range<usize>,
    /// Its SHA-256, in hex.
    pub sha256: String,
    /// Its words.
    pub content: String,
    /// How well it was found, from 0 to 1.
    pub score: f64,
}

/// What was gathered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gathered {
    /// The sources, best first.
    pub sources: Vec<Source>,
    /// The share of the question's terms that the best one has, by rarity.
    pub coverage: f64,
    /// How sure it is that the question can be answered, from 0 to 1.
    pub confidence: f64,
    /// How like the question's the likest one's meaning is, from 0 to 1; 0 where vectors were not asked.
    pub likeness: f64,
    /// By what they were found.
    pub retrieval: Retrieval,
    /// Their tokens, by the policy's count of characters.
    pub tokens: usize,
    /// Whether some were left out for their size.
    pub is_truncated: bool,
}

impl Gathered {
    pub(super) fn report(&self) -> ReasonReport {
        ReasonReport {
            chunks_gathered: self.sources.len(),
            retrieval: self.retrieval,
            coverage: self.coverage,
            confidence: self.confidence,
            evidence_tokens: self.tokens,
            evidence_truncated: self.is_truncated,
            ..ReasonReport::default()
        }
    }
}

impl Library {
    /// Gathers what an answer to a question may rest on.
    pub async fn gather(
        &self,
        scope: &Scope,
        question: Question<'_>,
        limits: ReasonLimits,
    ) -> Result<Gathered, Error> {
        let reason = &self.policy.reason;
        let chunks_max = limits.chunks.unwrap_or(reason.chunks_default).clamp(1, reason.chunks_max);
        let tokens_max = limits.tokens.unwrap_or(reason.tokens_default).clamp(1, reason.tokens_max);
        let found = self.search(scope, question, Some(chunks_max)).await?;
        let mut gathered = Gathered {
            sources: Vec::new(),
            coverage: 0.0,
            confidence: found.confidence,
            likeness: 0.0,
            retrieval: found.retrieval,
            tokens: 0,
            is_truncated: false,
        };
        for result in found.results.into_iter().filter(|result| self.is_evidence(result)) {
            let tokens = result.chunk.content.chars().count().div_ceil(reason.chars_per_token);
            if gathered.tokens + tokens > tokens_max {
                gathered.is_truncated = true;
                continue;
            }
            gathered.tokens += tokens;
            gathered.coverage = gathered.coverage.max(result.coverage);
            gathered.likeness = gathered.likeness.max(result.likeness);
            gathered.sources.push(Source::of(result.chunk, result.score));
        }
        Ok(gathered)
    }

    /// Whether a result may be evidence at all: one that shares nothing with the question but its document's heading, and
    /// means something else, is none.
    #[must_use]
    pub fn is_evidence(&self, result: &SearchResult) -> bool {
        result.coverage > 0.0 || result.likeness >= self.policy.search.fusion.likeness_min
    }
}

impl Source {
    /// A chunk, found so well.
    #[must_use]
    pub fn of(chunk: StoredChunk, score: f64) -> Self {
        Self {
            chunk_id: chunk.chunk_id,
            document_id: chunk.document_id,
            document_title: chunk.document_title,
            document_url: chunk.document_url,
            document_version: chunk.document_version,
            path: chunk.path,
            range: chunk.range,
            sha256: chunk.sha256,
            content: chunk.content,
            score,
        }
    }

    /// What is read of the source: its headings and its content.
    pub(crate) fn read(&self) -> String {
        format!("{}\n{}", self.path.join(" "), self.content)
    }

    /// The sentence of the source that has most of what a sentence of an answer says; its start where the source's content
    /// is not the document's own words at its range.
    #[must_use]
    pub fn quote(&self, sentence: &str, chars_max: usize) -> Quote {
        let wanted: BTreeSet<String> = reading::words::terms(sentence).into_iter().collect();
        let wanted: Vec<&str> = wanted.iter().map(String::as_str).collect();
        let shared = |range: &std::ops::Range<usize>| {
            let (_, counts) = reading::words::occurrences(&self.content[range.clone()], &wanted);
            counts.into_iter().filter(|count| *count > 0).count()
        };
        let sentences = cite::sentences(&self.content);
        let best = sentences.into_iter().map(|range| (shared(&range), range));
        let best = best.reduce(|best, next| if next.0 > best.0 { next } else { best });
        let range = best.map_or(0..self.content.len(), |(_, range)| range);
        let end = self.content[range.clone()]
            .char_indices()
            .nth(chars_max)
            .map_or(range.end, |(at, _)| range.start + at);
        let text = self.content[range.start..end].to_owned();
        // A part of a table carries its header in front of its range.
        let header = self.content.len().saturating_sub(self.range.len());
        let start = self.range.start + range.start.saturating_sub(header);
        Quote {
            document_id: self.document_id.clone(),
            document_version: self.document_version,
            range: start..start + text.len(),
            sha256: hex::encode(Sha256::digest(&text)),
            text,
        }
    }
}
