//! What a method's name says of its thing, where the question says something else of it.

use crate::subject::{SubjectWord, WordKind};

/// Bytes that the beginnings of two words share that mean the same: "postgres" and "postgresql".
const ALIKE_BYTES: usize = 6;

/// Whether the question tells another kind of what the method is for: the one-way of "a one-way flight" for
/// `search_roundtrip_flights`. `is_foreign` says whether the method neither knows nor takes a word.
pub(super) fn is_another(
    name: &[String],
    is_telling: impl Fn(&str) -> bool,
    words: &[SubjectWord],
    is_foreign: impl Fn(usize) -> bool,
) -> bool {
    let is_alike = |term: &String, stem: &String| {
        let shared = term.bytes().zip(stem.bytes()).take_while(|(one, other)| one == other).count();
        term == stem || shared >= ALIKE_BYTES
    };
    let says = |word: &SubjectWord, stem: &String| word.terms.iter().any(|term| is_alike(term, stem));
    let pairs = name.windows(2).filter(|pair| pair[0] != pair[1] && is_telling(&pair[0]));
    let mut unsaid = pairs.filter(|pair| !words.iter().any(|word| says(word, &pair[0])));
    unsaid.any(|pair| {
        words.windows(2).enumerate().any(|(at, beside)| {
            let is_adjacent = beside[0].range.end + 1 == beside[1].range.start;
            is_adjacent && beside[0].kind != WordKind::Action && says(&beside[1], &pair[1]) && is_foreign(at)
        })
    })
}

/// Whether a word of a name says nothing of what the method is for.
pub(super) fn is_generic(term: &str) -> bool {
    matches!(
        term,
        "tool"
            | "api"
            | "by"
            | "of"
            | "the"
            | "for"
            | "to"
            | "in"
            | "and"
            | "data"
            | "info"
            | "inform"
            | "detail"
            | "v1"
            | "v2"
            | "all"
            | "from"
            | "with"
            | "1"
            | "2"
            | "3"
            | "4"
    )
}

#[cfg(test)]
mod tests {
    use reading::words::identifier_terms;

    use super::*;
    use crate::subject::tests::subject;

    fn tells_another(name: &str, text: &str) -> bool {
        is_another(&identifier_terms(name), |term| !is_generic(term), &subject(text).words, |_| true)
    }

    #[test]
    fn a_kind_that_the_name_does_not_say_is_another_one() {
        assert!(tells_another("round_trip_flights", "a one-way flight to Rome"));
        assert!(tells_another("add_mobile_server", "Add a PostgreSQL server"));
        assert!(!tells_another("add_postgres_server", "Add a PostgreSQL server"));
        assert!(!tells_another("round_trip_flights", "a round trip flight to Rome"));
        assert!(!tells_another("round_trip_flights", "flights to Rome"));
    }
}
