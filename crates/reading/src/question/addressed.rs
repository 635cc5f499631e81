//! A question that says whom it asks.

use std::borrow::Cow;
use std::ops::Range;

use domain::Listing;

use super::Question;
use crate::bind::behind_prepositions;
use crate::form::Entity;
use crate::spans::{Kind, Span, overlaps};
use crate::words::{self, Word, identifier_terms};

/// Characters of a word in a name by which one of a question may be its like.
const BEGINNING_CHARS: usize = 3;

impl Question {
    /// The question without the names that only say who is asked: "on Acme" for a listing called Acme, "desk notes" for one that
    /// [is called so](Self::addresses). What stands right behind that and has letters and digits names a thing of it: "desk note n2".
    #[must_use]
    pub fn asked_of(&self, listing: &Listing) -> Cow<'_, Self> {
        let is_name = |span: &Span| {
            matches!(span.kind, Kind::Name | Kind::Ticker) && words::are_among(&span.text, &listing.name)
        };
        let mut ranges: Vec<_> =
            self.spans.iter().filter(|span| is_name(span)).map(|span| span.range.clone()).collect();
        let called = self.calls(listing);
        ranges.extend(
            called.clone().map(|at| self.words[at.start].range.start..self.words[at.end - 1].range.end),
        );
        if ranges.is_empty() {
            return Cow::Borrowed(self);
        }
        let mut question = self.clone();
        question.spans.retain(|span| !ranges.contains(&span.range));
        question.form.entities.retain(|entity| !ranges.contains(&entity.range));
        for word in &mut question.words {
            word.is_stop |= ranges.iter().any(|range| overlaps(range, &word.range));
        }
        if let Some(word) = called.and_then(|at| self.words.get(at.end)) {
            question.take_identifier(word);
        }
        question.phrases = behind_prepositions(&question);
        Cow::Owned(question)
    }

    /// Whether it says the name of a listing whose methods are not called by any word of it, in small letters or not, so that it can
    /// only mean the listing: "how many desk notes are there" of one whose methods are `lookup` and `stats`. One word is too little.
    #[must_use]
    pub fn addresses(&self, listing: &Listing) -> bool {
        self.calls(listing).is_some()
    }

    /// The words that stand for such a name.
    fn calls(&self, listing: &Listing) -> Option<Range<usize>> {
        // Most names are out of the question by how their words begin.
        let begins = |own: &str| {
            let own = || own.chars().flat_map(char::to_lowercase).take(BEGINNING_CHARS);
            self.words.iter().any(|word| word.lower.chars().take(BEGINNING_CHARS).eq(own()))
        };
        if !listing.name.split(' ').all(begins) {
            return None;
        }
        let name: Vec<Word> = words::words(&listing.name);
        if name.len() < 2 {
            return None;
        }
        let says = |said: &[Word]| said.iter().zip(&name).all(|(word, own)| word.stem == own.stem);
        let at = self.words.windows(name.len()).position(says)?;
        let is_own = |method: &str| {
            identifier_terms(method).iter().any(|term| name.iter().any(|word| word.stem == *term))
        };
        let is_told = listing.methods.iter().any(|method| is_own(method.name.as_str()));
        (!is_told).then_some(at..at + name.len())
    }

    fn take_identifier(&mut self, word: &Word) {
        if !words::is_numbered(&word.lower)
            || self.spans.iter().any(|span| overlaps(&span.range, &word.range))
        {
            return;
        }
        let text = self.text[word.range.clone()].to_owned();
        self.form.entities.push(Entity { text: text.clone(), range: word.range.clone() });
        self.spans.push(Span { kind: Kind::Identifier, text, range: word.range.clone() });
        self.spans.sort_by_key(|span| span.range.start);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::Method;
    use serde_json::json;

    use super::*;

    fn listing(name: &str, method: &str) -> Listing {
        Listing::new(name, vec![Arc::new(Method::new(method, json!({"type": "object"}), None))])
    }

    fn read(text: &str) -> Question {
        Question::read(text, "2026-03-18T14:30:00Z".parse().unwrap())
    }

    #[test]
    fn a_listing_is_called_by_a_name_that_its_methods_have_not() {
        let (binder, rates) = (listing("Ring Binder", "lookup"), listing("Harbour Rates", "get_rate"));
        for text in ["How many pages has the ring binder?", "ring binders", "What does the Ring Binder say?"]
        {
            assert!(read(text).addresses(&binder), "{text}");
        }
        for text in ["a binder", "the binder of the ring", "ring the binder", ""] {
            assert!(!read(text).addresses(&binder), "{text}");
        }
        // What its methods tell of is asked for, whoever tells it.
        assert!(!read("what are the harbour rates").addresses(&rates));
        assert!(!read("binder please").addresses(&listing("Binder", "lookup")));
    }

    #[test]
    fn what_stands_behind_its_name_may_be_an_identifier() {
        let binder = listing("Ring Binder", "lookup");
        let named = |text: &str| -> Vec<String> {
            read(text).asked_of(&binder).form.entities.iter().map(|entity| entity.text.clone()).collect()
        };
        assert_eq!(named("open ring binder p2"), ["p2"]);
        assert!(named("open ring binder 2").is_empty() && named("open p2").is_empty());
        assert_eq!(named("the ring binder from Oslo"), ["Oslo"]);
    }
}
