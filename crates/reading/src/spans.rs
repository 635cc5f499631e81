//! Typed spans of a question: what it quotes, names, counts and points at.

use std::ops::Range;

use crate::time::Moment;
use crate::words::Word;

mod name;
mod number;
pub(crate) mod numeral;
mod quote;
mod token;

pub(crate) use name::is_instruction;
pub(crate) use number::glued_multiplier;

/// A stretch of the question that can be a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Span {
    /// Where it stands, in bytes, quotation marks included.
    pub range: Range<usize>,
    /// The value as written, without quotation marks.
    pub text: String,
    /// What kind of value it looks like.
    pub kind: Kind,
}

/// What kind of value a span looks like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// In quotation marks.
    Quoted,
    /// In backticks.
    Code,
    /// A URL.
    Url,
    /// An e-mail address.
    Email,
    /// A path of a file system.
    Path,
    /// A file's name.
    File,
    /// A UUID.
    Uuid,
    /// A token that nobody types as a word: letters with digits, underscores, long hex.
    Identifier,
    /// Two symbols with a slash or a hyphen: `BTC/USDT`.
    Pair,
    /// Two to six capitals.
    Ticker,
    /// Capitalised words, or a place in lower case.
    Name,
    /// A number.
    Number(Amount),
}

/// A number as written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Amount {
    /// Its value, multipliers such as `k` and "million" applied; a percentage is as written.
    pub value: f64,
    /// Whether it is written with a percent sign or the word.
    pub is_percent: bool,
    /// The ISO 4217 code of a currency sign or name beside it.
    pub currency: Option<&'static str>,
}

/// The spans of a text, in order of their start. Spans of different kinds may lie within each other.
#[must_use]
pub fn spans(text: &str, words: &[Word], moments: &[Moment]) -> Vec<Span> {
    let mut spans = quote::quoted(text);
    let quotes: Vec<Range<usize>> = spans.iter().map(|span| span.range.clone()).collect();
    let is_free = |range: &Range<usize>| !quotes.iter().any(|quote| overlaps(quote, range));
    let tokens: Vec<Span> = token::tokens(text).into_iter().filter(|span| is_free(&span.range)).collect();
    let taken: Vec<Range<usize>> = tokens
        .iter()
        .filter(|span| !matches!(span.kind, Kind::Ticker))
        .map(|span| span.range.clone())
        .chain(moments.iter().map(|moment| moment.range.clone()))
        .collect();
    let is_loose =
        |span: &Span| is_free(&span.range) && !taken.iter().any(|range| overlaps(range, &span.range));
    spans.extend(number::numbers(text, words).into_iter().filter(is_loose));
    spans.extend(name::names(text, words).into_iter().filter(is_loose));
    spans.extend(
        tokens.into_iter().filter(|span| !moments.iter().any(|moment| overlaps(&moment.range, &span.range))),
    );
    spans.sort_by_key(|span| (span.range.start, span.range.end));
    spans
}

/// Whether two stretches of a text share some of it.
#[must_use]
pub fn overlaps(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::moments;
    use crate::words::words;
    use proptest::prelude::*;

    fn read(text: &str) -> Vec<String> {
        let words = words(text);
        let moments = moments(text, &words, "2026-03-18T14:30:00Z".parse().unwrap());
        spans(text, &words, &moments)
            .into_iter()
            .map(|span| {
                let Kind::Number(amount) = span.kind else { return format!("{}:{:?}", span.text, span.kind) };
                format!("{}={}", span.text, amount.value)
            })
            .collect()
    }

    #[test]
    fn what_is_written_stands_out() {
        assert_eq!(read("Find \"The Matrix\" and `let x`"), ["The Matrix:Quoted", "let x:Code"]);
        assert_eq!(read("don't read the dog's bowl"), Vec::<String>::new());
        assert_eq!(read("open https://a.org/x?y=1, please"), ["https://a.org/x?y=1:Url"]);
        assert_eq!(read("files in /var/log/app and notes.txt"), ["/var/log/app:Path", "notes.txt:File"]);
        assert_eq!(read("mail bob@example.com"), ["bob@example.com:Email"]);
        assert_eq!(
            read("bob@example.com으로 '새 소식'이라는 제목"),
            ["bob@example.com:Email", "새 소식:Quoted"]
        );
        assert_eq!(read("call 555-010-4477 on 2026-04-01"), ["555-010-4477:Identifier"]);
        assert_eq!(read("order A-1029 of user_77"), ["A-1029:Identifier", "user_77:Identifier"]);
        assert_eq!(
            read("id 123e4567-e89b-12d3-a456-426614174000"),
            ["123e4567-e89b-12d3-a456-426614174000:Uuid"]
        );
    }

    #[test]
    fn names_tickers_and_pairs() {
        assert_eq!(read("What is the weather in New York and Rome?"), ["New York:Name", "Rome:Name"]);
        assert_eq!(read("Compare BTC with ETH on BTC/USDT"), ["BTC:Ticker", "ETH:Ticker", "BTC/USDT:Pair"]);
        assert_eq!(read("btc and ethereum inflows"), ["btc:Name", "ethereum:Name"]);
        assert_eq!(read("notes on bitcoin and the ripple that ether made"), Vec::<String>::new());
        assert_eq!(read("GBPUSD and BTCUSD"), ["GBPUSD:Pair", "BTCUSD:Ticker"]);
        assert_eq!(read("Find the Bank of England rate"), ["Bank of England:Name"]);
        assert_eq!(read("Backtest the carry. Reprice my order"), Vec::<String>::new());
        assert_eq!(read("Weather in Rome. Rome next week"), ["Rome:Name", "Rome:Name"]);
        assert_eq!(read("temperature dubai, then new york city"), ["dubai:Name", "new york city:Name"]);
        assert_eq!(read("Something is odd at Rome. Under which rules?"), ["Rome:Name"]);
        assert_eq!(read("a nice turkey from the west"), Vec::<String>::new());
        assert_eq!(read("It is Gate 34. However, it is shut"), ["Gate 34:Name", "34=34"]);
        assert_eq!(read("the talk of Dr. Smith"), ["Dr. Smith:Name"]);
        assert_eq!(read("SEK 48,900 in Swiss francs"), ["SEK:Ticker", "48,900=48900", "Swiss francs:Name"]);
    }

    #[test]
    fn numbers_with_their_dress() {
        assert_eq!(read("pay $1,250.50 at 3% for 5 years"), ["$1,250.50=1250.5", "3%=3", "5=5"]);
        assert_eq!(read("above 2.5k and 3 million and -25"), ["2.5k=2500", "3 million=3000000", "-25=-25"]);
        assert_eq!(read("top five in the last 24 hours"), ["five=5"]);
        assert_eq!(read("200 dollars"), ["200 dollars=200"]);
    }

    proptest! {
        #[test]
        fn spans_stand_on_character_boundaries(text in "\\PC*") {
            let words = words(&text);
            for span in spans(&text, &words, &[]) {
                prop_assert!(text.get(span.range).is_some());
            }
        }
    }
}
