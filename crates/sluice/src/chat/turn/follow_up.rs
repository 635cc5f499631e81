//! A message that only says what is different from the question before it is asked as the whole question that it stands for.

use domain::{EarlierCall, Speaker};
use jiff::Timestamp;
use policy::Guardrails;
use reading::{Given, Question, words};
use serde_json::Value;

use super::choice::asked_anew;
use super::history::rows;
use super::{Refusal, Turn};

/// Completes a follow-up to an answered question about tools. Documents are asked with the conversation itself.
#[expect(clippy::unnecessary_wraps, reason = "one of the list of steps")]
pub(super) fn complete(mut turn: Turn, _: &Guardrails) -> Result<Turn, Refusal> {
    let may_follow = turn.asked.answers.is_none() && turn.asked.scope.documents.is_none();
    if may_follow
        && let Some(standing) = standing(&turn)
        && let Some(whole) = standing.completed_by(&turn.asked.text, &turn)
    {
        turn.asked.text = whole;
    }
    Ok(turn)
}

/// The question that a conversation has come to.
#[derive(Default)]
struct Standing {
    question: String,
    /// The one before, where it went on with that.
    before: Option<String>,
    /// The last question that counted something off, and asked something of it.
    counted: Option<String>,
    /// What the last answer's calls were given.
    given: Vec<String>,
    /// The methods that they called.
    called: Vec<String>,
    /// How many rows it listed.
    rows: usize,
}

impl Standing {
    /// The whole question that a follow-up stands for.
    fn completed_by(&self, text: &str, turn: &Turn) -> Option<String> {
        let given = Given {
            values: &self.given,
            listed: &turn.thread.listed,
            methods: &turn.thread.methods,
            elsewhere: &turn.thread.elsewhere,
            is_found: turn.thread.is_found,
            rows: self.rows,
        };
        let now = turn.thread.now;
        let counted = self.counted.as_ref();
        let next = counted.and_then(|earlier| reading::counted_next(earlier, text, now));
        let both = || reading::compared(self.before.as_deref(), &self.question, given, text, now);
        next.or_else(both).or_else(|| reading::completed(&self.question, given, text, now))
    }

    /// The last question was answered.
    fn take_answer(&mut self, answer: &domain::Turn, aside: Option<&str>, now: Timestamp) {
        let calls = &answer.calls;
        self.rows = rows(&answer.text);
        let called: Vec<String> = calls.iter().map(|call| call.method.clone()).collect();
        let is_the_same = called == self.called;
        (self.given, self.called) = (given(calls), called);
        if let Some(answered) = aside {
            self.go_on(answered, is_the_same, now);
        }
    }

    /// A question that went on with the one before takes its place, with what its answer took of that one: its time where the same
    /// methods gave it.
    fn go_on(&mut self, answered: &str, is_of_its_time: bool, now: Timestamp) {
        let says_when = |phrase: &str| !Question::read(phrase, now).moments.is_empty();
        let keeps_time = is_of_its_time && !says_when(answered);
        let is_taken = |phrase: &String| {
            let words: Vec<String> = phrase.split_whitespace().map(str::to_lowercase).collect();
            self.given.iter().any(|value| words.contains(&value.to_lowercase()))
                || keeps_time && says_when(phrase)
        };
        let taken = reading::told_by(&self.question, None, now).into_iter().filter(is_taken);
        let asked = words::unended(answered).to_owned();
        self.question = taken.fold(asked, |question, phrase| format!("{question} {phrase}"));
    }
}

/// The last whole question, with what follow-ups said since. What goes on with it and names nothing to put into it
/// takes its place where it was answered: "and the forecast?"
fn standing(turn: &Turn) -> Option<Standing> {
    let mut standing: Option<Standing> = None;
    let mut aside = None;
    let counts_off = |text: &str| reading::counts_off(&Question::read(text, turn.thread.now));
    for said in &turn.asked.history {
        match said.speaker {
            // What a figure is held against is looked at beside it: the next message goes on with the figure.
            Speaker::User if standing.is_some() && reading::asks_if_much(&said.text) => aside = None,
            Speaker::User if standing.is_some() && counts_off(&said.text) => {
                aside = None;
                if let Some(standing) = &mut standing {
                    let whole = standing.completed_by(&said.text, turn);
                    standing.counted = Some(whole.unwrap_or_else(|| said.text.clone()));
                }
            }
            Speaker::User => {
                let anew = asked_anew(&said.text);
                let before = standing.as_ref().filter(|_| anew.is_none());
                let whole = before.and_then(|before| before.completed_by(&said.text, turn));
                let names_nothing = || reading::told_by(&said.text, None, turn.thread.now).is_empty();
                let goes_on = standing.is_some() && (reading::points_back(&said.text) || names_nothing());
                aside = whole.is_none().then_some(&said.text).filter(|_| goes_on);
                let is_completed = whole.is_some();
                if aside.is_none() {
                    let question = whole.unwrap_or_else(|| anew.unwrap_or(&said.text).to_owned());
                    let standing = standing.get_or_insert_default();
                    standing.before = is_completed.then(|| std::mem::take(&mut standing.question));
                    (standing.question, standing.counted) = (question, None);
                }
            }
            Speaker::Assistant => {
                let standing = standing.get_or_insert_default();
                let aside: Option<&String> = aside.take();
                if !said.calls.is_empty() {
                    standing.take_answer(said, aside.map(String::as_str), turn.thread.now);
                }
            }
            Speaker::Recap => {}
        }
    }
    standing
}

/// The words that calls were given, and those that they are made of: an "acme:btc-quarterly" is of "acme".
fn given(calls: &[EarlierCall]) -> Vec<String> {
    let values = calls.iter().flat_map(|call| call.arguments.values()).filter_map(Value::as_str);
    let parts = |value: &str| {
        let parts = value.split([':', '/', '-', '_']).map(str::to_owned);
        let parts: Vec<String> = parts.filter(|part| part.chars().any(char::is_alphabetic)).collect();
        if parts.len() > 1 { parts } else { Vec::new() }
    };
    values.flat_map(|value| std::iter::once(value.to_owned()).chain(parts(value))).collect()
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
        assert_eq!(completed(&thread, "and to yen?"), "Convert 100 dollars to yen");
        let changed = ["Convert 100 dollars", "To which currency?", "Weather in Paris?", "7 degrees."];
        assert_eq!(completed(&changed, "and in Rome?"), "Weather in Rome?");
    }

    #[test]
    fn what_was_not_answered_takes_no_place() {
        let thread = ["Weather in Paris?", "7 degrees.", "and is that a lot?", "No tool can tell."];
        assert_eq!(completed(&thread, "and in Rome?"), "Weather in Rome?");
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
