//! Questions that only say what is different from the one before: "and in Tokyo?", "what about ETH?".

use std::ops::Range;

use jiff::Timestamp;

use crate::Question;
use crate::bind::{Parameters, bind, only_requests};
use crate::form::{self, FormKind};
use crate::spans::overlaps;
use crate::words::{self, Terms, Word};

mod beside;
mod compared;
mod contrast;
mod counted;
mod gone;
mod instead;
mod lead;
mod more;
mod named;
mod paired;
mod pointer;
mod ranked;
mod searched;
mod shifted;
mod stand_in;
mod turned;

pub use compared::compared;
pub use counted::{counted, counted_next, counts_off};
pub use gone::asks_if_much;
pub use more::asks_for_more;
pub use named::is_led;
pub use pointer::points_back;

use contrast::{are_contrary, has_contrast};
use lead::{Lead, after_lead, leads_to_count, leads_to_time};
use named::{
    Like, Named, figures, follows_article, is_preposition, named, noun_phrase, preposition, with_lead,
    with_tail,
};

/// What the calls of an earlier answer were given, in words of any kind.
#[derive(Clone, Copy, Debug, Default)]
pub struct Given<'a> {
    /// The values.
    pub values: &'a [String],
    /// For each argument of their methods that lists its values those values.
    pub listed: &'a [Vec<String>],
    /// The words that each method beside them is named by.
    pub methods: &'a [Terms],
    /// The words that each method of other listings is named by.
    pub elsewhere: &'a [Terms],
    /// Whether the answer is what a search by words found.
    pub is_found: bool,
    /// How many rows it listed.
    pub rows: usize,
}

impl Given<'_> {
    /// The place of the list that has a value, which may be said of several: "inflows".
    fn list_of(&self, value: &str) -> Option<usize> {
        let singular = value.strip_suffix('s').unwrap_or(value);
        let is_it =
            |listed: &String| listed.eq_ignore_ascii_case(value) || listed.eq_ignore_ascii_case(singular);
        self.listed.iter().position(|values| values.iter().any(is_it))
    }

    /// Whether a method beside those that gave the answer is named by a word.
    fn names_method(&self, word: &Word) -> bool {
        self.methods.iter().any(|method| method.has(&word.stem))
    }

    /// Whether all of some words name a method of another listing.
    fn name_elsewhere(&self, words: &[&Word]) -> bool {
        let is_named_by = |method: &Terms| words.iter().all(|word| method.has(&word.stem));
        !words.is_empty() && self.elsewhere.iter().any(is_named_by)
    }
}

/// The whole question that a follow-up stands for: the earlier one with each thing that the follow-up names in the place of its
/// like. None where the text is a question of its own, or counts off what was listed.
///
/// A time that the earlier question has none of is added to it. So is a name with a lead: "only Acme", or "and Acme" where the
/// earlier question names nothing else that it could be meant in the place of.
#[must_use]
pub fn completed(earlier: &str, given: Given<'_>, text: &str, now: Timestamp) -> Option<String> {
    if counts_off(&Question::read(text, now)) {
        return None;
    }
    let (said, lead) = after_lead(text);
    let before = Question::read(earlier, now);
    if turned::turns(said) {
        return turned::turned(&before, given);
    }
    let shifted = shifted::shifted(&before, said);
    let own = Question::read(shifted.as_deref().unwrap_or(said), now);
    // "What time is it there" asks for no more of what was asked.
    if matches!(own.words.as_slice(), [what, time, ..] if what.lower == "what" && time.lower == "time") {
        return None;
    }
    let whole = instead::of_another(&before, &own)
        .or_else(|| gone::of_it(&before, &own))
        .or_else(|| gone::its_course(&before, &own))
        .or_else(|| gone::beside_its_course(&before, given, &own))
        .or_else(|| more::of_the_list(&before, given, &own));
    if whole.is_some() {
        return whole;
    }
    let next = || (lead == Some(Lead::GoesOn)).then(|| searched::next(earlier, given, &own)).flatten();
    let Some(told) = told_apart(&own, given).filter(|_| !searched::asks_elsewhere(given, &own)) else {
        return next()
            .or_else(|| searched::beside(earlier, given, &own))
            .or_else(|| beside::of_the_same(&before, given, &own))
            .or_else(|| ranked::by_the_same(&before, given, &own))
            .or_else(|| ranked::among_them(&before, &own));
    };
    if let Some(whole) = paired::in_order(&before, given, (&own, &told)) {
        return Some(whole);
    }
    // "USD to EUR" is a question of its own, and so is "5 dollars in euros".
    if told.iter().filter(|it| matches!(it.like, Like::Currency | Like::Sum)).count() > 1 {
        return None;
    }
    with_told(earlier, given, (&own, &told, lead)).or_else(next).or_else(|| ranked::among_them(&before, &own))
}

