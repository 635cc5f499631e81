//! How well a method fits: retrieval, name, coverage of the question, arguments that can be had, and form.

use std::sync::Arc;

use domain::Candidate;
use reading::Question;
use reading::bind::{Argument, Binding, Role, Source};
use reading::form::FormKind;
use reading::spans::{Kind, Span};
use reading::time::Moment;
use reading::words::Word;

use crate::known::{Desk, Known, Offer};
use crate::outline::{Leaf, LeafKind};
use crate::{fan, lookup, only};

mod about;
mod form;
pub(crate) mod name;

use form::Given;

/// A method, held against a question.
#[derive(Clone, Debug)]
pub struct Choice<'a> {
    /// The method.
    pub candidate: &'a Candidate,
    /// What is known of it.
    pub known: Arc<Known>,
    /// What the question gives to its arguments.
    pub binding: Arc<Binding>,
    /// Whether its open argument is what the question asks over, and another method lists its values.
    pub is_listed: bool,
    /// How well it fits.
    pub fit: Fit,
}

/// How well a method fits a question, aspect by aspect. Shares and degrees run from 0 to 1 unless they say otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Fit {
    /// Its retrieval score as a share of the best candidate's.
    pub retrieved: f64,
    /// The share of the question's content that its words and arguments account for.
    pub coverage: f64,
    /// How much of its name the question says.
    pub name: f64,
    /// Whether the question says its verb.
    pub verb: f64,
    /// How sure its required arguments are.
    pub confidence: f64,
    /// Required arguments that nothing fills, counted; those that a program can look up count for little.
    pub open: f64,
    /// How many of the named things found a place in an argument.
    pub placed: f64,
    /// How well the shape of its result fits the form of the question, from -0.6 to 1.4.
    pub form: f64,
    /// Whether its name is an action that the question does not ask for.
    pub unasked_action: f64,
    /// Whether the question names a time that no argument takes.
    pub unplaced_time: f64,
    /// Whether anything ties it to the question at all.
    pub is_about: bool,
}

impl Fit {
    /// All of it in one number; comparable within one question.
    #[must_use]
    pub fn score(&self) -> f64 {
        self.retrieved + 0.8 * self.coverage + 0.7 * self.name + 0.15 * self.verb + 0.4 * self.confidence
            - 0.35 * self.open
            + 0.5 * self.placed
            + 0.5 * self.form
            - 0.25 * self.unasked_action
            - 0.25 * self.unplaced_time
    }
}

/// Every candidate that is not avoided, held against the question, in the candidates' order.
#[must_use]
pub fn all<'a>(desk: &Desk<'a>, question: &Question) -> Vec<Choice<'a>> {
    open(desk)
        .map(|(candidate, retrieved)| {
            held(desk, candidate, question, &question.asked_of(&candidate.listing), retrieved)
        })
        .collect()
}

/// The candidates that are about the question, best first. One that cannot come to this share of the best one's score,
/// however well the question fills its arguments, is not held against it and left out, and so is one that does not stand in
/// for one that is avoided.
#[must_use]
pub fn contenders<'a>(desk: &Desk<'a>, question: &Question, share_min: f64) -> Vec<Choice<'a>> {
    let mut hopes: Vec<_> = open(desk)
        .enumerate()
        .map(|(place, (candidate, retrieved))| {
            let asked = question.asked_of(&candidate.listing);
            (ceiling(&desk.known(candidate), &asked, retrieved), place, (candidate, asked, retrieved))
        })
        .collect();
    hopes.sort_by(|(one, ..), (other, ..)| other.total_cmp(one));
    let mut found: Vec<(usize, Choice<'a>)> = Vec::new();
    let mut best = f64::NEG_INFINITY;
    for (ceiling, place, (candidate, asked, retrieved)) in hopes {
        if ceiling < best.min(best * share_min) {
            break;
        }
        let choice = held(desk, candidate, question, &asked, retrieved);
        if choice.fit.is_about {
            best = best.max(choice.fit.score());
            found.push((place, choice));
        }
    }
    let avoided = avoided(desk, question);
    let share_min = desk.offer.stand_in_share_min;
    found.retain(|(_, choice)| avoided.iter().all(|it| choice.stands_in(it, question, share_min)));
    found.sort_by(|(one_place, one), (other_place, other)| {
        other.fit.score().total_cmp(&one.fit.score()).then(one_place.cmp(other_place))
    });
    found.into_iter().map(|(_, choice)| choice).collect()
}

