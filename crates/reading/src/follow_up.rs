//! Questions that only say what is different from the one before: "and in Tokyo?", "what about ETH?".

use std::ops::Range;

use jiff::Timestamp;

use crate::Question;
use crate::bind::{Parameters, Role, bind, standard_codes};
use crate::form::FormKind;
use crate::spans::{Kind, overlaps};
use crate::standards;
use crate::time::{Moment, zone_of};
use crate::words::{self, Word};

/// The whole question that a follow-up stands for: the earlier one with each thing that the follow-up names in the place of its
/// like. None where the text is a question of its own. `given` is what the earlier question gave to the arguments of a call:
/// values that it names in words of any kind.
///
/// With a lead ("and", "what about"), a name or a time that the earlier question has none of is added to it.
#[must_use]
pub fn completed(earlier: &str, given: &[String], text: &str, now: Timestamp) -> Option<String> {
    let (said, has_lead) = after_lead(text);
    let own = Question::read(said, now);
    let named = told_apart(&own)?;
    let mut whole = earlier.trim_end().to_owned();
    for named in &named {
        let (before, phrase) = (Question::read(&whole, now), &own.text[named.range.clone()]);
        if let Some(range) = like(&before, given, named) {
            whole.replace_range(range, phrase);
        } else if has_lead {
            let joint = match named.preposition.as_deref() {
                Some(preposition) => format!("{preposition} "),
                None if before.form.kind == FormKind::Comparison => "and ".to_owned(),
                None if named.like != Like::Time => "for ".to_owned(),
                None => String::new(),
            };
            let end = whole.trim_end_matches(['?', '.', '!', ' ']).len();
            whole.insert_str(end, &format!(" {joint}{phrase}"));
        } else {
            return None;
        }
    }
    Some(whole)
}

/// What a follow-up names, where that is all that it says. One thing behind a preposition may be named in any words: "at acme".
fn told_apart(own: &Question) -> Option<Vec<Named>> {
    let mut named = named(own, &[]);
    let is_told = |named: &[Named], range: &Range<usize>| named.iter().any(|it| overlaps(&it.range, range));
    let untold: Vec<&Word> = own
        .words
        .iter()
        .filter(|word| !word.is_stop && !leads_to_time(own, word) && !is_told(&named, &word.range))
        .collect();
    if let (Some(first), Some(last)) = (untold.first(), untold.last()) {
        let range = first.range.start..last.range.end;
        let preposition =
            preposition(own, &range).filter(|_| named.is_empty() && untold.len() <= NAME_WORDS_MAX)?;
        named.push(Named { range, like: Like::Name, preposition: Some(preposition) });
    }
    (!named.is_empty()).then_some(named)
}

/// Words of a name in lower case.
const NAME_WORDS_MAX: usize = 2;

/// "Over the last week": a word before a time that says nothing of its own.
fn leads_to_time(question: &Question, word: &Word) -> bool {
    let is_before = |moment: &Moment| {
        let between = question.text.get(word.range.end..moment.range.start);
        between.is_some_and(|between| matches!(between.trim(), "" | "the"))
    };
    matches!(word.lower.as_str(), "over" | "during" | "within") && question.moments.iter().any(is_before)
}

/// What a question names or gives to the arguments of a method, a phrase each and in order, with the word before it that tells
/// what it is to the rest: "in Tokyo", "last week".
#[must_use]
pub fn told_by(question: &str, parameters: Option<&Parameters>, now: Timestamp) -> Vec<String> {
    let question = Question::read(question, now);
    let mut told: Vec<Range<usize>> = named(&question, &[]).into_iter().map(|named| named.range).collect();
    let binding = parameters.map(|parameters| bind(&question, parameters));
    let bound = binding.iter().flat_map(|binding| &binding.arguments);
    for range in bound.filter_map(|argument| argument.bound()?.source.range()) {
        if !told.iter().any(|it| overlaps(it, range)) {
            told.push(range.clone());
        }
    }
    told.sort_by_key(|range| range.start);
    let phrase = |range: Range<usize>| {
        let said = &question.text[range.clone()];
        preposition(&question, &range).map_or_else(|| said.to_owned(), |it| format!("{it} {said}"))
    };
    told.into_iter().map(phrase).collect()
}

/// Whether a question points back to what was said before it: "and the forecast?", "what time is it there?"
#[must_use]
pub fn points_back(text: &str) -> bool {
    let (said, has_lead) = after_lead(text);
    let mut words = words::spelled(said).into_iter();
    let is_pointer = |word: &str| {
        matches!(
            word,
            "there" | "its" | "that" | "them" | "those" | "these" | "same" | "his" | "her" | "their"
        )
    };
    has_lead || words.any(|(_, word)| is_pointer(&word))
}

