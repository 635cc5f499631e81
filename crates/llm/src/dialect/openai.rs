//! Chat completions, as hosted endpoints, vLLM, Ollama and llama.cpp have them.

use policy::{HostedModel, StructuredOutput};
use serde_json::{Value, json};

use super::{Ask, Manner, REPLY, Said, Stop, Turn, garbled};
use crate::report::FallbackReason;

pub(super) fn request(manner: Manner, model: &HostedModel, ask: &Ask<'_>) -> Value {
    let turns = ask.turns.iter().map(|turn| match turn {
        Turn::User(text) => json!({"role": "user", "content": text}),
        Turn::Model(text) => json!({"role": "assistant", "content": text}),
    });
    let messages: Vec<Value> =
        [json!({"role": "system", "content": ask.system})].into_iter().chain(turns).collect();
    let mut body = json!({"model": model.name, "messages": messages});
    body[manner.limit.word()] = json!(ask.output_tokens_max.min(model.output_tokens_max));
    if let Some(temperature) = model.temperature {
        body["temperature"] = json!(temperature);
    }
    if ask.is_streamed {
        body["stream"] = json!(true);
        body["stream_options"] = json!({"include_usage": true});
    }
    match (ask.schema, manner.structured) {
        (Some(schema), StructuredOutput::Schema) => {
            let schema = json!({"name": REPLY, "strict": true, "schema": schema});
            body["response_format"] = json!({"type": "json_schema", "json_schema": schema});
        }
        (Some(schema), StructuredOutput::Tool) => {
            let function = json!({"name": REPLY, "parameters": schema});
            body["tools"] = json!([{"type": "function", "function": function}]);
            body["tool_choice"] = json!({"type": "function", "function": {"name": REPLY}});
        }
        (Some(_), StructuredOutput::None) | (None, _) => {}
    }
    body
}

pub(super) fn read(body: &Value) -> Result<Said, FallbackReason> {
    let choice = body.pointer("/choices/0").ok_or_else(|| garbled("there is no choice in it"))?;
    let message = choice.get("message").ok_or_else(|| garbled("there is no message in it"))?;
    let mut said = Said::default();
    note(&mut said, body);
    said.text = text_of(message);
    said.stop = Some(stop(choice).unwrap_or(Stop::Done));
    if declines(message) {
        said.stop = Some(Stop::Declined);
    }
    Ok(said)
}

pub(super) fn hear(said: &mut Said, event: &Value) -> Result<String, FallbackReason> {
    if let Some(error) = event.get("error") {
        return Err(FallbackReason::ServerError(status(error)));
    }
    note(said, event);
    let Some(choice) = event.pointer("/choices/0") else { return Ok(String::new()) };
    let delta = choice.get("delta").unwrap_or(&Value::Null);
    let text = text_of(delta);
    said.text.push_str(&text);
    if let Some(stop) = stop(choice) {
        said.stop = Some(stop);
    }
    if declines(delta) {
        said.stop = Some(Stop::Declined);
        return Err(FallbackReason::Declined);
    }
    Ok(text)
}

/// The text of a message or of a piece of one; of a tool call, its arguments.
fn text_of(message: &Value) -> String {
    let content = message["content"].as_str().filter(|text| !text.is_empty());
    let arguments = || message.pointer("/tool_calls/0/function/arguments").and_then(Value::as_str);
    content.or_else(arguments).unwrap_or_default().to_owned()
}

fn declines(message: &Value) -> bool {
    message["refusal"].as_str().is_some_and(|refusal| !refusal.is_empty())
}

fn stop(choice: &Value) -> Option<Stop> {
    choice["finish_reason"].as_str().map(|reason| match reason {
        "length" => Stop::Length,
        "content_filter" => Stop::Declined,
        _ => Stop::Done,
    })
}

fn note(said: &mut Said, body: &Value) {
    if let Some(model) = body["model"].as_str() {
        said.model = Some(model.to_owned());
    }
    if let Some(tokens) = body.pointer("/usage/prompt_tokens").and_then(Value::as_u64) {
        said.input_tokens = Some(tokens);
    }
    if let Some(tokens) = body.pointer("/usage/completion_tokens").and_then(Value::as_u64) {
        said.output_tokens = Some(tokens);
    }
}

/// The status of an error that comes where a stream was promised.
fn status(error: &Value) -> u16 {
    error["code"].as_u64().and_then(|code| u16::try_from(code).ok()).unwrap_or(super::STATUS_UNKNOWN)
}
