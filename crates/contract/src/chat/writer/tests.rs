//! Whatever is pushed, a strict client reads it: its rules, as they were found in version 5.0.0 and the later ones.

use std::collections::BTreeSet;

use proptest::prelude::{Just, Strategy, any, prop_oneof, proptest};
use serde_json::{Value, json};

use super::*;
use crate::chat::{
    AppMetadata, CallOutput, Citation, Citations, Conflict, ConflictSide, Conflicts, Part, SourceMetadata,
    Step, StepState, TurnUsage, UiMessage,
};

/// The fields of each chunk, required ones first: what the strictest client lists.
const FIELDS: &[(&str, &[&str], &[&str])] = &[
    ("start", &[], &["messageId", "messageMetadata"]),
    ("start-step", &[], &[]),
    ("finish-step", &[], &[]),
    ("text-start", &["id"], &["providerMetadata"]),
    ("text-delta", &["id", "delta"], &["providerMetadata"]),
    ("text-end", &["id"], &["providerMetadata"]),
    ("tool-input-start", &["toolCallId", "toolName"], &["providerExecuted", "dynamic"]),
    ("tool-input-available", &["toolCallId", "toolName", "input"], &["providerExecuted", "dynamic"]),
    ("tool-output-available", &["toolCallId", "output"], &["providerExecuted", "dynamic"]),
    ("tool-output-error", &["toolCallId", "errorText"], &["providerExecuted", "dynamic"]),
    ("source-document", &["sourceId", "mediaType", "title"], &["filename", "providerMetadata"]),
    ("error", &["errorText"], &[]),
    ("abort", &[], &[]),
    ("finish", &[], &["messageMetadata"]),
];

/// A client that refuses what any version refuses.
#[derive(Default)]
struct Strict {
    texts: BTreeSet<String>,
    calls: BTreeSet<String>,
    has_calls_in_step: bool,
    is_over: bool,
}

impl Strict {
    fn read(&mut self, chunk: &Chunk) -> Result<(), String> {
        let value = serde_json::to_value(chunk).unwrap();
        let kind = value["type"].as_str().ok_or("no type")?.to_owned();
        if self.is_over {
            return Err(format!("{kind} after the end"));
        }
        Self::fields(&kind, &value)?;
        let text = |key: &str| value[key].as_str().unwrap_or_default().to_owned();
        match kind.as_str() {
            "text-start" if self.has_calls_in_step => return Err("a text in a step with calls".to_owned()),
            "text-start" if !self.texts.insert(text("id")) => return Err("a text begun twice".to_owned()),
            "text-delta" if !self.texts.contains(&text("id")) => {
                return Err("a delta before its start".to_owned());
            }
            "text-end" if !self.texts.remove(&text("id")) => return Err("an end before its start".to_owned()),
            "tool-input-start" | "tool-input-available" => {
                self.has_calls_in_step = true;
                self.calls.insert(text("toolCallId"));
            }
            "tool-output-available" | "tool-output-error" if !self.calls.contains(&text("toolCallId")) => {
                return Err("an output of an unknown call".to_owned());
            }
            "start-step" => self.has_calls_in_step = false,
            "finish-step" if !self.texts.is_empty() => return Err("a text across steps".to_owned()),
            "error" | "abort" | "finish" if !self.texts.is_empty() => {
                return Err("a text left open".to_owned());
            }
            "error" | "abort" | "finish" => self.is_over = true,
            _ => {}
        }
        Ok(())
    }

