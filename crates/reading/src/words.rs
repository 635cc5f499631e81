//! Words: how text and identifiers become terms that can be compared.

use std::borrow::Cow;
use std::ops::Range;

use rust_stemmers::{Algorithm, Stemmer};

mod called;
mod groups;
mod hangul;
pub mod idiom;
pub(crate) mod misspelt;
mod opener;
mod parted;
mod terms;

pub use called::{name_terms, short_names};
pub use groups::Groups;
pub(crate) use hangul::is_syllable;
pub(crate) use opener::{behind_greeting, is_noted, opener};
pub(crate) use parted::between_currencies;
use parted::parts;
pub use terms::{Terms, is_family};

/// One word of a text: a run of letters and digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// Where it stands, in bytes.
    pub range: Range<usize>,
    /// It, in lower case.
    pub lower: String,
    /// Its stem.
    pub stem: String,
    /// Whether it says how the text is built rather than what it is about.
    pub is_stop: bool,
}

impl Word {
    /// Whether it is "the", "a" or "an".
    #[must_use]
    pub fn is_article(&self) -> bool {
        matches!(self.lower.as_str(), "the" | "a" | "an")
    }

    /// Whether it has the ending of a plural, which what is to be done has not.
    #[must_use]
    pub fn has_plural_ending(&self) -> bool {
        self.lower.ends_with('s') && !self.lower.ends_with("ss") && self.stem != self.lower
    }
}

/// The words of a text, in order, none left out.
#[must_use]
pub fn words(text: &str) -> Vec<Word> {
    let mut words = Vec::with_capacity(text.len() / 5 + 1);
    for range in runs(text).flat_map(|run| spoken(text, run)) {
        let lower = text[range.clone()].to_lowercase();
        let stem = stem(&lower).into_owned();
        let is_stop = is_stop(&lower);
        words.push(Word { range, lower, stem, is_stop });
    }
    words
}

/// A text without the words that it opens with, in letters of any case.
#[must_use]
pub fn behind_opening<'t>(text: &'t str, opening: &str) -> Option<&'t str> {
    let opens = text.get(..opening.len())?.eq_ignore_ascii_case(opening);
    opens.then(|| &text[opening.len()..])
}

/// A text without what ends a sentence.
#[must_use]
pub fn unended(text: &str) -> &str {
    text.trim_end_matches(['?', '.', '!', ' '])
}

/// The words of a text in lower case, where they stand, none left out.
#[must_use]
pub fn spelled(text: &str) -> Vec<(Range<usize>, String)> {
    runs(text).map(|range| (range.clone(), text[range].to_lowercase())).collect()
}

/// Whether a text has letters and digits, as an identifier has: "evt-1001".
#[must_use]
pub fn is_numbered(text: &str) -> bool {
    text.contains(|sign: char| sign.is_ascii_digit())
        && text.contains(|sign: char| sign.is_ascii_alphabetic())
}

/// Whether every word of a text is among the words of another, whatever their case.
pub(crate) fn are_among(text: &str, other: &str) -> bool {
    let is_same = |one: &str, other: &str| {
        if one.is_ascii() && other.is_ascii() {
            one.eq_ignore_ascii_case(other)
        } else {
            one.to_lowercase() == other.to_lowercase()
        }
    };
    runs(text).all(|word| runs(other).any(|known| is_same(&text[word.clone()], &other[known])))
}

/// The terms of a text, for ranking: identifiers split into their words, lower case, stemmed, without stop words.
/// Scripts that do not space their words give overlapping pairs of characters.
#[must_use]
pub fn terms(text: &str) -> Vec<String> {
    let mut terms = Vec::with_capacity(text.len() / 7 + 1);
    each_term(text, |term| terms.push(term.to_owned()));
    terms
}

/// The one term of a word: its stem, or its pair of characters. A longer word of an unspaced script stays as it is.
#[must_use]
pub fn term(word: &str) -> String {
    match terms(word).as_slice() {
        [only] if !word.is_ascii() => only.clone(),
        _ => stem(word).into_owned(),
    }
}

/// Whether two words, in lower case, are one but for a slip of one letter. Short words are too like others for that.
#[must_use]
pub fn is_slip(one: &str, other: &str) -> bool {
    // The distance is costly; most pairs are too unlike to be worth it.
    let may_be = one.len() > SLIP_BYTES_MIN
        && other.len() > SLIP_BYTES_MIN
        && one.as_bytes()[0] == other.as_bytes()[0]
        && one.len().abs_diff(other.len()) <= CHARACTER_BYTES_MAX;
    may_be && strsim::damerau_levenshtein(one, other) == 1
}

