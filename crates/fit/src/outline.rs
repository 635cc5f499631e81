//! The outline of a result: its leaves and arrays, from the output schema.

use std::cmp::Reverse;
use std::sync::Arc;

use reading::form::{self, Form, FormKind, Order, Way};
use reading::time::{self, Moment, Window};
use reading::words::Groups;
use reading::{Question, words};
use serde_json::Value;

/// A result's leaves, in the schema's order.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    /// Its values.
    pub leaves: Vec<Leaf>,
    /// Its arrays.
    pub arrays: Vec<Array>,
    /// The sorted stems of the leaves' keys and descriptions.
    vocabulary: Vec<String>,
    /// Those of the numbers among them.
    measured: Vec<String>,
    /// Stems that mean nearly what one in the key of a number does, each with that one, in order.
    akin: Vec<(Arc<str>, String)>,
}

/// A value within a result.
#[derive(Clone, Debug)]
pub struct Leaf {
    /// Dotted, `[]` for array items: `events[].id`.
    pub path: String,
    /// The last key.
    pub key: String,
    /// Stems of the last key.
    pub stems: Vec<String>,
    /// Stems of its description.
    pub context: Vec<String>,
    /// Its kind.
    pub kind: LeafKind,
    /// The texts that it may be, in lower case, where its schema lists them.
    pub choices: Vec<String>,
    /// Whether it stands in the items of an array.
    pub is_in_rows: bool,
    /// Whether its description says that less of it is better.
    pub less_is_better: bool,
}

/// What kind of value a leaf is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeafKind {
    /// A number.
    Number,
    /// Text.
    Text,
    /// A moment or date.
    Time,
    /// True or false.
    Flag,
}

/// An array of a result.
#[derive(Clone, Debug)]
pub struct Array {
    /// Stems of its key and description.
    pub stems: Vec<String>,
}

/// Stems of the keys of times since when a thing is there.
const BEGINNINGS: [&str; 8] = ["creat", "publish", "post", "issu", "list", "open", "timestamp", "date"];

const DEPTH_MAX: usize = 6;
const LEAVES_MAX: usize = 256;

/// The outline of an output schema; empty where there is none.
pub(crate) fn outline(schema: Option<&Value>) -> Outline {
    let mut outline = Outline::default();
    if let Some(schema) = schema {
        walk(schema, (schema, "", ""), 0, &mut outline);
    }
    let is_number = |leaf: &&Leaf| leaf.kind == LeafKind::Number;
    outline.measured = stems(outline.leaves.iter().filter(is_number));
    outline.vocabulary = stems(outline.leaves.iter());
    outline
}

/// The stems of leaves' keys and descriptions, sorted, each once.
fn stems<'a>(leaves: impl Iterator<Item = &'a Leaf>) -> Vec<String> {
    let mut stems: Vec<String> =
        leaves.flat_map(|leaf| leaf.stems.iter().chain(&leaf.context)).cloned().collect();
    stems.sort_unstable();
    stems.dedup();
    stems
}

impl Outline {
    /// The stems of the keys of its numbers and times.
    pub(crate) fn measured_stems(&self) -> Vec<String> {
        let is_measure = |leaf: &&Leaf| matches!(leaf.kind, LeafKind::Number | LeafKind::Time);
        self.leaves.iter().filter(is_measure).flat_map(|leaf| &leaf.stems).cloned().collect()
    }

    /// The same, together with the words that mean nearly what the keys of its numbers do.
    #[must_use]
    pub(crate) fn with_kin(mut self, kin: &Groups) -> Self {
        let numbers = self.leaves.iter().filter(|leaf| leaf.kind == LeafKind::Number);
        let stems = numbers.flat_map(|leaf| &leaf.stems);
        self.akin = stems
            .flat_map(|stem| kin.beside(stem).into_iter().map(move |akin| (akin, stem.clone())))
            .collect();
        self.akin.sort_unstable();
        self.akin.dedup();
        self
    }

