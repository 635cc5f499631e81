//! What a schema does not take.

use domain::Method;
use serde_json::{Value, json};

use super::{method, question, values};
use crate::bind::{Parameters, bind};

fn team(property: &Value) -> Method {
    method(
        "get_team",
        "The schedule of a team.",
        json!({"type": "object", "required": ["team_id"], "properties": {"team_id": property}}),
    )
}

fn refused(text: &str, property: &Value) -> Option<String> {
    let binding = bind(&question(text), &Parameters::of(&team(property)));
    binding.argument("team_id")?.refused().map(|it| it.said.clone())
}

#[test]
fn an_identifier_keeps_to_its_pattern() {
    let five = json!({"type": "string", "pattern": "^\\d{5}$"});
    assert_eq!(values("schedule of team ID 12345", &team(&five)), json!({"team_id": "12345"}));
    assert_eq!(values("schedule of team ID 123", &team(&five)), json!({}));
    assert_eq!(refused("schedule of team ID 123", &five).as_deref(), Some("123"));
    assert_eq!(refused("schedule of the team", &five), None);
}

#[test]
fn a_number_keeps_to_its_bounds() {
    let most = json!({"type": "integer", "maximum": 500});
    assert_eq!(values("schedule of team ID 123", &team(&most)), json!({"team_id": 123}));
    assert_eq!(refused("schedule of team ID 700", &most).as_deref(), Some("700"));
}

#[test]
fn a_text_is_written_as_its_pattern_wants_it() {
    let pair = |pattern: &str, name: &str| {
        let property = json!({"type": "string", "pattern": pattern});
        method(
            "rates",
            "Rates.",
            json!({"type": "object", "required": [name], "properties": {name: property}}),
        )
    };
    assert_eq!(values("rates for 3 March 2026", &pair("^\\d{8}$", "date")), json!({"date": "20260303"}));
    assert_eq!(
        values("rates at 10 pm", &pair("^\\d{1,2}:\\d{2} (AM|PM)$", "time")),
        json!({"time": "10:00 PM"})
    );
    assert_eq!(values("rates for usd", &pair("^[A-Z]{3}$", "currency")), json!({"currency": "USD"}));
}

#[test]
fn a_page_that_has_to_be_told_is_as_long_as_it_may_be() {
    let page = |more: Value| {
        let mut own = json!({"type": "integer", "description": "Entries per page."});
        own.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let schema = json!({"type": "object", "required": ["perPage"], "properties": {"perPage": own}});
        values("Show the latest readings", &method("get_readings", "Returns the latest readings.", schema))
    };
    assert_eq!(page(json!({"maximum": 100})), json!({"perPage": 100}));
    assert_eq!(page(json!({"description": "Within the range of 3 to 50."})), json!({"perPage": 50}));
    assert_eq!(page(json!({"description": "Entries per page (max 25)."})), json!({"perPage": 25}));
    assert_eq!(page(json!({"default": 10, "maximum": 100})), json!({"perPage": 10}));
    assert_eq!(page(json!({})), json!({}));
    assert_eq!(page(json!({"maximum": 1_000_000})), json!({}));
}

#[test]
fn the_first_page_is_read_where_a_page_has_to_be_told() {
    let from = |name: &str| {
        let own = json!({"type": "integer", "description": "Where to start, for pagination."});
        let schema = json!({"type": "object", "required": [name], "properties": {name: own}});
        values("Show the latest readings", &method("get_readings", "Returns the latest readings.", schema))
    };
    assert_eq!(from("offset"), json!({"offset": 0}));
    assert_eq!(from("page"), json!({"page": 1}));
}

/// The values that a description leaves to an argument.
fn told(description: &str) -> Vec<Value> {
    let pick = json!({"type": "string", "description": description});
    let schema = json!({"type": "object", "required": ["kind"], "properties": {"kind": pick}});
    Parameters::of(&method("pick", "Picks one.", schema)).choices("kind")
}

#[test]
fn the_values_that_a_description_lists_are_the_only_ones() {
    assert_eq!(told("The mode. [Enum]: [\"on\", \"off\"]"), ["on", "off"]);
    assert_eq!(told("The class. Options are: economy, business, first."), ["economy", "business", "first"]);
    assert_eq!(told("Allowed values: 'copper', 'aluminum'"), ["copper", "aluminum"]);
    assert_eq!(told("string. One of: [small, medium]. How large (small or medium)."), ["small", "medium"]);
    assert_eq!(told("Either 'meeting' or 'event'."), ["meeting", "event"]);
    assert_eq!(told("The unit (one of: celsius, kelvin). Defaults to kelvin."), ["celsius", "kelvin"]);
    assert_eq!(told("Options: svg (vectors, scalable), png (pixels)"), ["svg", "png"]);
    assert_eq!(told("Type of the order (Buy/Sell)."), ["Buy", "Sell"]);
}

#[test]
fn a_description_that_may_go_on_lists_nothing() {
    for description in [
        "Options: 'single', 'double', etc.",
        "Valid values include: 'spades', 'clubs'",
        "One of the competing teams in the game.",
        "One of the city, the state or the country",
        "Either this or the id must be given.",
        "Can be absolute or relative to the folder.",
        "Type of the plan (e.g. Basic, Pro)",
        "The speed (m/s)",
    ] {
        assert_eq!(told(description), [] as [Value; 0], "{description}");
    }
}

#[test]
fn what_a_description_does_not_list_is_no_value() {
    let order = method(
        "place_order",
        "Places an order.",
        json!({"type": "object", "required": ["order_type", "company"], "properties": {
            "order_type": {"type": "string", "description": "Type of the order (Buy/Sell)."},
            "company": {"type": "string", "description": "The company"}
        }}),
    );
    assert_eq!(
        values("I want to purchase shares of the company Acme Corp", &order),
        json!({"order_type": "Buy", "company": "Acme Corp"})
    );
    assert_eq!(values("An order for the company Acme Corp", &order), json!({"company": "Acme Corp"}));
}

#[test]
fn how_many_are_to_be_shown_is_no_least_sum() {
    let schema = json!({"type": "object", "properties": {
        "min_usd": {"type": "number", "default": 1000, "description": "The least value in dollars."},
        "limit": {"type": "integer", "minimum": 1, "maximum": 50, "default": 20, "description": "Sales at the most."}
    }});
    let sales = method("list_sales", "Sales of paintings.", schema);
    for text in ["show me 3 large sales of Rome", "list 3 large sales", "first 3 sales"] {
        assert_eq!(values(text, &sales), json!({"limit": 3}), "{text}");
    }
}
