//! What an answer showed, as it was written: the rows of its table, or its single values, each by what it is called.

use reading::words::{self, Word};

/// One thing that was shown: its values, each with the stems of what it is called.
#[derive(Debug, Default)]
pub(crate) struct Thing(Vec<(Vec<String>, String)>);

/// What a written answer shows: each row of its tables, or else its named values as one thing.
pub(crate) fn things(text: &str) -> Vec<Thing> {
    let mut rows = Vec::new();
    let mut header: Option<Vec<Vec<String>>> = None;
    let mut values = Thing::default();
    for line in text.lines().map(str::trim) {
        let Some(cells) = line.strip_prefix('|').and_then(|rest| rest.strip_suffix('|')) else {
            header = None;
            values.0.extend(named_value(line));
            continue;
        };
        let cells: Vec<&str> = cells.split('|').map(str::trim).collect();
        match &header {
            None => header = Some(cells.into_iter().map(words::terms).collect()),
            Some(_) if cells.iter().all(|cell| cell.starts_with("---")) => {}
            Some(names) if names.len() == cells.len() => {
                let cells = cells.into_iter().map(|cell| without_citations(cell).to_owned());
                rows.push(Thing(names.iter().cloned().zip(cells).collect()));
            }
            Some(_) => {}
        }
    }
    if rows.is_empty() && !values.0.is_empty() {
        rows.push(values);
    }
    rows
}

/// "- Event ID: evt-7 [1]" is a value with what it is called.
fn named_value(line: &str) -> Option<(Vec<String>, String)> {
    let (name, value) = line.trim_start_matches("- ").split_once(": ")?;
    let value = without_citations(value.trim_end_matches('.'));
    (!value.is_empty()).then(|| (words::terms(name), value.to_owned()))
}

/// A value without the markers of its sources behind it.
fn without_citations(value: &str) -> &str {
    let mut value = value.trim();
    while let Some((before, marker)) = value.rsplit_once('[')
        && marker.strip_suffix(']').is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
    {
        value = before.trim_end();
    }
    value
}

impl Thing {
    /// Its value by what that is called.
    pub(crate) fn value(&self, stems: &[String]) -> Option<&str> {
        let named = self.0.iter().find(|(name, _)| name == stems);
        named.map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
    }

    /// Whether it is called by what is named by these stems: its first value, but for its rank.
    pub(crate) fn is_called_by(&self, stems: &[String]) -> bool {
        let mut names = self.0.iter().map(|(name, _)| name).filter(|name| **name != ["rank"]);
        names.next().is_some_and(|name| name == stems)
    }

    /// Whether a word is of what it is called: the first of its values that is a name.
    pub(crate) fn is_called(&self, word: &Word) -> bool {
        let is_name = |value: &&String| {
            value.starts_with(char::is_alphabetic) && !value.contains(|sign: char| sign.is_ascii_digit())
        };
        let name = self.0.iter().map(|(_, value)| value).find(is_name);
        name.is_some_and(|name| words::words(name).iter().any(|own| own.stem == word.stem))
    }

    /// Whether one of its values says a word.
    pub(crate) fn says(&self, word: &Word) -> bool {
        let mut values = self.0.iter().map(|(_, value)| value);
        values.any(|value| words::words(value).iter().any(|own| own.stem == word.stem))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stems(name: &str) -> Vec<String> {
        words::terms(name)
    }

    #[test]
    fn the_rows_of_a_table_are_things() {
        let text = "The results list these [1]:\n\n| Outcome | Market ID |\n| --- | --- |\n| Spain | mkt-1 [2] |\n\
                    | France | mkt-2 |\n| cut off\n\nSource: Markets.";
        let things = things(text);
        let ids: Vec<_> = things.iter().filter_map(|thing| thing.value(&stems("market_id"))).collect();
        assert_eq!(ids, ["mkt-1", "mkt-2"]);
        let said = &words::words("france")[0];
        assert!(things[1].says(said) && !things[0].says(said));
        assert!(things[0].is_called_by(&stems("outcome")) && !things[0].is_called_by(&stems("market_id")));
    }

    #[test]
    fn single_values_are_one_thing() {
        let things = things("Market count: 4 [1].\n\n- Event ID: evt-1003 [1]\n- Title: A rate [1]");
        assert_eq!(things.len(), 1);
        assert_eq!(things[0].value(&stems("event_id")), Some("evt-1003"));
        assert_eq!(things[0].value(&stems("marketCount")), Some("4"));
        assert!(things[0].is_called(&words::words("rate")[0]));
        assert!(super::things("Nothing to see here.").is_empty());
    }
}