    /// The form of a question, with what it ranks by or asks how much there is of also in the words of these numbers, where it is in
    /// none of these keys: the reserves of "which exchange holds the most BTC", the outflow of "how much left".
    #[must_use]
    pub fn in_own_words(&self, form: &Form) -> Form {
        let mut form = form.clone();
        if self.has_other_words(&form) {
            let akin = form.measures.iter().flat_map(|stem| self.akin(stem)).cloned();
            form.measures.extend(akin.collect::<Vec<_>>());
        }
        form
    }

    /// Whether its numbers measure what a question does, as said or [in these words](Self::in_own_words).
    #[must_use]
    pub fn measures_in_own_words(&self, form: &Form) -> bool {
        let is_akin = |stem: &String| self.akin(stem).next().is_some();
        self.measures_any(&form.measures) || self.has_other_words(form) && form.measures.iter().any(is_akin)
    }

    /// Whether none of its keys says what a question ranks by or asks how much there is of.
    fn has_other_words(&self, form: &Form) -> bool {
        let is_own = |stem: &String| self.leaves.iter().any(|leaf| leaf.stems.contains(stem));
        (form.order.is_some() || form.asks_amount) && !form.measures.iter().any(is_own)
    }

    /// The stems in the keys of its numbers that mean nearly what this one does.
    fn akin(&self, stem: &str) -> impl Iterator<Item = &String> {
        let from = self.akin.partition_point(|(akin, _)| akin.as_ref() < stem);
        self.akin[from..].iter().take_while(move |(akin, _)| akin.as_ref() == stem).map(|(_, own)| own)
    }

    /// Whether some array has items with a time in them.
    #[must_use]
    pub fn has_series(&self) -> bool {
        self.leaves.iter().any(|leaf| leaf.kind == LeafKind::Time && leaf.is_in_rows)
    }

    /// The times of its rows that a question means by what it says before a moment: when an event closes, of "closing this week".
    #[must_use]
    pub fn dated(&self, question: &Question, moment: &Moment) -> Option<&Leaf> {
        let said = question.dated_by(moment)?;
        let times = || self.leaves.iter().filter(|leaf| leaf.kind == LeafKind::Time && leaf.is_in_rows);
        let is_done = question.form.dimension.is_some() && !said.has_plural_ending();
        let in_context = |leaf: &&Leaf| is_done && leaf.context.contains(&said.stem);
        times().find(|leaf| leaf.stems.contains(&said.stem)).or_else(|| times().find(in_context))
    }

    /// The time that tells what comes first or last, where a question asks for that: when the sun rises, of "the earliest sunrise", when
    /// an article was published, of "the oldest article".
    #[must_use]
    pub fn turned(&self, form: &Form) -> Option<&Leaf> {
        let turn = form.turn.as_ref().filter(|_| form.order.is_none())?;
        let is_it = |leaf: &&Leaf| match &turn.of {
            Some(stem) => leaf.stems.contains(stem),
            None => leaf.stems.iter().any(|stem| BEGINNINGS.contains(&stem.as_str())),
        };
        self.leaves.iter().filter(|leaf| leaf.kind == LeafKind::Time).find(is_it)
    }

    /// Whether it is known to have no number in it.
    #[must_use]
    pub fn has_no_number(&self) -> bool {
        !self.leaves.is_empty() && !self.leaves.iter().any(|leaf| leaf.kind == LeafKind::Number)
    }

    /// Whether a stem is among the words of its values.
    #[must_use]
    pub fn knows(&self, stem: &str) -> bool {
        self.vocabulary.binary_search_by(|known| known.as_str().cmp(stem)).is_ok()
    }

    /// Whether one of these stems is among the words of its numbers.
    #[must_use]
    pub fn measures_any(&self, wanted: &[impl AsRef<str>]) -> bool {
        let is_measured = |stem: &str| self.measured.binary_search_by(|own| own.as_str().cmp(stem)).is_ok();
        wanted.iter().any(|stem| is_measured(stem.as_ref()))
    }

