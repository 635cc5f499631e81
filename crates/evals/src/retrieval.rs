//! Retrieval: how well a ranker finds the tools that serve a query.

use std::collections::{BTreeSet, HashMap};

use policy::Ranking;
use probe::Index;
use reading::words;
use serde::Serialize;

use crate::corpus::{RetrievalQuery, Tool};
use crate::metrics::{Mean, Quantiles, Relevance, ndcg_at, recall_at, reciprocal_rank};
use crate::universe;

const WORST_MAX: usize = 100;

/// How well a ranker did over a set.
#[derive(Clone, Debug, Serialize)]
pub struct RetrievalReport {
    /// How many tools there are to find.
    pub tools: usize,
    /// Queries left out because the catalogue has none of their tools.
    pub unanswerable: usize,
    /// Over all queries.
    pub all: RankingScores,
    /// Over the half that weights may be tuned on.
    pub tuning: RankingScores,
    /// Over the half that they may not.
    pub held_out: RankingScores,
    /// How long the searches took.
    pub latency: Quantiles,
    /// The worst queries, worst first; a hundred at the most.
    pub worst: Vec<WorstQuery>,
}

/// Measures of ranking, each a mean over queries.
#[derive(Clone, Debug, Serialize)]
pub struct RankingScores {
    /// The share of the wanted tools that come first.
    pub recall_at_1: Mean,
    /// The share among the first five.
    pub recall_at_5: Mean,
    /// The share among the first ten.
    pub recall_at_10: Mean,
    /// Normalized discounted cumulative gain of the first ten.
    pub ndcg_at_10: Mean,
    /// The reciprocal rank of the first hit.
    pub reciprocal_rank: Mean,
}

/// A query that went wrong.
#[derive(Clone, Debug, Serialize)]
pub struct WorstQuery {
    /// Its identifier.
    pub id: String,
    /// The question.
    pub query: String,
    /// Its nDCG@10.
    pub ndcg_at_10: f64,
    /// The tools wanted.
    pub wanted: Vec<String>,
    /// The first tools found.
    pub found: Vec<String>,
}

/// A half of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    /// Weights may be tuned on it.
    Tuning,
    /// They may not.
    HeldOut,
}

/// The half that a query belongs to, by a hash of its identifier: the same everywhere and always.
#[must_use]
pub fn half_of(id: &str) -> Half {
    // FNV-1a; its parity over all bits mixes short identifiers well.
    let hash = id.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    if hash.count_ones() % 2 == 0 { Half::Tuning } else { Half::HeldOut }
}

/// The product's own ranking over `tools`, as a ranker for [`retrieval`].
pub fn probe_ranker(tools: &[Tool], ranking: &Ranking) -> impl Fn(&str) -> Vec<usize> + use<> {
    let index = Index::build(&universe(tools), ranking);
    move |question| index.search(words::terms(question)).into_iter().map(|ranked| ranked.method).collect()
}

/// Runs every query through `rank`, which gives places in `tools`, best first and none twice. `clock` gives microseconds.
pub fn retrieval(
    tools: &[Tool],
    queries: &[RetrievalQuery],
    mut rank: impl FnMut(&str) -> Vec<usize>,
    mut clock: impl FnMut() -> u64,
) -> RetrievalReport {
    let places: HashMap<&str, usize> =
        tools.iter().enumerate().map(|(place, tool)| (tool.key(), place)).collect();
    let mut durations_us = Vec::with_capacity(queries.len());
    let (mut measured, mut worst) = (Vec::new(), Vec::new());
    for query in queries {
        let items: BTreeSet<usize> =
            query.relevant.iter().filter_map(|key| places.get(key.as_str()).copied()).collect();
        if items.is_empty() {
            continue;
        }
        let relevance = Relevance { items, any_of: query.any_of };
        let started_us = clock();
        let ranked = rank(&query.query);
        durations_us.push(clock().saturating_sub(started_us));
        let scores = Scored::of(&ranked, &relevance);
        worst.push((scores.ndcg_at_10, query, ranked.into_iter().take(3).collect::<Vec<_>>()));
        measured.push((half_of(&query.id), scores));
    }
    worst.sort_by(|one, other| one.0.total_cmp(&other.0));
    worst.truncate(WORST_MAX);
    let of = |half: Option<Half>| {
        let scored = measured.iter().filter(|(own, _)| half.is_none_or(|half| half == *own));
        RankingScores::of(&scored.map(|(_, scores)| *scores).collect::<Vec<_>>())
    };
    RetrievalReport {
        tools: tools.len(),
        unanswerable: queries.len() - measured.len(),
        all: of(None),
        tuning: of(Some(Half::Tuning)),
        held_out: of(Some(Half::HeldOut)),
        latency: Quantiles::of(durations_us),
        worst: worst
            .into_iter()
            .map(|(ndcg_at_10, query, found)| WorstQuery {
                id: query.id.clone(),
                query: query.query.clone(),
                ndcg_at_10,
                wanted: query.relevant.iter().take(3).cloned().collect(),
                found: found.into_iter().map(|place| tools[place].key().to_owned()).collect(),
            })
            .collect(),
    }
}

