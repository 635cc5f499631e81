//! The signals of small universes.

use std::cmp::Ordering::{Equal, Greater, Less};
use std::sync::Arc;

use domain::{
    ClarificationPolicy, Depth, Include, Listing, ListingId, Method, Query, ResponseShape, Snapshot, Speaker,
    ToolScope, Turn,
};
use lane::Lane;
use policy::{OfArgument, OfCase, OfMethod, Policy, SignalNames};
use proptest::prelude::*;
use serde_json::json;

use crate::situation::{Standing, situation, value_of};
use crate::{Index, Lexicon, Probed};

fn snapshot() -> Snapshot {
    let method = |name: &str, description: &str, schema| {
        let mut method = Method::new(name, schema, None);
        method.description = description.to_owned();
        Arc::new(method)
    };
    let city = json!({"type": "object", "properties": {"city": {"type": "string", "description": "The city."}},
        "required": ["city"]});
    let reading = json!({"type": "object", "properties": {
        "instrument": {"type": "string", "description": "The instrument."},
        "station": {"type": "string", "description": "The station."}
    }, "required": ["instrument", "station"]});
    let one =
        |name: &str| json!({"type": "object", "required": [name], "properties": {name: {"type": "string"}}});
    let events = json!({"type": "object", "properties": {"events": {"type": "array", "items": {"type": "object",
        "properties": {"event_id": {"type": "string"}, "title": {"type": "string"}}}}}});
    let mut search = Method::new("search_events", one("query"), Some(events));
    search.description = "Search events by words.".to_owned();
    let search = Arc::new(search);
    let methods = vec![
        method("get_forecast", "The weather forecast of a city.", city.clone()),
        method("get_moon_phase", "The phase of the moon.", json!({"type": "object"})),
        method("get_reading", "The reading of an instrument.", reading),
        method("list_stations", "Lists the weather stations.", json!({"type": "object"})),
        method("get_odds", "The odds of an event.", one("event_id")),
        search,
    ];
    Snapshot { revision: 1, listings: vec![Arc::new(Listing::new("Sky", methods))] }
}

/// A question, behind what was said before it.
pub(crate) fn query(question: &str, tools: ToolScope, history: &[(Speaker, &str)]) -> Query {
    Query {
        text: question.to_owned(),
        tools,
        depth: Depth::Deep,
        clarification: ClarificationPolicy::Return,
        shape: ResponseShape::Answer,
        answer_model: None,
        include: Include { data: false, data_url: false, developer_trace: false },
        lineage: None,
        history: history
            .iter()
            .map(|(speaker, text)| Turn { speaker: *speaker, text: (*text).to_owned(), calls: Vec::new() })
            .collect(),
        choice: None,
    }
}

pub(crate) fn probed(question: &str, history: &[(Speaker, &str)]) -> Probed {
    let policy = Policy::shipped().unwrap();
    let snapshot = snapshot();
    let query = query(question, ToolScope::Pinned(vec![ListingId::of_name("Sky")]), history);
    let now = "2026-06-01T12:00:00Z".parse().unwrap();
    let index = Index::build(&snapshot, &policy.probe);
    let selected = crate::select(query, now, (&snapshot, &index), &policy.probe.selection).unwrap();
    let Lane::Deep(deep) = lane::choose(selected, &policy.lanes) else {
        panic!("a deep query went another way")
    };
    let lexicon = Lexicon::of(&policy.probe);
    crate::metadata(deep, &lexicon, &lexicon.knowledge(), &policy)
}