/// Bytes that a word must be longer than to be read in spite of a slip.
const SLIP_BYTES_MIN: usize = 4;
/// What one character more or less comes to.
const CHARACTER_BYTES_MAX: usize = 4;

/// A description without those of its later sentences that open with what it is not, "Returns no odds.", and without the names
/// of other methods in it: "takes the `event_id` that `list_events` returns".
#[must_use]
pub fn affirmed(description: &str) -> String {
    const VERBS: [&str; 8] = ["create_", "delete_", "find_", "get_", "list_", "search_", "set_", "update_"];
    let is_method = |word: &&str| {
        let name = word.trim_start_matches(|sign: char| !sign.is_alphanumeric());
        VERBS.iter().any(|verb| name.starts_with(verb))
    };
    let is_denial = |sentence: &&str| {
        let mut opening = sentence.split_whitespace().take(DENIAL_WORDS);
        opening.any(|word| {
            matches!(
                word.to_lowercase().as_str(),
                "no" | "not" | "never" | "without" | "cannot" | "doesn't" | "don't"
            )
        })
    };
    let sentences = description.split_inclusive(['.', ';', '\n']).enumerate();
    sentences
        .filter(|(at, sentence)| *at == 0 || !is_denial(sentence))
        .flat_map(|(_, sentence)| sentence.split_inclusive(char::is_whitespace))
        .filter(|word| !is_method(word))
        .collect()
}

/// Words of a sentence within which a denial is of all of it.
const DENIAL_WORDS: usize = 3;

/// The terms of an identifier such as `getUserId`, `read_file` or `math.hcf`: like [`terms`], but stop words stay,
/// because a short name means each of its words.
#[must_use]
pub fn identifier_terms(name: &str) -> Vec<String> {
    identifier_words(name).into_iter().map(|word| stem(&word).into_owned()).collect()
}

/// The words of an identifier in lower case, not stemmed: `getUserId` is `get user id`.
#[must_use]
pub fn identifier_words(name: &str) -> Vec<String> {
    runs(name).flat_map(|run| parts(&name[run]).map(str::to_lowercase)).collect()
}

/// Hands every term of a text to `take`, in order, without collecting them. See [`terms`].
pub fn each_term(text: &str, mut take: impl FnMut(&str)) {
    let mut lower = String::new();
    for run in runs(text) {
        let run = &text[run];
        if run.chars().next().is_some_and(is_unspaced) {
            each_pair(run, &mut take);
            continue;
        }
        for part in parts(run) {
            lower_into(part, &mut lower);
            if !is_stop(&lower) {
                take(&stem(&lower));
            }
        }
    }
}

/// How many terms a text has, and how often each of some is among them. See [`terms`]. Words that cannot have one of these
/// stems are counted and not stemmed.
#[must_use]
pub fn occurrences(text: &str, wanted: &[&str]) -> (usize, Vec<usize>) {
    let (mut all, mut counts) = (0, vec![0; wanted.len()]);
    let mut lower = String::new();
    let mut count = |term: &str, counts: &mut [usize]| {
        all += 1;
        if let Some(at) = wanted.iter().position(|wanted| *wanted == term) {
            counts[at] += 1;
        }
    };
    for run in runs(text) {
        let run = &text[run];
        if run.chars().next().is_some_and(is_unspaced) {
            each_pair(run, &mut |pair| count(pair, &mut counts));
            continue;
        }
        for part in parts(run) {
            lower_into(part, &mut lower);
            if is_stop(&lower) {
                continue;
            }
            let whole = unabbreviated(&lower);
            let may_be = wanted.iter().any(|wanted| may_be_stem(wanted, whole));
            if may_be { count(&stem(&lower), &mut counts) } else { count("", &mut counts) }
        }
    }
    (all, counts)
}

/// Whether a stem could be that of a word, which it begins as and is not longer than. Of "dying" the stem is "die".
fn may_be_stem(stem: &str, lower: &str) -> bool {
    let alike = |(one, other): (u8, u8)| one == other || matches!((one, other), (b'i', b'y'));
    stem.len() <= lower.len() && stem.bytes().zip(lower.bytes()).take(2).all(alike)
}

/// The English stem of a lower-case word, and the noun of one in Hangul; other scripts pass unchanged.
#[must_use]
pub fn stem(lower: &str) -> Cow<'_, str> {
    if lower.starts_with(hangul::is_syllable) {
        return Cow::Borrowed(hangul::noun(lower));
    }
    if lower.len() < 3 || !lower.is_ascii() || lower.bytes().any(|byte| byte.is_ascii_digit()) {
        return Cow::Borrowed(lower);
    }
    // What is positive is no position, though the algorithm cuts both down to one.
    if lower.starts_with("position") {
        return Cow::Borrowed("position");
    }
    Stemmer::create(Algorithm::English).stem(unabbreviated(lower))
}

