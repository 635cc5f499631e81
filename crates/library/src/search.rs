//! Search: a question to the best chunks of a scope.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, PoisonError};

use jiff::Timestamp;
use reading::words;
use store::StoredChunk;

use crate::index::{Candidate, Index, Wanted};
use crate::library::blocking;
use crate::session::Session;
use crate::{Error, Library, Scope};

/// What is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question<'a> {
    /// The question, or the last thing that a user said.
    pub text: &'a str,
    /// What the user said before it.
    pub previous: Option<&'a str>,
}

/// What was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The results, best first.
    pub results: Vec<SearchResult>,
    /// The share of the question's terms, by rarity, that the best result has, from 0 to 1.
    pub coverage: f64,
    /// How sure it is that the question can be answered, from 0 to 1: see the policy's `search.confidence`.
    pub confidence: f64,
    /// How many paragraphs were candidates.
    pub candidates: usize,
    /// Words that no document has, with the ones that were looked up instead.
    pub corrected: Vec<(String, String)>,
}

/// A chunk that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchResult {
    /// The chunk, a paragraph.
    pub chunk: StoredChunk,
    /// From 0 to 1, comparable within one search.
    pub score: f64,
    /// The share of the question's terms that it has, by rarity.
    pub coverage: f64,
    /// How much it speaks of them: BM25, as a share of the most there could be.
    pub depth: f64,
}

impl<'a> Question<'a> {
    /// A question that stands alone.
    #[must_use]
    pub fn alone(text: &'a str) -> Self {
        Self { text, previous: None }
    }
}

impl Library {
    /// Opens a session, whose searches leave out what was shown.
    #[must_use]
    pub fn open_session(&self, caller: &str, now: Timestamp) -> Session {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner).open(caller, now)
    }

    /// Searches a scope. `limit` is held to what the policy allows.
    pub async fn search(
        &self,
        scope: &Scope,
        question: Question<'_>,
        limit: Option<usize>,
    ) -> Result<Found, Error> {
        self.search_without(scope, question, limit, BTreeSet::new()).await
    }

    /// Searches a scope, without what a session has shown, and remembers what is shown now.
    /// [`Error::UnknownSession`] where the caller has no such session.
    pub async fn search_in_session(
        &self,
        scope: &Scope,
        question: Question<'_>,
        limit: Option<usize>,
        session_id: &str,
        now: Timestamp,
    ) -> Result<Found, Error> {
        let shown = {
            let sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
            sessions.shown(session_id, scope.caller(), now).ok_or(Error::UnknownSession)?
        };
        let found = self.search_without(scope, question, limit, shown).await?;
        let numbers = found.results.iter().map(|result| result.chunk.chunk);
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner).show(session_id, numbers);
        Ok(found)
    }

    async fn search_without(
        &self,
        scope: &Scope,
        question: Question<'_>,
        limit: Option<usize>,
        shown: BTreeSet<i64>,
    ) -> Result<Found, Error> {
        let search = &self.policy.search;
        if question.text.chars().count() > search.query_chars_max {
            return Err(Error::TooLarge { what: "search.query_chars_max", most: search.query_chars_max });
        }
        let limit = limit.unwrap_or(search.results_default).clamp(1, search.results_max);
        let (terms, weighted) = (terms(question, search.turns), scope.clone());
        let (index, policy) = (Arc::clone(&self.index), Arc::clone(&self.policy));
        let ranked = blocking(move || rank(&index, &policy.search, terms, &weighted, &shown, limit)).await?;
        let found = self.load(scope, &ranked).await?;
        let typos = search.typos;
        if found.coverage >= typos.coverage_below || ranked.unknown.is_empty() {
            return Ok(found);
        }
        let (index, policy, scope_again) = (Arc::clone(&self.index), Arc::clone(&self.policy), scope.clone());
        let again = blocking(move || ranked.corrected(&index, &policy.search, &scope_again, limit)).await?;
        match again {
            Some(ranked) => self.load(scope, &ranked).await,
            None => Ok(found),
        }
    }

    async fn load(&self, scope: &Scope, ranked: &Ranked) -> Result<Found, Error> {
        let numbers: Vec<i64> = ranked.chosen.iter().map(|candidate| candidate.chunk).collect();
        let scores: BTreeMap<i64, f32> =
            ranked.chosen.iter().map(|candidate| (candidate.chunk, candidate.score)).collect();
        let chunks = self.store.chunks_by_number(&numbers).await?;
        let results: Vec<SearchResult> = chunks
            .into_iter()
            .filter(|chunk| scope.allows(chunk))
            .map(|chunk| {
                let (coverage, depth) = ranked.evidence(&chunk);
                let found = scores.get(&chunk.chunk).copied().unwrap_or_default();
                SearchResult { chunk, score: f64::from(found), coverage, depth }
            })
            .collect();
        let confidence = confidence(&results, self.policy.search.confidence);
        let coverage = results.iter().map(|result| result.coverage).fold(0.0, f64::max);
        let (candidates, corrected) = (ranked.candidates, ranked.corrections.clone());
        Ok(Found { results, coverage, confidence, candidates, corrected })
    }
}

