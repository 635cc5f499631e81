//! Text results: what a tool says in plain text, read as records where it is written as records.

use serde_json::{Map, Value};

/// The text that a result is: a bare string, or the only member of an object. With its JSON path.
pub(crate) fn of(value: &Value) -> Option<(String, &str)> {
    match value {
        Value::String(text) => Some(("$".to_owned(), text)),
        Value::Object(object) if object.len() == 1 => {
            let (key, text) = object.iter().next()?;
            let is_wrapper = matches!(key.as_str(), "content" | "text" | "result" | "output" | "message");
            text.as_str().filter(|_| is_wrapper).map(|text| (format!("$.{key}"), text))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

/// Whether a text reports a failure and no data: its first line opens with an error.
pub(crate) fn is_error(text: &str) -> bool {
    let Some((opening, _)) = text.trim_start().split_once(':') else { return false };
    let mut words = opening.split_whitespace().rev();
    let ends_so = words.next().is_some_and(|word| {
        let lower = word.to_lowercase();
        lower == "error" || word.ends_with("Error") || word.ends_with("Exception")
    });
    ends_so && words.count() <= OPENING_WORDS_MAX
}

const OPENING_WORDS_MAX: usize = 2;

/// The values that a text writes down: JSON, the literals of Python, or lines of `key: value`.
pub(crate) fn structured(text: &str) -> Option<Value> {
    let trimmed = text.trim();
    if trimmed.starts_with(['{', '[']) {
        let is_nested = |value: &Value| value.is_array() || value.is_object();
        let read = serde_json::from_str(trimmed).or_else(|_| serde_json::from_str(&from_python(trimmed)));
        return read.ok().filter(is_nested);
    }
    records(trimmed)
}

/// Python's literals as JSON: single quotation marks, `None`, `True`, `False`, tuples.
fn from_python(text: &str) -> String {
    let mut json = String::with_capacity(text.len() + 16);
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\'' | '"' => json.push_str(&python_string(character, &mut characters)),
            '(' => json.push('['),
            ')' => json.push(']'),
            letter if letter.is_ascii_alphabetic() => {
                let mut word = String::from(letter);
                while let Some(next) = characters.next_if(char::is_ascii_alphanumeric) {
                    word.push(next);
                }
                json.push_str(match word.as_str() {
                    "None" => "null",
                    "True" => "true",
                    "False" => "false",
                    other => other,
                });
            }
            other => json.push(other),
        }
    }
    json
}

fn python_string(quote: char, characters: &mut impl Iterator<Item = char>) -> String {
    let mut text = String::new();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some('n') => text.push('\n'),
                Some('t') => text.push('\t'),
                Some(other) => text.push(other),
                None => {}
            },
            end if end == quote => break,
            other => text.push(other),
        }
    }
    Value::from(text).to_string()
}

/// Lines of `key: value` as an object, or as an array of objects where the first key comes again. A heading line that
/// ends in a colon is left out; any other line makes it plain text.
fn records(text: &str) -> Option<Value> {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty()).peekable();
    lines.next_if(|line| line.ends_with(':'));
    let mut records: Vec<Map<String, Value>> = vec![Map::new()];
    let mut count = 0;
    for line in lines {
        let (key, value) = line.split_once(':')?;
        let (key, value) = (key.trim(), value.trim());
        let is_key = !key.is_empty()
            && key.split_whitespace().count() <= KEY_WORDS_MAX
            && key.chars().all(|it| it.is_alphanumeric() || matches!(it, ' ' | '_' | '-'))
            && key.starts_with(char::is_alphabetic);
        if !is_key || value.is_empty() || value.starts_with("//") {
            return None;
        }
        count += 1;
        if records.last().is_some_and(|record| record.contains_key(key)) {
            records.push(Map::new());
        }
        if let Some(record) = records.last_mut() {
            record.insert(key.to_owned(), scalar(value));
        }
    }
    if count < 2 {
        return None;
    }
    if let [one] = records.as_slice() {
        return Some(Value::Object(one.clone()));
    }
    Some(Value::Array(records.into_iter().map(Value::Object).collect()))
}

const KEY_WORDS_MAX: usize = 3;

/// A whole number or a plain decimal as a number, anything else as it is.
fn scalar(text: &str) -> Value {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-'))
        && (text == "0" || text.starts_with("0.") || !text.starts_with('0'));
    let number = || serde_json::from_str::<serde_json::Number>(text).ok();
    number().filter(|_| is_plain).map_or_else(|| Value::from(text), Value::Number)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{is_error, of, structured};

    #[test]
    fn texts_that_hold_records_are_read() {
        assert_eq!(
            structured("[{'name': 'it\\'s', 'pk': None, 'ok': True}]"),
            Some(json!([{"name": "it's", "pk": null, "ok": true}]))
        );
        assert_eq!(
            structured("size: 42\nmodified: Sun 10:00\nid: 007"),
            Some(json!({"size": 42, "modified": "Sun 10:00", "id": "007"}))
        );
        assert_eq!(
            structured("History:\nCommit: a\nAuthor: Ada\n\nCommit: b\nAuthor: Bob"),
            Some(json!([{"Commit": "a", "Author": "Ada"}, {"Commit": "b", "Author": "Bob"}]))
        );
    }

    #[test]
    fn prose_stays_prose() {
        for text in ["", "Hello there", "One: two", "see: a\nplain line", "[broken", "https://a.org: x\nb: c"]
        {
            assert_eq!(structured(text), None, "{text}");
        }
        assert_eq!(of(&json!({"content": "x"})), Some(("$.content".to_owned(), "x")));
        assert_eq!(of(&json!({"name": "x"})), None);
    }

    #[test]
    fn an_error_in_words_is_an_error() {
        assert!(is_error("Database error: near \"table\": syntax error"));
        assert!(is_error("Error: no such file"));
        assert!(is_error("ValueError: x"));
        assert!(!is_error("Errors today: 4"));
        assert!(!is_error("The report on the error: fine"));
    }
}
