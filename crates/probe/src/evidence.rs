//! The evidence for one method: how surely it serves the question, what stays open, and what calling it would do.

use std::ops::Range;
use std::sync::Arc;

use domain::{Candidate, MethodRef};
use fit::{Fit, Known};
use reading::Question;
use reading::bind::{Argument, Binding, Role, State};
use reading::spans::overlaps;
use reading::words::{self, Word};

use crate::effect::Effect;
use crate::required::{self, Case, Required};
use crate::signals::{Follows, Signals, follows};
use policy::Learned;

/// What speaks for one method.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// The method.
    pub candidate: Candidate,
    /// What is known of it.
    pub known: Arc<Known>,
    /// What all that was said gives to its arguments.
    pub binding: Arc<Binding>,
    /// How well it fits, aspect by aspect.
    pub fit: Fit,
    /// What speaks for it and against it.
    pub signals: Signals,
    /// How surely it serves the question, from 0 to 1.
    pub grounding: f64,
    /// Whether it knows no word of what the question is about.
    pub is_foreign: bool,
    /// Whether it knows nothing of the thing whose property is asked.
    pub misses_bearer: bool,
    /// How it follows the answer before, where it does.
    pub follows: Option<Follows>,
    /// Whether it is called for one value after the other that the question gives.
    pub is_fanned: bool,
    /// Its required arguments.
    pub required: Vec<Required>,
    /// The required arguments that neither the question nor another call fills.
    pub open: Vec<Open>,
    /// What calling it would do.
    pub effect: Effect,
    /// The methods that would be called first, to find the argument that the question does not say.
    pub means: Vec<MethodRef>,
}

/// A required argument that stays open.
#[derive(Clone, Debug, PartialEq)]
pub struct Open {
    /// Its name in the schema.
    pub name: String,
    /// What the schema says of it; may be empty.
    pub description: String,
    /// What kind of value it takes.
    pub role: Role,
    /// Why it is open, in words for the caller.
    pub why: String,
    /// What the question says for it and its schema does not take.
    pub refused: Option<String>,
    /// How likely it is that only the caller can give it, from 0 to 1.
    pub is_the_callers: f64,
}

impl Evidence {
    /// Whether it has all that it needs and follows the answer before more surely than another one.
    pub(crate) fn follows_before(&self, other: &Self) -> bool {
        self.open.is_empty() && self.follows > other.follows
    }

    /// Whether it has all that it needs, and knows all words of a question by itself, of which some are no values, or by the name of its
    /// listing.
    pub(crate) fn knows_all(&self, question: &Question) -> bool {
        let is_complete = self.binding.missing().next().is_none() || !self.means.is_empty();
        let claims: Vec<&Range<usize>> =
            self.binding.arguments.iter().filter_map(Argument::said_at).collect();
        let is_own = |word: &Word| {
            !word.is_stop
                && !question.is_when(word)
                && !claims.iter().any(|claim| overlaps(claim, &word.range))
        };
        let listing = words::terms(&self.candidate.listing.name);
        let is_left = |stem: &String| !listing.contains(stem);
        let leaves_none = !self.binding.coverage.left.iter().any(is_left) || self.fit.coverage >= 1.0;
        is_complete && leaves_none && question.words.iter().any(is_own)
    }

    /// How well it fits, in points from 0 to 100.
    #[must_use]
    pub fn points(&self) -> f64 {
        self.grounding * 100.0
    }
}

/// The evidence for a method.
pub(crate) fn of(case: &Case<'_, '_>, whole: &Arc<Binding>, signals: Signals, learned: &Learned) -> Evidence {
    let choice = case.choice;
    let fan = required::fan(case);
    let required = required::of(case, fan.as_ref(), learned);
    let open = required.iter().filter(|required| !required.is_filled);
    let open = open.filter_map(|required| {
        let mut open = open_argument(whole.argument(&required.name)?, required);
        let in_vain = || choice.binding.named_in_vain(case.question, &choice.known.parameters, &open.name);
        open.refused = open.refused.or_else(|| Some(in_vain()?.said));
        Some(open)
    });
    let mut open: Vec<Open> = open.collect();
    // What each of is asked for is the last that the caller has to say.
    open.sort_by_key(|open| fit::fan::is_asked_over(case.question, &choice.known, &open.name));
    Evidence {
        candidate: choice.candidate.clone(),
        known: Arc::clone(&choice.known),
        binding: seen(whole, case),
        fit: choice.fit,
        grounding: learned.grounding.share(&signals),
        signals,
        is_foreign: case.held.is_foreign(case.subject),
        misses_bearer: case.held.misses_bearer(case.subject),
        follows: follows(choice, case.question, case.desk.offer.before),
        is_fanned: fan.is_some(),
        open,
        required,
        effect: Effect::of(choice),
        means: case.chain.into_iter().flatten().map(|it| it.choice.candidate.method_ref()).collect(),
    }
}

/// What all that was said gives to its arguments, as the question says it.
fn seen(whole: &Arc<Binding>, case: &Case<'_, '_>) -> Arc<Binding> {
    match case.subject.question_at {
        0 => Arc::clone(whole),
        start => Arc::new(Binding::clone(whole).seen_from(start, &case.choice.binding)),
    }
}

pub(crate) fn open_argument(argument: &Argument, required: &Required) -> Open {
    Open {
        name: argument.name.clone(),
        description: argument.description.clone(),
        role: argument.role,
        why: match &argument.state {
            State::Unfilled { why, .. } => why.clone(),
            State::Bound(_) => String::new(),
        },
        refused: argument.refused().map(|it| it.said.clone()),
        is_the_callers: required.is_the_callers,
    }
}
