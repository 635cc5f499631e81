//! What a schema says in words: listed values, examples, meanings, defaults.

use serde_json::Value;

use super::parameter::Shape;
use crate::words;

/// The values that a schema allows, where it lists them.
pub(super) fn listed(schema: &Value) -> Vec<Value> {
    if let Some(values) = schema["enum"].as_array() {
        return values.iter().filter(|value| !value.is_null()).cloned().collect();
    }
    if let Some(value) = schema.get("const") {
        return vec![value.clone()];
    }
    let parts = schema["oneOf"].as_array().or_else(|| schema["anyOf"].as_array());
    parts.into_iter().flatten().filter_map(|part| part.get("const").cloned()).collect()
}

/// The values that a schema gives as examples. They show the shape of a value; a question has to say them.
pub(super) fn examples(property: &Value, description: &str, shape: &Shape) -> Vec<Value> {
    let mut examples: Vec<Value> = property["examples"].as_array().into_iter().flatten().cloned().collect();
    match shape {
        Shape::Text(_) => {
            examples.extend(quoted(description).into_iter().map(Value::from));
            examples.extend(enumerated(description).into_iter().map(Value::from));
        }
        Shape::Number(_) => examples.extend(explained_numbers(description).into_iter().map(Value::from)),
        Shape::Choice | Shape::Boolean | Shape::List(_) | Shape::Nested(_) | Shape::Other => {}
    }
    let mut seen: Vec<Value> = Vec::new();
    examples.retain(|value| {
        let is_new = !seen.contains(value);
        seen.push(value.clone());
        is_new && (value.is_string() || value.is_number())
    });
    examples.truncate(EXAMPLES_MAX);
    examples
}

const EXAMPLES_MAX: usize = 32;

/// The short texts that a description quotes.
fn quoted(description: &str) -> Vec<String> {
    let mut found = Vec::new();
    for mark in ['\'', '"', '`'] {
        let mut rest = description;
        while let Some(start) = rest.find(mark) {
            let is_open = !rest[..start].ends_with(char::is_alphanumeric);
            let inner = &rest[start + 1..];
            let Some(end) = inner.find(mark).filter(|_| is_open) else {
                rest = inner;
                continue;
            };
            let text = &inner[..end];
            if (1..=40).contains(&text.len()) && !text.contains(['\n', '{', '}']) && text.trim() == text {
                found.push(text.to_owned());
            }
            rest = &inner[end + 1..];
        }
    }
    found
}

/// The items of "one of: a, b, c" and "e.g. a, b".
fn enumerated(description: &str) -> Vec<String> {
    const LEADS: [&str; 10] = [
        "one of",
        "e.g.",
        "eg.",
        "for example",
        "such as",
        "options:",
        "values:",
        "either",
        "include:",
        "supports",
    ];
    let lower = description.to_ascii_lowercase();
    let mut found = Vec::new();
    for lead in LEADS {
        let Some(start) = lower.find(lead).map(|at| at + lead.len()) else { continue };
        let rest = description[start..].trim_start_matches([':', ' ', ',', '[', '(']);
        let end = rest.find([')', ']', ';', '\n']).unwrap_or(rest.len());
        let sentence = rest[..end].split(". ").next().unwrap_or_default();
        for item in sentence
            .split([',', '|'])
            .flat_map(|item| item.split(" or "))
            .flat_map(|item| item.split(" and "))
        {
            let item = item.trim().trim_matches(['\'', '"', '`', '.', '[', ']']);
            if !item.is_empty()
                && item.len() <= 24
                && item.split(' ').count() <= 2
                && !words::is_stop(&item.to_lowercase())
            {
                found.push(item.to_owned());
            }
        }
    }
    found
}