/// What opens a follow-up, the longest first.
const LEADS: [&str; 12] = [
    "and what about",
    "and how about",
    "what about",
    "how about",
    "and the same for",
    "the same for",
    "same for",
    "and now",
    "and also",
    "and",
    "or",
    "also",
];

/// The text without what opens a follow-up and what ends a sentence, and whether something opened it.
fn after_lead(text: &str) -> (&str, bool) {
    let text = text.trim().trim_end_matches(['?', '.', '!', ' ']);
    let rest = LEADS.iter().find_map(|lead| {
        let start = text.get(..lead.len())?;
        let rest = text[lead.len()..].strip_prefix([' ', ','])?;
        start.eq_ignore_ascii_case(lead).then(|| rest.trim_start())
    });
    (rest.unwrap_or(text), rest.is_some())
}

/// Something that a question names.
struct Named {
    range: Range<usize>,
    like: Like,
    /// The word before it, where it is one that tells what the name is to the rest.
    preposition: Option<String>,
}

/// What is put in whose place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Like {
    Time,
    Number,
    /// A number of some currency.
    Sum,
    Currency,
    Pair,
    Place,
    Symbol,
    Name,
}

/// What a question names, of values that were given before wherever it says them.
fn named(question: &Question, given: &[String]) -> Vec<Named> {
    let times = question.moments.iter().map(|moment| (moment.range.clone(), Like::Time));
    let currencies = standard_codes(question, Role::Currency).into_iter();
    let currencies = currencies.map(|(_, range)| (range, Like::Currency));
    let spans = question.spans.iter().map(|span| {
        let like = match span.kind {
            Kind::Number(amount) if amount.currency.is_some() => Like::Sum,
            Kind::Number(_) => Like::Number,
            Kind::Pair => Like::Pair,
            Kind::Ticker => Like::Symbol,
            Kind::Name if zone_of(&span.text).is_some() => Like::Place,
            Kind::Name
            | Kind::Quoted
            | Kind::Code
            | Kind::Url
            | Kind::Email
            | Kind::Path
            | Kind::File
            | Kind::Uuid
            | Kind::Identifier => Like::Name,
        };
        (span.range.clone(), like)
    });
    let words = question.words.iter().filter_map(|word| {
        let is_given = || given.iter().any(|value| value.eq_ignore_ascii_case(&word.lower));
        if standards::coin(&word.lower).is_some() {
            Some((word.range.clone(), Like::Symbol))
        } else {
            is_given().then(|| (word.range.clone(), Like::Name))
        }
    });
    let mut named: Vec<Named> = Vec::new();
    let (whole, parts): (Vec<_>, Vec<_>) =
        spans.partition(|(_, like)| matches!(like, Like::Sum | Like::Pair));
    for (range, like) in times.chain(whole).chain(currencies).chain(parts).chain(words) {
        if !named.iter().any(|it| overlaps(&it.range, &range)) {
            named.push(Named { preposition: preposition(question, &range), range, like });
        }
    }
    named.sort_by_key(|it| it.range.start);
    named
}

/// The figures of a sum of money.
fn figures(text: &str, sum: &Range<usize>) -> Range<usize> {
    let is_figure = |sign: char| sign.is_ascii_digit();
    let said = &text[sum.clone()];
    match (said.find(is_figure), said.rfind(is_figure)) {
        (Some(first), Some(last)) => sum.start + first..sum.start + last + 1,
        (_, _) => sum.clone(),
    }
}

fn preposition(question: &Question, range: &Range<usize>) -> Option<String> {
    let before = question.words_before(range).last()?;
    let is_one = matches!(
        before.lower.as_str(),
        "in" | "on"
            | "at"
            | "for"
            | "of"
            | "from"
            | "to"
            | "into"
            | "via"
            | "near"
            | "by"
            | "with"
            | "against"
    );
    is_one.then(|| before.lower.clone())
}

