//! The small standard library: what planners want to do with rows and numbers, and Rhai lacks.

use std::cmp::Ordering;

use rhai::{Array, Dynamic, FuncRegistration, ImmutableString, Module, NativeCallContext};

use crate::held::{Held, Node};
use crate::meter::Stop;
use crate::raise::{self, Raised};
use crate::surface;

/// The most digits that `round` keeps; more than a float has.
const DIGITS_MAX: i64 = 15;

/// The module.
pub(crate) fn module() -> Module {
    let mut module = Module::new();
    register_numbers(&mut module);
    register_rows(&mut module);
    module.build_index();
    module
}

fn register_numbers(module: &mut Module) {
    FuncRegistration::new("round").set_into_module(module, |number: f64, digits: i64| -> Raised<f64> {
        let scale = 10_f64.powi(i32::try_from(digits.clamp(0, DIGITS_MAX)).unwrap_or(0));
        let rounded = (number * scale).round() / scale;
        Ok(if rounded.is_finite() { rounded } else { number })
    });
    FuncRegistration::new("round").set_into_module(module, |number: i64, _: i64| number);
    FuncRegistration::new("round").set_into_module(module, |number: i64| number);
    FuncRegistration::new("parse_number")
        .set_into_module(module, |text: ImmutableString| parse_number(&text));
    FuncRegistration::new("parse_number").set_into_module(module, |number: i64| number);
    FuncRegistration::new("parse_number").set_into_module(module, |number: f64| number);
    FuncRegistration::new("sum").set_into_module(module, |context: NativeCallContext<'_>, rows: Dynamic| {
        sum(&items(&context, &rows)?)
    });
    FuncRegistration::new("sum").set_into_module(
        module,
        |context: NativeCallContext<'_>, rows: Dynamic, key: ImmutableString| {
            sum(&column(&context, &rows, &key)?)
        },
    );
    FuncRegistration::new("mean").set_into_module(module, |context: NativeCallContext<'_>, rows: Dynamic| {
        mean(&items(&context, &rows)?)
    });
    FuncRegistration::new("mean").set_into_module(
        module,
        |context: NativeCallContext<'_>, rows: Dynamic, key: ImmutableString| {
            mean(&column(&context, &rows, &key)?)
        },
    );
}

fn register_rows(module: &mut Module) {
    FuncRegistration::new("pluck")
        .set_into_module(module, |context: NativeCallContext<'_>, rows: Dynamic, key: ImmutableString| {
            column(&context, &rows, &key)
        });
    FuncRegistration::new("rows")
        .set_into_module(module, |context: NativeCallContext<'_>, result: Dynamic| rows(&context, &result));
    FuncRegistration::new("says")
        .set_into_module(module, |text: ImmutableString, word: ImmutableString| says(&text, &word));
    FuncRegistration::new("sort_by").set_into_module(
        module,
        |context: NativeCallContext<'_>, rows: Dynamic, key: ImmutableString| {
            sorted(&context, &rows, &key, false)
        },
    );
    FuncRegistration::new("sort_by_desc").set_into_module(
        module,
        |context: NativeCallContext<'_>, rows: Dynamic, key: ImmutableString| {
            sorted(&context, &rows, &key, true)
        },
    );
    FuncRegistration::new("top").set_into_module(
        module,
        |context: NativeCallContext<'_>, rows: Dynamic, key: ImmutableString, count: i64| -> Raised<Array> {
            let mut rows = sorted(&context, &rows, &key, true)?;
            rows.truncate(usize::try_from(count).unwrap_or(0));
            Ok(rows)
        },
    );
    FuncRegistration::new("take").set_into_module(
        module,
        |context: NativeCallContext<'_>, rows: Dynamic, count: i64| -> Raised<Array> {
            let mut rows = items(&context, &rows)?;
            rows.truncate(usize::try_from(count).unwrap_or(0));
            Ok(rows)
        },
    );
    FuncRegistration::new("copy").set_into_module(
        module,
        |context: NativeCallContext<'_>, value: Dynamic| -> Raised<Dynamic> {
            let items_max = surface::pass(&context)?.limits().array_items_max;
            let opened = match value.read_lock::<Held>() {
                Some(held) => Some(held.settle()?.opened(items_max)?),
                None => None,
            };
            Ok(opened.unwrap_or(value))
        },
    );
}

/// The number that a text says; thousands may be parted by commas or underscores.
fn parse_number(text: &str) -> Raised<Dynamic> {
    let plain: String = text.trim().chars().filter(|one| ![',', '_'].contains(one)).collect();
    if let Ok(integer) = plain.parse::<i64>() {
        return Ok(integer.into());
    }
    match plain.parse::<f64>() {
        Ok(real) if real.is_finite() => Ok(real.into()),
        _ => Err(raise::script(format!("`{text}` is no number"))),
    }
}

