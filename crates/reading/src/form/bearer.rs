//! What a property is asked of: the sea of "how warm is the sea off Tokyo", the tide of "what time is high tide", the hash of
//! "hash rate"; and what the asker has of which is asked, the profit of "what's my profit".

use super::shape;
use crate::time::Moment;
use crate::words::Word;

/// Nouns of a property that something else has.
const PROPERTIES: [&str; 9] =
    ["color", "colour", "date", "day", "height", "price", "speed", "temperature", "time"];

/// Adjectives that ask of a thing only how much of it there is: the wind of "how strong is the wind", a flow of "how large
/// is the flow".
const DEGREES: [&str; 11] =
    ["bad", "big", "good", "great", "heavy", "high", "huge", "large", "low", "small", "strong"];

/// What asks for a property, and of what, by their places: "how warm is the sea", "what time is high tide".
struct Asked {
    property: usize,
    /// The last word of what follows.
    bearer: usize,
}

/// Nouns that say only how something is measured, and not what.
const MEASURES: [&str; 3] = ["index", "rate", "ratio"];

/// The place of the noun whose property a question asks.
pub(crate) fn bearer(text: &str, words: &[Word], moments: &[Moment]) -> Option<usize> {
    asked(text, words, moments)
        .map(|asked| asked.bearer)
        .or_else(|| measured(text, words))
        .or_else(|| owned(text, words, moments))
}

/// Words that only ask to be told of what follows them.
const ASKING: [&str; 9] = ["check", "display", "fetch", "give", "list", "see", "show", "tell", "view"];

/// Words of what somebody owns that may stand before its noun: "my open orders".
const OWNED_WORDS_MAX: usize = 3;

/// The place of the noun of what the asker has, where a question opens with asking for it: the orders of "list all my open orders".
fn owned(text: &str, words: &[Word], moments: &[Moment]) -> Option<usize> {
    let owner = words.iter().position(|word| matches!(word.lower.as_str(), "my" | "our"))?;
    let is_asking = |lower: &str| ASKING.contains(&lower);
    let asks = |word: &Word| word.is_stop || word.lower == "all" || is_asking(&word.lower);
    let mut before = words[..owner].iter().rev().map(|word| word.lower.as_str());
    let is_led = match before.find(|lower| !matches!(*lower, "all" | "me" | "us" | "of")) {
        Some("is" | "are" | "s" | "was" | "were") => before.next() == Some("what"),
        lead => lead.is_some_and(is_asking),
    };
    let is_noun = |at: &usize| {
        let gap = &text[words[at - 1].range.end..words[*at].range.start];
        !words[*at].is_stop && gap == " " && !moments.iter().any(|moment| moment.holds(&words[*at]))
    };
    let nouns = (owner + 1..words.len()).take(OWNED_WORDS_MAX).take_while(is_noun);
    (is_led && words[..owner].iter().all(asks)).then(|| nouns.last()).flatten()
}

/// The place of the noun whose measure a question opens with: the UV of "what is the UV index", the living of "cost of living index".
fn measured(text: &str, words: &[Word]) -> Option<usize> {
    let first = words.iter().position(|word| !word.is_stop)?;
    let is_of = words.get(first + 1).is_some_and(|word| word.lower == "of");
    let at = if is_of { first + 2 } else { first };
    words.get(at).filter(|word| !word.is_stop && is_measured(text, words, word)).map(|_| at)
}

/// Whether a measure stands right behind a word.
pub(crate) fn is_measured(text: &str, words: &[Word], word: &Word) -> bool {
    let next = words.iter().find(|next| next.range.start >= word.range.end);
    next.is_some_and(|next| {
        MEASURES.contains(&next.lower.as_str()) && text[word.range.end..next.range.start].trim().is_empty()
    })
}

