//! A message that only says what is different from the question before it is asked as the whole question that it stands for.

use domain::{EarlierCall, Speaker};
use policy::Guardrails;
use serde_json::Value;

use super::choice::{is_a_value, replied};
use super::scope::courtesy;
use super::{Refusal, Turn};

/// Completes a follow-up to an answered question about tools. Documents are asked with the conversation itself.
#[expect(clippy::unnecessary_wraps, reason = "one of the list of steps")]
pub(super) fn complete(mut turn: Turn, rules: &Guardrails) -> Result<Turn, Refusal> {
    let may_follow = turn.asked.answers.is_none() && turn.asked.scope.documents.is_none();
    if may_follow
        && let Some(Standing { question, given }) = standing(&turn, rules)
        && let Some(whole) = reading::completed(&question, &given, &turn.asked.text, turn.thread.now)
    {
        turn.asked.text = whole;
    }
    Ok(turn)
}

/// The question that a conversation has come to.
#[derive(Default)]
struct Standing {
    question: String,
    /// What the last answer's calls were given.
    given: Vec<String>,
}

/// The last whole question, with what follow-ups and replies said since.
fn standing(turn: &Turn, rules: &Guardrails) -> Option<Standing> {
    let mut standing: Option<Standing> = None;
    let mut was_asked = false;
    for said in &turn.asked.history {
        match said.speaker {
            Speaker::User if courtesy(&said.text, rules).is_some() => {}
            Speaker::User => {
                let is_reply = was_asked && is_a_value(&said.text, rules);
                let whole = standing.as_ref().and_then(|Standing { question, given }| {
                    if is_reply {
                        Some(replied(question, &said.text))
                    } else {
                        reading::completed(question, given, &said.text, turn.thread.now)
                    }
                });
                let question = whole.unwrap_or_else(|| said.text.clone());
                standing.get_or_insert_default().question = question;
            }
            Speaker::Assistant => {
                was_asked = said.calls.is_empty() && said.text.contains('?');
                standing.get_or_insert_default().given = given(&said.calls);
            }
            Speaker::Recap => {}
        }
    }
    standing
}

/// The words that calls were given.
fn given(calls: &[EarlierCall]) -> Vec<String> {
    let values = calls.iter().flat_map(|call| call.arguments.values());
    values.filter_map(Value::as_str).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use contract::chat::UiMessage;

    use super::super::fixture::{rules, said};
    use super::super::{Known, Scope, Shelf, history};
    use super::*;

    /// What is asked where these messages, the reader's first, come before a text.
    fn asked(earlier: &[&str], text: &str) -> Turn {
        let messages = earlier.iter().enumerate().map(|(at, text)| {
            let role = if at % 2 == 0 { "user" } else { "assistant" };
            UiMessage { role: role.to_owned(), ..UiMessage::said(format!("m{at}"), text) }
        });
        let known = Known { messages: messages.collect(), ..Known::default() };
        history::fold(said(text).in_thread(known).unwrap(), &rules()).unwrap()
    }

    fn completed(earlier: &[&str], text: &str) -> String {
        complete(asked(earlier, text), &rules()).unwrap().asked.text
    }

    #[test]
    fn a_follow_up_is_asked_as_what_it_stands_for() {
        assert_eq!(completed(&["Weather in Paris?", "7 degrees."], "and in Tokyo?"), "Weather in Tokyo?");
        let thread = ["Weather in Paris?", "7 degrees.", "and in Tokyo?", "9 degrees."];
        assert_eq!(completed(&thread, "what about tomorrow?"), "Weather in Tokyo tomorrow?");
        assert_eq!(completed(&thread, "Who won the World Cup?"), "Who won the World Cup?");
        assert_eq!(completed(&[], "and in Tokyo?"), "and in Tokyo?");
        let thread = ["Weather in Paris?", "7 degrees.", "Thanks!", "You are welcome."];
        assert_eq!(completed(&thread, "and in Tokyo?"), "Weather in Tokyo?");
    }

    #[test]
    fn a_follow_up_to_a_reply_has_the_question_that_was_replied_to() {
        let thread = ["Convert 100 dollars", "To which currency?", "to euros", "85.91"];
        assert_eq!(completed(&thread, "and to yen?"), "Convert 100 dollars (to yen)");
        let changed = ["Convert 100 dollars", "To which currency?", "Weather in Paris?", "7 degrees."];
        assert_eq!(completed(&changed, "and in Rome?"), "Weather in Rome?");
    }

    #[test]
    fn replies_and_questions_to_documents_stay_as_they_are() {
        let mut turn = asked(&["Weather in Paris?", "7 degrees."], "and in Tokyo?");
        turn.asked.answers = Some(("clar_1".to_owned(), None));
        assert_eq!(complete(turn, &rules()).unwrap().asked.text, "and in Tokyo?");
        let mut turn = asked(&["What is borrowing?", "A way."], "and in Rust 2024?");
        turn.asked.scope = Scope { documents: Some(Shelf::default()), ..Scope::default() };
        assert_eq!(complete(turn, &rules()).unwrap().asked.text, "and in Rust 2024?");
    }
}