/// Whether a text says a word, in the same case: a short word as a whole, so that "USD" does not say "US", a longer one as the
/// beginning of one, and one of a script that sets no spaces anywhere.
fn says(text: &str, word: &str) -> bool {
    let is_parted = word.is_ascii();
    let is_whole = word.len() <= SHORT_LETTERS_MAX;
    let is_said = |at: usize| {
        let starts = !text[..at].ends_with(char::is_alphanumeric);
        let ends = !is_whole || !text[at + word.len()..].starts_with(char::is_alphanumeric);
        !is_parted || starts && ends
    };
    !word.is_empty() && text.match_indices(word).any(|(at, _)| is_said(at))
}

/// A longer word that begins with one of so many letters is hardly a form of it.
const SHORT_LETTERS_MAX: usize = 2;

/// A result that is a scalar or a text has no rows.
fn rows(context: &NativeCallContext<'_>, result: &Dynamic) -> Raised<Array> {
    let rows = match result.read_lock::<Held>() {
        Some(held) => held.settle()?.rows(),
        None => Vec::new(),
    };
    if rows.len() > surface::pass(context)?.limits().array_items_max {
        return Err(raise::stop(Stop::Limit("array_items_max")));
    }
    Ok(rows.iter().map(Node::to_dynamic).collect())
}

fn items(context: &NativeCallContext<'_>, rows: &Dynamic) -> Raised<Array> {
    let wanted = || raise::script(format!("`{}` wants an array", context.fn_name()));
    let items_max = surface::pass(context)?.limits().array_items_max;
    if let Some(held) = rows.read_lock::<Held>() {
        return held.settle()?.opened(items_max)?.into_array().map_err(|_| wanted());
    }
    rows.as_array_ref().map(|rows| rows.clone()).map_err(|_| wanted())
}

fn column(context: &NativeCallContext<'_>, rows: &Dynamic, key: &str) -> Raised<Array> {
    items(context, rows)?.iter().enumerate().map(|(place, row)| field(row, key, place)).collect()
}

fn field(row: &Dynamic, key: &str, place: usize) -> Raised<Dynamic> {
    if let Some(held) = row.read_lock::<Held>() {
        return held.settle()?.property(key);
    }
    let found = row.as_map_ref().ok().and_then(|row| row.get(key).cloned());
    found.ok_or_else(|| raise::script(format!("item {place} has no property `{key}`")))
}

fn sum(values: &[Dynamic]) -> Raised<Dynamic> {
    let integers: Option<Vec<i64>> = values.iter().map(|value| value.as_int().ok()).collect();
    if let Some(integers) = integers {
        let total = integers.into_iter().try_fold(0_i64, i64::checked_add);
        return total.map(Into::into).ok_or_else(|| raise::script("the sum is out of range"));
    }
    let mut total = 0.0;
    for (place, value) in values.iter().enumerate() {
        total += number(value)
            .ok_or_else(|| raise::script(format!("item {place} is no number, so there is no sum")))?;
    }
    Ok(total.into())
}

fn mean(values: &[Dynamic]) -> Raised<Dynamic> {
    let total = sum(values)?;
    let count = u32::try_from(values.len()).ok().filter(|count| *count > 0);
    let mean = number(&total).zip(count).map(|(total, count)| total / f64::from(count));
    mean.map(Into::into).ok_or_else(|| raise::script("nothing has no mean"))
}

/// The rows by one property, in a new array; rows where it is `()` come last. The order of equal rows is kept.
fn sorted(context: &NativeCallContext<'_>, rows: &Dynamic, key: &str, descending: bool) -> Raised<Array> {
    let rows = items(context, rows)?;
    let keys =
        rows.iter().enumerate().map(|(place, row)| field(row, key, place)).collect::<Raised<Vec<_>>>()?;
    if let Some(odd) = keys.iter().find(|key| !key.is_unit() && number(key).is_none() && !key.is_string()) {
        return Err(raise::script(format!("`{key}` is sometimes {}, which has no order", odd.type_name())));
    }
    let mut keyed: Vec<(Dynamic, Dynamic)> = keys.into_iter().zip(rows).collect();
    keyed.sort_by(|(left, _), (right, _)| match (left.is_unit(), right.is_unit()) {
        (false, false) if descending => order(right, left),
        (false, false) => order(left, right),
        (left, right) => left.cmp(&right),
    });
    Ok(keyed.into_iter().map(|(_, row)| row).collect())
}

/// Numbers by size and before text, text by its characters.
fn order(left: &Dynamic, right: &Dynamic) -> Ordering {
    match (left.as_int(), right.as_int(), number(left), number(right)) {
        (Ok(left), Ok(right), ..) => left.cmp(&right),
        (_, _, Some(left), Some(right)) => left.total_cmp(&right),
        (_, _, Some(_), None) => Ordering::Less,
        (_, _, None, Some(_)) => Ordering::Greater,
        _ => left.to_string().cmp(&right.to_string()),
    }
}

fn number(value: &Dynamic) -> Option<f64> {
    #[expect(clippy::cast_precision_loss, reason = "a float is what arithmetic with it gives anyway")]
    let integer = value.as_int().ok().map(|integer| integer as f64);
    integer.or_else(|| value.as_float().ok())
}
