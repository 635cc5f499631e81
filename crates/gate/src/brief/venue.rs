//! A venue that a question wants to be served from and that no method at hand serves.

use std::ops::Range;

use domain::Served;
use policy::Gate;
use probe::{Evidence, Interpretation, Probed};
use reading::bind::Argument;
use reading::form::Entity;
use reading::spans::{Kind, Span};
use reading::{Question, standards, words};

use super::{Unavailable, foreign, naming};

/// The name after "on" or "via", or after "at" where there are venues at all, that no argument takes for a venue and that no
/// method or listing knows, of those that are near the question at all.
pub(super) fn unsupported(probed: &Probed, policy: &Gate) -> Option<String> {
    let (question, pool) = (probed.question(), probed.pool().interpretations());
    let near = foreign::near(pool, policy);
    let has_venues = || near.iter().any(|reading| foreign::knows_venues(reading));
    // What is looked up may have any name; a venue has one word.
    let is_looked_up = pool.first().is_some_and(|best| best.evidence.is_looked_up());
    let may_be_found = |entity: &Entity| is_looked_up && entity.text.contains(' ');
    let is_unserved = |entity: &&Entity| {
        is_venue(question, entity, has_venues)
            && !may_be_found(entity)
            && near.iter().all(|reading| foreign::is_foreign(question, entity, &reading.evidence))
            && !pool.iter().any(|reading| is_named_by_listing(entity, reading))
    };
    question.form.entities.iter().find(is_unserved).map(|entity| entity.text.clone())
}

/// A venue that the listing of the best method does not serve, where it takes venues by a list of them, and the question says none
/// of those. One that others serve says nothing of a question of several things, of which one may be about it.
pub(super) fn unserved(probed: &Probed, policy: &Gate, is_one: bool) -> Option<Unavailable> {
    let service = Service::unsaid(probed)?;
    let elsewhere = if is_one { served_elsewhere(&service, probed, policy) } else { None };
    elsewhere.or_else(|| unlisted(&service, probed).map(Unavailable::Venue))
}

/// A word that means nothing to any method, where it stands as a name would: the "acme" of "gold flow acme", and of "is gold
/// leaving acme".
fn unlisted(service: &Service<'_>, probed: &Probed) -> Option<String> {
    let question = probed.question();
    let left = probed.unknown().iter().filter(|range| !service.takes(range));
    let mut names: Vec<Entity> = left.filter_map(|range| name_at(question, range)).collect();
    names.dedup();
    let is_name = |entity: &&Entity| {
        entity.text.chars().count() >= NAME_CHARS_MIN
            && !entity.text.chars().any(|letter| letter.is_ascii_digit())
            && !HOW.contains(&entity.text.as_str())
            && standards::country(&entity.text).is_none()
            && is_placed_as_name(question, service, (entity, names.len() == 1))
            && service.methods.iter().all(|it| foreign::is_foreign(question, entity, it))
            && !is_asked_elsewhere(probed, service, entity)
    };
    names.iter().find(is_name).map(|entity| entity.text.clone())
}

/// Whether a name stands in one of several things that are asked, and a method of another listing serves that: the city of "BTC
/// funding and the weather in Rome".
fn is_asked_elsewhere(probed: &Probed, service: &Service<'_>, entity: &Entity) -> bool {
    probed.asked().iter().any(|asked| {
        let is_elsewhere = match &asked.served {
            Served::By(method) => method.listing != service.best.candidate.listing.id,
            Served::Unsettled | Served::No => false,
        };
        is_elsewhere && asked.question.contains(&entity.text)
    })
}

/// A venue that methods of another listing serve and those near the question do not: where one may leave coins, but trade none
/// of the futures that are asked for.
fn served_elsewhere(service: &Service<'_>, probed: &Probed, policy: &Gate) -> Option<Unavailable> {
    let is_of_it = |it: &Evidence| it.candidate.listing.id == service.best.candidate.listing.id;
    let near = foreign::near(probed.pool().interpretations(), policy);
    if !near.iter().all(|reading| is_of_it(&reading.evidence)) {
        return None;
    }
    let others = probed.ranked().iter().filter(|it| !is_of_it(it));
    let mut said = others.flat_map(listed_venues).filter_map(|(_, own)| own.place());
    let range = said.find(|range| !service.takes(range))?;
    let (method, argument) = service.venues.first()?;
    Some(Unavailable::Value {
        named: probed.question().text.get(range.clone())?.to_owned(),
        argument: argument.name.clone(),
        listed: naming::listed(method, &argument.name),
    })
}