    fn fields(kind: &str, value: &Value) -> Result<(), String> {
        let members = value.as_object().unwrap();
        let (required, optional): (&[&str], &[&str]) = if kind.starts_with("data-") {
            (&["data"], &["id", "transient"])
        } else {
            let known = FIELDS.iter().find(|(known, ..)| *known == kind);
            known.map(|(_, required, optional)| (*required, *optional)).ok_or(format!("unknown {kind}"))?
        };
        for (name, member) in members {
            let name = name.as_str();
            if name != "type" && !required.contains(&name) && !optional.contains(&name) {
                return Err(format!("{kind}.{name} is not listed"));
            }
            if member.is_null() {
                return Err(format!("{kind}.{name} is null"));
            }
        }
        match required.iter().find(|name| !members.contains_key(**name)) {
            Some(name) => Err(format!("{kind} lacks {name}")),
            None => Ok(()),
        }
    }
}

fn metadata() -> StartMetadata {
    StartMetadata { run_id: "run_1".to_owned(), thread_id: "t".to_owned() }
}

fn finish() -> Chunk {
    Chunk::from(FinishMetadata {
        outcome: "answer".to_owned(),
        latency_ms: 7,
        citations_dropped: 0,
        usage: TurnUsage::default(),
        outcome_label: None,
        outcome_tone: None,
        confidence: None,
        freshness: None,
        assumption: None,
        quota: None,
    })
}

fn written(chunks: Vec<Chunk>) -> Vec<Chunk> {
    let (mut writer, mut out) = Writer::begin("msg_1".to_owned(), metadata());
    for chunk in chunks {
        out.extend(writer.push(chunk));
    }
    out
}

fn kinds(chunks: &[Chunk]) -> Vec<String> {
    chunks.iter().map(|chunk| json!(chunk)["type"].as_str().unwrap().to_owned()).collect()
}

fn document(id: &str) -> Chunk {
    Chunk::SourceDocument {
        source_id: id.to_owned(),
        media_type: "text/plain".to_owned(),
        title: "t".to_owned(),
        provider_metadata: AppMetadata { app: SourceMetadata::default() },
    }
}

fn any_chunk() -> impl Strategy<Value = Chunk> {
    let id = || prop_oneof![Just("a".to_owned()), Just("b".to_owned())];
    let step = |id: String, is_done: bool| {
        let state = if is_done { StepState::Done } else { StepState::Running };
        let data = Step {
            stage: "planning".to_owned(),
            label: "l".to_owned(),
            state,
            detail: is_done.then(|| "d".to_owned()),
            started_at: "2026-01-01T00:00:00.000Z".to_owned(),
            ms: is_done.then_some(1),
        };
        Chunk::Data(Part::Step { id, data })
    };
    let output = CallOutput { bytes: 1, ms: 1 };
    prop_oneof![
        Just(Chunk::Start { message_id: "again".to_owned(), message_metadata: metadata() }),
        Just(Chunk::StartStep),
        Just(Chunk::FinishStep),
        id().prop_map(|id| Chunk::TextStart { id }),
        (id(), ".{0,8}").prop_map(|(id, delta)| Chunk::TextDelta { id, delta }),
        id().prop_map(|id| Chunk::TextEnd { id }),
        id().prop_map(|id| Chunk::ToolInputStart {
            tool_call_id: id,
            tool_name: "n".to_owned(),
            dynamic: true,
            provider_executed: true
        }),
        id().prop_map(|id| without_arguments(&id, "n".to_owned())),
        id().prop_map(move |id| Chunk::ToolOutputAvailable {
            tool_call_id: id,
            output: output.clone(),
            dynamic: true,
            provider_executed: true
        }),
        id().prop_map(|id| Chunk::ToolOutputError {
            tool_call_id: id,
            error_text: "e".to_owned(),
            dynamic: true,
            provider_executed: true
        }),
        (id(), any::<bool>()).prop_map(move |(id, is_done)| step(id, is_done)),
        id().prop_map(|id| document(&id)),
        id().prop_map(|id| {
            let side = ConflictSide { source_ref_id: id.clone(), value: "1".to_owned() };
            let conflict = Conflict { kind: "number".to_owned(), detail: "d".to_owned(), sides: vec![side] };
            Chunk::Data(Part::Conflicts { id, data: Conflicts { conflicts: vec![conflict] } })
        }),
        id().prop_map(|id| {
            let citation = Citation {
                source_id: "c_1".to_owned(),
                title: "t".to_owned(),
                source: SourceMetadata { quote: Some("q".to_owned()), ..SourceMetadata::default() },
            };
            Chunk::Data(Part::Citations { id, data: Citations { citations: vec![citation], dropped: 1 } })
        }),
    ]
}

