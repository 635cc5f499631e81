//! Search by words, as the samples do it.

/// Words that stand in every text, and say nothing of what is searched for.
const FILLERS: [&str; 16] =
    ["a", "an", "and", "at", "by", "for", "from", "in", "is", "of", "on", "or", "the", "to", "will", "with"];

/// The words of a query in lower case, fillers left out where it has others.
pub(crate) fn words(query: &str) -> Vec<String> {
    let said: Vec<String> = query.split_whitespace().map(str::to_lowercase).collect();
    let telling: Vec<String> =
        said.iter().filter(|word| !FILLERS.contains(&word.as_str())).cloned().collect();
    if telling.is_empty() { said } else { telling }
}

/// How many of the words of a query begin a word of a text.
pub(crate) fn hits(words: &[String], text: &str) -> usize {
    let text = text.to_lowercase();
    let begins_one = |word: &&String| {
        text.match_indices(word.as_str()).any(|(at, _)| !text[..at].ends_with(char::is_alphanumeric))
    };
    words.iter().filter(begins_one).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fillers_are_left_out_beside_other_words() {
        assert_eq!(words("Odds of a Cut"), ["odds", "cut"]);
        assert_eq!(words("of the"), ["of", "the"]);
        assert!(words(" ").is_empty());
    }

    #[test]
    fn words_are_found_by_their_beginning() {
        let hits = |query: &str| hits(&words(query), "Cuts of 25 basis points, and a world-cup bid");
        assert_eq!((hits("cut"), hits("World Cup points"), hits("asis rid")), (1, 3, 0));
    }
}
