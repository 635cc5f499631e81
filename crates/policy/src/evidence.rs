//! How evidence is packed and how a written answer is held against it.

use serde::Deserialize;

use crate::market::Market;
use crate::range::{OutOfRange, at_least_one, within};

/// `evidence.toml`: how evidence is packed, and how a written answer is held against it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EvidenceRules {
    /// What the writer is shown.
    pub pack: PackLimits,
    /// The layout for a page.
    pub view: ViewLimits,
    /// What the embedded writer says.
    pub answer: AnswerLimits,
    /// Numbers and dates of an answer.
    pub numbers: NumberRules,
    /// Values that two sources give.
    pub conflicts: ValueConflicts,
    /// What results mean in the terms of markets.
    pub market: Market,
}

/// What the writer is shown.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackLimits {
    /// Characters of one text; a longer one is shortened.
    pub text_chars_max: usize,
}

/// How the evidence is laid out for a page.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ViewLimits {
    /// Columns of a table.
    pub columns_max: usize,
    /// Characters of one cell.
    pub cell_chars_max: usize,
    /// Numbers that are shown large.
    pub metrics_max: usize,
}

/// What the embedded writer puts into an answer.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnswerLimits {
    /// Rows of a table, where the question asks for no more.
    pub rows_max: usize,
    /// Columns of a table.
    pub columns_max: usize,
    /// Sources that one sentence cites.
    pub cited_max: usize,
    /// Reports that are told beside flows.
    pub catalysts_max: usize,
}

/// Numbers and dates of an answer that stand in no source.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NumberRules {
    /// Digits from which on a number is looked at.
    pub digits_min: usize,
    /// The share of a sentence's numbers that stand in no source from which on it is withheld, from 0 to 1.
    pub withhold_share_min: f64,
}

/// When two sources give different values for one thing.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ValueConflicts {
    /// How far two numbers may be apart, as a share of the larger, from 0 to 1.
    pub tolerance_share: f64,
    /// Conflicts that are told.
    pub conflicts_max: usize,
}

impl EvidenceRules {
    pub(crate) fn check(&self) -> Result<(), OutOfRange> {
        at_least_one("pack.text_chars_max", self.pack.text_chars_max)?;
        at_least_one("view.columns_max", self.view.columns_max)?;
        at_least_one("view.cell_chars_max", self.view.cell_chars_max)?;
        at_least_one("answer.rows_max", self.answer.rows_max)?;
        at_least_one("answer.columns_max", self.answer.columns_max)?;
        at_least_one("answer.cited_max", self.answer.cited_max)?;
        at_least_one("numbers.digits_min", self.numbers.digits_min)?;
        self.market.check()?;
        let shares = [
            ("numbers.withhold_share_min", self.numbers.withhold_share_min),
            ("conflicts.tolerance_share", self.conflicts.tolerance_share),
        ];
        for (key, share) in shares {
            within(key, (0.0..=1.0).contains(&share), "must be from 0 to 1")?;
        }
        Ok(())
    }
}
