//! The layout of the facts: a small table, a short list, the sources.

use domain::{Fact, SourceRef, View, ViewRow};
use policy::AnswerLimits;

use super::figure::{self, Dress};

/// The view as a Markdown table, with as many rows as are asked for or else the first few.
pub(super) fn table(view: &View, asked: Option<usize>, limits: &AnswerLimits) -> Option<String> {
    let rows_max = limits.rows_max.max(asked.unwrap_or_default());
    let columns: Vec<&String> = view.columns.iter().take(limits.columns_max).collect();
    if columns.is_empty() || view.rows.is_empty() {
        return None;
    }
    let line = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
    let mut lines = vec![line(columns.iter().map(|column| escaped(column)).collect())];
    lines.push(line(columns.iter().map(|_| "---".to_owned()).collect()));
    let dresses: Vec<Dress> = columns.iter().map(|column| Dress::of(column)).collect();
    for row in view.rows.iter().take(rows_max) {
        let cells = dresses.iter().zip(&row.cells).map(|(dress, cell)| escaped(&dress.cell(cell)));
        lines.push(line(cells.collect()));
    }
    if view.rows.len() > rows_max {
        return Some(format!("{}\n\nMore rows are in the evidence.", lines.join("\n")));
    }
    Some(lines.join("\n"))
}

/// The marker of the source that a fact was read from, with the space before it; nothing where it has none.
pub(super) fn marker(sources: &[SourceRef], fact: &Fact) -> String {
    let place = sources.iter().position(|source| Some(&source.id) == fact.source.as_ref());
    place.map_or_else(String::new, |place| format!(" [{}]", place + 1))
}

/// The markers of the sources that rows were read from, each once, with a space before them.
pub(super) fn markers<'a>(
    sources: &[SourceRef],
    rows: impl Iterator<Item = &'a ViewRow>,
    cited_max: usize,
) -> String {
    let mut places = Vec::new();
    for id in rows.flat_map(|row| &row.sources) {
        let place = sources.iter().position(|source| source.id == *id);
        if let Some(place) = place.filter(|place| !places.contains(place) && places.len() < cited_max) {
            places.push(place);
        }
    }
    let markers: Vec<String> = places.into_iter().map(|place| format!("[{}]", place + 1)).collect();
    if markers.is_empty() { String::new() } else { format!(" {}", markers.concat()) }
}

/// The facts as a list, the one that the lead said left out.
pub(super) fn list(facts: &[Fact], said: Option<usize>, sources: &[SourceRef]) -> Option<String> {
    let lines: Vec<String> = facts
        .iter()
        .enumerate()
        .filter(|(at, _)| Some(*at) != said)
        .map(|(_, fact)| format!("- {}{}", figure::labelled(&fact.label, &fact.value), marker(sources, fact)))
        .collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// The lines of a text, as they stand.
pub(super) fn lines(facts: &[Fact]) -> String {
    let lines: Vec<&str> = facts.iter().filter_map(|fact| fact.value.as_str()).collect();
    let longest = lines.iter().map(|line| line.chars().take_while(|sign| *sign == '`').count()).max();
    let fence = "`".repeat(longest.unwrap_or(0).max(2) + 1);
    format!("{fence}\n{}\n{fence}", lines.join("\n"))
}

/// Where the facts come from, each method once.
pub(super) fn sources(sources: &[SourceRef]) -> Option<String> {
    let mut names: Vec<String> = Vec::new();
    for source in sources {
        let name = format!("{} (`{}`)", source.provider, source.dataset);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let word = if names.len() == 1 { "Source" } else { "Sources" };
    (!names.is_empty()).then(|| format!("{word}: {}.", names.join(", ")))
}

/// A text as a sentence: a capital and a full stop.
pub(super) fn sentence(text: &str) -> String {
    let text = figure::clean(text);
    let mut characters = text.chars();
    let capital = characters.next().map(|first| first.to_uppercase().collect::<String>()).unwrap_or_default();
    let stop = if text.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{capital}{}{stop}", characters.as_str())
}

fn escaped(cell: &str) -> String {
    figure::clean(cell).replace('|', "\\|")
}