fn confidence(results: &[SearchResult], weights: policy::ConfidenceWeights) -> f64 {
    let coverage = results.iter().map(|result| result.coverage).fold(0.0, f64::max);
    let best = results.iter().map(|result| result.depth).fold(0.0, f64::max);
    let lead = lead(results);
    let all = weights.coverage_weight + weights.depth_weight + weights.lead_weight;
    if all > 0.0 {
        (weights.coverage_weight * coverage + weights.depth_weight * best + weights.lead_weight * lead) / all
    } else {
        coverage
    }
}

/// How far the best result stands out from those that follow it: where a page answers a question it is found alone, and
/// where none does many are found alike. Where fewer follow there is little to compare with: then it is no more than what
/// the best one has of the question.
fn lead(results: &[SearchResult]) -> f64 {
    let Some((best, rest)) = results.split_first() else { return 0.0 };
    if best.score <= 0.0 {
        return 0.0;
    }
    let followers: Vec<f64> = rest.iter().take(FOLLOWERS).map(|result| result.score / best.score).collect();
    let lead = (1.0 - followers.iter().sum::<f64>() / FOLLOWERS_F64).clamp(0.0, 1.0);
    if followers.len() < FOLLOWERS { lead.min(best.coverage) } else { lead }
}

/// Results that the best one is held against.
const FOLLOWERS: usize = 5;
const FOLLOWERS_F64: f64 = 5.0;

/// The terms of a question, each once, with how much it counts: a user's last words twice as much as those before, say.
fn terms(question: Question<'_>, turns: policy::TurnWeights) -> Vec<Wanted> {
    let mut wanted: Vec<Wanted> = Vec::new();
    let mut add = |text: &str, weight: f32| {
        words::each_term(text, |term| match wanted.iter_mut().find(|known| known.term == term) {
            Some(known) => known.weight += weight,
            None => wanted.push(Wanted { term: term.to_owned(), weight }),
        });
    };
    match question.previous {
        None => add(question.text, 1.0),
        Some(previous) => {
            add(question.text, turns.last_weight);
            add(previous, turns.previous_weight);
        }
    }
    wanted
}

/// The chunks that a search shows, and what it takes to say how well they cover the question.
struct Ranked {
    chosen: Vec<Candidate>,
    candidates: usize,
    /// The question's terms with their rarity.
    rarities: Vec<(String, f64)>,
    /// Terms that no chunk has.
    unknown: Vec<String>,
    wanted: Vec<Wanted>,
    shown: BTreeSet<i64>,
    corrections: Vec<(String, String)>,
    average_length: f64,
}

/// BM25's constants, which are the index's own.
const SATURATION: f64 = 1.2;
const LENGTH_NORMALIZATION: f64 = 0.75;

