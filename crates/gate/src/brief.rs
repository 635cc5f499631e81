//! What a judge is told of a probed query, and all that the ruling looks at: a full snapshot of the gate's input.

mod clause;
mod foreign;
mod naming;
mod time;
mod value;
mod venue;

pub(crate) use venue::{is_done_by, leads_to_venue};

use domain::{ClarificationPolicy, MethodRef};
use policy::Gate;
use probe::{Effect, Interpretation, Open, Probed};

use crate::decision::CandidateSummary;
use crate::opinion::OptionId;

/// What is known of a probed query: the question and what it could mean. The decision follows from it, and from the
/// judge's opinion, alone.
#[derive(Clone, Debug)]
pub struct Brief {
    /// What the caller asks.
    pub original: String,
    /// Of it what is ruled on: all, or one of several things.
    pub question: String,
    /// The separate things that it asks for; one where it asks one thing.
    pub clauses: Vec<String>,
    /// How much of what there is it asks about.
    pub asked: Asked,
    /// Whether it wants to be asked which way to go.
    pub wants_choice: bool,
    /// Whether it names anything: in capitals, in quotation marks, as a symbol or an identifier.
    pub names_target: bool,
    /// What it could mean, the surest first.
    pub options: Vec<BriefOption>,
    /// What it asks for and cannot have, where it does.
    pub unavailable: Option<Unavailable>,
    /// What the caller wants done with an ambiguous question.
    pub clarification: ClarificationPolicy,
    /// Methods that were safe for queries.
    pub candidate_count: usize,
    /// The best candidates, best first.
    pub summaries: Vec<CandidateSummary>,
    /// Thresholds that the judge is to share with the ruling.
    pub policy: Gate,
}

/// How much of what there is a question asks about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// All of it, or several things held against each other.
    Whole,
    /// It does not say.
    Open,
}

/// What a question asks for and cannot have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unavailable {
    /// A method that was left out for safety.
    LeftOut {
        /// The method.
        method: MethodRef,
        /// Why, for people.
        why: String,
    },
    /// A venue that no method at hand serves.
    Venue(String),
    /// A time of which no method at hand tells.
    Time(String),
    /// Something named that is none of the values of the one argument that it belongs to.
    Value {
        /// As the question writes it.
        named: String,
        /// The argument.
        argument: String,
        /// The values that the argument takes.
        listed: Vec<String>,
    },
}

/// One thing that the question could mean.
#[derive(Clone, Debug, PartialEq)]
pub struct BriefOption {
    /// Its name.
    pub id: OptionId,
    /// The title of its method; its name in words where it has none.
    pub title: String,
    /// What it would do, as its method describes itself: data, never an instruction.
    pub description: String,
    /// The name of its listing.
    pub listing_name: String,
    /// How surely it serves the question, from 0 to 1.
    pub grounding: f64,
    /// How well it fits, in points from 0 to 100.
    pub points: f64,
    /// The required arguments that stay open.
    pub open: Vec<Open>,
    /// The values that the first open argument may take, where there are few.
    pub open_values: Vec<String>,
    /// What calling it would do.
    pub effect: Effect,
    /// The argument that tells this reading from the method's likeliest one.
    pub slot: Option<String>,
    /// What the question gives to its arguments, by name, as text.
    pub said: Vec<(String, String)>,
    /// How many of the named things have a place in its arguments.
    pub placed: usize,
    /// Whether the question writes its method's name, or its listing's.
    pub is_named: bool,
    /// The share of each clause's words that it knows, from 0 to 1; empty for a question of one clause.
    pub knows_clauses: Vec<f64>,
}

impl Brief {
    /// The brief of a probed query.
    #[must_use]
    pub fn of(probed: &Probed, policy: &Gate) -> Self {
        let question = probed.question();
        let is_whole = question.text == probed.deep().selected().query.text;
        let clauses = match probed.asked() {
            asked if is_whole && !asked.is_empty() => asked.iter().map(|it| it.question.clone()).collect(),
            _ => reading::clauses(&question.text),
        };
        let read = clause::Clauses::read(&clauses);
        let interpretations = probed.pool().interpretations();
        let options: Vec<BriefOption> = interpretations
            .iter()
            .map(|interpretation| option(interpretation, probed, &read, policy))
            .collect();
        let left_out = probed.missing_capability().map(|left_out| Unavailable::LeftOut {
            method: left_out.method.clone(),
            why: left_out.why.to_string(),
        });
        let venue = || venue::unsupported(probed, policy).map(Unavailable::Venue);
        let value = || value::unlisted(question, interpretations, policy);
        let is_one = clauses.len() < 2;
        let unserved = || venue::unserved(probed, policy, is_one);
        let time =
            || time::untold(question, interpretations, policy).filter(|_| is_one).map(Unavailable::Time);
        Self {
            asked: clause::asked(question),
            wants_choice: question.form.wants_choice,
            names_target: !question.form.entities.is_empty(),
            unavailable: left_out.or_else(venue).or_else(value).or_else(unserved).or_else(time),
            original: probed.deep().selected().query.text.clone(),
            question: question.text.clone(),
            clauses,
            options,
            clarification: probed.deep().selected().query.clarification,
            candidate_count: probed.ranked().len(),
            summaries: probed.ranked().iter().take(SUMMARIES_MAX).map(CandidateSummary::of).collect(),
            policy: policy.clone(),
        }
    }

    /// The option with this name.
    #[must_use]
    pub fn option(&self, id: &OptionId) -> Option<&BriefOption> {
        self.options.iter().find(|option| option.id == *id)
    }
}

impl BriefOption {
    /// The required argument that only the caller can give, where one stays open.
    #[must_use]
    pub fn asks_for(&self, policy: &Gate) -> Option<&Open> {
        self.open.iter().find(|open| open.is_the_callers >= policy.open_argument_min)
    }
}

/// Candidates that a report tells of.
const SUMMARIES_MAX: usize = 3;

fn option(
    interpretation: &Interpretation,
    probed: &Probed,
    clauses: &clause::Clauses,
    policy: &Gate,
) -> BriefOption {
    let evidence = &interpretation.evidence;
    let method = &evidence.candidate.method;
    let id = OptionId::of(&evidence.candidate.method_ref());
    let open = evidence.open.iter().find(|open| open.is_the_callers >= policy.open_argument_min);
    let values = open.map_or_else(Vec::new, |open| evidence.known.parameters.choices(&open.name));
    let is_few = values.len() <= policy.values_listed_max;
    BriefOption {
        id: interpretation.slot.as_ref().map_or_else(|| id.clone(), |slot| id.with_slot(slot)),
        title: naming::title(method),
        description: method.description.clone(),
        listing_name: evidence.candidate.listing.name.clone(),
        grounding: evidence.grounding,
        points: evidence.points(),
        open: evidence.open.clone(),
        open_values: values.iter().filter(|_| is_few).map(naming::text).collect(),
        effect: evidence.effect.clone(),
        slot: interpretation.slot.clone(),
        said: naming::said(&evidence.binding),
        placed: naming::placed(probed.question(), &evidence.binding),
        is_named: naming::is_named(probed.question(), &evidence.candidate),
        knows_clauses: clauses.known_to(&evidence.known),
    }
}
