//! The gate to beat: a question that matches nothing well is a miss, one that leaves out a required argument is unclear.

use std::collections::BTreeSet;

use reading::words;
use serde_json::Value;

use crate::baseline::Bm25;
use crate::corpus::{Outcome, Tool};
use crate::decisions::{Decided, DecisionInput};

/// A gate that looks at words alone.
#[derive(Clone, Copy, Debug)]
pub struct NaiveGate {
    /// The BM25 score below which nothing serves the question.
    pub score_min: f64,
}

impl NaiveGate {
    /// As it does best by macro-F1 on the development suite.
    pub const TUNED: Self = Self { score_min: 1.6 };

    /// Decides a case.
    #[must_use]
    pub fn decide(&self, input: &DecisionInput<'_>) -> Decided {
        let ranked = Bm25::build(input.tools).search(input.question);
        let Some(&(best, score)) = ranked.first().filter(|(_, score)| *score >= self.score_min) else {
            let score = ranked.first().map_or(0.0, |best| best.1);
            let confidence = 1.0 - score / self.score_min.max(f64::MIN_POSITIVE);
            return Decided::new(Outcome::CapabilityMiss, Vec::new(), confidence);
        };
        let tool = &input.tools[best];
        let confidence = 1.0 - self.score_min / score.max(f64::MIN_POSITIVE);
        let outcome = if leaves_out_an_argument(tool, &said(input)) {
            Outcome::ClarificationRequired
        } else {
            Outcome::Answer
        };
        Decided::new(outcome, vec![tool.name.clone()], confidence)
    }
}

/// Everything that the user said.
fn said(input: &DecisionInput<'_>) -> String {
    let turns = input.history.iter().filter(|turn| turn.role == "user");
    let mut said: Vec<&str> = turns.filter_map(|turn| turn.content.as_deref()).collect();
    said.push(input.question);
    said.join("\n")
}

/// Whether more required arguments go without a word of their own than the text has values for.
fn leaves_out_an_argument(tool: &Tool, said: &str) -> bool {
    let required = tool.input_schema.get("required").and_then(Value::as_array);
    let properties = tool.input_schema.get("properties");
    let terms: BTreeSet<String> = words::terms(said).into_iter().collect();
    let names = required.into_iter().flatten().filter_map(Value::as_str);
    let unmentioned = names.filter(|name| {
        let property = properties.and_then(|properties| properties.get(name)).unwrap_or(&Value::Null);
        !is_mentioned(name, property, &terms)
    });
    unmentioned.count() > values_of(said)
}

/// Whether a text says the argument's name or one of its values.
fn is_mentioned(name: &str, property: &Value, terms: &BTreeSet<String>) -> bool {
    let values = property.get("enum").and_then(Value::as_array).into_iter().flatten();
    let mut own = values.filter_map(Value::as_str).flat_map(words::terms).chain(words::terms(name));
    own.any(|term| terms.contains(&term))
}

/// How many words of a text look like a value: numbers, quoted ones, and capital letters inside a sentence.
fn values_of(said: &str) -> usize {
    let mut starts_sentence = true;
    let is_value = |word: &&str| {
        let starts = std::mem::replace(&mut starts_sentence, word.ends_with(['.', '?', '!', ':']));
        let is_name =
            word.starts_with(char::is_uppercase) && !starts && *word != "I" && !word.starts_with("I'");
        is_name
            || word.starts_with(['"', '\'', '@', '$'])
            || word.contains(|letter: char| letter.is_ascii_digit())
    };
    said.split_whitespace().filter(is_value).count()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::universe;

    fn outcome(question: &str) -> Outcome {
        let tools: Vec<Tool> = serde_json::from_value(json!([
            {"name": "get_weather", "description": "The weather of a city.", "inputSchema": {
                "properties": {"city": {"type": "string"}}, "required": ["city"]}},
            {"name": "get_time", "description": "The time."},
        ]))
        .unwrap();
        let snapshot = universe(&tools);
        let input = DecisionInput {
            question,
            history: &[],
            now: None,
            tools: &tools,
            snapshot: &snapshot,
            discovers: false,
        };
        NaiveGate { score_min: 0.1 }.decide(&input).outcome
    }

    #[test]
    fn words_alone_decide() {
        assert_eq!(outcome("weather in Rome"), Outcome::Answer);
        assert_eq!(outcome("weather?"), Outcome::ClarificationRequired);
        assert_eq!(outcome("book a flight"), Outcome::CapabilityMiss);
        assert_eq!(outcome("what time is it"), Outcome::Answer);
    }
}
