//! What each option would do, and for which entity, in plain language.

use policy::Gate;

use super::plain::plain;
use crate::brief::{Brief, BriefOption};
use crate::opinion::OptionId;

/// The labels of some options, each its own.
#[must_use]
pub(crate) fn labels(brief: &Brief, ids: &[OptionId]) -> Vec<(OptionId, String)> {
    let options: Vec<&BriefOption> = ids.iter().filter_map(|id| brief.option(id)).collect();
    let mut labels: Vec<(OptionId, String)> = Vec::with_capacity(options.len());
    for option in &options {
        let is_slot =
            options.iter().any(|other| other.effect.method == option.effect.method && other.id != option.id);
        let label = label(brief, option, is_slot);
        let twins: Vec<&BriefOption> = options
            .iter()
            .copied()
            .filter(|other| other.id != option.id && self::label(brief, other, is_slot) == label)
            .collect();
        let label = if twins.is_empty() { label } else { apart(brief, option, &twins, &label) };
        labels.push((option.id.clone(), label));
    }
    number_the_same(labels, brief.policy.label_chars_max)
}

/// `<what it does>: <for which entity>`.
fn label(brief: &Brief, option: &BriefOption, tells_slot: bool) -> String {
    let most = brief.policy.label_chars_max;
    let entity = entity(option, tells_slot);
    let room = if entity.is_empty() { most } else { most - (entity.chars().count() + 2).min(most / 2) };
    let title = title(option, room);
    if entity.is_empty() {
        return title;
    }
    plain(&format!("{title}: {entity}"), most)
}

/// The title, opening with a capital; never empty.
pub(super) fn title(option: &BriefOption, chars_max: usize) -> String {
    let title = plain(&option.title, chars_max);
    let mut signs = title.chars();
    match signs.next() {
        Some(first) => first.to_uppercase().chain(signs).collect(),
        None => match plain(&spaced(option.effect.method.method.as_str()), chars_max) {
            name if name.is_empty() => "Untitled method".to_owned(),
            name => name,
        },
    }
}

/// What the question gives to the option's arguments; with the argument's name where that is what tells options apart.
fn entity(option: &BriefOption, tells_slot: bool) -> String {
    let told = option.said.iter().take(ENTITIES_MAX).map(|(name, value)| {
        let value = plain(value, ENTITY_CHARS_MAX);
        if tells_slot { format!("{value} as the {}", spaced(name)) } else { value }
    });
    told.filter(|value| !value.is_empty()).collect::<Vec<_>>().join(", ")
}

const ENTITIES_MAX: usize = 3;
const ENTITY_CHARS_MAX: usize = 40;

/// A label that other options have, too, with what tells its option apart: the provider, its price and speed, or how many
/// things it tells of.
fn apart(brief: &Brief, option: &BriefOption, twins: &[&BriefOption], label: &str) -> String {
    let listing = plain(&option.listing_name, TAIL_CHARS_MAX);
    let is_own_listing = twins.iter().all(|twin| twin.effect.method.listing != option.effect.method.listing);
    let mut told = vec![if is_own_listing && !listing.is_empty() {
        listing
    } else {
        plain(&spaced(option.effect.method.method.as_str()), TAIL_CHARS_MAX)
    }];
    let costs_differ = twins
        .iter()
        .any(|twin| twin.effect.price != option.effect.price || twin.effect.latency != option.effect.latency);
    if costs_differ {
        told.push(cost(option));
    }
    let tail = format!(" ({})", told.join(", "));
    let room = brief
        .policy
        .label_chars_max
        .saturating_sub(tail.chars().count())
        .max(brief.policy.label_chars_max / 3);
    format!("{}{tail}", plain(label, room))
}

const TAIL_CHARS_MAX: usize = 24;

/// Price and speed of a call, in words.
pub(super) fn cost(option: &BriefOption) -> String {
    let price = option.effect.price.map_or_else(
        || "no price of its own".to_owned(),
        |price| format!("${} a call", trimmed(&price.to_string())),
    );
    format!("{price}, {}", option.effect.latency.word())
}

fn trimmed(amount: &str) -> &str {
    if amount.contains('.') { amount.trim_end_matches('0').trim_end_matches('.') } else { amount }
}

/// What the method says of itself, plain; what it is called where it says nothing.
pub(super) fn description(option: &BriefOption, policy: &Gate) -> String {
    let said = plain(&option.description, policy.description_chars_max);
    if said.is_empty() { title(option, policy.description_chars_max) } else { said }
}

/// An identifier as words.
pub(super) fn spaced(name: &str) -> String {
    reading::words::identifier_words(name).join(" ")
}

/// Labels that are still the same get a number, so that each can be picked.
fn number_the_same(labels: Vec<(OptionId, String)>, chars_max: usize) -> Vec<(OptionId, String)> {
    let is_shared = |label: &String| labels.iter().filter(|(_, other)| other == label).count() > 1;
    let shared: Vec<bool> = labels.iter().map(|(_, label)| is_shared(label)).collect();
    let numbered = labels.into_iter().zip(shared).enumerate().map(|(at, ((id, label), is_shared))| {
        let label = if is_shared {
            format!("{} ({})", plain(&label, chars_max.saturating_sub(4)), at + 1)
        } else {
            label
        };
        (id, label)
    });
    numbered.collect()
}
