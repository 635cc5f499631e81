//! What a schema lets a text be: its lengths and its pattern.

use std::sync::{Arc, OnceLock};

use regex::{Regex, RegexBuilder};
use serde_json::Value;

/// The limits of a text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Limits {
    length_min: usize,
    length_max: Option<usize>,
    pattern: Option<Arc<Pattern>>,
}

/// A pattern, compiled when it is first asked. One that is no regular expression of linear time takes every text.
#[derive(Debug)]
struct Pattern {
    text: String,
    compiled: OnceLock<Option<Regex>>,
}

/// Bytes that a stranger's pattern may take when it is compiled.
const PATTERN_BYTES_MAX: usize = 1 << 18;

impl Limits {
    pub(crate) fn of(schema: &Value) -> Self {
        let length = |key: &str| schema[key].as_u64().and_then(|length| usize::try_from(length).ok());
        let pattern = schema["pattern"].as_str();
        Self {
            length_min: length("minLength").unwrap_or_default(),
            length_max: length("maxLength"),
            pattern: pattern
                .map(|text| Arc::new(Pattern { text: text.to_owned(), compiled: OnceLock::new() })),
        }
    }

    /// Whether there are any.
    pub(crate) fn are_some(&self) -> bool {
        self.length_min > 0 || self.length_max.is_some() || self.pattern.is_some()
    }

    /// Whether a text is within them.
    pub(crate) fn take(&self, text: &str) -> bool {
        let length = text.chars().count();
        length >= self.length_min
            && self.length_max.is_none_or(|most| length <= most)
            && self.pattern.as_ref().is_none_or(|pattern| pattern.takes(text))
    }

    /// A text, or the same in capitals or in small letters, whichever is within them.
    pub(crate) fn fitted(&self, text: &str) -> Option<String> {
        [str::to_owned, str::to_uppercase, str::to_lowercase]
            .into_iter()
            .map(|cased| cased(text))
            .find(|text| self.take(text))
    }
}

impl Pattern {
    fn takes(&self, text: &str) -> bool {
        let compiled = self
            .compiled
            .get_or_init(|| RegexBuilder::new(&self.text).size_limit(PATTERN_BYTES_MAX).build().ok());
        compiled.as_ref().is_none_or(|pattern| pattern.is_match(text))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_text_keeps_to_its_lengths_and_its_pattern() {
        let limits = Limits::of(&json!({"minLength": 2, "maxLength": 4, "pattern": "^[A-Z]+$"}));
        assert_eq!(limits.fitted("usd").as_deref(), Some("USD"));
        assert_eq!(limits.fitted("u"), None);
        assert_eq!(limits.fitted("dollar"), None);
        assert_eq!(limits.fitted("u5d"), None);
    }

    #[test]
    fn a_pattern_that_cannot_be_read_takes_everything() {
        for pattern in ["(?=a)b", "(", "(a{1000}){1000}"] {
            assert!(Limits::of(&json!({ "pattern": pattern })).take("anything"), "{pattern}");
        }
    }
}
