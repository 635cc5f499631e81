//! What a property is asked of: the sea of "how warm is the sea off Tokyo", the tide of "what time is high tide".

use crate::words::Word;

/// Nouns of a property that something else has.
const PROPERTIES: [&str; 9] =
    ["color", "colour", "date", "day", "height", "price", "speed", "temperature", "time"];

/// The place of the noun whose property a question asks: the last word of what follows "how warm is", "what time is".
pub(crate) fn bearer(text: &str, words: &[Word], is_when: impl Fn(&Word) -> bool) -> Option<usize> {
    let lead = words.windows(3).position(|lead| {
        let [asking, property, copula] = [&lead[0], &lead[1], &lead[2]].map(|word| word.lower.as_str());
        let is_property = match asking {
            "how" => !lead[1].is_stop && !property.ends_with("ly"),
            "what" | "which" => PROPERTIES.contains(&property),
            _ => false,
        };
        is_property && matches!(copula, "is" | "are" | "was" | "were" | "s")
    })?;
    let mut from = lead + 3;
    if words.get(from).is_some_and(Word::is_article) {
        from += 1;
    }
    let is_next = |at: &usize| {
        let gap = &text[words[at - 1].range.end..words[*at].range.start];
        !words[*at].is_stop && words[*at].lower != "off" && !is_when(&words[*at]) && gap.trim().is_empty()
    };
    let last = (from..words.len()).take_while(is_next).last()?;
    // "How likely is a recession averted" asks of no averted thing.
    let is_noun = !["ed", "ing"].iter().any(|ending| words[last].lower.ends_with(ending));
    is_noun.then_some(last)
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
        ] {
            assert_eq!(bearer(text).as_deref(), Some(noun), "{text}");
        }
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
        ] {
            assert_eq!(bearer(text), None, "{text}");
        }
    }
}