/// What the listing of the best method offers, where it takes venues by a list of them.
struct Service<'a> {
    best: &'a Evidence,
    methods: Vec<&'a Evidence>,
    venues: Vec<(&'a Evidence, &'a Argument)>,
}

impl<'a> Service<'a> {
    /// Nothing where the question says one of the venues.
    fn unsaid(probed: &'a Probed) -> Option<Self> {
        let ranked = probed.ranked();
        let best = ranked.first()?;
        let methods: Vec<&Evidence> =
            ranked.iter().filter(|it| it.candidate.listing.id == best.candidate.listing.id).collect();
        let venues: Vec<_> = methods.iter().copied().flat_map(listed_venues).collect();
        let says_any = venues.iter().any(|(_, own)| own.is_said() && !own.is_carried());
        let is_unsaid = !venues.is_empty() && !says_any;
        is_unsaid.then_some(Self { best, methods, venues })
    }

    fn takes(&self, range: &Range<usize>) -> bool {
        self.methods.iter().any(|it| it.binding.takes(range))
    }
}

/// The arguments of a method that take venues by a list of them.
fn listed_venues(it: &Evidence) -> impl Iterator<Item = (&Evidence, &Argument)> {
    let takes_venues =
        |own: &&Argument| foreign::names_venues(it, &own.name) && it.known.parameters.has_choices(&own.name);
    it.binding.arguments.iter().filter(takes_venues).map(move |own| (it, own))
}

/// The name that a word is of, or the word: "Gate.io" has two, as the name of a file has.
fn name_at(question: &Question, range: &Range<usize>) -> Option<Entity> {
    let is_dotted = |span: &&Span| span.kind == Kind::File && span.range.contains(&range.start);
    let range = question.spans.iter().find(is_dotted).map_or(range, |span| &span.range);
    Some(Entity { text: question.text.get(range.clone())?.to_owned(), range: range.clone() })
}

/// Whether a word ends a sentence behind a word that leads to a place; where it is the only one that means nothing, whether it is
/// written as a name within one, does something ("does acme hold"), or ends or begins a question that is no sentence.
fn is_placed_as_name(question: &Question, service: &Service<'_>, (entity, is_only): (&Entity, bool)) -> bool {
    let told: Vec<&words::Word> = question.words.iter().filter(|word| !question.is_when(word)).collect();
    let is_its = |word: &&words::Word| entity.range.contains(&word.range.start);
    let Some(at) = told.iter().position(is_its) else { return false };
    // What is said of other things behind it does not go on with it: "to acme for gold".
    let is_apart = |word: &&words::Word| word.is_stop || service.takes(&word.range);
    let is_last = told[at..].iter().skip_while(|word| is_its(word)).all(is_apart);
    let before = if at > 0 { told[at - 1].lower.as_str() } else { "" };
    let leads = leads_to_venue(before) || says_moves(before);
    let is_doing = is_done_by(before) && !is_last;
    let is_capital = at > 0 && entity.text.starts_with(char::is_uppercase);
    let is_no_sentence = || told.len() > 2 && !told.iter().any(|word| word.is_stop);
    is_last && leads || is_only && (is_capital || is_doing || (is_last || at == 0) && is_no_sentence())
}

/// Whether a word in lower case leads to where something is, or goes.
pub(crate) fn leads_to_venue(lower: &str) -> bool {
    matches!(lower, "at" | "from" | "in" | "into" | "on" | "onto" | "to" | "via")
}

/// Whether a word in lower case says that something comes to where the next one says, or goes from there.
fn says_moves(lower: &str) -> bool {
    matches!(lower, "enter" | "entering" | "leave" | "leaving" | "left")
}

/// Whether what stands behind a word in lower case is what does something: the "acme" of "does acme hold gold".
pub(crate) fn is_done_by(lower: &str) -> bool {
    matches!(lower, "does" | "did")
}

/// Shorter words are hardly names of venues.
const NAME_CHARS_MIN: usize = 3;

/// Words that say how, and not where.
const HOW: [&str; 22] = [
    "average", "balance", "big", "chain", "close", "demand", "detail", "expiry", "first", "full", "general",
    "huge", "large", "last", "least", "most", "open", "paper", "practice", "present", "small", "whale",
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
    // "On YES" is on a side, and not on a site.
    let is_side = matches!(entity.text.to_lowercase().as_str(), "yes" | "no");
    let is_name = entity.text.starts_with(char::is_uppercase) && !is_side;
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
