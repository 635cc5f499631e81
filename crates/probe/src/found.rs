//! What is found of one thing that is asked: the evidence of every method for it, in order.

use std::cell::LazyCell;
use std::ops::Range;
use std::sync::Arc;

use domain::{EarlierCall, ListingId, Thing, ToolScope, Turn};
use fit::lookup::{self, Lookup, NamedBefore};
use fit::{Choice, Desk, Knowledge, Offer, choice};
use jiff::Timestamp;
use policy::Policy;
use reading::Question;
use reading::bind::{self, Argument, Binding, Role};
use reading::form;

use crate::evidence::{self, Evidence};
use crate::lexicon::Lexicon;
use crate::required::Case;
use crate::signals::{self, Held, Signals};
use crate::situation::{Standing, situation};
use crate::subject::{self, Said, Subject};
use crate::verdict;

mod order;

/// What is held against each thing that is asked.
#[derive(Clone, Copy)]
pub(crate) struct Asking<'a> {
    pub(crate) offer: Offer<'a>,
    /// What selection found for some things by themselves.
    pub(crate) things: &'a [Thing],
    pub(crate) knowledge: &'a Knowledge,
    pub(crate) asked_at: Timestamp,
    pub(crate) tools: &'a ToolScope,
    pub(crate) lexicon: &'a Lexicon,
    pub(crate) policy: &'a Policy,
}

/// What is found of one thing that is asked.
#[derive(Debug)]
pub(crate) struct Found {
    /// The question, read.
    pub(crate) question: Question,
    /// The evidence for every method, the surest first.
    pub(crate) ranked: Vec<Evidence>,
    /// How the question is built.
    pub(crate) shape: Signals,
    /// Words that mean nothing to any method.
    pub(crate) unknown: Vec<Range<usize>>,
}

impl<'a> Asking<'a> {
    /// The evidence of every candidate for one thing that is asked, behind what was said before it. What a method serves by itself needs
    /// nothing of that.
    pub(crate) fn found(self, text: &str, history: &[Turn]) -> Found {
        let question = Question::read(text, self.asked_at);
        if may_stand_alone(&question, history) {
            let alone = self.behind(question.clone(), &[]);
            if alone.stands_alone(self.policy) {
                return alone;
            }
        }
        self.behind(question, history)
    }

    /// The evidence of every candidate for what is asked, behind all that was said before it.
    fn behind(self, question: Question, history: &[Turn]) -> Found {
        let Self { offer, things, knowledge, asked_at, tools, lexicon, policy } = self;
        let thing = things.iter().find(|thing| thing.question == question.text);
        let at_hand = offer.candidates.iter().chain(offer.helpers);
        let helpers = thing.map(|thing| thing.helpers(at_hand)).unwrap_or_default();
        let for_it = |thing: &'a Thing| Offer { candidates: &thing.candidates, helpers: &helpers, ..offer };
        let offer = thing.map_or(offer, for_it);
        let desk = Desk::new(offer, knowledge);
        let (ranked, Asked { shape, unknown }) =
            held(&desk, &question, (history, asked_at), (lexicon, policy));
        let mut ranked = order::ordered(ranked, &question, history, policy);
        let standings: Vec<Standing<'_>> = ranked.iter().map(Standing::from).collect();
        let situation = situation(&standings, &shape);
        verdict::settle(&mut ranked, &situation, (&question, tools), policy);
        Found { question, ranked, shape, unknown }
    }
}

impl Found {
    /// The evidence for the likeliest method.
    pub(crate) fn best(&self) -> Option<&Evidence> {
        self.ranked.first()
    }

    /// How surely its likeliest method serves it, from 0 to 1.
    pub(crate) fn grounding(&self) -> f64 {
        self.best().map_or(0.0, |best| best.grounding)
    }

    /// Whether nothing has to be known of what was said before: its likeliest method serves it and takes nothing of that, or some method
    /// knows all of its words and has all that it needs.
    fn stands_alone(&self, policy: &Policy) -> bool {
        let takes_none = |best: &Evidence| !best.binding.arguments.iter().any(Argument::is_carried);
        self.answers(policy) && self.best().is_some_and(takes_none)
            || self.ranked.iter().any(|it| it.knows_all(&self.question))
    }

    /// Whether its likeliest method serves it and leaves nothing open.
    pub(crate) fn answers(&self, policy: &Policy) -> bool {
        self.grounding() >= policy.gate.grounding_min && self.best().is_some_and(|best| best.open.is_empty())
    }

    /// Whether its likeliest method lacks what only the caller can give.
    pub(crate) fn lacks_value(&self, policy: &Policy) -> bool {
        self.best().is_some_and(|best| best.lacks_value(policy.gate.open_argument_min))
    }
}