/// The methods that are avoided, each with its fit.
fn avoided<'a>(desk: &Desk<'a>, question: &Question) -> Vec<Choice<'a>> {
    let avoided = desk.offer.candidates.iter().filter(|candidate| is_avoided(&desk.offer, candidate));
    let choice = |candidate| held(desk, candidate, question, &question.asked_of(&candidate.listing), 1.0);
    avoided.map(choice).collect()
}

/// The candidates that are not avoided, each with its retrieval score as a share of the best one's.
fn open<'a>(desk: &Desk<'a>) -> impl Iterator<Item = (&'a Candidate, f64)> {
    let offer = desk.offer;
    let best = offer.candidates.iter().map(|candidate| candidate.score).fold(f64::MIN_POSITIVE, f64::max);
    let candidates = offer.candidates.iter().filter(move |candidate| !is_avoided(&offer, candidate));
    candidates.map(move |candidate| (candidate, candidate.score / best))
}

/// A candidate with its fit. `asked` is the question as it asks the candidate's listing.
fn held<'a>(
    desk: &Desk<'a>,
    candidate: &'a Candidate,
    question: &Question,
    asked: &Question,
    retrieved: f64,
) -> Choice<'a> {
    let mut choice = read(desk, candidate, asked);
    choice.is_listed = fan::over_items(desk, question, &choice).is_some();
    let is_looked_up = is_looked_up(desk, &choice, asked);
    choice.fit = fit(&choice, asked, (retrieved, is_looked_up), about::is_about(&choice, question));
    if is_looked_up {
        choice.fit.coverage = lookup::coverage(desk, asked, &choice);
    }
    choice
}

/// A method, with its arguments held against the question as it asks the method's listing, and its fit left open.
pub(crate) fn read<'a>(desk: &Desk<'_>, candidate: &'a Candidate, asked: &Question) -> Choice<'a> {
    let (known, binding) = desk.read(candidate, asked);
    let mut choice = Choice { candidate, known, binding, is_listed: false, fit: Fit::default() };
    // The "eth" of "btc and eth" is another value of the same argument.
    let beside = fan::said_beside(asked, &choice);
    if !beside.is_empty() {
        Arc::make_mut(&mut choice.binding).coverage.account_for(|stem| beside.contains(stem));
    }
    choice
}

pub(crate) fn is_avoided(offer: &Offer<'_>, candidate: &Candidate) -> bool {
    offer.avoid.iter().any(|(method, _)| *method == candidate.method_ref())
}

