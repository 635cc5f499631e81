//! Whatever happens to a run, in whatever order, is a stream that a strict client reads.

use std::collections::BTreeSet;

use proptest::prelude::{Just, Strategy, any, prop_oneof, proptest};

use super::*;

/// An event of a run, whatever came before it.
fn any_event() -> impl Strategy<Value = Event> {
    let stage = prop_oneof![Just(Stage::Planning), Just(Stage::Execution), Just(Stage::Synthesis)];
    let position = || (0_u8..3).prop_map(|number| Position::new(number.to_string()));
    let started = position().prop_map(|position| Event::CallStarted {
        position,
        method: method(),
        listing_name: "Harbour".to_owned(),
    });
    let ended = (position(), any::<bool>()).prop_map(|(position, is_well)| Event::CallEnded {
        position,
        method: method(),
        listing_name: "Harbour".to_owned(),
        arguments: Map::new(),
        outcome: if is_well {
            Ok(1)
        } else {
            Err(CallFault { kind: FaultKind::Timeout, message: "late".to_owned() })
        },
        duration_ms: 1,
    });
    let said = ("[a-z \\n]{0,30}", any::<bool>(), any::<bool>()).prop_map(|(text, cites, begins_anew)| {
        let mut events = spoken(&[(text.as_str(), cites.then_some("source-1"))]);
        events.retain(|event| matches!(event, Event::AnswerSpoken { .. }));
        let mut event = events.remove(0);
        if let Event::AnswerSpoken { begins_anew: begins, .. } = &mut event {
            *begins = begins_anew;
        }
        event
    });
    prop_oneof![
        stage.clone().prop_map(|stage| Event::StageStarted { stage }),
        stage.prop_map(|stage| Event::StageEnded { stage, duration_ms: 1 }),
        started,
        ended,
        said,
    ]
}

/// What a strict client refuses in the order of chunks.
fn wrong_order(chunks: &[Chunk]) -> Option<String> {
    let (mut text, mut calls, mut has_calls) = (None, BTreeSet::new(), false);
    for (at, chunk) in chunks.iter().enumerate() {
        let value = json!(chunk);
        let id = |key: &str| value[key].as_str().unwrap_or_default().to_owned();
        let kind = id("type");
        let is_right = match kind.as_str() {
            "start" => at == 0,
            "start-step" => {
                has_calls = false;
                text.is_none()
            }
            "finish-step" => text.is_none(),
            "text-start" => text.replace(id("id")).is_none() && !has_calls,
            "text-delta" => text == Some(id("id")),
            "text-end" => text.take() == Some(id("id")),
            "tool-input-start" | "tool-input-available" => {
                has_calls = true;
                calls.insert(id("toolCallId"));
                text.is_none()
            }
            "tool-output-available" | "tool-output-error" => calls.contains(&id("toolCallId")),
            "finish" | "error" | "abort" => text.is_none() && at + 1 == chunks.len(),
            _ => true,
        };
        if !is_right {
            return Some(format!("{kind} at {at}"));
        }
    }
    None
}

proptest! {
    /// Whatever happens in whatever order, a strict client reads it to its end, and keeps the settled answer.
    #[test]
    fn any_events_are_a_stream_that_clients_read(
        events in proptest::collection::vec(any_event(), 0..30), settled in "[a-z ]{1,20}", how in 0_u8..3,
    ) {
        // No call is made once the answer is being written.
        let begins = events.iter().position(|event| matches!(event, Event::AnswerSpoken { .. }));
        let is_call = |event: &Event| matches!(event, Event::CallStarted { .. } | Event::CallEnded { .. });
        let is_in_order = begins.is_none_or(|at| !events[at..].iter().any(is_call));
        let played = Played::begin().happen(events);
        let played = match how {
            0 => played.end_with(QueryResult::answer(settled.clone(), Vec::new(), Cost::zero(), 1)),
            1 => played.end(failed("it broke".to_owned())),
            _ => played.end(aborted()),
        };
        assert_eq!(wrong_order(&played.chunks), None);
        if how == 0 && is_in_order {
            assert_eq!(played.message.text(), settled);
        }
    }
}
