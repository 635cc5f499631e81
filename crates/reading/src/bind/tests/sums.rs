//! Sums of money, and other things that are counted.

use domain::Method;
use serde_json::{Value, json};

use super::{method, values};

/// A converter whose currencies are free text, and one that lists them.
fn converters() -> [Method; 2] {
    let of = |code: Value| {
        method(
            "convert_currency",
            "Converts an amount.",
            json!({"type": "object", "required": ["from", "to"], "properties": {
                "amount": {"type": "number", "description": "The amount to convert", "minimum": 0},
                "from": code, "to": code
            }}),
        )
    };
    let text = json!({"type": "string", "description": "ISO 4217 code of the currency"});
    let listed = json!({"type": "string", "description": "ISO 4217 code of the currency",
        "enum": ["USD", "EUR", "GBP", "JPY", "CHF", "SEK", "NZD"]});
    [of(text), of(listed)]
}

#[test]
fn a_sum_of_money_is_an_amount_in_what_one_has() {
    for convert in &converters() {
        let check = |text: &str, amount: f64, from: &str, to: &str| {
            let told = values(text, convert);
            assert_eq!(told["amount"].as_f64(), Some(amount), "{text}: {told}");
            assert_eq!((told["from"].as_str(), told["to"].as_str()), (Some(from), Some(to)), "{text}");
        };
        check("40 pounds in euros", 40.0, "GBP", "EUR");
        check("£40 in EUR", 40.0, "GBP", "EUR");
        check("40 GBP in EUR", 40.0, "GBP", "EUR");
        check("40 gbp eur", 40.0, "GBP", "EUR");
        check("Dinner was 40 GBP. How bad is that in EUR?", 40.0, "GBP", "EUR");
        check("1500 swedish krona to pounds", 1_500.0, "SEK", "GBP");
        check("100 US dollars to JPY", 100.0, "USD", "JPY");
        check("what are 3 new zealand dollars in swiss francs", 3.0, "NZD", "CHF");
        check("convert half a million dollars to euros", 500_000.0, "USD", "EUR");
        check("two hundred thousand dollars in euros", 200_000.0, "USD", "EUR");
        check("a hundred bucks to euros", 100.0, "USD", "EUR");
    }
}

#[test]
fn a_number_is_the_least_or_the_most() {
    let number = json!({"type": "number", "description": "US dollars"});
    let list = method(
        "list_transfers",
        "Lists transfers.",
        json!({"type": "object", "properties": {"min_usd": number, "max_usd": number}}),
    );
    for text in ["transfers above 20 million", "transfers of more than 20 million", "at least 20 million"] {
        assert_eq!(values(text, &list), json!({"min_usd": 20_000_000}), "{text}");
    }
    for text in ["transfers below 20 million", "transfers of less than 20 million"] {
        assert_eq!(values(text, &list), json!({"max_usd": 20_000_000}), "{text}");
    }
}

#[test]
fn coins_are_no_dollars() {
    let transfers = method(
        "list_transfers",
        "Large transfers.",
        json!({"type": "object", "properties": {
            "asset": {"type": "string", "enum": ["BTC", "ETH"]},
            "min_usd": {"type": "number", "description": "Least value in USD"}
        }}),
    );
    assert_eq!(values("transfers over 1000 BTC", &transfers), json!({"asset": "BTC"}));
    assert_eq!(values("show me 15 transfers of BTC", &transfers), json!({"asset": "BTC"}));
    let dollars = json!({"asset": "BTC", "min_usd": 5_000_000});
    assert_eq!(values("BTC transfers over 5 million dollars", &transfers), dollars);
    for text in ["BTC txs >5m usd", "BTC txs > $5m", "BTC transfers over 5m", "BTC transfers of 5M or more"] {
        assert_eq!(values(text, &transfers), dollars, "{text}");
    }
}

#[test]
fn a_number_may_stand_before_how_its_rows_are_sorted() {
    let headlines = method(
        "get_headlines",
        "The latest headlines.",
        json!({"type": "object", "properties": {
            "limit": {"type": "integer", "description": "Most headlines", "minimum": 1, "maximum": 50}
        }}),
    );
    assert_eq!(values("5 latest sports headlines", &headlines), json!({"limit": 5}));
    assert_eq!(values("headlines of the 5 senators", &headlines), json!({}));
}

#[test]
fn what_is_paid_is_not_turned_into_the_same() {
    for convert in &converters() {
        for text in ["Convert 100 USD", "Convert $100"] {
            assert_eq!(values(text, convert), json!({"amount": 100, "from": "USD"}), "{text}");
        }
    }
}
