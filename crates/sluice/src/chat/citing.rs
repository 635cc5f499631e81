//! Citations, last of all: which source each line of an answer rests on, by number, and no number that leads nowhere.
//!
//! A writer that cites is taken at its word as far as the sources go. Where nothing is cited, a line cites the sources of the
//! rows of evidence whose values it gives.

use cite::{Sources, Style};
use contract::evidence::{SourceRef, View};
use contract::result::QueryResult;

/// A text with what it cites, in pieces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cited {
    pub(crate) pieces: Vec<Piece>,
    /// Markers that led nowhere and were left out.
    pub(crate) dropped: u64,
}

/// Some words of a text, and the ids of the sources that they cite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) text: String,
    pub(crate) cites: Vec<String>,
}

/// Sources that one line cites at the most.
const CITED_BY_A_LINE: usize = 3;

/// Digits that a value has at least for its number to tell it from others.
const TELLING_DIGITS: usize = 3;

/// Letters that a unit written onto a number has at the most.
const UNIT_LETTERS: usize = 3;

/// The text of a result with what it cites, in pieces of whole words.
pub(crate) fn cited(result: &QueryResult, hold_bytes_max: usize, piece_chars_max: usize) -> Cited {
    let none = Vec::new();
    let refs = result.evidence.as_ref().map_or(&none, |evidence| &evidence.source_refs);
    let sources: Sources = refs.iter().map(|source| source.id.clone()).collect();
    let read = |text: &str| cite::cite(text, &sources, Style::Numbers, hold_bytes_max);
    let mut cited = read(&result.response);
    if cited.placed.is_empty() {
        let dropped = cited.dropped;
        let marked = result.view.as_ref().map(|view| marked(&cited.text, view, refs));
        cited = read(&marked.unwrap_or_else(|| cited.text.clone()));
        cited.dropped.unknown += dropped.unknown;
    }
    let mut pieces = Vec::new();
    let mut start = 0;
    for text in words(&cited.text, piece_chars_max) {
        let end = start + text.len();
        let here = cited.placed.iter().filter(|placed| (start..end).contains(&placed.range.start));
        let ids = here.filter_map(|placed| sources.id(placed.ordinal).map(str::to_owned)).collect();
        pieces.push(Piece { text, cites: ids });
        start = end;
    }
    Cited { pieces, dropped: u64::try_from(cited.dropped.unknown).unwrap_or(u64::MAX) }
}

/// The text with a marker on each line that gives values of the evidence.
fn marked(text: &str, view: &View, refs: &[SourceRef]) -> String {
    let rows: Vec<Row> =
        view.rows.iter().map(|row| Row::of(&row.cells, ordinals(&row.source_ref_ids, refs))).collect();
    let mut in_fence = false;
    let (mut has_any, mut first_prose) = (false, None);
    let mut lines = Vec::new();
    for line in text.split('\n') {
        let turns = line.trim_start().starts_with("```");
        in_fence ^= turns;
        let cites = if in_fence || turns { Vec::new() } else { cites(line, &rows) };
        has_any |= !cites.is_empty();
        if first_prose.is_none() && !in_fence && is_prose(line) {
            first_prose = Some(lines.len());
        }
        lines.push(with_markers(line, &cites));
    }
    if let (false, [_], Some(at)) = (has_any, refs, first_prose) {
        lines[at] = with_markers(&lines[at], &[1]);
    }
    lines.join("\n")
}

/// What tells a row of evidence from others: its numbers, and its words where it has none.
struct Row {
    numbers: Vec<String>,
    words: Vec<String>,
    sources: Vec<usize>,
}

impl Row {
    fn of(cells: &[String], sources: Vec<usize>) -> Self {
        let numbers = cells.iter().filter_map(|cell| number(cell)).filter(|it| it.len() >= TELLING_DIGITS);
        let words = cells.iter().filter(|cell| number(cell).is_none()).map(|cell| cell.trim().to_lowercase());
        Self {
            numbers: numbers.collect(),
            words: words.filter(|word| word.chars().count() >= TELLING_DIGITS).collect(),
            sources,
        }
    }

    fn is_given_in(&self, numbers: &[String], line: &str) -> bool {
        if self.numbers.is_empty() {
            return self.words.iter().any(|word| line.contains(word));
        }
        self.numbers.iter().any(|number| numbers.contains(number))
    }
}

fn cites(line: &str, rows: &[Row]) -> Vec<usize> {
    let numbers: Vec<String> =
        line.split(|sign: char| sign.is_whitespace() || sign == '|').filter_map(number).collect();
    let lower = line.to_lowercase();
    let mut cites = Vec::new();
    for row in rows.iter().filter(|row| row.is_given_in(&numbers, &lower)) {
        for source in &row.sources {
            if !cites.contains(source) && cites.len() < CITED_BY_A_LINE {
                cites.push(*source);
            }
        }
    }
    cites
}

/// The digits of a word that is a number, however it is written.
fn number(word: &str) -> Option<String> {
    let bare = word.trim().trim_matches(|sign: char| !sign.is_ascii_digit());
    let is_number = |sign: char| sign.is_ascii_digit() || matches!(sign, ',' | '.');
    let is_named = word.chars().take_while(|sign| !sign.is_ascii_digit()).any(char::is_alphabetic);
    let is_word = word.chars().filter(|sign| sign.is_alphabetic()).count() > UNIT_LETTERS;
    if bare.is_empty() || is_named || is_word || !bare.chars().all(is_number) {
        return None;
    }
    Some(bare.replace(',', ""))
}

