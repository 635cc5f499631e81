//! What follows from a decision, over real probes.

use std::sync::Arc;

use domain::{ClarificationPolicy, LeftOut, Listing, Method};
use gate::token::{self, Stake, TokenFault};
use gate::{Brief, JudgeFault, ReasonCode, Ruled, Ruling, Unavailable, Verdict};
use jiff::{SignedDuration, Timestamp};
use policy::{Gate, RolloutStage};
use probe::Probed;
use serde_json::json;

use crate::universe::{
    FOREIGN, LISTED, METHODS, PLAIN, POLICY, candidate, listing, probed, probed_with, query,
};

const AMBIGUOUS: &str = "odds of the World Cup Winner 2026";
const KEY: &[u8] = b"key";

fn all(text: &str) -> Probed {
    probed(text, (0..METHODS).map(|at| candidate(&PLAIN, at, text)).collect())
}

fn only(text: &str, names: &[&str]) -> Probed {
    let places = (0..METHODS).filter(|at| names.contains(&PLAIN.methods[*at].name.as_str()));
    probed(text, places.map(|at| candidate(&PLAIN, at, text)).collect())
}

/// A gate for which everything that the probe holds near is viable, so that these tests do not hang on learned weights.
fn lenient() -> Gate {
    Gate {
        grounding_min: 0.0,
        near_min: 0.0,
        dominance_points: 100.0,
        scope_points: 100.0,
        ..POLICY.gate.clone()
    }
}

fn ruled(probed: Probed, policy: &Gate) -> Ruled {
    gate::rule(probed, &Err(JudgeFault::NotAsked), policy)
}

fn two() -> Probed {
    only(AMBIGUOUS, &["get_event_odds", "get_outcome_odds"])
}

#[test]
fn an_ambiguous_question_is_asked_back() {
    let Ruled { ruling: Ruling::Clarify(card), decision } = ruled(two(), &lenient()) else {
        panic!("no card")
    };
    assert_eq!(decision.reason, ReasonCode::SemanticScopeAmbiguity);
    let mut labels: Vec<&str> = card.options.iter().map(|option| option.label.as_str()).collect();
    labels.sort_unstable();
    assert_eq!(
        labels,
        ["Odds of all outcomes: World Cup Winner 2026", "Odds of one outcome: World Cup Winner 2026"]
    );
    assert_eq!(card.original, AMBIGUOUS);
}

#[test]
fn auto_takes_the_recommended_option_and_says_so() {
    let text = query(AMBIGUOUS, ClarificationPolicy::Auto);
    let candidates = [3, 4].map(|at| candidate(&PLAIN, at, AMBIGUOUS));
    let ruled = ruled(probed_with(text, candidates.to_vec(), Vec::new()), &lenient());
    let Ruling::Proceed(cleared) = ruled.ruling else { panic!("not cleared") };
    let assumption = cleared.assumption().unwrap();
    assert_eq!(Some(&assumption.option), ruled.decision.recommended.as_ref());
    assert!(cleared.chosen().is_some());
    assert_eq!(ruled.decision.verdict, Verdict::Clarify);
}

#[test]
fn the_shadow_decides_and_cannot_act() {
    for stage in [RolloutStage::Shadow, RolloutStage::Disabled] {
        let policy = Gate { rollout_stage: stage, ..lenient() };
        for probed in [two(), all("sing me a song")] {
            let Ruled { ruling: Ruling::Proceed(cleared), decision } = ruled(probed, &policy) else {
                panic!("acted")
            };
            assert!(cleared.chosen().is_none() && cleared.assumption().is_none());
            assert_eq!(decision.reason == ReasonCode::RolloutDisabled, stage == RolloutStage::Disabled);
        }
    }
}

