//! Words one of which is asked for in the place of the other: "and outflows?"

/// Stems of words one of which may be asked for in the place of the other.
const CONTRASTS: [[&str; 2]; 12] = [
    ["inflow", "outflow"],
    ["deposit", "withdraw"],
    ["long", "short"],
    ["most", "least"],
    ["largest", "smallest"],
    ["biggest", "smallest"],
    ["highest", "lowest"],
    ["best", "worst"],
    ["sunris", "sunset"],
    ["gainer", "loser"],
    ["perpetu", "quarter"],
    ["latest", "oldest"],
];

/// Whether a stem is of a word that has a contrary.
pub(super) fn has_contrast(stem: &str) -> bool {
    CONTRASTS.iter().flatten().any(|word| stem.starts_with(word))
}

/// Whether two stems are of words that contrast.
pub(super) fn are_contrary(one: &str, other: &str) -> bool {
    CONTRASTS.iter().any(|[first, second]| {
        one.starts_with(first) && other.starts_with(second)
            || one.starts_with(second) && other.starts_with(first)
    })
}
