//! Desk Notes: weakly described on purpose, as many servers are. No titles, no output schemas, no `_meta`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::listing::Listing;
use crate::method::Method;
use crate::moment::Moment;
use crate::refusal::Refusal;
use crate::search;
use crate::vocabulary::Nothing;

/// Every note: its identifier and its text.
static NOTES: [(&str, &str); 6] = [
    ("n1", "Desk opens 07:30 London. Handover sheet by 07:15."),
    ("n2", "Counterparty limits are reviewed on the first Monday of a month."),
    ("n3", "BTC basis trade: roll the quarterly eight days before expiry."),
    ("n4", "World Cup book: keep the exposure to one team below 5 percent."),
    ("n5", "FX fixing at 16:00 London; no orders in the five minutes before."),
    ("n6", "Who to call when the feed is down: ask the desk head."),
];

/// The listing.
pub(super) fn listing() -> Listing {
    Listing {
        name: "Desk Notes",
        description: "Sample data: notes of a trading desk.",
        category: "Notes",
        price: "0.00",
        methods: vec![
            Method::bare("lookup", "Look up.", lookup),
            Method::bare("get", "Get by id.", get),
            Method::bare("put", "Put.", put),
            Method::bare("stats", "Stats.", stats),
            Method::bare("recent", "Recent.", recent),
        ],
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Words {
    q: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NoteOf {
    id: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NewNote {
    id: String,
    text: String,
}

#[derive(Serialize)]
struct Found {
    hits: Vec<Note>,
}

#[derive(Clone, Serialize)]
struct Note {
    id: &'static str,
    text: &'static str,
}

#[derive(Serialize)]
struct Put {
    id: String,
    size: usize,
    kept: bool,
}

#[derive(Serialize)]
struct Stats {
    n: usize,
    chars: usize,
}

fn lookup(_: &Moment, ask: &Words) -> Result<Found, Refusal> {
    let words = search::words(&ask.q);
    let matches = |note: &Note| search::hits(&words, note.text) > 0;
    Ok(Found { hits: notes().filter(matches).collect() })
}

fn get(_: &Moment, ask: &NoteOf) -> Result<Note, Refusal> {
    notes()
        .find(|note| note.id == ask.id)
        .ok_or_else(|| Refusal::argument("id", format!("no note `{}`", ask.id)))
}

fn put(_: &Moment, ask: &NewNote) -> Result<Put, Refusal> {
    Ok(Put { id: ask.id.clone(), size: ask.text.len(), kept: false })
}

fn stats(_: &Moment, _: &Nothing) -> Result<Stats, Refusal> {
    Ok(Stats { n: NOTES.len(), chars: notes().map(|note| note.text.len()).sum() })
}

fn recent(_: &Moment, _: &Nothing) -> Result<Found, Refusal> {
    Ok(Found { hits: notes().rev().take(3).collect() })
}

fn notes() -> impl DoubleEndedIterator<Item = Note> {
    NOTES.iter().map(|(id, text)| Note { id, text })
}
