//! The signals of methods among each other.

use super::{Held, Signals, service};
use crate::numbers::{count, flag};
use crate::situation::value_of;
use crate::subject::{Subject, WordKind};

/// The signals of every method, each against the others.
pub(crate) fn of_all(held: &[Held], subject: &Subject) -> Vec<Signals> {
    let methods = count(held.len());
    let rarity: Vec<f64> = (0..subject.words.len())
        .map(|word| {
            let knowing: f64 = held.iter().map(|held| held.degrees[word].any()).sum();
            ((methods + 1.0) / (knowing + 0.5)).ln()
        })
        .collect();
    let fits: Vec<f64> = held.iter().map(|held| held.fit.score()).collect();
    let best_fit = fits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let matches: Vec<f64> = held.iter().map(|held| held.rare_match(subject, &rarity)).collect();
    let mut best: Vec<usize> = (0..held.len()).collect();
    best.sort_by(|one, other| matches[*other].total_cmp(&matches[*one]));
    best.truncate(RIVALS_MAX);
    let unknown_verbs: f64 = subject
        .words
        .iter()
        .enumerate()
        .filter(|(_, word)| word.kind == WordKind::Action && word.weight > 0.3)
        .map(|(place, _)| 1.0 - held.iter().map(|held| held.degrees[place].own()).fold(0.0, f64::max))
        .sum();
    let services = service::signals(held, subject);
    held.iter()
        .enumerate()
        .map(|(at, own)| {
            let other = others(&matches, at);
            let mut signals = own.signals(subject, &rarity, (matches[at], other));
            let rival = best
                .iter()
                .filter(|rival| **rival != at)
                .map(|rival| (alike(own, &held[*rival]), matches[at] - matches[*rival], &held[*rival]))
                .max_by(|one, other| one.0.total_cmp(&other.0));
            let (alike, lead, name_lead) = rival.map_or((0.0, 0.0, 0.0), |(alike, lead, rival)| {
                (alike, lead, own.name_said - rival.name_said)
            });
            let (signals_left, topic_own) =
                (value_of(&signals, "topic_left"), value_of(&signals, "topic_own"));
            let is_near = flag(alike > 0.6);
            signals.extend([
                ("alike", alike),
                ("alike_lead", alike * lead.signum() * lead.abs().ln_1p()),
                ("twin_tied", is_near * flag(lead.abs() < 0.3)),
                ("twin_name_lead", is_near * name_lead),
                ("twin_name_unsaid", is_near * (1.0 - own.name_said)),
            ]);
            signals.extend(services[at]);
            signals.extend([
                ("unknown_verbs", unknown_verbs.ln_1p()),
                ("fits_best", flag(fits[at] >= best_fit)),
                ("fits_behind", (best_fit - fits[at]).ln_1p()),
                ("generalist", flag(own.is_generalist)),
                ("generalist_left", if own.is_generalist { signals_left } else { 0.0 }),
                ("unspaced_own", if subject.is_unspaced { topic_own } else { 0.0 }),
                ("unspaced_leads", flag(subject.is_unspaced && matches[at] > other)),
            ]);
            signals
        })
        .collect()
}

/// Methods that another one is compared with.
const RIVALS_MAX: usize = 8;

/// How alike two methods describe themselves, from 0 to 1.
fn alike(one: &Held, other: &Held) -> f64 {
    let (one, other) = (&one.known.vocabulary.description, &other.known.vocabulary.description);
    let shared = one.shared(other);
    let all = one.iter().count() + other.iter().count() - shared;
    if all == 0 { 0.0 } else { count(shared) / count(all) }
}

fn others(values: &[f64], at: usize) -> f64 {
    values.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, value)| *value).fold(0.0, f64::max)
}
