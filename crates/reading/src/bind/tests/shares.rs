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

#[test]
fn a_choice_may_be_named_by_a_word_of_its_root() {
    let schema = json!({"type": "object", "required": ["intent", "kind"], "properties": {
        "intent": {"type": "string", "enum": ["rent", "buy"]},
        "kind": {"type": "string", "enum": ["Tax Lawyer", "Family Counselor"]},
        "price_range": {"type": "string", "enum": ["pricey", "cheap"]},
        "city": {"type": "string", "description": "The city, such as 'Berkeley, CA'."}
    }});
    let finder = method("find", "Finds a home or a service.", schema);
    let told = values("Find a rental in Oakland, whatever the price", &finder);
    assert_eq!(told, json!({"intent": "rent", "city": "Oakland"}));
    let told = values("Find someone specialized in Family Counseling in Oakland", &finder);
    assert_eq!(told, json!({"kind": "Family Counselor", "city": "Oakland"}));
}

#[test]
fn people_are_counted_and_money_has_a_receiver() {
    let schema = json!({"type": "object", "required": ["date"], "properties": {
        "date": {"type": "string", "description": "Date in ISO format YYYY-MM-DD."},
        "number_of_seats": {"type": "integer", "description": "The number of seats.", "default": 2}
    }});
    let table = method("reserve_table", "Reserves a table.", schema);
    let told = values("A table on May 3 2026 for 4 people please", &table);
    assert_eq!(told, json!({"date": "2026-05-03", "number_of_seats": 4}));
    let schema = json!({"type": "object", "required": ["receiver", "amount"], "properties": {
        "receiver": {"type": "string", "description": "Who receives it."},
        "amount": {"type": "number", "description": "The sum of money."}
    }});
    let pay = method("pay", "Sends money.", schema);
    assert_eq!(values("Send 84 dollars from my Moon account to Yumi", &pay)["receiver"], json!("Yumi"));
}

#[test]
fn a_number_behind_its_label_is_the_identifier() {
    let schema = json!({"type": "object", "required": ["professional_id"], "properties": {
        "professional_id": {"type": "integer", "description": "The unique identifier of a professional."}
    }});
    let profile = method("view_profile", "Shows the profile of a professional.", schema);
    assert_eq!(values("Open the profile id:7434", &profile), json!({"professional_id": 7434}));
    assert_eq!(values("Open profile id 7434", &profile), json!({"professional_id": 7434}));
}

#[test]
fn what_starts_on_a_day_does_not_end_on_it() {
    let schema = json!({"type": "object", "properties": {
        "start_date": {"type": "string", "description": "YYYY-MM-DD"},
        "end_date": {"type": "string", "description": "YYYY-MM-DD"},
        "pickup_time": {"type": "string", "description": "The time of the pickup in 24-hour format, such as '14:00'."}
    }});
    let cars = method("find_cars", "Finds cars to rent.", schema);
    let told = values("A car starting on May 3 2026 at 10 in the morning", &cars);
    assert_eq!(told, json!({"start_date": "2026-05-03", "pickup_time": "10:00"}));
    let told = values("A car from today until the 20th", &cars);
    assert_eq!(told, json!({"start_date": "2026-03-18", "end_date": "2026-03-20"}));
    assert_eq!(values("A car until the 12th", &cars)["end_date"], json!("2026-04-12"));
    assert_eq!(values("Cars since the 25th", &cars)["start_date"], json!("2026-02-25"));
}

#[test]
fn telephone_numbers_have_many_forms() {
    let schema = json!({"type": "object", "required": ["phone_number"], "properties": {
        "phone_number": {"type": "string", "description": "Whom to call"},
        "call_id": {"type": "string", "description": "The identifier of the call"}
    }});
    let call = method("call", "Calls someone.", schema);
    for number in ["+12453344098", "+41 44 668 18 00", "708-340-0190", "(415) 555-0100"] {
        assert_eq!(values(&format!("Call {number}, please"), &call), json!({"phone_number": number}));
    }
    for text in ["Call me in 2026", "Call me on 2026-11-23"] {
        assert_eq!(values(text, &call).get("phone_number"), None, "{text}");
    }
}

#[test]
fn a_sum_told_in_another_currency_is_converted() {
    let asks = |text: &str| super::question(text).implied == ["convert"];
    assert!(asks("How much is $2.048k in CNY") && asks("20 euros to yen"));
    assert!(!asks("a hotel for 200 euros in Tokyo") && !asks("$20 in USD"));
}

#[test]
fn a_city_is_no_person_and_a_holiday_no_place() {
    let schema = json!({"type": "object", "required": ["stylist_name"], "properties": {
        "stylist_name": {"type": "string", "description": "The name of the stylist"}
    }});
    let book = method("book", "Books a stylist.", schema);
    assert_eq!(values("Book me a stylist in Walnut Creek, CA", &book), json!({}));
    let schema = json!({"type": "object", "required": ["strategy"], "properties": {
        "strategy": {"type": "string", "enum": ["time-based", "count-based"]}
    }});
    let plan = method("plan", "Plans it.", schema);
    assert_eq!(values("Plan it with real-time data", &plan), json!({}));
    assert_eq!(values("Plan it by time", &plan), json!({"strategy": "time-based"}));
    let schema = json!({"type": "object", "required": ["where_to"], "properties": {
        "where_to": {"type": "string", "description": "The city, such as 'Berkeley, CA'."}
    }});
    let house = method("search_house", "Searches for a house.", schema);
    assert_eq!(values("I am going on vacation. Find a house for one person.", &house), json!({}));
}

#[test]
fn a_journey_goes_from_one_place_to_another_however_they_are_named() {
    let schema = json!({"type": "object", "required": ["_from", "to", "date_of_journey"], "properties": {
        "_from": {"type": "string", "description": "The starting city of the journey, such as 'San Jose, CA'."},
        "to": {"type": "string", "description": "The destination city of the journey, such as 'San Jose, CA'."},
        "date_of_journey": {"type": "string", "description": "The date in the format 'MM/DD/YYYY'."}
    }});
    let trains = method("Trains_1_FindTrains", "Finds trains to a city on a date.", schema);
    assert_eq!(
        values("Find trains departing from Fresno, CA to Oakland, CA on April 10, 2023", &trains),
        json!({"_from": "Fresno, CA", "to": "Oakland, CA", "date_of_journey": "04/10/2023"})
    );
}

#[test]
fn a_flag_is_raised_by_the_word_that_tells_it_from_others() {
    let schema = json!({"type": "object", "properties": {
        "private_visibility": {"type": "boolean", "description": "Whether it is hidden.", "default": false},
        "has_vegetarian_options": {"type": "boolean", "description": "Whether there are some.", "default": false}
    }});
    let pay = method("make_payment", "Sends money.", schema);
    assert_eq!(values("Send it privately", &pay), json!({"private_visibility": true}));
    assert_eq!(values("one with vegetarian food", &pay), json!({"has_vegetarian_options": true}));
    let schema = json!({"type": "object", "properties": {"beginner_friendly": {"type": "boolean"}}});
    let plants = method("advise", "Advises on plants.", schema);
    assert_eq!(values("I am a beginner", &plants), json!({"beginner_friendly": true}));
}
