//! A small world of listings, built once: the same methods plain, in other words, at other prices, and some that have to do
//! with nothing that is asked.

use std::sync::{Arc, LazyLock};

use domain::{
    Candidate, ClarificationPolicy, Depth, Include, LatencyClass, LeftOut, Listing, Method, Query,
    ResponseShape, Selected, ToolScope, Usd,
};
use fit::Knowledge;
use lane::Lane;
use policy::Policy;
use probe::{Lexicon, Probed};
use reading::words;
use serde_json::{Map, json};

pub(crate) static POLICY: LazyLock<Policy> =
    LazyLock::new(|| Policy::shipped().expect("the shipped policies are sound"));
static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::of(&POLICY.probe));
static KNOWLEDGE: LazyLock<Knowledge> = LazyLock::new(|| LEXICON.knowledge());

/// Plain, in other words, dearer and faster, cheaper and slower, and foreign.
pub(crate) static PLAIN: LazyLock<Arc<Listing>> = LazyLock::new(|| listing("Alpha", methods()));
pub(crate) static REWORDED: LazyLock<Arc<Listing>> =
    LazyLock::new(|| listing("Beta", methods().map(reworded)));
pub(crate) static DEAR: LazyLock<Arc<Listing>> =
    LazyLock::new(|| listing("Gamma", methods().map(|method| priced(method, "0.05", LatencyClass::Instant))));
pub(crate) static CHEAP: LazyLock<Arc<Listing>> =
    LazyLock::new(|| listing("Delta", methods().map(|method| priced(method, "0.001", LatencyClass::Slow))));
pub(crate) static FOREIGN: LazyLock<Arc<Listing>> =
    LazyLock::new(|| listing("Omega", FOREIGN_LINES.map(method)));

pub(crate) const METHODS: usize = 12;
pub(crate) const FOREIGNERS: usize = 3;

/// A listing of the same methods as the plain one, with another provider's name.
pub(crate) fn copy_of_plain(name: &str) -> Arc<Listing> {
    listing(name, methods())
}

pub(crate) fn listing(name: &str, methods: impl IntoIterator<Item = Method>) -> Arc<Listing> {
    Arc::new(Listing::new(name, methods.into_iter().map(Arc::new).collect()))
}

