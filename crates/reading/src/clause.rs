//! Clauses: the separate things that one question asks for.

use std::ops::Range;

use crate::{Question, points_back, standards, time, words};

mod pairs;

/// A word of the question: where it stands, and it in lower case.
type Word = (Range<usize>, String);

/// The clauses of a question, each a question of its own; one where it asks one thing.
///
/// A cut needs a sentence's end or a conjunction with a question word or an instruction right after it, or a comma with a question of
/// its own, so that "rock and roll" and a sentence that only tells something stay whole. Of several pairs of currencies each is asked for.
#[must_use]
pub fn clauses(text: &str) -> Vec<String> {
    let words = words::spelled(text);
    if let Some(apart) = pairs::apart(text, &words) {
        return apart;
    }
    let mut starts = vec![0];
    for at in 1..words.len() {
        let gap = &text[words[at - 1].0.end..words[at].0.start];
        let ends_sentence = gap.contains(['?', ';']) || gap.contains(". ") || gap.contains("! ");
        let follows = is_connective(&words[at].1);
        let is_apart = ends_sentence || gap.contains(',');
        let asks_anew = || gap.contains(',') && !is_condition(&words) && asks_anew(&words[at..]);
        if (ends_sentence || follows || asks_anew()) && opens(&words, at, is_apart) && !starts.contains(&at) {
            starts.push(at);
        }
    }
    let names_first = starts.get(1).is_some_and(|second| is_connective(&words[*second].1));
    let ends = starts.iter().skip(1).copied().chain([words.len()]);
    let mut parts: Vec<&[Word]> = starts.iter().zip(ends).map(|(&start, end)| &words[start..end]).collect();
    for part in &mut parts {
        while part.first().is_some_and(|word| is_connective(&word.1)) {
            *part = &part[1..];
        }
    }
    let is_asked = |part: &&[Word]| {
        part.len() >= WORDS_MIN && part.first().is_some_and(is_opening) && !only_measures(part)
    };
    let is_first_asked = parts.first().is_some_and(|first| is_asked(first) || names_first && is_named(first));
    if parts.len() < 2 || !is_first_asked || !parts.iter().skip(1).all(is_asked) {
        return vec![text.to_owned()];
    }
    let said: Vec<&str> = parts.iter().map(|part| slice(text, part)).collect();
    said.iter().enumerate().map(|(at, part)| resolved(part, &said[..at])).collect()
}

/// The ways to cut a question in two where it may ask for something else, by whatever word that opens: behind a sentence, a comma or a
/// conjunction, in bytes. What there is to serve it tells which of them part two things: "top headlines, and euro to dollar" are two.
#[must_use]
pub fn cuts(text: &str) -> Vec<(Range<usize>, Range<usize>)> {
    let words = words::spelled(text);
    let is_cut = |at: &usize| {
        let gap = &text[words[at - 1].0.end..words[*at].0.start];
        let ends = |sign: char| matches!(sign, '?' | ';' | ',' | '!') || sign == '.' && gap.contains(". ");
        let is_number = gap == "," && words[*at].1.starts_with(|digit: char| digit.is_ascii_digit());
        gap.contains(ends) && !is_number || is_connective(&words[*at].1)
    };
    let is_apart = |at: &usize| {
        !is_connective(&words[at - 1].1) && !is_of_a_list(&words, *at) && !picks_one(&words[..*at])
    };
    let sides = |at: usize| {
        let behind = words[at..].iter().take_while(|word| is_connective(&word.1)).count();
        let (one, other) = (&words[..at], &words[at + behind..]);
        let is_asked = !other.is_empty() && !only_limits(other) && !only_speaks(one) && !only_speaks(other);
        is_asked.then(|| (stretch(text, one), stretch(text, other)))
    };
    (1..words.len()).filter(|at| is_cut(at) && is_apart(at)).filter_map(sides).collect()
}