/// The earlier question with each thing that is told in the place of its like, or behind it.
fn with_told(
    earlier: &str,
    given: Given<'_>,
    (own, told, lead): (&Question, &[Named], Option<Lead>),
) -> Option<String> {
    let mut whole = earlier.trim_end().to_owned();
    for named in told {
        let before = Question::read(&whole, own.now);
        let phrase = &own.text[with_lead(own, named)];
        if let Some(range) = like(&before, given, (own, named, lead)) {
            match lead {
                Some(Lead::Compares) => whole.insert_str(range.end, &format!(" and {phrase}")),
                Some(Lead::GoesOn | Lead::Corrects) | None => whole.replace_range(range, phrase),
            }
            continue;
        }
        if let Some((range, phrase)) = stand_in::of(&before, (own, named, lead)) {
            whole.replace_range(range, &phrase);
            continue;
        }
        let added = added(&before, given, (own, named, lead))?;
        let end = words::unended(&whole).len();
        whole.insert_str(end, &format!(" {added}{phrase}"));
    }
    Some(whole)
}

/// What joins a thing to a question that names none of its like; none where it has no place in it.
fn added(
    earlier: &Question,
    given: Given<'_>,
    (own, named, lead): (&Question, &Named, Option<Lead>),
) -> Option<String> {
    let is_count = own.words_before(&named.range).last().is_some_and(|word| leads_to_count(own, word));
    let compares = earlier.form.kind == FormKind::Comparison;
    let has_place = match (named.like, lead) {
        // "Compared to last week" is said of the same question.
        (Like::Time, Some(Lead::Compares)) => return Some("compared to ".to_owned()),
        (_, Some(Lead::Compares)) => false,
        _ if named.bounding(own).is_some() => return Some(String::new()),
        // "Only longs" is a side of what is asked.
        (Like::Time, _) | (Like::Contrast, Some(Lead::Corrects)) => return Some(String::new()),
        (Like::Number, _) if is_count => return Some("top ".to_owned()),
        (Like::Listed(_), None | Some(Lead::GoesOn | Lead::Corrects)) => true,
        // So is "and for longs".
        (Like::Contrast, lead) => lead == Some(Lead::GoesOn) && named.preposition.is_some(),
        // "By exchange", "about Acme": nothing else is begun with.
        (_, None) => {
            named.preposition.is_some() && own.words.first().is_some_and(|word| is_preposition(&word.lower))
        }
        (Like::Name, _) if named.preposition.is_none() && follows_article(own, &named.range) => false,
        (like, Some(Lead::GoesOn)) if like.is_name() && named.preposition.is_none() => {
            compares || !names_any(earlier, given)
        }
        (_, Some(_)) => true,
    };
    has_place.then(|| match named.preposition.as_deref() {
        Some(preposition) => format!("{preposition} "),
        None if compares => "and ".to_owned(),
        None => "for ".to_owned(),
    })
}

/// Whether a question names somebody, something or some place.
fn names_any(question: &Question, given: Given<'_>) -> bool {
    // A capital letter at the beginning names nothing.
    let opens = |it: &Named| it.like == Like::Name && it.range.start == 0;
    named(question, given).iter().any(|it| it.like.is_name() && !opens(it))
}

