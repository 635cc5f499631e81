//! Programs for hand-written methods.

use std::sync::Arc;

use domain::{Annotations, Candidate, Listing, Method, MethodMeta, MethodName, Speaker, Turn};
use fit::Knowledge;
use policy::Policy;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use super::plan;
use crate::{PlanBrief, PlanLimits, PlanReply, PlannedText};

mod fans;
mod lookups;

fn replied(brief: &PlanBrief) -> PlanReply {
    plan(brief, &Knowledge::default())
}

fn method(name: &str, description: &str, input: Value, output: Value) -> Method {
    Method {
        name: MethodName::new(name),
        title: None,
        description: description.to_owned(),
        input_schema: input,
        output_schema: (!output.is_null()).then_some(output),
        annotations: Annotations::default(),
        meta: MethodMeta::default(),
    }
}

fn brief(question: &str, methods: Vec<Method>) -> PlanBrief {
    let name = "Sample Data";
    let methods: Vec<Arc<Method>> = methods.into_iter().map(Arc::new).collect();
    let listing = Arc::new(Listing::new(name, methods.clone()));
    let candidate = |method| Candidate { listing: Arc::clone(&listing), method, score: 1.0 };
    PlanBrief {
        question: question.to_owned(),
        history: Vec::new(),
        now: "2026-03-18T14:30:00Z".parse().unwrap(),
        candidates: methods.into_iter().map(candidate).collect(),
        helpers: Vec::new(),
        limits: PlanLimits { fan_out_max: 3, calls_max: 8, ..PlanLimits::of(&Policy::shipped().unwrap()) },
        chosen: None,
        asked: Vec::new(),
        avoid: Vec::new(),
        by_the_book: None,
    }
}

fn program(question: &str, methods: Vec<Method>) -> PlannedText {
    let reply = replied(&brief(question, methods));
    let PlanReply::Program(text) = reply else { panic!("{reply:?}") };
    text
}

fn flow() -> Method {
    method(
        "get_exchange_flow",
        "Net flow and inflow of one asset at one exchange over a window.",
        json!({"type": "object", "required": ["exchange", "asset"], "properties": {
            "exchange": {"type": "string", "enum": ["alpha", "beta", "gamma", "delta"]},
            "asset": {"type": "string", "enum": ["BTC", "ETH"]},
            "window": {"type": "string", "enum": ["24h", "7d"], "default": "24h"}}}),
        json!({"type": "object", "properties": {
            "exchange": {"type": "string"},
            "netFlowUsd": {"type": "number", "description": "Inflow minus outflow"},
            "grossInflowUsd": {"type": "number", "description": "All that came in"}}}),
    )
}

fn events() -> Vec<Method> {
    let search = method(
        "search_events",
        "Search events by keyword",
        json!({"type": "object", "required": ["query"], "properties": {"query": {"type": "string"}}}),
        json!({"type": "object", "properties": {"events": {"type": "array", "items": {"type": "object", "properties": {
            "id": {"type": "string"}, "title": {"type": "string"}}}}}}),
    );
    let odds = method(
        "get_odds",
        "Odds of every outcome of an event",
        json!({"type": "object", "required": ["event_id"], "properties": {"event_id": {"type": "string"}}}),
        json!({"type": "object", "properties": {"odds": {"type": "number"}}}),
    );
    vec![odds, search]
}

#[test]
fn what_is_ranked_behind_a_call_is_asked_for_up_to_what_it_takes_and_the_policy_allows() {
    let ports = |maximum: Value| {
        method(
            "list_ports",
            "The cargo of each port.",
            json!({"type": "object", "properties": {"limit": {"type": "integer", "maximum": maximum, "default": 10}}}),
            json!({"type": "object", "properties": {"ports": {"type": "array", "items": {"type": "object", "properties": {
                "port": {"type": "string"}, "cargo": {"type": "number"}}}}}}),
        )
    };
    let asked =
        |maximum: Value| program("Which are the 2 smallest ports by cargo?", vec![ports(maximum)]).source;
    for (maximum, limit) in
        [(json!(80), "80"), (json!(80.0), "80.0"), (json!(5_000), "1000"), (json!(5e3), "1000")]
    {
        let source = asked(maximum);
        assert!(source.contains(&format!("limit: {limit}}}")), "{source}");
    }
}

