//! How a question is built, in numbers that the models weigh.

use reading::Question;
use reading::words::Word;

use super::generally::asks_generally;
use crate::numbers::{count, flag};
use crate::signals::Signals;

/// Words for one that is not told.
const INDEFINITE: [&str; 12] = [
    "some",
    "certain",
    "specific",
    "another",
    "different",
    "particular",
    "any",
    "someone",
    "somewhere",
    "something",
    "few",
    "appropriate",
];

/// Words for one that was told before.
const REFERRING: [&str; 14] = [
    "it",
    "that",
    "this",
    "these",
    "those",
    "them",
    "same",
    "there",
    "its",
    "aforementioned",
    "above",
    "previous",
    "latest",
    "last",
];

/// What is known of a question beside its text.
pub(super) struct Built {
    /// How much its words count that name, count or date something.
    pub(super) values: f64,
    /// How far it continues an earlier turn, from 0 to 1.
    pub(super) continuation: f64,
    /// How many kinds of deeds it asks for.
    pub(super) actions: usize,
    /// Whether something was called before it.
    pub(super) has_calls: bool,
}

impl Built {
    /// The signals of a question whose words are `now`, from `question_at` on in all that was said.
    pub(super) fn signals(&self, whole: &Question, question_at: usize, now: &[Word]) -> Signals {
        let holds = |listed: &[&str]| now.iter().filter(|word| listed.contains(&word.lower.as_str())).count();
        vec![
            ("values_now", self.values.ln_1p()),
            ("indefinite", count(holds(&INDEFINITE)).ln_1p()),
            ("refers", count(holds(&REFERRING)).ln_1p()),
            ("articles", count(holds(&["a", "an"])).ln_1p()),
            ("mine", count(holds(&["my", "our", "friend"])).ln_1p()),
            ("length", count(now.len()).ln_1p()),
            ("content", count(now.iter().filter(|word| !word.is_stop).count()).ln_1p()),
            ("is_question", flag(whole.text.trim_end().ends_with(['?', '？']))),
            ("continues", self.continuation),
            ("has_history", flag(question_at > 0)),
            ("acts", count(self.actions).ln_1p()),
            ("generally", flag(asks_generally(whole, now))),
            ("unspaced", flag(is_unspaced(now))),
            ("values_each_word", self.values / (1.0 + count(now.len()))),
            ("after_calls", flag(self.has_calls)),
        ]
    }
}

/// Whether most of its words are of a script of which only pieces can be compared.
pub(super) fn is_unspaced(now: &[Word]) -> bool {
    let other = now.iter().filter(|word| !word.lower.is_ascii()).count();
    2 * other > now.len()
}
