//! Bindings of whole questions to hand-written methods.

use domain::{Annotations, Listing, Method, MethodMeta, MethodName};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Role, Source, State, bind, standard_codes};
use crate::Question;
use crate::bind::Parameters;

mod coverage;
mod hangul;
mod limits;
mod names;
mod objects;
mod places;
mod shares;
mod sums;
mod times;

fn method(name: &str, description: &str, input_schema: Value) -> Method {
    Method {
        name: MethodName::new(name),
        title: None,
        description: description.to_owned(),
        input_schema,
        output_schema: None,
        annotations: Annotations::default(),
        meta: MethodMeta::default(),
    }
}

fn question(text: &str) -> Question {
    Question::read(text, "2026-03-18T14:30:00Z".parse().unwrap())
}

fn values(text: &str, method: &Method) -> Value {
    Value::Object(bind(&question(text), &Parameters::of(method)).values())
}

fn flows() -> Method {
    method(
        "get_exchange_flow",
        "Net flow of an asset into one exchange over a window.",
        json!({"type": "object", "required": ["exchange", "asset"], "properties": {
            "exchange": {"type": "string", "enum": ["Binance", "Kraken", "OKX"]},
            "asset": {"type": "string", "enum": ["BTC", "ETH", "SOL"]},
            "window": {"type": "string", "enum": ["1h", "24h", "7d", "30d"], "default": "24h"}
        }}),
    )
}

fn search() -> Method {
    method(
        "search_news",
        "Search news by words.",
        json!({"type": "object", "required": ["query"], "properties": {
            "query": {"type": "string", "description": "Words to look for"}
        }}),
    )
}

#[test]
fn choices_windows_and_defaults() {
    let text = "What was the BTC inflow to kraken over the past week?";
    assert_eq!(values(text, &flows()), json!({"exchange": "Kraken", "asset": "BTC", "window": "7d"}));
    let binding = bind(&question("ethereum flow into OKX"), &Parameters::of(&flows()));
    assert!(
        matches!(&binding.argument("asset").unwrap().bound().unwrap().source, Source::Implied { why, .. } if why.contains("ethereum"))
    );
    assert_eq!(binding.argument("window").unwrap().bound().unwrap().source, Source::Default);
    let binding = bind(&question("BTC flow into OKX over the last 3 days"), &Parameters::of(&flows()));
    let window = binding.argument("window").unwrap().bound().unwrap();
    assert_eq!(window.value, json!("7d"));
    assert!(
        matches!(&window.source, Source::Window { note: Some(note), .. } if note.contains("last 3 days"))
    );
}

#[test]
fn names_of_currencies_stand_beside_their_codes() {
    let code = json!({"type": "string", "enum": ["CHF", "EUR", "USD"], "description": "A currency code."});
    let convert = method(
        "convert_currency",
        "Converts an amount from one currency to another.",
        json!({"type": "object", "required": ["from", "to"], "properties": {"from": code, "to": code}}),
    );
    let text = "How much are 250 EUR in Swiss francs?";
    assert_eq!(values(text, &convert), json!({"from": "EUR", "to": "CHF"}));
    let codes = |role| {
        let question = question("From Mexican pesos to euros, in French, in Japan");
        standard_codes(&question, role).into_iter().map(|(code, _)| code).collect::<Vec<_>>()
    };
    assert_eq!(codes(Role::Currency), ["MXN", "EUR"]);
    assert_eq!(codes(Role::Language), ["fr"]);
    assert_eq!(codes(Role::CountryCode), ["JP"]);
    assert_eq!(codes(Role::Symbol), [""; 0]);
}

#[test]
fn a_list_leaves_one_value_to_the_required_argument_beside_it() {
    let code =
        json!({"type": "string", "enum": ["CHF", "EUR", "GBP", "USD"], "description": "A currency code."});
    let rates = method(
        "get_rates",
        "The rates of one currency against several others.",
        json!({"type": "object", "required": ["base"],
            "properties": {"base": code, "symbols": {"type": "array", "items": code}}}),
    );
    let several = json!({"base": "EUR", "symbols": ["USD", "GBP"]});
    assert_eq!(values("rates of the euro against the dollar and the pound", &rates), several);
    let missing = |text| bind(&question(text), &Parameters::of(&rates)).missing().count();
    assert_eq!(missing("the rates"), 1);
}