#[test]
fn a_venue_that_nothing_serves_is_a_miss() {
    let ruled = ruled(all("What is the price of BTC on Bybit?"), &POLICY.gate);
    let Ruling::Miss(miss) = ruled.ruling else { panic!("{:?}", ruled.decision) };
    assert_eq!(ruled.decision.reason, ReasonCode::CapabilityMiss);
    assert_eq!(miss.missing()[1], "No grounded method supports the requested venue: Bybit.");
    for served in [
        "What is the price of BTC on Alpha?",
        "Show the news on Acme",
        "price of BTC on Monday",
        "How much was traded on Acme winning?",
        "Show the trades on Norway",
        "last trades on YES",
    ] {
        assert_eq!(Brief::of(&all(served), &POLICY.gate).unavailable, None, "{served}");
    }
}

#[test]
fn a_time_of_which_nothing_tells_is_a_miss() {
    let now = |text: &str| only(text, &["get_weather"]);
    for (text, said) in [
        ("What was the weather in Oslo yesterday?", "yesterday"),
        ("the weather in Oslo next week", "next week"),
        ("weather in Oslo on 3 March 2026", "3 March 2026"),
    ] {
        let ruled = ruled(now(text), &POLICY.gate);
        let Ruling::Miss(miss) = ruled.ruling else { panic!("{:?}", ruled.decision) };
        assert_eq!(miss.missing()[1], format!("No grounded method supports the requested time: {said}."));
    }
    for text in
        ["weather in Oslo today", "weather in Oslo", "was the weather in Oslo fine over the last hour?"]
    {
        assert_eq!(Brief::of(&now(text), &POLICY.gate).unavailable, None, "{text}");
    }
    // Another method that is near takes it.
    let both = only("the weather in Oslo tomorrow", &["get_weather", "get_forecast"]);
    assert_eq!(Brief::of(&both, &POLICY.gate).unavailable, None);
}

fn listed(text: &str, at: usize) -> Brief {
    Brief::of(&probed(text, vec![candidate(&LISTED, at, text)]), &POLICY.gate)
}

#[test]
fn what_is_none_of_the_listed_values_is_told_with_those_that_are() {
    for (at, text, what) in [
        (0, "What is the open interest in DOGE perpetuals?", ("DOGE", "asset")),
        (0, "dogecoin open interest", ("dogecoin", "asset")),
        (1, "What are the reserves of the exchange Mtgox?", ("Mtgox", "exchange")),
        (2, "Convert 100 US dollars to Mexican pesos", ("Mexican pesos", "to")),
        (2, "Convert 100 US dollars to bitcoin", ("bitcoin", "to")),
        (2, "convert 10 miles to kilometers", ("miles", "from")),
        (3, "usd mxn rate", ("mxn", "symbols")),
        (3, "USDMXN", ("MXN", "symbols")),
    ] {
        let Some(Unavailable::Value { named, argument, listed }) = listed(text, at).unavailable else {
            panic!("{text}")
        };
        assert_eq!((named.as_str(), argument.as_str()), what);
        assert!(listed.len() >= 2);
    }
    for (at, text) in [
        (0, "What is the open interest in BTC perpetuals?"),
        (0, "What is the open interest?"),
        (0, "What was the open interest in January?"),
        (1, "What are the reserves of the exchange?"),
        (2, "Convert 100 US dollars to euros"),
        (2, "Convert 100 US dollars"),
        (2, "Convert 100 for me"),
        (2, "What were US dollars worth on 2 March 2026?"),
        (3, "What are the rates of the dollar?"),
        (3, "the rates of the dollar in euros"),
    ] {
        assert_eq!(listed(text, at).unavailable, None, "{text}");
    }
}

#[test]
fn a_name_and_nothing_about_it_is_asked_back() {
    for text in ["Tell me about Acme", "What is going on with Acme?"] {
        assert!(matches!(ruled(all(text), &POLICY.gate).ruling, Ruling::Clarify(_)), "{text}");
    }
}

#[test]
fn a_place_for_the_name_alone_serves_nothing() {
    for (text, names) in [
        ("What is the population of Rome?", ["get_weather", "get_forecast"]),
        ("Sell all the shares of Acme on the market", ["get_market_price", "get_market_volume"]),
    ] {
        assert!(matches!(ruled(only(text, &names), &POLICY.gate).ruling, Ruling::Miss(_)), "{text}");
    }
    // A method that takes nothing of what is said would tell the same whatever was asked.
    assert!(matches!(ruled(only("price of gold", &["list_events"]), &POLICY.gate).ruling, Ruling::Miss(_)));
    let weather = only("What is the weather in Rome?", &["get_weather"]);
    assert!(matches!(ruled(weather, &POLICY.gate).ruling, Ruling::Proceed(_)));
}

