//! Values beside the words that name them.

use serde_json::Value;

use super::identity::is_askers;
use super::parameter::{Parameter, Parameters};
use super::phrase::opens_sentence;
use super::role::Role;
use super::stretch::shouts;
use super::{Candidate, Family};
use crate::Question;
use crate::form;
use crate::standards;
use crate::words::{self, Word};

/// A word of the question, as it stands there.
fn said(question: &Question, word: &Word, score: f64) -> Candidate {
    let text = Value::from(&question.text[word.range.clone()]);
    Candidate::said(text, score, word.range.clone(), Family::Text)
}

/// "with id dentist", "(ID: 282828)": the word after the one that says that it is an identifier.
pub(super) fn identified(question: &Question, parameter: &Parameter) -> Vec<Candidate> {
    let is_id = |word: &Word| matches!(word.lower.as_str(), "id" | "identifier" | "ids");
    let is_link = |word: &Word| matches!(word.lower.as_str(), "is" | "was" | "of" | "number" | "for" | "it");
    let mut found = Vec::new();
    for (at, _) in question.words.iter().enumerate().filter(|(_, word)| is_id(word)) {
        let value = question.words[at + 1..].iter().take(LINKS_MAX + 1).find(|word| !is_link(word));
        let is_sought = |word: &&Word| !word.is_stop && !is_askers(question, parameter, &word.range);
        if let Some(value) = value.filter(is_sought) {
            found.push(said(question, value, 0.5));
        }
    }
    found
}

/// How many words may lead from "id" to what it is: "the id for it is".
const LINKS_MAX: usize = 3;

/// "version 2.1.3": a version, for what takes one.
pub(super) fn versions(question: &Question, parameter: &Parameter) -> Vec<Candidate> {
    if !parameter.own.iter().any(|stem| stem == "version") {
        return Vec::new();
    }
    let is_dotted = |sign: char| sign.is_ascii_digit() || sign == '.';
    let said = |pair: &[Word]| {
        let start = pair[1].range.start;
        let rest = &question.text[start..];
        let length = rest.find(|sign| !is_dotted(sign)).unwrap_or(rest.len());
        let version = rest[..length].trim_end_matches('.');
        let is_labelled =
            pair[0].lower == "version" && question.text[pair[0].range.end..start].trim().is_empty();
        let candidate =
            || Candidate::said(Value::from(version), 1.01, start..start + version.len(), Family::Text);
        (is_labelled && version.starts_with(|sign: char| sign.is_ascii_digit())).then(candidate)
    };
    question.words.windows(2).filter_map(said).collect()
}

/// "+41 44 668 18 00", "(415) 555-0100": a telephone number, for what takes one.
pub(super) fn telephones(question: &Question, parameter: &Parameter) -> Vec<Candidate> {
    let takes =
        |stem: &String| matches!(stem.as_str(), "phone" | "telephon" | "mobil" | "tel" | "cell" | "cellphon");
    if !parameter.own.iter().any(takes) {
        return Vec::new();
    }
    let text = &question.text;
    let may_hold = |sign: char| sign.is_ascii_digit() || matches!(sign, '+' | '-' | '(' | ')' | ' ' | '.');
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(start) = text[from..].find(|sign: char| sign.is_ascii_digit() || matches!(sign, '+' | '('))
    {
        let start = from + start;
        let run = text[start..].find(|sign| !may_hold(sign)).map_or(text.len(), |length| start + length);
        let number = text[start..run].trim_end_matches(|sign: char| !sign.is_ascii_digit());
        let digits = number.bytes().filter(u8::is_ascii_digit).count();
        let is_date = question.moments.iter().any(|moment| moment.range.contains(&start));
        let opens_here = !is_date && !text[..start].ends_with(char::is_alphanumeric);
        if opens_here && (TELEPHONE_DIGITS_MIN..=TELEPHONE_DIGITS_MAX).contains(&digits) {
            found.push(Candidate::said(Value::from(number), 0.8, start..start + number.len(), Family::Text));
        }
        from = run.max(start + 1);
    }
    found
}

/// Digits that a telephone number has (ITU-T E.164).
const TELEPHONE_DIGITS_MIN: usize = 7;
const TELEPHONE_DIGITS_MAX: usize = 15;