impl Choice<'_> {
    /// Whether it may stand in for a method that is avoided: it accounts for about as much of the question, and for some of what
    /// that one knows by its own words, since that there are no warnings is no reason to tell the time, and for some of what that
    /// one searched for, and takes the time that the other one takes. A search takes up whatever is said: beside one for no topic it
    /// need not account for as much where the question ranks.
    fn stands_in(&self, avoided: &Self, question: &Question, share_min: f64) -> bool {
        let leaves = |it: &Self, word: &Word| it.binding.coverage.left.contains(&word.stem);
        let knows_some = |words: &[&Word]| words.is_empty() || words.iter().any(|word| !leaves(self, word));
        let is_known =
            |word: &&Word| !word.is_stop && !leaves(avoided, word) && !avoided.binding.takes(&word.range);
        let known: Vec<&Word> = question.words.iter().filter(is_known).collect();
        let topic = avoided.searched_topic(question);
        let ranks_anything = question.form.order.is_some() && avoided.binding.searches() && topic.is_empty();
        (ranks_anything || self.fit.coverage >= share_min * avoided.fit.coverage)
            && self.fit.unplaced_time <= avoided.fit.unplaced_time
            && knows_some(&known)
            && knows_some(&topic)
    }

    /// The words that it searches for and the question says that the things are about.
    fn searched_topic<'q>(&self, question: &'q Question) -> Vec<&'q Word> {
        let searched = self.binding.arguments.iter().find(|it| it.role == Role::Search && it.is_said());
        let Some(place) = searched.and_then(Argument::place) else { return Vec::new() };
        let leads = |lead: &Word| matches!(lead.lower.as_str(), "about" | "of" | "on" | "regarding");
        if !question.words_before(place).last().is_some_and(leads) {
            return Vec::new();
        }
        question.words_in(place).filter(|word| !word.is_stop).collect()
    }

    /// Whether a stem is among the words of the method, its arguments or its results, or means nearly the same as one.
    fn knows(&self, stem: &str) -> bool {
        let parameters = &self.known.parameters;
        parameters.mentions(stem) || parameters.is_akin(stem) || self.known.outline.knows(stem)
    }

    /// Whether the question gives an argument that is named by this stem.
    fn says_argument(&self, stem: &str) -> bool {
        let own =
            |argument: &Argument| self.known.parameters.stems(&argument.name).iter().any(|own| own == stem);
        self.binding.arguments.iter().any(|argument| argument.is_said() && own(argument))
    }

    /// Whether the question gives an argument that is neither free text nor a bare number.
    fn tied_by_value(&self) -> bool {
        self.binding.arguments.iter().any(|argument| {
            argument.is_said()
                && !matches!(argument.role, Role::Search | Role::Text)
                && argument.bound().is_some_and(|bound| !bound.value.is_number())
        })
    }

    /// What its arguments take for granted. The arguments that a program fans out over are not among them.
    pub fn assumptions(&self, fanned: &[String]) -> Vec<String> {
        let mut assumptions = Vec::new();
        for argument in self.binding.arguments.iter().filter(|argument| !fanned.contains(&argument.name)) {
            let Some(bound) = argument.bound() else { continue };
            match &bound.source {
                Source::Window { note: Some(note), .. } => assumptions.push(note.clone()),
                Source::Implied { why, .. } | Source::Parts { why, .. } | Source::Before { why, .. } => {
                    assumptions.push(why.clone());
                }
                Source::Default
                    if argument.is_required
                        || matches!(argument.role, Role::Window | Role::Zone | Role::Currency) =>
                {
                    let value = bound.value.as_str().map_or_else(|| bound.value.to_string(), str::to_owned);
                    assumptions.push(format!("`{}` is left at its default, {value}", argument.name));
                }
                Source::Window { note: None, .. } | Source::Said { .. } | Source::Default => {}
            }
        }
        assumptions
    }

    /// The key of its rows that says which of the asked kind each is, by more than an identifier.
    #[must_use]
    pub fn row_key(&self, question: &Question) -> Option<String> {
        let noun = question.form.dimension.as_ref()?;
        let is_id = |leaf: &Leaf| leaf.stems.last().is_some_and(|last| last == "id");
        let tells_which = |leaf: &&Leaf| {
            leaf.is_in_rows && leaf.kind == LeafKind::Text && !is_id(leaf) && noun.is_among(&leaf.stems)
        };
        self.known.outline.leaves.iter().find(tells_which).map(|leaf| leaf.key.clone())
    }
}

/// What a method's score comes to at the most, before its arguments are held against the question.
fn ceiling(known: &Known, question: &Question, retrieved: f64) -> f64 {
    let fit = Fit {
        retrieved,
        coverage: 1.0,
        name: name::fit(known, question, |stem| known.parameters.names(stem)),
        verb: name::says_verb(known, question),
        confidence: if known.parameters.requires_nothing() { NEEDS_NOTHING } else { 1.0 },
        placed: if question.form.entities.is_empty() { PLACES_NOTHING } else { 1.0 },
        form: form::ceiling(known, question),
        unasked_action: name::unasked_action(known, question),
        ..Fit::default()
    };
    fit.score()
}