/// Where the earlier question names the like of it: what follows the same word first, of several the last. What is compared is
/// compared with one more.
fn like(earlier: &Question, given: &[String], named: &Named) -> Option<Range<usize>> {
    let is_named = |like| matches!(like, Like::Place | Like::Symbol | Like::Name);
    let rank = |other: &Named| {
        let is_same =
            other.like == named.like || matches!((other.like, named.like), (Like::Sum, Like::Number));
        let follows_same = other.preposition == named.preposition;
        let may_stand_for = is_named(other.like) && is_named(named.like) && named.preposition.is_some();
        match (is_same, follows_same) {
            (true, true) => 3,
            (false, true) if may_stand_for => 2,
            (true, false) => 1,
            (false, _) => 0,
        }
    };
    let of_earlier = self::named(earlier, given);
    let best = of_earlier.iter().filter(|other| rank(other) > 0).max_by_key(|other| rank(other))?;
    let is_added = named.preposition.is_none() && earlier.form.kind == FormKind::Comparison;
    let counts = best.like == Like::Sum && named.like == Like::Number;
    (!is_added).then(|| if counts { figures(&earlier.text, &best.range) } else { best.range.clone() })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(earlier: &str, text: &str) -> Option<String> {
        completed(earlier, &[], text, "2026-03-18T14:30:00Z".parse().unwrap())
    }

    #[test]
    fn what_is_named_takes_the_place_of_its_like() {
        let whole = |earlier, text| read(earlier, text).unwrap();
        assert_eq!(whole("What is the weather in Paris?", "And in Tokyo?"), "What is the weather in Tokyo?");
        assert_eq!(whole("Weather in Paris tomorrow", "new york"), "Weather in new york tomorrow");
        assert_eq!(whole("Open interest of BTC", "What about ETH?"), "Open interest of ETH");
        assert_eq!(
            whole("What's the BTC funding rate on Binance?", "and on OKX?"),
            "What's the BTC funding rate on OKX?"
        );
        assert_eq!(whole("BTC funding rate on OKX", "what about ETH?"), "ETH funding rate on OKX");
        assert_eq!(whole("Convert 100 dollars to euros", "and to yen?"), "Convert 100 dollars to yen");
        assert_eq!(whole("Weather in Paris tomorrow?", "and on Friday?"), "Weather in Paris on Friday?");
    }

    #[test]
    fn a_name_of_several_words_is_one_and_a_symbol_is_no_currency() {
        let whole = |earlier, text| read(earlier, text).unwrap();
        assert_eq!(whole("Convert 100 dollars to swiss francs", "and to yen?"), "Convert 100 dollars to yen");
        assert_eq!(
            whole("Convert 100 dollars to yen", "to swiss francs"),
            "Convert 100 dollars to swiss francs"
        );
        assert_eq!(whole("Open interest of BTC", "what about SOL?"), "Open interest of SOL");
        assert_eq!(whole("Odds of the Super Bowl", "and of the World Cup?"), "Odds of the World Cup");
    }

    #[test]
    fn what_has_no_like_is_added_after_a_lead() {
        assert_eq!(read("Weather in Paris?", "and tomorrow?").unwrap(), "Weather in Paris tomorrow?");
        assert_eq!(read("Largest transfers", "what about BTC?").unwrap(), "Largest transfers for BTC");
        assert_eq!(read("Compare BTC and ETH", "and SOL?").unwrap(), "Compare BTC and ETH and SOL");
        assert_eq!(read("What time is it?", "Bitcoin"), None);
    }

    #[test]
    fn sums_pairs_and_words_in_lower_case_are_named_too() {
        let whole = |earlier, text| read(earlier, text).unwrap();
        assert_eq!(whole("Convert 100 dollars to yen", "what about 200?"), "Convert 200 dollars to yen");
        assert_eq!(whole("Convert $100 to yen", "and 20 euros?"), "Convert 20 euros to yen");
        assert_eq!(whole("EUR/USD rate", "and GBP/USD?"), "GBP/USD rate");
        assert_eq!(whole("btc open interest", "sol?"), "sol open interest");
        assert_eq!(
            whole("Largest BTC inflows today?", "what about over the last week?"),
            "Largest BTC inflows last week?"
        );
        let given = ["BTC", "kraken"].map(str::to_owned);
        let read =
            |text| completed("btc flow at kraken", &given, text, "2026-03-18T14:30:00Z".parse().unwrap());
        assert_eq!(read("and at okx?").unwrap(), "btc flow at okx");
        assert_eq!(read("and eth?").unwrap(), "eth flow at kraken");
        assert_eq!(read("and outflows?"), None);
    }

    #[test]
    fn a_question_of_its_own_stays_as_it_is() {
        assert_eq!(read("Weather in Paris?", "Who is the mayor of Paris?"), None);
        assert_eq!(read("Weather in Paris?", "and how many people live there?"), None);
        assert_eq!(read("Weather in Paris?", "thanks!"), None);
        assert_eq!(read("Weather in Paris?", ""), None);
        assert_eq!(read("Weather in Paris?", "and"), None);
    }

    #[test]
    fn what_a_question_tells_can_be_said_again() {
        let told = |text| told_by(text, None, "2026-03-18T14:30:00Z".parse().unwrap());
        assert_eq!(told("BTC flow at Kraken over the last 7 days"), ["BTC", "at Kraken", "last 7 days"]);
        assert_eq!(told("What is the weather in Paris?"), ["in Paris"]);
        assert!(told("What is the weather?").is_empty());
        assert!(points_back("and the forecast?") && points_back("What time is it there?"));
        assert!(!points_back("What time is it?") && !points_back(""));
    }

    proptest! {
        #[test]
        fn whatever_is_said_is_read(earlier in "\\PC*", text in "\\PC*") {
            let _ = read(&earlier, &text);
        }
    }
}
