//! Values that a schema names: matched by word, stem, meaning, length of time, abbreviation or near spelling.

use std::ops::Range;

use super::parameter::{Choice, Parameter};
use super::proximity::{direction, nearness};
use super::role::Role;
use super::standard::standard_codes;
use super::{Candidate, Family, length, moment};
use crate::Question;
use crate::standards;
use crate::words::{self, Word};

/// The choices that a question names.
pub(super) fn candidates(question: &Question, parameter: &Parameter) -> Vec<Candidate> {
    if matches!(parameter.role, Role::Window | Role::Grain | Role::Length(_) | Role::Start)
        || parameter
            .choices
            .iter()
            .filter(|choice| choice.length.is_some() && !choice.value.is_number())
            .count()
            * 2
            > parameter.choices.len()
    {
        let timed = length::choices(question, parameter);
        if !timed.is_empty() {
            return timed;
        }
    }
    let mut found: Vec<Candidate> = moment::chosen_days(question, parameter);
    for choice in &parameter.choices {
        found.extend(said(question, parameter, choice, 0.8));
        found.extend(meant(question, parameter, choice));
    }
    // Codes may be written beside names: "dollars against EUR and GBP".
    let is_apart = |candidate: &Candidate| !found.iter().any(|other| other.shares_words_with(candidate));
    let named: Vec<Candidate> = standard(question, parameter).into_iter().filter(is_apart).collect();
    found.extend(named);
    if found.is_empty() {
        found = loosely(question, parameter);
    }
    found
}

/// The examples of a schema that a question says.
pub(super) fn examples(question: &Question, parameter: &Parameter) -> Vec<Candidate> {
    let mut found = Vec::new();
    for choice in &parameter.choices {
        found.extend(said(question, parameter, choice, 0.72));
        found.extend(meant(question, parameter, choice));
    }
    if found.is_empty() && matches!(parameter.role, Role::Symbol) {
        found = abbreviations(question, parameter);
    }
    found
}

/// Numbers that a schema explains in words: "2 for ironing service".
pub(super) fn explained(question: &Question, parameter: &Parameter) -> Vec<Candidate> {
    parameter.choices.iter().flat_map(|choice| meant(question, parameter, choice)).collect()
}

fn said(question: &Question, parameter: &Parameter, choice: &Choice, base: f64) -> Vec<Candidate> {
    let found = occurrences(question, choice);
    if found.is_empty() {
        return Vec::new();
    }
    let is_number = choice.text.bytes().all(|byte| byte.is_ascii_digit());
    let is_short = choice.text.chars().count() < 2;
    found
        .into_iter()
        .filter_map(|range| {
            let near = nearness(question, parameter, &range);
            if (is_number || is_short) && near < 0.5 {
                return None;
            }
            let said = &question.text[range.clone()];
            let exact = if said.to_lowercase() == choice.text { 0.1 } else { 0.0 };
            let score = base + exact + 0.1 * near + direction(question, parameter, &range);
            Some(Candidate::said(choice.value.clone(), score, range, Family::Text))
        })
        .collect()
}

fn occurrences(question: &Question, choice: &Choice) -> Vec<Range<usize>> {
    if choice.stems.is_empty() {
        return Vec::new();
    }
    let words = &question.words;
    let length = choice.stems.len();
    let mut found: Vec<Range<usize>> = Vec::new();
    for at in 0..words.len() {
        if words[at].lower == choice.text {
            let is_word =
                !words[at].is_stop || question.text[words[at].range.clone()].chars().all(char::is_uppercase);
            if is_word {
                found.push(words[at].range.clone());
            }
        } else if at + length <= words.len()
            && (0..length).all(|step| words[at + step].stem == choice.stems[step])
        {
            let is_content = (0..length).any(|step| !words[at + step].is_stop);
            if is_content {
                found.push(words[at].range.start..words[at + length - 1].range.end);
            }
        }
    }
    found
}

fn meant(question: &Question, parameter: &Parameter, choice: &Choice) -> Vec<Candidate> {
    let mut found = Vec::new();
    for meaning in &choice.meanings {
        let first = meaning.first().map(String::as_str).unwrap_or_default();
        // All words of a short meaning, the first two of a long one.
        let needed = meaning.len().min(2);
        for (at, word) in question.words.iter().enumerate() {
            if word.stem != first || word.is_stop {
                continue;
            }
            let rest = &question.words[at..question.words.len().min(at + 5)];
            let present = meaning
                .iter()
                .take(needed)
                .filter(|stem| rest.iter().any(|word| word.stem == **stem))
                .count();
            let is_generic = parameter.own.contains(&word.stem) && meaning.len() == 1;
            if is_generic || (present < needed && meaning.len() > 2) {
                continue;
            }
            // What somebody does names a kind of thing less surely than the thing: "playing" is no play.
            let deed = if word.lower.ends_with("ing") { 0.05 } else { 0.0 };
            let whole = if present == needed { 0.7 } else { 0.4 };
            let score = whole - deed;
            let why = format!(
                "{} is the `{}` of \"{}\"",
                choice.value,
                parameter.name,
                &question.text[word.range.clone()]
            );
            found.push(Candidate::implied(choice.value.clone(), score, word.range.clone(), why));
            break;
        }
    }
    found
}

