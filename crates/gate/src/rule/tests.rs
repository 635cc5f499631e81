//! Every reason and its meaning, the fallbacks, and the caller's policy.

use domain::{LatencyClass, ListingId, MethodName, MethodRef};

use super::*;
use crate::brief::Unavailable;
use crate::fixture::{brief, from, opinion, option};
use crate::opinion::OptionId;

const NOT_ASKED: Result<Opinion, JudgeFault> = Err(JudgeFault::NotAsked);

fn ruled(brief: &Brief) -> (Verdict, ReasonCode) {
    let decision = decide(brief, &NOT_ASKED);
    (decision.verdict, decision.reason)
}

fn rivals() -> Brief {
    brief("price of BTC", vec![option("price", 0.9), option("volume", 0.88)])
}

#[test]
fn every_reason_is_reached() {
    let mut off = rivals();
    off.policy.rollout_stage = RolloutStage::Disabled;
    assert_eq!(ruled(&off), (Verdict::Answer, ReasonCode::RolloutDisabled));
    let foreign = brief("sing a song", vec![option("price", 0.05)]);
    assert_eq!(ruled(&foreign), (Verdict::Miss, ReasonCode::NoGroundedCandidates));
    assert_eq!(ruled(&brief("sing a song", Vec::new())), (Verdict::Miss, ReasonCode::NoGroundedCandidates));
    let near = brief("price of BTC in 1840", vec![option("price", 0.3)]);
    assert_eq!(ruled(&near), (Verdict::Miss, ReasonCode::CapabilityMiss));
    let single = brief("price of BTC", vec![option("price", 0.9)]);
    assert_eq!(ruled(&single), (Verdict::Answer, ReasonCode::SingleGroundedInterpretation));
    let value = brief("price", vec![option("price", 0.9).lacking("market", 0.9)]);
    assert_eq!(ruled(&value), (Verdict::Clarify, ReasonCode::RequiredDiscriminatorAmbiguity));
    let slots = brief("flights Paris", vec![option("flights", 0.9), option("flights", 0.9).slot("to")]);
    assert_eq!(ruled(&slots), (Verdict::Clarify, ReasonCode::RequiredDiscriminatorAmbiguity));
    assert_eq!(ruled(&rivals()), (Verdict::Clarify, ReasonCode::ContractScopeAmbiguity));
    let scope = brief("odds of the cup", vec![option("all", 0.9).whole(), option("one", 0.8)]);
    assert_eq!(ruled(&scope), (Verdict::Clarify, ReasonCode::SemanticScopeAmbiguity));
    let offer = |listing: &str, price: &str, latency| from(listing, "price", 0.9).at(price, latency);
    let cost = vec![offer("A", "0.05", LatencyClass::Instant), offer("B", "0.01", LatencyClass::Slow)];
    assert_eq!(ruled(&brief("price", cost)), (Verdict::Clarify, ReasonCode::CostOrLatencyAmbiguity));
}

#[test]
fn what_cannot_be_had_is_a_miss() {
    let mut venue = brief("price of BTC on Bybit", vec![option("price", 0.9)]);
    venue.unavailable = Some(Unavailable::Venue("Bybit".to_owned()));
    let decision = decide(&venue, &NOT_ASKED);
    assert_eq!((decision.verdict, decision.reason), (Verdict::Miss, ReasonCode::CapabilityMiss));
    assert_eq!(decision.signals[0].word(), "unsupported_venue:Bybit");
    let missing = decision.missing_capability.unwrap();
    assert_eq!(missing, "No grounded method supports the requested venue: Bybit.");
    let method = MethodRef { listing: ListingId::of_name("A"), method: MethodName::new("place_order") };
    venue.unavailable = Some(Unavailable::LeftOut { method, why: "it changes something".to_owned() });
    assert_eq!(ruled(&venue), (Verdict::Miss, ReasonCode::CapabilityMiss));
    let answer = Ok(opinion(Verdict::Answer, &[&venue.options[0]]));
    assert_eq!(decide(&venue, &answer).verdict, Verdict::Miss);
}