#[test]
fn what_knows_no_word_of_the_question_serves_nothing() {
    for (text, names) in [
        // A list of places has the shape of what is asked, and "every market" fills it.
        ("What is the volume of every market?", ["compare_weather", "count_users"]),
        ("Tell me about weather", ["get_market_volume", "get_market_price"]),
        ("Show the forecast in Paris today", ["get_event_odds", "get_news"]),
    ] {
        assert!(matches!(ruled(only(text, &names), &POLICY.gate).ruling, Ruling::Miss(_)), "{text}");
    }
}

#[test]
fn hours_of_when_are_no_word_of_a_method() {
    let text = "What is the news about Acme in the last 24 hours?";
    let beside = vec![candidate(&PLAIN, 10, text), candidate(&FOREIGN, 1, text)];
    let names: Vec<_> =
        probed(text, beside).ranked().iter().map(|it| it.candidate.method.name.to_string()).collect();
    assert_eq!(names, ["get_news"], "how many hours a broth simmers");
}

#[test]
fn a_superlative_is_no_topic() {
    let method = |name: &str, description: &str| {
        let input =
            json!({"type": "object", "required": ["asset"], "properties": {"asset": {"type": "string"}}});
        let mut method = Method::new(name, input, None);
        description.clone_into(&mut method.description);
        method
    };
    let losses = method("get_losses", "The losses of traders in an asset, largest first.");
    let inflow = method("get_inflow", "The inflow of an asset.");
    let flows = listing("Flows", [losses, inflow]);
    let text = "largest inflow of BTC";
    let found = (0..2).map(|at| candidate(&flows, at, text)).collect();
    assert_eq!(probed(text, found).ranked()[0].candidate.method.name.as_str(), "get_inflow");
}

/// Losses in all, and for each venue.
fn losses() -> Arc<Listing> {
    let asset =
        || json!({"type": "object", "required": ["asset"], "properties": {"asset": {"type": "string"}}});
    let told = json!({"type": "object", "properties": {"total": {"type": "number", "description": "Losses in all."}}});
    let row = json!({"type": "object", "properties": {
        "venue": {"type": "string"}, "losses": {"type": "number", "description": "Its losses."}}});
    let rows = json!({"type": "object", "properties": {"venues": {"type": "array", "items": row}}});
    let method = |name: &str, output| {
        let mut method = Method::new(name, asset(), Some(output));
        "The losses of traders in an asset.".clone_into(&mut method.description);
        method
    };
    listing("Losses", [method("get_losses", told), method("get_losses_per_venue", rows)])
}

#[test]
fn a_venue_is_at_its_name_where_there_are_venues() {
    let losses = losses();
    let unavailable = |text: &str| {
        let found = (0..2).map(|at| candidate(&losses, at, text)).collect();
        Brief::of(&probed(text, found), &POLICY.gate).unavailable
    };
    let bybit = Some(Unavailable::Venue("Bybit".to_owned()));
    assert_eq!(unavailable("the losses of traders in BTC at Bybit"), bybit);
    assert_eq!(unavailable("the losses of traders in BTC at present"), None);
    // Without venues, something may be at anything.
    assert_eq!(Brief::of(&only("the weather at Bybit", &["get_weather"]), &POLICY.gate).unavailable, None);
}

