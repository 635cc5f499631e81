//! The writer: whatever is pushed, what leaves is in an order that the strictest client accepts.

use std::collections::BTreeMap;

use serde_json::Map;

use super::chunk::{Chunk, FinishMetadata, StartMetadata};

/// Why a call that never ended is shown as failed.
const CALL_LEFT_OPEN: &str = "the call did not end";

/// The order of one message's chunks. A chunk that has no place is mended into one or left out, never sent as it is.
#[derive(Debug)]
pub struct Writer {
    state: State,
    is_in_step: bool,
    has_calls_in_step: bool,
    text: Option<String>,
    calls: BTreeMap<String, Call>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Open,
    Ended,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Call {
    Named(String),
    Sent,
    Ended,
}

impl Writer {
    /// The writer of a message, and its first chunks.
    #[must_use]
    pub fn begin(message_id: String, message_metadata: StartMetadata) -> (Self, Vec<Chunk>) {
        let writer = Self {
            state: State::Open,
            is_in_step: true,
            has_calls_in_step: false,
            text: None,
            calls: BTreeMap::new(),
        };
        (writer, vec![Chunk::Start { message_id, message_metadata }, Chunk::StartStep])
    }

    /// Whether the message has ended.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.state == State::Ended
    }

    /// What leaves for a chunk.
    #[must_use]
    pub fn push(&mut self, chunk: Chunk) -> Vec<Chunk> {
        let mut out = Vec::new();
        if self.state == State::Ended {
            return out;
        }
        match chunk {
            Chunk::Start { .. } => {}
            Chunk::StartStep => self.start_step(&mut out),
            Chunk::FinishStep => self.finish_step(&mut out),
            Chunk::TextStart { id } => self.start_text(id, &mut out),
            Chunk::TextDelta { id, delta } => {
                self.start_text(id.clone(), &mut out);
                out.push(Chunk::TextDelta { id, delta });
            }
            Chunk::TextEnd { id } => {
                if self.text.as_deref() == Some(id.as_str()) {
                    self.end_text(&mut out);
                }
            }
            Chunk::ToolInputStart { .. }
            | Chunk::ToolInputAvailable { .. }
            | Chunk::ToolOutputAvailable { .. }
            | Chunk::ToolOutputError { .. } => self.call(chunk, &mut out),
            Chunk::SourceDocument { .. } | Chunk::Data(_) => out.push(chunk),
            Chunk::Error { .. } | Chunk::Abort | Chunk::Finish { .. } => self.end(chunk, &mut out),
        }
        out
    }

    fn start_step(&mut self, out: &mut Vec<Chunk>) {
        self.finish_step(out);
        out.push(Chunk::StartStep);
        self.is_in_step = true;
    }

    fn finish_step(&mut self, out: &mut Vec<Chunk>) {
        self.end_text(out);
        if std::mem::take(&mut self.is_in_step) {
            out.push(Chunk::FinishStep);
        }
        self.has_calls_in_step = false;
    }

    /// A text stands in a step without calls: clients that answer calls on their own look at the last step.
    fn start_text(&mut self, id: String, out: &mut Vec<Chunk>) {
        if self.text.as_deref() == Some(id.as_str()) {
            return;
        }
        self.end_text(out);
        if self.has_calls_in_step || !self.is_in_step {
            self.start_step(out);
        }
        out.push(Chunk::TextStart { id: id.clone() });
        self.text = Some(id);
    }

    fn end_text(&mut self, out: &mut Vec<Chunk>) {
        if let Some(id) = self.text.take() {
            out.push(Chunk::TextEnd { id });
        }
    }

    fn call(&mut self, chunk: Chunk, out: &mut Vec<Chunk>) {
        let id = match &chunk {
            Chunk::ToolInputStart { tool_call_id, .. }
            | Chunk::ToolInputAvailable { tool_call_id, .. }
            | Chunk::ToolOutputAvailable { tool_call_id, .. }
            | Chunk::ToolOutputError { tool_call_id, .. } => tool_call_id.clone(),
            Chunk::Start { .. }
            | Chunk::StartStep
            | Chunk::FinishStep
            | Chunk::TextStart { .. }
            | Chunk::TextDelta { .. }
            | Chunk::TextEnd { .. }
            | Chunk::SourceDocument { .. }
            | Chunk::Data(_)
            | Chunk::Error { .. }
            | Chunk::Abort
            | Chunk::Finish { .. } => return,
        };
        if !self.is_in_step || self.text.is_some() {
            self.start_step(out);
        }
        self.has_calls_in_step = true;
        let known = self.calls.get(&id).cloned();
        let next = match (&chunk, known) {
            (_, Some(Call::Ended))
            | (Chunk::ToolInputStart { .. }, Some(_))
            | (Chunk::ToolInputAvailable { .. }, Some(Call::Sent)) => return,
            (Chunk::ToolInputStart { tool_name, .. }, None) => Call::Named(tool_name.clone()),
            (Chunk::ToolInputAvailable { .. }, _) => Call::Sent,
            (_, Some(Call::Sent)) => Call::Ended,
            (_, Some(Call::Named(name))) => {
                out.push(without_arguments(&id, name));
                Call::Ended
            }
            (_, None) => {
                out.push(without_arguments(&id, id.clone()));
                Call::Ended
            }
        };
        self.calls.insert(id, next);
        out.push(chunk);
    }

    fn end(&mut self, chunk: Chunk, out: &mut Vec<Chunk>) {
        self.end_text(out);
        for (id, call) in std::mem::take(&mut self.calls) {
            if let Call::Named(name) = &call {
                out.push(without_arguments(&id, name.clone()));
            }
            if call != Call::Ended {
                out.push(Chunk::ToolOutputError {
                    tool_call_id: id,
                    error_text: CALL_LEFT_OPEN.to_owned(),
                    dynamic: true,
                    provider_executed: true,
                });
            }
        }
        if matches!(chunk, Chunk::Finish { .. }) {
            self.finish_step(out);
        }
        self.state = State::Ended;
        out.push(chunk);
    }
}

fn without_arguments(id: &str, tool_name: String) -> Chunk {
    Chunk::ToolInputAvailable {
        tool_call_id: id.to_owned(),
        tool_name,
        input: Map::new(),
        dynamic: true,
        provider_executed: true,
    }
}

/// A stream's last chunk.
impl From<FinishMetadata> for Chunk {
    fn from(metadata: FinishMetadata) -> Self {
        Self::Finish { message_metadata: Box::new(metadata) }
    }
}

#[cfg(test)]
mod tests;
