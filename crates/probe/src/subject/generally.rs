//! How much a question tells of itself: whether it asks of a thing generally, and how many things it tells.

use reading::Question;
use reading::words::Word;

use super::is_value;

/// Whether it asks how something named is doing, or to be told of it, and not what of it: "how is ETH looking?", "an update
/// on Tokyo".
pub(super) fn asks_generally(whole: &Question, now: &[Word]) -> bool {
    const TELLING: [&str; 11] = [
        "check",
        "look",
        "update",
        "overview",
        "status",
        "brief",
        "rundown",
        "summary",
        "info",
        "information",
        "latest",
    ];
    const DOING: [&str; 5] = ["looking", "doing", "going", "faring", "up"];
    let is =
        |word: Option<&Word>, listed: &[&str]| word.is_some_and(|word| listed.contains(&word.lower.as_str()));
    let is_how = is(now.first(), &["how", "hows", "what", "whats"]) && is(now.last(), &DOING);
    let mut content = now.iter().filter(|word| !word.is_stop && !is_value(whole, &word.range)).peekable();
    is_how || content.peek().is_some() && content.all(|word| is(Some(word), &TELLING))
}

/// The stretches between commas and the like, and around "and", that say anything.
pub(super) fn parts(text: &str, now: &[Word]) -> usize {
    let begins = |pair: &[Word]| {
        let gap = &text[pair[0].range.end..pair[1].range.start];
        gap.contains([',', ';', '\n', '、', '，', '·']) || pair[1].lower == "and"
    };
    let starts = now.windows(2).enumerate().filter(|(_, pair)| begins(pair)).map(|(at, _)| at + 1);
    let bounds: Vec<usize> = [0].into_iter().chain(starts).chain([now.len()]).collect();
    bounds.windows(2).filter(|pair| now[pair[0]..pair[1]].iter().any(|word| !word.is_stop)).count()
}
