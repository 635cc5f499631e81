//! Values for people: exact, with thousands separators and the unit that their label names.

use reading::words;
use serde_json::Value;

/// How figures are dressed under a label: one that names, and one of something that is measured.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dress {
    is_name: bool,
    sign: &'static str,
    unit: &'static str,
}

/// Units by the word that a label ends in, with what is written after a figure.
const UNITS: [(&str, &str); 12] = [
    ("celsius", " °C"),
    ("fahrenheit", " °F"),
    ("kmh", " km/h"),
    ("kph", " km/h"),
    ("mph", " mph"),
    ("hpa", " hPa"),
    ("km", " km"),
    ("kg", " kg"),
    ("mm", " mm"),
    ("percent", "%"),
    ("percentage", "%"),
    ("pct", "%"),
];

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

/// A label and its value: "Humidity: 60%".
pub(super) fn labelled(label: &str, value: &Value) -> String {
    let name = if value.is_number() { quantity(label) } else { label };
    format!("{name}: {}", self::value(label, value))
}

/// What a label measures, without the unit that its figures say.
pub(super) fn quantity(label: &str) -> &str {
    let dress = Dress::of(label);
    let is_said = |word: &str| {
        UNITS.iter().any(|(unit, _)| word.eq_ignore_ascii_case(unit))
            || !dress.sign.is_empty() && word.eq_ignore_ascii_case("usd")
    };
    label.rsplit_once(' ').filter(|(_, last)| is_said(last)).map_or(label, |(name, _)| name)
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
            "hash",
            "address",
        ]);
        let is_dollars = is(&["usd"]) && !is_name && !is(&["per", "rate", "index", "score"]);
        let last = terms.last().map_or("", String::as_str);
        let unit = UNITS.iter().find(|(word, unit)| last == *word || *unit == "%" && is(&[word]));
        Self {
            is_name,
            sign: if is_dollars { "$" } else { "" },
            unit: unit.filter(|_| !is_dollars).map_or("", |(_, unit)| unit),
        }
    }

    /// A cell: a number as a figure, anything else as it is.
    pub(super) fn cell(self, text: &str) -> String {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let is_padded = digits.len() > 1 && digits.starts_with('0') && !digits.starts_with("0.");
        let is_number = !is_padded
            && digits.starts_with(|c: char| c.is_ascii_digit())
            && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
            && digits.matches('.').count() <= 1;
        if is_number { self.figure(text) } else { clean(text) }
    }

    fn figure(self, digits: &str) -> String {
        let digits = whole(digits);
        let (sign, size) = digits.strip_prefix('-').map_or(("", digits), |size| ("-", size));
        let plain = if self.is_name || size.contains(['e', 'E']) { size.to_owned() } else { separated(size) };
        format!("{sign}{}{plain}{}", self.sign, self.unit)
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
        assert_eq!(value("Temperature celsius", &json!(-4.7)), "-4.7 °C");
        assert_eq!(value("Year", &json!(2026)), "2026");
        assert_eq!(value("Tiny", &json!(1e-9)), "1e-9");
        assert_eq!(cell("Price", "97000"), "97,000");
        assert_eq!(cell("Ticket", "0016657821938133"), "0016657821938133");
        assert_eq!(cell("Time", "2026-03-18T14:30:00Z"), "2026-03-18T14:30:00Z");
        assert_eq!(value("Open", &json!(true)), "yes");
    }

    #[test]
    fn a_label_leaves_its_unit_to_the_figure() {
        assert_eq!(labelled("Wind kmh", &json!(14.6)), "Wind: 14.6 km/h");
        assert_eq!(labelled("Net flow USD", &json!(12)), "Net flow: $12");
        assert_eq!(labelled("Humidity percent", &json!(null)), "Humidity percent: unknown");
        assert_eq!(labelled("Percentage change", &json!(3)), "Percentage change: 3%");
        assert_eq!(labelled("Percent", &json!(3)), "Percent: 3%");
    }
}