fn names(signals: &[(&'static str, f64)]) -> Vec<&'static str> {
    signals.iter().map(|(name, _)| *name).collect()
}

#[test]
fn signals_come_in_the_order_of_their_names() {
    let probed = probed("What is the weather in Rome?", &[]);
    let best = &probed.ranked()[0];
    assert_eq!(names(&best.signals), OfMethod::NAMES);
    assert_eq!(names(&best.required[0].signals), OfArgument::NAMES);
    let standings: Vec<Standing<'_>> = probed.ranked().iter().map(Standing::from).collect();
    assert_eq!(names(&situation(&standings, probed.shape())), OfCase::NAMES);
}

#[test]
fn the_method_that_is_meant_is_the_surest_and_a_foreign_question_has_none() {
    let weather = probed("What is the weather forecast for the city of Rome?", &[]);
    assert_eq!(weather.ranked()[0].candidate.method.name.as_str(), "get_forecast");
    assert!(weather.confidence() >= 0.5, "{}", weather.confidence());
    let foreign = probed("Book a table at an Italian restaurant for two people", &[]);
    assert!(foreign.confidence() < 0.5, "{}", foreign.confidence());
}

#[test]
fn what_the_surest_is_reached_through_is_no_other_reading() {
    let odds = probed("What are the odds of the World Cup Final?", &[]);
    let surest = &odds.ranked()[0];
    assert_eq!(surest.candidate.method.name.as_str(), "get_odds");
    let means: Vec<&str> = surest.means.iter().map(|it| it.method.as_str()).collect();
    assert_eq!(means, ["search_events"]);
    let readings = odds.pool().interpretations().iter().map(|it| it.evidence.candidate.method.name.as_str());
    let readings: Vec<&str> = readings.collect();
    assert!(readings.contains(&"get_odds") && !readings.contains(&"search_events"), "{readings:?}");
    let search = probed("Search for events of the World Cup Final", &[]);
    let surest = search.pool().interpretations()[0].evidence.candidate.method.name.as_str();
    assert_eq!(surest, "search_events");
}

#[test]
fn what_was_said_before_fills_what_is_open() {
    let history = [(Speaker::User, "What is the weather forecast?"), (Speaker::Assistant, "For which city?")];
    let probed = probed("Rome", &history);
    let best = &probed.ranked()[0];
    assert_eq!(best.candidate.method.name.as_str(), "get_forecast");
    assert!(best.required[0].is_filled);
}

#[test]
fn a_method_is_for_the_time_of_which_the_question_speaks() {
    let tense = |question| {
        let probed = probed(question, &[]);
        let mut ranked = probed.ranked().iter();
        let forecast = ranked.find(|it| it.candidate.method.name.as_str() == "get_forecast").unwrap();
        value_of(&forecast.signals, "tense").total_cmp(&0.0)
    };
    let said =
        ["Will it rain in Rome?", "Did it rain in Rome?", "What was the forecast for Rome?", "Rome rain"];
    assert_eq!(said.map(tense), [Greater, Less, Equal, Less]);
    assert_eq!(tense("Rome rain in the next 3 days"), Greater);
    assert_eq!(["What's the rain in Rome?", "whats the rain in Rome"].map(tense), [Less, Less]);
    assert_eq!(["Rain in Rome over time", "Rome's forecast"].map(tense), [Equal, Equal]);
}

#[test]
fn what_is_asked_of_the_offer_asks_nothing_to_be_done() {
    let acts = |question| value_of(probed(question, &[]).shape(), "acts") > 0.0;
    let said =
        ["Which stations can you delete?", "Delete the stations", "What's new in Rome?", "New station"];
    assert_eq!(said.map(acts), [false, true, false, true]);
}

#[test]
fn a_day_that_is_only_referred_to_is_no_topic() {
    let left = |question| {
        let probed = probed(question, &[]);
        value_of(&probed.ranked()[0].signals, "topic_left").total_cmp(&0.0)
    };
    let said = ["The moon phase on that day", "The moon phase on the day of the harvest"];
    assert_eq!(said.map(left), [Equal, Greater]);
}

#[test]
fn a_method_that_does_not_know_whose_property_is_asked_is_off_the_topic() {
    let misses = |question| {
        let probed = probed(question, &[]);
        let forecast = probed.ranked().iter().find(|it| it.candidate.method.name.as_str() == "get_forecast");
        forecast.map(|it| it.misses_bearer)
    };
    let said = [
        "How good is the weather in Rome?",
        "How good is the weather wine in Rome?",
        "How good will the weather be in Rome?",
    ];
    assert_eq!(said.map(misses), [Some(false), Some(true), Some(false)]);
}

#[test]
fn what_a_look_up_searches_for_is_taken() {
    let probed = probed("What are the odds of a crewed Moon landing?", &[]);
    let best = &probed.ranked()[0];
    assert_eq!(best.candidate.method.name.as_str(), "get_odds");
    assert!(best.required[0].is_filled);
    assert_eq!(value_of(&best.signals, "topic_left").total_cmp(&0.0), Equal);
}

#[test]
fn how_something_is_doing_is_asked_generally() {
    let generally = |question| value_of(probed(question, &[]).shape(), "generally") > 0.0;
    let said = [
        "How is the weather in Rome looking?",
        "Give me an update on Rome",
        "Weather in Rome",
        "Rome weather forecast",
    ];
    assert_eq!(said.map(generally), [true, true, false, false]);
}

#[test]
fn a_reply_that_tells_less_than_was_asked_for_is_asked_again_and_one_that_tells_all_is_not() {
    let history = [
        (Speaker::User, "What is the reading of an instrument?"),
        (Speaker::Assistant, "Which instrument do you mean, and which station?"),
    ];
    let asks = |reply| {
        let probed = probed(reply, &history);
        let best = &probed.ranked()[0];
        assert_eq!(best.candidate.method.name.as_str(), "get_reading");
        assert!(best.grounding >= 0.6, "{}", best.grounding);
        best.open.iter().map(|open| open.is_the_callers).fold(0.0, f64::max)
    };
    assert!(asks("the barometer") >= 0.6);
    assert!(asks("the barometer, Rome") <= 0.4);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]
    #[test]
    fn evidence_is_total_finite_ordered_and_repeatable(question in "\\PC{1,60}", before in "\\PC{1,30}") {
        let history = [(Speaker::User, before.as_str()), (Speaker::Assistant, "?")];
        let one = probed(&question, &history);
        let groundings: Vec<f64> = one.ranked().iter().map(|evidence| evidence.grounding).collect();
        prop_assert!(groundings.iter().all(|grounding| (0.0..=1.0).contains(grounding)));
        prop_assert!(groundings.is_sorted_by(|one, other| one >= other));
        let signals = one.ranked().iter().flat_map(|evidence| &evidence.signals);
        prop_assert!(signals.clone().all(|(_, value)| value.is_finite()));
        let again = probed(&question, &history);
        prop_assert_eq!(groundings, again.ranked().iter().map(|evidence| evidence.grounding).collect::<Vec<_>>());
    }
}

#[test]
fn what_a_look_up_searches_for_is_named_by_all_that_stands_with_it() {
    let left = |text| {
        let probed = probed(text, &[]);
        let odds = probed.ranked().iter().find(|it| it.candidate.method.name.as_str() == "get_odds");
        odds.map(|odds| value_of(&odds.signals, "topic_left") + value_of(&odds.signals, "value_left"))
    };
    assert_eq!(left("odds of the Grand Prix winner"), Some(0.0));
    assert_eq!(left("odds of Rome at the Grand Prix next year"), Some(0.0));
    assert!(left("commentary and odds of the Grand Prix").is_some_and(|left| left > 0.0));
}
