//! What the misbehaving server offers.

use serde_json::{Value, json};

/// The tools that are always listed, with what a call of each does.
pub(super) const TOOLS: [(&str, &str); 18] = [
    ("ok", "Answers at once with a value."),
    ("echo", "Answers with its argument `text`."),
    ("fast", "Another one that answers at once."),
    ("slow", "Answers once `release` is called."),
    ("release", "Lets every waiting `slow` answer."),
    ("hang", "Never answers."),
    ("cancelled", "Answers once a cancellation has come."),
    ("die", "Ends the server mid-call."),
    ("invalid_json", "Answers with broken JSON."),
    ("gibberish", "Answers with a line that names no request."),
    ("breaks_schema", "Answers with a result that its output schema forbids."),
    ("no_result", "Answers with something that is no result of a call."),
    ("big", "Answers with ten megabytes."),
    ("flood", "Sends thousands of notifications, then answers."),
    ("is_error", "Answers that it failed, at length."),
    ("needs_signature", "Answers that it wants a signature."),
    ("needs_input", "Answers that it wants input from its user."),
    ("changes", "Adds a tool, says so, and answers."),
];

pub(super) const BIG_BYTES: usize = 10 << 20;
pub(super) const FLOOD: usize = 5_000;

pub(super) fn list(added: usize, with_bad_schema: bool) -> Vec<Value> {
    let mut tools: Vec<Value> = TOOLS.iter().map(|(name, description)| tool(name, description)).collect();
    tools.extend((1..=added).map(|number| tool(&format!("added_{number}"), "Was added while running.")));
    tools.push(json!({
        "name": "pid", "description": "Answers with the server's process.", "inputSchema": {"type": "object"}
    }));
    if with_bad_schema {
        tools.push(json!({"name": "bad_schema", "inputSchema": {"$ref": "https://example.com/schema"}}));
    }
    tools
}

fn tool(name: &str, description: &str) -> Value {
    let input = match name {
        "echo" => json!({
            "type": "object", "properties": {"text": {"type": "string", "maxLength": 20}}, "required": ["text"],
            "additionalProperties": false
        }),
        _ => json!({"type": "object"}),
    };
    let mut tool = json!({
        "name": name, "description": description, "inputSchema": input, "annotations": {"readOnlyHint": true},
        "_meta": {"latencyClass": "fast", "pricing": {"executeUsd": "0.001"}}
    });
    if matches!(name, "ok" | "breaks_schema") {
        tool["outputSchema"] =
            json!({"type": "object", "properties": {"value": {"type": "integer"}}, "required": ["value"]});
    }
    tool
}
