//! A message as clients keep it: what comes of its chunks. Stored threads are shown from this.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use super::chunk::{Chunk, Part};

/// A message of a thread.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct UiMessage {
    /// Its id.
    pub id: String,
    /// `user` or `assistant`.
    pub role: String,
    /// Its parts, as AI SDK clients keep them.
    #[schema(value_type = Vec<Object>)]
    pub parts: Vec<Value>,
    /// What is known of it beside its parts.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    #[schema(value_type = Object, required = false)]
    pub metadata: Map<String, Value>,
}

impl UiMessage {
    /// What the caller said.
    #[must_use]
    pub fn said(id: String, text: &str) -> Self {
        let parts = vec![json!({"type": "text", "text": text})];
        Self { id, role: "user".to_owned(), parts, metadata: Map::new() }
    }

    /// The same, as the answer to a clarification: the option that is meant, or own words.
    #[must_use]
    pub fn answering(mut self, clarification_id: &str, option_id: Option<&str>) -> Self {
        let mut answered = Map::from_iter([("clarificationId".to_owned(), Value::from(clarification_id))]);
        answered.extend(option_id.map(|id| ("optionId".to_owned(), Value::from(id))));
        self.metadata.insert("clarification".to_owned(), Value::from(answered));
        self
    }

    /// An assistant's message before its first chunk.
    #[must_use]
    pub fn empty(id: String) -> Self {
        Self { id, role: "assistant".to_owned(), parts: Vec::new(), metadata: Map::new() }
    }

    /// The words of it: a text that begins anew takes the place of what was written before.
    #[must_use]
    pub fn text(&self) -> &str {
        let last = self.parts.iter().rfind(|part| part["type"] == "text");
        last.and_then(|part| part["text"].as_str()).unwrap_or_default()
    }

    /// Takes a chunk that a [`Writer`](super::Writer) let out, as a client does.
    pub fn take(&mut self, chunk: &Chunk) {
        match chunk {
            Chunk::Start { message_id, message_metadata } => {
                self.id.clone_from(message_id);
                self.know(message_metadata);
            }
            Chunk::StartStep => self.parts.push(json!({"type": "step-start"})),
            Chunk::TextStart { .. } => {
                self.parts.push(json!({"type": "text", "text": "", "state": "streaming"}));
            }
            Chunk::TextDelta { delta, .. } => {
                if let Some(part) = self.open_text() {
                    let text = part["text"].as_str().unwrap_or_default().to_owned() + delta;
                    part["text"] = Value::from(text);
                }
            }
            Chunk::TextEnd { .. } => {
                if let Some(part) = self.open_text() {
                    part["state"] = Value::from("done");
                }
            }
            Chunk::ToolInputStart { tool_call_id, tool_name, .. } => {
                self.parts.push(json!({
                    "type": "dynamic-tool", "toolName": tool_name, "toolCallId": tool_call_id,
                    "state": "input-streaming", "providerExecuted": true,
                }));
            }
            Chunk::ToolInputAvailable { tool_call_id, tool_name, input, .. } => {
                let part = self.call(tool_call_id);
                part["toolName"] = Value::from(tool_name.clone());
                part["state"] = Value::from("input-available");
                part["input"] = Value::from(input.clone());
            }
            Chunk::ToolOutputAvailable { tool_call_id, output, .. } => {
                let part = self.call(tool_call_id);
                part["state"] = Value::from("output-available");
                part["output"] = json!(output);
            }
            Chunk::ToolOutputError { tool_call_id, error_text, .. } => {
                let part = self.call(tool_call_id);
                part["state"] = Value::from("output-error");
                part["errorText"] = Value::from(error_text.clone());
            }
            Chunk::SourceDocument { .. } => self.parts.push(json!(chunk)),
            Chunk::Data(part) => self.replace(part),
            Chunk::Finish { message_metadata } => self.know(message_metadata),
            Chunk::FinishStep | Chunk::Error { .. } | Chunk::Abort => {}
        }
    }

    fn know(&mut self, metadata: &impl Serialize) {
        if let Ok(Value::Object(known)) = serde_json::to_value(metadata) {
            self.metadata.extend(known);
        }
    }

    fn open_text(&mut self) -> Option<&mut Value> {
        self.parts.iter_mut().rev().find(|part| part["type"] == "text" && part["state"] == "streaming")
    }

    fn call(&mut self, id: &str) -> &mut Value {
        let known =
            self.parts.iter().position(|part| part["type"] == "dynamic-tool" && part["toolCallId"] == id);
        let at = known.unwrap_or_else(|| {
            self.parts.push(
                json!({"type": "dynamic-tool", "toolName": "", "toolCallId": id, "providerExecuted": true}),
            );
            self.parts.len() - 1
        });
        &mut self.parts[at]
    }

    fn replace(&mut self, part: &Part) {
        let (kind, id) = part.name();
        let known = self.parts.iter_mut().find(|known| known["type"] == kind && known["id"] == id);
        let said = json!(part);
        match known {
            Some(known) => *known = said,
            None => self.parts.push(said),
        }
    }
}
