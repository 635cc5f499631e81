//! What goes on with a search by words: "and inflation?", "and the sentiment?".

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
        && !said.iter().any(|word| given.names_method(word) || has_contrast(&word.stem));
    let next = own.text.get(said.first()?.range.start..said.last()?.range.end).filter(|_| is_topic)?;
    let place = searched(earlier, given)?;
    let (lead, behind) = (&earlier[..place.start], &earlier[place.end..]);
    Some(format!("{}{next}{behind}", lead.strip_suffix("the ").unwrap_or(lead)))
}

/// What is asked of a method beside the search, with what was searched for: "what is the sentiment" after the news about rain.
pub(super) fn beside(earlier: &str, given: Given<'_>, own: &Question) -> Option<String> {
    if !given.is_found {
        return None;
    }
    let said: Vec<&Word> = own.words.iter().filter(|word| !word.is_stop).collect();
    let is_led =
        own.words.iter().any(|word| matches!(word.lower.as_str(), "about" | "for" | "in" | "of" | "on"));
    let is_asked =
        said.len() <= NAME_WORDS_MAX && said.iter().any(|word| given.names_method(word)) && !is_led;
    let place = searched(earlier, given).filter(|_| is_asked)?;
    Some(format!("{} about {}", words::unended(&own.text), &earlier[place]))
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