/// The choices that are codes of published standards, where the question names them in words.
fn standard(question: &Question, parameter: &Parameter) -> Vec<Candidate> {
    let said = standard_codes(question, parameter.role);
    let named = |choice: &Choice| {
        let code = choice.value.as_str()?;
        let (_, range) = said.iter().find(|(said, _)| said.eq_ignore_ascii_case(code))?;
        let why = format!("\"{}\" is read as {code}", &question.text[range.clone()]);
        let score = 0.75 + direction(question, parameter, range);
        Some(Candidate::implied(choice.value.clone(), score, range.clone(), why))
    };
    parameter.choices.iter().filter_map(named).collect()
}

/// A distinctive part of a choice, an abbreviation, or a near spelling.
fn loosely(question: &Question, parameter: &Parameter) -> Vec<Candidate> {
    let mut found = partial(question, parameter);
    if found.is_empty() {
        found = of_family(question, parameter);
    }
    if found.is_empty() {
        found = abbreviations(question, parameter);
    }
    if found.is_empty() {
        found = alike(question, parameter);
    }
    if found.is_empty() {
        found = spelled_out(question, parameter);
    }
    if found.is_empty() {
        found = misspelt(question, parameter);
    }
    found
}

/// Words that people say for each other where they choose.
const ALIKE: [&[&str]; 13] = [
    &["buy", "purchase", "acquire"],
    &["comedy", "comic", "funny", "humor", "humorous", "hilarious"],
    &["horror", "scary", "frightening"],
    &["music", "concert", "concerts", "gig"],
    &["theater", "theatre", "broadway"],
    &["cheap", "inexpensive", "affordable"],
    &["pricey", "expensive", "upscale", "fancy", "luxury"],
    &["fast", "quick", "express", "rapid"],
    &["large", "big", "huge"],
    &["small", "little", "tiny"],
    &["male", "man", "men"],
    &["female", "woman", "women"],
    &["technology", "tech"],
];

/// The one choice that another word for it is said of: "purchasing" where there is "buy".
fn alike(question: &Question, parameter: &Parameter) -> Vec<Candidate> {
    let is_said = |word: &Word, own: &str| word.stem == words::stem(own) && !is_joined(question, word);
    let meant = |choice: &Choice| {
        let group = ALIKE.into_iter().find(|group| group.contains(&choice.text.as_str()))?;
        let word = question.words.iter().find(|word| group.iter().any(|own| is_said(word, own)))?;
        let why = format!("\"{}\" is read as {}", &question.text[word.range.clone()], choice.value);
        Some(Candidate::implied(choice.value.clone(), 0.6, word.range.clone(), why))
    };
    let found: Vec<Candidate> = parameter.choices.iter().filter_map(meant).collect();
    if found.len() == 1 { found } else { Vec::new() }
}

fn partial(question: &Question, parameter: &Parameter) -> Vec<Candidate> {
    let mut found = Vec::new();
    for choice in parameter.choices.iter().filter(|choice| choice.stems.len() > 1) {
        for stem in choice.stems.iter().filter(|stem| stem.len() > 2) {
            let is_it = |word: &&Word| {
                (word.stem == *stem || is_of_root(stem, &word.stem)) && !is_joined(question, word)
            };
            let word = question.words.iter().find(|word| !word.is_stop && is_it(word));
            let is_unique =
                || parameter.choices.iter().filter(|other| other.stems.contains(stem)).count() == 1;
            if let Some(word) = word
                && !parameter.own.contains(stem)
                && is_unique()
            {
                let why = format!("\"{}\" is read as {}", &question.text[word.range.clone()], choice.value);
                found.push(Candidate::implied(choice.value.clone(), 0.42, word.range.clone(), why));
                break;
            }
        }
    }
    found
}

/// Whether a word is a part of another: the "time" of "real-time".
fn is_joined(question: &Question, word: &Word) -> bool {
    question.text[..word.range.start].ends_with('-') || question.text[word.range.end..].starts_with('-')
}

