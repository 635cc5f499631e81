//! Pages, where a method has to be told of them and the question has no wish.

use super::number::number;
use super::parameter::{Parameter, Shape};
use super::role::Role;
use super::{Bound, Source};

/// More rows than this are nothing to ask for without being told to.
const ROWS_MAX: f64 = 1000.0;

/// The first page, and as many rows as it may have: nobody means to be asked for that.
pub(super) fn implied(parameter: &Parameter, confidence: f64) -> Option<Bound> {
    let Shape::Number(bounds) = parameter.shape else { return None };
    let named = |names: &[&str]| parameter.own.iter().any(|stem| names.contains(&stem.as_str()));
    let (value, what) =
        if parameter.role == Role::Limit && named(&["page", "limit", "result", "record", "item"]) {
            let told = || most_told(&parameter.notes);
            let most = if bounds.most.is_finite() { Some(bounds.most) } else { told() };
            (most.filter(|most| (1.0..=ROWS_MAX).contains(most))?, "the most that it may be")
        } else if parameter.role == Role::Page {
            let counts_from_one = named(&["page"]) && !named(&["offset", "index"]);
            let first = if counts_from_one { 1.0 } else { 0.0 };
            (bounds.least.max(first), "where the first page begins")
        } else {
            return None;
        };
    let why = format!("`{}` is {value}, {what}", parameter.name);
    let source = Source::Implied { range: None, why };
    parameter.is_required.then_some(Bound { value: number(value)?, source, confidence })
}

/// The most that a description says a number may be: "between 3 and 100", "range of 3 to 100", "up to 50", "maximum 50".
fn most_told(notes: &str) -> Option<f64> {
    let words: Vec<&str> = notes
        .split(|sign: char| sign.is_whitespace() || matches!(sign, ',' | ';' | '(' | ')' | ':' | '-' | '–'))
        .map(|word| word.trim_end_matches('.'))
        .filter(|word| !word.is_empty())
        .collect();
    let number = |at: usize| words.get(at).and_then(|word| word.parse::<f64>().ok());
    (0..words.len()).find_map(|at| match words[at] {
        "between" | "from" | "of" | "range" => {
            let first = number(at + 1)?;
            let joined = usize::from(matches!(words.get(at + 2), Some(&("to" | "and"))));
            number(at + 2 + joined).filter(|last| *last > first)
        }
        "max" | "maximum" | "most" => number(at + 1).or_else(|| number(at + 2)),
        "up" => number(at + 2),
        _ => None,
    })
}