/// What a question may ask for by itself: its clauses or, where those are one, both sides of each of its cuts; nothing where it asks for
/// one thing.
#[must_use]
pub fn things(text: &str) -> Vec<String> {
    let clauses = clauses(text);
    if clauses.len() > 1 {
        return clauses;
    }
    let sides = |(one, other): (Range<usize>, Range<usize>)| [text[one].to_owned(), text[other].to_owned()];
    cuts(text).into_iter().flat_map(sides).collect()
}

/// Whether words only say how or when what stands before them is asked for: "by volume", "over the last week". "By how much" asks.
fn only_limits(words: &[Word]) -> bool {
    let leads = |word: &Word| {
        matches!(
            word.1.as_str(),
            "at" | "by" | "during" | "for" | "from" | "in" | "of" | "over" | "per" | "since" | "with"
        )
    };
    words.first().is_some_and(leads) && !words.iter().any(is_opening)
}

/// Whether words say nothing but what people say to one another: "ok", "thanks", "sorry", "something else".
fn only_speaks(said: &[Word]) -> bool {
    let is_spoken = |word: &Word| words::is_noted(&word.1) || SPOKEN.contains(&word.1.as_str());
    said.iter().all(is_spoken)
}

/// What is said to one another beside what takes note.
const SPOKEN: [&str; 14] = [
    "another",
    "else",
    "hello",
    "hey",
    "hi",
    "just",
    "no",
    "please",
    "question",
    "something",
    "sorry",
    "thank",
    "yes",
    "you",
];

/// Whether words ask which one of those that stand behind them: "which one is lower, the rate of BTC or ETH".
fn picks_one(words: &[Word]) -> bool {
    matches!(words, [which, one, ..] if which.1 == "which" && one.1 == "one")
}

/// Whether values of one kind stand on both sides of a word, connectives skipped: "EUR and GBP", "BTC, ETH".
fn is_of_a_list(words: &[Word], at: usize) -> bool {
    let before = &words[at - 1].1;
    let behind = words[at..].iter().find(|word| !is_connective(&word.1));
    behind.is_some_and(|behind| {
        let are = |is_one: &dyn Fn(&str) -> bool| is_one(before) && is_one(&behind.1);
        are(&|word| standards::currency(word).is_some())
            || are(&|word| standards::coin(word).is_some())
            || are(&|word| time::zone_of(word).is_some())
    })
}

/// Whether a text asks for something or only names what is wanted, and tells nothing: "weather in Rome" does, "the name is Ann" does
/// not.
#[must_use]
pub fn asks(text: &str) -> bool {
    let words = words::spelled(text);
    let opens = |word: &Word| !is_connective(&word.1);
    words.iter().find(|word| opens(word)).is_some_and(is_opening) || is_named(&words)
}

/// Whether a clause asks of what is asked before it: "and when does it close", "what do they expect". "What time is it in Rome" does
/// not.
#[must_use]
pub fn goes_on(clause: &Question) -> bool {
    let words = &clause.words;
    let is_pronoun = |at: usize| match words[at].lower.as_str() {
        "it" => !is_of_the_hour(&words[..at]),
        "this" => words.get(at + 1).is_none_or(|next| !time::is_unit(&next.lower)),
        "one" => !counts(words, at),
        word => matches!(word, "they" | "he" | "she" | "also"),
    };
    let points = || (0..words.len()).any(is_pronoun);
    points_back(&clause.text) || clause.form.entities.is_empty() && points()
}

/// Whether a question speaks of one thing that it does not name: "when does it close", "the holders of that market". `stems` are
/// those of what such a thing is called.
#[must_use]
pub fn points_at_it(question: &Question, stems: &[String]) -> bool {
    pronoun(question).is_some() || points_at_one_of(question, |stem| stems.contains(stem))
}

/// The word by which a question speaks of one thing without a name: the "it" of "when does it close". That of "what time is it" is
/// only the hour.
#[must_use]
pub fn pronoun(question: &Question) -> Option<&words::Word> {
    let points = |at: &usize| match question.words[*at].lower.as_str() {
        "it" => !is_of_the_hour(&question.words[..*at]),
        "its" => true,
        _ => false,
    };
    (0..question.words.len()).find(points).map(|at| &question.words[at])
}

