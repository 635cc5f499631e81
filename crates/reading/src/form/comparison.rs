//! Questions that hold one thing against another.

use crate::words::Word;

/// Whether a question compares: "compare", "cheaper, A or B", "is A warmer than B". What is more than a number is no comparison.
pub(super) fn is_comparison(words: &[Word], is_bound: impl Fn(&Word) -> bool) -> bool {
    let compares = |word: &Word| {
        matches!(word.stem.as_str(), "compar" | "comparison" | "versus" | "vs" | "differ" | "against")
    };
    let is_other = |word: &Word| word.lower == "or" || word.lower == "than" && !is_bound(word);
    let weighs = || words.iter().any(|word| is_comparative(&word.lower));
    words.iter().any(compares) || weighs() && words.iter().any(is_other)
}

/// Whether a word says which of two things a question is after: "cheaper".
pub(crate) fn is_comparative(lower: &str) -> bool {
    const WORDS: [&str; 15] = [
        "better", "bigger", "cheaper", "colder", "cooler", "faster", "higher", "hotter", "larger", "less",
        "lower", "more", "slower", "smaller", "warmer",
    ];
    WORDS.contains(&lower)
}

/// Whether a question sets one thing against another, be they named or not: "A vs B", but not "now vs a week ago"; "compare the rain in
/// a with that in b".
pub(super) fn sets_against(words: &[Word], is_when: impl Fn(&Word) -> bool) -> bool {
    let against = words.iter().position(|word| matches!(word.lower.as_str(), "versus" | "vs"));
    let behind = against.and_then(|at| words[at + 1..].iter().find(|word| !word.is_article()));
    let is_same_of = |said: &[Word]| {
        let [with, that, of] = [&said[0], &said[1], &said[2]].map(|word| word.lower.as_str());
        matches!(with, "with" | "to" | "against")
            && matches!(that, "that" | "those")
            && matches!(of, "at" | "for" | "in" | "of" | "on")
    };
    let compared = words.iter().position(|word| word.stem == "compar");
    behind.is_some_and(|word| !is_when(word))
        || compared.is_some_and(|at| words[at + 1..].windows(3).any(is_same_of))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::words;

    #[test]
    fn a_comparison_may_name_its_second_side_by_what_is_the_same_of_it() {
        let sets = |text: &str| sets_against(&words(text), |word| word.lower == "now");
        assert!(sets("compare the rain in oslo with that in rome") && sets("oslo vs rome"));
        assert!(!sets("compare the rain with that") && !sets("rain in oslo with that in mind"));
        assert!(!sets("a year ago vs now"));
    }
}
