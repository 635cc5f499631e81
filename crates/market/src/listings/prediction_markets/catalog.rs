//! Finding events, and the identifiers that every other method needs.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::book::{self, Category, EVENTS, Event};
use super::volume;
use crate::method::Method;
use crate::moment::{Moment, timestamp};
use crate::refusal::Refusal;
use crate::search;
use crate::vocabulary::{Count, Cursor, Window, page};

pub(super) fn methods() -> Vec<Method> {
    vec![
        Method::read(
            "search_events",
            "Search events",
            "Finds prediction market events by words of their title, outcomes or category, best match first. \
             Returns the eventId that other methods take as event_id. Returns no odds.",
            search_events,
        )
        .priced("0.0005"),
        Method::read(
            "list_events",
            "Open events",
            "Every open event, most traded first, page by page: pass the nextCursor of a page to get the \
             next one. Returns the eventId that other methods take as event_id.",
            list_events,
        )
        .priced("0.0005"),
        Method::read(
            "get_event",
            "One event",
            "The question, rules, closing time and outcomes of one event, with the marketId of each outcome \
             that other methods take as market_id. Returns no odds.",
            get_event,
        ),
    ]
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Search {
    /// Words to look for.
    #[schemars(example = &"World Cup", example = &"Fed rate decision")]
    query: String,
    /// Only events of this category.
    #[schemars(example = Category::Sports)]
    category: Option<Category>,
    /// How many events at most.
    #[serde(default)]
    limit: Count<5, 20>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Events {
    /// The events.
    events: Vec<EventCard>,
    /// Pass it as cursor to get the next page; absent on the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct EventCard {
    /// The identifier that other methods take as `event_id`.
    event_id: String,
    /// The question.
    title: &'static str,
    /// What it is about.
    category: Category,
    /// When trading ends, RFC 3339 in UTC.
    closes_at: Timestamp,
    /// How many outcomes, each with a market of its own.
    market_count: usize,
    /// Traded in the last 24 hours over all its markets, in US dollars.
    volume24h_usd: i64,
}

impl EventCard {
    fn new(at: &Moment, event: &'static Event) -> Self {
        Self {
            event_id: event.id(),
            title: event.title,
            category: event.category,
            closes_at: timestamp(event.closes(at)),
            market_count: event.outcomes.len(),
            volume24h_usd: event.markets().map(|market| volume::traded(at, market, Window::Day)).sum(),
        }
    }
}

fn search_events(at: &Moment, ask: &Search) -> Result<Events, Refusal> {
    let words = search::words(&ask.query);
    let score = |event: &Event| search::hits(&words, &searchable(event));
    let mut found: Vec<_> = EVENTS
        .iter()
        .filter(|event| ask.category.is_none_or(|category| event.category == category))
        .map(|event| (score(event), event))
        .filter(|(score, _)| *score > 0)
        .collect();
    found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    let events =
        found.into_iter().take(ask.limit.get()).map(|(_, event)| EventCard::new(at, event)).collect();
    Ok(Events { events, next_cursor: None })
}

fn searchable(event: &Event) -> String {
    let outcomes = event.outcomes.iter().map(|(name, _)| *name);
    let words: Vec<_> = [event.title, event.rules].into_iter().chain(outcomes).collect();
    format!("{} {:?}", words.join(" "), event.category)
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct EventsOf {
    /// Only events of this category.
    #[schemars(example = Category::Economics)]
    category: Option<Category>,
    /// How many events a page has at most.
    #[serde(default)]
    limit: Count<10, 50>,
    /// The nextCursor of the page before; absent for the first page.
    cursor: Option<Cursor>,
}

fn list_events(at: &Moment, ask: &EventsOf) -> Result<Events, Refusal> {
    let mut events: Vec<_> = EVENTS
        .iter()
        .filter(|event| ask.category.is_none_or(|category| event.category == category))
        .map(|event| EventCard::new(at, event))
        .collect();
    events.sort_by_key(|event| std::cmp::Reverse(event.volume24h_usd));
    let (events, next_cursor) = page(events, ask.cursor, ask.limit.get());
    Ok(Events { events, next_cursor })
}

/// Which event.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct EventOf {
    /// The eventId that `search_events` or `list_events` returns.
    #[schemars(example = &"evt-1001")]
    pub(super) event_id: String,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct EventDetails {
    /// The identifier of the event.
    event_id: String,
    /// The question.
    title: &'static str,
    /// What it is about.
    category: Category,
    /// How it is decided.
    rules: &'static str,
    /// When trading ends, RFC 3339 in UTC.
    closes_at: Timestamp,
    /// Its outcomes.
    outcomes: Vec<Outcome>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Outcome {
    /// The identifier that other methods take as `market_id`.
    market_id: String,
    /// What would come true.
    outcome: &'static str,
}

fn get_event(at: &Moment, ask: &EventOf) -> Result<EventDetails, Refusal> {
    let event = book::event(&ask.event_id)?;
    let outcomes =
        event.markets().map(|market| Outcome { market_id: market.id(), outcome: market.outcome() });
    Ok(EventDetails {
        event_id: event.id(),
        title: event.title,
        category: event.category,
        rules: event.rules,
        closes_at: timestamp(event.closes(at)),
        outcomes: outcomes.collect(),
    })
}