/// The one choice that a word of the question has its root with: "economics" where there is "economy".
fn of_family(question: &Question, parameter: &Parameter) -> Vec<Candidate> {
    let words = question.words.iter().filter(|word| !word.is_stop && !parameter.own.contains(&word.stem));
    let found = words.filter_map(|word| {
        let mut kin = parameter.choices.iter().filter(|choice| match choice.stems.as_slice() {
            [only] => is_of_root(only, &word.stem),
            _ => false,
        });
        let (choice, None) = (kin.next()?, kin.next()) else { return None };
        let why = format!("\"{}\" is read as {}", &question.text[word.range.clone()], choice.value);
        Some(Candidate::implied(choice.value.clone(), 0.6, word.range.clone(), why))
    });
    found.collect()
}

/// Whether one stem is the root of the other: "rent" of "rental", "counsel" of "counselor".
fn is_of_root(stem: &str, other: &str) -> bool {
    let (root, long) = if stem.len() < other.len() { (stem, other) } else { (other, stem) };
    let Some(ending) = long.strip_prefix(root).filter(|_| root.is_ascii()) else { return false };
    let is_derived = matches!(ending, "al" | "er" | "or" | "ist");
    root.len() >= if is_derived { DERIVED_LETTERS_MIN } else { ROOT_LETTERS_MIN }
}

/// Letters that a root has at least.
const ROOT_LETTERS_MIN: usize = 5;
/// Letters that one has at least where the other word has an ending that makes nouns and the like.
const DERIVED_LETTERS_MIN: usize = 4;

fn abbreviations(question: &Question, parameter: &Parameter) -> Vec<Candidate> {
    let mut found = Vec::new();
    for choice in &parameter.choices {
        let Some(text) = choice.value.as_str() else { continue };
        let is_code = (3..=5).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_uppercase());
        // A currency has a name, which no other word abbreviates to: "berlin" is no BRL.
        let is_short_for = |word: &Word| parameter.role != Role::Currency && abbreviates(&choice.text, word);
        let is_it = |word: &&Word| is_code && is_short_for(word) || is_same_coin(choice, word);
        let word = question.words.iter().find(is_it);
        if let Some(word) = word {
            let why = format!("\"{}\" is read as {text}", &question.text[word.range.clone()]);
            found.push(Candidate::implied(choice.value.clone(), 0.6, word.range.clone(), why));
        }
    }
    found
}

/// "Tether" is `USDT`, and "btc" is `bitcoin`.
fn is_same_coin(choice: &Choice, word: &Word) -> bool {
    let is_called = |coin| choice.text != word.lower && standards::coin(&word.lower) == Some(coin);
    choice.coin.is_some_and(is_called)
}

/// `sol` starts "solana"; `btc` starts the consonants of "bitcoin".
fn abbreviates(code: &str, word: &Word) -> bool {
    if word.is_stop || word.lower.len() < 5 || word.lower.len() <= code.len() || !word.lower.is_ascii() {
        return false;
    }
    let is_kept = |(at, letter): &(usize, char)| *at == 0 || !matches!(letter, 'a' | 'e' | 'i' | 'o' | 'u');
    let mut skeleton = word.lower.char_indices().filter(is_kept).map(|(_, letter)| letter);
    word.lower.starts_with(code) || code.chars().all(|letter| skeleton.next() == Some(letter))
}

/// The choice whose letters begin words side by side: "artificial intelligence" where there is `ai`.
fn spelled_out(question: &Question, parameter: &Parameter) -> Vec<Candidate> {
    let is_short_for = |words: &[Word], choice: &Choice| {
        let is_it = |(word, letter): (&Word, char)| {
            word.lower.starts_with(letter) && word.lower.len() >= INITIALED_LETTERS_MIN && !word.is_stop
        };
        words.iter().zip(choice.text.chars()).all(is_it)
    };
    let is_short = |choice: &&Choice| {
        (2..=4).contains(&choice.text.len()) && choice.text.bytes().all(|it| it.is_ascii_lowercase())
    };
    let of = |choice: &Choice| {
        let run = question.words.windows(choice.text.len()).find(|words| is_short_for(words, choice))?;
        let range = run[0].range.start..run[run.len() - 1].range.end;
        let why = format!("\"{}\" is read as {}", &question.text[range.clone()], choice.value);
        Some(Candidate::implied(choice.value.clone(), 0.6, range, why))
    };
    parameter.choices.iter().filter(is_short).filter_map(of).collect()
}

/// Letters that a word has at least whose first one stands for it.
const INITIALED_LETTERS_MIN: usize = 4;

fn misspelt(question: &Question, parameter: &Parameter) -> Vec<Candidate> {
    let mut found = Vec::new();
    for choice in &parameter.choices {
        for word in question.words.iter().filter(|word| !word.is_stop) {
            if words::is_slip(&word.lower, &choice.text) {
                let why = format!("\"{}\" is read as {}", &question.text[word.range.clone()], choice.value);
                found.push(Candidate::implied(choice.value.clone(), 0.5, word.range.clone(), why));
            }
        }
    }
    found
}
