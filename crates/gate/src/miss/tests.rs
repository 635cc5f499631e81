//! What a miss says.

use super::*;
use crate::fixture::{brief, option};

#[test]
fn a_venue_that_is_not_served_is_named() {
    let mut brief = brief("What is the price of BTC on Bybit?", vec![option("price", 0.9)]);
    brief.unavailable = Some(Unavailable::Venue("Bybit".to_owned()));
    let miss = of(&brief);
    assert_eq!(miss.message(), "None of the tools at hand serves Bybit.");
    assert_eq!(
        miss.missing(),
        [
            "No grounded capability path was established.",
            "No grounded method supports the requested venue: Bybit.",
        ]
    );
    assert_eq!(
        miss.rewrites(),
        [
            "Ask it without the venue: \"What is the price of BTC?\"",
            "Pin a tool that serves Bybit, by its id.",
            "Ask for what is near and at hand: price (Alpha).",
        ]
    );
}

#[test]
fn only_a_word_that_leads_to_the_venue_goes_with_it() {
    let first = |question: &str, venue: &str| {
        let mut brief = brief(question, Vec::new());
        brief.unavailable = Some(Unavailable::Venue(venue.to_owned()));
        of(&brief).rewrites()[0].clone()
    };
    assert_eq!(first("btc net flow acme", "acme"), "Ask it without the venue: \"btc net flow\"");
    assert_eq!(first("show me the Acme rate", "Acme"), "Ask it without the venue: \"show me the rate\"");
    assert_eq!(first("is eth leaving acme", "acme"), "Ask it without the venue: \"is eth leaving\"");
    assert!(first("how much btc does acme hold", "acme").starts_with("Name the exact entity"));
    assert!(first("Does acme hold btc?", "acme").starts_with("Name the exact entity"));
}

#[test]
fn a_value_that_is_not_covered_is_named_with_those_that_are() {
    let mut brief = brief("What is the open interest in DOGE?", vec![option("interest", 0.9)]);
    let listed = vec!["BTC".to_owned(), "ETH".to_owned()];
    brief.unavailable =
        Some(Unavailable::Value { named: "DOGE".to_owned(), argument: "asset".to_owned(), listed });
    let miss = of(&brief);
    assert_eq!(
        miss.message(),
        "The tools at hand do not cover DOGE. What they take as asset is one of: BTC, ETH."
    );
    assert_eq!(miss.missing()[1], "No grounded method supports the requested asset: DOGE.");
    assert_eq!(
        miss.rewrites(),
        [
            "Ask about what is covered: \"What is the open interest in BTC?\"",
            "Pin a tool that covers DOGE, by its id.",
            "Ask for what is near and at hand: interest (Alpha).",
        ]
    );
}

#[test]
fn a_question_of_several_things_is_taken_apart() {
    let mut brief = brief("sing and dance", Vec::new());
    brief.clauses = vec!["Sing me a song".to_owned(), "show me a dance".to_owned()];
    assert_eq!(of(&brief).rewrites()[2], "Ask one thing at a time: \"Sing me a song\"");
    assert_eq!(of(&brief).missing(), ["No grounded capability path was established."]);
}

#[test]
fn rewrites_are_three_and_differ() {
    for names_target in [true, false] {
        let mut brief = brief("price", vec![option("price", 0.3)]);
        brief.names_target = names_target;
        let [one, two, three] = of(&brief).rewrites();
        assert!(one != two && two != three && one != three);
    }
}
