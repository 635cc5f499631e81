//! Vectors as `/embeddings` sends them: words hashed to directions, those that mean the same to the same one.

use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

/// How a server makes vectors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Meanings {
    /// Numbers of a vector.
    pub dimensions: usize,
    /// Vectors that are left out at the end of a reply.
    pub missing: usize,
    /// Words with the words that mean the same.
    pub alike: Vec<(&'static str, &'static str)>,
    /// Refuses texts that have this word, and the whole request with them.
    pub refused: Option<&'static str>,
}

/// The reply to a request's `input`; none where one of its texts is refused.
pub(super) fn reply(meanings: &Meanings, body: &Value) -> Option<Response> {
    let texts: Vec<&str> = match &body["input"] {
        Value::String(text) => vec![text],
        Value::Array(texts) => texts.iter().filter_map(Value::as_str).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => Vec::new(),
    };
    if meanings.refused.is_some_and(|word| texts.iter().any(|text| text.contains(word))) {
        return None;
    }
    let kept = texts.len().saturating_sub(meanings.missing);
    // In the other order: a reply's places are what its indices say.
    let data: Vec<Value> = texts[..kept]
        .iter()
        .enumerate()
        .rev()
        .map(|(index, text)| json!({"object": "embedding", "index": index, "embedding": vector(meanings, text)}))
        .collect();
    let body = json!({"object": "list", "model": body["model"], "data": data, "usage": {"prompt_tokens": 1}});
    Some(axum::Json(body).into_response())
}

fn vector(meanings: &Meanings, text: &str) -> Vec<f32> {
    let mut vector = vec![0.0; meanings.dimensions];
    let lower = text.to_lowercase();
    for word in lower.split(|character: char| !character.is_alphanumeric()).filter(|word| word.len() > 2) {
        let meant = meanings.alike.iter().find(|(said, _)| *said == word).map_or(word, |(_, meant)| meant);
        let hash = meant.bytes().fold(5_381_usize, |hash, byte| hash.wrapping_mul(33) ^ usize::from(byte));
        vector[hash % meanings.dimensions] += 1.0;
    }
    vector[0] += 0.01;
    vector
}
