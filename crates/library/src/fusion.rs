//! Two lists of candidates made one, by rank: weighted reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009).

use std::collections::BTreeMap;

use policy::Fusion;

use crate::index::Candidate;

/// Those that have the words joined with those that have the meaning, best first; equal ones in the order in which they were
/// put in.
pub(crate) fn joined(lexical: Vec<Candidate>, near: &[Candidate], fusion: &Fusion) -> Vec<Candidate> {
    let mut all: BTreeMap<i64, (Candidate, f64)> = BTreeMap::new();
    for (place, candidate) in lexical.into_iter().enumerate() {
        all.insert(candidate.chunk, (candidate, share(fusion.lexical_weight, place, fusion)));
    }
    for (place, candidate) in near.iter().enumerate() {
        let share = share(fusion.vector_weight, place, fusion);
        let known = all.entry(candidate.chunk).or_insert((*candidate, 0.0));
        known.0.likeness = candidate.likeness;
        known.1 += share;
    }
    let first_in_both = share(fusion.lexical_weight, 0, fusion) + share(fusion.vector_weight, 0, fusion);
    let scored = all.into_values().map(|(candidate, score)| {
        let score = if first_in_both > 0.0 { score / first_in_both } else { 0.0 };
        Candidate { score, ..candidate }
    });
    let mut joined: Vec<Candidate> = scored.collect();
    joined.sort_by(|one, other| other.score.total_cmp(&one.score).then(one.chunk.cmp(&other.chunk)));
    joined
}

#[expect(clippy::cast_precision_loss, reason = "places are far below 2^52")]
fn share(weight: f64, place: usize, fusion: &Fusion) -> f64 {
    weight / (f64::from(fusion.rank_constant) + (place + 1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(chunk: i64, likeness: f64) -> Candidate {
        Candidate { chunk, document: 0, score: likeness, lexical: 1.0 - likeness, likeness }
    }

    #[test]
    fn what_both_found_comes_first() {
        let fusion = Fusion {
            lexical_weight: 2.0,
            vector_weight: 1.0,
            rank_constant: 60,
            embedded_min: 1.0,
            likeness_min: 0.5,
            memory_bytes_max: 1,
        };
        let lexical = vec![candidate(1, 0.0), candidate(2, 0.0), candidate(3, 0.0)];
        let near = [candidate(3, 0.9), candidate(4, 0.8), candidate(1, 0.7)];
        let joined = joined(lexical, &near, &fusion);
        let order: Vec<i64> = joined.iter().map(|candidate| candidate.chunk).collect();
        assert_eq!(order, [1, 3, 2, 4]);
        assert!((joined[1].likeness - 0.9).abs() < 1e-9 && joined[0].score < 1.0);
    }
}
