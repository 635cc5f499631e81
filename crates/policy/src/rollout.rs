//! Lanes and models: what serves a query.

use domain::Depth;
use serde::Deserialize;

use crate::range::{OutOfRange, within};

/// `lanes.toml`: which lane a query takes.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lanes {
    depth_default: DepthWord,
    /// The fast lane's flags.
    pub fast: LaneFlags,
    /// The deep lane's flags.
    pub deep: LaneFlags,
}

impl Lanes {
    /// The depth of a request that names none.
    #[must_use]
    pub fn depth_default(&self) -> Depth {
        match self.depth_default {
            DepthWord::Fast => Depth::Fast,
            DepthWord::Auto => Depth::Auto,
            DepthWord::Deep => Depth::Deep,
        }
    }
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum DepthWord {
    Fast,
    Auto,
    Deep,
}

/// What a lane may do before planning.
#[derive(Clone, Debug, Deserialize)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each flag is a capability of its own, named by the contract"
)]
#[serde(deny_unknown_fields)]
pub struct LaneFlags {
    /// Rank and compare methods.
    pub method_reasoning_enabled: bool,
    /// Ask a judge.
    pub ambiguity_judge_enabled: bool,
    /// Call methods to find out more.
    pub external_probe_enabled: bool,
    /// Keep to one plan where the first one serves.
    pub preserve_fast_one_shot: bool,
}

/// `models.toml`: which model answers which stage.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Models {
    /// The stages' models.
    pub stages: StageModels,
    /// The models that callers may name.
    pub answer: AnswerModels,
}

/// The model of each stage.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StageModels {
    /// Writes programs.
    pub plan: String,
    /// Writes answers.
    pub synthesize: String,
}

/// The answer models that callers may name.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnswerModels {
    /// Serves where the caller names none, or one that is not here.
    pub default: String,
    /// The names that there are.
    pub models: Vec<String>,
}

impl Models {
    pub(crate) fn check(&self) -> Result<(), OutOfRange> {
        let embedded = |model: &str| model == "embedded";
        within("stages.plan", embedded(&self.stages.plan), "must be \"embedded\"")?;
        within("stages.synthesize", embedded(&self.stages.synthesize), "must be \"embedded\"")?;
        within(
            "answer.default",
            self.answer.models.contains(&self.answer.default),
            "must be one of `answer.models`",
        )
    }
}
