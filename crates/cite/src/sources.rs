//! The sources that an answer may cite.

use std::collections::BTreeMap;

/// The sources of one answer: each has an ordinal, from 1 in the order in which they were added, and an identifier.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    ids: Vec<String>,
    ordinals: BTreeMap<String, usize>,
}

impl Sources {
    /// No sources yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The ordinal of the source with this identifier, which is added where it is not known.
    pub fn add(&mut self, id: impl Into<String>) -> usize {
        let id = id.into();
        if let Some(&ordinal) = self.ordinals.get(&id) {
            return ordinal;
        }
        let ordinal = self.ids.len() + 1;
        self.ids.push(id.clone());
        self.ordinals.insert(id, ordinal);
        ordinal
    }

    /// The identifier of the source with this ordinal.
    #[must_use]
    pub fn id(&self, ordinal: usize) -> Option<&str> {
        self.ids.get(ordinal.checked_sub(1)?).map(String::as_str)
    }

    /// The ordinal of the source with this identifier.
    #[must_use]
    pub fn ordinal(&self, id: &str) -> Option<usize> {
        self.ordinals.get(id).copied()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }
}

impl<T: Into<String>> FromIterator<T> for Sources {
    fn from_iter<I: IntoIterator<Item = T>>(ids: I) -> Self {
        let mut sources = Self::new();
        for id in ids {
            sources.add(id);
        }
        sources
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_has_one_ordinal() {
        let mut sources = Sources::from_iter(["a", "b", "a"]);
        assert_eq!((sources.len(), sources.add("b"), sources.add("c")), (2, 2, 3));
        assert_eq!((sources.id(0), sources.id(3), sources.id(4)), (None, Some("c"), None));
        assert_eq!((sources.ordinal("a"), sources.ordinal("d")), (Some(1), None));
    }
}