#[test]
fn an_opinion_that_holds_is_taken() {
    let brief = brief("price of BTC", vec![option("price", 0.7), option("volume", 0.55)]);
    let heard = decide(&brief, &Ok(opinion(Verdict::Clarify, &[&brief.options[1], &brief.options[0]])));
    assert_eq!((heard.verdict, heard.reason), (Verdict::Clarify, ReasonCode::ContractScopeAmbiguity));
    assert_eq!(heard.recommended, Some(brief.options[1].id.clone()));
    assert!(heard.judge.is_applied && heard.fallback_reason.is_none());
    let miss = decide(&brief, &Ok(opinion(Verdict::Miss, &[])));
    assert_eq!((miss.verdict, miss.reason), (Verdict::Miss, ReasonCode::CapabilityMiss));
}

#[test]
fn an_opinion_that_does_not_hold_falls_back() {
    let rivals = rivals();
    let silent = decide(&rivals, &Ok(opinion(Verdict::Answer, &[&rivals.options[0]])));
    assert_eq!(silent.verdict, Verdict::Clarify);
    assert_eq!(
        silent.fallback_reason.as_deref(),
        Some("defaulted to clarification_required because multiple grounded interpretations remain")
    );
    assert_eq!(silent.judge.error, silent.validator_reason);
    assert!(!silent.judge.is_applied && silent.signals.contains(&Signal::ValidatorFallback));
    let single = brief("price of BTC", vec![option("price", 0.95)]);
    let rescued = decide(&single, &Ok(opinion(Verdict::Miss, &[])));
    assert_eq!(rescued.verdict, Verdict::Answer);
    assert!(rescued.signals.contains(&Signal::CapabilityMissRescued));
    for fault in [JudgeFault::Late, JudgeFault::Empty, JudgeFault::Malformed("x".to_owned())] {
        let late = decide(&single, &Err(fault.clone()));
        assert_eq!((late.verdict, late.judge.error), (Verdict::Answer, Some(fault.to_string())));
        assert_eq!(
            late.fallback_reason.as_deref(),
            Some("defaulted to deterministic selection after judge output was rejected")
        );
    }
}

#[test]
fn auto_goes_on_and_says_what_it_took() {
    let mut auto = rivals();
    auto.clarification = ClarificationPolicy::Auto;
    let decision = decide(&auto, &NOT_ASKED);
    assert_eq!(decision.verdict, Verdict::Clarify);
    let assumption = decision.assumption.unwrap();
    assert_eq!((assumption.option, assumption.label.as_str()), (auto.options[0].id.clone(), "Price: BTC"));
    assert_eq!(assumption.reason, "it fits the question best, with 90 of 100 points against 88");
    auto.policy.rollout_stage = RolloutStage::Shadow;
    assert_eq!(decide(&auto, &NOT_ASKED).assumption, None);
}

#[test]
fn what_is_wanted_together_is_left_to_the_planner() {
    let parts = vec![option("weather", 0.9).clauses(&[1.0, 0.0]), option("price", 0.88).clauses(&[0.0, 1.0])];
    let both = brief("weather in Paris and price of BTC", parts);
    let decision = decide(&both, &NOT_ASKED);
    assert_eq!((decision.verdict, decision.is_composite), (Verdict::Answer, true));
    assert_eq!(chosen(&both, &decision), None);
    let single = brief("price of BTC", vec![option("price", 0.95)]);
    assert!(chosen(&single, &decide(&single, &NOT_ASKED)).is_some());
}

#[test]
fn a_reason_that_goes_on_and_on_is_cut() {
    let brief = brief("price of BTC", vec![option("price", 0.95)]);
    let mut talkative = opinion(Verdict::Answer, &[&brief.options[0]]);
    talkative.reason = "so\n".repeat(10_000);
    let said = decide(&brief, &Ok(talkative)).judge.reason.unwrap();
    assert!(said.chars().count() <= REASON_CHARS_MAX && !said.contains('\n'));
}

#[test]
fn unknown_ids_do_not_flood_the_report() {
    let brief = rivals();
    let mut hostile = opinion(Verdict::Answer, &[]);
    hostile.options = (0..1_000).map(|_| OptionId("x".repeat(500))).collect();
    let reason = decide(&brief, &Ok(hostile)).validator_reason.unwrap();
    assert!(reason.len() < 500, "{}", reason.len());
}
