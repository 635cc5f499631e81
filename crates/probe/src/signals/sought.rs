//! What a look-up finds a thing by.

use std::ops::Range;

use fit::Known;
use reading::spans::overlaps;

use super::{Held, degree};
use crate::subject::{Subject, SubjectWord};

/// Whether what a method's look-up searches for is only a value that a method of another listing takes by name, beside words that
/// the method has itself: the price of "BTC" is not that of a market, though a search takes any word.
pub(crate) fn names_only<'a>(
    searched: &Range<usize>,
    values: &(impl Iterator<Item = &'a Range<usize>> + Clone),
    known: &Known,
    subject: &Subject,
) -> bool {
    let vocabulary = &known.vocabulary;
    let is_value = |word: &SubjectWord| values.clone().any(|value| overlaps(value, &word.range));
    let is_own =
        |word: &SubjectWord| degree(word, &vocabulary.name).max(degree(word, &vocabulary.description)) > 0.0;
    let words = || subject.words.iter().filter(|word| overlaps(searched, &word.range));
    words().any(is_value) && words().all(|word| is_value(word) || is_own(word))
}

/// What a look-up searches for is named by more than the search takes: by the other names of the question, and by the words
/// beside it that no method knows. "Odds for the World Cup winner" asks for no winner of the odds.
pub(crate) fn claim_what_names(held: &mut [Held], searched: &[Vec<Range<usize>>], subject: &Subject) {
    if searched.iter().all(Vec::is_empty) {
        return;
    }
    let is_unknown = |word: &usize| held.iter().all(|held| held.degrees[*word].any() == 0.0);
    let mut unknown: Vec<usize> = (0..subject.words.len()).filter(is_unknown).collect();
    unknown.sort_by_key(|word| subject.words[*word].range.start);
    let is_beside = |one: &Range<usize>, other: &Range<usize>| one.end + 1 == other.start;
    for (held, searched) in held.iter_mut().zip(searched) {
        let Some(mut stretch) = searched.first().cloned() else { continue };
        for word in &unknown {
            let SubjectWord { range, is_sought, .. } = &subject.words[*word];
            let follows = is_beside(&stretch, range);
            if follows {
                stretch.end = range.end;
            }
            held.claimed[*word] |= *is_sought || follows || is_beside(range, &stretch);
        }
    }
}
