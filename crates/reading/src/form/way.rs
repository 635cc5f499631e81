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
        "declin" | "decreas" | "drop" | "fall" | "fell" | "lose" | "loss" | "lost" | "plung" | "shrank"
        | "slid" | "slump" | "weaken" => Some(Way::Down),
        "chang" | "move" | "shift" | "swing" | "swung" => Some(Way::Either),
        _ => None,
    })
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
