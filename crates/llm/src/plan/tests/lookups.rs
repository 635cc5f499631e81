//! Programs that find an argument with another call.

use serde_json::{Value, json};

use super::{events, method, program};

#[test]
fn an_identifier_is_looked_up() {
    let text = program("What are the odds of the World Cup final?", events());
    insta::assert_snapshot!(text.source, @r#"
    let found = call_tool("sample_data.search_events", #{query: "World Cup final"});
    let wanted = ["world", "cup"];
    let searched = ["final"];
    let chosen = ();
    let most = 0;
    for item in found.events {
        let text = to_lower(to_json(item));
        let hits = 0;
        for word in wanted {
            if says(text, word) { hits += 1; }
        }
        if hits * 2 < wanted.len() { continue; }
        for word in searched {
            if says(text, word) { hits += 1; }
        }
        if hits > most {
            most = hits;
            chosen = item;
        }
    }
    if most == 0 && found.events.len() == 1 {
        chosen = found.events[0];
    }
    if chosen == () {
        throw "nothing that the look-up found has the words of the question";
    }
    let told = call_tool("sample_data.get_odds", #{event_id: chosen.id});
    if most == 0 && !wanted.all(|word| says(to_lower(to_json(told)), word)) {
        throw "nothing that the look-up found has the words of the question";
    }
    told
    "#);
    assert_eq!(text.assumptions, ["`event_id` is looked up with `search_events`"]);
}

#[test]
fn what_a_look_up_is_told_tells_its_items_not_apart() {
    let list = method(
        "list_instruments",
        "Lists the instruments of an asset.",
        json!({"type": "object", "required": ["asset"], "properties": {"asset": {"type": "string", "enum": ["BTC", "ETH"]}}}),
        json!({"type": "object", "properties": {"instruments": {"type": "array", "items": {"type": "object", "properties": {
            "instrument_id": {"type": "string"}, "venue": {"type": "string"}, "kind": {"type": "string"}}}}}}),
    );
    let basis = method(
        "get_basis",
        "The premium of an instrument over the spot price.",
        json!({"type": "object", "required": ["instrument_id"], "properties": {"instrument_id": {"type": "string"}}}),
        json!({"type": "object", "properties": {"premium": {"type": "number"}}}),
    );
    let text = program("premium of the kraken ETH quarterly over spot?", vec![list, basis]);
    assert!(text.source.contains(r#"let wanted = ["eth"];"#), "{}", text.source);
    assert!(text.source.contains(r#""kraken", "quarterly", "over""#), "{}", text.source);
}

#[test]
fn what_is_looked_up_is_of_its_year() {
    for question in
        ["What are the odds of the 2030 World Cup?", "What are the odds of the World Cup in 2030?"]
    {
        let text = program(question, events());
        assert!(text.source.contains(r#"let wanted = ["world", "cup"];"#), "{}", text.source);
        assert!(text.source.contains("for year in 2018..2043 {"), "{}", text.source);
        assert!(text.source.contains("if most == 0 || is_of_another {"), "{}", text.source);
    }
    let text = program("What are the odds of the World Cup before 2030?", events());
    assert!(!text.source.contains("is_of_another"), "{}", text.source);
}

#[test]
fn what_is_looked_up_is_no_side_of_it() {
    let text = program("The odds of the World Cup final, ten levels on each side", events());
    assert!(text.source.contains(r#"#{query: "World Cup final"}"#), "{}", text.source);
}

#[test]
fn an_identifier_is_looked_up_in_what_no_schema_tells() {
    let by_id = |name, description| {
        let input = json!({"type": "object", "required": ["animeId"], "properties": {"animeId": {"type": "integer"}}});
        method(name, description, input, Value::Null)
    };
    let search = method(
        "searchAnime",
        "Search for anime",
        json!({"type": "object", "required": ["query"], "properties": {
            "query": {"type": "string", "description": "The search query"}}}),
        Value::Null,
    );
    let methods = vec![by_id("getCastAndCrew", "Cast and crew of an anime"), search];
    let text = program("Who is in the cast of \"Attack on Titan\"?", methods);
    insta::assert_snapshot!(text.source, @r#"
    let found = call_tool("sample_data.searchAnime", #{query: "Attack on Titan"});
    let wanted = ["attack", "titan"];
    let chosen = ();
    let most = 0;
    for item in rows(found) {
        let text = to_lower(to_json(item));
        let hits = 0;
        for word in wanted {
            if says(text, word) { hits += 1; }
        }
        if hits * 2 < wanted.len() { continue; }
        if hits > most {
            most = hits;
            chosen = item;
        }
    }
    if most == 0 {
        throw "nothing that the look-up found has the words of the question";
    }
    let identifier = chosen.get("animeId") ?? chosen.get("id");
    if identifier == () {
        throw "what the look-up found has no identifier";
    }
    call_tool("sample_data.getCastAndCrew", #{animeId: identifier})
    "#);
    assert_eq!(text.assumptions, ["`animeId` is looked up with `searchAnime`"]);
}

#[test]
fn a_look_up_may_need_a_look_up() {
    let outcomes = method(
        "get_event",
        "The outcomes of an event",
        json!({"type": "object", "required": ["event_id"], "properties": {"event_id": {"type": "string"}}}),
        json!({"type": "object", "properties": {"outcomes": {"type": "array", "items": {"type": "object", "properties": {
            "name": {"type": "string"}, "marketId": {"type": "string"}}}}}}),
    );
    let book = method(
        "get_order_book",
        "Bids and asks of a market",
        json!({"type": "object", "required": ["market_id"], "properties": {"market_id": {"type": "string"}}}),
        json!({"type": "object", "properties": {"spread": {"type": "number"}}}),
    );
    let mut methods = events();
    methods.extend([outcomes, book]);
    let text = program("Get the order book of the Spain market for the World Cup winner", methods);
    assert_eq!(text.primary.method.as_str(), "get_order_book");
    assert!(text.source.contains("#{event_id: chosen.id}"), "{}", text.source);
    assert!(text.source.ends_with("#{market_id: chosen_2.marketId})\n"), "{}", text.source);
    assert_eq!(
        text.assumptions,
        ["`event_id` is looked up with `search_events`", "`market_id` is looked up with `get_event`"]
    );
}
