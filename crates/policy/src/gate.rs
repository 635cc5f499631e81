//! How the gate rules.

use serde::Deserialize;

use crate::range::{OutOfRange, within};

/// `gate.toml`: the ruling.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gate {
    /// How far the gate is rolled out.
    pub rollout_stage: RolloutStage,
    /// How sure the probe must be that a method serves a question for it to be viable, from 0 to 1.
    pub grounding_min: f64,
    /// How sure the best method must be to have anything to do with a question, from 0 to 1; not above `grounding_min`.
    pub near_min: f64,
    /// How sure the best method must be for a miss to be out of the question, from 0 to 1; not below `grounding_min`.
    pub sure_min: f64,
    /// Fit points by which the best method outdoes another one so that it alone is viable.
    pub dominance_points: f64,
    /// The same between a method for one thing and one for the whole; not below `dominance_points`.
    pub scope_points: f64,
    /// How sure a profile of a method must be to say anything about scope, from 0 to 1.
    pub profile_confidence_min: f64,
    /// The share of a clause's words that a method must know to serve it, from 0 to 1.
    pub clause_share_min: f64,
    /// How many times as much a provider of the same thing must cost to be dearer.
    pub price_ratio_min: f64,
    /// How likely an open argument must be one that only the caller can give, from 0 to 1.
    pub open_argument_min: f64,
    /// How sure a judge must be to be heard, from 0 to 1.
    pub judge_confidence_min: f64,
    /// Options of a clarification.
    pub options_max: usize,
    /// Characters of an option's label.
    pub label_chars_max: usize,
    /// Characters of an option's description.
    pub description_chars_max: usize,
    /// Values of an argument that are listed when it is asked for.
    pub values_listed_max: usize,
    /// Minutes for which an option can be picked by its token.
    pub token_minutes: u32,
}

/// How far the gate is rolled out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RolloutStage {
    /// It does nothing: every query goes on.
    Disabled,
    /// It decides and records, and every query goes on.
    Shadow,
    /// It rules.
    Enabled,
}

impl RolloutStage {
    /// The word of the wire.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Disabled => "disabled",
            Self::Shadow => "shadow",
            Self::Enabled => "enabled",
        }
    }
}

impl Gate {
    pub(crate) fn check(&self) -> Result<(), OutOfRange> {
        let shares = [
            ("grounding_min", self.grounding_min),
            ("profile_confidence_min", self.profile_confidence_min),
            ("clause_share_min", self.clause_share_min),
            ("open_argument_min", self.open_argument_min),
            ("judge_confidence_min", self.judge_confidence_min),
        ];
        for (key, share) in shares {
            within(key, (0.0..=1.0).contains(&share), "must be from 0 to 1")?;
        }
        within("dominance_points", self.dominance_points >= 0.0, "must not be negative")?;
        within("options_max", (2..=3).contains(&self.options_max), "must be 2 or 3")?;
        within(
            "near_min",
            (0.0..=self.grounding_min).contains(&self.near_min),
            "must be from 0 to `grounding_min`",
        )?;
        within(
            "sure_min",
            (self.grounding_min..=1.0).contains(&self.sure_min),
            "must be from `grounding_min` to 1",
        )?;
        within(
            "scope_points",
            self.scope_points >= self.dominance_points,
            "must be at least `dominance_points`",
        )?;
        within("price_ratio_min", self.price_ratio_min >= 1.0, "must be at least 1")?;
        within("label_chars_max", (20..=200).contains(&self.label_chars_max), "must be from 20 to 200")?;
        within(
            "description_chars_max",
            (40..=1000).contains(&self.description_chars_max),
            "must be from 40 to 1000",
        )?;
        within("values_listed_max", (2..=30).contains(&self.values_listed_max), "must be from 2 to 30")?;
        within("token_minutes", (1..=10_080).contains(&self.token_minutes), "must be from 1 to 10080")
    }
}
