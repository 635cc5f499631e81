//! The sentences of a question that tell its story, and those that ask.

use std::ops::Range;

/// The sentences of the question that only tell its story, where others ask.
pub(super) fn beside(text: &str, question_at: usize) -> Vec<Range<usize>> {
    let mut sentences: Vec<(Range<usize>, bool)> = Vec::new();
    let mut start = question_at;
    for (at, mark) in text[question_at..].char_indices().map(|(at, mark)| (at + question_at, mark)) {
        let next = at + mark.len_utf8();
        let ends = matches!(mark, '?' | '!' | '\n' | '？' | '。')
            || mark == '.' && text[next..].starts_with([' ', '\n']);
        if ends || next == text.len() {
            sentences.push((start..next, asks(&text[start..next])));
            start = next;
        }
    }
    if !sentences.iter().any(|(_, asks)| *asks) {
        return Vec::new();
    }
    sentences.into_iter().filter(|(_, asks)| !asks).map(|(range, _)| range).collect()
}

/// Whether a sentence asks for something.
fn asks(sentence: &str) -> bool {
    const LEADS: [&str; 16] = [
        "please",
        "could you",
        "can you",
        "would you",
        "will you",
        "want to",
        "need to",
        "like to",
        "help me",
        "let's",
        "tell me",
        "give me",
        "show me",
        "i need",
        "i want",
        "looking for",
    ];
    let lower = sentence.to_lowercase();
    lower.contains(['?', '？']) || LEADS.iter().any(|lead| lower.contains(lead))
}
