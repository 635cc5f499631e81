//! How definitely a question speaks of what a method needs.

use std::collections::BTreeMap;
use std::ops::Range;

use domain::ListingId;
use fit::Choice;
use fit::lookup::Lookup;
use reading::Question;

use super::Signals;
use crate::numbers::{count, flag};

/// 1 where no word of the question tells the methods apart: each is known to most of them, or to none.
pub(crate) fn undiscriminated(choices: &[Choice<'_>], question: &Question) -> f64 {
    let is_named = |start: usize| question.form.entities.iter().any(|entity| entity.range.contains(&start));
    let mut content = question
        .words
        .iter()
        .filter(|word| !word.is_stop && !is_named(word.range.start) && !question.is_when(word));
    let tells_apart = content.any(|word| {
        let says = |choice: &&Choice<'_>| {
            choice.known.parameters.knows(&word.stem) || choice.known.outline.knows(&word.stem)
        };
        let saying = choices.iter().filter(says).count();
        saying > 0 && saying * 2 < choices.len()
    });
    flag(choices.len() > 2 && !tells_apart)
}

/// For each method 1 where it only finds things by words, while another one of its listing knows more of what is asked of
/// them, or is reached through it and the question says nothing of its name.
pub(crate) fn finders_beside(
    choices: &[Choice<'_>],
    chains: &[Option<Vec<Lookup<'_>>>],
    question: &Question,
) -> Vec<f64> {
    let known = |choice: &Choice<'_>| {
        let knows = |stem: &&String| choice.known.parameters.knows(stem) || choice.known.outline.knows(stem);
        question.form.measures.iter().filter(knows).count()
    };
    let counts: Vec<usize> = choices.iter().map(known).collect();
    let mut most: BTreeMap<ListingId, usize> = BTreeMap::new();
    for (choice, count) in choices.iter().zip(&counts) {
        let most = most.entry(choice.candidate.listing.id).or_default();
        *most = (*most).max(*count);
    }
    let finds = |choice: &Choice<'_>| choice.fit.verb == 0.0 && choice.binding.searches();
    let is_outdone = |choice: &Choice<'_>, count: usize| {
        most.get(&choice.candidate.listing.id).is_some_and(|most| *most > count)
    };
    let is_beside = |(choice, count): (&Choice<'_>, &usize)| {
        !question.form.asks_if_any
            && finds(choice)
            && (is_outdone(choice, *count) || is_means(choice, choices, chains))
    };
    choices.iter().zip(&counts).map(|it| flag(is_beside(it))).collect()
}

/// Whether another method of its listing is reached through a method of whose name the question says nothing.
fn is_means(finder: &Choice<'_>, choices: &[Choice<'_>], chains: &[Option<Vec<Lookup<'_>>>]) -> bool {
    let is_it = |lookup: &Lookup<'_>| lookup.choice.candidate.method_ref() == finder.candidate.method_ref();
    let is_reached = |(other, chain): (&Choice<'_>, &Option<Vec<Lookup<'_>>>)| {
        other.candidate.listing.id == finder.candidate.listing.id && chain.iter().flatten().any(is_it)
    };
    finder.fit.name == 0.0 && choices.iter().zip(chains).any(is_reached)
}

/// How indefinitely the question speaks of what the method's required arguments name: "a ticket", "some card".
pub(crate) fn indefinite(choice: &Choice<'_>, question: &Question) -> Signals {
    let parameters = &choice.known.parameters;
    let required = || choice.binding.arguments.iter().filter(|argument| argument.is_required);
    let names = |stem: &str| {
        required().any(|argument| parameters.stems(&argument.name).iter().any(|own| own == stem))
            || choice.known.name.iter().any(|own| own == stem)
    };
    let (mut indefinite, mut definite, mut valued) = (0.0, 0.0, 0.0);
    for (at, word) in question.words.iter().enumerate() {
        if word.is_stop || !names(&word.stem) {
            continue;
        }
        let before = question.words[at.saturating_sub(2)..at].iter().map(|word| word.lower.as_str());
        for lower in before {
            match lower {
                "a" | "an" | "some" | "any" | "certain" | "specific" | "another" | "different"
                | "particular" | "few" => indefinite += 1.0,
                "this" | "that" | "same" | "these" | "those" | "it" | "its" | "the" => definite += 1.0,
                _ => {}
            }
        }
        let after = question.words.get(at + 1).or(question.words.last());
        let near = |range: &Range<usize>| {
            range.start >= word.range.start.saturating_sub(12) && range.start <= word.range.end + 24
        };
        if after.is_some() && question.spans.iter().any(|span| near(&span.range)) {
            valued += 1.0;
        }
    }
    let needed = count(required().count());
    let filled = count(required().filter(|argument| argument.is_said()).count());
    let spans = count(question.spans.len());
    vec![
        ("says_indefinite", f64::ln_1p(indefinite)),
        ("says_definite", f64::ln_1p(definite)),
        ("says_valued", f64::ln_1p(valued)),
        ("needed", needed.ln_1p()),
        ("needs_nothing", flag(needed == 0.0)),
        ("spans_short", (needed - spans).max(0.0).ln_1p()),
        ("unsaid", (needed - filled).ln_1p()),
        ("spans", spans.ln_1p()),
    ]
}
