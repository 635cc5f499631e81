//! Capitalised names, and places that people write in lower case.

use super::number::code_before;
use super::{Kind, Span};
use crate::standards;
use crate::time::{named_unit, zone_of};
use crate::words::Word;

/// The runs of capitalised words, and the places in lower case, in order; also coins in lower case, where there are several: of one
/// alone something may be asked that is called after it, as are notes on bitcoin. A word that only starts a sentence counts unless it
/// is an instruction.
pub(super) fn names(text: &str, words: &[Word]) -> Vec<Span> {
    let mut spans = Vec::new();
    let says_coin = |word: &Word| is_coin(&text[word.range.clone()]);
    let are_coins_named = words.iter().filter(|word| says_coin(word)).nth(1).is_some();
    let mut at = 0;
    while at < words.len() {
        let last = if starts_name(text, words, at) {
            last_of(text, words, at)
        } else if let Some(last) = last_of_place(text, words, at) {
            last
        } else if are_coins_named && says_coin(&words[at]) {
            at
        } else {
            at += 1;
            continue;
        };
        let last = last + usize::from(is_currency(text, words, at, last + 1));
        let range = words[at].range.start..words[last].range.end;
        let said = &text[range.clone()];
        if !(at == last && is_symbol(said)) {
            spans.push(Span { text: said.to_owned(), range, kind: Kind::Name });
        }
        at = last + 1;
    }
    spans
}

/// Whether a name and the word behind it are that of a currency: "Swiss francs".
fn is_currency(text: &str, words: &[Word], first: usize, last: usize) -> bool {
    words
        .get(last)
        .is_some_and(|last| standards::currency(&text[words[first].range.start..last.range.end]).is_some())
}

fn starts_name(text: &str, words: &[Word], at: usize) -> bool {
    let word = &words[at];
    if !is_capital(text, word) || word.range.len() < 2 {
        return false;
    }
    let starts_sentence = at == 0 || {
        let gap = &text[words[at - 1].range.end..word.range.start];
        gap.contains(['.', '?', '!', ':', '\n', '-', '•'])
    };
    let instructs = || {
        is_instruction(&word.lower)
            || starts_sentence
                && (commands(text, words, at) || heads(text, words, at) || leads_in(text, words, at))
    };
    !(word.is_stop || (starts_sentence || at < 2) && instructs())
}

/// "Sure, the ID is 7", "Finally, lock it", "Utilize the map": a first word that joins what follows to what was said, or that a
/// verb is made with. Not where a name goes on behind it.
fn leads_in(text: &str, words: &[Word], at: usize) -> bool {
    let lower = words[at].lower.as_str();
    let ends = |endings: &[&str], chars_min| {
        lower.len() >= chars_min && endings.iter().any(|it| lower.ends_with(it))
    };
    let is_one = OPENERS.split(' ').any(|word| word == lower)
        || ends(&["ly"], ADVERB_CHARS_MIN)
        || ends(&["ize", "ise", "ify"], VERB_CHARS_MIN)
        || ends(&["ate"], LONG_VERB_CHARS_MIN);
    let goes_on = |next: &Word| text[words[at].range.end..next.range.start] == *" " && is_capital(text, next);
    is_one && !words.get(at + 1).is_some_and(goes_on)
}

/// Shorter words that end so are names: Emily, Louise, the Senate.
const ADVERB_CHARS_MIN: usize = 7;
const VERB_CHARS_MIN: usize = 7;
const LONG_VERB_CHARS_MIN: usize = 8;

/// Words that say how what follows goes on from what was said.
const OPENERS: &str = "ah alright also among anybody anyone anyway anything assistance awesome besides both btw certainly \
    cool during earlier else even everything excellent following furthermore go great hence however \
    instead last later lets like meanwhile moreover nah next no nobody nope note nothing ok okay oh omg \
    only otherwise perfect plus remember right second somebody someone something sorry splendid sure \
    then therefore third though thus too ugh under upon well while wonderful wow yeah yep yes";

/// "Backtest the carry": a word that an article or a pronoun follows is what to do.
fn commands(text: &str, words: &[Word], at: usize) -> bool {
    let follows = |next: &Word| {
        text[words[at].range.end..next.range.start] == *" "
            && matches!(
                next.lower.as_str(),
                "the" | "a" | "an" | "my" | "me" | "us" | "our" | "all" | "this" | "these"
            )
    };
    words.get(at + 1).is_some_and(follows)
}

/// "Weather in Acme", "Odds on the Acme Cup": a first word that a preposition follows is what is asked for, in capitals only
/// because it is the first. "Acme on" is a name as often.
fn heads(text: &str, words: &[Word], at: usize) -> bool {
    let follows = |next: &Word| {
        text[words[at].range.end..next.range.start] == *" "
            && (matches!(next.lower.as_str(), "in" | "of" | "for" | "about" | "at" | "between" | "from")
                || next.lower == "on" && words.get(at + 2).is_some_and(|it| it.lower == "the"))
    };
    words.get(at + 1).is_some_and(follows)
}