/// Whether a question speaks of one thing by what it is called, told by its stem, and does not name it: "the holders of that
/// market".
#[must_use]
pub fn points_at_one_of(question: &Question, is_called: impl Fn(&String) -> bool) -> bool {
    let mut pairs = question.words.windows(2);
    pairs.any(|pair| matches!(pair[0].lower.as_str(), "this" | "that") && is_called(&pair[1].stem))
}

/// Whether the "one" at a place counts what it stands before: that of "yen for one euro" does, and that of "which one closes first"
/// does not.
fn counts(words: &[words::Word], one: usize) -> bool {
    let points = |word: &words::Word| {
        matches!(
            word.lower.as_str(),
            "which" | "the" | "that" | "this" | "other" | "first" | "last" | "next" | "each"
        )
    };
    words.get(one + 1).is_some_and(|next| !next.is_stop)
        && one.checked_sub(1).is_none_or(|before| !points(&words[before]))
}

/// Whether "it" behind these words is only the hour or the day: "what time is it".
pub(crate) fn is_of_the_hour(before: &[words::Word]) -> bool {
    matches!(before, [.., noun, verb]
        if matches!(noun.lower.as_str(), "time" | "day" | "date" | "hour" | "late")
            && matches!(verb.lower.as_str(), "is" | "was" | "will"))
}

/// A clause with fewer words asks nothing by itself.
const WORDS_MIN: usize = 3;

/// Whether a clause opens here, connectives skipped: in the middle of what is said, "is it warm" does, and "is 2 m tall" does not.
fn opens(words: &[Word], at: usize, is_apart: bool) -> bool {
    let skipped = words[at..].iter().take_while(|word| is_connective(&word.1)).count();
    let (first, next) = (words.get(at + skipped), words.get(at + skipped + 1));
    let is_counted = |word: &Word| word.1.starts_with(|sign: char| sign.is_ascii_digit());
    let is_turned = |first| {
        let is_object = |next: &Word| is_in(OBJECTS, next) || is_counted(next);
        if is_in(NOUNS_TOO, first) {
            next.is_some_and(is_object)
        } else {
            is_apart || !is_in(AUXILIARIES, first) || next.is_some_and(|next| is_in(SUBJECTS, next))
        }
    };
    // "then" and the like inside a sentence need what they join to be asked for.
    first.is_some_and(|first| is_opening(first) && is_turned(first))
        && !words[..at].last().is_some_and(|word| is_connective(&word.1))
}

/// Whether a question only says when first: "when it is noon in Rome, what time is it in Oslo".
fn is_condition(words: &[Word]) -> bool {
    matches!(words, [first, next, ..] if first.1 == "when" && is_in(SUBJECTS, next))
}

/// Whether a question opens here, and no clause that tells or asks more of what stands before it: ", what is the time" and ", will it
/// rain" do, ", which closes soon" and ", how much is that" do not.
fn asks_anew(words: &[Word]) -> bool {
    match words {
        [first, ..] if matches!(first.1.as_str(), "whats" | "hows") => true,
        [first, next, ..] if first.1 == "what" => !is_in(SUBJECTS, next),
        [first, next, ..] if first.1 == "how" => !is_in(SUBJECTS, next) && !is_in("much many", next),
        [first, next, ..] => is_in(AUXILIARIES, first) && is_in(SUBJECTS, next),
        _ => false,
    }
}

/// Whether a clause only asks how much it is that another one asks for: "and how many percent".
fn only_measures(part: &[Word]) -> bool {
    const MEASURES: [&str; 8] =
        ["much", "many", "percent", "percentage", "points", "often", "long", "exactly"];
    part.split_first().is_some_and(|(first, rest)| {
        first.1 == "how" && rest.iter().all(|word| MEASURES.contains(&word.1.as_str()))
    })
}

/// Whether a clause only names what is wanted: "BTC funding rate". Whoever tells something says what is so.
fn is_named(part: &[Word]) -> bool {
    const TELLING: [&str; 14] =
        ["i", "we", "my", "our", "am", "is", "are", "was", "were", "has", "have", "had", "will", "let"];
    part.len() > 1 && !part.iter().any(|word| TELLING.contains(&word.1.as_str()))
}

