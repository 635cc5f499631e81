//! Values that say what they are, and words that only seem to be some.

use serde_json::{Value, json};

use super::{method, question, values};
use crate::bind::{Binding, Parameters, State, bind, place_pointed_at, things_pointed_at};

fn strings(required: &[&str], names: &[&str]) -> Value {
    let properties: serde_json::Map<String, Value> =
        names.iter().map(|name| ((*name).to_owned(), json!({"type": "string"}))).collect();
    json!({"type": "object", "required": required, "properties": properties})
}

#[test]
fn a_name_that_ends_in_what_the_argument_is_called_is_its_own() {
    let book = method("book", "Books a room.", strings(&["hotel", "location"], &["hotel", "location"]));
    let text = "Book a room at the Grand Hotel in Lisbon";
    assert_eq!(values(text, &book), json!({"hotel": "Grand Hotel", "location": "Lisbon"}));
    let rank = method("ranking", "Ranks a team.", strings(&["team", "league"], &["team", "league"]));
    let text = "What is the ranking of Porto United in First League?";
    assert_eq!(values(text, &rank), json!({"team": "Porto United", "league": "First League"}));
    let tell = method("tell", "Tells of a leader.", strings(&["leader_name"], &["leader_name"]));
    assert_eq!(values("Leader Name: Ann", &tell), json!({"leader_name": "Ann"}));
}

#[test]
fn what_is_numbered_comes_in_the_order_in_which_it_is_said() {
    let number = json!({"type": "number"});
    let mix = method(
        "mix",
        "Mixes water.",
        json!({"type": "object", "required": ["mass1", "degrees1", "mass2", "degrees2"], "properties": {
            "mass1": number, "degrees1": number, "mass2": number, "degrees2": number
        }}),
    );
    assert_eq!(
        values("Mix a mass of 20 at 30 degrees with a mass of 15 at 60 degrees", &mix),
        json!({"mass1": 20, "degrees1": 30, "mass2": 15, "degrees2": 60})
    );
    let divisor = method(
        "divisor",
        "The greatest common divisor.",
        json!({"type": "object", "required": ["number1", "number2"],
            "properties": {"number1": number, "number2": number}}),
    );
    let text = "The greatest common divisor of two numbers, 36 and 48";
    assert_eq!(values(text, &divisor), json!({"number1": 36, "number2": 48}));
}

#[test]
fn what_is_labelled_goes_to_its_label() {
    let log_in = method("log_in", "Logs in.", strings(&["username"], &["username"]));
    assert_eq!(values("my token is 'abc' and the user 'sam'", &log_in), json!({"username": "sam"}));
    let filings = method("filings", "Filings of a company.", strings(&["cik"], &["cik"]));
    assert_eq!(values("Their CIK is 0001067983", &filings), json!({"cik": "0001067983"}));
    let show = method("show", "Shows a profile.", strings(&["user_id"], &["user_id"]));
    assert_eq!(values("Show it, my user_id is 'U2'", &show), json!({"user_id": "U2"}));
}

#[test]
fn a_journey_ends_at_a_house_and_not_in_what_is_to_be_done() {
    let ride = method("get_ride", "A ride.", strings(&["destination"], &["destination"]));
    let text = "I would like to find a cab to 12 El Camino Real";
    assert_eq!(values(text, &ride), json!({"destination": "12 El Camino Real"}));
    for text in ["I would like to find a cab", "could we ride for a bit"] {
        assert_eq!(bind(&question(text), &Parameters::of(&ride)).missing().count(), 1, "{text}");
    }
}

#[test]
fn what_is_written_as_the_pattern_wants_it_is_taken() {
    let schema = json!({"type": "object", "required": ["age_range"], "properties": {
        "age_range": {"type": "string", "pattern": "^\\d+-\\d+$", "description": "The range of ages."}
    }});
    let segments = method("get_segments", "Customer segments.", schema);
    assert_eq!(values("segments for ages 25-35", &segments), json!({"age_range": "25-35"}));
}

/// Why an argument has to be asked for, where it is the only one that has.
fn asked_for(binding: &Binding, argument: &str) -> Option<String> {
    match &binding.argument(argument).unwrap().state {
        State::Unfilled { why, .. } if binding.missing().count() == 1 => Some(why.clone()),
        State::Unfilled { .. } | State::Bound(_) => None,
    }
}

