//! The judge and the ruling: an opinion on what a deep query means, and what follows from it.

use gate::token::{self, Choice, Stake, TokenFault};
use gate::{Brief, JudgeFault, Opinion, Ruled};
use jiff::Timestamp;
use llm::Model;
use policy::Policy;
use probe::Probed;

/// Asks the judge for its opinion, where the lane has one and the caller has not picked an option already. What it says is
/// weighed by the ruling, and so is its silence.
pub(crate) async fn opinion(
    probed: &Probed,
    policy: &Policy,
    model: &dyn Model,
    (key, now): (&[u8], Timestamp),
) -> Result<Opinion, JudgeFault> {
    let is_picked = matches!(picked(probed, key, now), Some(Ok(_)));
    if is_picked || !probed.deep().flags().ambiguity_judge_enabled {
        return Err(JudgeFault::NotAsked);
    }
    model.judge(&Brief::of(probed, &policy.ruling())).await
}

/// Rules on a probed query, by the opinion or by the option that the caller has picked. A pick whose token does not hold is
/// a reason in the report, and the query is ruled on afresh.
pub(crate) fn rule(
    probed: Probed,
    opinion: &Result<Opinion, JudgeFault>,
    (policy, is_hosted): (&Policy, bool),
    (key, now): (&[u8], Timestamp),
) -> Ruled {
    let gate = policy.ruling();
    let fresh = |probed| {
        let ruled = gate::rule(probed, opinion, &gate);
        if is_hosted { ruled.heard_from_hosted() } else { ruled }
    };
    match picked(&probed, key, now) {
        None => fresh(probed),
        Some(Ok(choice)) => gate::rule_chosen(probed, &choice, &gate),
        Some(Err(fault)) => fresh(probed).despite(fault),
    }
}

/// The option that the caller has picked, where its token holds.
fn picked(probed: &Probed, key: &[u8], now: Timestamp) -> Option<Result<Choice, TokenFault>> {
    let said = probed.deep().selected().query.choice.as_ref()?;
    let verified = token::verify(key, &said.token, &Stake::of(probed), now);
    Some(verified.and_then(|choice| {
        if choice.option().0 == said.option { Ok(choice) } else { Err(TokenFault::OtherOption) }
    }))
}
