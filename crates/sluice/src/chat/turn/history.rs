//! What is said again of a thread: the newest pairs of question and answer, each whole or shortened, never half of one.

use contract::chat::UiMessage;
use domain::{EarlierCall, Speaker, Turn as Said};
use policy::{Guardrails, HistoryLimits};
use serde_json::{Map, Value};

use super::{Refusal, Turn};

/// What stands where a text was cut.
const CUT: &str = " [...]";

/// Gives the core what was said before, within the policy's bounds.
#[expect(clippy::unnecessary_wraps, reason = "one of the list of steps")]
pub(super) fn fold(mut turn: Turn, rules: &Guardrails) -> Result<Turn, Refusal> {
    turn.asked.history = said_again(&turn.thread.messages, &rules.history);
    Ok(turn)
}

fn said_again(messages: &[UiMessage], limits: &HistoryLimits) -> Vec<Said> {
    let mut chars_left = limits.chars_max;
    let mut kept = Vec::new();
    for pair in pairs(messages).into_iter().rev().take(limits.pairs_max) {
        let pair = shortened(pair, limits.pair_chars_max);
        let chars: usize = pair.iter().map(|turn| turn.text.chars().count()).sum();
        let Some(left) = chars_left.checked_sub(chars) else { break };
        chars_left = left;
        kept.push(pair);
    }
    kept.into_iter().rev().flatten().collect()
}

/// Questions with their answers, oldest first; a question that has none is left out.
fn pairs(messages: &[UiMessage]) -> Vec<[Said; 2]> {
    let mut pairs = Vec::new();
    for two in messages.windows(2) {
        if let [question, answer] = two
            && question.role == "user"
            && answer.role == "assistant"
            && !answer.text().trim().is_empty()
        {
            let question =
                Said { speaker: Speaker::User, text: question.text().to_owned(), calls: Vec::new() };
            pairs.push([
                question,
                Said { speaker: Speaker::Assistant, text: answer.text().to_owned(), calls: calls(answer) },
            ]);
        }
    }
    pairs
}

/// What an answer called: methods by name, with their arguments.
fn calls(answer: &UiMessage) -> Vec<EarlierCall> {
    let called = answer.parts.iter().filter(|part| part["type"] == "dynamic-tool");
    let call = |part: &Value| {
        let name = part["toolName"].as_str()?;
        let method = name.rsplit_once('/').map_or(name, |(_, method)| method).to_owned();
        let arguments = part["input"].as_object().cloned().unwrap_or_else(Map::new);
        Some(EarlierCall { method, arguments })
    };
    called.filter_map(call).collect()
}

/// The pair with its answer, then its question, cut to what there is room for.
fn shortened([mut question, mut answer]: [Said; 2], chars_max: usize) -> [Said; 2] {
    question.text = cut(&question.text, chars_max / 2);
    answer.text = cut(&answer.text, chars_max.saturating_sub(question.text.chars().count()));
    [question, answer]
}

fn cut(text: &str, chars_max: usize) -> String {
    if text.chars().count() <= chars_max {
        return text.to_owned();
    }
    let room = chars_max.saturating_sub(CUT.chars().count());
    let start: String = text.chars().take(room).collect();
    // The end of a sentence or a line is the best place to stop.
    let end = start.rfind(['\n', '.', '!', '?']).map_or(start.len(), |at| at + 1);
    let start = if end * 2 > start.len() { &start[..end] } else { start.as_str() };
    if room == 0 { String::new() } else { format!("{}{CUT}", start.trim_end()) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::proptest;
    use serde_json::json;

    use super::*;

    const LIMITS: HistoryLimits = HistoryLimits { pairs_max: 2, pair_chars_max: 40, chars_max: 70 };

    fn message(role: &str, text: &str) -> UiMessage {
        UiMessage { role: role.to_owned(), ..UiMessage::said("m".to_owned(), text) }
    }

    fn texts(messages: &[UiMessage], limits: &HistoryLimits) -> Vec<String> {
        said_again(messages, limits).into_iter().map(|turn| turn.text).collect()
    }

    #[test]
    fn the_newest_pairs_are_said_again() {
        let messages: Vec<UiMessage> = (1..=3)
            .flat_map(|n| [message("user", &format!("Q{n}?")), message("assistant", &format!("A{n}."))])
            .collect();
        assert_eq!(texts(&messages, &LIMITS), ["Q2?", "A2.", "Q3?", "A3."]);
    }

    #[test]
    fn a_question_without_an_answer_is_left_out() {
        let messages = [
            message("user", "Q1?"),
            message("user", "Q2?"),
            message("assistant", "A2."),
            message("user", "Q3?"),
        ];
        assert_eq!(texts(&messages, &LIMITS), ["Q2?", "A2."]);
        assert_eq!(texts(&[message("user", "Q?"), message("assistant", " ")], &LIMITS), Vec::<String>::new());
    }

    #[test]
    fn a_long_answer_is_cut_at_a_sentence() {
        let messages =
            [message("user", "Q?"), message("assistant", "One is first. Two is second. Three is third.")];
        assert_eq!(texts(&messages, &LIMITS), ["Q?", "One is first. Two is second. [...]"]);
    }

    #[test]
    fn calls_are_known_by_method() {
        let mut answer = message("assistant", "A.");
        answer
            .parts
            .push(json!({"type": "dynamic-tool", "toolName": "Harbour/tides", "input": {"port": "Cork"}}));
        let said = said_again(&[message("user", "Q?"), answer], &LIMITS);
        assert_eq!(
            (said[1].calls[0].method.as_str(), &said[1].calls[0].arguments["port"]),
            ("tides", &json!("Cork"))
        );
    }

    proptest! {
        #[test]
        fn pairs_stay_whole_and_within_bounds(
            said in proptest::collection::vec((proptest::bool::ANY, ".{0,60}"), 0..12),
            pairs_max in 0_usize..4, pair_chars_max in 0_usize..60, chars_max in 0_usize..120,
        ) {
            let messages: Vec<UiMessage> = said
                .iter()
                .map(|(is_user, text)| message(if *is_user { "user" } else { "assistant" }, text))
                .collect();
            let limits = HistoryLimits { pairs_max, pair_chars_max, chars_max };
            let kept = said_again(&messages, &limits);
            assert!(kept.len() <= 2 * pairs_max && kept.len().is_multiple_of(2));
            for pair in kept.chunks(2) {
                assert_eq!((pair[0].speaker, pair[1].speaker), (Speaker::User, Speaker::Assistant));
                assert!(pair.iter().map(|turn| turn.text.chars().count()).sum::<usize>() <= pair_chars_max);
            }
            assert!(kept.iter().map(|turn| turn.text.chars().count()).sum::<usize>() <= chars_max);
        }
    }
}
