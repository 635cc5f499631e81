//! What opens and closes a follow-up, and says nothing of its own.

use crate::Question;
use crate::spans::{Kind, Span};
use crate::standards;
use crate::time::Moment;
use crate::words::{self, Word};

/// What opens a question that goes on with another one, the longest first.
pub(super) const GOES_ON: [&str; 9] =
    ["what about", "how about", "what of", "the same", "same", "also", "and", "now", "or"];

/// What opens a correction or a narrower question, the longest first.
const CORRECTS: [&str; 23] = [
    "narrow it down to",
    "zoom out to",
    "zoom in to",
    "zoom in on",
    "restrict it to",
    "limit it to",
    "change it to",
    "switch to",
    "make that",
    "make it",
    "i meant",
    "i mean",
    "it's",
    "actually",
    "instead",
    "sorry",
    "okay",
    "only",
    "just",
    "wait",
    "but",
    "no",
    "ok",
];

/// What opens what another thing is to be compared with, the longest first.
const COMPARES: [&str; 16] = [
    "how does it compare with",
    "how does that compare with",
    "how does it compare to",
    "how does that compare to",
    "compare it with",
    "compare that with",
    "compare this with",
    "compare it to",
    "compare that to",
    "compare this to",
    "compared with",
    "compared to",
    "compare with",
    "compare to",
    "versus",
    "vs",
];

/// What closes a follow-up and says nothing of its own.
const CLOSES: [&str; 19] = [
    "over the same period",
    "for the same period",
    "at the same time",
    "on the same day",
    "the same day",
    "on that day",
    "same period",
    "same month",
    "same week",
    "same day",
    "i meant",
    "i mean",
    "as well",
    "again",
    "instead",
    "please",
    "then",
    "only",
    "too",
];

/// How a follow-up is led in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Lead {
    /// As one more question: "and", "what about".
    GoesOn,
    /// As a correction or a narrower question: "no", "only".
    Corrects,
    /// As what the earlier question is to be compared with: "compare it with".
    Compares,
}

/// The text without what opens and closes a follow-up and what ends a sentence, and the last that there was of it.
pub(super) fn after_lead(text: &str) -> (&str, Option<Lead>) {
    let mut rest = words::unended(words::behind_greeting(text.trim()));
    let mut lead = None;
    if let Some(behind) = behind_than(rest) {
        (rest, lead) = (behind, Some(Lead::Compares));
    }
    let leads = || {
        let goes_on = GOES_ON.iter().map(|words| (*words, Lead::GoesOn));
        let compares = COMPARES.iter().map(|words| (*words, Lead::Compares));
        goes_on.chain(CORRECTS.iter().map(|words| (*words, Lead::Corrects))).chain(compares)
    };
    while let Some((behind, kind)) =
        leads().find_map(|(words, kind)| opened_by(rest, words).map(|behind| (behind, kind)))
    {
        (rest, lead) = (behind, Some(kind));
    }
    while let Some(before) = CLOSES.iter().find_map(|words| closed_by(rest, words)) {
        (rest, lead) = (before, lead.or(Some(Lead::Corrects)));
    }
    // "Back to dollars" turns round what was asked.
    if let Some(behind) = opened_by(rest, "back to").filter(|behind| standards::currency(behind).is_none()) {
        (rest, lead) = (behind, Some(Lead::Corrects));
    }
    if let Some(compared) = compared_how(rest) {
        (rest, lead) = (compared, Some(Lead::GoesOn));
    }
    // "On Acme, not on Other."
    match rest.split_once(", not ") {
        Some((told, _)) => (told, Some(Lead::Corrects)),
        None => (rest, lead),
    }
}

/// What a text that asks how "it" stands beside another thing holds it against: the Paris of "is it warmer than Paris" and of
/// "warmer than Paris".
fn behind_than(text: &str) -> Option<&str> {
    let (asks, behind) = text.split_once(" than ").filter(|(_, it)| it.starts_with(char::is_alphabetic))?;
    let asks = asks.to_lowercase();
    let compares = match asks.split(' ').collect::<Vec<_>>()[..] {
        [degree] => degree.ends_with("er") && !matches!(degree, "other" | "rather"),
        [
            "is" | "are" | "was" | "were",
            "it" | "that" | "this" | "they" | "those" | "these",
            ref degree @ ..,
        ]
        | ["will" | "would", "it" | "that" | "this" | "they", "be", ref degree @ ..] => {
            (1..=DEGREE_WORDS_MAX).contains(&degree.len())
        }
        _ => false,
    };
    compares.then_some(behind)
}

/// What is to be held beside what was asked: the Acme of "how does Acme compare".
fn compared_how(text: &str) -> Option<&str> {
    let behind = opened_by(text, "how does").or_else(|| opened_by(text, "how do"))?;
    let compared = closed_by(behind, "compare")?;
    (!matches!(compared.to_lowercase().as_str(), "it" | "that" | "this" | "they" | "these" | "those"))
        .then_some(compared)
}

/// Words that may say by which degree: "a lot more expensive".
const DEGREE_WORDS_MAX: usize = 4;

/// "Over the last week": a word before a time that says nothing of its own.
pub(super) fn leads_to_time(question: &Question, word: &Word) -> bool {
    let is_before = |moment: &Moment| {
        let between = question.text.get(word.range.end..moment.range.start);
        between.is_some_and(|between| matches!(between.trim(), "" | "the"))
    };
    matches!(word.lower.as_str(), "over" | "during" | "within") && question.moments.iter().any(is_before)
}

/// "Top 3": a word before a number that makes it one of rows.
pub(super) fn leads_to_count(question: &Question, word: &Word) -> bool {
    let is_count = |span: &Span| {
        matches!(span.kind, Kind::Number(amount) if amount.currency.is_none())
            && span.range.start == word.range.end + 1
    };
    matches!(word.lower.as_str(), "top" | "first") && question.spans.iter().any(is_count)
}

/// What follows a lead that opens a text.
pub(super) fn opened_by<'t>(text: &'t str, lead: &str) -> Option<&'t str> {
    let rest = words::behind_opening(text, lead)?.strip_prefix([' ', ',', '.', ':'])?;
    let rest = rest.trim_start_matches([' ', ',']);
    (!rest.is_empty()).then_some(rest)
}

/// What stands before some words that close a text.
fn closed_by<'t>(text: &'t str, close: &str) -> Option<&'t str> {
    let start = text.len().checked_sub(close.len())?;
    text.get(start..).filter(|end| end.eq_ignore_ascii_case(close))?;
    let rest = text[..start].strip_suffix([' ', ','])?.trim_end_matches([' ', ',']);
    (!rest.is_empty()).then_some(rest)
}
