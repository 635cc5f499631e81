//! The policy's word groups, ready to be asked: which group a word is in, and what else stands there.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use policy::Ranking;
use reading::words;

/// The word groups of a policy. Made once and kept, since it stems every word of them.
#[derive(Debug)]
pub struct Lexicon {
    actions: Groups,
    kin: Groups,
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
            kin: Groups::of(&ranking.kin.groups),
            related: Groups::of(&ranking.related.groups),
            light: words(&ranking.light.words).into_iter().collect(),
            light_endings: words(&ranking.light.endings),
        }
    }

    /// The first group of what is done that a word belongs to.
    pub(crate) fn action(&self, lower: &str, stem: &str) -> Option<usize> {
        self.actions.holding(lower, stem).first().copied()
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

/// Words in groups.
#[derive(Debug)]
struct Groups {
    /// The groups of a word or a stem, each once and in order.
    places: HashMap<String, Vec<usize>>,
    /// The beginnings of words that carry their particles, with their groups.
    beginnings: Vec<(String, usize)>,
    /// The stems of each group.
    stems: Vec<Vec<Arc<str>>>,
}

impl Groups {
    fn of(lines: &[String]) -> Self {
        let mut groups = Self { places: HashMap::new(), beginnings: Vec::new(), stems: Vec::new() };
        for (place, line) in lines.iter().enumerate() {
            let mut stems = Vec::new();
            for word in line.split(' ') {
                let stem = words::stem(word).into_owned();
                if word.is_ascii() {
                    groups.add(word, place);
                    groups.add(&stem, place);
                } else {
                    groups.beginnings.push((word.to_owned(), place));
                }
                stems.push(Arc::from(words::term(word)));
            }
            groups.stems.push(stems);
        }
        groups
    }

    fn add(&mut self, word: &str, place: usize) {
        let places = self.places.entry(word.to_owned()).or_default();
        if places.last() != Some(&place) {
            places.push(place);
        }
    }

    /// The groups of a word, in order.
    fn holding(&self, lower: &str, stem: &str) -> Vec<usize> {
        let of = |word: &str| self.places.get(word).into_iter().flatten().copied();
        let mut places: Vec<usize> = of(lower).chain(of(stem)).collect();
        if !lower.is_ascii() {
            let begun = self.beginnings.iter().filter(|(beginning, _)| lower.starts_with(beginning.as_str()));
            places.extend(begun.map(|(_, place)| *place));
        }
        places.sort_unstable();
        places.dedup();
        places
    }

    /// The stems that stand in a group with this one.
    fn beside(&self, stem: &str) -> Vec<Arc<str>> {
        let places = self.holding(stem, stem);
        let stems = places.iter().flat_map(|place| &self.stems[*place]);
        let own = words::term(stem);
        let mut others: Vec<Arc<str>> = stems.filter(|other| other.as_ref() != own).cloned().collect();
        others.sort_unstable();
        others.dedup();
        others
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// The lexicon of the shipped policy.
    pub(crate) fn shipped() -> Lexicon {
        Lexicon::of(&policy::Policy::shipped().unwrap().probe)
    }

    fn groups() -> Groups {
        Groups::of(&["delete remove cancel 삭제", "price cost", "cost fee 요금"].map(str::to_owned))
    }

    #[test]
    fn a_word_is_found_in_any_form() {
        let groups = groups();
        assert_eq!(groups.holding("removed", "remov"), [0]);
        assert_eq!(groups.holding("cost", "cost"), [1, 2]);
        assert_eq!(groups.holding("삭제해줘", "삭제해줘"), [0]);
        assert_eq!(groups.holding("paint", "paint"), [] as [usize; 0]);
    }

    #[test]
    fn what_stands_beside_a_word_is_stemmed_and_each_once() {
        let beside = groups().beside("cost");
        assert_eq!(beside.iter().map(AsRef::as_ref).collect::<Vec<&str>>(), ["fee", "price", "요그"]);
    }

    #[test]
    fn the_shipped_words_tell_asking_to_delete_from_asking_to_get() {
        let lexicon = shipped();
        let [get, drop] = ["show", "remove"].map(|word| lexicon.action(word, &words::stem(word)));
        assert!(get.is_some() && drop.is_some() && get != drop);
        assert!(lexicon.is_light("helpful") && !lexicon.is_light("weather"));
    }
}