#[test]
fn what_is_spoken_of_and_not_said_is_asked_for() {
    let flows = method("get_flows", "Flows of exchanges.", strings(&[], &["exchange"]));
    let left_open = |text: &str| asked_for(&bind(&question(text), &Parameters::of(&flows)), "exchange");
    let why = left_open("Show me the flows of a specific exchange").unwrap();
    assert!(why.contains("a specific exchange"), "{why}");
    assert!(left_open("and now of a different exchange").is_some());
    for text in [
        "Show me the flows of a specific exchange: Acme",
        "Show me the flows of an exchange",
        "flows of a specific exchange.\nAcme",
        "flows of different exchanges",
    ] {
        assert_eq!(left_open(text), None, "{text}");
    }
}

#[test]
fn what_is_only_pointed_at_is_asked_for() {
    let parameters = Parameters::of(&method("get_flows", "Flows of exchanges.", strings(&[], &["exchange"])));
    let left_open = |text: &str| {
        let question = question(text);
        let things = things_pointed_at(&question);
        let binding = bind(&question, &parameters).with_pointed_open(&question, &things, &parameters);
        asked_for(&binding, "exchange")
    };
    let why = left_open("How much gold went into that exchange?").unwrap();
    assert!(why.contains("that exchange"), "{why}");
    assert!(left_open("how much gold went into this venue").is_some());
    for text in [
        "How much gold went into that exchange called Acme?",
        "flows of Acme. How much went into that exchange?",
        "I hear that exchanges are up",
        "How much gold was it this week?",
    ] {
        assert_eq!(left_open(text), None, "{text}");
    }
}

#[test]
fn somebody_who_is_only_told_by_what_they_are_is_asked_for() {
    let schema = json!({"type": "object", "required": ["text"], "properties": {"text": {"type": "string"},
        "mentions": {"type": "array", "items": {"type": "string"}, "default": [], "description": "Users to mention."}}});
    let post = method("post_note", "Posts a note.", schema);
    let send = method("send", "Sends a note.", strings(&["receiver_id"], &["receiver_id"]));
    let left_open = |text: &str, method: &domain::Method, name: &str| {
        bind(&question(text), &Parameters::of(method)).argument(name).unwrap().is_left_open
    };
    assert!(left_open("Post 'All is well!' and tag my friend's account for insight", &post, "mentions"));
    assert!(left_open("Post 'All is well!' and tag my old friend", &post, "mentions"));
    assert!(left_open("Send a note to my cousin. If you need, my user id is U1", &send, "receiver_id"));
    for text in [
        "Send a note to my cousin (user id U2)",
        "Send a note to my friend Ann",
        "My friend told me to send a note",
        "Send a note to my cousin.\nU2",
    ] {
        assert!(!left_open(text, &send, "receiver_id"), "{text}");
    }
}

#[test]
fn a_place_that_is_only_pointed_at_is_asked_for() {
    let schema = json!({"type": "object", "properties": {
        "city": {"type": "string", "default": "London", "description": "Name of the city."}}});
    let weather = method("get_weather", "The weather in a city.", schema);
    let left_open = |text: &str| {
        let question = question(text);
        let binding = bind(&question, &Parameters::of(&weather));
        place_pointed_at(&question)
            .is_some_and(|said| binding.with_places_open(said).argument("city").unwrap().is_left_open)
    };
    for text in [
        "is it raining there?",
        "weather here",
        "Will it rain where I am?",
        "storms in our area",
        "rain near me",
    ] {
        assert!(left_open(text), "{text}");
    }
    for text in [
        "Is there rain?",
        "hi there, weather please",
        "Rain in the town where I was born",
        "I fly to Rome on Friday. Does it rain there?",
        "my aunt lives in rome, is it raining there",
        "rain in the afternoon, I want to go for a run",
        "what's the weather",
    ] {
        assert!(!left_open(text), "{text}");
    }
}