#[test]
fn a_single_call_is_the_programs_value() {
    let text = program("What was the BTC inflow to beta over the past week?", vec![flow()]);
    insta::assert_snapshot!(text.source, @r#"call_tool("sample_data.get_exchange_flow", #{exchange: "beta", asset: "BTC", window: "7d"})"#);
    assert_eq!(text.reading.measures[0], "grossInflowUsd");
    assert_eq!(text.assumptions, Vec::<String>::new());
}

fn rate() -> Method {
    let code = json!({"type": "string", "description": "ISO 4217 code of the currency."});
    let schema =
        json!({"type": "object", "required": ["from", "to"], "properties": {"from": code, "to": code}});
    method("get_rate", "The exchange rate of two currencies", schema, Value::Null)
}

#[test]
fn a_name_that_a_value_is_read_from_is_not_looked_for() {
    let text = program("What is the rate from British pounds to Swiss francs?", vec![rate()]);
    assert!(text.source.contains(r#"from: "GBP", to: "CHF""#), "{}", text.source);
    assert_eq!(text.reading.entities, [""; 0]);
}

fn cities() -> Vec<Method> {
    let weather = method(
        "get_weather",
        "The weather of a city",
        json!({"type": "object", "required": ["city"], "properties": {"city": {"type": "string"}}}),
        json!({"type": "object", "properties": {"temperature": {"type": "number"}}}),
    );
    let list = method(
        "list_cities",
        "Every city",
        json!({"type": "object", "properties": {}}),
        json!({"type": "object", "properties": {"cities": {"type": "array", "items": {"type": "object", "properties": {
            "city": {"type": "string"}}}}}}),
    );
    vec![weather, list]
}

#[test]
fn what_is_asked_apart_is_planned_apart() {
    let mut methods = cities();
    methods.push(flow());
    let text = program("What is the weather in Rome? And what was the BTC inflow to beta?", methods.clone());
    assert_eq!(text.reading.parts.len(), 2);
    assert!(text.source.contains("let replies = settle_all([part_1, part_2]);"), "{}", text.source);
    let text = program("What is the weather in Rome? And what was the inflow to beta?", methods);
    assert_eq!(
        text.reading.open,
        ["\"what was the inflow to beta\" is not answered: it does not say `asset`."]
    );
}

#[test]
fn what_asks_more_of_the_same_thing_is_no_call_of_its_own() {
    let mut methods = cities();
    methods.push(flow());
    let text = program("What is the weather in Rome, and how warm is it there?", methods.clone());
    assert!(text.reading.parts.is_empty() && text.source.contains(r#"city: "Rome""#), "{}", text.source);
    let text = program("What is the weather in Rome, and when was it founded?", methods.clone());
    assert_eq!(text.reading.open, ["\"when was it founded\" is not answered: no plan could be made for it."]);
    let text =
        program("What was the BTC inflow to beta last week, and what was the flow like?", methods.clone());
    assert!(text.reading.parts.is_empty() && text.source.contains("BTC"), "{}", text.source);
    for question in [
        "What is the weather in Rome, and what was the BTC inflow to beta then?",
        "What was the BTC inflow to beta, and how did that change over the last week?",
    ] {
        assert_eq!(program(question, methods.clone()).reading.parts.len(), 2, "{question}");
    }
    let rate = method(
        "convert_currency",
        "Converts an amount of money from one currency to another.",
        json!({"type": "object", "required": ["amount", "from", "to"], "properties": {
            "amount": {"type": "number"}, "from": {"type": "string", "description": "ISO 4217 code of the currency given"},
            "to": {"type": "string", "description": "ISO 4217 code of the currency wanted"}}}),
        json!({"type": "object", "properties": {"converted_amount": {"type": "number"}}}),
    );
    let text = program("Convert 100 USD to EUR, and what is it in yen?", vec![rate]);
    assert!(text.source.contains(r#"to: "EUR""#) && text.source.contains(r#"to: "JPY""#), "{}", text.source);
}

#[test]
fn a_time_that_no_argument_takes_is_said() {
    let text = program("What was the weather in Rome on 2026-01-02?", cities());
    assert_eq!(text.reading.open, ["`get_weather` takes no time, so \"2026-01-02\" was not asked of it."]);
}

#[test]
fn a_day_is_asked_for_each_day_of_a_stretch_or_what_is_left_out_is_said() {
    let history = method(
        "get_weather_history",
        "The weather of a city on one day",
        json!({"type": "object", "required": ["city", "date"], "properties": {
            "city": {"type": "string"}, "date": {"type": "string", "format": "date"}}}),
        json!({"type": "object", "properties": {"temperature": {"type": "number"}}}),
    );
    let text = program("What was the weather in Rome from 2 to 3 March?", vec![history.clone()]);
    assert!(text.source.contains("[\"2026-03-02\", \"2026-03-03\"]"), "{}", text.source);
    let text = program("What was the weather in Rome in February?", vec![history]);
    let left = "`date` takes one day: of 28 it was asked for \"2026-02-01\" alone.";
    assert_eq!(text.reading.open, [left]);
}

#[test]
fn a_change_that_no_method_knows_is_not_read_as_something_else() {
    assert!(matches!(replied(&brief("Delete all cities", cities())), PlanReply::NoMatch { .. }));
    assert!(matches!(
        replied(&brief("What is the population of Rome?", cities())),
        PlanReply::NoMatch { .. }
    ));
}

#[test]
fn an_argument_that_nothing_fills_is_named() {
    let PlanReply::Missing(missing) = replied(&brief("What was the flow at beta?", vec![flow()])) else {
        panic!()
    };
    assert_eq!(missing.len(), 1);
    assert_eq!(missing[0].argument, "asset");
    assert_eq!(missing[0].why, "the question does not say `asset`");
}

#[test]
fn what_a_question_leaves_open_is_taken_from_what_was_asked_before() {
    let after = |earlier: &[&str], question: &str, methods| {
        let said = |text: &&str| Turn::said(Speaker::User, text);
        let history = earlier.iter().map(said).collect();
        replied(&PlanBrief { history, ..brief(question, methods) })
    };
    let planned = |reply| {
        let PlanReply::Program(text) = reply else { panic!("{reply:?}") };
        (text.source, text.assumptions)
    };
    let (source, assumptions) = planned(after(
        &["The price of ETH", "BTC inflow to beta last week?"],
        "And the net flow?",
        vec![flow()],
    ));
    assert!(source.contains(r#"exchange: "beta", asset: "BTC""#), "{source}");
    assert!(assumptions[0].starts_with(r#""BTC", "to beta","#), "{assumptions:?}");
    let (source, _) = planned(after(&["BTC inflow to beta?"], "And the net flow of ETH?", vec![flow()]));
    assert!(source.contains(r#"asset: "ETH""#), "{source}");
    let open = after(&["The weather in Rome"], "And the net flow?", vec![flow()]);
    assert!(matches!(open, PlanReply::Missing(missing) if missing.len() == 2));
    let in_vain = after(&["BTC inflow to beta?"], "And the net flow of pepe?", vec![flow()]);
    assert!(matches!(in_vain, PlanReply::Missing(_)), "{in_vain:?}");
    let text = program("What is the weather in Rome? And what is the temperature there?", cities());
    assert!(!text.reading.open.iter().any(|it| it.contains("is not answered")), "{:?}", text.reading.open);
}

#[test]
fn a_question_about_something_else_has_no_method() {
    assert!(matches!(replied(&brief("Who wrote Hamlet?", vec![flow()])), PlanReply::NoMatch { .. }));
}

#[test]
fn a_method_that_failed_is_done_without() {
    let mut brief = brief("What was the BTC inflow to beta?", vec![flow()]);
    brief.avoid.push((brief.candidates[0].method_ref(), "timeout".to_owned()));
    assert!(matches!(replied(&brief), PlanReply::NoMatch { .. }));
}

#[test]
fn what_stands_in_for_a_method_accounts_for_about_as_much() {
    let city = json!({"type": "object", "required": ["city"], "properties": {"city": {"type": "string"}}});
    let warnings = method("get_warnings", "The storm warnings of a city", city.clone(), Value::Null);
    let storms = method("get_storms", "The storms over a city", city.clone(), Value::Null);
    let time = method("get_time", "The time of a city", city, Value::Null);
    let mut brief = brief("Are there storm warnings in Rome?", vec![warnings, time, storms]);
    brief.avoid.push((brief.candidates[0].method_ref(), "nothing in it".to_owned()));
    assert!(matches!(replied(&brief), PlanReply::NoMatch { .. }));
    brief.limits.stand_in_share_min = 0.0;
    let PlanReply::Program(text) = replied(&brief) else { panic!("no program") };
    assert_eq!(text.primary.method.as_str(), "get_storms");
}

#[test]
fn a_series_is_taken_from_a_method_that_has_one() {
    let history = method(
        "get_flow_history",
        "Inflow of one asset at one exchange over time",
        flow().input_schema,
        json!({"type": "object", "properties": {"points": {"type": "array", "items": {"type": "object", "properties": {
            "time": {"type": "string", "format": "date-time"}, "inflowUsd": {"type": "number"}}}}}}),
    );
    let text = program("Show the BTC inflow trend of beta", vec![flow(), history]);
    assert_eq!(text.primary.method.as_str(), "get_flow_history");
    assert_eq!(text.reading.measures, ["points[].inflowUsd"]);
    assert_eq!(text.assumptions, ["`window` is left at its default, 24h"]);
}

fn odd() -> Method {
    method(
        "weird \"name\"\n",
        "Echo a message",
        json!({"type": "object", "required": ["message", "call"], "properties": {
            "message": {"type": "string"}, "call": {"type": "string", "default": "a\"b"}, "größe \"x\"": {"type": "number"}}}),
        Value::Null,
    )
}

#[test]
fn odd_names_are_quoted() {
    let text = program("Echo the message \"say \\ hi\"", vec![odd()]);
    insta::assert_snapshot!(text.source, @r#"call_tool("sample_data.weird \"name\"\n", #{message: "say \\ hi", "call": "a\"b"})"#);
}

proptest! {
    #[test]
    fn no_text_breaks_out_of_its_literal(text in "\\PC*|[\"\\\\\n${}`#]{0,12}") {
        let engine = rhai::Engine::new();
        let literal = super::write::quoted(&text);
        prop_assert_eq!(engine.eval_expression::<String>(&literal).unwrap(), text);
    }

    #[test]
    fn every_program_parses(
        text in "(Echo|message|\\PC{0,10}|\"[^\"]{0,8}\"|BTC|alpha|and|beta|World Cup|exchange| ){0,8}",
        methods in select(vec![vec![odd()], vec![flow()], events()]),
    ) {
        if let PlanReply::Program(planned) = replied(&brief(&text, methods)) {
            let engine = rhai::Engine::new_raw();
            prop_assert!(engine.compile(&planned.source).is_ok(), "{}", planned.source);
        }
    }
}
