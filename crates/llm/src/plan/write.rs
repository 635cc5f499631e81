//! The text of programs: Rhai, in the dialect of the program stage.

use std::fmt::Write;

use fit::Choice;
use fit::fan::{Fan, ItemFan};
use serde_json::{Map, Value};

/// One call; its result is the program's value.
pub(crate) fn single(choice: &Choice<'_>, arguments: &Map<String, Value>) -> String {
    format!("{}\n", call(choice, arguments, &[]))
}

/// One call for each value, or for each of one argument with each of another, in one wave. A call that fails leaves its row out and
/// loses none of the others.
pub(crate) fn fan_out(choice: &Choice<'_>, mut arguments: Map<String, Value>, fan: &Fan) -> String {
    let is_of_one = fan.arguments.len() == 1;
    let keys = || fan.arguments.iter().map(|name| key(name));
    let value = |name: &str| {
        if is_of_one { "subject".to_owned() } else { format!("subject{}", steps(&[name.to_owned()])) }
    };
    let values: Vec<(&str, String)> = fan.arguments.iter().map(|name| (name.as_str(), value(name))).collect();
    for name in &fan.arguments {
        arguments.remove(name);
    }
    let subject = |given: &Vec<Value>| {
        let pairs = keys().zip(given).map(|(key, value)| format!("{key}: {}", literal(value)));
        if is_of_one { literal(&given[0]) } else { format!("#{{{}}}", pairs.collect::<Vec<_>>().join(", ")) }
    };
    let subjects: Vec<String> = fan.calls.iter().map(subject).collect();
    let call = call(choice, &arguments, &values);
    let told = keys().zip(&values).map(|(key, (_, value))| format!("{key}: {value}"));
    let told = told.collect::<Vec<_>>().join(", ");
    format!(
        "let subjects = [{}];\n\
         let calls = [];\n\
         for subject in subjects {{\n    calls.push({call});\n}}\n\
         let replies = settle_all(calls);\n\
         let rows = [];\n\
         for (subject, at) in subjects {{\n    \
             let reply = replies[at];\n    \
             if reply.ok {{\n        rows.push(#{{{told}, result: reply.value}});\n    }}\n}}\n\
         rows\n",
        subjects.join(", ")
    )
}

/// One call for each item that another call gives, in one wave.
pub(crate) fn fan_over_items(
    choice: &Choice<'_>,
    mut arguments: Map<String, Value>,
    fan: &ItemFan<'_>,
) -> String {
    let (lister, told) = (&fan.lister, &fan.told);
    arguments.remove(&fan.argument);
    let value = format!("item{}", steps(&told.value));
    let call_item = call(choice, &arguments, &[(&fan.argument, value.clone())]);
    let key = key(&fan.argument);
    format!(
        "let found = {};\n\
         let items = take(found{}, {});\n\
         let calls = [];\n\
         for item in items {{\n    calls.push({call_item});\n}}\n\
         let replies = settle_all(calls);\n\
         let rows = [];\n\
         for (item, at) in items {{\n    \
             let reply = replies[at];\n    \
             if reply.ok {{\n        rows.push(#{{{key}: {value}, result: reply.value}});\n    }}\n}}\n\
         rows\n",
        call(lister, &lister.binding.values(), &[]),
        steps(&told.items),
        fan.most,
    )
}

/// `call_tool("alias.method", #{..})`, with some arguments given by expressions.
pub(super) fn call(choice: &Choice<'_>, arguments: &Map<String, Value>, given: &[(&str, String)]) -> String {
    let mut pairs: Vec<String> = Vec::with_capacity(arguments.len() + given.len());
    pairs.extend(given.iter().map(|(name, expression)| format!("{}: {expression}", key(name))));
    pairs.extend(arguments.iter().map(|(name, value)| format!("{}: {}", key(name), literal(value))));
    format!("call_tool({}, #{{{}}})", quoted(&choice.candidate.call_name()), pairs.join(", "))
}

/// The steps down to a property: `.a.b["odd name"]`.
#[must_use]
pub fn steps(keys: &[String]) -> String {
    keys.iter().fold(String::new(), |mut steps, name| {
        let _ =
            if is_identifier(name) { write!(steps, ".{name}") } else { write!(steps, "[{}]", quoted(name)) };
        steps
    })
}

/// A name as a key of a map.
#[must_use]
pub fn key(name: &str) -> String {
    if is_identifier(name) { name.to_owned() } else { quoted(name) }
}

/// A JSON value as a literal.
#[must_use]
pub fn literal(value: &Value) -> String {
    match value {
        Value::Null => "()".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(number) => number_literal(number),
        Value::String(text) => quoted(text),
        Value::Array(items) => format!("[{}]", items.iter().map(literal).collect::<Vec<_>>().join(", ")),
        Value::Object(object) => {
            let pairs: Vec<String> =
                object.iter().map(|(name, value)| format!("{}: {}", key(name), literal(value))).collect();
            format!("#{{{}}}", pairs.join(", "))
        }
    }
}

/// Rhai reads `1e21` and whole numbers beyond 64 bits differently from JSON; both become plain decimals.
fn number_literal(number: &serde_json::Number) -> String {
    if let Some(whole) = number.as_i64() {
        return whole.to_string();
    }
    let value = number.as_f64().unwrap_or_default();
    let text = format!("{value}");
    if text.contains('.') { text } else { format!("{text}.0") }
}

/// A string literal from which no text breaks out.
#[must_use]
pub fn quoted(text: &str) -> String {
    let mut literal = String::with_capacity(text.len() + 2);
    literal.push('"');
    for character in text.chars() {
        match character {
            '"' => literal.push_str("\\\""),
            '\\' => literal.push_str("\\\\"),
            '\n' => literal.push_str("\\n"),
            '\r' => literal.push_str("\\r"),
            '\t' => literal.push_str("\\t"),
            control if control.is_control() || matches!(control, '\u{2028}' | '\u{2029}') => {
                let _ = write!(literal, "\\U{:08x}", u32::from(control));
            }
            other => literal.push(other),
        }
    }
    literal.push('"');
    literal
}

/// Whether a name may stand bare as a key.
fn is_identifier(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && name.bytes().any(|byte| byte.is_ascii_alphabetic())
        && !RESERVED.contains(&name)
}

/// Words that Rhai keeps for itself, now or for later.
const RESERVED: [&str; 68] = [
    "Fn",
    "as",
    "async",
    "await",
    "break",
    "call",
    "case",
    "catch",
    "const",
    "continue",
    "curry",
    "debug",
    "default",
    "do",
    "else",
    "eval",
    "exit",
    "export",
    "false",
    "fn",
    "for",
    "global",
    "goto",
    "if",
    "import",
    "in",
    "is",
    "is_def_fn",
    "is_def_var",
    "is_shared",
    "let",
    "loop",
    "match",
    "module",
    "new",
    "nil",
    "null",
    "package",
    "print",
    "private",
    "protected",
    "public",
    "return",
    "shared",
    "spawn",
    "static",
    "super",
    "switch",
    "sync",
    "then",
    "thread",
    "this",
    "throw",
    "true",
    "try",
    "type_of",
    "until",
    "use",
    "var",
    "void",
    "while",
    "with",
    "yield",
    "go",
    "each",
    "every",
    "self",
    "not",
];