#[test]
fn how_many_are_meant_by_some_is_asked_for() {
    let schema = json!({"type": "object", "required": ["amount"],
        "properties": {"amount": {"type": "number", "description": "Number of shares."}}});
    let buy = method("buy", "Buys shares.", schema);
    let left_open =
        |text: &str| bind(&question(text), &Parameters::of(&buy)).argument("amount").unwrap().is_left_open;
    assert!(left_open("Buy some shares of Acme"));
    assert!(left_open("Buy a few good shares"));
    assert!(!left_open("Buy some shares, 20 of them"));
    assert!(!left_open("Buy some time"));
    assert!(left_open("Buy for some dollars"));
    assert!(left_open("Buy for some yen"));
    let binding = bind(&question("Buy for some yen"), &Parameters::of(&buy));
    let State::Unfilled { why, .. } = &binding.argument("amount").unwrap().state else {
        panic!("{binding:?}")
    };
    assert_eq!(why, "the question speaks of some yen, and does not say how much");
}

#[test]
fn what_is_spoken_of_without_a_name_is_none_that_is_said_of_something_else() {
    let schema = json!({"type": "object", "required": ["stock"],
        "properties": {"stock": {"type": "string", "description": "Symbol of the stock."}}});
    let add = method("add_to_watchlist", "Adds a stock to the watchlist.", schema);
    let left_open =
        |text: &str| bind(&question(text), &Parameters::of(&add)).argument("stock").unwrap().is_left_open;
    assert!(left_open("There is a stock that fell. Put it on my watchlist for a quick review"));
    assert!(!left_open("There is a stock that fell. Put ACME on my watchlist"));
    assert!(!left_open("Put a stock on my watchlist for a quick review"));
    // The apostrophe quotes nothing.
    assert!(left_open("Add a different stock, and see that it's watched"));
}

#[test]
fn what_is_left_open_is_where_the_question_speaks_of_it() {
    let code = json!({"type": "string", "description": "ISO 4217 code of the currency."});
    let schema = json!({"type": "object", "required": ["amount", "from", "to"],
        "properties": {"amount": {"type": "number"}, "from": code, "to": code}});
    let convert = method("convert_currency", "Converts an amount of money.", schema);
    let text = "Convert 100 dollars to a different currency";
    let binding = bind(&question(text), &Parameters::of(&convert));
    let open: Vec<&str> = binding.missing().map(|argument| argument.name.as_str()).collect();
    assert_eq!(open, ["to"]);
    assert!(binding.argument("to").unwrap().is_left_open && !binding.argument("from").unwrap().is_left_open);
}

#[test]
fn a_text_is_the_sentence_that_is_quoted_and_not_what_names_something() {
    let post = method("post_note", "Posts a note.", strings(&["message"], &["message"]));
    let text = "With the engine in 'START' mode, post a note, 'We are on our way!'";
    assert_eq!(values(text, &post), json!({"message": "We are on our way!"}));
    let text = "Look for 'update' in 'notes.txt' and post it with the message 'found it'";
    assert_eq!(values(text, &post), json!({"message": "found it"}));
    let text = "Name it 'Archived.\nThen post 'done' as a note";
    assert_eq!(values(text, &post), json!({"message": "done"}));
}

#[test]
fn no_identifier_is_a_quantity_or_the_askers_own() {
    let get = method("get_order", "Gets an order.", strings(&["order_id"], &["order_id"]));
    assert_eq!(values("Get the order of 150 shares", &get), json!({}));
    assert_eq!(values("Get each order greater than 20", &get), json!({}));
    assert_eq!(values("Get the last order, 150 shares", &get), json!({}));
    assert_eq!(values("Get the top 5 order rows", &get), json!({}));
    assert_eq!(values("Get order 12446", &get), json!({"order_id": "12446"}));
    assert_eq!(values("Get what was ordered at the World Cup 2026", &get), json!({}));
    assert_eq!(values("Get order 2026", &get), json!({"order_id": "2026"}));
    assert_eq!(values("When does order 12446 ships?", &get), json!({"order_id": "12446"}));
    let send = method("send", "Sends a note.", strings(&["receiver_id"], &["receiver_id"]));
    assert_eq!(values("Send it to user id U2. My user id is U1", &send), json!({"receiver_id": "U2"}));
    assert_eq!(values("Send it to my cousin. If you need, my user id is U1", &send), json!({}));
}

#[test]
fn what_is_to_be_done_is_nowhere() {
    let far = method("distance", "The distance to a city.", strings(&["city"], &["city"]));
    assert_eq!(values("To proceed, tell me the distance", &far), json!({}));
    assert_eq!(values("I would like to ascertain the distance", &far), json!({}));
    assert_eq!(values("I am thinking of visiting my aunt", &far), json!({}));
    assert_eq!(values("the distance to springfield", &far), json!({"city": "springfield"}));
}

