//! What a property is asked of: the sea of "how warm is the sea off Tokyo", the tide of "what time is high tide", the hash of
//! "hash rate".

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
    asked(text, words, moments).map(|asked| asked.bearer).or_else(|| measured(text, words))
}

/// The place of the noun whose measure a question opens with: the UV of "what is the UV index".
fn measured(text: &str, words: &[Word]) -> Option<usize> {
    let at = words.iter().position(|word| !word.is_stop)?;
    let measure = words.get(at + 1).filter(|next| MEASURES.contains(&next.lower.as_str()))?;
    text[words[at].range.end..measure.range.start].trim().is_empty().then_some(at)
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
            "What time is the market closing?",
            "Which exchange is the largest?",
            "How cold is the air in Rome?",
            "Find films that have a good completion rate.",
        ] {
            assert_eq!(bearer(text), None, "{text}");
        }
    }
}