/// What everybody writes short, as the whole word; any other word as it is.
fn unabbreviated(lower: &str) -> &str {
    match lower {
        "temp" | "temps" => "temperature",
        "addr" => "address",
        "msg" | "msgs" => "message",
        "pic" | "pics" => "picture",
        "chg" => "change",
        "prob" | "probs" => "probability",
        "qty" => "quantity",
        "liq" | "liqs" => "liquidation",
        _ => lower,
    }
}

/// Whether a lower-case word says how a question is built rather than what it is about.
#[must_use]
pub fn is_stop(lower: &str) -> bool {
    lower.len() <= STOP_LENGTH_MAX && STOP_WORDS.binary_search(&lower).is_ok()
}

/// The runs of letters and digits of a text, in bytes. A change between a spaced and an unspaced script ends a run.
fn runs(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut characters = text.char_indices().peekable();
    std::iter::from_fn(move || {
        let (start, first) = characters.by_ref().find(|(_, character)| character.is_alphanumeric())?;
        let mut end = start + first.len_utf8();
        while let Some(&(at, next)) = characters.peek() {
            if !(next.is_alphanumeric() || is_mark(next)) || is_unspaced(next) != is_unspaced(first) {
                break;
            }
            end = at + next.len_utf8();
            characters.next();
        }
        Some(start..end)
    })
}

/// The words of a run that are only written as one: "whats" is "what s", as "what's" is, and "GBPUSD" is two currencies.
fn spoken(text: &str, run: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    const LEADS: [&str; 8] = ["what", "how", "where", "who", "when", "why", "that", "there"];
    let lead = text[run.clone()].strip_suffix(['s', 'S']);
    let is_lead = lead.is_some_and(|lead| LEADS.iter().any(|known| lead.eq_ignore_ascii_case(known)));
    let seam = if is_lead {
        run.end - 1
    } else {
        between_currencies(&text[run.clone()]).map_or(run.end, |at| run.start + at)
    };
    [run.start..seam, seam..run.end].into_iter().filter(|range| !range.is_empty())
}

fn each_pair(run: &str, take: &mut impl FnMut(&str)) {
    let mut previous: Option<usize> = None;
    let mut paired = false;
    let mut open = String::new();
    for (at, character) in run.char_indices() {
        if let Some(start) = previous {
            let end = hangul::without_final(character);
            if end == character {
                take(&run[start..at + character.len_utf8()]);
            } else {
                open.clear();
                open.push_str(&run[start..at]);
                open.push(end);
                take(&open);
            }
            paired = true;
        }
        previous = Some(at);
    }
    if !paired {
        take(run);
    }
}

fn lower_into(part: &str, lower: &mut String) {
    lower.clear();
    if part.is_ascii() {
        lower.push_str(part);
        lower.make_ascii_lowercase();
    } else {
        lower.extend(part.chars().flat_map(char::to_lowercase));
    }
}

/// Combining marks belong to the letter before them.
fn is_mark(character: char) -> bool {
    matches!(u32::from(character), 0x0300..=0x036F | 0x0900..=0x0903 | 0x093A..=0x094F | 0x0E31..=0x0E4E)
}

/// Scripts that write words without spaces between them, and Hangul, whose particles cling to its words.
pub(crate) fn is_unspaced(character: char) -> bool {
    matches!(
        u32::from(character),
        0x0E00..=0x0E7F | 0x3040..=0x30FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xAC00..=0xD7AF | 0xF900..=0xFAFF
            | 0x20000..=0x2FA1F
    )
}

const STOP_LENGTH_MAX: usize = 8;

