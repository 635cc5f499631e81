//! What speaks for a method and against it, in numbers that the models weigh.

use std::ops::Range;
use std::sync::Arc;

use fit::{Choice, Fit, Known};
use reading::Question;
use reading::bind::{Argument, Binding};
use reading::spans::overlaps;
use reading::words::{self, Terms};

use crate::lexicon::Lexicon;
use crate::numbers::{count, flag};
use crate::subject::{LIGHT, Subject, SubjectWord, WordKind};

mod among;
mod deed;
mod earlier;
mod generalist;
mod mention;
mod modifier;
mod service;
mod sought;
pub(crate) mod tense;

pub(crate) use among::of_all;
pub use earlier::Follows;
pub(crate) use earlier::{called, follows, given_before, takes_counted};
pub(crate) use generalist::answers_anything;
pub(crate) use mention::{finders_beside, indefinite, undiscriminated};
pub(crate) use sought::{claim_what_names, names_only};

/// Named numbers.
pub type Signals = Vec<(&'static str, f64)>;

/// A method, held against what a question is about.
pub(crate) struct Held {
    /// How well each word of the subject is known, by where.
    degrees: Vec<Degrees>,
    /// Whether an argument takes the word.
    claimed: Vec<bool>,
    /// The required arguments that were asked for last.
    asked: Vec<String>,
    /// How many of them the question does not tell.
    asked_short: usize,
    /// What it does, by the groups of actions.
    actions: Vec<usize>,
    /// Whether the question tells another kind of its thing.
    is_another: bool,
    /// Whether the question only asks to be told and the method does something.
    acts_instead: bool,
    name_said: f64,
    name_terms: f64,
    description_said: f64,
    known: Arc<Known>,
    /// Whether it takes any question.
    is_generalist: bool,
    /// Whether it is for the time of which the question speaks: 1, for another: -1, or 0.
    tense: f64,
    /// Retrieval score.
    score: f64,
    fit: Fit,
}

#[derive(Clone, Copy, Default)]
struct Degrees {
    name: f64,
    description: f64,
    arguments: f64,
    results: f64,
    /// Of the name and the description, counting words of one field.
    related: f64,
}

impl Degrees {
    fn own(self) -> f64 {
        self.name.max(self.description)
    }

    fn any(self) -> f64 {
        self.own().max(self.arguments).max(self.results)
    }

    /// Whether anything knows the word, or one of its field.
    fn is_near(self) -> bool {
        self.any() > 0.0 || self.related > 0.0
    }
}

/// What a word of the same field counts towards which method is meant.
const RELATED: f64 = 0.5;
const FAMILY: f64 = 0.7;
pub(crate) const KIN: f64 = 0.6;

/// `searched` is where the question says what the method's look-ups search for.
pub(crate) fn hold(
    choice: &Choice<'_>,
    (binding, searched): (&Binding, &[Range<usize>]),
    (question, subject): (&Question, &Subject),
    lexicon: &Lexicon,
) -> Held {
    let known: &Known = &choice.known;
    let vocabulary = &known.vocabulary;
    let degrees: Vec<Degrees> = subject
        .words
        .iter()
        .map(|word| {
            let (name, description) = (degree(word, &vocabulary.name), degree(word, &vocabulary.description));
            Degrees {
                name,
                description,
                arguments: degree(word, &vocabulary.arguments).max(degree(word, &vocabulary.values)),
                results: degree(word, &vocabulary.results),
                related: related(word, &vocabulary.name)
                    .max(related(word, &vocabulary.description))
                    .max(name)
                    .max(description),
            }
        })
        .collect();
    let claims: Vec<&Range<usize>> = claims(binding).chain(searched).collect();
    let claimed: Vec<bool> =
        subject.words.iter().map(|word| claims.iter().any(|claim| overlaps(claim, &word.range))).collect();
    let words = subject.words.iter().flat_map(|word| &word.terms).map(String::as_str);
    let shortened: Vec<&str> = known.shortened(words).collect();
    let said = |term: &str| if shortened.contains(&term) { 1.0 } else { said(subject, term) };
    let telling: Vec<&str> = vocabulary
        .name
        .iter()
        .filter(|term| lexicon.action(term, term).is_none() && !modifier::is_generic(term))
        .filter(|term| !known.is_called(term))
        .collect();
    let asked = earlier::asked(choice, binding, subject);
    let actions = deed::actions(known, lexicon);
    let is_foreign = |at: usize| !claimed[at] && degrees[at].any() == 0.0;
    Held {
        is_another: modifier::is_another(
            &known.name,
            |term| telling.contains(&term),
            &subject.words,
            is_foreign,
        ),
        acts_instead: deed::acts_instead(&actions, subject, lexicon),
        degrees,
        claimed,
        asked_short: earlier::untold(choice, &asked, subject),
        asked,
        actions,
        name_said: if telling.is_empty() {
            0.3
        } else {
            telling.iter().map(|term| said(term)).sum::<f64>() / count(telling.len())
        },
        name_terms: count(telling.len()),
        description_said: share(vocabulary.description.iter().map(&said)),
        is_generalist: generalist::is_one(choice),
        tense: tense::agreement(question, &choice.known),
        known: Arc::clone(&choice.known),
        score: choice.candidate.score,
        fit: choice.fit,
    }
}

fn claims(binding: &Binding) -> impl Iterator<Item = &Range<usize>> {
    binding.arguments.iter().filter_map(Argument::said_at)
}

/// How well a field knows a word.
fn degree(word: &SubjectWord, terms: &Terms) -> f64 {
    if let [stem] = word.terms.as_slice() {
        return if terms.has(stem) {
            1.0
        } else if terms.has_family(stem) {
            FAMILY
        } else if word.kin.iter().any(|kin| terms.has(kin)) {
            KIN
        } else {
            0.0
        };
    }
    let known = word.terms.iter().filter(|term| terms.has(term)).count();
    let kin = if word.kin.iter().any(|kin| terms.has(kin)) { KIN } else { 0.0 };
    (count(known) / count(word.terms.len().max(1))).max(kin)
}

/// How well a field knows others of a word's field.
fn related(word: &SubjectWord, terms: &Terms) -> f64 {
    let known = word.related.iter().filter(|other| terms.has(other)).count();
    [0.0, 0.6, 0.8, 1.0][known.min(3)]
}

/// How surely the question says a term of a method.
fn said(subject: &Subject, term: &str) -> f64 {
    let mut best: f64 = 0.0;
    for word in &subject.words {
        let degree = if word.terms.iter().any(|own| own == term) {
            1.0
        } else if word.terms.len() == 1 && words::is_family(&word.terms[0], term) {
            FAMILY
        } else if word.kin.iter().any(|kin| kin.as_ref() == term) {
            KIN
        } else {
            0.0
        };
        if degree > 0.0 {
            best = best.max(degree * word.weight.sqrt());
        }
    }
    best
}

fn share(parts: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut all) = (0.0, 0.0);
    for part in parts {
        sum += part;
        all += 1.0;
    }
    if all == 0.0 { 0.0 } else { sum / all }
}

