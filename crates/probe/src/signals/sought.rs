//! What a look-up finds a thing by.

use std::ops::Range;

use super::Held;
use crate::subject::{Subject, SubjectWord};

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