fn ending() -> impl Strategy<Value = Option<Chunk>> {
    prop_oneof![
        Just(None),
        Just(Some(finish())),
        Just(Some(Chunk::Abort)),
        Just(Some(Chunk::Error { error_text: "e".to_owned() })),
    ]
}

proptest! {
    #[test]
    fn a_strict_client_reads_any_order(
        before in proptest::collection::vec(any_chunk(), 0..30),
        end in ending(),
        after in proptest::collection::vec(any_chunk(), 0..5),
    ) {
        let mut strict = Strict::default();
        for chunk in written(before.into_iter().chain(end).chain(after).collect()) {
            assert_eq!(strict.read(&chunk), Ok(()), "{chunk:?}");
        }
    }

    #[test]
    fn no_text_is_lost(deltas in proptest::collection::vec((any::<bool>(), ".{0,8}"), 0..20)) {
        let name = |is_first: bool| if is_first { "a" } else { "b" }.to_owned();
        let pushed = deltas.iter().map(|(is_first, delta)| {
            Chunk::TextDelta { id: name(*is_first), delta: delta.clone() }
        });
        let mut message = UiMessage::empty(String::new());
        for chunk in written(pushed.chain([finish()]).collect()) {
            message.take(&chunk);
        }
        let told: String = message.parts.iter().filter_map(|part| part["text"].as_str()).collect();
        let said: String = deltas.into_iter().map(|(_, delta)| delta).collect();
        assert_eq!(told, said);
    }
}

#[test]
fn what_is_open_is_ended() {
    let call = Chunk::ToolInputStart {
        tool_call_id: "c".to_owned(),
        tool_name: "Harbour/tides".to_owned(),
        dynamic: true,
        provider_executed: true,
    };
    let text = Chunk::TextDelta { id: "t".to_owned(), delta: "one".to_owned() };
    let chunks = written(vec![call.clone(), text, Chunk::Abort]);
    assert_eq!(
        kinds(&chunks),
        [
            "start",
            "start-step",
            "tool-input-start",
            "finish-step",
            "start-step",
            "text-start",
            "text-delta",
            "text-end",
            "tool-input-available",
            "tool-output-error",
            "abort"
        ]
    );
    assert_eq!(kinds(&written(vec![finish(), call])), ["start", "start-step", "finish-step", "finish"]);
}

#[test]
fn a_message_is_what_a_client_keeps() {
    let text = |delta: &str| Chunk::TextDelta { id: "t".to_owned(), delta: delta.to_owned() };
    let mut message = UiMessage::empty(String::new());
    for chunk in written(vec![text("one "), text("two"), finish()]) {
        message.take(&chunk);
    }
    assert_eq!(
        serde_json::to_value(&message).unwrap(),
        json!({"id": "msg_1", "role": "assistant", "parts": [
            {"type": "step-start"}, {"type": "text", "text": "one two", "state": "done"}
        ], "metadata": {"runId": "run_1", "threadId": "t", "outcome": "answer", "latencyMs": 7, "citationsDropped": 0,
            "usage": {"modelCostUsd": "", "toolCostUsd": "", "costUsd": "", "toolCalls": 0}}})
    );
}

#[test]
fn a_frame_has_its_number() {
    let frame = Chunk::TextDelta { id: "t".to_owned(), delta: "a\u{2028}b".to_owned() }.frame(3);
    assert_eq!(frame, "id: 3\ndata: {\"type\":\"text-delta\",\"id\":\"t\",\"delta\":\"a\\u2028b\"}\n\n");
}
