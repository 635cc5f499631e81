//! What speaks for a method and against it, in numbers that the models weigh.

use std::ops::Range;
use std::sync::Arc;

use fit::{Choice, Fit, Known, Terms};
use policy::Ranking;
use reading::bind::{Binding, Source};
use reading::{Question, words};

use crate::subject::{self, Subject, SubjectWord, WordKind};

/// Named numbers.
pub type Signals = Vec<(&'static str, f64)>;

/// A method, held against what a question is about.
pub(crate) struct Held {
    /// How well each word of the subject is known, by where.
    degrees: Vec<Degrees>,
    /// Whether an argument takes the word.
    claimed: Vec<bool>,
    action: Option<usize>,
    name_said: f64,
    name_terms: f64,
    description_said: f64,
    known: Arc<Known>,
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
}

impl Degrees {
    fn own(self) -> f64 {
        self.name.max(self.description)
    }

    fn any(self) -> f64 {
        self.own().max(self.arguments).max(self.results)
    }
}

const FAMILY: f64 = 0.7;
const KIN: f64 = 0.6;

pub(crate) fn hold(choice: &Choice<'_>, binding: &Binding, subject: &Subject, ranking: &Ranking) -> Held {
    let known: &Known = &choice.known;
    let vocabulary = &known.vocabulary;
    let degrees = subject
        .words
        .iter()
        .map(|word| Degrees {
            name: degree(word, &vocabulary.name),
            description: degree(word, &vocabulary.description),
            arguments: degree(word, &vocabulary.arguments).max(degree(word, &vocabulary.values)),
            results: degree(word, &vocabulary.results),
        })
        .collect();
    let claims: Vec<&Range<usize>> = claims(binding).collect();
    let claimed =
        subject.words.iter().map(|word| claims.iter().any(|claim| overlaps(claim, &word.range))).collect();
    let mut actions = known.name.iter().filter_map(|stem| subject::action(stem, stem, ranking));
    let said = |term: &str| said(subject, term);
    let telling: Vec<&str> = vocabulary
        .name
        .iter()
        .filter(|term| subject::action(term, term, ranking).is_none() && !is_generic(term))
        .collect();
    Held {
        degrees,
        claimed,
        action: actions.next().or_else(|| described_action(&choice.candidate.method.description, ranking)),
        name_said: if telling.is_empty() {
            0.3
        } else {
            telling.iter().map(|term| said(term)).sum::<f64>() / count(telling.len())
        },
        name_terms: count(telling.len()),
        description_said: share(vocabulary.description.iter().map(&said)),
        known: Arc::clone(&choice.known),
        score: choice.candidate.score,
        fit: choice.fit,
    }
}

fn is_generic(term: &str) -> bool {
    matches!(
        term,
        "tool"
            | "api"
            | "by"
            | "of"
            | "the"
            | "for"
            | "to"
            | "in"
            | "and"
            | "data"
            | "info"
            | "inform"
            | "detail"
            | "v1"
            | "v2"
            | "all"
            | "from"
            | "with"
            | "1"
            | "2"
            | "3"
            | "4"
    )
}

fn described_action(description: &str, ranking: &Ranking) -> Option<usize> {
    description.split_whitespace().take(12).find_map(|word| {
        let lower = word.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase();
        subject::action(&lower, &words::stem(&lower), ranking)
    })
}

fn claims(binding: &Binding) -> impl Iterator<Item = &Range<usize>> {
    binding.arguments.iter().filter_map(|argument| match &argument.bound()?.source {
        Source::Said { range } | Source::Window { range, .. } => Some(range),
        Source::Default | Source::Implied { .. } => None,
    })
}

fn overlaps(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
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
    count(known) / count(word.terms.len().max(1))
}

/// How surely the question says a term of a method.
fn said(subject: &Subject, term: &str) -> f64 {
    let mut best: f64 = 0.0;
    for word in &subject.words {
        let degree = if word.terms.iter().any(|own| own == term) {
            1.0
        } else if word.terms.len() == 1 && fit::is_family(&word.terms[0], term) {
            FAMILY
        } else if word.kin.iter().any(|kin| kin == term) {
            KIN
        } else {
            0.0
        };
        best = best.max(degree * word.weight.sqrt());
    }
    best
}

fn count(count: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "counts of words and methods")]
    let count = count as f64;
    count
}

fn share(parts: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut all) = (0.0, 0.0);
    for part in parts {
        sum += part;
        all += 1.0;
    }
    if all == 0.0 { 0.0 } else { sum / all }
}