/// What a follow-up names, where that is all that it says. One thing behind a preposition or an article may be named in any words:
/// "at acme", "a Moon landing".
fn told_apart(own: &Question, given: Given<'_>) -> Option<Vec<Named>> {
    let mut named = named(own, given);
    let contrasts = own.words.iter().filter(|word| has_contrast(&word.stem) && !own.leads_to_bound(word));
    named.extend(contrasts.map(|word| Named {
        range: word.range.clone(),
        like: Like::Contrast,
        preposition: preposition(own, &word.range),
    }));
    named.sort_by_key(|it| it.range.start);
    let mut named = joined(own, named);
    for word in own.words.iter().filter(|word| !word.is_stop) {
        let goes_on = |it: &&mut Named| {
            let is_led = it.preposition.is_some() || follows_article(own, &it.range);
            it.like == Like::Name && is_led && it.range.end + 1 == word.range.start
        };
        if !named.iter().any(|it| overlaps(&it.range, &word.range))
            && let Some(name) = named.iter_mut().find(goes_on)
        {
            name.range.end = word.range.end;
        }
    }
    let is_told = |range: &Range<usize>| named.iter().any(|it| overlaps(&it.range, range));
    let is_led = |word: &Word, it: &Named| overlaps(&with_lead(own, it), &word.range);
    let bounds = |word: &Word| named.iter().any(|it| it.bounding(own).is_some() && is_led(word, it));
    let untold: Vec<&Word> = own
        .words
        .iter()
        .filter(|word| !word.is_stop && !is_told(&word.range))
        .filter(|word| !only_requests(own, word) || is_of_texts(word))
        .filter(|word| !leads_to_time(own, word) && !leads_to_count(own, word) && !bounds(word))
        .collect();
    if let (Some(first), Some(last)) = (untold.first(), untold.last()) {
        let range = first.range.start..last.range.end;
        let preposition = preposition(own, &range);
        let is_led = preposition.is_some() || follows_article(own, &range);
        let mut name_method = untold.iter().map(|word| given.names_method(word));
        let is_method = if given.is_found { name_method.any(|it| it) } else { name_method.all(|it| it) };
        if !is_led || is_method || !named.is_empty() || untold.len() > NAME_WORDS_MAX {
            return None;
        }
        let is_unit = form::measured_in(&[own.text[range.clone()].to_lowercase()]).next().is_some();
        let like = if is_unit { Like::Unit } else { Like::Name };
        named.push(Named { range, like, preposition });
    }
    (!named.is_empty()).then_some(named)
}

/// Things of one kind that are told together as one: "the rupee and the real", "euros, pounds and francs".
fn joined(own: &Question, named: Vec<Named>) -> Vec<Named> {
    let are_joined = |one: &Range<usize>, other: &Range<usize>| {
        let between = one.end..other.start;
        let is_comma = own.text[between.clone()].trim_start().starts_with(',');
        let mut words = own.words_in(&between).map(|word| word.lower.as_str()).peekable();
        let is_joined = words.next_if(|word| matches!(*word, "and" | "or")).is_some();
        (is_comma || is_joined) && matches!((words.next(), words.next()), (None | Some("the"), None))
    };
    let mut joined: Vec<Named> = Vec::new();
    for it in named {
        match joined.last_mut() {
            Some(last) if last.like == it.like && are_joined(&last.range, &it.range) => {
                last.range.end = it.range.end;
            }
            _ => joined.push(it),
        }
    }
    joined
}

/// Whether a word asks for texts, whatever was asked before: "news on Rome".
fn is_of_texts(word: &Word) -> bool {
    word.lower == "news" || form::are_alike(&word.stem, "articl")
}

/// Words of a name in lower case.
const NAME_WORDS_MAX: usize = 2;

