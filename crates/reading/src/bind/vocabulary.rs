//! The words of a method, as far as its arguments and what is said of them go.

use std::sync::Arc;

use domain::Method;

use super::parameter::Parameter;
use crate::words::{self, Groups};

/// The stems of a method's words, each kind sorted.
#[derive(Clone, Debug)]
pub(super) struct Vocabulary {
    /// Those of its name and description and of its parameters' names.
    known: Vec<String>,
    /// Those of its parameters' descriptions, and of the values that they name.
    mentioned: Vec<String>,
    /// Those that mean nearly the same as one that is known.
    akin: Vec<Arc<str>>,
}

impl Vocabulary {
    pub(super) fn of(method: &Method, name: &[String], list: &[Parameter]) -> Self {
        let mut known = name.to_vec();
        known.extend(words::terms(&words::affirmed(&method.description)));
        known.extend(method.title.iter().flat_map(|title| words::terms(title)));
        known.extend(list.iter().flat_map(|parameter| parameter.own.iter().cloned()));
        let in_choices =
            list.iter().flat_map(|parameter| &parameter.choices).flat_map(|choice| &choice.stems);
        let in_context = list.iter().flat_map(|parameter| &parameter.context);
        let mentioned = in_context.chain(in_choices).cloned().collect();
        Self { known: sorted(known), mentioned: sorted(mentioned), akin: Vec::new() }
    }

    pub(super) fn add_kin(&mut self, kin: &Groups) {
        self.akin = sorted(self.known.iter().flat_map(|stem| kin.beside(stem)).collect());
    }

    pub(super) fn knows(&self, stem: &str) -> bool {
        is_among(&self.known, stem)
    }

    pub(super) fn mentions(&self, stem: &str) -> bool {
        self.knows(stem) || is_among(&self.mentioned, stem)
    }

    pub(super) fn is_akin(&self, stem: &str) -> bool {
        is_among(&self.akin, stem)
    }
}

fn sorted<T: Ord>(mut stems: Vec<T>) -> Vec<T> {
    stems.sort_unstable();
    stems.dedup();
    stems
}

fn is_among(sorted: &[impl AsRef<str>], stem: &str) -> bool {
    sorted.binary_search_by(|known| known.as_ref().cmp(stem)).is_ok()
}