/// How sure the arguments are of a method that needs none, or that looks its only one up.
const NEEDS_NOTHING: f64 = 0.7;
/// How many of the named things found a place, as [`Fit::placed`] has it, where the question names none.
pub const PLACES_NOTHING: f64 = 0.5;
/// The same where the one open argument is an identifier that the named things may be looked up by.
pub const LOOKED_UP: f64 = 0.8;

fn fit(
    choice: &Choice<'_>,
    question: &Question,
    (retrieved, is_looked_up): (f64, bool),
    is_about: bool,
) -> Fit {
    let open = choice.binding.missing().map(|argument| {
        let is_fanned = choice.is_listed || can_fan(choice, question, &argument.name);
        if is_fanned {
            0.0
        } else if is_looked_up {
            0.2
        } else {
            1.0
        }
    });
    let needs_nothing = choice.known.parameters.requires_nothing();
    // What is looked up by words may be of a time to come, which its name tells: the odds of a recession next year.
    let is_placed = |moment: &Moment| is_looked_up && moment.window().is_some_and(|it| it.end > question.now);
    let mut unplaced = choice.binding.unplaced_times(question).filter(|moment| !is_placed(moment));
    let unplaced = unplaced.any(|moment| choice.known.outline.dated(question, moment).is_none());
    Fit {
        retrieved,
        coverage: choice.binding.coverage.share,
        name: name::fit(&choice.known, question, |stem| choice.says_argument(stem)),
        verb: name::says_verb(&choice.known, question),
        confidence: if needs_nothing || is_looked_up { NEEDS_NOTHING } else { choice.binding.confidence() },
        open: open.sum(),
        placed: if is_looked_up { LOOKED_UP } else { entities_placed(choice, question) },
        form: form::fit(&choice.known, question, || Given::of(choice, question)),
        unasked_action: name::unasked_action(&choice.known, question),
        unplaced_time: if unplaced { 1.0 } else { 0.0 },
        is_about,
    }
}

/// Whether only an identifier is open, and the question names what it may be looked up by, or a search of the listing takes
/// other words of it: "recession odds".
fn is_looked_up(desk: &Desk<'_>, choice: &Choice<'_>, question: &Question) -> bool {
    let Some(open) = only(choice.binding.missing()) else { return false };
    open.role == Role::Id
        && (!question.form.entities.is_empty() || lookup::is_searched(desk, question, choice, &open.name))
}

/// Whether an open argument is what the question asks over: it names the dimension and lists its values.
fn can_fan(choice: &Choice<'_>, question: &Question, argument: &str) -> bool {
    let names_it = question.form.dimension.as_ref().is_some_and(|noun| {
        noun.stems.iter().any(|stem| choice.known.parameters.stems(argument).contains(stem))
    });
    (names_it || question.form.kind == FormKind::Ranking) && choice.known.parameters.has_choices(argument)
}

/// How many of the named things, and of the sums of money, found a place in an argument.
fn entities_placed(choice: &Choice<'_>, question: &Question) -> f64 {
    let entities = &question.form.entities;
    let is_sum = |span: &&Span| matches!(span.kind, Kind::Number(amount) if amount.currency.is_some());
    let sums = || question.spans.iter().filter(is_sum);
    let count = entities.len() + sums().count();
    if count == 0 {
        return PLACES_NOTHING;
    }
    let left = &choice.binding.coverage.left;
    let named = entities
        .iter()
        .filter(|entity| question.words_in(&entity.range).any(|word| !left.contains(&word.stem)))
        .count();
    let takes =
        |span: &&Span| choice.binding.arguments.iter().any(|argument| argument.takes_number(&span.range));
    share(named + sums().filter(takes).count(), count)
}

fn share(part: usize, whole: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "counts of words")]
    let share = part as f64 / whole.max(1) as f64;
    share
}

#[cfg(test)]
pub(crate) mod tests;