#[test]
fn what_nothing_fills_stays_open() {
    let binding = bind(&question("What are the flows?"), &Parameters::of(&flows()));
    let missing: Vec<&str> = binding.missing().map(|argument| argument.name.as_str()).collect();
    assert_eq!(missing, ["exchange", "asset"]);
    assert!(
        matches!(&binding.argument("asset").unwrap().state, State::Unfilled { why, .. } if why.contains("asset"))
    );
}

#[test]
fn the_key_of_the_service_is_not_the_callers_to_say() {
    let weather = method(
        "current",
        "Current weather.",
        json!({"type": "object", "required": ["access_key", "city"], "properties": {
            "access_key": {"type": "string", "description": "Your API access key."}, "city": {"type": "string"}
        }}),
    );
    let binding = bind(&question("What is the weather?"), &Parameters::of(&weather));
    let open: Vec<&str> = binding.missing().map(|argument| argument.name.as_str()).collect();
    assert_eq!(open, ["city"]);
    let said = "Weather in Rome, my access key is 'k-17'";
    assert_eq!(values(said, &weather), json!({"access_key": "k-17", "city": "Rome"}));
}

#[test]
fn capitals_are_an_identifier_where_one_is_asked_for() {
    let event = method(
        "get_event",
        "One event",
        json!({"type": "object", "required": ["event_id"], "properties": {
            "event_id": {"type": "string", "description": "The event"}}}),
    );
    assert_eq!(values("Who wins the FIFA cup?", &event), json!({}));
    assert_eq!(values("Is the US recession market open?", &event), json!({}));
    assert_eq!(values("What is event ABC about?", &event), json!({"event_id": "ABC"}));
}

#[test]
fn an_identifier_follows_the_word_that_says_so() {
    let reschedule = method(
        "reschedule",
        "Moves an event.",
        json!({"type": "object", "required": ["event_id"], "properties": {"event_id": {"type": "string"}}}),
    );
    assert_eq!(values("Move the appointment with id dentist", &reschedule), json!({"event_id": "dentist"}));
    assert_eq!(values("Move the event whose id is gym", &reschedule), json!({"event_id": "gym"}));
    assert_eq!(values("Move the event of that id", &reschedule), json!({}));
}

#[test]
fn a_search_without_words_of_its_own_stays_open() {
    assert_eq!(values("What do the news say?", &search()), json!({}));
    let tales = || Method { description: "Finds sea tales by words.".to_owned(), ..search() };
    assert_eq!(values("the best sea tales", &tales()), json!({}));
    assert_eq!(values("tales of whales", &tales()), json!({"query": "whales"}));
    assert_eq!(values("What do the news say of inflation?", &search()), json!({"query": "inflation"}));
}

#[test]
fn numbers_go_to_their_words_or_in_order() {
    let sum = method(
        "get-sum",
        "Returns the sum of two numbers",
        json!({"type": "object", "required": ["a", "b"], "properties": {
            "a": {"type": "number", "description": "First number"}, "b": {"type": "number", "description": "Second number"}}}),
    );
    assert_eq!(values("What is the sum of 17 and 25.5?", &sum), json!({"a": 17, "b": 25.5}));
    assert_eq!(values("sum where b = 4 and a = 3", &sum), json!({"a": 3, "b": 4}));
    let loan = method(
        "loan",
        "Monthly payment of a loan",
        json!({"type": "object", "required": ["principal", "annual_rate", "years"], "properties": {
            "principal": {"type": "number", "description": "Loan amount"},
            "annual_rate": {"type": "number", "description": "Yearly interest rate in percent"},
            "years": {"type": "integer", "description": "Term of the loan"}}}),
    );
    assert_eq!(
        values("Monthly payment for a 30 year loan of $250,000 at 4.5% interest?", &loan),
        json!({"principal": 250_000, "annual_rate": 4.5, "years": 30})
    );
}

