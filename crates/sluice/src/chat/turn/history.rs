//! What is said again of a thread: the newest pairs of question and answer, each whole or shortened, never half of one, and
//! before them what is kept of the beginning in short.

use contract::chat::UiMessage;
use domain::{EarlierCall, Speaker, Turn as Said};
use policy::{Guardrails, HistoryLimits};
use serde_json::{Map, Value};
use store::Recap;

use super::choice::replied;
use super::scope::courtesy;
use super::{Refusal, Turn};

/// What stands where a text was cut.
const CUT: &str = " [...]";

/// The beginning of a thread, which no longer fits and is to be put in short.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Beginning {
    /// What was told of it before; empty where nothing was.
    pub(crate) known: String,
    /// What was said after that, pair by pair.
    pub(crate) said: Vec<Said>,
    /// The last answer among that, by its message's id.
    pub(crate) through: String,
    /// Characters that it may come to.
    pub(crate) chars_max: usize,
}

/// A question with its answer.
struct Pair<'a> {
    /// The answer's message.
    id: &'a str,
    said: [Said; 2],
}

/// Gives the core what was said before, within the policy's bounds, and takes note of what does not fit. A "thanks" says nothing.
#[expect(clippy::unnecessary_wraps, reason = "one of the list of steps")]
pub(super) fn fold(mut turn: Turn, rules: &Guardrails) -> Result<Turn, Refusal> {
    let known = turn.thread.recap.take();
    let mut pairs = pairs(&turn.thread.messages);
    pairs.retain(|pair| courtesy(&pair.said[0].text, rules).is_none());
    let (history, beginning) = folded(&pairs, known.as_ref(), &rules.history);
    (turn.asked.history, turn.asked.beginning) = (history, beginning);
    Ok(turn)
}

/// Tells in short what was said before the rest.
pub(crate) fn told_in_short(history: &mut Vec<Said>, text: &str) {
    history.retain(|turn| turn.speaker != Speaker::Recap);
    history.insert(0, Said::said(Speaker::Recap, text));
}