    /// Whether another result has one of its numbers, too.
    #[must_use]
    pub fn tells_number_of(&self, other: &Self) -> bool {
        let is_number = |leaf: &&Leaf| leaf.kind == LeafKind::Number;
        let mut own = self.leaves.iter().filter(is_number);
        own.any(|leaf| other.leaves.iter().filter(is_number).any(|other| other.key == leaf.key))
    }

    /// Whether none of its numbers is a change of what a question speaks of, and no row a step of a course that one could be read from.
    #[must_use]
    pub fn lacks_change(&self, form: &Form) -> bool {
        let is_of_change = |leaf: &Leaf| form::is_change(&leaf.stems) && leaf.nearness(&form.measures) > 0;
        let mut numbers = self.leaves.iter().filter(|leaf| leaf.kind == LeafKind::Number);
        !self.leaves.is_empty() && !numbers.any(is_of_change) && !self.has_series()
    }

    /// Whether a value of its rows is called by a stem.
    #[must_use]
    pub fn has_in_rows(&self, stem: &String) -> bool {
        self.leaves.iter().any(|leaf| leaf.is_in_rows && leaf.stems.contains(stem))
    }

    /// Whether some array is a list of what a stem names.
    #[must_use]
    pub fn is_list_of(&self, noun: &String) -> bool {
        self.arrays.iter().any(|array| array.stems.first() == Some(noun))
    }

    /// Stems of what the rows of a ranking are to be ordered by, where a question says "by" what and its numbers are so called: the
    /// volume of "biggest market by volume", where that of "biggest inflow by exchange" is a kind of rows.
    #[must_use]
    pub fn ranked_by<'f>(&self, form: &'f Form) -> Option<&'f [String]> {
        let noun = form.by.as_ref()?;
        let of_noun = |leaf: &&Leaf| leaf.is_in_rows && noun.is_among(&leaf.stems);
        let mut named = self.leaves.iter().filter(of_noun).peekable();
        (named.peek().is_some() && named.all(|leaf| leaf.kind == LeafKind::Number)).then_some(&noun.stems)
    }

    /// The paths of numbers that the measured words name, the nearest first. Where a question ranks changes, those come before, the ones
    /// over its window first; in any ranking the other numbers follow.
    #[must_use]
    pub fn measures(&self, wanted: &[String], question: &Question) -> Vec<String> {
        let form = &question.form;
        let or_any = form.kind == FormKind::Ranking;
        let mut scored: Vec<(usize, &Leaf)> = self
            .leaves
            .iter()
            .filter(|leaf| leaf.kind == LeafKind::Number)
            .map(|leaf| (leaf.nearness(wanted), leaf))
            .collect();
        scored.retain(|(nearness, leaf)| *nearness > 0 || (or_any && leaf.is_in_rows));
        let is_ranked = |leaf: &Leaf| form.way.is_some() && form::is_change(&leaf.stems);
        let is_then = |leaf: &Leaf| question.window().is_some_and(|window| leaf.is_over(window));
        scored.sort_by_key(|(nearness, leaf)| {
            let is_ranked = is_ranked(leaf);
            Reverse((is_ranked, is_ranked && is_then(leaf), *nearness))
        });
        scored.into_iter().map(|(_, leaf)| leaf.path.clone()).collect()
    }

    /// How a question orders rows by the first of these measures, or in time. The best is the least where less is better, as is the
    /// better of what is compared, and so is the largest fall of a change.
    #[must_use]
    pub fn order(&self, question: &Question, measures: &[String]) -> Option<Order> {
        let says = |lower: &str| question.words.iter().any(|word| word.lower == lower);
        let asks_quality = || ["best", "worst", "better", "worse"].into_iter().any(says);
        let better = || says("better").then_some(Order::Descending);
        let worse = || says("worse").then_some(Order::Ascending);
        let compares = question.form.kind == FormKind::Comparison;
        let of_compared = || better().or_else(worse).filter(|_| compares);
        let leaf = || self.leaves.iter().find(|leaf| Some(&leaf.path) == measures.first());
        let in_time = || self.turned(&question.form).and(question.form.turn.as_ref()).map(|turn| turn.order);
        let Some(order) = question.form.order.or_else(of_compared) else { return in_time() };
        let falls = question.form.way == Some(Way::Down);
        let is_turned = leaf().is_some_and(|leaf| {
            asks_quality() && leaf.less_is_better || falls && form::is_change(&leaf.stems)
        });
        Some(match (order, is_turned) {
            (Order::Ascending, true) | (Order::Descending, false) => Order::Descending,
            (Order::Descending, true) | (Order::Ascending, false) => Order::Ascending,
        })
    }
}

