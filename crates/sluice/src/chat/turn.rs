//! A turn: what is done with a message before the shared core sees it, as a list of pure steps in the order they are taken.
//!
//! At the door nothing of the thread is known yet; what is refused there was never counted, kept or looked up. Then the rate is
//! taken (`windows.rs`), the thread is read, and the steps in the thread follow; the quota is counted last. Budgets of calls
//! and models, the answer from what is there, retry and fallback are the core's own, under budgets that are narrowed for
//! callers without a key (`policy::Guardrails::narrowed`); a thread about documents has them in `desk/explore/next.rs`.
//! Citations come last: those that hold are told once more before the end (`to_wire/chat/ending.rs`).

mod choice;
mod credentials;
mod follow_up;
mod history;
mod ingress;
mod scope;

use contract::chat::{ChatBody, ClarificationCard, UiMessage};
use domain::{ClarificationPolicy, Depth, Include, ListingId, Query, ResponseShape, SaidChoice, ToolScope};
use jiff::Timestamp;
use policy::Guardrails;
use reading::words::Terms;
use serde::{Deserialize, Serialize};
use store::Recap;

use crate::desk::explore::Inquiry;
pub(crate) use history::{Beginning, called, cut, told_in_short};

/// A message on its way to the core.
#[derive(Debug)]
pub(crate) struct Turn {
    /// What came, its text cleaned on the way.
    pub(crate) body: ChatBody,
    /// Whether the caller has no key.
    pub(crate) is_anonymous: bool,
    /// What is known of the thread; empty at the door.
    pub(crate) thread: Known,
    /// What the core is asked; the message's text unless a step says otherwise.
    pub(crate) asked: Asked,
}

/// What is known of a thread.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// Its scope, where it is there.
    pub(crate) scope: Option<Scope>,
    /// What was said before, oldest first, without broken-off answers.
    pub(crate) messages: Vec<UiMessage>,
    /// What is kept of its beginning in short.
    pub(crate) recap: Option<Recap>,
    /// What it waits on.
    pub(crate) pending: Option<Pending>,
    /// The listings that may serve a caller without a key; none for all.
    pub(crate) open_listings: Option<Vec<ListingId>>,
    /// For each argument of the methods of its last answer that lists its values those values.
    pub(crate) listed: Vec<Vec<String>>,
    /// The words that each method of their listings is named by.
    pub(crate) methods: Vec<Terms>,
    /// The words that each method of other listings is named by, where a search by words gave that answer.
    pub(crate) elsewhere: Vec<Terms>,
    /// Whether a search by words gave that answer.
    pub(crate) is_found: bool,
    /// Whether there are documents that may serve the caller.
    pub(crate) has_documents: bool,
    /// Now.
    pub(crate) now: Timestamp,
}

/// What the core is asked.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) text: String,
    pub(crate) choice: Option<SaidChoice>,
    /// The clarification that it answers, and the option that is meant; none for an answer in own words.
    pub(crate) answers: Option<(String, Option<String>)>,
    pub(crate) history: Vec<domain::Turn>,
    /// What of the thread is neither said again nor told in short; none where nothing is left.
    pub(crate) beginning: Option<Beginning>,
    pub(crate) scope: Scope,
    /// What is replied where nothing is done for it.
    pub(crate) aside: Option<Aside>,
}

/// A message that is replied to, and for which nothing is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Aside {
    /// It is turned away.
    OutOfScope,
    /// It asks for nothing, and gets this reply.
    Courtesy(String),
}

impl Aside {
    /// The same with what serves the thread told where its reply speaks of that.
    pub(crate) fn told_from(self, sources: &str) -> Self {
        match self {
            Self::OutOfScope => Self::OutOfScope,
            Self::Courtesy(reply) => Self::Courtesy(reply.replace("{sources}", sources)),
        }
    }
}

/// What may serve a thread, fixed when it is begun: listings, or documents.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Scope {
    /// Their ids; none for whatever there is.
    pub(crate) tools: Vec<String>,
    /// The documents that serve it instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) documents: Option<Shelf>,
}

/// Documents of one owner.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Shelf {
    /// Only those of this collection.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) collection: Option<String>,
    /// Only this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) document: Option<String>,
}

/// A question back that waits for an answer, with what its options are picked with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Pending {
    pub(crate) card: ClarificationCard,
    /// The token of each option, in their order.
    pub(crate) tokens: Vec<String>,
}

/// Why a turn ends before the core is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// A text is longer than it may be.
    TooLong {
        /// What it is.
        field: &'static str,
        /// The policy's key.
        limit: &'static str,
        /// How much there may be.
        max: usize,
        /// How much there is, and of what.
        given: (usize, &'static str),
    },
    /// A value is wrong.
    Wrong {
        /// What it is.
        field: &'static str,
        /// Why.
        message: String,
    },
    /// The scope of a thread does not change, and a caller without a key does not choose it.
    ScopeFixed,
    /// The named clarification is not the one that waits.
    NotPending,
}

type Step = fn(Turn, &Guardrails) -> Result<Turn, Refusal>;

/// Before anything is known of the thread.
pub(crate) const AT_THE_DOOR: [Step; 2] = [ingress::size, credentials::strip];

/// When the thread is known, before anything is done for it.
pub(crate) const IN_THE_THREAD: [Step; 5] =
    [scope::pin, scope::classify, choice::resolve, history::fold, follow_up::complete];

/// Takes the steps one after the other.
pub(crate) fn through(turn: Turn, steps: &[Step], rules: &Guardrails) -> Result<Turn, Refusal> {
    steps.iter().try_fold(turn, |turn, step| step(turn, rules))
}

