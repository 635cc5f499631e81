//! A venue that a question wants to be served from and that no method at hand serves.

use policy::Gate;
use probe::Interpretation;
use reading::bind::Argument;
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
    let named = || question.form.entities.iter().find(is_unserved).map(|entity| entity.text.clone());
    named().or_else(|| in_lower_case(question, pool))
}

/// The word that ends a question after "on" or "at", in lower case, where the best method would be told of a venue and is not,
/// and no method knows the word: the "acme" of "funding of gold on acme".
fn in_lower_case(question: &Question, pool: &[Interpretation]) -> Option<String> {
    let evidence = &pool.first()?.evidence;
    let parameters = &evidence.known.parameters;
    let lacks_venue = |it: &Argument| {
        foreign::names_venues(evidence, &it.name) && parameters.has_choices(&it.name) && !it.is_said()
    };
    if !evidence.binding.arguments.iter().any(lacks_venue) {
        return None;
    }
    let mut ends = question.words.iter().rev().skip_while(|word| word.is_stop || question.is_when(word));
    let (last, before) = (ends.next()?, ends.next()?);
    let text = &question.text[last.range.clone()];
    let entity = Entity { text: text.to_owned(), range: last.range.clone() };
    let is_name = matches!(before.lower.as_str(), "on" | "at")
        && text.chars().all(char::is_lowercase)
        && text.chars().count() >= NAME_CHARS_MIN
        && !HOW.contains(&text);
    let is_unknown = || pool.iter().all(|reading| foreign::is_foreign(question, &entity, reading));
    (is_name && is_unknown()).then_some(entity.text)
}

/// Shorter words in lower case are hardly names of venues.
const NAME_CHARS_MIN: usize = 4;

/// Words after "on" and "at" that say how, and not where.
const HOW: [&str; 12] = [
    "average", "balance", "close", "demand", "expiry", "first", "large", "last", "least", "most", "open",
    "present",
];

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
