//! One thing in the place of another one that was asked of: "euro instead of the dollar".

use std::ops::Range;

use super::named::is_preposition;
use crate::Question;
use crate::bind::{Role, only_requests, standard_codes};
use crate::words::Word;

/// The earlier question with what a follow-up says before "instead of" in the place of what it says behind that. None where the earlier
/// one does not name that, in those words or as a currency.
pub(super) fn of_another(earlier: &Question, own: &Question) -> Option<String> {
    let is_between = |pair: &[Word]| {
        matches!((pair[0].lower.as_str(), pair[1].lower.as_str()), ("instead", "of") | ("rather", "than"))
    };
    let at = own.words.windows(2).position(is_between)?;
    let leads = |word: &Word| word.is_article() || is_preposition(&word.lower) || only_requests(own, word);
    let from = own.words[..at].iter().rposition(leads).map_or(0, |last| last + 1);
    let next = stretch(&own.words[from..at])?;
    let gone = own.words[at + 2..].split(leads).find(|words| !words.is_empty())?;
    let place = said_as(earlier, gone).or_else(|| as_currency(earlier, currency(own, stretch(gone)?)?))?;
    // Beside a code stands a code: "eur/jpy".
    let is_code = |code: &str| earlier.text[place.clone()].eq_ignore_ascii_case(code);
    let is_short = currency(earlier, place.clone()).is_some_and(is_code);
    let code = currency(own, next.clone()).filter(|_| is_short);
    let mut whole = earlier.text.clone();
    whole.replace_range(place, code.unwrap_or(&own.text[next]));
    Some(whole)
}

/// Where a question says some words, one behind the other.
fn said_as(question: &Question, words: &[Word]) -> Option<Range<usize>> {
    let mut said = question.words.windows(words.len());
    stretch(said.find(|said| said.iter().zip(words).all(|(one, other)| one.stem == other.stem))?)
}

/// The code of the currency that a stretch of a question names.
fn currency(question: &Question, place: Range<usize>) -> Option<&'static str> {
    let codes = standard_codes(question, Role::Currency);
    codes.into_iter().find(|(_, range)| *range == place).map(|(code, _)| code)
}

/// Where a question names a currency, in whatever words.
fn as_currency(question: &Question, code: &str) -> Option<Range<usize>> {
    let codes = standard_codes(question, Role::Currency);
    codes.into_iter().find(|(said, _)| *said == code).map(|(_, range)| range)
}

/// Where words that stand side by side stand, in bytes.
fn stretch(words: &[Word]) -> Option<Range<usize>> {
    Some(words.first()?.range.start..words.last()?.range.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thing_takes_the_place_of_another() {
        let read = |text: &str| Question::read(text, "2026-03-18T14:30:00Z".parse().unwrap());
        let told = |text: &str, said: &str| of_another(&read(text), &read(said));
        for (text, said, whole) in [
            ("usd/jpy day by day", "euro instead of the dollar", "EUR/jpy day by day"),
            ("pounds in yen", "francs rather than yen", "pounds in francs"),
            ("Rain in Oslo", "show it for New York instead of Oslo", "Rain in New York"),
            ("harbour fees per ton", "pounds rather than tons", "harbour fees per pounds"),
        ] {
            assert_eq!(told(text, said).as_deref(), Some(whole), "{said}");
        }
        for said in ["Rome instead of Madrid", "instead of Oslo", "Rome instead of", "Rome instead"] {
            assert_eq!(told("Rain in Oslo", said), None, "{said}");
        }
    }
}
