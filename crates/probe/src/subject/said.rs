//! What was said before a question, and how far the question goes on with it.

use domain::{Speaker, Turn};
use reading::Question;

/// What was said before the question and is still open, with the question.
pub(crate) struct Said {
    /// The text: earlier turns of the caller, then the question.
    pub(crate) text: String,
    /// Where the question begins in it.
    pub(crate) question_at: usize,
}

impl Said {
    /// The question behind the last `turns_max` turns of the caller.
    pub(crate) fn of(question: &str, history: &[Turn], turns_max: usize) -> Self {
        let earlier: Vec<&str> = history
            .iter()
            .filter(|turn| turn.speaker == Speaker::User)
            .map(|turn| turn.text.as_str())
            .collect();
        let mut text = String::new();
        for turn in &earlier[earlier.len().saturating_sub(turns_max)..] {
            text.push_str(turn);
            text.push_str(".\n");
        }
        let question_at = text.len();
        text.push_str(question);
        Self { text, question_at }
    }
}

/// Words of content that make a turn stand on its own.
const STANDS_ALONE_WORDS: usize = 5;

/// How far the question continues an earlier turn, from 0 to 1.
pub(super) fn continuation(whole: &Question, question_at: usize, history: &[Turn]) -> f64 {
    if question_at == 0 {
        return 0.0;
    }
    let content = whole.words.iter().filter(|word| word.range.start >= question_at && !word.is_stop).count();
    #[expect(clippy::cast_precision_loss, reason = "a turn has few words")]
    let shortness = 1.0 - (content as f64 / (2 * STANDS_ALONE_WORDS) as f64).min(1.0);
    if asks_back(history) { 1.0 } else { shortness * 0.6 }
}

/// Whether the last turn asks something back.
pub(crate) fn asks_back(history: &[Turn]) -> bool {
    history.last().is_some_and(|turn| {
        let text = turn.text.trim_end();
        turn.speaker == Speaker::Assistant
            && (text.contains(['?', '？']) || text.ends_with("요.") || text.ends_with("요"))
    })
}
