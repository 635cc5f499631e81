//! How what finds things by words stands beside what lists them or tells of one.

use reading::Question;
use reading::bind::Role;
use reading::words::Word;

use crate::evidence::Evidence;
use crate::signals::KIN;
use crate::situation::{SAYS_ALL_MIN, value_of};

impl Evidence {
    /// Whether it knows what a method of another listing leaves over, and what it leaves itself is looked up: "can I bet on
    /// inflation" asks for no sentiment on it.
    pub(crate) fn finds_rest_before(&self, other: &Self) -> bool {
        let left = &other.binding.coverage.left;
        self.is_looked_up()
            && self.fit.coverage >= SAYS_ALL_MIN
            && other.fit.coverage < SAYS_ALL_MIN
            && other.fit.name < SAYS_ALL_MIN
            && !left.is_empty()
            && left.iter().all(|stem| self.known.speaks_of(stem))
            && self.knows_topic()
            && !self.is_of_listing(other)
    }

    /// Whether it finds what another method tells one of, where the question asks for several, or for the first in time of them:
    /// "articles about the fed", "the oldest article about the fed".
    pub(crate) fn finds_them_before(&self, other: &Self, question: &Question) -> bool {
        other.is_looked_up()
            && other.means.contains(&self.candidate.method_ref())
            && self.open.is_empty()
            && (other.tells_one_of_several(question) || self.tells_in_time(&question.form))
    }

    /// Whether the question asks for several of what its name says one of: `get_article` of "articles".
    fn tells_one_of_several(&self, question: &Question) -> bool {
        let name = self.candidate.method.name.as_str().to_lowercase();
        let is_several = |word: &Word| {
            word.has_plural_ending() && self.known.name.contains(&word.stem) && !name.contains(&word.lower)
        };
        question.words.iter().any(is_several)
    }

    /// Whether the question says a word of its name, where another method only finds what it is asked of.
    pub(crate) fn is_found_by(&self, other: &Self) -> bool {
        let is_named = value_of(&self.signals, "best_name") >= KIN;
        let (own, others) = (&self.binding.coverage.left, &other.binding.coverage.left);
        let knows = |it: &Self| value_of(&it.signals, "topic_own");
        let tells_rest = knows(self) > knows(other)
            || others.is_empty() && knows(self) >= knows(other)
            || others.iter().any(|stem| !own.contains(stem));
        value_of(&other.signals, "finder_beside") > 0.0
            && is_named
            && tells_rest
            && self.is_looked_up()
            && self.is_of_listing(other)
    }

    /// Whether it finds things by words, where another method of its listing tells of one that must be known.
    pub(crate) fn finds_before(&self, other: &Self) -> bool {
        self.binding.searches()
            && !other.binding.searches()
            && self.is_of_listing(other)
            && self.knows_topic()
    }

    /// Whether it finds the things that another method lists, or tells of once they are found, and those alone that are about what the
    /// question says: "headlines about the fed", "top events about rain".
    pub(crate) fn finds_those_about(&self, other: &Self, question: &Question) -> bool {
        let left = |it: &Self, word: &Word| it.binding.coverage.left.contains(&word.stem);
        let lists = |it: &Self| it.open.is_empty() && !it.is_looked_up();
        let kind = question.form.dimension.as_ref().and_then(|noun| noun.stems.last());
        let is_asked_for = || kind.is_some_and(|kind| self.known.outline.is_list_of(kind));
        self.finds_before(other)
            && lists(self)
            && question.topic_words().any(|word| left(other, word) && !left(self, word))
            && (lists(other) && self.row_keys().eq(other.row_keys())
                || !other.means.is_empty() && is_asked_for())
    }

    /// Whether it lists, and needs to be told nothing, what another method of its listing finds by words, of which the question says
    /// none: "show the market events".
    pub(crate) fn lists_what_is_found_by(&self, other: &Self) -> bool {
        let lacks_words = matches!(other.open.as_slice(), [open] if open.role == Role::Search);
        lacks_words
            && self.lists_for(other)
            && self.row_keys().next().is_some()
            && self.row_keys().eq(other.row_keys())
    }

    /// What each of its rows tells.
    fn row_keys(&self) -> impl Iterator<Item = &str> {
        self.known.outline.leaves.iter().filter(|leaf| leaf.is_in_rows).map(|leaf| leaf.key.as_str())
    }
}
