//! Words that belong together, by the lines of a policy.

use std::collections::HashMap;
use std::sync::Arc;

/// Words in groups, each found in any form.
#[derive(Debug, Default)]
pub struct Groups {
    /// The groups of a word or a stem, each once and in order.
    places: HashMap<String, Vec<usize>>,
    /// The beginnings of words that carry their particles, with their groups.
    beginnings: Vec<(String, usize)>,
    /// The stems of each group.
    stems: Vec<Vec<Arc<str>>>,
}

impl Groups {
    /// A group a line, its words apart by spaces.
    #[must_use]
    pub fn of(lines: &[String]) -> Self {
        let mut groups = Self { places: HashMap::new(), beginnings: Vec::new(), stems: Vec::new() };
        for (place, line) in lines.iter().enumerate() {
            let mut stems = Vec::new();
            for word in line.split(' ') {
                let stem = super::stem(word).into_owned();
                if word.is_ascii() {
                    groups.add(word, place);
                    groups.add(&stem, place);
                } else {
                    groups.beginnings.push((word.to_owned(), place));
                }
                stems.push(Arc::from(super::term(word)));
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

    /// The first group of a word.
    #[must_use]
    pub fn first(&self, lower: &str, stem: &str) -> Option<usize> {
        self.each(lower, stem).min()
    }

    /// The groups of a word, in order.
    #[must_use]
    pub fn holding(&self, lower: &str, stem: &str) -> Vec<usize> {
        let mut places: Vec<usize> = self.each(lower, stem).collect();
        places.sort_unstable();
        places.dedup();
        places
    }

    /// The groups of a word, one as often as it holds it.
    fn each<'a>(&'a self, lower: &'a str, stem: &'a str) -> impl Iterator<Item = usize> + 'a {
        let of = |word: &str| self.places.get(word).into_iter().flatten().copied();
        let other = Some(stem).filter(|stem| *stem != lower);
        let beginnings = if lower.is_ascii() { [].as_slice() } else { &self.beginnings };
        let begun = beginnings.iter().filter(move |(beginning, _)| lower.starts_with(beginning.as_str()));
        of(lower).chain(other.into_iter().flat_map(of)).chain(begun.map(|(_, place)| *place))
    }

    /// The stems that stand in a group with this one.
    #[must_use]
    pub fn beside(&self, stem: &str) -> Vec<Arc<str>> {
        let places = self.holding(stem, stem);
        let stems = places.iter().flat_map(|place| &self.stems[*place]);
        let own = super::term(stem);
        let mut others: Vec<Arc<str>> = stems.filter(|other| other.as_ref() != own).cloned().collect();
        others.sort_unstable();
        others.dedup();
        others
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups() -> Groups {
        Groups::of(&["delete remove cancel 삭제", "price cost", "cost fee 요금"].map(str::to_owned))
    }

    #[test]
    fn a_word_is_found_in_any_form() {
        let groups = groups();
        assert_eq!(groups.holding("removed", "remov"), [0]);
        assert_eq!((groups.holding("cost", "cost"), groups.first("cost", "cost")), (vec![1, 2], Some(1)));
        assert_eq!(groups.holding("삭제해줘", "삭제해줘"), [0]);
        assert_eq!(groups.holding("paint", "paint"), [] as [usize; 0]);
    }

    #[test]
    fn what_stands_beside_a_word_is_stemmed_and_each_once() {
        let beside = groups().beside("cost");
        assert_eq!(beside.iter().map(AsRef::as_ref).collect::<Vec<&str>>(), ["fee", "price", "요그"]);
    }
}