/// "a large one", "size XL": how large it is to be, in the words and letters that clothes, dishes and drinks come in.
pub(super) fn sizes(question: &Question, parameter: &Parameter) -> Vec<Candidate> {
    const WORDS: [&str; 16] = [
        "small",
        "medium",
        "large",
        "regular",
        "tall",
        "grande",
        "venti",
        "스몰",
        "미디엄",
        "라지",
        "레귤러",
        "톨",
        "벤티",
        "대형",
        "중형",
        "소형",
    ];
    const LETTERS: [&str; 8] = ["XS", "S", "M", "L", "XL", "XXL", "2XL", "3XL"];
    let is_size = |stem: &String| matches!(stem.as_str(), "size" | "크기" | "사이즈");
    if !parameter.own.iter().any(is_size) {
        return Vec::new();
    }
    let words = question.words.iter().filter(|word| {
        WORDS.contains(&word.lower.as_str()) || LETTERS.contains(&&question.text[word.range.clone()])
    });
    words.map(|word| said(question, word, 0.6)).collect()
}

/// "a small green bird", "mix yellow and blue": colours, the second one for `color2`.
pub(super) fn colours(question: &Question, parameter: &Parameter) -> Vec<Candidate> {
    const COLOURS: &str = "red orange yellow green blue purple violet pink brown black white gray grey gold silver beige \
        turquoise teal navy magenta cyan maroon olive indigo ivory crimson";
    if !parameter.own.iter().any(|stem| matches!(stem.as_str(), "color" | "colour")) {
        return Vec::new();
    }
    let words = question.words.iter().filter(|word| COLOURS.split(' ').any(|colour| colour == word.lower));
    let place = parameter.name.chars().next_back().and_then(|last| last.to_digit(10));
    let its = |nth: u32| if place == Some(nth) { 0.8 } else { 0.7 };
    (1..).zip(words).map(|(nth, word)| said(question, word, its(nth))).collect()
}

/// "genre jazz" and "jazz genre": the content word beside the parameter's own word.
pub(super) fn beside(question: &Question, parameter: &Parameter, parameters: &Parameters) -> Vec<Candidate> {
    if shouts(parameter) {
        return Vec::new();
    }
    let words = &question.words;
    let is_value = |at: usize| {
        let word = &words[at];
        !word.is_stop
            && !parameters.knows(&word.stem)
            && word.lower.len() > 2
            && !is_filler(&word.lower)
            && !is_participle(word, question)
            && !is_instructing(word, question)
            && !form::is_sorting(words, word)
            && question.moments.iter().all(|moment| !crate::spans::overlaps(&moment.range, &word.range))
    };
    let mut found = Vec::new();
    for at in 0..words.len() {
        if words[at].is_stop || !parameter.own.contains(&words[at].stem) {
            continue;
        }
        let beside = |other: usize| {
            let gap = if other < at {
                words[other].range.end..words[at].range.start
            } else {
                words[at].range.end..words[other].range.start
            };
            question.text[gap] == *" "
        };
        let after = (at + 1 < words.len() && beside(at + 1) && is_value(at + 1)).then_some(at + 1);
        let before = (at > 0 && beside(at - 1) && is_value(at - 1)).then(|| at - 1);
        if let Some(value) = before.or(after) {
            found.push(said(question, &words[value], 0.45));
        }
    }
    found
}

/// "A quiz focused on grammar": what a thing is like, and no name.
fn is_participle(word: &Word, question: &Question) -> bool {
    word.lower.len() > 4 && word.lower.ends_with("ed") && question.text[word.range.clone()] == word.lower
}

/// "Integrate stock into it": a first word in capitals that is no name says what to do.
fn is_instructing(word: &Word, question: &Question) -> bool {
    opens_sentence(question, word)
        && question.text[word.range.clone()].starts_with(char::is_uppercase)
        && question.spans.iter().all(|span| !crate::spans::overlaps(&span.range, &word.range))
}