/// The signals of every method, each against the others.
pub(crate) fn of_all(held: &[Held], subject: &Subject) -> Vec<Signals> {
    let methods = count(held.len());
    let rarity: Vec<f64> = (0..subject.words.len())
        .map(|word| {
            let knowing: f64 = held.iter().map(|held| held.degrees[word].any()).sum();
            ((methods + 1.0) / (knowing + 0.5)).ln()
        })
        .collect();
    let matches: Vec<f64> = held.iter().map(|held| held.rare_match(subject, &rarity)).collect();
    let mut best: Vec<usize> = (0..held.len()).collect();
    best.sort_by(|one, other| matches[*other].total_cmp(&matches[*one]));
    best.truncate(RIVALS_MAX);
    let services: Vec<f64> = subject
        .pairs
        .iter()
        .map(|pair| held.iter().map(|held| held.serves(subject, *pair)).fold(0.0, f64::max))
        .collect();
    let all_served = if services.is_empty() { 0.5 } else { share(services.iter().copied()) };
    let least_served = services.iter().copied().fold(1.0, f64::min);
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
            let is_near = if alike > 0.6 { 1.0 } else { 0.0 };
            let served: Vec<f64> = subject.pairs.iter().map(|pair| own.serves(subject, *pair)).collect();
            signals.extend([
                ("alike", alike),
                ("alike_lead", alike * lead.signum() * lead.abs().ln_1p()),
                ("twin_tied", is_near * if lead.abs() < 0.3 { 1.0 } else { 0.0 }),
                ("twin_name_lead", is_near * name_lead),
                ("twin_name_unsaid", is_near * (1.0 - own.name_said)),
                ("serves", if served.is_empty() { 0.5 } else { share(served.iter().copied()) }),
                (
                    "serves_best",
                    if served.is_empty() { 0.5 } else { served.iter().copied().fold(0.0, f64::max) },
                ),
                ("all_served", all_served),
                ("least_served", least_served),
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
    let shared = one.iter().filter(|term| other.has(term)).count();
    let all = one.iter().count() + other.iter().count() - shared;
    if all == 0 { 0.0 } else { count(shared) / count(all) }
}

fn others(values: &[f64], at: usize) -> f64 {
    values.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, value)| *value).fold(0.0, f64::max)
}

impl Held {
    /// How surely the method does what a verb says to what it is said of.
    fn serves(&self, subject: &Subject, (verb, object): (usize, usize)) -> f64 {
        let does = self.degrees[verb].own();
        let is_kind = self.action.is_some() && {
            let word = &subject.words[verb];
            word.action == self.action
        };
        let does = if is_kind { does.max(0.7) } else { does };
        let object = self.degrees[object];
        (does * object.own().max(0.7 * object.arguments)).sqrt()
    }

    fn rare_match(&self, subject: &Subject, rarity: &[f64]) -> f64 {
        subject
            .words
            .iter()
            .zip(&self.degrees)
            .zip(rarity)
            .map(|((word, degrees), rarity)| {
                let kind = if word.kind == WordKind::Topic { 1.0 } else { 0.4 };
                let place = degrees.own() + 0.5 * degrees.name + 0.4 * degrees.arguments.max(degrees.results);
                kind * word.weight * rarity * place
            })
            .sum()
    }

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
        let agrees = self.action.is_some_and(|action| subject.actions.contains(&action));
        let first_agrees = self.action.is_some() && first == self.action.as_ref();
        let conflicts = self.action.is_some() && first.is_some() && !agrees;
        let flag = |holds: bool| if holds { 1.0 } else { 0.0 };
        let fit = &self.fit;
        vec![
            ("topic_any", part(&|degrees| degrees.any())),
            ("topic_own", part(&|degrees| degrees.own())),
            ("topic_name", part(&|degrees| degrees.name)),
            ("topic_taken", if total == 0.0 { 0.0 } else { taken / total }),
            ("topic_rare", if rare_total == 0.0 { 0.0 } else { rare / rare_total }),
            ("topic_left", left.ln_1p()),
            ("topic_unknown", unknown.ln_1p()),
            ("topic_none", flag(total == 0.0)),
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
            ("no_action", flag(self.action.is_none() || first.is_none())),
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
            ("about", flag(fit.is_about)),
        ]
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
        ("needs_nothing", if needed == 0.0 { 1.0 } else { 0.0 }),
        ("spans_short", (needed - spans).max(0.0).ln_1p()),
        ("unsaid", (needed - filled).ln_1p()),
        ("spans", spans.ln_1p()),
    ]
}
