//! What a schema lets a text be: its lengths and its pattern.

use std::sync::{Arc, OnceLock};

use regex::{Regex, RegexBuilder};
use serde_json::Value;

use super::parameter::Parameter;
use super::proximity::nearness;
use super::{Candidate, Family};
use crate::Question;

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

/// What stands between spaces and is written just as a schema's pattern for the whole text wants it: the "25-35" of
/// `^\d+-\d+$`. Words alone are too easily of some pattern.
pub(super) fn patterned(question: &Question, parameter: &Parameter, limits: &Limits) -> Vec<Candidate> {
    let Some(pattern) = limits.pattern.as_ref().filter(|pattern| pattern.is_of_all()) else {
        return Vec::new();
    };
    let is_written = |token: &str| {
        token.bytes().any(|byte| byte.is_ascii_digit())
            && token.bytes().any(|byte| byte.is_ascii_punctuation())
            && pattern.takes(token)
            && limits.take(token)
    };
    let is_beside = |sign: char| matches!(sign, ',' | '.' | ';' | ':' | '?' | '!' | '(' | ')' | '\'' | '"');
    let mut end = 0;
    let tokens = question.text.split_inclusive(char::is_whitespace).map(|spaced| {
        end += spaced.len();
        let token = spaced.trim_start_matches(is_beside);
        let start = end - token.len();
        let token = token.trim_end().trim_end_matches(is_beside);
        start..start + token.len()
    });
    let found = tokens.filter(|range| is_written(&question.text[range.clone()])).map(|range| {
        let score = 0.5 + 0.35 * nearness(question, parameter, &range);
        Candidate::said(Value::from(&question.text[range.clone()]), score, range, Family::Text)
    });
    found.collect()
}

impl Pattern {
    fn compiled(&self) -> Option<&Regex> {
        let compile = || RegexBuilder::new(&self.text).size_limit(PATTERN_BYTES_MAX).build().ok();
        self.compiled.get_or_init(compile).as_ref()
    }

    fn takes(&self, text: &str) -> bool {
        self.compiled().is_none_or(|pattern| pattern.is_match(text))
    }

    /// Whether it can be read, and is one of the whole text.
    fn is_of_all(&self) -> bool {
        self.text.starts_with('^') && self.text.ends_with('$') && self.compiled().is_some()
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
