//! What may be left out without holding it against the question.

use std::sync::Arc;

use domain::{Listing, Method};
use jiff::Timestamp;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use super::*;
use crate::{Knowledge, Offer};

const WORDS: [&str; 24] = [
    "which",
    "exchange",
    "exchanges",
    "largest",
    "BTC",
    "inflow",
    "price",
    "history",
    "list",
    "top",
    "5",
    "current",
    "weather",
    "in",
    "Paris",
    "book",
    "order",
    "over",
    "last",
    "24",
    "hours",
    "market",
    "how many",
    "\"a name\"",
];

fn schemas() -> Vec<(Value, Option<Value>)> {
    let rows = json!({"type": "object", "properties": {"exchanges": {"type": "array", "items": {
        "type": "object", "properties": {"exchange": {"type": "string"}, "inflow": {"type": "number"}}}}}});
    let one = json!({"type": "object", "properties": {"price": {"type": "number"}}});
    let series = json!({"type": "object", "properties": {"points": {"type": "array", "items": {
        "type": "object", "properties": {"time": {"type": "string", "format": "date-time"}}}}}});
    vec![
        (json!({"type": "object"}), Some(rows)),
        (
            json!({"properties": {"exchange": {"enum": ["one", "two"]}, "window": {"type": "string"}},
                "required": ["exchange"]}),
            Some(one.clone()),
        ),
        (
            json!({"properties": {"market": {"type": "string"}, "limit": {"type": "integer"}},
                "required": ["market"]}),
            Some(series),
        ),
        (json!({"properties": {"city_id": {"type": "string"}}, "required": ["city_id"]}), Some(one)),
        (json!({"properties": {"order": {"type": "string"}, "price": {"type": "number"}}}), None),
    ]
}

fn candidates() -> impl Strategy<Value = Vec<Candidate>> {
    let method = (vec(select(&WORDS[..20]), 1..4), select(schemas()), vec(select(&WORDS[..]), 0..6));
    let offered = (method, select(&["Flows", "Markets of Paris"][..]), 0.0..1.0);
    vec(offered, 1..8).prop_map(|offered| {
        let mut offered: Vec<Candidate> = offered.into_iter().map(candidate).collect();
        offered.sort_by(|one, other| other.score.total_cmp(&one.score));
        offered
    })
}

type Described = (Vec<&'static str>, (Value, Option<Value>), Vec<&'static str>);

fn candidate(((name, (input, output), description), listing, score): (Described, &str, f64)) -> Candidate {
    let mut method = Method::new(name.join("_"), input, output);
    method.description = description.join(" ");
    let method = Arc::new(method);
    let listing = Arc::new(Listing::new(listing, vec![Arc::clone(&method)]));
    Candidate { listing, method, score }
}

pub(crate) fn offer(candidates: &[Candidate]) -> Offer<'_> {
    Offer {
        candidates,
        helpers: &[],
        fan_out_max: 8,
        calls_max: 8,
        avoid: &[],
        stand_in_share_min: 0.7,
        before: &[],
    }
}

proptest! {
    #[test]
    fn no_contender_is_left_out(
        candidates in candidates(),
        question in vec(select(&WORDS[..]), 1..9),
        share_min in 0.5..1.0,
    ) {
        let question = Question::read(&question.join(" "), Timestamp::UNIX_EPOCH);
        let knowledge = Knowledge::default();
        let desk = Desk::new(offer(&candidates), &knowledge);
        let near = |mut choices: Vec<Choice<'_>>| {
            choices.retain(|choice| choice.fit.is_about);
            choices.sort_by(|one, other| other.fit.score().total_cmp(&one.fit.score()));
            let best = choices.first().map_or(0.0, |best| best.fit.score());
            let is_near = |choice: &&Choice<'_>| choice.fit.score() >= best.min(best * share_min);
            let near = choices.iter().filter(is_near);
            near.map(|choice| (choice.candidate.method.name.clone(), choice.fit.score())).collect::<Vec<_>>()
        };
        prop_assert_eq!(near(contenders(&desk, &question, share_min)), near(all(&desk, &question)));
    }

    #[test]
    fn a_fit_is_below_its_ceiling(candidates in candidates(), question in vec(select(&WORDS[..]), 1..9)) {
        let question = Question::read(&question.join(" "), Timestamp::UNIX_EPOCH);
        let knowledge = Knowledge::default();
        let desk = Desk::new(offer(&candidates), &knowledge);
        for choice in all(&desk, &question) {
            let asked = question.asked_of(&choice.candidate.listing);
            let ceiling = ceiling(&choice.known, &asked, choice.fit.retrieved);
            prop_assert!(choice.fit.score() <= ceiling + 1e-9, "{} {ceiling}", choice.fit.score());
        }
    }
}

#[test]
fn how_many_of_a_value_asks_for_an_amount() {
    let schema = json!({"type": "object", "properties": {"asset": {"enum": ["BTC", "ETH"]}}});
    let rows = json!({"type": "object", "properties": {"rows": {"type": "array", "items": {"properties": {"size": {}}}}}});
    let one = json!({"type": "object", "properties": {"held": {"type": "number"}}});
    let candidates = [(vec!["get", "holdings"], one), (vec!["get", "transfers"], rows)]
        .map(|(name, output)| candidate(((name, (schema.clone(), Some(output)), vec![]), "Vaults", 1.0)));
    let forms = |text: &str| {
        let knowledge = Knowledge::default();
        let question = Question::read(text, Timestamp::UNIX_EPOCH);
        let choices = all(&Desk::new(offer(&candidates), &knowledge), &question);
        choices.iter().map(|choice| choice.fit.form).collect::<Vec<f64>>()
    };
    assert_eq!(forms("how many ETH are there"), [0.6, 0.6]);
    assert_eq!(forms("how many transfers of ETH are there"), [0.2, 1.0]);
}
