//! What happens when results do not answer the question.

use serde::Deserialize;

use crate::range::{OutOfRange, at_least_one, within};

/// `recovery.toml`: what happens when results do not answer the question.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recovery {
    /// Programs that one request may plan.
    pub plans_max: usize,
    /// Programs that a model may write in place of ones that the verifier refused, for each plan.
    pub replans_max: usize,
    /// How often a program that has run may be mended, or written anew for the same methods.
    pub retries_max: usize,
    /// The share of its lines that a program must keep to count as mended by a model and not as written anew, from 0 to 1.
    pub patch_lines_share_min: f64,
    /// Whether the catalog is searched once more for what is missing.
    pub rediscovery: bool,
    /// The share of the time for calls that must be left for another round, from 0 to 1.
    pub headroom_share_min: f64,
    /// The share of the time left that models may take for a plan or an answer, from 0 to 1.
    pub model_time_share_max: f64,
    /// The share of the best score that a method must reach to stand in for one that failed, from 0 to 1.
    pub alternative_share_min: f64,
    /// Calls that one plan may fan out over.
    pub fan_out_max: usize,
    /// How a collection goes on.
    pub pages: Pages,
}

/// How a result says that there is more, and how more is asked for.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pages {
    /// Pages of one collection that are read, the first included.
    pub pages_max: usize,
    /// Keys of a result that hold the place of the next page.
    pub cursors: Vec<String>,
    /// Arguments that take it.
    pub cursor_arguments: Vec<String>,
    /// Keys of a result that say that there is more.
    pub flags: Vec<String>,
    /// Arguments that take the number of a page, from 1.
    pub number_arguments: Vec<String>,
}

impl Recovery {
    pub(crate) fn check(&self) -> Result<(), OutOfRange> {
        at_least_one("plans_max", self.plans_max)?;
        within("replans_max", self.replans_max <= 5, "must be at most 5")?;
        within("retries_max", self.retries_max <= 10, "must be at most 10")?;
        at_least_one("fan_out_max", self.fan_out_max)?;
        at_least_one("pages.pages_max", self.pages.pages_max)?;
        let shares = [
            ("patch_lines_share_min", self.patch_lines_share_min),
            ("headroom_share_min", self.headroom_share_min),
            ("model_time_share_max", self.model_time_share_max),
            ("alternative_share_min", self.alternative_share_min),
        ];
        for (key, share) in shares {
            within(key, (0.0..=1.0).contains(&share), "must be from 0 to 1")?;
        }
        Ok(())
    }
}
