//! The nearest known term to one that no chunk has.

use std::collections::BTreeMap;

use tantivy::query::FuzzyTermQuery;
use tantivy::schema::Field;
use tantivy::{Searcher, Term};

use crate::Error;

/// The term that is one letter away, or two swapped ones, and stands in the most chunks; the first in the alphabet of equals.
pub(super) fn nearest(searcher: &Searcher, field: Field, term: &str) -> Result<Option<String>, Error> {
    let automaton = FuzzyTermQuery::new(Term::from_field_text(field, term), 1, true).automaton()?;
    let mut found: BTreeMap<String, u32> = BTreeMap::new();
    for segment in searcher.segment_readers() {
        let inverted = segment.inverted_index(field)?;
        let mut known =
            inverted.terms().search(&automaton).into_stream().map_err(tantivy::TantivyError::from)?;
        while known.advance() {
            if let Ok(near) = std::str::from_utf8(known.key()) {
                *found.entry(near.to_owned()).or_default() += known.value().doc_freq;
            }
        }
    }
    let most = found.into_iter().reduce(|best, next| if next.1 > best.1 { next } else { best });
    Ok(most.map(|(term, _)| term))
}