/// What a question names or gives to the arguments of a method, a phrase each and in order, with the word before it that tells
/// what it is to the rest: "in Tokyo", "last week".
#[must_use]
pub fn told_by(question: &str, parameters: Option<&Parameters>, now: Timestamp) -> Vec<String> {
    let question = Question::read(question, now);
    let says_limit = |it: &Named| {
        let count = question.form.limit.filter(|_| it.like == Like::Number);
        count.is_some() && form::count(&question.text[it.range.clone()]) == count
    };
    let named = named(&question, Given::default()).into_iter().filter(|it| !says_limit(it));
    let mut told: Vec<Range<usize>> = named.map(|it| noun_phrase(&question, it)).collect();
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

/// Where the earlier question names the like of it: what follows the same word first, of several the last. What is compared is
/// compared with one more, and else "Acme" takes the place of all that is told together.
fn like(
    earlier: &Question,
    given: Given<'_>,
    (own, named, lead): (&Question, &Named, Option<Lead>),
) -> Option<Range<usize>> {
    if named.like == Like::Contrast {
        let is_other =
            |word: &&Word| own.words_in(&named.range).any(|said| are_contrary(&said.stem, &word.stem));
        return earlier.words.iter().find(is_other).map(|word| word.range.clone());
    }
    // What is named in small letters behind an article is put in the place of such a thing alone.
    let is_thing = named.like == Like::Name
        && named.preposition.is_none()
        && follows_article(own, &named.range)
        && own.text[named.range.clone()].starts_with(char::is_lowercase);
    let is_bound = named.bounding(own).is_some();
    let rank = |other: &Named| {
        if is_thing && !follows_article(earlier, &other.range)
            || is_bound != other.bounding(earlier).is_some()
        {
            return 0;
        }
        let is_same =
            other.like == named.like || matches!((other.like, named.like), (Like::Sum, Like::Number));
        // Barcelona may be a club, and Arsenal is no place.
        let may_be_same = lead == Some(Lead::GoesOn) && (other.like, named.like) == (Like::Name, Like::Place);
        // "And pounds?" is another currency to convert to.
        let is_target = named.like == Like::Currency && named.preposition.is_none();
        let follows_same = other.preposition == named.preposition || is_target || named.tells_of_as(other);
        let is_led = is_thing || named.preposition.is_some();
        // "To doubloons" is what to convert to, whatever that is.
        let is_meant = other.like.is_name() || other.like == Like::Currency && is_led;
        let may_stand_for = is_meant && named.like.is_name() && is_led;
        match (is_same, follows_same) {
            (true, true) => 3,
            (true, false) => 2,
            (false, true) if may_stand_for => 1,
            (false, _) if may_be_same => 1,
            (false, _) => 0,
        }
    };
    let each = self::named(earlier, given);
    let likes: Vec<Like> = each.iter().map(|other| other.like).collect();
    let of_earlier = joined(earlier, each);
    let best = of_earlier.iter().filter(|other| rank(other) > 0).max_by_key(|other| rank(other));
    let Some(best) = best else {
        return is_thing.then(|| tail(earlier, &of_earlier)).flatten();
    };
    let are_several = || likes.iter().filter(|like| **like == best.like).count() > 1;
    let is_beside = named.preposition.is_none() && lead != Some(Lead::Corrects);
    let is_added = is_beside && earlier.form.kind == FormKind::Comparison && are_several();
    let is_small = |last: &Word| own.text[last.range.clone()].starts_with(char::is_lowercase);
    let is_phrase = || own.words_in(&named.range).skip(1).last().is_some_and(is_small);
    (!is_added).then(|| {
        if best.like == Like::Sum && named.like == Like::Number && !is_bound {
            figures(&earlier.text, &best.range)
        } else if best.like.is_name() && is_phrase() {
            with_tail(earlier, best.range.clone())
        } else {
            // What a bound counts stays where the next one does not say it: "above 25" behind "above 20 degrees".
            let bare = best.bounding(earlier).filter(|_| named.counting(own).is_none());
            bare.unwrap_or_else(|| with_lead(earlier, best))
        }
    })
}

/// What a question speaks of last, in small letters and behind an article or a preposition: "who wins the league".
fn tail(question: &Question, named: &[Named]) -> Option<Range<usize>> {
    let is_of_it = |word: &&Word| {
        !word.is_stop && !question.is_when(word) && !named.iter().any(|it| overlaps(&it.range, &word.range))
    };
    let words: Vec<&Word> = question.words.iter().rev().take_while(is_of_it).collect();
    let range = words.last()?.range.start..words.first()?.range.end;
    let is_led = follows_article(question, &range) || preposition(question, &range).is_some();
    (is_led && words.len() <= NAME_WORDS_MAX).then_some(range)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(earlier: &str, text: &str) -> Option<String> {
        completed(earlier, Given::default(), text, "2026-03-18T14:30:00Z".parse().unwrap())
    }

    #[test]
    fn what_is_named_takes_the_place_of_its_like() {
        let whole = |earlier, text| read(earlier, text).unwrap();
        assert_eq!(whole("What is the weather in Paris?", "And in Tokyo?"), "What is the weather in Tokyo?");
        assert_eq!(whole("what are the chances of Acme", "and Paris?"), "what are the chances of Paris");
        assert_eq!(whole("gold held at Acme", "how does Zenith compare?"), "gold held at Zenith");
        assert_eq!(whole("eur usd", "gbp jpy"), "gbp jpy");
        assert_eq!(whole("usd to eur", "how much is 500"), "500 usd to eur");
        assert_eq!(whole("500 usd to eur", "and 1000 to yen"), "1000 usd to yen");
        assert_eq!(whole("20 EUR to USD", "and gbp/usd?"), "20 gbp to usd");
        assert_eq!(whole("how much is $20 in euros", "and gbp/jpy"), "how much is 20 gbp in jpy");
        assert_eq!(whole("1000 usd to yen", "and 200 pounds"), "200 pounds to yen");
        assert_eq!(whole("EUR/USD", "20?"), "20 EUR to USD");
        assert_eq!(read("convert 100 EUR to USD", "usd to eur"), None);
        assert_eq!(whole("funding of BTC", "for 30 days"), "funding of BTC for 30 days");
        assert_eq!(whole("headlines", "about bitcoin"), "headlines about bitcoin");
        assert_eq!(whole("weather in Rome", "in fahrenheit"), "weather in Rome in fahrenheit");
        assert_eq!(whole("btc funding", "compared to last week?"), "btc funding compared to last week");
        assert_eq!(whole("rain in Rome", "by city"), "rain in Rome by city");
        assert_eq!(whole("Weather in Paris tomorrow", "new york"), "Weather in new york tomorrow");
        assert_eq!(whole("Open interest of BTC", "What about ETH?"), "Open interest of ETH");
        assert_eq!(whole("compare BTC and ETH funding", "only eth"), "compare eth funding");
        assert_eq!(
            whole("What's the BTC funding rate on Binance?", "and on OKX?"),
            "What's the BTC funding rate on OKX?"
        );
        assert_eq!(whole("BTC funding rate on OKX", "what about ETH?"), "ETH funding rate on OKX");
        assert_eq!(whole("Convert 100 dollars to euros", "and to yen?"), "Convert 100 dollars to yen");
        assert_eq!(whole("Weather in Paris tomorrow?", "and on Friday?"), "Weather in Paris on Friday?");
        assert_eq!(whole("convert 100 usd to eur", "and to doubloons"), "convert 100 usd to doubloons");
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
        assert_eq!(read("liquidations of btc", "and for longs").unwrap(), "liquidations of btc for longs");
        assert_eq!(read("Weather in Paris?", "and tomorrow?").unwrap(), "Weather in Paris tomorrow?");
        assert_eq!(read("Largest transfers", "what about BTC?").unwrap(), "Largest transfers for BTC");
        assert_eq!(read("Compare BTC and ETH", "and SOL?").unwrap(), "Compare BTC and ETH and SOL");
        assert_eq!(
            read("Compare BTC flows at Binance and Coinbase", "now ETH").unwrap(),
            "Compare ETH flows at Binance and Coinbase"
        );
        assert_eq!(
            read("Largest BTC transfers", "only Binance").unwrap(),
            "Largest BTC transfers for Binance"
        );
        assert_eq!(read("What time is it?", "Bitcoin"), None);
    }

    #[test]
    fn sums_pairs_and_words_in_lower_case_are_named_too() {
        let whole = |earlier, text| read(earlier, text).unwrap();
        assert_eq!(whole("Convert 100 dollars to yen", "what about 200?"), "Convert 200 dollars to yen");
        assert_eq!(whole("convert 250 usd to euro", "and pounds?"), "convert 250 usd to pounds");
        assert_eq!(whole("who will win the league", "and the world cup?"), "who will win the world cup");
        assert_eq!(whole("Convert $100 to yen", "and 20 euros?"), "Convert 20 euros to yen");
        assert_eq!(whole("top 5 transfers", "only over 10 million"), "top 5 transfers over 10 million");
        assert_eq!(whole("transfers over $5 million", "above $7 million"), "transfers above $7 million");
        assert_eq!(whole("transfers over 5 million", "at least 7 million"), "transfers at least 7 million");
        assert_eq!(whole("recent trades", "only more than 2000"), "recent trades more than 2000");
        assert_eq!(whole("recent trades", "over 2000 shares"), "recent trades over 2000 shares");
        assert_eq!(whole("cities above 20 degrees now", "under 5?"), "cities under 5 degrees now");
        assert_eq!(whole("cities above 20 degrees", "over 9 degrees"), "cities over 9 degrees");
        assert_eq!(whole("EUR/USD rate", "and GBP/USD?"), "GBP/USD rate");
        assert_eq!(whole("btc open interest", "sol?"), "sol open interest");
        assert_eq!(
            whole("Largest BTC inflows today?", "what about over the last week?"),
            "Largest BTC inflows over the last week?"
        );
        let values = ["BTC", "kraken"].map(str::to_owned);
        let listed = [["kraken", "okx", "gemini"].map(str::to_owned).to_vec()];
        let given = Given { values: &values, listed: &listed, ..Given::default() };
        let read =
            |text| completed("btc flow at kraken", given, text, "2026-03-18T14:30:00Z".parse().unwrap());
        assert_eq!(read("and at okx?").unwrap(), "btc flow at okx");
        assert_eq!(read("and eth?").unwrap(), "eth flow at kraken");
        assert_eq!(read("what about gemini").unwrap(), "btc flow at gemini");
        assert_eq!(read("compare with gemini").unwrap(), "btc flow at kraken and gemini");
        assert_eq!(read("and transfers?"), None);
        assert_eq!(read("and the second one?"), None);
    }

    #[test]
    fn corrections_and_narrower_questions_are_follow_ups() {
        let whole = |earlier, text| read(earlier, text).unwrap();
        assert_eq!(whole("BTC flow at Kraken", "no wait, Gemini"), "BTC flow at Gemini");
        assert_eq!(whole("Weather in Paris", "ok, Berlin then"), "Weather in Berlin");
        assert_eq!(whole("BTC flow at Kraken", "only the last 7 days"), "BTC flow at Kraken the last 7 days");
        assert_eq!(whole("BTC flow at Kraken", "make that ETH"), "ETH flow at Kraken");
        assert_eq!(whole("BTC flow at Kraken", "Great. Back to Gemini, same week"), "BTC flow at Gemini");
        assert_eq!(whole("BTC flow at Kraken", "at Gemini I mean"), "BTC flow at Gemini");
        assert_eq!(whole("big btc transfers", "over 10m"), "big btc transfers over 10m");
        assert_eq!(
            whole("BTC price for 7 days", "zoom in to the last 4 hours"),
            "BTC price the last 4 hours"
        );
        assert_eq!(
            whole("Weather in Rome on 2 May 2025", "Oslo on the same day?"),
            "Weather in Oslo on 2 May 2025"
        );
        assert_eq!(whole("Convert 250 US dollars to euros", "same in yen"), "Convert 250 US dollars to yen");
        assert_eq!(whole("Odds of a US recession?", "and of a Moon landing?"), "Odds of a Moon landing?");
        assert_eq!(
            whole("How likely is a US recession?", "and a moon landing?"),
            "How likely is a moon landing?"
        );
        assert_eq!(whole("BTC flow on Acme", "on Other, not Acme"), "BTC flow on Other");
        assert_eq!(read("Weather?", "and the forecast?"), None);
        assert_eq!(read("Weather in Paris?", "no"), None);
    }

    #[test]
    fn a_time_takes_the_place_of_another_with_what_leads_to_it() {
        let whole = |earlier, text| read(earlier, text).unwrap();
        assert_eq!(whole("Weather in Paris", "tomorrow"), "Weather in Paris tomorrow");
        assert_eq!(whole("EUR/JPY rate on 2 November", "what was it in 2023?"), "EUR/JPY rate in 2023");
        assert_eq!(whole("BTC flow last week", "over the last 30 days"), "BTC flow over the last 30 days");
    }

    #[test]
    fn what_contrasts_takes_the_place_of_its_contrary() {
        let whole = |earlier, text| read(earlier, text).unwrap();
        assert_eq!(
            whole("Largest ETH inflows by exchange", "and outflows?"),
            "Largest ETH outflows by exchange"
        );
        assert_eq!(whole("When is sunrise in Oslo?", "and sunset?"), "When is sunset in Oslo?");
        assert_eq!(
            whole("Which coin has the most liquidations?", "and the least?"),
            "Which coin has the least liquidations?"
        );
        assert_eq!(read("Weather in Paris?", "and outflows?"), None);
    }

    #[test]
    fn a_time_may_be_told_from_the_one_before() {
        let whole = |earlier, text| read(earlier, text).unwrap();
        assert_eq!(
            whole("Weather in Paris tomorrow?", "and the day after?"),
            "Weather in Paris on 2026-03-20?"
        );
        assert_eq!(whole("Weather in Paris", "and the next day?"), "Weather in Paris on 2026-03-19");
        assert_eq!(
            whole("BTC flow last month", "and the month before that?"),
            "BTC flow from 2026-01-16 to 2026-02-18"
        );
        assert_eq!(whole("BTC flow", "and the week before?"), "BTC flow last week");
        assert_eq!(read("Weather in Paris?", "and the time after?"), None);
    }

    #[test]
    fn what_is_told_together_takes_one_place() {
        let whole = |earlier, text| read(earlier, text).unwrap();
        assert_eq!(
            whole("Convert 100 USD to EUR", "to the rupee and the yen"),
            "Convert 100 USD to rupee and the yen"
        );
        assert_eq!(
            whole("one dollar in euros, pounds and francs", "and in yuan and rupees?"),
            "one dollar in yuan and rupees"
        );
        assert_eq!(whole("EUR/USD rate", "against the yen"), "EUR to yen rate");
        assert_eq!(whole("EUR/USD rate", "and from pounds?"), "pounds to USD rate");
    }

    #[test]
    fn it_stands_for_what_is_named_next() {
        let whole = |earlier, text| read(earlier, text).unwrap();
        assert_eq!(
            whole("How much volume does it have?", "and a Moon landing?"),
            "How much volume does a Moon landing have?"
        );
        assert_eq!(read("What time is it?", "and Moon landings?"), None);
    }

    #[test]
    fn what_was_searched_for_gives_way_to_what_is_searched_for_next() {
        let of = |name| [Terms::of(words::identifier_terms(name))];
        let (methods, elsewhere) = (&of("get_sentiment"), &of("get_event_odds"));
        let values = ["Fed".to_owned()];
        let given = Given { values: &values, methods, elsewhere, is_found: true, ..Given::default() };
        let read =
            |text| completed("News about the Fed", given, text, "2026-03-18T14:30:00Z".parse().unwrap());
        assert_eq!(read("and inflation?").unwrap(), "News about inflation");
        assert_eq!(read("what about housing prices").unwrap(), "News about housing prices");
        let now = "2026-03-18T14:30:00Z".parse().unwrap();
        let whole = completed("Federal news about the Fed", given, "and inflation?", now).unwrap();
        assert_eq!(whole, "Federal news about inflation");
        let rain = ["rain".to_owned()];
        let on_rain = Given { values: &rain, ..given };
        assert_eq!(completed("news on rain", on_rain, "and the fed?", now).unwrap(), "news on fed");
        assert_eq!(read("and the sentiment?").unwrap(), "the sentiment about Fed");
        assert_eq!(read("what is the sentiment").unwrap(), "what is the sentiment about Fed");
        assert_eq!(read("and the odds?").unwrap(), "the odds for Fed");
        assert_eq!(read("who is the favourite?").unwrap(), "who is the favourite for Fed");
        assert_eq!(read("and the housing market?").unwrap(), "News about the housing market");
        assert_eq!(
            (read("inflation"), read("the sentiment on rain"), read("and is it raining")),
            (None, None, None)
        );
    }

    #[test]
    fn what_ranks_and_does_not_say_by_what_ranks_by_what_was_asked() {
        assert_eq!(
            read("btc funding rate on OKX", "which exchange has the highest?").unwrap(),
            "which exchange has the highest btc funding rate"
        );
        assert_eq!(
            read("What is the funding rate of BTC on OKX this week?", "which coin has the lowest?").unwrap(),
            "which coin has the lowest funding rate on OKX this week"
        );
        assert_eq!(read("largest BTC flows", "which exchange has the most?"), None);
        assert_eq!(read("btc funding rate", "which exchange has the most ETH?"), None);
    }

    #[test]
    fn what_was_told_is_ranked_by_what_is_asked_next() {
        let whole = |earlier, text| read(earlier, text).unwrap();
        let which = whole("Show me the weather in Rome and Paris", "which is warmer?");
        assert_eq!(which, "which is warmer, weather in Rome or Paris");
        assert_eq!(whole(&which, "where is it windier?"), "where is it windier, weather in Rome or Paris");
        assert_eq!(
            whole("odds of the final", "and the least likely?"),
            "the least likely, odds of the final"
        );
        assert_eq!(whole("top 5 events", "which closes first?"), "which events closes first");
        assert_eq!(whole("top 5 events", "which has the most volume?"), "which events has the most volume");
        assert_eq!(read("top 5 events", "which harbour has the most volume?"), None);
        assert_eq!(read("top 5 events", "the first one"), None);
    }

    #[test]
    fn the_last_two_are_set_side_by_side() {
        let both = |before, last, text| {
            compared(Some(before), last, Given::default(), text, "2026-03-18T14:30:00Z".parse().unwrap())
        };
        let whole = both("BTC open interest", "ETH open interest", "compare them");
        assert_eq!(whole.unwrap(), "compare BTC and ETH open interest");
        let whole = both("Weather in Paris", "Weather in Tokyo", "which of them is warmer?");
        assert_eq!(whole.unwrap(), "which of them is warmer, Weather in Paris or Tokyo");
        assert_eq!(both("Paris", "compare the weather in Paris and Tokyo", "which is warmer"), None);
        let whole = both("Paris", "compare the weather in Paris and Tokyo", "compare them");
        assert_eq!(whole.unwrap(), "compare the weather in Paris and Tokyo");
        assert_eq!(both("BTC open interest", "ETH funding", "compare them"), None);
        assert_eq!(both("BTC open interest", "ETH open interest", "the last week"), None);
        assert_eq!(both("BTC open interest", "ETH open interest", "the first one"), None);
        assert_eq!(both("BTC open interest", "ETH open interest", "which exchange is larger?"), None);
    }

    #[test]
    fn the_next_one_that_is_counted_off_is_asked_the_same() {
        let next = |earlier, text| counted_next(earlier, text, "2026-03-18T14:30:00Z".parse().unwrap());
        assert_eq!(next("odds of the first one", "and the second?").unwrap(), "odds of the second one");
        assert_eq!(next("open the first article", "the third one").unwrap(), "open the third article");
        assert_eq!(next("odds of the first one", "who holds the second?"), None);
        assert_eq!(next("odds of Acme", "and the second?"), None);
    }

    #[test]
    fn what_is_compared_with_is_added_to_its_like() {
        let whole = |earlier, text| read(earlier, text).unwrap();
        assert_eq!(
            whole("How much ETH flowed into Acme today?", "compare it with Other"),
            "How much ETH flowed into Acme and Other today?"
        );
        assert_eq!(read("What time is it?", "compare it with Acme"), None);
        assert_eq!(
            whole("How much ETH flowed into Acme today?", "is that a lot more than Other?"),
            whole("How much ETH flowed into Acme today?", "compare it with Other"),
        );
        assert_eq!(whole("Rain in Rome", "wetter than Paris?"), "Rain in Rome and Paris");
        assert_eq!(whole("Rain in Rome", "how does it compare to Paris?"), "Rain in Rome and Paris");
        assert_eq!(whole("Rain in Rome", "is it more than last week?"), "Rain in Rome compared to last week");
        assert_eq!(whole("Liquidations of BTC", "longs only"), "Liquidations of BTC longs");
    }

    #[test]
    fn it_has_gone_as_what_was_asked_about_has() {
        let whole = |earlier, text| read(earlier, text).unwrap();
        assert_eq!(
            whole("show me BTC open interest today", "did it rise since yesterday?"),
            "did BTC open interest rise since yesterday"
        );
        assert_eq!(
            whole("show me BTC open interest today", "is that unusually high?"),
            "BTC open interest over the last week"
        );
        assert_eq!(whole("what is the ratio of gold", "is it a lot?"), "ratio of gold over the last week");
        assert_eq!(whole("ratio of gold today", "how has it changed?"), "ratio of gold over the last week");
        assert_eq!(
            whole("ratio of gold today", "how did that move in the last 30 days"),
            "ratio of gold over last 30 days"
        );
        assert_eq!(whole("ratio of gold today", "hour by hour?"), "ratio of gold today hour by hour");
        assert_eq!(read("top 5 events", "is that much?"), None);
        assert_eq!(read("BTC open interest", "is that high for a coin?"), None);
        assert_eq!(
            whole("What is the EUR/USD rate?", "has it gone up this week?"),
            "has EUR/USD rate gone up this week"
        );
        assert_eq!(whole("odds of Acme", "are they down?"), "are odds of Acme down");
        assert_eq!(whole("BTC open interest since May 5.", "did it rise?"), "did BTC open interest rise");
        let gone = |earlier, text| {
            let read = |text| Question::read(text, Timestamp::UNIX_EPOCH);
            gone::of_it(&read(earlier), &read(text))
        };
        for text in ["did it rain since yesterday?", "did it rise in Rome?", "did BTC rise?", "is it?"] {
            assert_eq!(gone("BTC flows", text), None, "{text}");
        }
        assert_eq!(gone("top 5 events", "did it rise?"), None);
    }

    #[test]
    fn what_has_no_place_in_the_earlier_question_is_not_forced_into_it() {
        assert_eq!(read("Weather in Paris?", "and solana?"), None);
        assert_eq!(read("Weather in Paris?", "what about BTC?"), None);
    }

    #[test]
    fn a_question_of_its_own_stays_as_it_is() {
        assert_eq!(read("Weather in Paris?", "Who is the mayor of Paris?"), None);
        assert_eq!(read("Weather in Paris?", "and how many people live there?"), None);
        assert_eq!(read("Weather in Paris?", "thanks!"), None);
        assert_eq!(read("Convert 9am in Paris to Oslo time", "what time is it there now?"), None);
        assert_eq!(read("Backtest it for 30 days", "now 1 dollar in euros"), None);
        assert_eq!(read("Weather in Paris?", ""), None);
        assert_eq!(read("Weather in Paris?", "and"), None);
    }

    #[test]
    fn what_a_question_tells_can_be_said_again() {
        let told = |text| told_by(text, None, "2026-03-18T14:30:00Z".parse().unwrap());
        assert_eq!(told("BTC flow at Kraken over the last 7 days"), ["BTC", "at Kraken", "last 7 days"]);
        assert_eq!(told("What is the weather in Paris?"), ["in Paris"]);
        assert_eq!(told("What are the odds of a US recession?"), ["of US recession"]);
        assert!(told("What is the weather?").is_empty());
        let counts = |text| counts_off(&Question::read(text, "2026-03-18T14:30:00Z".parse().unwrap()));
        assert!(counts("the second one") && counts("open the first article") && counts("the last?"));
        assert!(!counts("the last trades") && !counts("the last 7 days") && !counts("the first 10"));
    }

    proptest! {
        #[test]
        fn whatever_is_said_is_read(earlier in "\\PC*", text in "\\PC*") {
            let _ = read(&earlier, &text);
        }
    }
}
