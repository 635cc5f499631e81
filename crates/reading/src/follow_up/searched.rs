//! What goes on with a search by words: "and inflation?", "and the sentiment?", "who is the favourite?".

use std::ops::Range;

use super::contrast::has_contrast;
use super::{Given, NAME_WORDS_MAX};
use crate::Question;
use crate::words::{self, Word};

/// The earlier question with what is to be searched for next in the place of what was: "and inflation?" after the news on the
/// housing market. What another method is named by is asked of that one: "and the sentiment?"
pub(super) fn next(earlier: &str, given: Given<'_>, own: &Question) -> Option<String> {
    if !given.is_found {
        return None;
    }
    let (leads, said): (Vec<&Word>, Vec<&Word>) = own.words.iter().partition(|word| word.is_stop);
    let leads_to_topic =
        |word: &Word| word.is_article() || matches!(word.lower.as_str(), "about" | "on" | "of" | "for");
    let is_topic = said.len() <= NAME_WORDS_MAX
        && leads.into_iter().all(leads_to_topic)
        && !given.name_elsewhere(&said)
        && !said.iter().any(|word| given.names_method(word) || has_contrast(&word.stem));
    let next = own.text.get(said.first()?.range.start..said.last()?.range.end).filter(|_| is_topic)?;
    let place = searched(earlier, given)?;
    let (lead, behind) = (&earlier[..place.start], &earlier[place.end..]);
    Some(format!("{}{next}{behind}", lead.strip_suffix("the ").unwrap_or(lead)))
}

/// What is asked of another method, with what was searched for: "what is the sentiment" after the news about rain, "who is the
/// favourite" after those on a match.
pub(super) fn beside(earlier: &str, given: Given<'_>, own: &Question) -> Option<String> {
    let names_method = || content(own).iter().any(|word| given.names_method(word));
    let lead = if given.is_found && is_short(own) && names_method() {
        "about"
    } else {
        asks_elsewhere(given, own).then_some("for")?
    };
    Some(format!("{} {lead} {}", words::unended(&own.text), &earlier[searched(earlier, given)?]))
}

/// Whether a question behind a search by words asks something else of what was searched for: what a method of another listing is
/// named by, or what one thing is, or who.
pub(super) fn asks_elsewhere(given: Given<'_>, own: &Question) -> bool {
    let mut words = own.words.iter().map(|word| word.lower.as_str());
    let mut asks_for_the_one = || {
        matches!(words.next(), Some("what" | "who" | "when" | "where"))
            && matches!(words.next(), Some("are" | "is" | "s" | "was" | "were" | "will"))
            && words.next() == Some("the")
    };
    given.is_found && is_short(own) && (given.name_elsewhere(&content(own)) || asks_for_the_one())
}

fn content(own: &Question) -> Vec<&Word> {
    own.words.iter().filter(|word| !word.is_stop).collect()
}

/// Whether a question says a few words and not of what.
fn is_short(own: &Question) -> bool {
    let leads = |word: &Word| matches!(word.lower.as_str(), "about" | "for" | "in" | "of" | "on");
    (1..=NAME_WORDS_MAX).contains(&content(own).len()) && !own.words.iter().any(leads)
}

/// Where the earlier question says what was searched for, in bytes.
fn searched(earlier: &str, given: Given<'_>) -> Option<Range<usize>> {
    let spoken = words::spelled(earlier);
    let said = |value: &String| {
        let value: Vec<String> = words::spelled(value).into_iter().map(|(_, word)| word).collect();
        let mut runs = spoken.windows(value.len().max(1));
        let said = runs.find(|run| run.iter().map(|(_, word)| word).eq(&value))?;
        Some(said.first()?.0.start..said.last()?.0.end)
    };
    given.values.iter().find_map(said)
}
