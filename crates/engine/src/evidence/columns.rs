//! Columns: what tells rows apart, what is measured, and what is worth showing beside.

use std::collections::BTreeSet;

use policy::ViewLimits;
use reading::form::{self, Form, Noun, Order};
use reading::{Reading, standards, words};
use serde_json::Value;

use super::rows::Cell;

/// The keys of all rows, in the order of their first appearance.
pub(crate) fn keys(rows: &[Vec<Cell>]) -> Vec<String> {
    let mut keys: Vec<String> = Vec::new();
    for cell in rows.iter().flatten() {
        if !keys.contains(&cell.key) {
            keys.push(cell.key.clone());
        }
    }
    keys
}

/// The column that is measured: the one that the plan named, else the numeric one that shares most words with the
/// question, and so in a ranking where it shares more than the plan's. A ranking has none where no column shares a word, but
/// for the largest of amounts, and one of changes none but a change: rows ordered by something else answer another question.
pub(crate) fn measure(
    keys: &[String],
    rows: &[Vec<Cell>],
    reading: &Reading,
    asked: &BTreeSet<String>,
) -> Option<String> {
    let form = &reading.form;
    let subject = stood_for(keys, rows, form);
    let is_wanted =
        |term: &&String| (asked.contains(*term) || form.measures.contains(term)) && !subject.contains(term);
    let shared = |key: &String| {
        let terms = terms(key);
        let own = terms.iter().filter(is_wanted).count();
        // Of the high and the low, the one at the end that is asked for.
        let is_end =
            own > 0 && reading.order.is_some_and(|order| terms.iter().any(|term| is_of_end(term, order)));
        own + usize::from(is_end)
    };
    // The largest of what has an amount is so by that, and the largest price moves are so by no price.
    let says = |word: &str| asked.contains(word);
    let is_largest =
        ["largest", "biggest", "smallest"].into_iter().any(says) || says("top") && form.by.is_none();
    let is_by_size = form.way.is_none() && is_largest;
    let is_told = |term: &String| {
        form.head.as_ref() == Some(term)
            || form.by.as_ref().is_some_and(|noun| noun.stems.contains(term))
            || SIZES.contains(&term.as_str())
    };
    let is_beside_head = |key: &String| is_by_size && form.head.is_some() && !terms(key).iter().any(is_told);
    let is_free = reading.order.is_none() && reading.dated.is_none();
    let is_of_way = |key: &str| form.way.is_none() || is_change(key);
    let may_be = |key: &String| is_of_way(key) && (is_free || shared(key) > 0 && !is_beside_head(key));
    let leaf = |path: &String| path.rsplit('.').next().unwrap_or(path).trim_end_matches("[]").to_owned();
    let is_numeric = |key: &str| is_numeric(key, rows);
    let named = reading.measures.iter().map(leaf).find(|key| keys.contains(key) && may_be(key));
    let numeric = keys.iter().rev().filter(|key| is_numeric(key) && may_be(key));
    let nearest = numeric.max_by_key(|key| shared(key)).cloned();
    let is_nearer = |named: &String| {
        reading.order.is_some() && nearest.as_ref().is_some_and(|nearest| shared(nearest) > shared(named))
    };
    let is_called = |key: &&String, size: &str| is_numeric(key) && terms(key).iter().any(|term| term == size);
    let of_size = |size: &&str| keys.iter().find(|key| is_called(key, size));
    let size = || SIZES.iter().filter(|_| is_by_size).find_map(of_size);
    // The most of what the rows are of is told by their total.
    let is_of_amount =
        || form.way.is_none() && reading.order.is_some() && form.measures.iter().any(|it| asked.contains(it));
    let total = || keys.iter().find(|key| is_numeric(key) && is_total(key) && is_of_amount());
    let measure = named.filter(|named| !is_nearer(named)).or(nearest);
    let measure = measure.or_else(|| size().or_else(total).cloned())?;
    let chance = reading.order.and_then(|_| chance_of(&measure, keys, asked)).filter(|key| is_numeric(key));
    Some(chance.cloned().unwrap_or(measure))
}

/// What says how likely something is, where rows are ranked by odds: the most of what is paid is for what is least likely. Odds that
/// are called as their column is, or long or short, are meant as they stand.
fn chance_of<'k>(measure: &str, keys: &'k [String], asked: &BTreeSet<String>) -> Option<&'k String> {
    let own = words::identifier_terms(measure);
    let is_said = own.iter().filter(|term| *term != "odd").any(|term| asked.contains(term));
    let is_length =
        ["long", "longer", "longest", "short", "shorter", "shortest"].iter().any(|it| asked.contains(*it));
    if !own.iter().any(|term| term == "odd") || is_said || is_length {
        return None;
    }
    keys.iter().find(|key| {
        words::identifier_terms(key).iter().any(|term| matches!(term.as_str(), "probabl" | "chanc"))
    })
}

/// Stems of the noun that rows stand for, which is not what is measured of them. What they are ranked by, or the largest of which is
/// asked for, is no such noun where no text is called so: "largest by volume", "biggest outflows".
fn stood_for<'f>(keys: &[String], rows: &[Vec<Cell>], form: &'f Form) -> &'f [String] {
    let is_text = |key: &&String| !is_numeric(key, rows);
    let is_head = |noun: &Noun| noun.is_plural && form.head.as_ref() == noun.stems.last();
    let may_measure = |noun: &Noun| form.by.as_ref() == Some(noun) || is_head(noun);
    let is_subject = |noun: &&Noun| {
        !may_measure(noun) || keys.iter().filter(is_text).any(|key| noun.is_among(&terms(key)))
    };
    form.dimension.as_ref().filter(is_subject).map_or(&[], |noun| &noun.stems)
}

