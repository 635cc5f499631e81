//! Lanes: what serves a query.

use domain::Depth;
use serde::Deserialize;

use crate::range::{OutOfRange, at_least_one, within};

/// `lanes.toml`: which lane a query takes.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lanes {
    depth_default: DepthWord,
    /// The fast lane's flags.
    pub fast: LaneFlags,
    /// The deep lane's flags.
    pub deep: LaneFlags,
    /// When `auto` means deep.
    pub auto: AutoLane,
}

/// When a query whose caller leaves the depth open takes the deep lane.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AutoLane {
    /// Words of content, from which on a question counts as complex.
    pub content_words_min: usize,
    /// Things asked at once, from which on a question counts as complex.
    pub clauses_min: usize,
    /// Required arguments of the best method, from which on its schema has to guide.
    pub required_arguments_min: usize,
    /// The share of the methods that must describe themselves and their results, from 0 to 1.
    pub described_share_min: f64,
    /// The share of the best method's score from which on the next one is not told apart from it, from 0 to 1.
    pub near_share_min: f64,
    /// Words that ask for everything: lower case, any number in a line.
    pub full_data_words: Vec<String>,
}

impl Lanes {
    pub(crate) fn check(&self) -> Result<(), OutOfRange> {
        at_least_one("auto.content_words_min", self.auto.content_words_min)?;
        at_least_one("auto.clauses_min", self.auto.clauses_min)?;
        at_least_one("auto.required_arguments_min", self.auto.required_arguments_min)?;
        let shares = [
            ("auto.described_share_min", self.auto.described_share_min),
            ("auto.near_share_min", self.auto.near_share_min),
        ];
        for (key, share) in shares {
            within(key, (0.0..=1.0).contains(&share), "must be from 0 to 1")?;
        }
        self.check_flags()
    }

    /// What makes a lane what it is cannot be switched: the deep one is always probed, the fast one never, and nothing is called
    /// before planning.
    fn check_flags(&self) -> Result<(), OutOfRange> {
        let Self { fast, deep, .. } = self;
        let on = [
            ("deep.method_reasoning_enabled", deep.method_reasoning_enabled),
            ("fast.preserve_fast_one_shot", fast.preserve_fast_one_shot),
        ];
        let off = [
            ("deep.external_probe_enabled", deep.external_probe_enabled),
            ("deep.preserve_fast_one_shot", deep.preserve_fast_one_shot),
            ("fast.method_reasoning_enabled", fast.method_reasoning_enabled),
            ("fast.ambiguity_judge_enabled", fast.ambiguity_judge_enabled),
            ("fast.external_probe_enabled", fast.external_probe_enabled),
        ];
        on.into_iter().try_for_each(|(key, is_on)| within(key, is_on, "must be true"))?;
        off.into_iter().try_for_each(|(key, is_on)| within(key, !is_on, "must be false"))
    }

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
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each flag is a capability of its own, named by the contract"
)]
#[serde(deny_unknown_fields)]
pub struct LaneFlags {
    /// Hold the methods against the question: the deep lane's probe.
    pub method_reasoning_enabled: bool,
    /// Ask a judge; the one flag that may be switched, in the deep lane.
    pub ambiguity_judge_enabled: bool,
    /// Call methods to find out more; no lane does.
    pub external_probe_enabled: bool,
    /// Go from the selection to a plan in one step.
    pub preserve_fast_one_shot: bool,
}
