//! Tables for a terminal.

use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{ContentArrangement, Table};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// An empty table in the form that all have.
pub(crate) fn table() -> Table {
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED).set_content_arrangement(ContentArrangement::Dynamic);
    table
}

/// Draws the tables of a Markdown text; everything else stays as it is written. Also says whether there were any.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "every other event is within a cell, or stays as it is written"
)]
pub(crate) fn with_tables(markdown: &str) -> (String, bool) {
    let mut drawn = String::with_capacity(markdown.len());
    let mut told = 0;
    let mut cells: Vec<String> = Vec::new();
    let mut rows = table();
    for (event, range) in Parser::new_ext(markdown, Options::ENABLE_TABLES).into_offset_iter() {
        match event {
            Event::Start(Tag::Table(_)) => {
                drawn.push_str(&markdown[told..range.start]);
                told = range.end;
                rows = table();
            }
            Event::Start(Tag::TableCell) => cells.push(String::new()),
            Event::Text(text) | Event::Code(text) if range.end <= told => {
                cells.last_mut().into_iter().for_each(|cell| cell.push_str(&text));
            }
            Event::End(TagEnd::TableHead) => {
                rows.set_header(cells.drain(..));
            }
            Event::End(TagEnd::TableRow) => {
                rows.add_row(cells.drain(..));
            }
            Event::End(TagEnd::Table) => {
                drawn.push_str(&rows.to_string());
                drawn.push('\n');
            }
            _ => {}
        }
    }
    drawn.push_str(&markdown[told..]);
    (drawn, told > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_drawn_where_it_stands() {
        let (text, has_table) =
            with_tables("Two:\n\n| A | B |\n| --- | --- |\n| x\\|y | `1` [1] |\n\nThe *end*.");
        assert!(has_table);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!((lines[0], *lines.last().unwrap()), ("Two:", "The *end*."), "{text}");
        assert!(lines.iter().any(|line| line.contains("x|y ┆ 1 [1]")), "{text}");
        assert!(!text.contains("---"), "{text}");
    }

    #[test]
    fn a_text_without_one_stays_as_it_is() {
        let text = "A | B\n\n- one [1]\n";
        assert_eq!(with_tables(text), (text.to_owned(), false));
    }
}