impl Leaf {
    /// Whether its key says that it is over a time as long as a window: the week of `change7d`.
    fn is_over(&self, window: &Window) -> bool {
        let length = window.start.duration_until(window.end).as_secs();
        self.stems.iter().filter_map(|stem| time::length_of(stem)).any(|own| own.seconds() == length)
    }

    /// Key words count twice; a key that is wholly wanted counts more than one that says other things, too.
    fn nearness(&self, wanted: &[String]) -> usize {
        let in_key = self.stems.iter().filter(|stem| wanted.contains(stem)).count();
        let in_context = wanted.iter().filter(|stem| self.context.contains(stem)).count();
        let is_whole = in_key > 0 && in_key == self.stems.len();
        in_key * 4 + in_context * 2 + usize::from(is_whole)
    }
}

fn walk(schema: &Value, (root, path, key): (&Value, &str, &str), depth: usize, outline: &mut Outline) {
    if depth > DEPTH_MAX || outline.leaves.len() >= LEAVES_MAX {
        return;
    }
    let schema = resolve(schema, root);
    if let Some(properties) = schema["properties"].as_object() {
        for (name, property) in properties {
            let inner = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            walk(property, (root, &inner, name), depth + 1, outline);
        }
        return;
    }
    if let Some(items) = schema.get("items") {
        let mut stems = words::identifier_terms(key);
        stems.extend(words::terms(schema["description"].as_str().unwrap_or_default()));
        outline.arrays.push(Array { stems });
        walk(items, (root, &format!("{path}[]"), key), depth + 1, outline);
        return;
    }
    let description = schema["description"].as_str().unwrap_or_default();
    let stems = words::identifier_terms(key);
    let Some(kind) = kind_of(schema, &stems, description) else { return };
    let choices = schema["enum"].as_array().into_iter().flatten();
    outline.leaves.push(Leaf {
        path: path.to_owned(),
        key: key.to_owned(),
        context: words::terms(description).into_iter().chain(form::measured_in(&stems)).collect(),
        stems,
        kind,
        choices: choices.filter_map(Value::as_str).map(str::to_lowercase).collect(),
        is_in_rows: path.contains("[]"),
        less_is_better: says_less_is_better(description),
    });
}

fn says_less_is_better(description: &str) -> bool {
    const SAYINGS: [&str; 5] =
        ["lower is better", "less is better", "smaller is better", "the lower the better", "higher is worse"];
    let lower = description.to_lowercase();
    SAYINGS.iter().any(|saying| lower.contains(saying))
}

fn kind_of(schema: &Value, stems: &[String], description: &str) -> Option<LeafKind> {
    let is_time = matches!(schema["format"].as_str(), Some("date-time" | "date" | "time"))
        || stems.iter().any(|stem| matches!(stem.as_str(), "time" | "timestamp" | "date" | "ts" | "datetim"))
        || description.to_ascii_lowercase().contains("timestamp");
    let kinds = schema["type"].as_array().map_or(&[][..], Vec::as_slice);
    let one_of = || kinds.iter().filter_map(Value::as_str).find(|kind| *kind != "null");
    match schema["type"].as_str().or_else(one_of)? {
        "number" | "integer" | "string" if is_time => Some(LeafKind::Time),
        "number" | "integer" => Some(LeafKind::Number),
        "string" => Some(LeafKind::Text),
        "boolean" => Some(LeafKind::Flag),
        _ => None,
    }
}