impl Held {
    /// Whether the method knows no word of what the question is about, nor one of its field, and retrieval likes another one
    /// better. That an argument takes anything says nothing, nor that it tells of hours of which the question says when.
    pub(crate) fn is_foreign(&self, subject: &Subject) -> bool {
        let mut words = subject.words.iter().zip(&self.degrees).filter(|(word, _)| !word.is_when);
        self.fit.retrieved < 1.0 && !self.is_generalist && !words.any(|(_, degrees)| degrees.is_near())
    }

    /// Whether it neither knows nor takes the thing whose property is asked: the time of day is not that of the tide.
    pub(crate) fn misses_bearer(&self, subject: &Subject) -> bool {
        let is_missed = |at: usize| !self.claimed[at] && !self.degrees[at].is_near();
        !self.is_generalist && subject.bearer.is_some_and(is_missed)
    }

    /// Whether the method's own words know a word.
    pub(crate) fn knows(&self, word: usize) -> bool {
        self.degrees[word].own() > 0.0
    }

    fn rare_match(&self, subject: &Subject, rarity: &[f64]) -> f64 {
        subject
            .words
            .iter()
            .zip(&self.degrees)
            .zip(rarity)
            .map(|((word, degrees), rarity)| {
                let kind = if word.kind == WordKind::Topic { 1.0 } else { 0.4 };
                let own = degrees.own().max(RELATED * degrees.related);
                let place = own + 0.5 * degrees.name + 0.4 * degrees.arguments.max(degrees.results);
                kind * word.weight * rarity * place
            })
            .sum()
    }