#[test]
fn texts_paths_and_searches() {
    let echo = method(
        "echo",
        "Echoes back the input string",
        json!({"type": "object", "required": ["message"], "properties": {"message": {"type": "string", "description": "Message to echo"}}}),
    );
    assert_eq!(values("Echo \"hello world\"", &echo), json!({"message": "hello world"}));
    assert_eq!(values("Echo hello world", &echo), json!({"message": "hello world"}));
    let files = method(
        "list_directory",
        "Get a detailed listing of all files and directories in a specified path.",
        json!({"type": "object", "required": ["path"], "properties": {"path": {"type": "string"}}}),
    );
    assert_eq!(values("Which files are in /srv/data?", &files), json!({"path": "/srv/data"}));
    assert_eq!(values("Which files are in \"/\"?", &files), json!({"path": "/"}));
    let nodes = method(
        "search_nodes",
        "Search for nodes in the knowledge graph based on a query",
        json!({"type": "object", "required": ["query"], "properties": {"query": {"type": "string", "description": "The search query to match against entity names, types, and observation content"}}}),
    );
    assert_eq!(values("What do we know about Alice Meyer?", &nodes), json!({"query": "Alice Meyer"}));
    let sql = method(
        "read_query",
        "Execute a SELECT query on the database",
        json!({"type": "object", "required": ["query"], "properties": {"query": {"type": "string", "description": "SELECT SQL query to execute"}}}),
    );
    assert_eq!(
        values("Run `SELECT count(*) FROM users`", &sql),
        json!({"query": "SELECT count(*) FROM users"})
    );
    assert_eq!(values("How many users are there?", &sql), json!({}));
}

#[test]
fn currencies_countries_and_dates() {
    let rate = method(
        "convert_currency",
        "Converts an amount between currencies",
        json!({"type": "object", "required": ["amount", "from", "to"], "properties": {
            "amount": {"type": "number"}, "from": {"type": "string", "description": "ISO 4217 currency code"}, "to": {"type": "string", "description": "ISO 4217 currency code"},
            "date": {"type": "string", "format": "date"}}}),
    );
    assert_eq!(
        values("Convert 100 dollars to yen", &rate),
        json!({"amount": 100, "from": "USD", "to": "JPY"})
    );
    assert_eq!(
        values("How much was €250 in GBP on 2026-01-05?", &rate),
        json!({"amount": 250, "from": "EUR", "to": "GBP", "date": "2026-01-05"})
    );
    let candles = method(
        "get_candles",
        "Price candles of a symbol",
        json!({"type": "object", "required": ["symbol"], "properties": {
            "symbol": {"type": "string", "description": "Symbol, e.g. 'BTC'"},
            "interval": {"type": "string", "enum": ["1m", "5m", "1h", "1d"]},
            "startTime": {"type": "integer", "description": "Start in epoch milliseconds"},
            "endTime": {"type": "integer", "description": "End in epoch milliseconds"}}}),
    );
    assert_eq!(
        values("Show hourly candles of ETH over the last 24 hours", &candles),
        json!({"symbol": "ETH", "interval": "1h", "startTime": 1_773_757_800_000_i64, "endTime": 1_773_844_200_000_i64})
    );
}

#[test]
fn lists_and_nested_objects() {
    let batch = method(
        "get_batch",
        "Open interest of several coins",
        json!({"type": "object", "required": ["symbols"], "properties": {"symbols": {"type": "array", "items": {"type": "string"}, "description": "Coin symbols"}}}),
    );
    assert_eq!(
        values("Open interest of BTC, ETH and SOL", &batch),
        json!({"symbols": ["BTC", "ETH", "SOL"]})
    );
    let mean = method(
        "mean",
        "Mean of numbers",
        json!({"type": "object", "required": ["numbers"], "properties": {"numbers": {"type": "array", "items": {"type": "number"}}}}),
    );
    assert_eq!(values("What is the mean of 1, 2, 3 and 4.5?", &mean), json!({"numbers": [1, 2, 3, 4.5]}));
    let nested = method(
        "book",
        "Book",
        json!({"type": "object", "required": ["contact"], "properties": {"contact": {"type": "object", "required": ["email"], "properties": {"email": {"type": "string"}}}}}),
    );
    assert_eq!(
        values("Book it for ann@example.org", &nested),
        json!({"contact": {"email": "ann@example.org"}})
    );
}

fn anything() -> Method {
    method(
        "anything",
        "Any shape of argument, e.g. 'one', \"two\".",
        json!({"type": "object", "required": ["a", "b", "c", "d", "e", "f", "g"], "properties": {
            "a": {"type": "integer", "minimum": 1, "maximum": 100}, "b": {"type": "string", "enum": ["24h", "7d", "x"]},
            "c": {"type": "array", "items": {"type": "number"}}, "d": {"type": ["string", "null"], "maxLength": 5},
            "e": {"anyOf": [{"type": "boolean"}, {"type": "null"}]}, "f": {"type": "string", "format": "date"},
            "g": {"type": "object", "required": ["city"], "properties": {"city": {"type": "string", "description": "City (\"Paris\") é"}}},
            "start_ts": {"type": "integer"}, "query": {"type": "string"}
        }}),
    )
}

