//! Search: a question to the best chunks of a scope.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use reading::words;
use serde::{Deserialize, Serialize};
use store::StoredChunk;

use crate::index::{Candidate, Index, Wanted};
use crate::library::computing;
use crate::{Error, Library, Scope, fusion};

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
    /// By what they were found.
    pub retrieval: Retrieval,
}

/// By what chunks are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Retrieval {
    /// Words.
    #[default]
    Lexical,
    /// Words and vectors.
    Hybrid,
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
    /// How like the question's its meaning is, from 0 to 1; 0 where vectors were not asked.
    pub likeness: f64,
    /// Its score by words alone.
    pub(crate) lexical: f64,
}

impl<'a> Question<'a> {
    /// A question that stands alone.
    #[must_use]
    pub fn alone(text: &'a str) -> Self {
        Self { text, previous: None }
    }
}

impl Library {
    /// Searches a scope. `limit` is held to what the policy allows.
    pub async fn search(
        &self,
        scope: &Scope,
        question: Question<'_>,
        limit: Option<usize>,
    ) -> Result<Found, Error> {
        self.search_without(scope, question, limit, BTreeSet::new()).await
    }

    pub(crate) async fn search_without(
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
        let near = self.near(scope, question, search.candidates_max + shown.len()).await?;
        let (terms, within) = (terms(question, search.turns), scope.clone());
        let (index, policy) = (Arc::clone(&self.index), Arc::clone(&self.policy));
        let ranked = computing(move || {
            let mut ranked = Ranked::of(&index, &policy.search, terms, shown, near)?;
            ranked.choose(&index, &policy.search, &within, limit)?;
            Ok(ranked)
        });
        let ranked = ranked.await?;
        let found = self.load(scope, &ranked).await?;
        let typos = search.typos;
        if found.coverage >= typos.coverage_below || ranked.unknown.is_empty() {
            return Ok(found);
        }
        let (index, policy, scope_again) = (Arc::clone(&self.index), Arc::clone(&self.policy), scope.clone());
        let again = computing(move || ranked.corrected(&index, &policy.search, &scope_again, limit)).await?;
        match again {
            Some(ranked) => self.load(scope, &ranked).await,
            None => Ok(found),
        }
    }

    async fn load(&self, scope: &Scope, ranked: &Ranked) -> Result<Found, Error> {
        let numbers: Vec<i64> = ranked.chosen.iter().map(|candidate| candidate.chunk).collect();
        let chosen: BTreeMap<i64, &Candidate> =
            ranked.chosen.iter().map(|candidate| (candidate.chunk, candidate)).collect();
        let chunks = self.store.chunks_by_number(&numbers).await?;
        let results: Vec<SearchResult> = chunks
            .into_iter()
            .filter(|chunk| scope.allows(chunk))
            .filter_map(|chunk| {
                let (coverage, depth) = ranked.evidence(&chunk);
                let Candidate { score, lexical, likeness, .. } = **chosen.get(&chunk.chunk)?;
                Some(SearchResult { chunk, score, coverage, depth, likeness, lexical })
            })
            .collect();
        let confidence = confidence(&results, self.policy.search.confidence);
        let coverage = results.iter().map(|result| result.coverage).fold(0.0, f64::max);
        let (candidates, corrected) = (ranked.candidates, ranked.corrections.clone());
        let retrieval = if ranked.near.is_some() { Retrieval::Hybrid } else { Retrieval::Lexical };
        Ok(Found { results, coverage, confidence, candidates, corrected, retrieval })
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
    let mut by_words: Vec<&SearchResult> = results.iter().filter(|result| result.lexical > 0.0).collect();
    by_words.sort_by(|one, other| other.lexical.total_cmp(&one.lexical));
    let Some((best, rest)) = by_words.split_first() else { return 0.0 };
    let followers: Vec<f64> =
        rest.iter().take(FOLLOWERS).map(|result| result.lexical / best.lexical).collect();
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
    /// The chunks that mean what is asked, the likest first; none where words alone have to do.
    near: Option<Vec<Candidate>>,
    corrections: Vec<(String, String)>,
    average_length: f64,
}

/// BM25's constants, which are the index's own.
const SATURATION: f64 = 1.2;
const LENGTH_NORMALIZATION: f64 = 0.75;

impl Ranked {
    /// What there is to rank by; nothing is chosen yet.
    fn of(
        index: &Index,
        search: &policy::ChunkRanking,
        wanted: Vec<Wanted>,
        shown: BTreeSet<i64>,
        near: Option<Vec<Candidate>>,
    ) -> Result<Self, Error> {
        let frequencies = index.frequencies(&wanted)?;
        let rarity_of = index.rarities()?;
        let mut known: Vec<(Wanted, f64)> = Vec::with_capacity(wanted.len());
        for wanted in wanted {
            let rarity = rarity_of(&wanted.term)?;
            known.push((wanted, rarity));
        }
        let unknown = known.iter().zip(&frequencies).filter(|(_, frequency)| **frequency == 0);
        let unknown = unknown.map(|((wanted, _), _)| wanted.term.clone()).collect();
        let rarities = known.iter().map(|(wanted, rarity)| (wanted.term.clone(), *rarity)).collect();
        known.sort_by(|one, other| other.1.total_cmp(&one.1));
        known.truncate(search.terms_max);
        Ok(Self {
            chosen: Vec::new(),
            candidates: 0,
            rarities,
            unknown,
            wanted: known.into_iter().map(|(wanted, _)| wanted).collect(),
            shown,
            near,
            corrections: Vec::new(),
            average_length: index.average_length()?,
        })
    }

    fn choose(
        &mut self,
        index: &Index,
        search: &policy::ChunkRanking,
        scope: &Scope,
        limit: usize,
    ) -> Result<(), Error> {
        let mut candidates =
            index.search(&self.wanted, scope, search, search.candidates_max + self.shown.len())?;
        if let Some(near) = &self.near {
            candidates = fusion::joined(candidates, near, &search.fusion);
        }
        self.candidates = candidates.len();
        let mut of_document: BTreeMap<i64, usize> = BTreeMap::new();
        let is_one_document = scope.documents.as_ref().is_some_and(|documents| documents.len() == 1);
        let of_document_max = if is_one_document { usize::MAX } else { search.per_document_max };
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
    #[expect(clippy::cast_precision_loss, reason = "words of a chunk")]
    fn evidence(&self, chunk: &StoredChunk) -> (f64, f64) {
        let wanted: Vec<&str> = self.rarities.iter().map(|(term, _)| term.as_str()).collect();
        let (length, counts) = words::occurrences(&chunk.content, &wanted);
        let above: BTreeSet<String> = chunk.path.iter().flat_map(|heading| words::terms(heading)).collect();
        let all: f64 = self.rarities.iter().map(|(_, rarity)| rarity).sum();
        if all <= 0.0 {
            return (0.0, 0.0);
        }
        let norm = 1.0 - LENGTH_NORMALIZATION + LENGTH_NORMALIZATION * length as f64 / self.average_length;
        let (mut coverage, mut depth) = (0.0, 0.0);
        for ((term, rarity), count) in self.rarities.iter().zip(counts) {
            let count = count as f64;
            if count > 0.0 || above.contains(term) {
                coverage += rarity;
            }
            depth += rarity * count / (count + SATURATION * norm);
        }
        (coverage / all, depth / all)
    }
}