    #[expect(clippy::too_many_lines, reason = "a list, one signal after the other")]
    fn signals(&self, subject: &Subject, rarity: &[f64], (own, other): (f64, f64)) -> Signals {
        let topics = || {
            subject
                .words
                .iter()
                .zip(&self.degrees)
                .zip(rarity)
                .zip(&self.claimed)
                .filter(|(((word, _), _), _)| word.kind == WordKind::Topic)
        };
        let total: f64 = topics().map(|(((word, _), _), _)| word.weight).sum();
        let part = |degree: &dyn Fn(&Degrees) -> f64| -> f64 {
            let sum: f64 = topics().map(|(((word, degrees), _), _)| word.weight * degree(degrees)).sum();
            if total == 0.0 { 0.0 } else { sum / total }
        };
        let taken: f64 = topics()
            .map(|(((word, degrees), _), claimed)| word.weight * if *claimed { 1.0 } else { degrees.any() })
            .sum();
        let left: f64 = topics()
            .map(
                |(((word, degrees), _), claimed)| {
                    if *claimed { 0.0 } else { word.weight * (1.0 - degrees.any()) }
                },
            )
            .sum();
        let unknown: f64 = topics()
            .map(
                |(((word, _), rarity), claimed)| {
                    if !*claimed && *rarity > ((count(2)) / 0.6_f64).ln() { word.weight } else { 0.0 }
                },
            )
            .sum();
        let matched: f64 = topics().map(|(((word, degrees), _), _)| word.weight * degrees.own()).sum();
        let best_name =
            topics().map(|(((word, degrees), _), _)| word.weight * degrees.name).fold(0.0, f64::max);
        let best_own =
            topics().map(|(((word, degrees), _), _)| word.weight * degrees.own()).fold(0.0, f64::max);
        let best_any =
            topics().map(|(((word, degrees), _), _)| word.weight * degrees.any()).fold(0.0, f64::max);
        let rare_total: f64 = topics().map(|(((word, _), rarity), _)| word.weight * rarity).sum();
        let rare: f64 =
            topics().map(|(((word, degrees), rarity), _)| word.weight * rarity * degrees.any()).sum();
        let values = || {
            subject
                .words
                .iter()
                .zip(&self.degrees)
                .zip(&self.claimed)
                .filter(|((word, _), _)| word.kind == WordKind::Value)
        };
        let value_total: f64 = values().map(|((word, _), _)| word.weight).sum();
        let value_left: f64 = values()
            .map(
                |((word, degrees), claimed)| if *claimed { 0.0 } else { word.weight * (1.0 - degrees.any()) },
            )
            .sum();
        let first = subject.actions.first();
        let does = |action: &usize| self.actions.contains(action);
        let agrees = subject.actions.iter().any(does);
        let first_agrees = first.is_some_and(does);
        let conflicts = !self.actions.is_empty() && first.is_some() && !agrees;
        let fit = &self.fit;
        vec![
            ("topic_any", part(&|degrees| degrees.any())),
            ("topic_best", best_any),
            ("topic_own", part(&|degrees| degrees.own())),
            ("topic_name", part(&|degrees| degrees.name)),
            ("topic_taken", if total == 0.0 { 0.0 } else { taken / total }),
            ("topic_rare", if rare_total == 0.0 { 0.0 } else { rare / rare_total }),
            ("topic_left", left.ln_1p()),
            ("topic_unknown", unknown.ln_1p()),
            ("related", part(&|degrees| degrees.related)),
            (
                "related_best",
                topics().map(|(((word, degrees), _), _)| word.weight * degrees.related).fold(0.0, f64::max),
            ),
            ("topic_none", flag(topics().all(|(((word, _), _), _)| word.weight <= LIGHT))),
            ("matched", matched.ln_1p()),
            ("best_name", best_name),
            ("best_own", best_own),
            ("name_said", self.name_said),
            ("name_whole", flag(self.name_said >= 0.7)),
            ("name_said_long", self.name_said * (self.name_terms - 1.0).clamp(0.0, 2.0)),
            ("description_said", self.description_said),
            ("rare", own.ln_1p()),
            ("rare_lead", (own - other).signum() * (own - other).abs().ln_1p()),
            ("rare_share", if own + other > 0.0 { own / (own + other) } else { 0.5 }),
            ("leads", flag(own > other)),
            ("value_left", value_left.ln_1p()),
            ("value_share", if value_total == 0.0 { 0.5 } else { 1.0 - value_left / value_total }),
            ("agrees", flag(agrees)),
            ("first_agrees", flag(first_agrees)),
            ("conflicts", flag(conflicts)),
            ("acts_instead", flag(self.acts_instead)),
            ("another", flag(self.is_another)),
            ("no_action", flag(self.actions.is_empty() || first.is_none())),
            ("score", self.score.ln_1p()),
            ("retrieved", fit.retrieved),
            ("coverage", fit.coverage),
            ("name", fit.name),
            ("verb", fit.verb),
            ("confidence", fit.confidence),
            ("open", fit.open.ln_1p()),
            ("placed", fit.placed),
            ("form", fit.form),
            ("unasked_action", fit.unasked_action),
            ("unplaced_time", fit.unplaced_time),
            ("tense", self.tense),
            ("about", flag(fit.is_about)),
            ("asked", count(self.asked.len()).ln_1p()),
            ("asked_short", count(self.asked_short).ln_1p()),
        ]
    }

    /// Whether this argument was asked for last.
    pub(crate) fn was_asked(&self, argument: &str) -> bool {
        self.asked.iter().any(|asked| asked == argument)
    }

    /// What of the question neither the method nor its arguments take: what could be the value of an open one.
    pub(crate) fn leftover(&self, subject: &Subject) -> f64 {
        subject
            .words
            .iter()
            .zip(&self.degrees)
            .zip(&self.claimed)
            .filter(|((word, _), claimed)| word.kind != WordKind::Action && !**claimed)
            .map(|((word, degrees), _)| word.weight * (1.0 - degrees.any()))
            .sum()
    }

    /// Values that nothing takes.
    pub(crate) fn values_left(&self, subject: &Subject) -> f64 {
        subject
            .words
            .iter()
            .zip(&self.claimed)
            .filter(|(word, claimed)| word.kind == WordKind::Value && !**claimed)
            .map(|(word, _)| word.weight)
            .sum()
    }
}

#[cfg(test)]
pub(crate) mod tests;