impl Turn {
    /// A message that has come to the door.
    pub(crate) fn at_the_door(body: ChatBody, is_anonymous: bool) -> Self {
        let text = body.message.as_ref().map(|message| message.text.clone()).unwrap_or_default();
        let asked = Asked {
            text,
            choice: None,
            answers: None,
            history: Vec::new(),
            beginning: None,
            scope: Scope::default(),
            aside: None,
        };
        Self { body, is_anonymous, thread: Known::default(), asked }
    }

    /// The turn in its thread. Where the last question is answered again, that question is what is asked.
    pub(crate) fn in_thread(mut self, mut known: Known) -> Result<Self, Refusal> {
        if let Some(message) = &self.body.message {
            if let Some(at) = known.messages.iter().position(|earlier| earlier.id == message.id) {
                known.messages.truncate(at);
            }
        } else {
            let last = known.messages.iter().rposition(|earlier| earlier.role == "user");
            let Some(last) = last else {
                let message = "has no question to answer again".to_owned();
                return Err(Refusal::Wrong { field: "id", message });
            };
            known.messages[last].text().clone_into(&mut self.asked.text);
            known.messages.truncate(last);
        }
        self.thread = known;
        Ok(self)
    }

    /// The question as the documents are asked it, where they serve the thread.
    pub(crate) fn inquiry(&self) -> Option<Inquiry> {
        let Shelf { collection, document } = self.asked.scope.documents.clone()?;
        Some(Inquiry {
            question: self.asked.text.clone(),
            history: self.asked.history.clone(),
            collection_id: collection,
            document_id: document,
        })
    }

    /// The question as the core takes it.
    pub(crate) fn query(&self, depth: Depth) -> Result<Query, Refusal> {
        let ids = self.asked.scope.tools.iter().map(|id| id.parse::<ListingId>());
        let ids = ids.collect::<Result<Vec<_>, _>>().map_err(|_| Refusal::ScopeFixed)?;
        Ok(Query {
            text: self.asked.text.clone(),
            tools: if ids.is_empty() { ToolScope::Discover } else { ToolScope::Pinned(ids) },
            depth,
            clarification: self.clarification(),
            shape: ResponseShape::AnswerWithEvidence,
            answer_model: self.body.selected_chat_model.clone(),
            include: Include {
                data: false,
                data_url: true,
                developer_trace: self.body.include_developer_trace,
            },
            lineage: None,
            history: self.asked.history.clone(),
            choice: self.asked.choice.clone(),
        })
    }

    /// A page asks back unless its caller wants the choice made.
    fn clarification(&self) -> ClarificationPolicy {
        use contract::query::ClarificationPolicy as Said;
        match (self.body.clarification_policy, self.body.auto_select) {
            (Some(Said::Auto), _) | (None, Some(true)) => ClarificationPolicy::Auto,
            (Some(Said::Return | Said::Error), _) | (None, Some(false) | None) => ClarificationPolicy::Return,
        }
    }
}

#[cfg(test)]
pub(crate) mod fixture {
    //! Turns for the tests of the steps.

    use serde_json::{Value, json};

    use super::*;

    pub(crate) fn rules() -> Guardrails {
        policy::Policy::shipped().unwrap().guardrails
    }

    pub(crate) fn turn(body: &Value) -> Turn {
        let body = ChatBody::parse(body.to_string().as_bytes(), 16).unwrap();
        Turn::at_the_door(body, true)
    }

    pub(crate) fn said(text: &str) -> Turn {
        turn(
            &json!({"id": "t", "message": {"id": "m9", "role": "user", "parts": [{"type": "text", "text": text}]}}),
        )
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn message(id: &str, role: &str, text: &str) -> UiMessage {
        let said = UiMessage::said(id.to_owned(), text);
        UiMessage { role: role.to_owned(), ..said }
    }

    fn known() -> Known {
        let messages = vec![
            message("m1", "user", "One?"),
            message("a1", "assistant", "1"),
            message("m2", "user", "Two?"),
            message("a2", "assistant", "2"),
        ];
        Known { messages, ..Known::default() }
    }

    fn ids(turn: &Turn) -> Vec<&str> {
        turn.thread.messages.iter().map(|message| message.id.as_str()).collect()
    }

    #[test]
    fn an_edited_question_takes_the_place_of_all_that_follows() {
        let message = json!({"id": "m2", "role": "user", "parts": [{"type": "text", "text": "Zwei?"}]});
        let turn = fixture::turn(&json!({"id": "t", "message": message})).in_thread(known()).unwrap();
        assert_eq!((turn.asked.text.as_str(), ids(&turn)), ("Zwei?", vec!["m1", "a1"]));
    }

    #[test]
    fn another_answer_is_to_the_last_question() {
        let again = json!({"id": "t", "trigger": "regenerate-message"});
        let turn = fixture::turn(&again).in_thread(known()).unwrap();
        assert_eq!((turn.asked.text.as_str(), ids(&turn)), ("Two?", vec!["m1", "a1"]));
        assert!(fixture::turn(&again).in_thread(Known::default()).is_err());
    }

    #[test]
    fn the_toggle_and_the_policy_say_the_same() {
        let policy = |more: serde_json::Value| {
            let mut body = json!({"id": "t", "trigger": "regenerate-message"});
            body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            fixture::turn(&body).clarification()
        };
        assert_eq!(policy(json!({})), ClarificationPolicy::Return);
        assert_eq!(policy(json!({"autoSelect": true})), ClarificationPolicy::Auto);
        assert_eq!(policy(json!({"autoSelect": false})), ClarificationPolicy::Return);
        assert_eq!(policy(json!({"clarificationPolicy": "auto"})), ClarificationPolicy::Auto);
        assert_eq!(
            policy(json!({"clarificationPolicy": "return", "autoSelect": true})),
            ClarificationPolicy::Return
        );
    }
}