fn ordinals(ids: &[String], refs: &[SourceRef]) -> Vec<usize> {
    ids.iter()
        .filter_map(|id| refs.iter().position(|source| source.id == *id))
        .map(|place| place + 1)
        .collect()
}

/// The line with its markers where they belong: in the last cell of a row, before the full stop of a sentence.
fn with_markers(line: &str, cites: &[usize]) -> String {
    if cites.is_empty() {
        return line.to_owned();
    }
    let markers: Vec<String> = cites.iter().map(|ordinal| format!("[{ordinal}]")).collect();
    let markers = markers.concat();
    let end = line.trim_end();
    let (before, after) = match end.chars().next_back() {
        Some(last @ ('|' | '.' | '!' | '?')) => end.split_at(end.len() - last.len_utf8()),
        _ => (end, ""),
    };
    let space = if after == "|" { " " } else { "" };
    format!("{} {markers}{space}{after}", before.trim_end())
}

fn is_prose(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && !line.starts_with(['|', '#', '`'])
}

/// A text in pieces of whole words; a longer word is a piece of its own.
fn words(text: &str, chars_max: usize) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut piece = String::new();
    let mut chars = 0;
    for word in text.split_inclusive(char::is_whitespace) {
        let more = word.chars().count();
        if chars > 0 && chars + more > chars_max {
            pieces.push(std::mem::take(&mut piece));
            chars = 0;
        }
        piece.push_str(word);
        chars += more;
    }
    if !piece.is_empty() {
        pieces.push(piece);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use contract::evidence::{Evidence, ViewKind, ViewRow};
    use contract::result::Cost;
    use proptest::prelude::proptest;

    use super::*;

    fn result(text: &str, rows: &[(&[&str], &str)], sources: &[&str]) -> QueryResult {
        let mut result = QueryResult::answer(text.to_owned(), Vec::new(), Cost::zero(), 1);
        let source = |id: &&str| SourceRef { id: (*id).to_owned(), ..SourceRef::default() };
        result.evidence =
            Some(Evidence { source_refs: sources.iter().map(source).collect(), ..Evidence::default() });
        let row = |(cells, source): &(&[&str], &str)| ViewRow {
            key: "row".to_owned(),
            cells: cells.iter().map(|&cell| cell.to_owned()).collect(),
            tone: None,
            source_ref_ids: vec![(*source).to_owned()],
        };
        result.view = Some(View {
            kind: ViewKind::Table,
            label: String::new(),
            title: None,
            metrics: Vec::new(),
            columns: Vec::new(),
            rows: rows.iter().map(row).collect(),
        });
        result
    }

    fn text(cited: &Cited) -> String {
        cited.pieces.iter().map(|piece| piece.text.as_str()).collect()
    }

    #[test]
    fn a_line_cites_the_rows_whose_values_it_gives() {
        let answer = "Alpha is first: $875,428,979.\n\n| Rank | Name | Flow |\n| --- | --- | --- |\n| 1 | alpha | $875,428,979 |\n| 2 | beta | $627,214,965 |\n\nThis is sample data.";
        let rows: [(&[&str], &str); 2] =
            [(&["1", "alpha", "875428979"], "source-2"), (&["2", "beta", "627214965"], "source-1")];
        let cited = cited(&result(answer, &rows, &["source-1", "source-2"]), 200, 20);
        let due = "Alpha is first: $875,428,979 [1].\n\n| Rank | Name | Flow |\n| --- | --- | --- |\n| 1 | alpha | $875,428,979 [1] |\n| 2 | beta | $627,214,965 [2] |\n\nThis is sample data.";
        assert_eq!(text(&cited), due);
        let order: Vec<&String> = cited.pieces.iter().flat_map(|piece| &piece.cites).collect();
        assert_eq!(order, ["source-2", "source-2", "source-1"]);
    }

    #[test]
    fn a_writer_that_cites_is_taken_at_its_word() {
        let rows: [(&[&str], &str); 1] = [(&["875428979"], "source-1")];
        let cited =
            cited(&result("It is 875428979 [2]. Or not [9].", &rows, &["source-1", "source-2"]), 200, 80);
        assert_eq!((text(&cited).as_str(), cited.dropped), ("It is 875428979 [1]. Or not.", 1));
        assert_eq!(cited.pieces[0].cites, ["source-2"]);
    }

    #[test]
    fn one_source_is_cited_once_where_nothing_else_is() {
        let answer = "```\ncode 123456\n```\nIt is raining";
        let one = cited(&result(answer, &[(&["123456"], "source-1")], &["source-1"]), 200, 80);
        assert_eq!(text(&one), "```\ncode 123456\n```\nIt is raining [1]");
        let none = cited(&result("Hello.", &[], &[]), 200, 80);
        assert_eq!((text(&none).as_str(), none.dropped), ("Hello.", 0));
    }

    #[test]
    fn numbers_are_read_as_they_are_written() {
        for (word, due) in [
            ("$1,725.34", Some("1725.34")),
            ("-42%", Some("42")),
            ("(2024)", Some("2024")),
            ("mkt-1001", None),
            ("", None),
        ] {
            assert_eq!(number(word).as_deref(), due, "{word}");
        }
    }

    proptest! {
        #[test]
        fn nothing_but_markers_is_added(answer in "[a-z0-9.,|\n ]{0,120}", cell in "[0-9]{3,5}") {
            let rows: [(&[&str], &str); 1] = [(&[cell.as_str()], "source-1")];
            let cited = cited(&result(&answer, &rows, &["source-1"]), 200, 30);
            let squeezed = |text: &str| text.replace("[1]", "").replace(' ', "").trim().to_owned();
            assert_eq!(squeezed(&text(&cited)), squeezed(&answer));
        }
    }
}
