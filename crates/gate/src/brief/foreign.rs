//! What a question names and the readings at hand have no place for.

use policy::Gate;
use probe::{Evidence, Interpretation};
use reading::Question;
use reading::bind::{Argument, Role};
use reading::form::Entity;
use reading::spans::overlaps;
use reading::words;

use super::naming;

/// The readings that are near the question at all: grounded, or about as good as the best one.
pub(super) fn near<'a>(pool: &'a [Interpretation], policy: &Gate) -> Vec<&'a Interpretation> {
    let best = pool.first().map_or(0.0, |reading| reading.evidence.points());
    let is_near = |reading: &&Interpretation| {
        let evidence = &reading.evidence;
        evidence.grounding >= policy.grounding_min || best - evidence.points() < policy.dominance_points
    };
    pool.iter().filter(is_near).chain(pool.first()).collect()
}

/// Whether what is named is a time.
pub(super) fn is_time(question: &Question, entity: &Entity) -> bool {
    question.moments.iter().any(|moment| overlaps(&moment.range, &entity.range))
}

/// Whether neither the arguments, nor the words of the method and its result, nor its listing have a place for the name. What
/// takes it for want of anything better, while the question names another thing, too, is no place for a venue.
pub(super) fn is_foreign(question: &Question, entity: &Entity, evidence: &Evidence) -> bool {
    let listing = words::terms(&evidence.candidate.listing.name);
    let about = words::terms(&evidence.candidate.listing.description);
    let knows = |word: &words::Word| {
        evidence.known.parameters.mentions(&word.stem)
            || evidence.known.vocabulary.results.has(&word.stem)
            || listing.contains(&word.stem)
            || about.contains(&word.stem)
    };
    let own = words::words(&entity.text);
    // The name of a host is one name, whatever it is made of.
    let is_known = if entity.text.contains('.') { own.iter().all(knows) } else { own.iter().any(knows) };
    let names_another = question.form.entities.len() > 1;
    let takes = |argument: &Argument| {
        naming::takes(argument, &entity.text) && (!names_another || takes_venues(evidence, argument))
    };
    !is_known && !evidence.binding.arguments.iter().any(takes)
}

/// Whether an argument is one that a venue belongs into.
fn takes_venues(evidence: &Evidence, argument: &Argument) -> bool {
    let is_worded = matches!(argument.role, Role::Place | Role::Search | Role::Text | Role::Formal);
    is_worded || (names_venues(evidence, &argument.name) && argument.role != Role::Symbol)
}

/// Stems of the words for a kind of venue.
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

/// Whether a reading takes venues, or tells of them.
pub(super) fn knows_venues(reading: &Interpretation) -> bool {
    let evidence = &reading.evidence;
    let mut arguments = evidence.binding.arguments.iter();
    arguments.any(|argument| names_venues(evidence, &argument.name))
        || VENUES.iter().any(|stem| evidence.known.vocabulary.results.has(stem))
}

/// Whether an argument is called after a kind of venue.
pub(super) fn names_venues(evidence: &Evidence, argument: &str) -> bool {
    evidence.known.parameters.stems(argument).iter().any(|stem| VENUES.contains(&stem.as_str()))
}
