//! No address that is in no source, and nothing that a page would load by itself: the ways out for what an injected
//! instruction wants sent.

use crate::report::FallbackReason;

/// The texts whose addresses may be said.
pub(crate) struct Screen {
    known: String,
}

impl Screen {
    /// Addresses that stand in these texts may be said.
    pub(crate) fn over(known: impl IntoIterator<Item = String>) -> Self {
        Self { known: known.into_iter().collect::<Vec<_>>().join("\n") }
    }

    /// Whether a text may be said.
    pub(crate) fn check(&self, text: &str) -> Result<(), FallbackReason> {
        let lower = text.to_ascii_lowercase();
        if let Some(found) = LOADED.iter().find(|mark| lower.contains(*mark)) {
            return Err(FallbackReason::Unusable(format!("it holds `{found}`, which a page would load")));
        }
        if addresses(text, &lower).any(|address| !self.known.contains(address)) {
            return Err(FallbackReason::Unusable("it names an address that is in no source".to_owned()));
        }
        Ok(())
    }
}

/// What a page loads or runs by itself.
const LOADED: [&str; 9] =
    ["![", "<img", "<script", "<iframe", "<svg", "<style", "<object", "<embed", "<form"];

/// How an address begins.
const STARTS: [&str; 6] = ["http://", "https://", "www.", "javascript:", "data:", "]("];

/// Every address of a text, up to where it ends in running text or in a link.
fn addresses<'a>(text: &'a str, lower: &'a str) -> impl Iterator<Item = &'a str> {
    let starts = STARTS.into_iter().flat_map(move |start| {
        lower.match_indices(start).map(move |(at, _)| if start == "](" { at + start.len() } else { at })
    });
    starts.map(|at| {
        let ends = |character: char| {
            character.is_whitespace() || matches!(character, ')' | ']' | '>' | '"' | '|' | '`')
        };
        let rest = &text[at..];
        let address = &rest[..rest.find(ends).unwrap_or(rest.len())];
        address.trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', '*', '_'])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_addresses_pass() {
        let screen = Screen::over(["{\"url\": \"https://example.com/a?b=1\"}".to_owned()]);
        let passes = [
            "Up 3 % [1].",
            "See <https://example.com/a?b=1>, [1].",
            "[the page](https://example.com/a?b=1).",
            "| a | b |\n|---|---|\n| x < y | [2] |",
            "",
        ];
        for text in passes {
            assert_eq!(screen.check(text), Ok(()), "{text}");
        }
        let refused = [
            "See https://example.com/other.",
            "[the page](//evil.example/x)",
            "HTTPS://EVIL.EXAMPLE",
            "www.evil.example",
            "[x](javascript:alert(1))",
            "![](https://example.com/a?b=1)",
            "<IMG src=x>",
        ];
        for text in refused {
            assert!(screen.check(text).is_err(), "{text}");
        }
    }
}