fn last_of(text: &str, words: &[Word], first: usize) -> usize {
    let mut last = first;
    while let Some(next) = words.get(last + 1) {
        let gap = &text[words[last].range.end..next.range.start];
        let joins = matches!(gap, " " | "-" | "'" | "’" | ". " | " & " | "&" | ".");
        let ends_abbreviation = gap != ". " || words[last].range.len() <= 2 && !is_number(&words[last].lower);
        if joins
            && ends_abbreviation
            && (is_capital(text, next)
                || is_number(&next.lower) && gap == " " && !counts(text, words, last + 1))
            && !next.is_stop
        {
            last += 1;
            continue;
        }
        let joins_further =
            matches!(next.lower.as_str(), "of" | "de" | "la" | "van" | "von" | "del" | "da" | "di" | "the");
        let after = words.get(last + 2);
        let spaced = gap == " " && after.is_some_and(|after| text[next.range.end..after.range.start] == *" ");
        if joins_further && spaced && after.is_some_and(|after| is_capital(text, after) && !after.is_stop) {
            last += 2;
            continue;
        }
        break;
    }
    last
}

/// Whether a number counts what is written beside it: the tickets of "TOUR 4장", the dollars of "Ann 25 dollars" and "SEK 48".
fn counts(text: &str, words: &[Word], number: usize) -> bool {
    let is_counted =
        |next: &Word| standards::currency(&next.lower).is_some() || named_unit(&next.lower).is_some();
    text[words[number].range.end..].starts_with(char::is_alphabetic)
        || code_before(&text[..words[number].range.start]).is_some()
        || words.get(number + 1).is_some_and(is_counted)
}

/// Words that a place is written in, at most.
const PLACE_WORDS_MAX: usize = 3;
/// Shorter words are too often something else.
const PLACE_CHARS_MIN: usize = 4;
/// Places whose names are everyday words in lower case.
const EVERYDAY: [&str; 28] = [
    "acre",
    "casey",
    "center",
    "central",
    "christmas",
    "cologne",
    "davis",
    "east",
    "easter",
    "eastern",
    "factory",
    "general",
    "jersey",
    "knox",
    "midway",
    "mountain",
    "nelson",
    "nice",
    "north",
    "oral",
    "pacific",
    "reading",
    "south",
    "troll",
    "turkey",
    "universal",
    "wake",
    "west",
];

/// The last word of the place that begins here in lower case: "paris", "new york".
fn last_of_place(text: &str, words: &[Word], first: usize) -> Option<usize> {
    let is_lower = |word: &Word| text[word.range.clone()].chars().all(char::is_lowercase);
    let run = words[first..].iter().take(PLACE_WORDS_MAX).take_while(|word| is_lower(word)).count();
    (first..first + run).rev().find(|last| {
        let said = &text[words[first].range.start..words[*last].range.end];
        said.len() >= PLACE_CHARS_MIN && !EVERYDAY.contains(&said) && zone_of(said).is_some()
    })
}

/// Coins whose names or tickers are everyday words in lower case.
const EVERYDAY_COINS: [&str; 8] = ["ada", "avalanche", "dai", "ether", "ripple", "sol", "tether", "tron"];

/// Whether a word in lower case is a coin: "btc", "ethereum".
fn is_coin(said: &str) -> bool {
    said.chars().all(char::is_lowercase) && !EVERYDAY_COINS.contains(&said) && standards::coin(said).is_some()
}

fn is_capital(text: &str, word: &Word) -> bool {
    text[word.range.clone()].starts_with(char::is_uppercase)
}

/// Tickers are spans of their own.
fn is_symbol(said: &str) -> bool {
    (2..=6).contains(&said.len()) && said.bytes().all(|byte| byte.is_ascii_uppercase())
}

fn is_number(word: &str) -> bool {
    word.len() <= 4 && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a word opens an instruction or a question without naming anything.
pub(crate) fn is_instruction(lower: &str) -> bool {
    INSTRUCTIONS.split(' ').any(|word| word == lower)
}

const INSTRUCTIONS: &str = "add adjust answer append approve arrange attach cancel clear close commit confirm copy delete \
    describe disable draw drop edit enable erase execute export import insert install invite launch modify \
    move notify obtain pay place post print publish purchase push register remove rename replace reserve reset save \
    schedule select sell share start stop submit subscribe suggest summarise transfer turn upload wait adjust \
    deliver email mail message phone remind text wire after aggregate also analyse analyze ask assess before book break browse build buy \
    calculate call change chart check compare compute construct convert count create current \
    describe determine display download each echo estimate evaluate every explain fetch find first \
    for forecast generate get give given group hello here hey hi identify include let list locate \
    look lookup make mix monitor now once open order over overlay pick play plot predict provide \
    pull put query rank read recommend report resolve retrieve return review run say scan search see \
    send set show simulate since solve sort suggest sum summarise summarize tell thanks there today \
    top track translate two update use using verify view walk what's whats within write";
