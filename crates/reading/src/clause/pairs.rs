//! Pairs of currencies that are asked for beside each other: "EUR/USD vs GBP/USD".

use std::ops::Range;

use super::Word;
use crate::standards;
use crate::words;

/// The same question of each of the pairs that a text names one behind the other; none where it names fewer than two.
pub(super) fn apart(text: &str, words: &[Word]) -> Option<Vec<String>> {
    let mut pairs: Vec<Range<usize>> = Vec::new();
    for two in words.windows(2) {
        let range = two[0].0.start..two[1].0.end;
        if is_pair(text, two) && pairs.last().is_none_or(|last| last.end <= range.start) {
            pairs.push(range);
        }
    }
    let are_beside = |two: &[Range<usize>]| is_between(&text[two[0].end..two[1].start]);
    let (first, last) = (pairs.first()?, pairs.last()?);
    if pairs.len() < 2 || !pairs.windows(2).all(are_beside) {
        return None;
    }
    let head = &text[..first.start];
    let only_asks = ["compare", "what are"].iter().any(|lead| words::behind_opening(head, lead).is_some());
    // "Which is higher, EUR/USD or GBP/USD", "is EUR/USD higher than GBP/USD".
    let is_weighed = head.trim_end().ends_with(',') && words::behind_opening(head, "which").is_some();
    let head = if only_asks || is_weighed || head.trim().eq_ignore_ascii_case("is") { "" } else { head };
    // "EUR/USD or GBP/USD, which is higher?"
    let tail = Some(&text[last.end..]).filter(|tail| !tail.starts_with(',')).unwrap_or_default();
    let asked = |pair: &Range<usize>| format!("{head}{}{tail}", &text[pair.clone()]);
    Some(pairs.iter().map(asked).collect())
}

/// Whether two words are the codes of two currencies, with nothing between them.
fn is_pair(text: &str, two: &[Word]) -> bool {
    let is_code = |word: &Word| word.1.len() == 3 && standards::currency(&word.1).is_some();
    let gap = &text[two[0].0.end..two[1].0.start];
    matches!(gap, "/" | "-" | " ") && two.iter().all(is_code) && two[0].1 != two[1].1
}

fn is_between(gap: &str) -> bool {
    let joins = |it: &str| matches!(it, "" | "," | "and" | "or" | "vs" | "vs." | "versus" | "with" | "&");
    let gap = gap.trim().to_lowercase();
    let weighs = |it: &str| it.strip_suffix("er than").is_some_and(|degree| !degree.contains(' '));
    joins(&gap) || weighs(&gap) || gap.strip_prefix(',').is_some_and(|rest| joins(rest.trim()))
}
