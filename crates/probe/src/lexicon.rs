//! The policy's word groups, ready to be asked: which group a word is in, and what else stands there.

use std::collections::HashSet;
use std::sync::Arc;

use fit::Knowledge;
use policy::Ranking;
use reading::words::Groups;

/// The word groups of a policy. Made once and kept, since it stems every word of them.
#[derive(Debug)]
pub struct Lexicon {
    actions: Groups,
    kin: Arc<Groups>,
    related: Groups,
    light: HashSet<String>,
    light_endings: Vec<String>,
}

/// Verbs of the groups of what is done that have an effect.
const HAS_EFFECT: [&str; 6] = ["delete", "update", "send", "book", "play", "stop"];

impl Lexicon {
    /// Reads the groups of a policy.
    #[must_use]
    pub fn of(ranking: &Ranking) -> Self {
        let words = |lines: &[String]| -> Vec<String> {
            lines.iter().flat_map(|line| line.split(' ')).map(str::to_owned).collect()
        };
        Self {
            actions: Groups::of(&ranking.actions.groups),
            kin: Arc::new(Groups::of(&ranking.kin.groups)),
            related: Groups::of(&ranking.related.groups),
            light: words(&ranking.light.words).into_iter().collect(),
            light_endings: words(&ranking.light.endings),
        }
    }

    /// Nothing known of any method yet, whose words will be known together with their kin.
    #[must_use]
    pub fn knowledge(&self) -> Knowledge {
        Knowledge::with(Arc::clone(&self.kin))
    }

    /// The first group of what is done that a word belongs to.
    pub(crate) fn action(&self, lower: &str, stem: &str) -> Option<usize> {
        self.actions.first(lower, stem)
    }

    /// Whether to do what a group names has an effect on what is there.
    pub(crate) fn has_effect(&self, group: usize) -> bool {
        HAS_EFFECT.iter().any(|verb| self.action(verb, verb) == Some(group))
    }

    /// The stems that mean nearly the same as this one.
    pub(crate) fn kin(&self, stem: &str) -> Vec<Arc<str>> {
        self.kin.beside(stem)
    }

    /// The stems of its field.
    pub(crate) fn related(&self, stem: &str) -> Vec<Arc<str>> {
        self.related.beside(stem)
    }

    /// Whether a word says how people ask, not what about.
    pub(crate) fn is_light(&self, lower: &str) -> bool {
        if lower.is_ascii() {
            self.light.contains(lower)
        } else {
            self.light_endings.iter().any(|ending| lower.ends_with(ending.as_str()))
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use reading::words;

    use super::*;

    /// The lexicon of the shipped policy.
    pub(crate) fn shipped() -> Lexicon {
        Lexicon::of(&policy::Policy::shipped().unwrap().probe)
    }

    #[test]
    fn the_shipped_words_tell_asking_to_delete_from_asking_to_get() {
        let lexicon = shipped();
        let [get, drop] = ["show", "remove"].map(|word| lexicon.action(word, &words::stem(word)));
        assert!(get.is_some() && drop.is_some() && get != drop);
        assert!(lexicon.is_light("helpful") && !lexicon.is_light("weather"));
    }
}