proptest! {
    #[test]
    fn values_are_of_their_type(text in "(\\PC{0,12}|in Paris|7d|last week|42|-3.5|\"q\"|and|to|2026-01-01| ){0,9}") {
        let binding = bind(&question(&text), &Parameters::of(&anything()));
        for argument in &binding.arguments {
            let Some(bound) = argument.bound() else { continue };
            prop_assert!((0.0..=1.0).contains(&bound.confidence));
            let value = &bound.value;
            prop_assert!(match argument.name.as_str() {
                "a" => value.as_i64().is_some_and(|number| (1..=100).contains(&number)),
                "b" => ["24h", "7d", "x"].iter().any(|choice| value == choice),
                "c" => value.as_array().is_some_and(|items| items.iter().all(Value::is_number)),
                "d" => value.as_str().is_some_and(|text| text.chars().count() <= 5),
                "e" => value.is_boolean(),
                "f" => value.as_str().is_some_and(|text| text.parse::<jiff::civil::Date>().is_ok()),
                "g" => value["city"].is_string(),
                "start_ts" => value.is_i64(),
                _ => value.is_string(),
            }, "{} = {value}", argument.name);
            if let Some(range) = bound.source.range() {
                prop_assert!(text.get(range.clone()).is_some());
            }
        }
    }

    #[test]
    fn any_schema_is_read_without_a_fault(name in "\\PC{0,10}", description in "\\PC{0,60}", kind in "string|integer|array|object|bogus|null") {
        let method = method(&name, &description, json!({"required": [name], "properties": {(name.as_str()): {"type": kind, "description": description, "$ref": "#", "enum": []}}}));
        let _ = bind(&question(&description), &Parameters::of(&method));
    }
}

#[test]
fn a_percentage_becomes_a_fraction_where_none_is_asked_for_and_says_so() {
    let loan = method(
        "loan",
        "Interest of a loan",
        json!({"type": "object", "required": ["rate", "share_percent"], "properties": {
            "rate": {"type": "number", "description": "Interest rate"},
            "share_percent": {"type": "number", "description": "Share in percent"}}}),
    );
    let binding = bind(&question("Interest at a rate of 5% with a share of 20%"), &Parameters::of(&loan));
    assert_eq!(Value::Object(binding.values()), json!({"rate": 0.05, "share_percent": 20}));
    let rate = binding.argument("rate").unwrap().bound().unwrap();
    assert!(matches!(&rate.source, Source::Implied { why, .. } if why == "5% is passed as 0.05 for `rate`"));
}

#[test]
fn the_name_of_who_is_asked_is_no_value() {
    let markets = method(
        "search_markets",
        "Search markets",
        json!({"type": "object", "required": ["query"], "properties": {"query": {"type": "string"}, "category": {"type": "string"}}}),
    );
    let question = question("Search Acme for markets about tariffs");
    let asked = question.asked_of(&Listing::new("Acme", Vec::new()));
    assert_eq!(Value::Object(bind(&asked, &Parameters::of(&markets)).values()), json!({"query": "tariffs"}));
    assert!(question.form.entities.iter().any(|entity| entity.text == "Acme"));
    assert!(asked.form.entities.is_empty());
}

#[test]
fn a_pair_of_currencies_asks_for_its_rate_however_it_is_written() {
    let rate = method(
        "get_rate",
        "Exchange rate.",
        json!({"type": "object", "required": ["base", "quote"], "properties": {
            "base": {"type": "string", "description": "Base currency code"},
            "quote": {"type": "string", "description": "Quote currency code"}
        }}),
    );
    for text in ["GBPUSD", "GBP/USD", "gbpusd", "gbp/usd"] {
        assert_eq!(values(text, &rate), json!({"base": "GBP", "quote": "USD"}), "{text}");
        assert_eq!(question(text).implied, ["rate"], "{text}");
    }
    for text in ["the pound against the Swiss franc", "How is the dollar doing vs the yen?", "GBP to USD"] {
        assert_eq!(question(text).implied, ["rate"], "{text}");
    }
    for text in ["pound in dollars", "How many dollars is a pound?", "from pounds to dollars"] {
        assert_eq!(values(text, &rate), json!({"base": "GBP", "quote": "USD"}), "{text}");
    }
    for text in ["Convert 5 GBP/USD", "the pound and the franc", "Spain against France", "EUR and GBP to USD"]
    {
        assert!(question(text).implied.is_empty(), "{text}");
    }
}
