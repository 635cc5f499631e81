//! What is known of a method whatever is asked: its arguments, the outline of its result, the words of its name. Read once
//! and kept for as long as the method is listed, since reading it costs more than all else that a plan does.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use domain::{Candidate, Method, MethodRef, Turn};
use reading::bind::{Binding, Parameters, bind};
use reading::words::Groups;
use reading::{Question, words};

mod contract;

pub use contract::Contract;

use crate::carried::{Before, carry, may_carry};
use crate::choice::name::nouns;
use crate::outline::{Outline, outline};
use crate::vocabulary::Vocabulary;

/// The methods that may serve a question, and how far a program may go with them.
#[derive(Clone, Copy, Debug)]
pub struct Offer<'a> {
    /// The methods, best first.
    pub candidates: &'a [Candidate],
    /// Other methods of the same listings, for look-ups.
    pub helpers: &'a [Candidate],
    /// Calls that a program may fan out over.
    pub fan_out_max: usize,
    /// Calls that a program may make.
    pub calls_max: usize,
    /// Methods that are done without, and why.
    pub avoid: &'a [(MethodRef, String)],
    /// How much of what one of those accounts for another one accounts for that stands in, as a share.
    pub stand_in_share_min: f64,
    /// What was said before the question, oldest first.
    pub before: &'a [Turn],
}

/// What is known of one method.
#[derive(Debug)]
pub struct Known {
    /// Its arguments.
    pub parameters: Parameters,
    /// What it gives.
    pub outline: Outline,
    /// The stems of its name, in order.
    pub name: Vec<String>,
    /// What it is called for short, with the stems of its name that this stands for.
    short_names: Vec<(String, Vec<String>)>,
    /// The stems of its title.
    pub title: Vec<String>,
    /// Those of its name that say what it is about.
    pub(crate) nouns: Vec<String>,
    /// Those of its title.
    pub(crate) title_nouns: Vec<String>,
    /// The words that its description begins with, in lower case, each with its stem.
    pub opening: Vec<(String, String)>,
    /// Its words, by where they stand.
    pub vocabulary: Vocabulary,
    /// What it takes and gives, without the words around it.
    pub contract: Contract,
}

impl Known {
    /// Whether it is called this for short, in capitals or not.
    #[must_use]
    pub fn is_called(&self, word: &str) -> bool {
        self.short_names.iter().any(|(short, _)| short.eq_ignore_ascii_case(word))
    }

    /// The stems of its name that any of these words is short for.
    pub fn shortened<'k>(
        &'k self,
        words: impl Iterator<Item = &'k str> + Clone,
    ) -> impl Iterator<Item = &'k str> {
        let is_said = move |short: &str| words.clone().any(|word| word == short);
        let said = self.short_names.iter().filter(move |(short, _)| is_said(short));
        said.flat_map(|(_, stems)| stems).map(String::as_str)
    }

    /// Whether a stem is of the family of one of its words or of those of its results, or means nearly the same as one.
    #[must_use]
    pub fn speaks_of(&self, stem: &str) -> bool {
        let Vocabulary { name, description, arguments, values, results, listed: _ } = &self.vocabulary;
        let mut fields = [name, description, arguments, values, results].into_iter();
        fields.any(|terms| terms.has(stem) || terms.has_family(stem)) || self.parameters.is_akin(stem)
    }

    /// Reads a method.
    #[must_use]
    pub fn of(method: &Method, kin: &Groups) -> Self {
        let name = words::identifier_terms(method.name.as_str());
        let title = method.title.as_deref().map(words::terms).unwrap_or_default();
        let outline = outline(method.output_schema.as_ref()).with_kin(kin);
        Self {
            parameters: Parameters::of(method).with_kin(kin).giving(outline.measured_stems()),
            contract: Contract::of(method, &outline),
            outline,
            nouns: nouns(&name),
            title_nouns: nouns(&title),
            short_names: words::short_names(&name).map(|(short, stems)| (short, stems.to_vec())).collect(),
            name,
            title,
            opening: opening(&method.description),
            vocabulary: Vocabulary::of(method),
        }
    }
}

/// Words of a description that may say what the method does.
const OPENING_WORDS: usize = 12;