/// Every candidate, held against the question and what was said before it.
fn held(
    desk: &Desk<'_>,
    question: &Question,
    (history, asked_at): (&[Turn], Timestamp),
    (lexicon, policy): (&Lexicon, &Policy),
) -> (Vec<Evidence>, Asked) {
    let mut choices = choice::all(desk, question);
    let mut chains: Vec<Option<Vec<Lookup<'_>>>> =
        choices.iter().map(|choice| lookup::of_the_only_open(desk, question, choice)).collect();
    let named = NamedBefore::new(desk, question);
    let is_behind = !history.is_empty();
    for (choice, chain) in choices.iter().zip(&mut chains).filter(|(_, chain)| is_behind && chain.is_none()) {
        *chain = named.of_the_only_open(choice);
    }
    let said = Said::of(&question.text, history, policy.probe.pools.turns_max);
    let earlier = (said.question_at > 0).then(|| Question::read(&said.text, asked_at));
    let mut subject = Subject::of(earlier.as_ref().unwrap_or(question), said.question_at, history, lexicon);
    let mut bindings =
        bindings((&choices, &chains), question, (earlier.as_ref(), said.question_at), desk.offer.before);
    let values = LazyCell::new(|| Values::of(&choices, &bindings));
    let searched = |(choice, chain): (&Choice<'_>, &Option<Vec<Lookup<'_>>>)| {
        let mut searched = searched(chain.as_deref(), said.question_at);
        searched.retain(|range| {
            let others = values.of_others(choice.candidate.listing.id);
            !signals::names_only(range, &others, &choice.known, &subject)
        });
        searched
    };
    let searched: Vec<Vec<Range<usize>>> = choices.iter().zip(&chains).map(searched).collect();
    let mut held: Vec<Held> = choices
        .iter()
        .zip(bindings.iter().zip(&searched))
        .map(|(choice, (binding, searched))| {
            signals::hold(choice, (binding, searched), (question, &subject), lexicon)
        })
        .collect();
    let is_known = |word| held.iter().any(|held| held.knows(word));
    subject.forget_guesses(is_known);
    let seen = |range: Range<usize>| bind::seen_from(&range, said.question_at);
    let unknown = subject.unknown(is_known).into_iter().filter_map(seen).collect();
    signals::claim_what_names(&mut held, &searched, &subject);
    let is_place = !is_behind && question.names_only_a_place();
    let is_foreign = |(held, choice): (&Held, &Choice<'_>)| {
        let parameters = &choice.known.parameters;
        !is_place
            && !signals::takes_counted(choice, question)
            && held.is_foreign(&subject)
            && !bind::says_only_listed(question, parameters, &choice.binding.arguments)
    };
    let is_foreign: Vec<bool> = held.iter().zip(&choices).map(is_foreign).collect();
    if !is_foreign.iter().all(|is_foreign| *is_foreign) {
        // Methods that have nothing to do with the question count for nothing beside one that has: they make no word of it rarer.
        keep(&mut choices, &is_foreign);
        keep(&mut bindings, &is_foreign);
        keep(&mut chains, &is_foreign);
        keep(&mut held, &is_foreign);
    }
    let mut signals = signals::of_all(&held, &subject);
    let undiscriminated = signals::undiscriminated(&choices, question);
    let finders = signals::finders_beside(&choices, &chains, question);
    for ((signals, choice), finder) in signals.iter_mut().zip(&choices).zip(finders) {
        signals.extend(signals::indefinite(choice, question));
        signals.push(("finder_beside", finder));
        signals.push(("undiscriminated", undiscriminated));
        signals.extend(signals::called(choice, history));
    }
    let evidence = choices
        .iter()
        .zip(bindings.iter().zip(&chains))
        .zip(held.iter().zip(signals))
        .map(|((choice, (whole, chain)), (held, signals))| {
            let chain = chain.as_deref();
            let case = Case { desk, question, history, choice, whole, chain, subject: &subject, held };
            evidence::of(&case, whole, signals, &policy.learned)
        })
        .collect();
    (evidence, Asked { shape: subject.shape, unknown })
}

