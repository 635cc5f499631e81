//! Text with named slots.

use std::fmt::Write;

/// A place in a template that a value goes into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Its name, as in `{{name}}`.
    pub name: &'static str,
    /// What its values are.
    pub kind: SlotKind,
}

/// What the values of a slot are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotKind {
    /// Our own words and numbers.
    Plain,
    /// Words of others: questions, descriptions, results. They go in as fenced data.
    Data,
}

/// Text with named slots, each of which is known to have a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Slot(Slot),
}

const OPEN: &str = "{{";
const CLOSE: &str = "}}";

impl Template {
    /// Parses a text that has these slots, each at least once, and no others.
    pub(crate) fn parse(text: &str, slots: &[Slot]) -> Result<Self, String> {
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once(OPEN) {
            let line = 1 + text[..text.len() - after.len()].matches('\n').count();
            let (name, behind) =
                after.split_once(CLOSE).ok_or_else(|| format!("line {line}: `{OPEN}` is not closed"))?;
            let name = name.trim();
            let Some(slot) = slots.iter().find(|slot| slot.name == name) else {
                return Err(format!("line {line}: there is no slot `{name}` here; {}", listed(slots)));
            };
            pieces.push(Piece::Text(before.to_owned()));
            pieces.push(Piece::Slot(*slot));
            rest = behind;
        }
        pieces.push(Piece::Text(rest.trim_end().to_owned()));
        if let Some(slot) = slots.iter().find(|slot| !pieces.contains(&Piece::Slot(**slot))) {
            return Err(format!("the slot `{}` is missing", slot.name));
        }
        if pieces.iter().all(|piece| matches!(piece, Piece::Text(text) if text.trim().is_empty())) {
            return Err("is empty".to_owned());
        }
        Ok(Self { pieces })
    }

    /// The text with a value in each slot. Values are not looked into: what looks like a slot in one stays text.
    pub fn fill(&self, mut value_of: impl FnMut(Slot) -> String) -> String {
        self.pieces.iter().fold(String::new(), |mut filled, piece| {
            let _ = match piece {
                Piece::Text(text) => filled.write_str(text),
                Piece::Slot(slot) => filled.write_str(&value_of(*slot)),
            };
            filled
        })
    }

    /// Its slots, in the order of the text.
    pub fn slots(&self) -> impl Iterator<Item = Slot> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Text(_) => None,
            Piece::Slot(slot) => Some(*slot),
        })
    }

    /// The same with one slot filled for good.
    pub(crate) fn with(self, name: &str, value: &str) -> Self {
        let fill = |piece| match piece {
            Piece::Slot(slot) if slot.name == name => Piece::Text(value.to_owned()),
            piece @ (Piece::Slot(_) | Piece::Text(_)) => piece,
        };
        Self { pieces: self.pieces.into_iter().map(fill).collect() }
    }
}

fn listed(slots: &[Slot]) -> String {
    if slots.is_empty() {
        return "this file has none".to_owned();
    }
    let names: Vec<String> = slots.iter().map(|slot| format!("`{}`", slot.name)).collect();
    format!("there are {}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SLOTS: [Slot; 2] =
        [Slot { name: "question", kind: SlotKind::Data }, Slot { name: "now", kind: SlotKind::Plain }];

    #[test]
    fn values_are_not_looked_into() {
        let template = Template::parse("{{question}} at {{ now }}, {{now}}.\n", &SLOTS).unwrap();
        let filled = template.fill(|slot| match slot.name {
            "question" => "{{now}}".to_owned(),
            _ => "noon".to_owned(),
        });
        assert_eq!(filled, "{{now}} at noon, noon.");
    }

    #[test]
    fn every_slot_is_there_and_no_other() {
        let fault = |text| Template::parse(text, &SLOTS).unwrap_err();
        assert_eq!(fault("{{question}}"), "the slot `now` is missing");
        assert_eq!(
            fault("a\n{{qestion}}"),
            "line 2: there is no slot `qestion` here; there are `question`, `now`"
        );
        assert_eq!(fault("{{question"), "line 1: `{{` is not closed");
        assert_eq!(Template::parse(" \n", &[]).unwrap_err(), "is empty");
    }
}
