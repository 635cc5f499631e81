//! The words of a method, as far as its arguments and what is said of them go.

use domain::Method;

use super::parameter::Parameter;
use crate::words::{self, Groups, Terms};

/// The stems of a method's words.
#[derive(Clone, Debug)]
pub(super) struct Vocabulary {
    /// Those of its name and description and of its parameters' names.
    pub(super) known: Terms,
    /// Those of its parameters' descriptions, and of the values that they name.
    pub(super) mentioned: Terms,
    /// Those that mean nearly the same as one that is known.
    pub(super) akin: Terms,
    /// Those of the keys of the numbers and times that it gives.
    pub(super) given: Terms,
}

impl Vocabulary {
    pub(super) fn of(method: &Method, list: &[Parameter]) -> Self {
        let mut known = words::name_terms(method.name.as_str());
        known.extend(words::terms(&words::affirmed(&method.description)));
        known.extend(method.title.iter().flat_map(|title| words::terms(title)));
        known.extend(list.iter().flat_map(|parameter| parameter.own.iter().cloned()));
        let in_choices =
            list.iter().flat_map(|parameter| &parameter.choices).flat_map(|choice| &choice.stems);
        let in_context = list.iter().flat_map(|parameter| &parameter.context);
        let mentioned = in_context.chain(in_choices).cloned().collect();
        Self {
            known: Terms::of(known),
            mentioned: Terms::of(mentioned),
            akin: Terms::default(),
            given: Terms::default(),
        }
    }

    pub(super) fn add_kin(&mut self, kin: &Groups) {
        let akin = self.known.iter().flat_map(|stem| kin.beside(stem));
        self.akin = Terms::of(akin.map(|stem| stem.as_ref().to_owned()).collect());
    }
}