/// Name, title, description, required arguments (`[]` for a list), and the number that it gives (`[]` for one in each row).
type Line = (&'static str, &'static str, &'static str, &'static str, &'static str);

const LINES: [Line; METHODS] = [
    ("get_weather", "Current weather", "The weather of a city as it is now.", "city", "temperature"),
    ("get_forecast", "Weather forecast", "The weather of a city in the next days.", "city", "temperature[]"),
    (
        "compare_weather",
        "Compare weather",
        "The weather of several cities side by side.",
        "cities[]",
        "temperature[]",
    ),
    ("get_event_odds", "Odds of all outcomes", "The odds of every outcome of an event.", "event", "odds[]"),
    ("get_outcome_odds", "Odds of one outcome", "The odds of one outcome of an event.", "outcome", "odds"),
    ("get_market_price", "Price of a market", "The price of one market.", "market", "price"),
    ("get_market_volume", "Volume of a market", "The volume traded in one market.", "market", "volume"),
    ("list_events", "Open events", "Every event that is open.", "", "volume[]"),
    ("find_flights", "Flights", "Flights between two places.", "origin destination", "fare[]"),
    (
        "get_exchange_rate",
        "Exchange rate",
        "The rate between two currencies.",
        "from_currency to_currency",
        "rate",
    ),
    ("get_news", "News", "The news about a topic.", "topic", "score[]"),
    ("count_users", "Count users", "How many users there are.", "", "count"),
];

const FOREIGN_LINES: [Line; FOREIGNERS] = [
    ("transcribe_melody", "Melody", "Writes a hummed melody as notes.", "recording", "notes[]"),
    ("simmer_broth", "Broth", "How long a broth simmers.", "litres", "hours"),
    ("knit_pattern", "Pattern", "A knitting pattern of a sweater.", "yarn", "rows[]"),
];

fn methods() -> impl Iterator<Item = Method> {
    LINES.into_iter().map(method)
}

fn method((name, title, description, arguments, gives): Line) -> Method {
    let mut properties = Map::new();
    for argument in arguments.split_whitespace() {
        let (key, schema) = match argument.strip_suffix("[]") {
            Some(key) => (key, json!({"type": "array", "items": {"type": "string"}})),
            None => (argument, json!({"type": "string", "description": format!("The {argument}.")})),
        };
        properties.insert(key.to_owned(), schema);
    }
    let required: Vec<&String> = properties.keys().collect();
    let input = json!({"type": "object", "properties": properties, "required": required});
    let one = |key: &str| json!({"type": "object", "properties": {"name": {"type": "string"}, key: {"type": "number"}}});
    let output = match gives.strip_suffix("[]") {
        Some(key) => json!({"type": "object", "properties": {"rows": {"type": "array", "items": one(key)}}}),
        None => one(gives),
    };
    let mut method = Method::new(name, input, Some(output));
    method.title = Some(title.to_owned());
    description.clone_into(&mut method.description);
    method
}

/// A listing of methods whose arguments take the values that their schemas list: name, description, input.
pub(crate) static LISTED: LazyLock<Arc<Listing>> = LazyLock::new(|| {
    let coded = json!({"type": "string", "enum": ["EUR", "JPY", "USD"], "description": "A currency code."});
    let of_asset = json!({"type": "object", "required": ["asset"], "properties": {
        "asset": {"type": "string", "enum": ["BTC", "ETH"], "description": "The asset."}}});
    let of_exchange = json!({"type": "object", "required": ["exchange"], "properties": {
        "exchange": {"type": "string", "enum": ["kraken", "okx"], "description": "The exchange."}}});
    let of_two = json!({"type": "object", "required": ["from", "to"],
        "properties": {"from": coded, "to": coded}});
    let of_many = json!({"type": "object", "required": ["base"], "properties": {
        "base": coded, "symbols": {"type": "array", "items": coded, "default": ["EUR", "JPY"]}}});
    let lines = [
        ("get_open_interest", "The open interest in the perpetuals of an asset.", of_asset),
        ("get_reserves", "The reserves of an exchange.", of_exchange),
        ("convert_currency", "Converts an amount of money from one currency to another.", of_two),
        ("get_rates", "The rates of one currency in others.", of_many),
    ];
    listing(
        "Listed",
        lines.map(|(name, description, input)| {
            let mut method = Method::new(name, input, None);
            description.clone_into(&mut method.description);
            method
        }),
    )
});

fn reworded(mut method: Method) -> Method {
    method.title = method.title.map(|title| format!("{title}, in short"));
    method.description = format!("Gives: {}", method.description.to_lowercase());
    method.name = domain::MethodName::new(method.name.as_str().replacen("get_", "fetch_", 1));
    method
}

fn priced(mut method: Method, price: &str, latency: LatencyClass) -> Method {
    method.meta.execute_price = Usd::parse(price);
    method.meta.latency = latency;
    method
}

/// A candidate, as selection would score it: by the words that it shares with the question.
pub(crate) fn candidate(listing: &Arc<Listing>, at: usize, question: &str) -> Candidate {
    let method = &listing.methods[at];
    let asked = words::terms(question);
    let mut own = words::terms(&method.description);
    own.extend(words::identifier_terms(method.name.as_str()));
    #[expect(clippy::cast_precision_loss, reason = "counts of words")]
    let score = asked.iter().filter(|term| own.contains(term)).count() as f64;
    Candidate { listing: Arc::clone(listing), method: Arc::clone(method), score }
}

pub(crate) fn query(text: &str, clarification: ClarificationPolicy) -> Query {
    Query {
        text: text.to_owned(),
        tools: ToolScope::Discover,
        depth: Depth::Deep,
        clarification,
        shape: ResponseShape::Answer,
        answer_model: None,
        include: Include { data: false, data_url: false, developer_trace: false },
        lineage: None,
        history: Vec::new(),
        choice: None,
    }
}

/// The probe of a question over some candidates, best score first, as selection hands them on.
pub(crate) fn probed(text: &str, candidates: Vec<Candidate>) -> Probed {
    probed_with(query(text, ClarificationPolicy::Return), candidates, Vec::new())
}

pub(crate) fn probed_with(query: Query, candidates: Vec<Candidate>, left_out: Vec<LeftOut>) -> Probed {
    probed_under(&POLICY, query, candidates, left_out)
}

pub(crate) fn probed_under(
    policy: &Policy,
    query: Query,
    mut candidates: Vec<Candidate>,
    left_out: Vec<LeftOut>,
) -> Probed {
    candidates.sort_by(|one, other| other.score.total_cmp(&one.score));
    let considered = candidates.len();
    let asked_at = jiff::Timestamp::UNIX_EPOCH;
    let selected = Selected {
        query,
        asked_at,
        candidates,
        helpers: Vec::new(),
        left_out,
        considered,
        things: Vec::new(),
    };
    let Lane::Deep(deep) = lane::choose(selected, &POLICY.lanes) else { unreachable!("deep is asked for") };
    probe::metadata(deep, &LEXICON, &KNOWLEDGE, policy)
}
