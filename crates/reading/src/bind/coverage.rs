//! How much of a question a method and its bound arguments account for.

use std::ops::Range;

use super::Argument;
use super::parameter::Parameters;
use crate::Question;
use crate::form;
use crate::spans::overlaps;
use crate::standards;
use crate::words::Word;

/// How much of a question's content is accounted for.
#[derive(Clone, Debug, PartialEq)]
pub struct Coverage {
    /// Stems of the content words that neither an argument's value nor the method's own words take up, and that mean nearly the
    /// same as none of those, in order.
    pub left: Vec<String>,
    /// The used share of all, from 0 to 1; 1 for a question without content words.
    pub share: f64,
}

impl Coverage {
    /// The share that would be used where only some of what is left was.
    #[must_use]
    pub fn share_leaving(&self, is_left: impl Fn(&String) -> bool) -> f64 {
        let left = self.left.iter().filter(|stem| is_left(stem)).count();
        #[expect(clippy::cast_precision_loss, reason = "a question has few words")]
        let kept = left as f64 / self.left.len().max(1) as f64;
        1.0 - (1.0 - self.share) * kept
    }

    /// Accounts for more stems.
    pub fn account_for(&mut self, is_known: impl Fn(&String) -> bool) {
        self.share = self.share_leaving(|stem| !is_known(stem));
        self.left.retain(|stem| !is_known(stem));
    }
}

/// How much is accounted for of a word that means nearly the same as one of the method's, as a share.
const AKIN_SHARE: f64 = 0.5;

/// Whether a word says of something only that it is to be had: "the supported exchanges", "which exchanges do you support".
fn says_it_exists(question: &Question, word: &Word) -> bool {
    let is_last = || question.words_behind(&word.range).is_empty();
    match word.lower.as_str() {
        "support" => is_last(),
        word => matches!(word, "available" | "existing" | "offered" | "possible" | "supported"),
    }
}

/// Whether a question says values that arguments list, and nothing else: "acme eur".
#[must_use]
pub fn says_only_listed(question: &Question, parameters: &Parameters, arguments: &[Argument]) -> bool {
    let is_listed = |argument: &&Argument| parameters.has_choices(&argument.name);
    let listed: Vec<&Range<usize>> = arguments.iter().filter(is_listed).filter_map(Argument::place).collect();
    let mut content = question.words.iter().filter(|word| !word.is_stop).peekable();
    content.peek().is_some() && content.all(|word| listed.iter().any(|said| overlaps(said, &word.range)))
}

pub(super) fn coverage(question: &Question, parameters: &Parameters, arguments: &[Argument]) -> Coverage {
    let places = arguments.iter().flat_map(Argument::places);
    let claimed: Vec<&Range<usize>> = arguments.iter().filter_map(Argument::said_at).chain(places).collect();
    let is_claimed = |word: &Word| claimed.iter().any(|range| overlaps(range, &word.range));
    // What is told of a coin is counted in it, too: "BTC transfers over 300 BTC".
    let is_coin_claimed = |word: &Word| {
        let is_again = |other: &Word| other.lower == word.lower && is_claimed(other);
        question.words.iter().any(is_again) && standards::coin(&word.lower).is_some()
    };
    let (mut all, mut used) = (0.0, 0.0);
    let mut left = Vec::new();
    // A mean is taken of what any method gives over the time.
    let wants_mean = form::wants_mean(&question.words, &question.moments);
    let is_mean = |word: &Word| wants_mean && form::is_mean_word(&word.lower);
    let is_content = |word: &&Word| !word.is_stop && !says_it_exists(question, word) && !is_mean(word);
    // What an argument is asked over is taken by it under any of its names: the coin of "funding of every coin" is an asset.
    let dimension = question.form.dimension.as_ref();
    let is_asked_over = dimension.is_some_and(|noun| parameters.list.iter().any(|it| noun.is_among(&it.own)));
    let is_of_dimension =
        |word: &Word| is_asked_over && dimension.is_some_and(|noun| noun.stems.last() == Some(&word.stem));
    // All of them may be meant together, and each may not.
    let is_each = |(at, word): &(usize, &Word)| {
        is_asked_over && matches!(word.lower.as_str(), "each" | "every" | "per") && question.says_each(*at)
    };
    let content = question.words.iter().enumerate().filter(|it| is_content(&it.1) && !is_each(it));
    for (_, word) in content {
        let is_own = parameters.knows(&word.stem) || is_of_dimension(word);
        // "Now" is left over by no method that tells how things are.
        if !is_own && question.is_now(word) {
            continue;
        }
        all += 1.0;
        if is_own || is_claimed(word) || is_coin_claimed(word) {
            used += 1.0;
        } else if parameters.is_akin(&word.stem) {
            used += AKIN_SHARE;
        } else {
            left.push(word.stem.clone());
        }
    }
    let share = if all == 0.0 { 1.0 } else { used / all };
    Coverage { left, share }
}