/// Words in Hangul that stand before any noun, or name no more than a kind of thing.
const FILLERS: [&str; 46] = [
    "지금",
    "오늘",
    "내일",
    "어제",
    "현재",
    "이번",
    "다음",
    "지난",
    "특정",
    "우리",
    "가장",
    "제일",
    "전체",
    "모든",
    "최근",
    "온라인",
    "내",
    "제",
    "이",
    "그",
    "저",
    "좀",
    "더",
    "새",
    "첫",
    "각",
    "한",
    "해당",
    "관련",
    "다른",
    "대로",
    "한번",
    "요즘",
    "이것",
    "이거",
    "그거",
    "저거",
    "주식",
    "종목",
    "코인",
    "회사",
    "상품",
    "제품",
    "물건",
    "대충",
    "정도",
];
/// What is asked of a thing that stands before it: "달빛 얼마야?".
const ASKED: [&str; 5] = ["얼마", "가격", "주가", "시세", "환율"];
/// Syllables that end a verb before a noun.
const VERB_ENDS: &str = "고게서면까데줘요다해어할될볼한된본던려며";

/// "비빔 국수", "달빛의 현재 가격" and "바다은행": in Hangul the noun that stands before the one that a schema describes
/// the argument by, and the one that ends in it.
pub(super) fn modifying(
    question: &Question,
    parameter: &Parameter,
    parameters: &Parameters,
) -> Vec<Candidate> {
    let words = &question.words;
    let is_known = |noun: &str| {
        let pairs = words::terms(noun);
        pairs.iter().all(|pair| parameters.knows(pair) || parameter.context.contains(pair))
    };
    let is_bare = |word: &Word| word.lower == word.stem || word.lower.strip_suffix('의') == Some(&word.stem);
    let is_name = |word: &Word| {
        word.stem.starts_with(words::is_syllable)
            && !is_known(&word.stem)
            && !word.stem.ends_with(|last| VERB_ENDS.contains(last))
            && !FILLERS.contains(&word.stem.as_str())
            && question.spans.iter().all(|span| !crate::spans::overlaps(&span.range, &word.range))
    };
    let is_only_name = parameter.is_required
        && parameter.role == Role::Name
        && parameters.list.iter().filter(|other| other.is_required).count() == 1;
    let is_asked = |word: &Word| ASKED.iter().any(|asked| word.stem.starts_with(asked));
    let stands_on = |pair: &&[Word]| question.text[pair[0].range.end..pair[1].range.start] == *" ";
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate().filter(|(_, word)| word.stem.starts_with(words::is_syllable)) {
        let before = || words[..=at].windows(2).rev().take_while(stands_on).map(|pair| &pair[0]);
        let value = if parameter.is_described_by(&word.stem) {
            before().take_while(|word| is_bare(word)).find(|word| !is_known(&word.stem))
        } else if is_only_name && is_asked(word) {
            before().take_while(|word| is_bare(word)).find(|word| is_name(word) && !is_asked(word))
        } else {
            ends_in(parameter, &word.stem).filter(|rest| !is_known(rest)).map(|_| word)
        };
        if let Some(value) = value.filter(|value| is_name(value)) {
            let range = value.range.start..value.range.start + value.stem.len();
            found.push(Candidate::said(Value::from(value.stem.as_str()), 0.45, range, Family::Text));
        }
    }
    found
}

/// What stands in a noun before the two syllables that describe a parameter: the "바다" of "바다은행".
fn ends_in<'a>(parameter: &Parameter, noun: &'a str) -> Option<&'a str> {
    let (seam, _) = noun.char_indices().rev().nth(1)?;
    let (rest, head) = noun.split_at(seam);
    (!rest.is_empty() && parameter.is_described_by(head)).then_some(rest)
}

/// Words that stand before any noun.
fn is_filler(lower: &str) -> bool {
    standards::number_word(lower).is_some()
        || matches!(
            lower,
            "next"
                | "last"
                | "first"
                | "top"
                | "latest"
                | "current"
                | "each"
                | "every"
                | "new"
                | "old"
                | "without"
                | "only"
                | "same"
                | "different"
                | "given"
                | "certain"
                | "specific"
                | "all"
                | "any"
                | "many"
                | "much"
                | "more"
                | "most"
                | "best"
                | "good"
                | "using"
                | "get"
                | "find"
                | "list"
                | "check"
                | "update"
                | "change"
                | "create"
                | "use"
                | "set"
                | "add"
                | "search"
                | "available"
                | "following"
                | "particular"
                | "nearby"
                | "local"
                | "not"
                | "no"
                | "see"
                | "look"
                | "looking"
        )
}