/// Sorted, for binary search.
const STOP_WORDS: &[&str] = &[
    "a", "about", "against", "am", "an", "and", "any", "are", "aren", "arent", "as", "at", "be", "been",
    "being", "but", "by", "can", "cant", "could", "couldn", "couldnt", "d", "did", "didn", "didnt", "do",
    "does", "doesn", "doesnt", "doing", "don", "dont", "e", "for", "from", "g", "gimme", "give", "had",
    "hadn", "has", "hasn", "hasnt", "have", "haven", "havent", "having", "he", "help", "her", "hers", "him",
    "his", "how", "i", "if", "im", "in", "into", "is", "isn", "isnt", "it", "its", "ive", "just", "kindly",
    "know", "lemme", "let", "like", "ll", "m", "may", "me", "might", "my", "need", "of", "on", "or", "our",
    "out", "please", "pls", "plz", "re", "s", "shall", "she", "should", "shouldn", "shouldnt", "show", "so",
    "some", "such", "t", "tell", "than", "that", "the", "their", "them", "then", "there", "these", "they",
    "theyre", "this", "those", "thx", "till", "to", "toward", "towards", "u", "until", "upon", "ur", "ve",
    "want", "was", "wasn", "wasnt", "we", "were", "weren", "werent", "what", "when", "where", "which", "who",
    "whose", "why", "will", "with", "within", "won", "wont", "would", "wouldn", "wouldnt", "you", "your",
    "youre",
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_apostrophe_may_be_left_out() {
        let lower = |text| words(text).into_iter().map(|word| word.lower).collect::<Vec<_>>();
        assert_eq!(lower("Whats up, hows Anna"), ["what", "s", "up", "how", "s", "anna"]);
        assert!(words("I dont, isn't, wont").iter().all(|word| word.is_stop));
    }

    #[test]
    fn a_pair_of_currencies_is_two_words() {
        assert_eq!(terms("GBPUSD over EUR/CHF"), ["gbp", "usd", "over", "eur", "chf"]);
        assert_eq!(terms("NZDXYZ gbpusd"), ["nzdxyz", "gbp", "usd"]);
    }

    #[test]
    fn what_a_method_is_not_is_left_out() {
        assert_eq!(affirmed("Finds events. Returns no odds."), "Finds events.");
        assert_eq!(affirmed("Adds a note; does not overwrite one"), "Adds a note;");
        assert_eq!(affirmed("Never answers."), "Never answers.");
        assert_eq!(
            affirmed("Takes the `event_id` that list_events returns"),
            "Takes the `event_id` that returns"
        );
        assert_eq!(affirmed("Files that are not hidden"), "Files that are not hidden");
    }

    #[test]
    fn a_slip_is_one_letter_of_a_long_word() {
        assert!(is_slip("binnance", "binance") && is_slip("wether", "weather"));
        assert!(!is_slip("paris", "paris") && !is_slip("cost", "coast") && !is_slip("night", "light"));
    }

    #[test]
    fn terms_are_stemmed_and_without_stop_words() {
        assert_eq!(
            terms("Which exchanges saw the largest BTC inflows?"),
            ["exchang", "saw", "largest", "btc", "inflow"]
        );
        assert_eq!(terms("getExchangeFlow"), ["get", "exchang", "flow"]);
        assert_eq!(terms("open positions are positive"), ["open", "position", "posit"]);
    }

    #[test]
    fn words_are_among_others_whatever_their_case() {
        assert!(are_among("ACME pay", "Pay by Acme") && are_among("ÜBER", "über uns"));
        assert!(are_among("", "Acme") && !are_among("Acme One", "Acme"));
    }

    #[test]
    fn unspaced_scripts_give_pairs() {
        assert_eq!(terms("東京の天気"), ["東京", "京の", "の天", "天気"]);
        assert_eq!(terms("Größe über"), ["größe", "über"]);
        assert_eq!(terms("BTC価格"), ["btc", "価格"]);
        assert_eq!(terms("메일을 보낸다"), ["메이", "일으", "보내", "낸다"]);
    }

    #[test]
    fn the_stop_words_are_sorted_and_within_their_length() {
        assert!(STOP_WORDS.is_sorted());
        assert_eq!(STOP_WORDS.iter().map(|word| word.len()).max(), Some(STOP_LENGTH_MAX));
    }

    fn counts_are_those_of_terms(text: &str) {
        let terms = terms(text);
        let each: BTreeSet<&str> = terms.iter().map(String::as_str).collect();
        let each: Vec<&str> = each.into_iter().collect();
        let expected = each.iter().map(|term| terms.iter().filter(|other| other == term).count()).collect();
        assert_eq!(occurrences(text, &each), (terms.len(), expected), "{text}");
    }

    #[test]
    fn words_are_counted_by_their_stems() {
        counts_are_those_of_terms(
            "Dying skies: the tied tie lies idly, hoping to hop; cry, cries, skis, 東京の天気",
        );
        counts_are_those_of_terms("The addr and the qty of the msgs; temps in the pics, a temp");
    }

    proptest! {
        #[test]
        fn written_words_are_counted_by_their_stems(
            text in "([a-z]{1,4}(ying|ies|ied|ed|ing|ly|y|e|s|ational)? ){0,30}"
        ) {
            counts_are_those_of_terms(&text);
        }

        #[test]
        fn words_stand_where_they_say(text in "\\PC*") {
            for word in words(&text) {
                prop_assert_eq!(text[word.range.clone()].to_lowercase(), word.lower);
            }
            let _ = terms(&text);
            let _ = identifier_terms(&text);
        }
    }
}