/// What a reference leads to, or the one of several kinds that is not null; else the schema itself.
pub(crate) fn resolve<'a>(schema: &'a Value, root: &'a Value) -> &'a Value {
    let target = |schema: &'a Value| {
        let reference = schema["$ref"].as_str()?.strip_prefix('#')?;
        root.pointer(reference)
    };
    if let Some(found) = target(schema) {
        return found;
    }
    ["anyOf", "oneOf"]
        .iter()
        .filter_map(|key| schema[*key].as_array())
        .flatten()
        .find(|part| part["type"] != "null")
        .map_or(schema, |part| target(part).unwrap_or(part))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn ships() -> Outline {
        let text =
            |description: &str| json!({"type": "string", "format": "date-time", "description": description});
        let ship = json!({"type": "object", "properties": {
            "name": {"type": "string"},
            "arrivesAt": text("When it ends its voyage."),
            "loadCount": {"type": "integer"},
            "crateVolume": {"type": "number"},
        }});
        outline(Some(&json!({"type": "object", "properties": {"ships": {"type": "array", "items": ship}}})))
    }

    fn read(text: &str) -> Question {
        Question::read(text, "2026-03-18T14:30:00Z".parse().unwrap())
    }

    #[test]
    fn changes_are_ranked_by_changes_and_by_those_over_the_time_that_is_asked_for() {
        let number = json!({"type": "number"});
        let loads = json!({"properties": {"load": number, "change24hLoad": number, "change7dLoad": number}});
        let first = |text: &str| {
            let question = read(text);
            outline(Some(&loads)).measures(&question.form.measures, &question).swap_remove(0)
        };
        assert_eq!(first("which ship has the most load"), "load");
        assert_eq!(first("which ship lost the most load"), "change24hLoad");
        assert_eq!(first("which ship lost the most load this week"), "change7dLoad");
        let lacks = |schema: &Value, text: &str| outline(Some(schema)).lacks_change(&read(text).form);
        assert!(!lacks(&loads, "which ship lost the most load"));
        assert!(lacks(&json!({"properties": {"load": number}}), "which ship lost the most load"));
        assert!(
            !lacks(&json!({"properties": {}}), "which ship lost the most load"),
            "nothing is known of it"
        );
    }

    #[test]
    fn rows_are_dated_by_the_key_that_is_said_or_by_what_is_done_then() {
        let dated = |text: &str| {
            let question = read(text);
            let time = ships();
            time.dated(&question, question.window_said()?).map(|leaf| leaf.key.clone())
        };
        let arrives = Some("arrivesAt".to_owned());
        assert_eq!(dated("ships arriving this week"), arrives);
        assert_eq!(dated("which ships end before May"), arrives);
        assert_eq!(dated("where it ends this week"), None);
        assert_eq!(dated("ships built this week"), None);
    }

    #[test]
    fn rows_are_ranked_by_numbers_that_are_called_so() {
        let ranked = |text: &str| ships().ranked_by(&read(text).form).map(<[String]>::to_vec);
        assert_eq!(ranked("largest ship by volume"), Some(vec!["volum".to_owned()]));
        assert_eq!(ranked("largest load by name"), None);
        assert_eq!(ranked("largest volume by port"), None);
        assert_eq!(ranked("volume by load"), None);
    }

    #[test]
    fn what_is_measured_is_put_in_the_words_of_the_numbers() {
        let outline = ships().with_kin(&Groups::of(&["load carry".to_owned(), "name call".to_owned()]));
        let measures = |text: &str| outline.in_own_words(&read(text).form).measures;
        assert_eq!(measures("which ship carries the most GOLD"), ["carri", "load"]);
        assert_eq!(measures("which ship carries the most crates"), ["crate"]);
        assert_eq!(measures("which ship calls the most"), ["call"]);
        assert!(measures("how much do ships carry").contains(&"load".to_owned()));
        assert!(!measures("what do ships carry").contains(&"load".to_owned()));
    }
}
