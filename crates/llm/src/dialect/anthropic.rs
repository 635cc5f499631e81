//! Messages.

use policy::{HostedModel, StructuredOutput};
use serde_json::{Value, json};

use super::{Ask, Manner, REPLY, Said, Stop, Turn, garbled};
use crate::report::FallbackReason;

pub(super) fn request(manner: Manner, model: &HostedModel, ask: &Ask<'_>) -> Value {
    let messages: Vec<Value> = ask
        .turns
        .iter()
        .map(|turn| match turn {
            Turn::User(text) => json!({"role": "user", "content": text}),
            Turn::Model(text) => json!({"role": "assistant", "content": text}),
        })
        .collect();
    let mut body = json!({
        "model": model.name,
        "max_tokens": ask.output_tokens_max.min(model.output_tokens_max),
        "system": ask.system,
        "messages": messages,
    });
    if let Some(temperature) = model.temperature {
        body["temperature"] = json!(temperature);
    }
    if ask.is_streamed {
        body["stream"] = json!(true);
    }
    match (ask.schema, manner.structured) {
        (Some(schema), StructuredOutput::Schema) => {
            body["output_config"] = json!({"format": {"type": "json_schema", "schema": schema}});
        }
        (Some(schema), StructuredOutput::Tool) => {
            body["tools"] = json!([{"name": REPLY, "input_schema": schema}]);
            body["tool_choice"] = json!({"type": "tool", "name": REPLY});
        }
        (Some(_), StructuredOutput::None) | (None, _) => {}
    }
    body
}

pub(super) fn read(body: &Value) -> Result<Said, FallbackReason> {
    let content = body["content"].as_array().ok_or_else(|| garbled("there is no content in it"))?;
    let tool = content.iter().find(|block| block["type"] == "tool_use");
    let texts = content.iter().filter(|block| block["type"] == "text");
    let mut said = Said {
        text: match tool {
            Some(tool) => tool["input"].to_string(),
            None => texts.filter_map(|block| block["text"].as_str()).collect(),
        },
        stop: Some(stop(&body["stop_reason"]).unwrap_or(Stop::Done)),
        ..Said::default()
    };
    note(&mut said, body);
    Ok(said)
}

pub(super) fn hear(said: &mut Said, event: &Value) -> Result<String, FallbackReason> {
    match event["type"].as_str().unwrap_or_default() {
        "error" => Err(match event.pointer("/error/type").and_then(Value::as_str) {
            Some("rate_limit_error") => FallbackReason::RateLimited,
            _ => FallbackReason::ServerError(super::STATUS_UNKNOWN),
        }),
        "message_start" => {
            note(said, &event["message"]);
            Ok(String::new())
        }
        "content_block_delta" => {
            let delta = &event["delta"];
            let text = delta["text"].as_str().or_else(|| delta["partial_json"].as_str()).unwrap_or_default();
            said.text.push_str(text);
            Ok(text.to_owned())
        }
        "message_delta" => {
            note(said, event);
            // What was said so far is settled only by the event that ends the message.
            match stop(&event["delta"]["stop_reason"]) {
                Some(Stop::Declined) => return Err(FallbackReason::Declined),
                stop @ (Some(Stop::Done | Stop::Length) | None) => said.stop = stop.or(said.stop),
            }
            Ok(String::new())
        }
        _ => Ok(String::new()),
    }
}

fn stop(reason: &Value) -> Option<Stop> {
    reason.as_str().map(|reason| match reason {
        "max_tokens" | "model_context_window_exceeded" => Stop::Length,
        "refusal" => Stop::Declined,
        _ => Stop::Done,
    })
}

fn note(said: &mut Said, message: &Value) {
    if let Some(model) = message["model"].as_str() {
        said.model = Some(model.to_owned());
    }
    if let Some(tokens) = message.pointer("/usage/input_tokens").and_then(Value::as_u64) {
        said.input_tokens = Some(tokens);
    }
    if let Some(tokens) = message.pointer("/usage/output_tokens").and_then(Value::as_u64) {
        said.output_tokens = Some(tokens);
    }
}
