//! Where the words of an identifier part, and those that are often written as one.

use crate::standards;

/// The words inside one run: `getUserID` is `get User ID`, `HTTPServer` is `HTTP Server`, `side1` is `side 1`.
pub(super) fn parts(run: &str) -> impl Iterator<Item = &str> {
    let bytes = run.as_bytes();
    let mut start = 0;
    std::iter::from_fn(move || {
        if start >= run.len() {
            return None;
        }
        let end = (start + 1..run.len()).find(|&at| is_seam(bytes, start, at)).unwrap_or(run.len());
        let end = joint(&run[start..end]).map_or(end, |at| start + at);
        let part = &run[start..end];
        start = end;
        Some(part)
    })
}

/// Where two words meet that are as often written as one.
fn joint(part: &str) -> Option<usize> {
    const JOINED: [(&str, &str); 3] = [("net", "flow"), ("order", "book"), ("open", "interest")];
    let joined = JOINED.iter().find_map(|(first, second)| {
        let (head, tail) = part.split_at_checked(first.len())?;
        let is_it = |tail: &str| tail.eq_ignore_ascii_case(second);
        let is_joined = is_it(tail) || tail.strip_suffix(['s', 'S']).is_some_and(is_it);
        (head.eq_ignore_ascii_case(first) && is_joined).then_some(first.len())
    });
    joined.or_else(|| between_currencies(part))
}

/// Where the currencies of a pair meet that is written as one word.
pub(crate) fn between_currencies(word: &str) -> Option<usize> {
    const CODE: usize = 3;
    let is_code = |part: &str| standards::currency(part).is_some_and(|code| code.eq_ignore_ascii_case(part));
    let is_shaped = word.len() == 2 * CODE
        && (word.bytes().all(|byte| byte.is_ascii_uppercase())
            || word.bytes().all(|byte| byte.is_ascii_lowercase()));
    let (base, quote) = word.split_at_checked(CODE).filter(|_| is_shaped)?;
    (is_code(base) && is_code(quote)).then_some(CODE)
}

/// Whether a word of a run ends where a byte stands.
fn is_seam(bytes: &[u8], start: usize, at: usize) -> bool {
    let (before, here) = (bytes[at - 1], bytes[at]);
    let after = bytes.get(at + 1).copied().unwrap_or(b' ');
    if before.is_ascii_lowercase() && here.is_ascii_uppercase() {
        return at - start >= 2;
    }
    if before.is_ascii_uppercase() && here.is_ascii_uppercase() && after.is_ascii_lowercase() {
        return at - start >= 2;
    }
    let letters_before =
        at - start >= 2 && bytes[at - 2].is_ascii_alphabetic() && before.is_ascii_alphabetic();
    // A unit stays with its number: the "24h" of `volume24hUsd`.
    let is_unit = here.is_ascii_lowercase() && after.is_ascii_uppercase();
    let letters_after = here.is_ascii_alphabetic() && after.is_ascii_alphabetic() && !is_unit;
    (letters_before && here.is_ascii_digit()) || (before.is_ascii_digit() && letters_after)
}

#[cfg(test)]
mod tests {
    use crate::words::{identifier_terms, terms};

    #[test]
    fn identifiers_fall_into_their_words() {
        assert_eq!(identifier_terms("getUserID"), ["get", "user", "id"]);
        assert_eq!(identifier_terms("HTTPServer-read_file.v2"), ["http", "server", "read", "file", "v2"]);
        assert_eq!(identifier_terms("side1"), ["side", "1"]);
        assert_eq!(identifier_terms("volume24hUsd"), ["volum", "24h", "usd"]);
        assert_eq!(terms("total netflow, Orderbooks"), ["total", "net", "flow", "order", "book"]);
        assert_eq!(identifier_terms("convert_to_base"), ["convert", "to", "base"]);
    }
}
