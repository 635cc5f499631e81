//! Where in the result of a look-up the wanted value stands.

use domain::Candidate;
use reading::words;

use crate::choice::Choice;
use crate::known::Known;
use crate::outline::{Leaf, LeafKind};

/// Where in a look-up's result the wanted value stands.
#[derive(Debug)]
pub enum Found {
    /// Where the output schema says.
    Told(Told),
    /// The method does not say what it gives: in whichever of its records, under the first of these keys that it has.
    Untold(Vec<String>),
}

/// A place that an output schema tells.
#[derive(Debug)]
pub struct Told {
    /// The path of the items, keys in order; empty where the result itself is the item.
    pub items: Vec<String>,
    /// Whether the items are an array.
    pub is_array: bool,
    /// The path of the wanted value within an item.
    pub value: Vec<String>,
}

/// The leaf of a method's result that is the argument, and how surely it is.
pub(super) fn leaf<'k>(known: &'k Known, stems: &[String], helper: &Candidate) -> Option<(i32, &'k Leaf)> {
    let leaves = known.outline.leaves.iter();
    let holds = |leaf: &&Leaf| leaf.kind == LeafKind::Text || leaf.kind == LeafKind::Number;
    let fits = leaves.filter(holds).filter_map(|leaf| Some((leaf_fit(leaf, stems, helper)?, leaf)));
    fits.max_by_key(|(fit, leaf)| (*fit, std::cmp::Reverse(leaf.path.len())))
}

/// The keys under which a search that does not say what it gives may give an identifier, the likeliest first: one that by its
/// name searches for what the argument identifies.
pub(super) fn keys(
    helper: &Candidate,
    known: &Known,
    (choice, argument): (&Choice<'_>, &str),
) -> Option<Vec<String>> {
    let stems = choice.known.parameters.stems(argument);
    let key = stems.last().filter(|key| is_key(key))?;
    let own = stems.iter().filter(|stem| !is_key(stem));
    let noun = own.chain(&choice.known.nouns).find(|noun| known.name.contains(noun));
    let searches = known.name.iter().any(|stem| matches!(stem.as_str(), "search" | "find" | "lookup"));
    (searches && noun.is_some() && helper.method.output_schema.is_none())
        .then(|| vec![argument.to_owned(), key.clone()])
}

/// Whether a stem says that a value identifies something.
fn is_key(stem: &str) -> bool {
    matches!(stem, "id" | "key" | "slug" | "code" | "ticker" | "symbol" | "uuid")
}

/// How surely a leaf is the argument: the same words, or an `id` in a list of what the argument names.
fn leaf_fit(leaf: &Leaf, stems: &[String], helper: &Candidate) -> Option<i32> {
    if leaf.stems == stems {
        return Some(5);
    }
    if !is_key(&leaf.key) || leaf.path.matches("[]").count() > 1 {
        return None;
    }
    let around = leaf.path.rsplit_once('.').map_or("", |(container, _)| container);
    let mut container = words::identifier_terms(around);
    container.extend(words::identifier_terms(helper.method.name.as_str()));
    let noun = stems.iter().find(|stem| !is_key(stem));
    let names_it = noun.is_some_and(|noun| container.contains(noun));
    let same_key = stems.last() == leaf.stems.last();
    match (names_it, same_key) {
        (true, true) => Some(4),
        (true, false) => Some(2),
        (false, true) if noun.is_none() => Some(3),
        _ => None,
    }
}

/// `data.events[].id` is the items `data.events` and the value `id`.
pub(super) fn split(leaf: &Leaf) -> Option<Told> {
    let keys =
        |path: &str| path.split('.').filter(|key| !key.is_empty()).map(str::to_owned).collect::<Vec<_>>();
    let (items, value) = match leaf.path.split_once("[]") {
        Some((items, value)) if !value.contains("[]") => (keys(items), keys(value)),
        Some(_) => return None,
        None => (Vec::new(), keys(&leaf.path)),
    };
    Some(Told { items, is_array: leaf.is_in_rows, value })
}

/// Whether a method lists what an argument names, and not only things that happen to carry its key: by its name, by what its rows
/// are, or, of one thing that was found, by the same key.
pub(super) fn lists(known: &Known, leaf: &Leaf, stems: &[String], is_of_one: bool) -> bool {
    let is_listing = |stem: &String| matches!(stem.as_str(), "list" | "all" | "search" | "find" | "brows");
    let names_it =
        || stems.first().is_some_and(|noun| known.outline.is_list_of(noun) || known.name.contains(noun));
    let is_same_key = || is_of_one && leaf.stems == stems;
    leaf.is_in_rows && (known.name.iter().any(is_listing) || names_it() || is_same_key())
}
