//! What is known of a method whatever is asked: its arguments, the outline of its result, the words of its name. Read once
//! and kept for as long as the method is listed, since reading it costs more than all else that a plan does.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use domain::{Candidate, Method};
use reading::bind::{Binding, Parameters, bind};
use reading::{Question, words};

use crate::PlanBrief;

use crate::outline::{Outline, outline};

/// What is known of one method.
#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) parameters: Parameters,
    pub(crate) outline: Outline,
    /// The stems of its name, in order.
    pub(crate) name: Vec<String>,
    /// The stems of its title.
    pub(crate) title: Vec<String>,
}

impl Known {
    fn of(method: &Method) -> Self {
        Self {
            parameters: Parameters::of(method),
            outline: outline(method.output_schema.as_ref()),
            name: words::identifier_terms(method.name.as_str()),
            title: method.title.as_deref().map(words::terms).unwrap_or_default(),
        }
    }
}

/// What is known of every method that was looked at and is still listed.
#[derive(Debug, Default)]
pub(crate) struct Knowledge {
    /// By the method's address, which stays its own for as long as the weak reference stands beside it.
    methods: Mutex<HashMap<usize, Entry>>,
}

type Entry = (Weak<Method>, Arc<Known>);

impl Knowledge {
    /// What is known of this method.
    pub(crate) fn of(&self, method: &Arc<Method>) -> Arc<Known> {
        let address = Arc::as_ptr(method).addr();
        let mut methods = self.methods.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = methods.get(&address) {
            return Arc::clone(known);
        }
        methods.retain(|_, (method, _)| method.strong_count() > 0);
        let known = Arc::new(Known::of(method));
        methods.insert(address, (Arc::downgrade(method), Arc::clone(&known)));
        known
    }
}

/// A brief on the planner's desk, with each of its methods held against the question once.
pub(crate) struct Desk<'a> {
    pub(crate) brief: &'a PlanBrief,
    knowledge: &'a Knowledge,
    bindings: RefCell<HashMap<usize, Rc<Binding>>>,
}

impl<'a> Desk<'a> {
    pub(crate) fn new(brief: &'a PlanBrief, knowledge: &'a Knowledge) -> Self {
        Self { brief, knowledge, bindings: RefCell::default() }
    }

    /// What is known of a candidate, and how the brief's question fills its arguments.
    pub(crate) fn read(&self, candidate: &Candidate, question: &Question) -> (Arc<Known>, Rc<Binding>) {
        let known = self.knowledge.of(&candidate.method);
        let mut bindings = self.bindings.borrow_mut();
        let bound = || Rc::new(bind(&question.asked_of(&candidate.listing.name), &known.parameters));
        let binding = Rc::clone(bindings.entry(Arc::as_ptr(&candidate.method).addr()).or_insert_with(bound));
        (known, binding)
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