/// What all that was said gives to the arguments of each method, some of which look-ups give.
fn bindings(
    (choices, chains): (&[Choice<'_>], &[Option<Vec<Lookup<'_>>>]),
    question: &Question,
    (earlier, question_at): (Option<&Question>, usize),
    before: &[Turn],
) -> Vec<Arc<Binding>> {
    // What was said before may tell where "there" is, and which is "that one".
    let pointed_at = earlier.is_none().then(|| bind::place_pointed_at(question)).flatten();
    let things = bind::things_pointed_at(question);
    let calls = || before.iter().flat_map(|turn| &turn.calls);
    let given = calls().flat_map(|call| &call.arguments);
    let given: Vec<(&str, &str)> =
        given.filter_map(|(name, value)| Some((name.as_str(), value.as_str()?))).collect();
    // What is pointed at may be what its listing told before, or what was said where others at hand told nothing.
    let is_of = |call: &EarlierCall, choice: &Choice<'_>| choice.candidate.listing.has_method(&call.method);
    let is_told_otherwise = |choice: &Choice<'_>| {
        let is_of_other =
            |call: &EarlierCall| !is_of(call, choice) && choices.iter().any(|other| is_of(call, other));
        calls().next().is_some() && calls().all(is_of_other)
    };
    let of = |(choice, chain): (&Choice<'_>, &Option<Vec<Lookup<'_>>>)| {
        let parameters = &choice.known.parameters;
        if let Some(earlier) = earlier {
            let binding = bind::bind(&earlier.asked_of(&choice.candidate.listing), parameters);
            let binding = binding.with_other_places_open(&earlier.text, question_at, &given);
            let binding = binding.without_names_before((question, question_at), &choice.binding, parameters);
            let binding = binding.with_carried(&choice.binding);
            let is_untold = chain.is_none() && is_told_otherwise(choice);
            let things = if is_untold { things.as_slice() } else { &[] };
            return Arc::new(binding.with_pointed_open(question, things, parameters));
        }
        let binding = Arc::clone(&choice.binding);
        if pointed_at.is_none() && things.is_empty() {
            return binding;
        }
        let mut binding = Arc::unwrap_or_clone(binding);
        if let Some(said) = pointed_at {
            binding = binding.with_places_open(said);
        }
        let may_be_told = calls().any(|call| is_of(call, choice));
        let things = if may_be_told { &[] } else { things.as_slice() };
        Arc::new(binding.with_pointed_open(question, things, parameters))
    };
    choices.iter().zip(chains).map(of).collect()
}

/// Whether a question in a conversation points at nothing that was said, and answers no question.
fn may_stand_alone(question: &Question, history: &[Turn]) -> bool {
    let replies = subject::asks_back(history) && !form::opens_a_question(&question.text);
    !history.is_empty() && !replies && reading::asks(&question.text) && !reading::goes_on(question)
}

/// What is asked, whatever method serves it.
struct Asked {
    /// How the question is built.
    shape: Signals,
    /// Words that mean nothing to any method.
    unknown: Vec<Range<usize>>,
}

/// Where the question says a value that a method lists for an argument, each stretch once.
struct Values(Vec<Value>);

struct Value {
    said: Range<usize>,
    /// A listing of which a method lists it.
    listing: ListingId,
    /// Whether methods of others do, too.
    is_of_several: bool,
}

impl Values {
    fn of(choices: &[Choice<'_>], bindings: &[Arc<Binding>]) -> Self {
        let mut values: Vec<Value> = Vec::new();
        for (choice, binding) in choices.iter().zip(bindings) {
            let listing = choice.candidate.listing.id;
            let has_choices = |argument: &&Argument| choice.known.parameters.has_choices(&argument.name);
            for said in binding.arguments.iter().filter(has_choices).filter_map(Argument::said_at) {
                match values.iter_mut().find(|value| value.said == *said) {
                    Some(known) => known.is_of_several |= known.listing != listing,
                    None => values.push(Value { said: said.clone(), listing, is_of_several: false }),
                }
            }
        }
        Self(values)
    }

    /// Those that methods of other listings list.
    fn of_others(&self, listing: ListingId) -> impl Iterator<Item = &Range<usize>> + Clone {
        let is_of_another = move |value: &&Value| value.is_of_several || value.listing != listing;
        self.0.iter().filter(is_of_another).map(|value| &value.said)
    }
}

/// Where the question says what a method's look-ups search for: in everything that was said, of which it is the last.
fn searched(chain: Option<&[Lookup<'_>]>, question_at: usize) -> Vec<Range<usize>> {
    let arguments = chain.into_iter().flatten().flat_map(|lookup| &lookup.choice.binding.arguments);
    let said = arguments.filter(|argument| argument.role == Role::Search).filter_map(Argument::said_at);
    said.map(|range| question_at + range.start..question_at + range.end).collect()
}

fn keep<T>(items: &mut Vec<T>, is_foreign: &[bool]) {
    let mut is_foreign = is_foreign.iter();
    items.retain(|_| !is_foreign.next().copied().unwrap_or_default());
}