fn is_connective(lower: &str) -> bool {
    matches!(lower, "and" | "then" | "also" | "plus" | "finally" | "please")
}

fn is_opening(word: &Word) -> bool {
    [OPENINGS, AUXILIARIES, NOUNS_TOO].iter().any(|listed| is_in(listed, word))
}

fn is_in(listed: &str, word: &Word) -> bool {
    listed.split(' ').any(|other| other == word.1)
}

/// What opens a question or an instruction.
const OPENINGS: &str = "what whats which who when where how hows calculate cancel check compare compute convert count create \
    describe display echo explain fetch find get gimme give list look pull read run search sell send show summarize tell \
    translate";

/// What opens a question where who or what it is about follows.
const AUXILIARIES: &str = "is are was were does did do has have will would can could";

/// Who or what that is.
const SUBJECTS: &str =
    "i you he she it we they there this that these those the my our your his her their its any";

/// What opens an instruction where what is to be done it to follows; else it is a noun: "open interest", "order book".
const NOUNS_TOO: &str = "book buy change close exchange open order play set swap trade";

/// What that is told by, where it is no number.
const OBJECTS: &str = "a an the my our this that these those me us some up";

/// The text of some words, with the signs that close it.
fn slice<'t>(text: &'t str, part: &[Word]) -> &'t str {
    &text[stretch(text, part)]
}

/// Where that stands, in bytes.
fn stretch(text: &str, part: &[Word]) -> Range<usize> {
    let start = part.first().map_or(0, |word| word.0.start);
    let end = part.last().map_or(0, |word| word.0.end);
    let closing = text[end..].chars().take_while(|sign| matches!(sign, '"' | '\'' | '”' | ')' | '%' | '`'));
    start..end + closing.map(char::len_utf8).sum::<usize>()
}

/// A clause in which "there" is the place that an earlier clause names.
fn resolved(part: &str, before: &[&str]) -> String {
    let Some(at) = part.find(" there").filter(|at| part[at + 6..].is_empty()) else { return part.to_owned() };
    let place = before.iter().rev().find_map(|clause| clause.rsplit_once(" in ").map(|(_, place)| place));
    place.map_or_else(|| part.to_owned(), |place| format!("{} in {place}", &part[..at]))
}

#[cfg(test)]
mod tests {
    use super::{asks, clauses, cuts, goes_on};
    use crate::Question;
    use proptest::prelude::*;

    #[test]
    fn pairs_of_currencies_are_asked_for_one_by_one() {
        assert_eq!(clauses("EUR/USD vs GBP/USD"), ["EUR/USD", "GBP/USD"]);
        assert_eq!(clauses("which is higher, EUR/USD or GBP/USD?"), ["EUR/USD?", "GBP/USD?"]);
        assert_eq!(clauses("is EUR/USD higher than GBP/USD"), ["EUR/USD", "GBP/USD"]);
        assert_eq!(clauses("what are EUR/USD and GBP/USD?"), ["EUR/USD?", "GBP/USD?"]);
        assert_eq!(clauses("compare eur usd and gbp usd"), ["eur usd", "gbp usd"]);
        assert_eq!(clauses("EUR/USD or GBP/USD, which is higher?"), ["EUR/USD", "GBP/USD"]);
        assert_eq!(
            clauses("EUR/USD, GBP/USD, and USD/JPY rates last week"),
            ["EUR/USD rates last week", "GBP/USD rates last week", "USD/JPY rates last week"]
        );
        for whole in
            ["eur usd", "EUR/USD and the pound", "eur usd gbp", "rates of EUR and USD in GBP and JPY"]
        {
            assert_eq!(clauses(whole), [whole]);
        }
    }

