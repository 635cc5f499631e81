//! Documents that hold words as they stand.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use reading::words;

use crate::library::blocking;
use crate::{Error, Library, Scope};

/// A document that holds words as they stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiteralMatch {
    /// The document.
    pub document_id: String,
    /// Its title.
    pub document_title: String,
    /// Its collection.
    pub collection_id: String,
    /// The first chunk that holds them; none where the title does.
    pub chunk_id: Option<String>,
    /// The words with what stands around them.
    pub highlight: String,
}

impl Library {
    /// The documents of a scope that hold words as they stand, letters of either case and any white space alike: those first
    /// whose titles do.
    pub async fn literal(
        &self,
        scope: &Scope,
        wanted: &str,
        limit: usize,
    ) -> Result<Vec<LiteralMatch>, Error> {
        let search = &self.policy.search;
        if wanted.chars().count() > search.query_chars_max {
            return Err(Error::TooLarge { what: "search.query_chars_max", most: search.query_chars_max });
        }
        let around = self.policy.find.highlight_chars;
        let mut known = BTreeSet::new();
        let mut matches = Vec::new();
        for document in self.store.documents_titled(scope.caller(), wanted, search.candidates_max).await? {
            let is_in_scope = scope.allows_document(&document.document_id, &document.collection_id);
            let range = found(&document.title, wanted).filter(|_| is_in_scope);
            if let Some(range) = range.filter(|_| known.insert(document.document_id.clone())) {
                matches.push(LiteralMatch {
                    highlight: highlight(&document.title, range, around),
                    document_id: document.document_id,
                    document_title: document.title,
                    collection_id: document.collection_id,
                    chunk_id: None,
                });
            }
        }
        let terms: Vec<String> =
            words::terms(wanted).into_iter().collect::<BTreeSet<_>>().into_iter().collect();
        let (index, within, most) = (Arc::clone(&self.index), scope.clone(), search.literal_candidates_max);
        let numbers = blocking(move || index.holding(&terms, &within, most)).await?;
        for chunk in self.store.chunks_by_number(&numbers).await? {
            let range = found(&chunk.content, wanted).filter(|_| scope.allows(&chunk));
            if let Some(range) = range.filter(|_| known.insert(chunk.document_id.clone())) {
                matches.push(LiteralMatch {
                    highlight: highlight(&chunk.content, range, around),
                    document_id: chunk.document_id,
                    document_title: chunk.document_title,
                    collection_id: chunk.collection_id,
                    chunk_id: Some(chunk.chunk_id),
                });
            }
        }
        matches.truncate(limit);
        Ok(matches)
    }
}

/// Where a text first holds words as they stand.
fn found(text: &str, wanted: &str) -> Option<Range<usize>> {
    let wanted: Vec<char> = folded(wanted.trim()).collect();
    let mut starts = text.char_indices().map(|(at, _)| at);
    starts.find_map(|start| Some(start..start + held(&text[start..], &wanted)?))
}

/// How many bytes of a text's beginning are the wanted words.
fn held(text: &str, wanted: &[char]) -> Option<usize> {
    let mut left = wanted;
    let mut after_space = false;
    for (at, character) in text.char_indices() {
        if left.is_empty() {
            return Some(at);
        }
        let is_space = character.is_whitespace();
        if is_space && after_space {
            continue;
        }
        after_space = is_space;
        for own in folded(character.encode_utf8(&mut [0; 4])) {
            left = left.strip_prefix(&[own])?;
        }
    }
    left.is_empty().then_some(text.len())
}

/// Letters in lower case, runs of white space as one space.
fn folded(text: &str) -> impl Iterator<Item = char> {
    let mut after_space = false;
    text.chars()
        .filter_map(move |character| {
            let is_space = character.is_whitespace();
            let is_repeated = is_space && after_space;
            after_space = is_space;
            (!is_repeated).then_some(if is_space { ' ' } else { character })
        })
        .flat_map(char::to_lowercase)
}

/// The range with so many characters on each side.
fn highlight(text: &str, range: Range<usize>, around: usize) -> String {
    let start =
        text[..range.start].char_indices().rev().take(around).last().map_or(range.start, |(at, _)| at);
    let end = text[range.end..].char_indices().nth(around).map_or(text.len(), |(at, _)| range.end + at);
    let (before, after) = (if start > 0 { "..." } else { "" }, if end < text.len() { "..." } else { "" });
    format!("{before}{}{after}", &text[start..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_as_they_stand() {
        let text = "The Session\n  expires after 30 minutes.";
        assert_eq!(found(text, "session expires"), Some(4..21));
        assert_eq!(found(text, "session expire after"), None);
        assert_eq!(found("Straße", "STRASSE"), None);
        assert_eq!(found("ÄÖ", "äö"), Some(0..4));
        assert_eq!(found("", "a"), None);
    }

    #[test]
    fn a_highlight_ends_at_characters() {
        assert_eq!(highlight("äöü needle äöü", 7..13, 2), "...ü needle ä...");
        assert_eq!(highlight("needle", 0..6, 5), "needle");
    }
}
