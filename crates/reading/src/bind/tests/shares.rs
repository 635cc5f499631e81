//! What goes to which argument where several could have it.

use serde_json::{Value, json};

use super::{method, values};

fn text() -> Value {
    json!({"type": "string"})
}

fn texts() -> Value {
    json!({"type": "array", "items": {"type": "string"}})
}

#[test]
fn an_optional_argument_gives_way_to_a_required_one() {
    let price = method(
        "stock_price",
        "The price of a stock.",
        json!({"type": "object", "required": ["company"], "properties": {
            "company": {"type": "string", "description": "The company"},
            "data_type": {"type": "string", "description": "The type of price data to return"}}}),
    );
    assert_eq!(values("price of Acme stock", &price), json!({"company": "Acme"}));
    // What fits the optional one far better stays there.
    let events = method(
        "find_events",
        "Finds events.",
        json!({"type": "object", "required": ["event"], "properties": {
            "event": {"type": "string"}, "city": {"type": "string", "description": "The city"}}}),
    );
    assert_eq!(values("What is on in the city of Paris?", &events), json!({"city": "Paris"}));
}

#[test]
fn a_place_and_its_country_go_apart_where_both_are_asked_for() {
    let of = |required: Value| {
        let properties = json!({"city": text(), "country": text()});
        let schema = json!({"type": "object", "required": required, "properties": properties});
        values(
            "What is the weather in Lyon, France?",
            &method("get_weather", "The weather of a city.", schema),
        )
    };
    assert_eq!(of(json!(["city", "country"])), json!({"city": "Lyon", "country": "France"}));
    let alone = json!({"type": "object", "required": ["city"], "properties": {"city": text()}});
    let weather = method("get_weather", "The weather of a city.", alone);
    assert_eq!(values("What is the weather in Lyon, France?", &weather), json!({"city": "Lyon, France"}));
}

#[test]
fn a_list_keeps_what_stands_side_by_side_where_others_have_the_rest() {
    let schema = json!({"type": "object", "required": ["platforms", "format"], "properties": {
        "platforms": texts(), "format": {"type": "string", "enum": ["JSON", "CSV"]}}});
    let charts = method("top_charts", "The charts of several platforms.", schema);
    let expected = json!({"platforms": ["Tuneline", "Mixdeck"], "format": "JSON"});
    assert_eq!(values("Get the charts of Tuneline and Mixdeck as JSON", &charts), expected);
}

#[test]
fn times_of_day_and_lengths_are_known_by_what_the_schema_says() {
    let rent = method(
        "find_cars",
        "Finds cars for rent.",
        json!({"type": "object", "required": ["pickup_time"], "properties": {
            "pickup_time": {"type": "string", "description": "When the car is picked up, in the format HH:MM"}}}),
    );
    assert_eq!(values("Find a car for rent on 4 May at 10:30", &rent), json!({"pickup_time": "10:30"}));
    let interest = method(
        "compound_interest",
        "The compound interest of a principal.",
        json!({"type": "object", "required": ["time"], "properties": {
            "time": {"type": "integer", "description": "The time in years"},
            "compounds_per_year": {"type": "integer", "description": "How often a year"}}}),
    );
    assert_eq!(values("The compound interest over 10 years", &interest), json!({"time": 10}));
    let alerts = method(
        "get_alerts",
        "Lists alerts.",
        json!({"type": "object", "required": ["perPage"], "properties": {"perPage": {"type": "integer"}}}),
    );
    assert_eq!(values("List the alerts, at most 10 per page", &alerts), json!({"perPage": 10}));
}

#[test]
fn what_only_sounds_like_a_value_is_none() {
    let of = |name: &str, properties: Value, text: &str| {
        let required: Vec<&String> = properties.as_object().unwrap().keys().collect();
        let schema = json!({"type": "object", "required": required, "properties": properties});
        values(text, &method(name, "Finds it.", schema))
    };
    let city = json!({"city": {"type": "string", "description": "The city"}});
    for (text, found) in
        [("a barber in OH", None), ("a barber in France", None), ("a barber in Rome", Some("Rome"))]
    {
        assert_eq!(
            of("find_barber", city.clone(), text),
            found.map_or(json!({}), |it| json!({"city": it})),
            "{text}"
        );
    }
    assert_eq!(of("find_barber", city, "a barber in Singapore"), json!({"city": "Singapore"}));
    let place = json!({"where_to": text()});
    assert_eq!(of("find_house", place.clone(), "Find me a house to rent"), json!({}));
    assert_eq!(of("find_house", place, "Find me a trip to rome"), json!({"where_to": "rome"}));
    let list = json!({"numbers": {"type": "array", "items": {"type": "number"}}});
    assert_eq!(of("sum", list.clone(), "What is the sum of the two numbers?"), json!({}));
    assert_eq!(of("sum", list, "What is the sum of 2 and 3?"), json!({"numbers": [2, 3]}));
    let title = json!({"title": text()});
    assert_eq!(of("cinetube.check_video", title, "Is there any Cinetube video?"), json!({}));
    let quiz = json!({"quizTitle": text(), "language": text()});
    assert_eq!(of("create_quiz", quiz, "I need a French language quiz prepared").get("quizTitle"), None);
    let tagged = json!({"title": text(), "tags": texts()});
    let found = of("find_video", tagged, "a video with tags 'Rome', 'Italy' and 'history'");
    assert_eq!(found, json!({"tags": ["Rome", "Italy", "history"]}));
    let note = json!({"content": {"type": "string", "description": "What to be reminded of"}});
    assert_eq!(of("add_reminder", note.clone(), "Add a reminder tomorrow at 5 pm"), json!({}));
    assert!(of("add_reminder", note, "Add a reminder to buy milk tomorrow")["content"].is_string());
}

#[test]
fn a_choice_is_known_by_its_root() {
    let sections = json!({"type": "string", "enum": ["economy", "politics", "sports"], "default": "sports"});
    let schema = json!({"type": "object", "properties": {"section": sections}});
    let headlines = method("get_headlines", "The latest headlines of a section.", schema);
    assert_eq!(values("headlines on economics", &headlines), json!({"section": "economy"}));
    assert_eq!(values("political headlines", &headlines), json!({"section": "politics"}));
    assert_eq!(values("headlines on cooking", &headlines), json!({}));
}
