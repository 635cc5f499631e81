//! The text of programs: Rhai, in the dialect of the program stage.

use std::fmt::Write;

use fit::Choice;
use fit::fan::{Fan, ItemFan};
use fit::lookup::{Found, Lookup};
use serde_json::{Map, Value};

/// One call; its result is the program's value.
pub(crate) fn single(choice: &Choice<'_>) -> String {
    format!("{}\n", call(choice, &choice.binding.values(), None))
}

/// One call for each value, in one wave. A call that fails leaves its row out and loses none of the others.
pub(crate) fn fan_out(choice: &Choice<'_>, fan: &Fan) -> String {
    let mut arguments = choice.binding.values();
    arguments.remove(&fan.argument);
    let values: Vec<String> = fan.values.iter().map(literal).collect();
    let call = call(choice, &arguments, Some((&fan.argument, "subject")));
    let key = key(&fan.argument);
    format!(
        "let subjects = [{}];\n\
         let calls = [];\n\
         for subject in subjects {{\n    calls.push({call});\n}}\n\
         let replies = settle_all(calls);\n\
         let rows = [];\n\
         for (subject, at) in subjects {{\n    \
             let reply = replies[at];\n    \
             if reply.ok {{\n        rows.push(#{{{key}: subject, result: reply.value}});\n    }}\n}}\n\
         rows\n",
        values.join(", ")
    )
}

/// One call for each item that another call gives, in one wave.
pub(crate) fn fan_over_items(choice: &Choice<'_>, fan: &ItemFan<'_>) -> String {
    let (lister, told) = (&fan.lister, &fan.told);
    let mut arguments = choice.binding.values();
    arguments.remove(&fan.argument);
    let value = format!("item{}", steps(&told.value));
    let call_item = call(choice, &arguments, Some((&fan.argument, &value)));
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
        call(lister, &lister.binding.values(), None),
        steps(&told.items),
        fan.most,
    )
}

/// Calls that find the argument of the last one: of each look-up the item with most of the wanted words.
pub(crate) fn looked_up(choice: &Choice<'_>, lookups: &[Lookup<'_>]) -> String {
    let mut text = String::new();
    let mut given: Option<(&str, String)> = None;
    for (place, lookup) in lookups.iter().enumerate() {
        let suffix = if place == 0 { String::new() } else { format!("_{}", place + 1) };
        let mut arguments = lookup.choice.binding.values();
        if let Some((argument, _)) = &given {
            arguments.remove(*argument);
        }
        let given_here = given.as_ref().map(|(argument, value)| (*argument, value.as_str()));
        let _ = writeln!(text, "let found{suffix} = {};", call(&lookup.choice, &arguments, given_here));
        let value = match &lookup.found {
            Found::Told(told) if told.is_array => {
                let items = format!("found{suffix}{}", steps(&told.items));
                text.push_str(&chosen_item(lookup, &suffix, &items));
                format!("chosen{suffix}{}", steps(&told.value))
            }
            Found::Told(told) => format!("found{suffix}{}", steps(&told.value)),
            Found::Untold(keys) => {
                text.push_str(&chosen_item(lookup, &suffix, &format!("rows(found{suffix})")));
                let key = |key: &String| format!("chosen{suffix}.get({})", quoted(key));
                let keys = keys.iter().map(key).collect::<Vec<_>>().join(" ?? ");
                let _ = write!(
                    text,
                    "let identifier{suffix} = {keys};\n\
                     if identifier{suffix} == () {{\n    throw \"what the look-up found has no identifier\";\n}}\n"
                );
                format!("identifier{suffix}")
            }
        };
        given = Some((&lookup.argument, value));
    }
    let mut arguments = choice.binding.values();
    if let Some((argument, _)) = &given {
        arguments.remove(*argument);
    }
    let given = given.as_ref().map(|(argument, value)| (*argument, value.as_str()));
    let _ = writeln!(text, "{}", call(choice, &arguments, given));
    text
}

/// The first item with most of the wanted words. A later look-up wants the words that the item before did not have, all
/// of them, in one item alone.
fn chosen_item(lookup: &Lookup<'_>, suffix: &str, items: &str) -> String {
    let mut text = String::new();
    let is_first = suffix.is_empty();
    if is_first {
        let wanted: Vec<String> = lookup.wanted.iter().map(|word| quoted(word)).collect();
        let _ = writeln!(text, "let wanted = [{}];", wanted.join(", "));
    } else {
        let _ = write!(
            text,
            "let known = to_lower(to_json(chosen));\n\
             let wanted{suffix} = wanted.filter(|word| !known.contains(word));\n\
             let tied = false;\n"
        );
    }
    let is_searched = is_first && !lookup.searched.is_empty();
    if is_searched {
        let searched: Vec<String> = lookup.searched.iter().map(|word| quoted(word)).collect();
        let _ = writeln!(text, "let searched = [{}];", searched.join(", "));
    }
    // What has hardly a word of the name is something else, whatever it has of the words beside it.
    let is_it = if is_first { "if hits * 2 < wanted.len() { continue; }\n    " } else { "" };
    let beside = if is_searched {
        "for word in searched {\n        if text.contains(word) { hits += 1; }\n    }\n    "
    } else {
        ""
    };
    let tie = if is_first { String::new() } else { "        tied = false;\n".to_owned() };
    let tied = if is_first {
        String::new()
    } else {
        format!(" else if hits == most{suffix} {{\n        tied = true;\n    }}")
    };
    let _ = write!(
        text,
        "let chosen{suffix} = ();\n\
         let most{suffix} = 0;\n\
         for item in {items} {{\n    \
             let text = to_lower(to_json(item));\n    \
             let hits = 0;\n    \
             for word in wanted{suffix} {{\n        if text.contains(word) {{ hits += 1; }}\n    }}\n    \
             {is_it}{beside}if hits > most{suffix} {{\n        most{suffix} = hits;\n        chosen{suffix} = item;\n{tie}    }}{tied}\n}}\n",
    );
    let fails = if is_first {
        "most == 0".to_owned()
    } else {
        format!("most{suffix} == 0 || tied || most{suffix} < wanted{suffix}.len()")
    };
    let _ = write!(
        text,
        "if {fails} {{\n    throw \"nothing that the look-up found has the words of the question\";\n}}\n"
    );
    text
}

/// `call_tool("alias.method", #{..})`, with one argument given by an expression.
fn call(choice: &Choice<'_>, arguments: &Map<String, Value>, given: Option<(&str, &str)>) -> String {
    let mut pairs: Vec<String> = Vec::with_capacity(arguments.len() + 1);
    pairs.extend(given.map(|(name, expression)| format!("{}: {expression}", key(name))));
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