fn rank(
    index: &Index,
    search: &policy::ChunkRanking,
    wanted: Vec<Wanted>,
    scope: &Scope,
    shown: &BTreeSet<i64>,
    limit: usize,
) -> Result<Ranked, Error> {
    let frequencies = index.frequencies(&wanted)?;
    let mut known: Vec<(Wanted, f64)> = Vec::with_capacity(wanted.len());
    let rarity_of = index.rarities()?;
    for wanted in wanted {
        let rarity = rarity_of(&wanted.term)?;
        known.push((wanted, rarity));
    }
    let unknown = known.iter().zip(&frequencies).filter(|(_, frequency)| **frequency == 0);
    let unknown = unknown.map(|((wanted, _), _)| wanted.term.clone()).collect();
    let rarities = known.iter().map(|(wanted, rarity)| (wanted.term.clone(), *rarity)).collect();
    known.sort_by(|one, other| other.1.total_cmp(&one.1));
    known.truncate(search.terms_max);
    let wanted: Vec<Wanted> = known.into_iter().map(|(wanted, _)| wanted).collect();
    let mut ranked = Ranked {
        chosen: Vec::new(),
        candidates: 0,
        rarities,
        unknown,
        wanted,
        shown: shown.clone(),
        corrections: Vec::new(),
        average_length: index.average_length()?,
    };
    ranked.choose(index, search, scope, limit)?;
    Ok(ranked)
}

impl Ranked {
    fn choose(
        &mut self,
        index: &Index,
        search: &policy::ChunkRanking,
        scope: &Scope,
        limit: usize,
    ) -> Result<(), Error> {
        let candidates =
            index.search(&self.wanted, scope, search, search.candidates_max + self.shown.len())?;
        self.candidates = candidates.len();
        let mut of_document: BTreeMap<i64, usize> = BTreeMap::new();
        let of_document_max = if scope.document.is_some() { usize::MAX } else { search.per_document_max };
        let is_free = |candidate: &Candidate| {
            let count = of_document.entry(candidate.document).or_default();
            *count += 1;
            *count <= of_document_max
        };
        let fresh = candidates.into_iter().filter(|candidate| !self.shown.contains(&candidate.chunk));
        self.chosen = fresh.filter(is_free).take(limit).collect();
        Ok(())
    }

    /// The same search with known words in place of unknown ones; nothing where there are none.
    fn corrected(
        mut self,
        index: &Index,
        search: &policy::ChunkRanking,
        scope: &Scope,
        limit: usize,
    ) -> Result<Option<Self>, Error> {
        let rarity_of = index.rarities()?;
        let long = self.unknown.iter().filter(|term| term.chars().count() >= search.typos.chars_min);
        for term in long.take(search.typos.words_max).cloned().collect::<Vec<_>>() {
            let Some(near) = index.nearest(&term)? else { continue };
            let rarity = rarity_of(&near)?;
            for wanted in self.wanted.iter_mut().filter(|wanted| wanted.term == term) {
                near.clone_into(&mut wanted.term);
                wanted.weight *= search.typos.share;
            }
            for known in self.rarities.iter_mut().filter(|known| known.0 == term) {
                *known = (near.clone(), rarity);
            }
            self.corrections.push((term, near));
        }
        if self.corrections.is_empty() {
            return Ok(None);
        }
        self.choose(index, search, scope, limit)?;
        Ok(Some(self))
    }

    /// What a chunk has of the question's terms, by rarity, and how much it speaks of them; each from 0 to 1.
    fn evidence(&self, chunk: &StoredChunk) -> (f64, f64) {
        let mut counts: BTreeMap<String, f64> = BTreeMap::new();
        let mut length = 0.0;
        words::each_term(&chunk.content, |term| {
            length += 1.0;
            if let Some((known, _)) = self.rarities.iter().find(|(known, _)| known == term) {
                *counts.entry(known.clone()).or_default() += 1.0;
            }
        });
        let above: BTreeSet<String> = chunk.path.iter().flat_map(|heading| words::terms(heading)).collect();
        let all: f64 = self.rarities.iter().map(|(_, rarity)| rarity).sum();
        if all <= 0.0 {
            return (0.0, 0.0);
        }
        let norm = 1.0 - LENGTH_NORMALIZATION + LENGTH_NORMALIZATION * length / self.average_length;
        let (mut coverage, mut depth) = (0.0, 0.0);
        for (term, rarity) in &self.rarities {
            let count = counts.get(term).copied().unwrap_or(0.0);
            if count > 0.0 || above.contains(term) {
                coverage += rarity;
            }
            depth += rarity * count / (count + SATURATION * norm);
        }
        (coverage / all, depth / all)
    }
}
