//! A text in the pieces that a stream tells it in.

/// A text in pieces of whole words, longer ones than a piece may be broken.
pub(crate) fn pieces(text: &str, chars_max: usize) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut piece = String::new();
    let mut chars = 0;
    for word in text.split_inclusive(char::is_whitespace) {
        if chars > 0 && chars + word.chars().count() > chars_max {
            pieces.push(std::mem::take(&mut piece));
            chars = 0;
        }
        for character in word.chars() {
            if chars == chars_max {
                pieces.push(std::mem::take(&mut piece));
                chars = 0;
            }
            piece.push(character);
            chars += 1;
        }
    }
    if !piece.is_empty() {
        pieces.push(piece);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use proptest::prelude::proptest;

    use super::*;

    #[test]
    fn words_stay_whole_where_they_fit() {
        assert_eq!(pieces("the largest inflows", 8), ["the ", "largest ", "inflows"]);
        assert_eq!(pieces("uninterrupted", 8), ["uninterr", "upted"]);
        assert_eq!(pieces("", 8), Vec::<String>::new());
    }

    proptest! {
        #[test]
        fn pieces_are_the_text(text in ".{0,80}", chars_max in 1_usize..20) {
            let pieces = pieces(&text, chars_max);
            assert_eq!(pieces.concat(), text);
            assert!(pieces.iter().all(|piece| (1..=chars_max).contains(&piece.chars().count())));
        }
    }
}
