//! What makes two methods differ, and what does not.

use std::sync::Arc;

use domain::{Candidate, Listing, Method};
use fit::{Desk, Knowledge, Offer};
use jiff::Timestamp;
use reading::Question;
use serde_json::{Value, json};

use super::*;

fn candidate(listing: &str, method: Method) -> Candidate {
    let method = Arc::new(method);
    let listing = Arc::new(Listing::new(listing, vec![Arc::clone(&method)]));
    Candidate { listing, method, score: 1.0 }
}

fn effect(listing: &str, method: Method) -> Effect {
    let candidates = [candidate(listing, method)];
    let offer = Offer {
        candidates: &candidates,
        helpers: &[],
        fan_out_max: 8,
        calls_max: 8,
        avoid: &[],
        stand_in_share_min: 0.7,
        before: &[],
    };
    let knowledge = Knowledge::default();
    let question = Question::read("price of BTC", Timestamp::UNIX_EPOCH);
    let desk = Desk::new(offer, &knowledge);
    Effect::of(&fit::choice::all(&desk, &question)[0])
}

fn price(name: &str, output: Value) -> Method {
    let input =
        json!({"type": "object", "properties": {"market": {"type": "string"}}, "required": ["market"]});
    Method::new(name, input, Some(output))
}

fn number() -> Value {
    json!({"type": "object", "properties": {"price": {"type": "number"}}})
}

#[test]
fn words_make_no_difference() {
    let plain = effect("Alpha", price("get_price", number()));
    let mut reworded = price(
        "fetch_price",
        json!({"type": "object", "description": "What it costs.", "properties": {
            "price": {"type": "number", "description": "In dollars."},
        }}),
    );
    reworded.title = Some("What a thing costs".to_owned());
    reworded.description = "Tells what a thing costs, at once.".to_owned();
    reworded.input_schema = json!({"title": "Arguments", "required": ["market"], "type": "object", "properties": {
        "market": {"description": "Which.", "type": "string", "examples": ["BTC"]},
    }});
    assert_eq!(plain.difference(&effect("Beta", reworded)), None);
    assert_eq!(plain.difference(&plain), None);
}

#[test]
fn other_results_other_arguments_and_other_nouns_do() {
    let plain = effect("Alpha", price("get_price", number()));
    let others = [
        price("get_volume", number()),
        price("get_price", json!({"type": "object", "properties": {"price": {"type": "string"}}})),
        Method::new(
            "get_price",
            json!({"type": "object", "properties": {"event": {"type": "string"}}}),
            Some(number()),
        ),
    ];
    for other in others {
        assert_eq!(plain.difference(&effect("Beta", other)), Some(Difference::Method));
    }
}

#[test]
fn a_copy_differs_in_price_and_speed_alone() {
    let mut dear = price("get_price", number());
    dear.meta.execute_price = Usd::parse("0.5");
    let plain = effect("Alpha", price("get_price", number()));
    assert_eq!(plain.difference(&effect("Beta", dear)), Some(Difference::CostOrLatency));
}

#[test]
fn one_thing_and_the_whole_are_two_levels() {
    let rows = json!({"type": "object", "properties": {"outcomes": {"type": "array", "items": {"type": "object",
        "properties": {"name": {"type": "string"}, "price": {"type": "number"}}}}}});
    let input = json!({"type": "object", "properties": {"event": {"type": "string"}}, "required": ["event"]});
    let whole = effect("Alpha", Method::new("get_event_odds", input, Some(rows)));
    let one = effect("Alpha", price("get_market_price", number()));
    assert_eq!(one.difference(&whole), Some(Difference::EntityLevel));
    assert_eq!((one.profile.scope, one.profile.granularity), (Scope::SingleTarget, Granularity::Market));
    assert_eq!((whole.profile.scope, whole.profile.granularity), (Scope::EventWide, Granularity::Event));
    assert_eq!(whole.profile.cardinality, Cardinality::Multiple);
    assert!(one.profile.requires_named_entity && one.profile.confidence > 0.9);
}