fn folded(
    pairs: &[Pair<'_>],
    known: Option<&Recap>,
    limits: &HistoryLimits,
) -> (Vec<Said>, Option<Beginning>) {
    let said_again = said_again(pairs, limits);
    let left_out = pairs.len() - said_again.len();
    // What was told of an answer that is gone, or was taken back, says nothing of this thread.
    let known = known.and_then(|known| {
        let at = pairs.iter().position(|pair| pair.id == known.through)?;
        Some((known.text.as_str(), at + 1))
    });
    let (text, told) = known.unwrap_or_default();
    let mut history: Vec<Said> = said_again.into_iter().flatten().collect();
    if told > 0 && left_out > 0 {
        told_in_short(&mut history, text);
    }
    if left_out <= told {
        return (history, None);
    }
    let end = (left_out + limits.recap_pairs - 1).min(pairs.len());
    let said = pairs[told..end].iter().flat_map(|pair| shortened(&pair.said, limits.pair_chars_max));
    let beginning = Beginning {
        known: text.to_owned(),
        said: said.collect(),
        through: pairs[end - 1].id.to_owned(),
        chars_max: limits.recap_chars_max,
    };
    (history, Some(beginning))
}

/// The newest pairs that fit, oldest first.
fn said_again(pairs: &[Pair<'_>], limits: &HistoryLimits) -> Vec<[Said; 2]> {
    let mut chars_left = limits.chars_max;
    let mut kept = Vec::new();
    for pair in pairs.iter().rev().take(limits.pairs_max) {
        let pair = shortened(&pair.said, limits.pair_chars_max);
        let chars: usize = pair.iter().map(|turn| turn.text.chars().count()).sum();
        let Some(left) = chars_left.checked_sub(chars) else { break };
        chars_left = left;
        kept.push(pair);
    }
    kept.reverse();
    kept
}

/// Questions with their answers, oldest first; a question that has none is left out. What was replied to a question back is the
/// question that it completes, and that it was asked back is left out. More of a list is the answer to the question for that.
fn pairs(messages: &[UiMessage]) -> Vec<Pair<'_>> {
    let mut pairs: Vec<Pair<'_>> = Vec::new();
    for (at, two) in messages.windows(2).enumerate() {
        if let [question, answer] = two
            && question.role == "user"
            && answer.role == "assistant"
            && !answer.text().trim().is_empty()
        {
            let asked_back = at.checked_sub(1).map(|before| &messages[before]);
            let completed = asked_back.and_then(|asked_back| completed(question, asked_back));
            if completed.is_some() {
                pairs.pop_if(|pair| asked_back.is_some_and(|asked_back| pair.id == asked_back.id));
            }
            let question = Said::said(Speaker::User, completed.as_deref().unwrap_or(question.text()));
            let said = Said { calls: calls(answer), ..Said::said(Speaker::Assistant, answer.text()) };
            let lists = |pair: &&mut Pair<'_>| rows(&pair.said[1].text) > 0;
            let is_more = rows(&said.text) > 0 && reading::asks_for_more(&question.text);
            match pairs.last_mut().filter(|_| is_more).filter(lists) {
                Some(listed) => (listed.id, listed.said[1]) = (&answer.id, said),
                None => pairs.push(Pair { id: &answer.id, said: [question, said] }),
            }
        }
    }
    pairs
}

/// The question that a message completes as a reply to the clarification that a message before it asked for.
fn completed(reply: &UiMessage, asked_back: &UiMessage) -> Option<String> {
    let answered = reply.metadata.get("clarification")?;
    let is_it = |part: &&Value| {
        part["type"] == "data-clarification" && part["data"]["clarificationId"] == answered["clarificationId"]
    };
    let card = asked_back.parts.iter().find(is_it)?;
    let original = card["data"]["originalQuery"].as_str()?;
    let is_picked = answered["optionId"].is_string();
    Some(if is_picked { original.to_owned() } else { replied(original, reply.text()) })
}

/// The rows of the tables in an answer, but for what heads them.
pub(super) fn rows(answer: &str) -> usize {
    let lines: Vec<&str> = answer.lines().filter(|line| line.starts_with('|')).collect();
    let heads = lines.iter().filter(|line| line.starts_with("| ---")).count();
    lines.len().saturating_sub(2 * heads)
}

/// What an answer called: methods by name, with their arguments. What came to no answer is about nothing.
fn calls(answer: &UiMessage) -> Vec<EarlierCall> {
    if answer.metadata.get("outcome").is_some_and(|outcome| outcome != "answer") {
        return Vec::new();
    }
    let call = |part: &Value| {
        let (_, method) = called(part)?;
        let arguments = part["input"].as_object().cloned().unwrap_or_else(Map::new);
        Some(EarlierCall { method: method.to_owned(), arguments })
    };
    answer.parts.iter().filter_map(call).collect()
}

/// The listing and the method that a part of a message called, by name; the listing may be untold.
pub(crate) fn called(part: &Value) -> Option<(&str, &str)> {
    let name = part["toolName"].as_str().filter(|_| part["type"] == "dynamic-tool")?;
    Some(name.rsplit_once('/').unwrap_or(("", name)))
}

/// The pair with its answer, then its question, cut to what there is room for.
fn shortened(pair: &[Said; 2], chars_max: usize) -> [Said; 2] {
    let [mut question, mut answer] = pair.clone();
    question.text = cut(&question.text, chars_max / 2);
    answer.text = cut(&answer.text, chars_max.saturating_sub(question.text.chars().count()));
    [question, answer]
}

/// The text, cut where a sentence of it ends, to so many characters at the most.
pub(crate) fn cut(text: &str, chars_max: usize) -> String {
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

    use super::super::Known;
    use super::super::fixture::{self, rules};
    use super::*;

    const LIMITS: HistoryLimits = HistoryLimits {
        pairs_max: 2,
        pair_chars_max: 40,
        chars_max: 70,
        recap_chars_max: 50,
        recap_pairs: 2,
    };

    fn said_again(messages: &[UiMessage], limits: &HistoryLimits) -> Vec<Said> {
        folded(&pairs(messages), None, limits).0
    }

    /// A thread of so many pairs.
    fn thread(pairs: usize) -> Vec<UiMessage> {
        let pair = |n: usize| {
            let answer = message("assistant", &format!("A{n}."));
            [message("user", &format!("Q{n}?")), UiMessage { id: format!("a{n}"), ..answer }]
        };
        (1..=pairs).flat_map(pair).collect()
    }

    #[test]
    fn what_does_not_fit_is_put_in_short_a_few_pairs_at_a_time() {
        let texts = |said: &[Said]| said.iter().map(|turn| turn.text.clone()).collect::<Vec<_>>().join(" ");
        assert_eq!(folded(&pairs(&thread(2)), None, &LIMITS).1, None);
        let (history, beginning) = folded(&pairs(&thread(3)), None, &LIMITS);
        let beginning = beginning.unwrap();
        assert_eq!(texts(&history), "Q2? A2. Q3? A3.");
        assert_eq!((texts(&beginning.said).as_str(), beginning.through.as_str()), ("Q1? A1. Q2? A2.", "a2"));
        let known = Recap { through: beginning.through, text: "One and two.".to_owned() };
        // It lasts for the next turn, and stands before what is said again.
        let (history, beginning) = folded(&pairs(&thread(4)), Some(&known), &LIMITS);
        assert_eq!((texts(&history).as_str(), beginning), ("One and two. Q3? A3. Q4? A4.", None));
        assert_eq!(history[0].speaker, Speaker::Recap);
        // Then it is made anew, of itself and of what came after.
        let (_, beginning) = folded(&pairs(&thread(5)), Some(&known), &LIMITS);
        let beginning = beginning.unwrap();
        assert_eq!(
            (beginning.known.as_str(), texts(&beginning.said).as_str()),
            ("One and two.", "Q3? A3. Q4? A4.")
        );
        // Where the answer that it goes to was taken back, it tells of another thread.
        let gone = Recap { through: "a9".to_owned(), ..known };
        let (history, beginning) = folded(&pairs(&thread(3)), Some(&gone), &LIMITS);
        assert_eq!((texts(&history).as_str(), beginning.unwrap().known.as_str()), ("Q2? A2. Q3? A3.", ""));
    }

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
    fn what_asks_for_nothing_is_left_out() {
        let said = |role: &str, text: &str| message(role, text);
        let messages = vec![
            said("user", "Q1?"),
            said("assistant", "A1."),
            said("user", "Thanks!"),
            said("assistant", "You are welcome."),
        ];
        let thread = Known { messages, ..Known::default() };
        let turn = fixture::said("Q2?").in_thread(thread).unwrap();
        let history = fold(turn, &rules()).unwrap().asked.history;
        assert_eq!(history.iter().map(|turn| turn.text.as_str()).collect::<Vec<_>>(), ["Q1?", "A1."]);
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
    fn what_was_replied_is_the_question_that_it_completes() {
        let card = json!({"type": "data-clarification",
            "data": {"clarificationId": "c1", "originalQuery": "Price?"}});
        let asked_back = || UiMessage { id: "a1".to_owned(), ..message("assistant", "Which one?") };
        let carded =
            || UiMessage { parts: [asked_back().parts, vec![card.clone()]].concat(), ..asked_back() };
        let thread = |asked_back: UiMessage, reply: UiMessage| {
            [message("user", "Price of it?"), asked_back, reply, message("assistant", "0.14")]
        };
        let picked = message("user", "2").answering("c1", Some("tool:method"));
        assert_eq!(texts(&thread(carded(), picked.clone()), &LIMITS), ["Price?", "0.14"]);
        let told = message("user", "noon").answering("c1", None);
        assert_eq!(texts(&thread(carded(), told), &LIMITS), ["Price? (noon)", "0.14"]);
        let other = thread(carded(), message("user", "2"));
        assert_eq!(texts(&other, &LIMITS), ["Price of it?", "Which one?", "2", "0.14"]);
        assert_eq!(texts(&thread(asked_back(), picked), &LIMITS).len(), 4);
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
            let limits = HistoryLimits { pairs_max, pair_chars_max, chars_max, ..LIMITS };
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