#[test]
fn how_exactly_a_number_is_told_is_not_how_much() {
    let fill = method(
        "fill",
        "Fills a tank.",
        json!({"type": "object", "required": ["amount"], "properties": {"amount": {"type": "number"}}}),
    );
    assert_eq!(values("Fill the tank, and round it to 2 decimal places", &fill), json!({}));
    assert_eq!(values("Fill in an amount of 30, to 2 decimal places", &fill), json!({"amount": 30}));
}

#[test]
fn a_search_is_for_all_that_stands_with_the_name() {
    let search = method("search", "Search events by words.", strings(&["query"], &["query"]));
    let text = "What are the odds of a crewed Moon landing?";
    assert_eq!(values(text, &search), json!({"query": "crewed Moon landing"}));
    let text = "What are the odds of the World Cup final?";
    assert_eq!(values(text, &search), json!({"query": "World Cup final"}));
}

#[test]
fn a_search_is_for_no_word_that_only_asks() {
    let search = method("search_events", "Search events by words.", strings(&["query"], &["query"]));
    for text in
        ["Which event is the most heavily traded?", "Open the whole event", "Show the full event, please"]
    {
        assert_eq!(values(text, &search), json!({"query": "event"}), "{text}");
    }
    assert_eq!(values("Open the event on chip makers", &search), json!({"query": "chip makers"}));
}

#[test]
fn what_is_quoted_in_words_identifies_nothing() {
    let event = method("get_event", "One event.", strings(&["event_id"], &["event_id"]));
    assert_eq!(values("By what rule is \"US recession within a year\" settled?", &event), json!({}));
    assert_eq!(values("By what rule is \"evt-1007\" settled?", &event), json!({"event_id": "evt-1007"}));
}

#[test]
fn a_search_is_for_what_is_asked_and_not_for_what_is_said_beside_it() {
    let search = method("search_memes", "Searches memes by words.", strings(&["query"], &["query"]));
    let text =
        "Show me memes of grumpy cats that are known to bring immense joy and brighten up the darkest day";
    assert_eq!(values(text, &search), json!({"query": "grumpy cats"}));
    let text = "I need memes on tax season, ensuring that they suit a serious office newsletter audience";
    assert_eq!(values(text, &search), json!({"query": "tax season"}));
    assert_eq!(values("Some memes, please. Otters in hats!", &search), json!({"query": "Otters in hats"}));
}

#[test]
fn an_address_is_no_code_and_a_holiday_no_country() {
    let schema = json!({"type": "object", "required": ["identifier", "verificationCode"], "properties": {
        "identifier": {"type": "string", "description": "The user's phone number or email address."},
        "verificationCode": {"type": "string", "description": "The code sent to the user's email address."}}});
    let verify = method("verify", "Verifies a code.", schema);
    let text = "Send a code to my email, ann@example.com";
    assert_eq!(values(text, &verify), json!({"identifier": "ann@example.com"}));
    let holidays = method("get_holidays", "Holidays of a country.", strings(&["country"], &["country"]));
    assert_eq!(values("What are the details on Boxing Day?", &holidays), json!({}));
    assert_eq!(values("Holidays in Wakanda", &holidays), json!({"country": "Wakanda"}));
}

#[test]
fn a_house_number_counts_nothing() {
    let schema = json!({"type": "object", "required": ["destination"], "properties": {
        "destination": {"type": "string"}, "number_of_seats": {"type": "integer"}}});
    let ride = method("get_ride", "Finds a cab.", schema);
    let text = "Find a cab to 540 El Camino Real";
    assert_eq!(values(text, &ride), json!({"destination": "540 El Camino Real"}));
}

#[test]
fn the_base_of_a_rate_is_a_currency() {
    let schema = json!({"type": "object", "required": ["base"], "properties": {
        "base": {"type": "string", "description": "The base currency you would like to use for your rates."}}});
    let latest = method("latest", "Exchange rates.", schema);
    assert_eq!(values("The rate from US dollars to Euros, and for July", &latest), json!({"base": "USD"}));
}