fn opening(description: &str) -> Vec<(String, String)> {
    let lower = |word: &str| word.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase();
    let words = description.split_whitespace().take(OPENING_WORDS).map(lower);
    words.map(|lower| (words::stem(&lower).into_owned(), lower)).map(|(stem, lower)| (lower, stem)).collect()
}

/// What is known of every method that was looked at and is still listed.
#[derive(Debug, Default)]
pub struct Knowledge {
    /// By the method's address, which stays its own for as long as the weak reference stands beside it.
    methods: Mutex<HashMap<usize, Entry>>,
    /// Words that mean nearly the same.
    kin: Arc<Groups>,
}

type Entry = (Weak<Method>, Arc<Known>);

impl Knowledge {
    /// Nothing known of any method yet; a method's words will be known together with their kin.
    #[must_use]
    pub fn with(kin: Arc<Groups>) -> Self {
        Self { methods: Mutex::default(), kin }
    }

    /// What is known of this method.
    #[must_use]
    pub fn of(&self, method: &Arc<Method>) -> Arc<Known> {
        let address = Arc::as_ptr(method).addr();
        let mut methods = self.methods.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = methods.get(&address) {
            return Arc::clone(known);
        }
        methods.retain(|_, (method, _)| method.strong_count() > 0);
        let known = Arc::new(Known::of(method, &self.kin));
        methods.insert(address, (Arc::downgrade(method), Arc::clone(&known)));
        known
    }
}

/// An offer, with each of its methods held against the question once.
pub struct Desk<'a> {
    /// The methods, and the limits.
    pub offer: Offer<'a>,
    knowledge: &'a Knowledge,
    bindings: RefCell<HashMap<usize, Arc<Binding>>>,
    before: OnceCell<Before<'a>>,
}

impl<'a> Desk<'a> {
    /// Nothing has been read yet.
    #[must_use]
    pub fn new(offer: Offer<'a>, knowledge: &'a Knowledge) -> Self {
        Self { offer, knowledge, bindings: RefCell::default(), before: OnceCell::new() }
    }

    /// The same offer, for another question.
    pub(crate) fn anew(&self) -> Self {
        Self::new(self.offer, self.knowledge)
    }

    /// What is known of a candidate.
    #[must_use]
    pub fn known(&self, candidate: &Candidate) -> Arc<Known> {
        self.knowledge.of(&candidate.method)
    }

    /// What is known of a candidate, and how the question fills its arguments. `asked` is the question as it asks the
    /// candidate's listing.
    #[must_use]
    pub fn read(&self, candidate: &Candidate, asked: &Question) -> (Arc<Known>, Arc<Binding>) {
        let known = self.known(candidate);
        let mut bindings = self.bindings.borrow_mut();
        let bound = || {
            let mut binding = Arc::new(bind(asked, &known.parameters));
            self.carry(&mut binding, None, asked, (candidate, &known));
            binding
        };
        let binding = Arc::clone(bindings.entry(Arc::as_ptr(&candidate.method).addr()).or_insert_with(bound));
        (known, binding)
    }

    /// Gives a candidate what the answer before was about, where the question is still about it. `beside` is what the question gives
    /// to the method that it looks something up for.
    pub(crate) fn carry(
        &self,
        binding: &mut Arc<Binding>,
        beside: Option<&Binding>,
        asked: &Question,
        (candidate, known): (&Candidate, &Known),
    ) {
        if !self.offer.before.is_empty() && may_carry(asked, binding) {
            let before = self.before.get_or_init(|| Before::of(self.offer.before, asked.now));
            carry(binding, beside, asked, (candidate, &known.parameters), before);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_method_is_read_once_and_forgotten_when_it_is_gone() {
        let knowledge = Knowledge::default();
        let method = Arc::new(Method::new("get_price", json!({"type": "object"}), None));
        let first = knowledge.of(&method);
        assert!(Arc::ptr_eq(&first, &knowledge.of(&method)));
        drop(method);
        let other = Arc::new(Method::new("list_prices", json!({"type": "object"}), None));
        assert_eq!(knowledge.of(&other).name, ["list", "price"]);
        assert_eq!(knowledge.methods.lock().unwrap().len(), 1);
    }
}