/// The only values that a description says there are: "Allowed values: 'copper', 'aluminum'", "[Enum]: [on, off]",
/// "Type of the order (Buy/Sell)". Empty where it may go on: "Options: 'single', 'double', etc."
pub(super) fn told(description: &str) -> Vec<Value> {
    const LEADS: [&str; 12] = [
        "[enum]",
        "one of",
        "options are",
        "options:",
        "allowed values",
        "possible values",
        "valid values",
        "accepted values",
        "can be either",
        "either",
        "can be",
        "must be",
    ];
    let lower = description.to_ascii_lowercase();
    let listed = LEADS.iter().find_map(|lead| {
        let rest = &description[lower.find(lead)? + lead.len()..];
        let items = items(rest);
        // Of "either this or id" and "can be a file or a folder" only what is quoted is meant word for word.
        let is_sure = !matches!(*lead, "either" | "can be" | "must be") || quotes(rest);
        (is_sure && items.len() > 1).then_some(items)
    });
    let told = listed.or_else(|| in_brackets(description)).unwrap_or_default();
    let is_value = |item: &String| {
        let first = item.split(' ').next().unwrap_or_default();
        !first.is_empty()
            && !["a", "an", "the"].contains(&first)
            && item.len() <= TOLD_CHARS_MAX
            && item.split(' ').count() <= TOLD_WORDS_MAX
    };
    if told.iter().all(is_value) { told.into_iter().map(Value::from).collect() } else { Vec::new() }
}

/// Characters and words that a value has at most that a description lists.
const TOLD_CHARS_MAX: usize = 24;
const TOLD_WORDS_MAX: usize = 2;

/// Whether what follows a lead is quoted.
fn quotes(rest: &str) -> bool {
    rest.trim_start_matches([' ', ':', '[', '(']).starts_with(['\'', '"', '`'])
}

/// The items of a list, where it is whole.
fn items(rest: &str) -> Vec<String> {
    /// What says that there are others.
    const OPEN: [&str; 7] = ["include", "etc", "...", "…", "such as", "e.g", "or any"];
    let rest = rest.trim_start_matches([':', ' ']);
    let rest = rest.strip_prefix("are ").unwrap_or(rest).trim_start_matches([':', ' ']);
    let list = match rest.strip_prefix('[').and_then(|inner| inner.split_once(']')) {
        Some((inner, _)) => inner.to_owned(),
        None => {
            bare(rest.split([';', '\n']).next().unwrap_or_default().split(". ").next().unwrap_or_default())
        }
    };
    let lower = list.to_ascii_lowercase();
    if OPEN.iter().any(|open| lower.contains(open)) {
        return Vec::new();
    }
    if quotes(&list) {
        return quoted(&list);
    }
    let parts = list.split([',', '|']).map(str::trim);
    let parts =
        parts.map(|item| item.strip_prefix("or ").or_else(|| item.strip_prefix("and ")).unwrap_or(item));
    let parts = parts.flat_map(|item| item.split(" or ")).flat_map(|item| item.split(" and "));
    parts.map(|item| item.trim().trim_end_matches('.').to_owned()).collect()
}

/// A text up to the end of the brackets that it stands in, without what stands in brackets of its own.
fn bare(text: &str) -> String {
    let mut depth = 0_usize;
    let mut kept = String::new();
    for sign in text.chars() {
        match sign {
            '(' => depth += 1,
            ')' if depth == 0 => break,
            ')' => depth -= 1,
            _ if depth == 0 => kept.push(sign),
            _ => {}
        }
    }
    kept
}

/// The values of "(Buy/Sell)": words with capitals.
fn in_brackets(description: &str) -> Option<Vec<String>> {
    let (_, rest) = description.split_once('(')?;
    let (inner, _) = rest.split_once(')')?;
    let values: Vec<String> = inner.split('/').map(str::to_owned).collect();
    let is_value = |value: &String| {
        value.len() > 2 && value.starts_with(char::is_uppercase) && value.chars().all(char::is_alphabetic)
    };
    (values.len() > 1 && values.iter().all(is_value)).then_some(values)
}

/// The numbers that a description explains: the 1 and 2 of "1 for Bangkok, 2 for Chiang Mai".
fn explained_numbers(description: &str) -> Vec<i64> {
    let mut found = Vec::new();
    for word in words::words(description) {
        let Ok(number) = word.lower.parse::<i64>() else { continue };
        if !meanings(&word.lower, description).is_empty() {
            found.push(number);
        }
    }
    found
}