/// Whether a column is a total, and of nothing else than the rows are: `totalUsd`.
fn is_total(key: &str) -> bool {
    let terms = words::identifier_terms(key);
    terms.first().is_some_and(|term| term == "total")
        && terms.iter().skip(1).all(|term| standards::currency(term).is_some())
}

/// Stems of what is large or small by itself, the likeliest first.
const SIZES: [&str; 8] = ["amount", "valu", "total", "volum", "size", "quantiti", "qti", "share"];

/// The terms of a column's key, and of what is measured in its unit.
pub(crate) fn terms(key: &str) -> Vec<String> {
    let mut terms = words::identifier_terms(key);
    terms.extend(form::measured_in(&terms).collect::<Vec<_>>());
    terms
}

/// Whether a column is a change, which has a sign.
pub(crate) fn is_change(key: &str) -> bool {
    form::is_change(&words::identifier_terms(key))
}

/// Whether a column has numbers.
pub(crate) fn is_numeric(key: &str, rows: &[Vec<Cell>]) -> bool {
    rows.iter().flatten().any(|cell| cell.key == key && cell.value.is_number())
}

/// Whether a column's word is of the end of a ranking that comes first.
fn is_of_end(term: &str, order: Order) -> bool {
    match order {
        Order::Ascending => matches!(term, "low" | "min" | "minimum"),
        Order::Descending => matches!(term, "high" | "max" | "maximum"),
    }
}

/// The column that tells rows apart: the argument that was fanned out over; of ranked rows the text for people that tells most of
/// them apart, and half of them at the least, a name before another; else what names the rows, else the first text for people that
/// differs in each, else the first one that does, else the first text.
pub(crate) fn subject(
    keys: &[String],
    rows: &[Vec<Cell>],
    reading: &Reading,
    measure: Option<&str>,
) -> Option<String> {
    let fanned = reading.dimensions.iter().find(|dimension| keys.contains(dimension)).cloned();
    let is_text = |key: &&String| {
        Some(key.as_str()) != measure
            && rows.iter().all(|row| row.iter().any(|cell| cell.key == **key && cell.value.is_string()))
    };
    let told_apart = |key: &String| {
        let cells = rows.iter().flatten().filter(|cell| cell.key == *key);
        cells.filter_map(|cell| cell.value.as_str()).collect::<BTreeSet<&str>>().len()
    };
    let tells_apart = |key: &&String| told_apart(key) == rows.len();
    let last_word = |key: &str| words::identifier_words(key).pop().unwrap_or_default();
    let is_name = |key: &&String| {
        matches!(last_word(key).as_str(), "name" | "title" | "symbol" | "ticker" | "label" | "headline")
    };
    let is_for_people = |key: &&String| {
        !matches!(
            last_word(key).as_str(),
            "id" | "url" | "uri" | "link" | "hash" | "slug" | "address" | "cursor"
        )
    };
    let is_ranked = reading.order.is_some() && measure.is_some();
    let names_each = |key: &&String| is_for_people(key) && tells_apart(key);
    let texts = || keys.iter().filter(is_text);
    // Of texts that tell as many apart the first name, else the first.
    let of_most = || {
        let is_each = |key: &&String| is_for_people(key) && told_apart(key) * 2 > rows.len();
        texts().filter(is_each).rev().max_by_key(|key| (told_apart(key), is_name(key))).cloned()
    };
    fanned
        .or_else(|| is_ranked.then(of_most).flatten())
        .or_else(|| texts().find(is_name).cloned())
        .or_else(|| texts().find(names_each).cloned())
        .or_else(|| texts().find(tells_apart).cloned())
        .or_else(|| texts().next().cloned())
}

/// Whether what tells rows apart are names, and no times: a text without a digit is none.
pub(crate) fn are_told_by_names(rows: &[Vec<Cell>], reading: &Reading) -> bool {
    let subject = subject(&keys(rows), rows, reading, None);
    let cells = rows.iter().flatten().filter(|cell| Some(&cell.key) == subject.as_ref());
    let mut texts = cells.filter_map(|cell| cell.value.as_str());
    rows.len() > 1 && texts.any(|text| !text.contains(|sign: char| sign.is_ascii_digit()))
}

/// The columns to show: what leads them, which tells rows apart and is measured, and the rest that says something.
pub(crate) fn arranged(
    keys: &[String],
    rows: &[Vec<Cell>],
    leads: &[&str],
    limits: &ViewLimits,
) -> Vec<String> {
    let values = |key: &str| -> Vec<Option<&Value>> {
        rows.iter().map(|row| row.iter().find(|cell| cell.key == key).map(|cell| &cell.value)).collect()
    };
    let leading: Vec<Vec<Option<&Value>>> = leads.iter().map(|lead| values(lead)).collect();
    // A column that says the same in every row, or the same as a leading column, says nothing.
    let says_something = |key: &&String| {
        let own = values(key);
        (rows.len() == 1 || own.iter().any(|value| *value != own[0])) && !leading.contains(&own)
    };
    let rest = keys.iter().filter(|key| !leads.contains(&key.as_str())).filter(says_something);
    leads.iter().map(|&lead| lead.to_owned()).chain(rest.cloned()).take(limits.columns_max).collect()
}
