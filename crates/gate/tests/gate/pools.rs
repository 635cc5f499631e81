//! The ambiguity pool: gathered for difference in effect, bounded, and independent of the shortlist.

use domain::{Candidate, ClarificationPolicy};
use gate::{JudgeFault, Ruling};
use policy::Policy;
use probe::Probed;

use crate::universe::{
    CHEAP, DEAR, METHODS, PLAIN, POLICY, candidate, copy_of_plain, probed, probed_under, query,
};

const QUESTION: &str = "What is the weather in Paris?";

fn names(probed: &Probed) -> Vec<String> {
    let readings = probed.pool().interpretations().iter();
    readings.map(|reading| reading.evidence.candidate.method.name.to_string()).collect()
}

fn plain() -> Vec<Candidate> {
    (0..METHODS).map(|at| candidate(&PLAIN, at, QUESTION)).collect()
}

#[test]
fn copies_do_not_crowd_a_pool() {
    let mut candidates: Vec<Candidate> =
        (0..200).map(|at| candidate(&copy_of_plain(&format!("Copy {at}")), 0, QUESTION)).collect();
    candidates.push(candidate(&PLAIN, 1, QUESTION));
    let mut names = names(&probed(QUESTION, candidates));
    names.sort_unstable();
    assert_eq!(names, ["get_forecast", "get_weather"]);
}

#[test]
fn a_few_other_prices_of_one_thing_are_enough() {
    let copies = [&PLAIN, &DEAR, &CHEAP].map(|listing| candidate(listing, 0, QUESTION));
    assert_eq!(names(&probed(QUESTION, copies.to_vec())).len(), 3);
    let mut policy = POLICY.clone();
    policy.probe.pools.ambiguity_max = 2;
    assert_eq!(names(&under(&policy, copies.to_vec())).len(), 2);
}

#[test]
fn the_pool_survives_a_shortlist_that_missed() {
    let mut policy = POLICY.clone();
    policy.probe.pools.shortlist_max = 1;
    let probed = under(&policy, plain());
    assert_eq!(probed.shortlist().candidates().len(), 1);
    let pool = names(&probed);
    for wanted in ["get_weather", "get_forecast", "compare_weather"] {
        assert!(pool.iter().any(|name| name == wanted), "{wanted} of {pool:?}");
    }
}

#[test]
fn a_plan_answers_by_the_shortlist_and_by_what_the_ruling_settled_on() {
    let mut policy = POLICY.clone();
    policy.probe.pools.shortlist_max = 1;
    let probed = under(&policy, plain());
    let shortlisted = probed.shortlist().candidates()[0].method_ref();
    let opinion = Err(JudgeFault::NotAsked);
    let Ruling::Proceed(cleared) = gate::rule(probed, &opinion, &policy.gate).ruling else {
        panic!("{QUESTION} is clear");
    };
    let selected = cleared.selected();
    let methods: Vec<_> = selected.candidates.iter().map(Candidate::method_ref).collect();
    let wanted = [Some(&shortlisted), cleared.chosen()];
    assert!(methods.iter().all(|method| wanted.contains(&Some(method))), "{methods:?}");
    assert!(methods.contains(&shortlisted));
    // The other methods of the listing still look things up.
    assert_eq!(methods.len() + selected.helpers.len(), METHODS);
}

#[test]
fn a_ranking_that_errs_cannot_keep_the_right_method_out() {
    let mut policy = POLICY.clone();
    policy.probe.pools.ambiguity_max = 3;
    let mut candidates = plain();
    // Retrieval is sure of a method that the learned ranking does not like.
    candidates[METHODS - 1].score = 50.0;
    let pool = names(&under(&policy, candidates));
    assert!(pool.iter().any(|name| name == "count_users"), "{pool:?}");
    assert_eq!(pool.len(), 3);
}

#[test]
fn the_surest_reading_comes_first() {
    let probed = probed(QUESTION, plain());
    let sure: Vec<f64> =
        probed.pool().interpretations().iter().map(|reading| reading.evidence.grounding).collect();
    assert!(sure.is_sorted_by(|one, other| one >= other), "{sure:?}");
    assert!(sure.len() <= POLICY.probe.pools.ambiguity_max);
}

fn under(policy: &Policy, candidates: Vec<Candidate>) -> Probed {
    probed_under(policy, query(QUESTION, ClarificationPolicy::Return), candidates, Vec::new())
}