/// The place of a word that asks for nothing of its own: an adjective that only says that an amount is asked for, and the air of
/// "how cold is the air", which is that of the place.
pub(crate) fn filler(text: &str, words: &[Word], moments: &[Moment]) -> Option<usize> {
    let Asked { property, bearer } = asked(text, words, moments)?;
    let adjective = words[property].lower.as_str();
    if DEGREES.contains(&adjective) {
        return Some(property);
    }
    let is_measured = || !shape::implied_by_adjective(adjective).is_empty();
    (words[bearer].lower == "air" && is_measured()).then_some(bearer)
}

fn asked(text: &str, words: &[Word], moments: &[Moment]) -> Option<Asked> {
    let lead = words.windows(3).position(|lead| {
        let [asking, property, copula] = [&lead[0], &lead[1], &lead[2]].map(|word| word.lower.as_str());
        let is_property = match asking {
            "how" => DEGREES.contains(&property) || !lead[1].is_stop && !property.ends_with("ly"),
            "what" | "which" => PROPERTIES.contains(&property),
            _ => false,
        };
        is_property && matches!(copula, "is" | "are" | "was" | "were" | "s")
    })?;
    let mut from = lead + 3;
    if words.get(from).is_some_and(Word::is_article) {
        from += 1;
    }
    let is_when = |word: &Word| moments.iter().any(|moment| moment.holds(word));
    let is_next = |at: &usize| {
        let gap = &text[words[at - 1].range.end..words[*at].range.start];
        let is_place = matches!(words[*at].lower.as_str(), "off" | "here");
        !words[*at].is_stop && !is_place && !is_when(&words[*at]) && gap.trim().is_empty()
    };
    let bearer = (from..words.len()).take_while(is_next).last()?;
    // "How likely is a recession averted" asks of no averted thing.
    let is_noun = !["ed", "ing"].iter().any(|ending| words[bearer].lower.ends_with(ending));
    is_noun.then_some(Asked { property: lead + 1, bearer })
}

#[cfg(test)]
mod tests {
    use crate::Question;

    fn bearer(text: &str) -> Option<String> {
        let question = Question::read(text, "2026-03-18T14:30:00Z".parse().unwrap());
        question.bearer().map(|word| word.lower.clone())
    }

    #[test]
    fn what_has_the_property_stands_behind_it() {
        for (text, noun) in [
            ("How warm is the sea off Tokyo?", "sea"),
            ("What time is high tide in Lisbon?", "tide"),
            ("how cold was the lake yesterday", "lake"),
            ("What colour is the flag of Peru", "flag"),
            ("how deep is the lake here", "lake"),
            ("uv index in Sydney", "uv"),
            ("What was the Sharpe ratio of the fund?", "sharpe"),
            ("cost of living index in Oslo", "living"),
            ("list all my open orders", "orders"),
            ("what's my profit on it so far", "profit"),
        ] {
            assert_eq!(bearer(text).as_deref(), Some(noun), "{text}");
        }
    }

    #[test]
    fn how_large_something_is_asks_nothing_but_how_much_there_is() {
        let topic = |text: &str| Question::read(text, "2026-03-18T14:30:00Z".parse().unwrap()).topic();
        assert_eq!(topic("How large is the reserve?"), ["reserv"]);
        assert_eq!(topic("How strong are the currents?"), ["current"]);
        assert_eq!(topic("How warm is the reserve?"), ["warm", "reserv", "temperatur"]);
        assert_eq!(topic("How large will it be?"), ["larg", "size"]);
    }

    #[test]
    fn where_no_noun_stands_nothing_has_it() {
        for text in [
            "How warm is it in Tokyo?",
            "What time is it in Lisbon?",
            "How warm will it be tomorrow?",
            "How much is traded on the exchange?",
            "I fly to Oslo with my sister on Friday",
            "My friend likes films. Find one",
            "I need to get my coat cleaned",
            "What does my oldest letter say?",
            "What time is the market closing?",
            "Which exchange is the largest?",
            "How cold is the air in Rome?",
            "Find films that have a good completion rate.",
        ] {
            assert_eq!(bearer(text), None, "{text}");
        }
    }
}