    #[test]
    fn separate_things_are_apart() {
        assert_eq!(
            clauses("What is the weather in Paris? Also what is the rate from EUR to USD?"),
            ["What is the weather in Paris", "what is the rate from EUR to USD"]
        );
        assert_eq!(
            clauses("What time is it in Tokyo and what is the weather there?"),
            ["What time is it in Tokyo", "what is the weather in Tokyo"]
        );
        assert_eq!(
            clauses("Get the sum of 2 and 3. Then echo \"done\" to me."),
            ["Get the sum of 2 and 3", "echo \"done\" to me"]
        );
        assert_eq!(
            clauses("ETH open interest please, and exchange 300 dollars for me"),
            ["ETH open interest", "exchange 300 dollars for me"]
        );
        assert_eq!(
            clauses("what's the weather in Oslo, how old is the tower, is it late in Rome"),
            ["what's the weather in Oslo", "how old is the tower", "is it late in Rome"]
        );
        assert_eq!(
            clauses("How warm is it in Oslo and will it rain in Rome?"),
            ["How warm is it in Oslo", "will it rain in Rome"]
        );
    }

    #[test]
    fn another_request_may_begin_behind_a_sentence_a_comma_or_a_conjunction() {
        let said = |text: &str| -> Vec<String> {
            cuts(text).into_iter().map(|(one, other)| format!("{} | {}", &text[one], &text[other])).collect()
        };
        assert_eq!(
            said("top sports headlines, and also euro to dollar"),
            ["top sports headlines | euro to dollar"]
        );
        assert_eq!(said("Rain in Oslo? Biggest events."), ["Rain in Oslo | Biggest events"]);
        assert_eq!(
            said("the tide in Oslo, rain in Rome plus the time in Bern"),
            [
                "the tide in Oslo | rain in Rome plus the time in Bern",
                "the tide in Oslo, rain in Rome | the time in Bern"
            ]
        );
        // Values of one kind are one thing, and so is a word beside its sentence.
        for text in [
            "the rate of EUR and GBP over the year",
            "rain in Paris and London this week",
            "rates please",
            "shops with more than 50,000 books",
            "which one is lower, the price of Oslo or Rome",
            "ok. rain in Oslo",
            "thanks. something else, rain in Oslo",
            "sorry, the rain in Oslo",
            "Which shops sold most today, by volume?",
            "",
        ] {
            assert_eq!(said(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn one_thing_stays_whole() {
        for text in [
            "Compare Paris and Rome",
            "I am in Paris. What is the weather?",
            "Find rock and roll shows",
            "Which city is warmest and driest?",
            "Find a person who weighs 70 kg and is 1.75 m tall",
            "Show the funding rate and open interest of BTC",
            "My flight is late and what is the weather in Rome?",
            "Has the yen fallen since last week, and how many percent?",
            "List the events in Oslo, which close this week",
            "Tell me what it is, how you found it",
            "Turn 300 dollars into euros, how many are that",
            "When it is noon in Paris, what time is it in Rome",
            "",
        ] {
            assert_eq!(clauses(text), [text]);
        }
    }

    #[test]
    fn what_points_at_something_goes_on_with_it() {
        let read = |text| goes_on(&Question::read(text, jiff::Timestamp::UNIX_EPOCH));
        for text in [
            "when does it close",
            "did they beat what was expected",
            "how did that shift",
            "what is its price",
            "how does this work",
            "which one closes first",
        ] {
            assert!(read(text), "{text}");
        }
        for text in [
            "what time is it in Rome",
            "what time is it",
            "who wrote Hamlet",
            "has the pound gone up this week",
            "how many yen do I get for one euro",
        ] {
            assert!(!read(text), "{text}");
        }
    }

    #[test]
    fn who_asks_tells_nothing() {
        for text in
            ["weather in Rome", "what is the rate", "please show the flows", "latest sports headlines"]
        {
            assert!(asks(text), "{text}");
        }
        for text in ["my name is Ann", "the shop will be open on Monday", "let's do 30 liters", ""] {
            assert!(!asks(text), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_has_a_clause(text in "\\PC*|(what|and|then|is|the|there|in|\\. |\\? |x| ){0,12}") {
            prop_assert!(!clauses(&text).is_empty());
            prop_assert!(cuts(&text).iter().all(|(one, other)| one.end <= other.start && other.end <= text.len()));
        }
    }
}
