//! Which way something goes: into a place or out of it, up or down.

use super::Noun;
use super::shape::Superlative;
use crate::words::{self, Word};

/// Which way a change goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// It makes more: "rose the most".
    Up,
    /// It makes less: "fell the most".
    Down,
    /// It makes less or more: "moved the most".
    Either,
}

impl Way {
    /// The way that a word's stem says.
    #[must_use]
    pub fn of(stem: &str) -> Option<Self> {
        match stem {
            "climb" | "gain" | "gainer" | "grew" | "grow" | "grown" | "increas" | "jump" | "rise"
            | "risen" | "riser" | "rose" | "soar" | "surg" => Some(Self::Up),
            "declin" | "decreas" | "drop" | "fall" | "fallen" | "faller" | "fell" | "lose" | "loser"
            | "loss" | "lost" | "plung" | "shrank" | "slid" | "slump" | "weaken" => Some(Self::Down),
            "chang" | "move" | "mover" | "shift" | "swing" | "swung" => Some(Self::Either),
            _ => None,
        }
    }
}

/// Which way the changes go that a superlative ranks: by the verb before it, or by a noun of those behind it. What is asked for is no
/// verb: the shift of "which shift has the most hours".
pub(super) fn way(
    words: &[Word],
    superlative: Option<&Superlative>,
    dimension: Option<&Noun>,
) -> Option<Way> {
    let superlative = superlative?;
    let behind = words.get(superlative.next..).unwrap_or_default();
    let nouns = behind.iter().take_while(|word| !word.is_stop);
    let is_dimension = |word: &&Word| dimension.is_some_and(|noun| noun.stems.contains(&word.stem));
    let verbs = words[..superlative.at].iter().rev().filter(|word| !is_dimension(word));
    verbs.chain(nouns).find_map(|word| Way::of(&word.stem))
}

/// The stem of what those did whom a word calls after it, by which the biggest of them are told: the change of "biggest losers".
pub(super) fn made_by(stem: &str) -> Option<String> {
    matches!(stem, "faller" | "gainer" | "loser" | "mover" | "riser").then(|| CHANGE.to_owned())
}

/// Whether a figure that is called by these stems is a change, which has a sign.
#[must_use]
pub fn is_change(stems: &[String]) -> bool {
    let has = |one: &str| stems.iter().any(|stem| stem == one);
    has("delta") || has("differ") || has(CHANGE) || has("net") && has("flow")
}

/// The stem of what a change is called.
pub(super) const CHANGE: &str = "chang";

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