#[derive(Clone, Copy)]
struct Scored {
    recall_at_1: f64,
    recall_at_5: f64,
    recall_at_10: f64,
    ndcg_at_10: f64,
    reciprocal_rank: f64,
}

impl Scored {
    fn of(ranked: &[usize], relevance: &Relevance) -> Self {
        Self {
            recall_at_1: recall_at(1, ranked, relevance),
            recall_at_5: recall_at(5, ranked, relevance),
            recall_at_10: recall_at(10, ranked, relevance),
            ndcg_at_10: ndcg_at(10, ranked, relevance),
            reciprocal_rank: reciprocal_rank(ranked, relevance),
        }
    }
}

impl RankingScores {
    fn of(scored: &[Scored]) -> Self {
        let mean = |measure: fn(&Scored) -> f64| Mean::of(&scored.iter().map(measure).collect::<Vec<_>>());
        Self {
            recall_at_1: mean(|scored| scored.recall_at_1),
            recall_at_5: mean(|scored| scored.recall_at_5),
            recall_at_10: mean(|scored| scored.recall_at_10),
            ndcg_at_10: mean(|scored| scored.ndcg_at_10),
            reciprocal_rank: mean(|scored| scored.reciprocal_rank),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_set_is_scored_and_timed() {
        let tools: Vec<Tool> = serde_json::from_value(
            json!([{"id": "r#1", "name": "rain"}, {"id": "r#2", "name": "rain"}, {"name": "wind"}]),
        )
        .unwrap();
        let queries: Vec<RetrievalQuery> = serde_json::from_value(json!([
            {"id": "1", "query": "rain", "relevant": ["r#1", "r#2"], "any_of": true},
            {"id": "2", "query": "rain or wind", "relevant": ["wind"]},
            {"id": "3", "query": "snow", "relevant": ["snow"]},
        ]))
        .unwrap();
        let mut now_us = 0;
        let clock = || {
            now_us += 5;
            now_us
        };
        let report = retrieval(&tools, &queries, |_| vec![0, 2], clock);
        assert_eq!((report.tools, report.unanswerable), (3, 1));
        assert!((report.all.recall_at_1.value - 0.5).abs() < 1e-9);
        assert!((report.all.reciprocal_rank.value - 0.75).abs() < 1e-9);
        assert_eq!(report.tuning.ndcg_at_10.of + report.held_out.ndcg_at_10.of, 2);
        assert_eq!(report.latency.p99_us, 5);
        assert_eq!((report.worst[0].id.as_str(), report.worst[0].found[0].as_str()), ("2", "r#1"));
    }

    #[test]
    fn halves_are_about_halves() {
        let held_out = (0..1_000).filter(|id| half_of(&format!("set/{id}")) == Half::HeldOut).count();
        assert!((400..600).contains(&held_out), "{held_out}");
    }

    #[test]
    fn the_probe_ranks() {
        let tools: Vec<Tool> =
            serde_json::from_value(json!([{"name": "get_rain"}, {"name": "get_wind"}])).unwrap();
        let rank = probe_ranker(&tools, &policy::Policy::shipped().unwrap().probe);
        assert_eq!(rank("wind")[0], 1);
    }
}
