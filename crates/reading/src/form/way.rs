//! Which way something goes: into a place or out of it, up or down.

use crate::words::{self, Word};

/// Which way a change goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// It makes less: "fell the most".
    Down,
    /// It makes less or more: "moved the most".
    Either,
}

/// Which way the change goes that some words rank, where not up.
pub(super) fn way(words: &[Word]) -> Option<Way> {
    words.iter().find_map(|word| match word.stem.as_str() {
        "declin" | "decreas" | "drop" | "fall" | "faller" | "fell" | "lose" | "loser" | "loss" | "lost"
        | "plung" | "shrank" | "slid" | "slump" | "weaken" => Some(Way::Down),
        "chang" | "move" | "mover" | "shift" | "swing" | "swung" => Some(Way::Either),
        _ => None,
    })
}

/// The stem of what those did whom a word calls after it, by which the biggest of them are told: the change of "biggest losers".
pub(super) fn made_by(stem: &str) -> Option<String> {
    matches!(stem, "faller" | "gainer" | "loser" | "mover" | "riser")
        .then(|| words::stem("change").into_owned())
}

/// Whether a figure that is called by these stems is a change, which has a sign.
#[must_use]
pub fn is_change(stems: &[String]) -> bool {
    stems.iter().any(|stem| matches!(stem.as_str(), "chang" | "delta" | "differ"))
}

/// The stem of what is measured where something flows into or out of a place: "flowed into" is about the inflow.
pub(super) fn implied_by_motion(words: &[Word]) -> Option<String> {
    let mut ways = words.windows(2).filter(|pair| pair[0].stem == "flow").filter_map(|pair| {
        match pair[1].lower.as_str() {
            "into" | "to" => Some("inflow"),
            "out" | "from" => Some("outflow"),
            _ => None,
        }
    });
    let first = ways.next()?;
    ways.all(|way| way == first).then(|| words::stem(first).into_owned())
}
