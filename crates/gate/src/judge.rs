//! The embedded judge: an opinion by deterministic rules, without a key.

use crate::brief::Brief;
use crate::opinion::{Opinion, Verdict};

/// The embedded judge's opinion on a brief.
#[must_use]
pub fn judge(brief: &Brief) -> Opinion {
    let policy = &brief.policy;
    let viable: Vec<_> =
        brief.options.iter().filter(|option| option.grounding >= policy.grounding_min).collect();
    let Some(best) = viable.first() else {
        let best = brief.options.first().map_or(0.0, |option| option.grounding);
        return Opinion {
            verdict: Verdict::Miss,
            options: Vec::new(),
            recommended: None,
            confidence: 1.0 - best,
            reason: "no method is grounded in the question".to_owned(),
        };
    };
    let near: Vec<_> =
        viable.iter().filter(|option| best.points - option.points < policy.dominance_points).collect();
    let recommended = Some(best.id.clone());
    if let Some(open) = best.asks_for(policy) {
        return Opinion {
            verdict: Verdict::Clarify,
            options: vec![best.id.clone()],
            recommended,
            confidence: open.is_the_callers,
            reason: format!("the question leaves out `{}`, which only the caller can give", open.name),
        };
    }
    let (verdict, reason) = if near.len() > 1 {
        (Verdict::Clarify, "several methods would answer different things")
    } else {
        (Verdict::Answer, "one method is grounded in the question")
    };
    Opinion {
        verdict,
        options: near.iter().take(policy.options_max).map(|option| option.id.clone()).collect(),
        recommended,
        confidence: best.grounding,
        reason: reason.to_owned(),
    }
}