#[test]
fn a_venue_is_in_lower_case_where_one_could_be_told() {
    let input = json!({"type": "object", "required": ["asset"], "properties": {
        "asset": {"type": "string", "enum": ["BTC", "ETH"]},
        "venue": {"type": "string", "enum": ["alpha", "beta"], "default": "alpha"}}});
    let mut method = Method::new("get_funding", input, None);
    "The funding of an asset at one venue.".clone_into(&mut method.description);
    let listing = listing("Funding", [method]);
    let unavailable =
        |text: &str| Brief::of(&probed(text, vec![candidate(&listing, 0, text)]), &POLICY.gate).unavailable;
    for text in ["btc funding on bybit", "btc funding at bybit right now"] {
        assert_eq!(unavailable(text), Some(Unavailable::Venue("bybit".to_owned())), "{text}");
    }
    for text in ["btc funding on beta", "btc funding on average", "btc funding on monday", "funding on btc"] {
        assert_eq!(unavailable(text), None, "{text}");
    }
}

#[test]
fn a_venue_is_named_where_nothing_leads_to_it() {
    let input = |venue: &str| {
        json!({"type": "object", "required": ["asset"], "properties": {
            "asset": {"type": "string", "enum": ["BTC", "ETH"]}, venue: {"type": "string", "enum": ["alpha", "beta"]}}})
    };
    let describe = |name: &str, what: &str, venue: &str| {
        let mut method = Method::new(name, input(venue), None);
        what.clone_into(&mut method.description);
        method
    };
    let held = describe("get_holdings", "What an exchange holds of an asset.", "exchange");
    let all = describe("get_total_flow", "The flow of an asset over all exchanges.", "kind");
    let listing = listing("Flows", [held, all]);
    let unavailable = |text: &str| {
        Brief::of(&probed(text, (0..2).map(|at| candidate(&listing, at, text)).collect()), &POLICY.gate)
            .unavailable
    };
    for text in
        ["BTC flow Bybit", "the Bybit flow of BTC", "total flow of BTC Bybit", "how much BTC does Bybit hold"]
    {
        assert_eq!(unavailable(text), Some(Unavailable::Venue("Bybit".to_owned())), "{text}");
    }
    for text in [
        "btc flow bybit",
        "is btc flow leaving bybit",
        "total flow of btc from bybit",
        "how gloomy is the btc flow on bybit",
    ] {
        assert_eq!(unavailable(text), Some(Unavailable::Venue("bybit".to_owned())), "{text}");
    }
    let dotted = Some(Unavailable::Venue("Gate.io".to_owned()));
    assert_eq!(unavailable("did BTC flow out of Gate.io"), dotted);
    // A word of a sentence may mean anything, and two words that mean nothing are no name.
    for text in
        ["btc flow beta", "is the btc flow gloomy", "btc flow bybit gloomy", "how gloomy is the btc flow"]
    {
        assert_eq!(unavailable(text), None, "{text}");
    }
}

#[test]
fn what_takes_the_named_values_goes_before_what_would_look_them_up() {
    let input = |properties: serde_json::Value, required: &[&str]| json!({"type": "object", "properties": properties, "required": required});
    let method = |name: &str, what: &str, input| {
        let mut method = Method::new(
            name,
            input,
            Some(json!({"type": "object", "properties": {
            "items": {"type": "array", "items": {"properties": {"market_id": {"type": "string"}, "moved": {"type": "number"}}}}}})),
        );
        what.clone_into(&mut method.description);
        method
    };
    let listed = |values: &[&str]| json!({"type": "string", "enum": values});
    let markets = listing(
        "Markets",
        [
            method(
                "get_moves",
                "How prices moved in a market.",
                input(json!({"market_id": {"type": "string"}}), &["market_id"]),
            ),
            method(
                "search_markets",
                "Finds markets by words.",
                input(json!({"query": {"type": "string"}}), &["query"]),
            ),
        ],
    );
    let flows = listing(
        "Flows",
        [method(
            "get_transfers",
            "How an asset moved at an exchange.",
            input(
                json!({"asset": listed(&["BTC", "ETH"]), "exchange": listed(&["alpha", "beta"])}),
                &["asset", "exchange"],
            ),
        )],
    );
    let text = "how has ETH moved at Beta";
    let found = vec![candidate(&markets, 0, text), candidate(&flows, 0, text), candidate(&markets, 1, text)];
    assert_eq!(probed(text, found).ranked()[0].candidate.method.name.as_str(), "get_transfers");
}