/// The phrases that a description explains a value by, as stems: "2 for ironing service", "'open' = active",
/// "Bitcoin (BTC)".
pub(super) fn meanings(value: &str, description: &str) -> Vec<Vec<String>> {
    const LINKS: [&str; 9] = ["=", ":", "→", "->", "for ", "means ", "represents ", "stands for ", "("];
    let mut found = Vec::new();
    for (at, _) in description.match_indices(value) {
        let (before, after) = (&description[..at], &description[at + value.len()..]);
        if before.ends_with(char::is_alphanumeric) || after.starts_with(char::is_alphanumeric) {
            continue;
        }
        let after = after.trim_start_matches(['\'', '"', '`', ' ']);
        if let Some(rest) = LINKS.iter().find_map(|link| after.strip_prefix(link)) {
            let phrase = rest.split([',', ';', '.', ')', '\n', '|']).next().unwrap_or_default();
            // Up to the next value: "'Music' for concerts and 'Theater' for plays".
            let end = [" '", " \"", " `"].iter().filter_map(|mark| phrase.find(mark)).min();
            push_phrase(&phrase[..end.unwrap_or(phrase.len())], &mut found);
        }
        if let Some(lead) = before.trim_end_matches(['\'', '"', '`']).strip_suffix('(')
            && after.starts_with(')')
            && let Some(word) = lead.trim_end().rsplit([' ', ',', '(']).next()
        {
            push_phrase(word, &mut found);
        }
    }
    found
}

fn push_phrase(phrase: &str, found: &mut Vec<Vec<String>>) {
    let stems = words::terms(phrase);
    if (1..=4).contains(&stems.len()) && !found.contains(&stems) {
        found.push(stems);
    }
}

/// The default that a required argument's description promises: "Use 'UTC' if no timezone is given", "(default: 10)".
pub(super) fn said_default(description: &str, is_required: bool) -> Option<Value> {
    if !is_required {
        return None;
    }
    description.split(". ").find_map(|sentence| {
        let lower = sentence.to_ascii_lowercase();
        let marks = ["defaults to ", "default is ", "default: ", "default = ", "(default "];
        if let Some(start) = marks.iter().find_map(|mark| lower.find(mark).map(|at| at + mark.len())) {
            let end = sentence[start..].find([')', ',', ';', ' ']).map_or(sentence.len(), |end| start + end);
            let text = sentence[start..end].trim_matches(['\'', '"', '`', '.']);
            return text
                .parse::<i64>()
                .map(Value::from)
                .ok()
                .or_else(|| Some(Value::from(text)))
                .filter(|_| !text.is_empty());
        }
        let is_fallback = lower.contains("if no ") || lower.contains("if not ");
        let is_use = lower.trim_start().starts_with("use '") || lower.trim_start().starts_with("use \"");
        (is_fallback && is_use).then(|| quoted(sentence).into_iter().next().map(Value::from)).flatten()
    })
}

/// The stems of a description that can tie a value to its parameter.
pub(super) fn context(description: &str) -> Vec<String> {
    let first = description.split(['\n', '.']).next().unwrap_or_default();
    let mut context = words::terms(first);
    context.retain(|stem| {
        !matches!(
            stem.as_str(),
            "valu"
                | "number"
                | "name"
                | "string"
                | "default"
                | "option"
                | "requir"
                | "format"
                | "specif"
                | "integ"
                | "type"
                | "given"
                | "use"
                | "paramet"
                | "field"
                | "list"
                | "set"
                | "return"
                | "result"
                | "user"
                | "get"
                | "current"
                | "identifi"
                | "id"
                | "first"
                | "second"
                | "one"
                | "two"
                | "calcul"
                | "comput"
                | "find"
                | "includ"
                | "code"
        )
    });
    context.truncate(12);
    context
}

/// The stems of a parameter's name; a `username` is the name of a user.
pub(super) fn own_stems(name: &str) -> Vec<String> {
    let mut own = words::identifier_terms(name);
    own.retain(|stem| !stem.bytes().all(|byte| byte.is_ascii_digit()));
    let named =
        |stem: &String| stem.strip_suffix("name").filter(|of| of.len() >= NAMED_MIN).map(str::to_owned);
    let of: Vec<String> = own.iter().filter_map(named).collect();
    own.extend(of);
    own
}

/// Letters before the "name" of a compound.
const NAMED_MIN: usize = 4;
