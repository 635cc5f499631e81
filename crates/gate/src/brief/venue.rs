//! A venue that a question wants to be served from and that no method at hand serves.

use policy::Gate;
use probe::{Evidence, Interpretation};
use reading::Question;
use reading::bind::{Argument, Role};
use reading::form::Entity;
use reading::words;

use super::naming;

/// The name after "on" or "via" that no argument takes for a venue and that no method or listing knows, of
/// those that are near the question at all.
pub(super) fn unsupported(question: &Question, pool: &[Interpretation], policy: &Gate) -> Option<String> {
    let best = pool.first()?.evidence.points();
    let is_near = |reading: &&Interpretation| {
        let evidence = &reading.evidence;
        evidence.grounding >= policy.grounding_min || best - evidence.points() < policy.dominance_points
    };
    let near: Vec<&Interpretation> = pool.iter().filter(is_near).chain(pool.first()).collect();
    let is_unserved = |entity: &&Entity| {
        is_venue(question, entity)
            && near.iter().all(|reading| is_foreign(question, entity, reading))
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

fn is_venue(question: &Question, entity: &Entity) -> bool {
    let mut before = question.words.iter().rev().filter(|word| word.range.end <= entity.range.start);
    let leads = before.next().is_some_and(|word| matches!(word.lower.as_str(), "on" | "via"));
    let is_told = before.next().is_some_and(|word| TOLD.contains(&word.lower.as_str()));
    let is_name = entity.text.starts_with(char::is_uppercase);
    let is_time = question
        .moments
        .iter()
        .any(|moment| moment.range.start < entity.range.end && entity.range.start < moment.range.end);
    leads && !is_told && is_name && !is_time && !is_acting(question, entity)
}

/// "Acme to win": what does something is told of, and is no place.
fn is_acting(question: &Question, entity: &Entity) -> bool {
    let mut after = question.words.iter().filter(|word| word.range.start >= entity.range.end);
    let is_infinitive = after.next().is_some_and(|word| word.lower == "to");
    is_infinitive
        && after.next().is_some_and(|word| {
            !word.is_stop && question.text[word.range.clone()].starts_with(char::is_lowercase)
        })
}

/// Whether the listing of a method that is farther off says that it serves the name: one part of a question may be about it
/// and another one not.
fn is_named_by_listing(entity: &Entity, reading: &Interpretation) -> bool {
    let listing = &reading.evidence.candidate.listing;
    let told = words::terms(&format!("{} {}", listing.name, listing.description));
    words::words(&entity.text).iter().any(|word| told.contains(&word.stem))
}

/// Whether neither the arguments, nor the words of the method, nor its listing have a place for the name. What takes it for
/// want of anything better, while the question names another thing, too, is no place for a venue.
fn is_foreign(question: &Question, entity: &Entity, reading: &Interpretation) -> bool {
    let evidence = &reading.evidence;
    let listing = words::terms(&evidence.candidate.listing.name);
    let about = words::terms(&evidence.candidate.listing.description);
    let mut own = words::words(&entity.text).into_iter();
    let is_known = own.any(|word| {
        evidence.known.parameters.mentions(&word.stem)
            || listing.contains(&word.stem)
            || about.contains(&word.stem)
    });
    let names_another = question.form.entities.len() > 1;
    let takes = |argument: &Argument| {
        naming::takes(argument, &entity.text) && (!names_another || takes_venues(evidence, argument))
    };
    !is_known && !evidence.binding.arguments.iter().any(takes)
}

/// Whether an argument is one that a venue belongs into.
fn takes_venues(evidence: &Evidence, argument: &Argument) -> bool {
    const VENUES: [&str; 13] = [
        "app",
        "bookmak",
        "chain",
        "exchang",
        "host",
        "marketplac",
        "network",
        "platform",
        "provid",
        "servic",
        "site",
        "sourc",
        "venu",
    ];
    let stems = evidence.known.parameters.stems(&argument.name);
    let is_worded = matches!(argument.role, Role::Place | Role::Search | Role::Text | Role::Formal);
    is_worded || (stems.iter().any(|stem| VENUES.contains(&stem.as_str())) && argument.role != Role::Symbol)
}