#[test]
fn a_verb_in_capitals_and_a_greater_number_name_nothing() {
    let watch = method("add_to_watchlist", "Adds a stock.", strings(&["stock"], &["stock"]));
    assert_eq!(values("Integrate stock into my watchlist", &watch), json!({}));
    let schema = json!({"type": "object", "required": ["ticket_id"], "properties": {"ticket_id": {"type": "integer"}}});
    let get = method("get_ticket", "Gets a ticket.", schema);
    assert_eq!(values("Update a ticket where the count is greater than 20", &get), json!({}));
    let far = method("distance", "The distance to a city.", strings(&["city"], &["city"]));
    let text = "Before I set off for Stonebrook to uncover family history, tell me the distance";
    assert_eq!(values(text, &far), json!({"city": "Stonebrook"}));
}

#[test]
fn what_is_said_of_something_else_fills_nothing() {
    let schema = json!({"type": "object", "required": ["ticket_id"], "properties": {"ticket_id": {"type": "integer"}}});
    let get = method("get_ticket", "Gets a ticket.", schema);
    assert_eq!(values("Update a ticket and set the priority to 3", &get), json!({}));
    assert_eq!(values("Update ticket 3", &get), json!({"ticket_id": 3}));
    let log_in = method("log_in", "Logs in.", strings(&["password"], &["password"]));
    assert_eq!(values("Send the invoice of flight_001 and log me in", &log_in), json!({}));
    assert_eq!(values("Log me in, my password is hunter2", &log_in), json!({"password": "hunter2"}));
    let names = ["user_first_name", "user_last_name"];
    let join = method("join", "Registers somebody.", strings(&names, &names));
    assert_eq!(
        values("With both tokens for my travel account at Acme, sign me in", &join)["user_last_name"],
        json!(null)
    );
    let schema = json!({"type": "object", "required": ["cost"], "properties": {"cost": {"type": "number"}}});
    let insure = method("insure", "Insures a journey.", schema);
    assert_eq!(values("I have a budget of $2400. Insure the journey", &insure), json!({}));
    assert_eq!(values("Insure the journey for $120", &insure), json!({"cost": 120}));
}

#[test]
fn a_thing_names_its_kind_more_surely_than_a_deed() {
    let schema = json!({"type": "object", "required": ["event_type"], "properties": {"event_type": {
        "type": "string", "enum": ["Music", "Theater"],
        "description": "The type of event. Possible values are 'Music' for concerts and 'Theater' for plays."}}});
    let find = method("find_events", "Finds events.", schema);
    let text = "Tickets for a Toto concert: where are they playing?";
    assert_eq!(values(text, &find), json!({"event_type": "Music"}));
    assert_eq!(values("Which plays are on tonight?", &find), json!({"event_type": "Theater"}));
}

#[test]
fn a_coin_is_known_by_its_name() {
    let held = method(
        "get_holdings",
        "What is held of an asset.",
        json!({"type": "object", "required": ["asset"], "properties": {"asset": {"enum": ["BTC", "USDT", "USDC"]}}}),
    );
    assert_eq!(values("how much tether is held", &held), json!({"asset": "USDT"}));
    assert_eq!(values("how much litecoin is held", &held), json!({}));
}

#[test]
fn a_coin_is_no_place_unless_it_is_said_to_be_one() {
    let weather = method(
        "get_weather",
        "The weather in a city.",
        json!({"type": "object", "required": ["city"], "properties": {"city": {"type": "string", "description": "The city."}}}),
    );
    assert_eq!(values("The price of Ethereum, and the weather", &weather), json!({}));
    assert_eq!(values("The weather in Avalanche", &weather), json!({"city": "Avalanche"}));
}

#[test]
fn a_value_is_said_by_the_words_that_its_letters_begin() {
    let schema = json!({"type": "object", "required": ["topic"], "properties": {
        "topic": {"enum": ["ai", "inflation"], "description": "The topic."}}});
    let tell = method("get_tone", "How something is written about.", schema);
    assert_eq!(values("the tone on artificial intelligence", &tell), json!({"topic": "ai"}));
    assert_eq!(values("the tone on an island", &tell), json!({}));
}

#[test]
fn neither_a_year_nor_what_is_quoted_in_several_words_identifies() {
    let odds = method("get_odds", "The odds of a market.", strings(&["market_id"], &["market_id"]));
    assert_eq!(values("who is ahead in the 2028 election market", &odds), json!({}));
    assert_eq!(values("odds of market 2028", &odds), json!({"market_id": "2028"}));
    assert_eq!(values("the rules of 'rain above 5,000 in March'", &odds), json!({}));
}
