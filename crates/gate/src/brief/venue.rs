//! A venue that a question wants to be served from and that no method at hand serves.

use policy::Gate;
use probe::Interpretation;
use reading::form::Entity;
use reading::{Question, standards, words};

use super::foreign;

/// The name after "on" or "via", or after "at" where there are venues at all, that no argument takes for a venue and that no
/// method or listing knows, of those that are near the question at all.
pub(super) fn unsupported(question: &Question, pool: &[Interpretation], policy: &Gate) -> Option<String> {
    let near = foreign::near(pool, policy);
    let has_venues = || near.iter().any(|reading| foreign::knows_venues(reading));
    let is_unserved = |entity: &&Entity| {
        is_venue(question, entity, has_venues)
            && near.iter().all(|reading| foreign::is_foreign(question, entity, reading))
            && !pool.iter().any(|reading| is_named_by_listing(entity, reading))
    };
    question.form.entities.iter().find(is_unserved).map(|entity| entity.text.clone())
}

/// Words before "on" that say what is told of, and not where: "news on Acme".
const TOLD: [&str; 14] = [
    "advice",
    "article",
    "articles",
    "book",
    "books",
    "data",
    "details",
    "info",
    "information",
    "news",
    "opinion",
    "report",
    "research",
    "update",
];

fn is_venue(question: &Question, entity: &Entity, has_venues: impl Fn() -> bool) -> bool {
    let mut before = question.words_before(&entity.range).iter().rev();
    let leads = before.next().is_some_and(|word| match word.lower.as_str() {
        "on" | "via" => true,
        "at" => has_venues(),
        _ => false,
    });
    let is_told = before.next().is_some_and(|word| TOLD.contains(&word.lower.as_str()));
    let is_name = entity.text.starts_with(char::is_uppercase);
    let is_country = standards::country(&entity.text).is_some();
    leads
        && !is_told
        && is_name
        && !is_country
        && !foreign::is_time(question, entity)
        && !is_acting(question, entity)
}

/// "Acme to win", "Acme winning": what does something is told of, and is no place.
fn is_acting(question: &Question, entity: &Entity) -> bool {
    let mut after = question.words_behind(&entity.range).iter();
    let is_verb = |word: &words::Word| {
        !word.is_stop && question.text[word.range.clone()].starts_with(char::is_lowercase)
    };
    let Some(next) = after.next() else { return false };
    next.lower == "to" && after.next().is_some_and(is_verb) || next.lower.ends_with("ing") && is_verb(next)
}

/// Whether the listing of a method that is farther off says that it serves the name: one part of a question may be about it
/// and another one not.
fn is_named_by_listing(entity: &Entity, reading: &Interpretation) -> bool {
    let listing = &reading.evidence.candidate.listing;
    let told = words::terms(&format!("{} {}", listing.name, listing.description));
    words::words(&entity.text).iter().any(|word| told.contains(&word.stem))
}