#[test]
fn a_ranking_is_asked_of_rows() {
    let losses = losses();
    let first = |text| {
        let found = (0..2).map(|at| candidate(&losses, at, text)).collect();
        probed(text, found).ranked()[0].candidate.method.name.to_string()
    };
    assert_eq!(first("What are the losses of traders in BTC?"), "get_losses");
    assert_eq!(first("On which exchange were the most losses of traders in BTC?"), "get_losses_per_venue");
}

#[test]
fn what_may_not_be_called_is_a_miss() {
    let text = "Delete the users";
    let left_out = LeftOut {
        method: candidate(&PLAIN, 0, text).method_ref(),
        score: 3.0,
        why: "its name says that it changes something".into(),
        is_asked_for: true,
    };
    let candidates = vec![candidate(&PLAIN, 11, text)];
    let probed = probed_with(query(text, ClarificationPolicy::Return), candidates, vec![left_out]);
    assert!(matches!(ruled(probed, &lenient()).ruling, Ruling::Miss(_)));
}

#[test]
fn one_place_for_two_arguments_is_asked_about() {
    let flights = |text| Brief::of(&only(text, &["find_flights"]), &POLICY.gate);
    let open = flights("flights Paris");
    assert_eq!(open.options.len(), 2);
    assert!(open.options[1].id.0.ends_with("find_flights#destination"));
    for settled in ["flights from Paris", "flights to Paris", "flights from Paris to Rome", "flights"] {
        assert_eq!(flights(settled).options.len(), 1, "{settled}");
    }
}

#[test]
fn a_picked_option_is_taken_and_a_bad_token_is_told() {
    let now = Timestamp::UNIX_EPOCH;
    let Ruling::Clarify(card) = ruled(two(), &lenient()).ruling else { panic!("no card") };
    let other = &card.options[1].id;
    let token = token::issue(KEY, other, &card.stake, (now, POLICY.gate.token_minutes));
    let choice = token::verify(KEY, &token, &Stake::of(&two()), now).unwrap();
    let picked = gate::rule_chosen(two(), &choice, &lenient());
    assert_eq!(picked.decision.recommended.as_ref(), Some(other));
    assert_eq!(picked.decision.reason, ReasonCode::SingleGroundedInterpretation);
    let Ruling::Proceed(cleared) = picked.ruling else { panic!("not cleared") };
    assert_eq!(cleared.chosen().unwrap().to_string(), other.0);

    let late = now + SignedDuration::from_hours(48);
    let fault = token::verify(KEY, &token, &Stake::of(&two()), late).unwrap_err();
    let fresh = ruled(two(), &lenient()).despite(fault);
    assert_eq!(fresh.decision.choice_fault, Some(TokenFault::Expired));
    let drifted = token::verify(KEY, &token, &Stake::of(&only(AMBIGUOUS, &["get_event_odds"])), now);
    assert_eq!(drifted, Err(TokenFault::SchemaDrift));
}

#[test]
fn an_option_that_is_gone_is_no_choice() {
    let now = Timestamp::UNIX_EPOCH;
    let stake = Stake::of(&two());
    let token = token::issue(KEY, &gate::OptionId("gone:gone".to_owned()), &stake, (now, 30));
    let choice = token::verify(KEY, &token, &stake, now).unwrap();
    let ruled = gate::rule_chosen(two(), &choice, &lenient());
    assert_eq!(ruled.decision.choice_fault, Some(TokenFault::Gone));
    assert!(matches!(ruled.ruling, Ruling::Clarify(_)));
}

#[test]
fn a_hosted_judge_is_named_in_the_report_where_it_is_heard() {
    let probed = only("How many users are there?", &["count_users"]);
    let opinion = Ok(gate::judge(&Brief::of(&probed, &lenient())));
    let ruled = gate::rule(probed, &opinion, &lenient()).heard_from_hosted();
    assert_eq!(ruled.decision.judge.is_applied, ruled.decision.strategy == gate::Strategy::LlmPrimary);
}
