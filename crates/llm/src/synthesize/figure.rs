//! Values for people: exact, with thousands separators and the unit that their label names.

use reading::words;
use serde_json::Value;

/// How figures are dressed under a label: one that names, and one of money or of a share.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dress {
    is_name: bool,
    is_dollars: bool,
    is_percent: bool,
}

/// A value under its label.
pub(super) fn value(label: &str, value: &Value) -> String {
    match value {
        Value::Number(number) => Dress::of(label).figure(&number.to_string()),
        Value::String(text) => cell(label, text),
        Value::Bool(flag) => (if *flag { "yes" } else { "no" }).to_owned(),
        Value::Null => "unknown".to_owned(),
        Value::Array(items) if items.is_empty() => "none".to_owned(),
        Value::Array(items) if items.iter().all(|item| !item.is_object() && !item.is_array()) => {
            items.iter().map(|item| self::value(label, item)).collect::<Vec<_>>().join(", ")
        }
        Value::Array(_) | Value::Object(_) => clean(&value.to_string()),
    }
}

/// A cell under its column: numbers as figures, anything else as it is.
pub(super) fn cell(column: &str, cell: &str) -> String {
    Dress::of(column).cell(cell)
}

/// One line of text.
pub(super) fn clean(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

impl Dress {
    /// The dress under this label.
    pub(super) fn of(label: &str) -> Self {
        let terms = words::identifier_words(label);
        let is = |names: &[&str]| terms.iter().any(|term| names.contains(&term.as_str()));
        let is_name = is(&[
            "id",
            "year",
            "code",
            "port",
            "zip",
            "postal",
            "block",
            "timestamp",
            "ts",
            "time",
            "epoch",
            "version",
            "number",
            "rank",
            "key",
        ]);
        Self {
            is_name,
            is_dollars: is(&["usd"]) && !is_name && !is(&["per", "rate", "index", "score"]),
            is_percent: is(&["pct", "percent", "percentage"]),
        }
    }

    /// A cell: a number as a figure, anything else as it is.
    pub(super) fn cell(self, text: &str) -> String {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let is_number = digits.starts_with(|c: char| c.is_ascii_digit())
            && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
            && digits.matches('.').count() <= 1;
        if is_number { self.figure(text) } else { clean(text) }
    }

    fn figure(self, digits: &str) -> String {
        let digits = whole(digits);
        let (sign, size) = digits.strip_prefix('-').map_or(("", digits), |size| ("-", size));
        let plain = if self.is_name || size.contains(['e', 'E']) { size.to_owned() } else { separated(size) };
        if self.is_dollars {
            return format!("{sign}${plain}");
        }
        let percent = if self.is_percent { "%" } else { "" };
        format!("{sign}{plain}{percent}")
    }
}

/// A whole number without its empty fraction: 45551.0 is 45551.
fn whole(digits: &str) -> &str {
    match digits.split_once('.') {
        Some((whole, rest)) if rest.bytes().all(|byte| byte == b'0') => whole,
        _ => digits,
    }
}

fn separated(digits: &str) -> String {
    let (whole, rest) = digits.find('.').map_or((digits, ""), |point| digits.split_at(point));
    let mut text = String::with_capacity(digits.len() + whole.len() / 3);
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn figures_are_exact() {
        assert_eq!(value("Gross inflow USD", &json!(182_432_211)), "$182,432,211");
        assert_eq!(value("Net flow USD", &json!(-1234.5)), "-$1,234.5");
        assert_eq!(value("Change percent", &json!(3.25)), "3.25%");
        assert_eq!(value("Amount", &json!(45551.0)), "45,551");
        assert_eq!(cell("Humidity percent", "58.0"), "58%");
        assert_eq!(value("Year", &json!(2026)), "2026");
        assert_eq!(value("Tiny", &json!(1e-9)), "1e-9");
        assert_eq!(cell("Price", "97000"), "97,000");
        assert_eq!(cell("Time", "2026-03-18T14:30:00Z"), "2026-03-18T14:30:00Z");
        assert_eq!(value("Open", &json!(true)), "yes");
    }
}
