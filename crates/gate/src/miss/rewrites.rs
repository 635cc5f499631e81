//! How a question that was missed could be put: three ways that are of use for this very question.

use crate::brief::{Brief, Unavailable, is_done_by, leads_to_venue};
use crate::card::plain;

/// What helps with any question.
pub(super) fn general() -> [String; 3] {
    [
        "Name the exact entity, scope and time window that you mean.".to_owned(),
        "Pin the tools that should answer, by their ids.".to_owned(),
        "Narrow the question to one thing at a time.".to_owned(),
    ]
}

/// What helps with this question: to do without what is not at hand, to ask for what is near, to ask one thing.
pub(super) fn of(brief: &Brief) -> [String; 3] {
    let [name_it, pin, narrow] = general();
    let nearest = brief.options.first().map(|option| {
        let (title, listing) = (plain(&option.title, WORDS_MAX), plain(&option.listing_name, WORDS_MAX));
        format!("Ask for what is near and at hand: {title} ({listing}).")
    });
    match &brief.unavailable {
        Some(Unavailable::Venue(venue)) => [
            without(&brief.question, venue).unwrap_or(name_it),
            format!("Pin a tool that serves {}, by its id.", plain(venue, WORDS_MAX)),
            nearest.unwrap_or(narrow),
        ],
        Some(Unavailable::Value { named, listed, .. }) => [
            instead(&brief.question, named, listed).unwrap_or(name_it),
            format!("Pin a tool that covers {}, by its id.", plain(named, WORDS_MAX)),
            nearest.unwrap_or(narrow),
        ],
        Some(Unavailable::Time(said)) => [
            format!("Ask it of another time than \"{}\".", plain(said, WORDS_MAX)),
            pin,
            nearest.unwrap_or(narrow),
        ],
        Some(Unavailable::LeftOut { .. }) => [
            "Ask for what there is to read, and not for a change.".to_owned(),
            "Call the method itself, outside a query.".to_owned(),
            nearest.unwrap_or(name_it),
        ],
        None => {
            let first = brief.clauses.first().filter(|_| brief.clauses.len() > 1);
            let narrow = first.map_or(narrow, |clause| {
                format!("Ask one thing at a time: \"{}\"", plain(clause, QUESTION_MAX))
            });
            match nearest {
                Some(nearest) if brief.names_target => [nearest, pin, narrow],
                Some(nearest) => [name_it, nearest, narrow],
                None => [name_it, pin, narrow],
            }
        }
    }
}

const WORDS_MAX: usize = 60;
const QUESTION_MAX: usize = 160;

/// The question without the venue, and without a word that leads to it; nothing where it is the venue that does something.
fn without(question: &str, venue: &str) -> Option<String> {
    let at = question.find(venue)?;
    let (head, tail) = (question[..at].trim_end(), &question[at + venue.len()..]);
    let (before, last) = head.rsplit_once(char::is_whitespace).unwrap_or(("", head));
    let last = last.to_lowercase();
    let head = if leads_to_venue(&last) { before } else { head };
    let asked = plain(&format!("{head}{tail}"), QUESTION_MAX);
    (!head.is_empty() && !is_done_by(&last)).then(|| format!("Ask it without the venue: \"{asked}\""))
}

/// The question about a value that is at hand.
fn instead(question: &str, named: &str, listed: &[String]) -> Option<String> {
    let asked = question.replacen(named, listed.first()?, 1);
    Some(format!("Ask about what is covered: \"{}\"", plain(&asked, QUESTION_MAX)))
}
