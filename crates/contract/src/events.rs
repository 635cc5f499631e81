//! The events of a stream, and how they are framed.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::ErrorCode;
use crate::result::{CapabilityMiss, Clarification, OutcomeType, QueryResult};
use crate::session::QuerySession;
use crate::trace::DeveloperTrace;

/// The end of a stream.
pub const DONE: &str = "data: [DONE]\n\n";

/// A comment for silent times: clients skip it, and their read timeouts start over.
pub const KEEP_ALIVE: &str = ": keep-alive\n\n";

/// One event. A stream has exactly one `done`, or an `error`, before its end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Event {
    /// What is going on.
    ToolStatus {
        /// The listing that it is about; empty where it is about none.
        tool: ToolLabel,
        /// What is going on.
        status: ToolPhase,
    },
    /// More of the answer's text.
    TextDelta {
        /// The text.
        delta: String,
    },
    /// The developer trace, or part of it: clients join the timelines.
    DeveloperTrace {
        /// The trace.
        trace: Box<DeveloperTrace>,
    },
    /// It broke.
    Error(Box<ErrorEvent>),
    /// The result.
    Done {
        /// The result.
        result: Box<QueryResult>,
    },
}

impl Event {
    /// What is going on, about no listing in particular.
    #[must_use]
    pub fn phase(status: ToolPhase) -> Self {
        Self::ToolStatus { tool: ToolLabel::default(), status }
    }

    /// It broke, with this code and these words.
    #[must_use]
    pub fn error(code: ErrorCode, error: impl Into<String>) -> Self {
        Self::Error(Box::new(ErrorEvent {
            error: error.into(),
            code: Some(code),
            scope: None,
            reason_code: None,
            outcome_type: None,
            clarification: None,
            capability_miss: None,
            query_session: None,
        }))
    }
}

/// The event as it goes over the wire: one line and an empty one.
///
/// Python clients also end lines at U+0085, U+2028 and U+2029, and lose the event where one of them stands in the
/// text. They are escaped; JSON itself escapes the rest.
#[must_use]
pub fn frame(event: &Event) -> String {
    let json = serde_json::to_string(event).unwrap_or_else(|fault| unwritable(&fault));
    framed(&json)
}

/// A line of JSON as it goes over the wire, with the line ends of other alphabets escaped.
pub(crate) fn framed(json: &str) -> String {
    let mut line = String::with_capacity(json.len() + 8);
    line.push_str("data: ");
    for character in json.chars() {
        match character {
            '\u{85}' => line.push_str("\\u0085"),
            '\u{2028}' => line.push_str("\\u2028"),
            '\u{2029}' => line.push_str("\\u2029"),
            other => line.push(other),
        }
    }
    line.push_str("\n\n");
    line
}

fn unwritable(fault: &serde_json::Error) -> String {
    serde_json::json!({"type": "error", "error": format!("an event could not be written: {fault}")})
        .to_string()
}

/// A listing, named.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ToolLabel {
    /// Its id; may be empty.
    pub id: String,
    /// Its name; may be empty.
    pub name: String,
}

/// What is going on. Clients count the words that contain `retry`, `fix`, `reflect`, `recover` and `complet`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ToolPhase {
    /// Listings are looked for.
    Discovering,
    /// Listings are found.
    Discovered,
    /// The program is written.
    Planning,
    /// Calls are made.
    Executing,
    /// A call has ended.
    ToolComplete,
    /// A mended program is tried.
    Retrying,
    /// The results are looked at.
    Reflecting,
    /// The answer is written.
    Synthesizing,
}

/// Why a stream ends without a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ErrorEvent {
    /// What went wrong, for people.
    pub error: String,
    /// What went wrong, for programs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<ErrorCode>,
    /// What it concerns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// The finer reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason_code: Option<String>,
    /// The ending that the client is to raise, for the policy `error`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome_type: Option<OutcomeType>,
    /// The question back; clients up to 0.13.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clarification: Option<Clarification>,
    /// Why there is no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capability_miss: Option<CapabilityMiss>,
    /// Where the run stands; clients from 0.14.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query_session: Option<QuerySession>,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{Strategy, prop_oneof, proptest};
    use serde_json::json;

    use super::*;
    use crate::result::Cost;

    /// Where Python's `str.splitlines` ends a line.
    const LINE_ENDS: [char; 10] =
        ['\n', '\r', '\x0b', '\x0c', '\x1c', '\x1d', '\x1e', '\u{85}', '\u{2028}', '\u{2029}'];

    fn python_lines(text: &str) -> Vec<&str> {
        text.split(LINE_ENDS).collect()
    }

    #[test]
    fn frames() {
        insta::assert_snapshot!(
            frame(&Event::phase(ToolPhase::ToolComplete)),
            @r#"data: {"type":"tool-status","tool":{"id":"","name":""},"status":"tool-complete"}"#
        );
        insta::assert_snapshot!(
            frame(&Event::TextDelta { delta: "a\u{2028}b\u{85}c\u{2029}\n".to_owned() }),
            @r#"data: {"type":"text-delta","delta":"a\u2028b\u0085c\u2029\n"}"#
        );
        insta::assert_snapshot!(
            frame(&Event::error(ErrorCode::QueryFailed, "no")),
            @r#"data: {"type":"error","error":"no","code":"query_failed"}"#
        );
        let result = QueryResult::answer("a".to_owned(), Vec::new(), Cost::zero(), 7);
        insta::assert_snapshot!(
            frame(&Event::Done { result: Box::new(result) }),
            @r#"data: {"type":"done","result":{"success":true,"response":"a","toolsUsed":[],"cost":{"modelCostUsd":"0.000000","toolCostUsd":"0.000000","totalCostUsd":"0.000000"},"durationMs":7,"outcomeType":"answer"}}"#
        );
    }

    fn nasty_text() -> impl Strategy<Value = String> {
        let character = prop_oneof![proptest::char::any(), proptest::sample::select(&LINE_ENDS[..])];
        proptest::collection::vec(character, 0..40).prop_map(|characters| characters.into_iter().collect())
    }

    fn check(event: &Event) {
        let framed = frame(event);
        let lines = python_lines(&framed);
        assert_eq!(lines.len(), 3, "{framed:?}");
        assert_eq!(&lines[1..], ["", ""]);
        let json = lines[0].strip_prefix("data: ").unwrap();
        assert_eq!(serde_json::from_str::<Event>(json).unwrap(), *event);
    }

    proptest! {
        #[test]
        fn any_text_in_any_field_is_one_line(text in nasty_text(), other in nasty_text()) {
            check(&Event::TextDelta { delta: text.clone() });
            let tool = ToolLabel { id: text.clone(), name: other.clone() };
            check(&Event::ToolStatus { tool, status: ToolPhase::Executing });
            check(&Event::error(ErrorCode::Internal, text.clone()));
            let miss = CapabilityMiss {
                message: text.clone(),
                missing_capabilities: vec![other.clone()],
                suggested_rewrites: vec![text.clone(), other.clone()],
                original_query: other.clone(),
            };
            let mut result = QueryResult::capability_miss(text.clone(), miss, &[], 1);
            result.data = Some(json!({text.clone(): [other.clone()]}));
            let mut trace = DeveloperTrace { query: Some(text), ..DeveloperTrace::default() };
            trace.initial_code = Some(other);
            result.developer_trace = Some(Box::new(trace.clone()));
            check(&Event::Done { result: Box::new(result) });
            check(&Event::DeveloperTrace { trace: Box::new(trace) });
        }
    }
}
