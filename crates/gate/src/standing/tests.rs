//! What is viable, what makes a difference, and what is unclear.

use domain::LatencyClass;

use super::*;
use crate::fixture::{brief, from, option};

fn alternatives(brief: &Brief) -> (Vec<&str>, Option<Unclear>) {
    let standing = Standing::of(brief);
    let names = standing.alternatives.iter().map(|option| option.effect.method.method.as_str()).collect();
    (names, standing.unclear)
}

#[test]
fn what_is_outdone_is_no_alternative() {
    let near = brief("price of BTC", vec![option("price", 0.9), option("volume", 0.85)]);
    assert_eq!(alternatives(&near), (vec!["price", "volume"], Some(Unclear::Contract)));
    let outdone = brief("price of BTC", vec![option("price", 0.9), option("volume", 0.7)]);
    assert_eq!(alternatives(&outdone), (vec!["price"], None));
    let ungrounded = brief("price of BTC", vec![option("price", 0.4), option("volume", 0.35)]);
    assert_eq!(alternatives(&ungrounded), (vec![], None));
}

#[test]
fn one_thing_or_the_whole_is_open_unless_the_question_says() {
    let options = || vec![option("event_odds", 0.9).whole(), option("outcome_odds", 0.7)];
    let mut open = brief("odds of the World Cup", options());
    assert_eq!(alternatives(&open), (vec!["event_odds", "outcome_odds"], Some(Unclear::Scope)));
    open.asked = Asked::Whole;
    assert_eq!(alternatives(&open), (vec!["event_odds"], None));
    let mut near = brief("odds", vec![option("outcome_odds", 0.9), option("event_odds", 0.88).whole()]);
    near.asked = Asked::Whole;
    assert_eq!(alternatives(&near), (vec!["event_odds"], None));
    assert!(Standing::of(&near).signals.contains(&Signal::DirectCompositeIntentMatch));
}

#[test]
fn a_method_for_a_named_thing_needs_one() {
    let mut aimless = option("outcome_odds", 0.9);
    aimless.said.clear();
    let mut brief = brief("odds", vec![aimless, option("event_odds", 0.88).whole()]);
    brief.names_target = false;
    assert_eq!(alternatives(&brief), (vec!["event_odds"], None));
}

#[test]
fn a_caller_who_wants_to_choose_is_asked() {
    let slow = option("backtest", 0.9).at("0.01", LatencyClass::Slow);
    let mut open = brief("carry", vec![slow, option("history", 0.5).at("0.001", LatencyClass::Instant)]);
    assert_eq!(alternatives(&open), (vec!["backtest"], None));
    open.wants_choice = true;
    assert_eq!(alternatives(&open), (vec!["backtest", "history"], Some(Unclear::CostOrLatency)));
}

#[test]
fn the_same_twice_is_one_option() {
    let mut copy = from("Beta", "price", 0.9);
    copy.title = "What it costs".to_owned();
    let brief = brief("price of BTC", vec![option("price", 0.9), copy]);
    assert_eq!(alternatives(&brief), (vec!["price"], None));
    assert!(Standing::of(&brief).signals.contains(&Signal::NonMaterialViableOptions));
}

#[test]
fn providers_are_asked_about_where_neither_is_the_better_one() {
    let offer = |listing: &str, price: &str, latency| from(listing, "price", 0.9).at(price, latency);
    let traded = brief(
        "price",
        vec![offer("A", "0.05", LatencyClass::Instant), offer("B", "0.01", LatencyClass::Slow)],
    );
    assert_eq!(alternatives(&traded), (vec!["price", "price"], Some(Unclear::CostOrLatency)));
    let nearly = brief(
        "price",
        vec![offer("A", "0.011", LatencyClass::Instant), offer("B", "0.01", LatencyClass::Slow)],
    );
    assert_eq!(alternatives(&nearly), (vec!["price"], None));
    let better =
        brief("price", vec![offer("A", "0.05", LatencyClass::Slow), offer("B", "0.01", LatencyClass::Slow)]);
    assert_eq!(Standing::of(&better).recommended().unwrap().listing_name, "B");
}

#[test]
fn clauses_are_served_together() {
    let parts = vec![option("weather", 0.9).clauses(&[1.0, 0.0]), option("price", 0.88).clauses(&[0.0, 1.0])];
    let both = brief("weather in Paris and price of BTC", parts);
    let standing = Standing::of(&both);
    assert!(standing.is_complementary && standing.unclear.is_none());
    let whole = vec![option("weather", 0.9).clauses(&[1.0, 0.0]), option("both", 0.88).clauses(&[1.0, 1.0])];
    assert_eq!(alternatives(&brief("weather and price", whole)), (vec!["both"], None));
    let rivals = vec![option("now", 0.9).clauses(&[1.0, 0.0]), option("later", 0.88).clauses(&[1.0, 0.0])];
    let rivals = brief("weather and price", rivals);
    assert_eq!(alternatives(&rivals).1, Some(Unclear::Contract));
    assert!(Standing::of(&rivals).signals.contains(&Signal::PartialClauseCoverage));
}

#[test]
fn the_name_of_a_method_settles_it_and_so_does_what_takes_more_names() {
    let mut named = option("volume", 0.85);
    named.is_named = true;
    let brief_named = brief("use volume", vec![option("price", 0.9), named]);
    assert_eq!(alternatives(&brief_named), (vec!["volume"], None));
    let mut covering = option("outcome", 0.85);
    covering.placed = 2;
    let brief_covered = brief("odds of Brazil in the World Cup", vec![option("price", 0.9), covering]);
    assert_eq!(alternatives(&brief_covered), (vec!["outcome"], None));
}

#[test]
fn a_missing_value_and_a_slot_are_unclear() {
    let value = brief("weather", vec![option("weather", 0.9).lacking("city", 0.9)]);
    assert_eq!(alternatives(&value).1, Some(Unclear::Value));
    let found = brief("weather", vec![option("weather", 0.9).lacking("city", 0.1)]);
    assert_eq!(alternatives(&found).1, None);
    let slots = brief("flights Paris", vec![option("flights", 0.9), option("flights", 0.9).slot("to")]);
    assert_eq!(alternatives(&slots).1, Some(Unclear::Slot));
}
