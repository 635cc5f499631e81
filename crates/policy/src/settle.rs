//! How the evidence of single methods is settled in the light of the whole.

use serde::Deserialize;

use crate::range::{OutOfRange, within};

/// `[settle]` of `probe.toml`. Groundings and their distances run from 0 to 1; fits are those of the planner.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settle {
    /// How far the runner-up stays behind the best method where the question is clear.
    pub apart: f64,
    /// The same where it is clear beyond doubt, and of those that are out of play.
    pub apart_sure: f64,
    /// How near a runner-up comes where the question is unclear.
    pub near: f64,
    /// A question that the model would ask back less surely than this is clear beyond doubt.
    pub surely_clear_max: f64,
    /// A question that the model would ask back more surely than this is unclear beyond doubt.
    pub surely_unclear_min: f64,
    /// Methods beside the best that are in play where the question is unclear.
    pub runners_up: usize,
    /// A runner-up that is less sure than this share of the best is none.
    pub runner_up_share_min: f64,
    /// A runner-up whose fit is further behind is none.
    pub behind_max: f64,
    /// The same where the question says a word of the best one's name.
    pub behind_named_max: f64,
    /// What the model's share of a miss counts where the runtime chose the methods.
    pub discovered_miss: f64,
    /// How far the part stays behind the whole where either could be meant.
    pub part_behind: f64,
    /// The share of the best one's fit from which on a method that lacks nothing goes before a best one that does.
    pub near_fit_min: f64,
    /// By how much better its result must fit a ranking for a method to go before a best one of its listing.
    pub rows_lead_min: f64,
    /// How much more of a question the name and the own words of a method tell, for it to be named better than another one.
    pub named_lead_min: f64,
    /// The share of what another method knows of a question that a method named better knows at the least.
    pub known_share_min: f64,
    /// How likely a filled argument must be the caller's to give for its value to be doubted.
    pub doubt_min: f64,
    /// Methods that are just what the question says.
    pub direct: Direct,
    /// Methods whose result has the shape of what is asked.
    pub shaped: Shaped,
    /// Methods that know nothing of what is asked about what is named.
    pub off_topic: OffTopic,
    /// Methods that leave over what the question is about.
    pub left_over: LeftOver,
    /// Methods whose arguments the last turn asked for.
    pub reply: Reply,
}

/// A method of which the question says all of the name, no word is left over and no argument is open.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Direct {
    /// How far its fit must lead.
    pub lead_min: f64,
    /// How surely the model may want to ask back, at the most.
    pub asks_max: f64,
    /// How surely it is grounded, at the least.
    pub grounding_min: f64,
}

/// A method that has nothing open and, by its schema, gives what is asked.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shaped {
    /// How well the shape must fit.
    pub form_min: f64,
    /// The share of the question that must be accounted for.
    pub coverage_min: f64,
    /// The share of what the question is about that must be of a method's field where the shape says nothing.
    pub field_min: f64,
    /// How surely it is grounded, at the least.
    pub grounding_min: f64,
}

/// A method that takes what the question names and knows no word of what is asked about it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OffTopic {
    /// The share of the question that may be accounted for all the same.
    pub coverage_max: f64,
    /// How surely it is grounded, at the most.
    pub grounding_max: f64,
}

/// A method that leaves over words of what the question is about, and would tell the same whatever they were.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeftOver {
    /// Of how much of its name the question must not say, or the method is meant.
    pub name_said_min: f64,
    /// What share of what the question is about must not be of its field, or the method is meant.
    pub related_min: f64,
    /// How surely the model would ask back, at the least, for nothing to be left where there is nothing to ask.
    pub asks_min: f64,
}

/// A method whose arguments the last turn asked for: the question replies.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reply {
    /// How surely it is grounded, at the least.
    pub grounding_min: f64,
    /// How surely the model asks back, at the least, where the reply tells fewer things than were asked for.
    pub short_asks_min: f64,
    /// How surely it asks back, at the most, where the reply tells as many and nothing else is open.
    pub whole_asks_max: f64,
}

impl Settle {
    pub(crate) fn check(&self) -> Result<(), OutOfRange> {
        let shares = [
            ("settle.apart", self.apart),
            ("settle.apart_sure", self.apart_sure),
            ("settle.near", self.near),
            ("settle.surely_clear_max", self.surely_clear_max),
            ("settle.surely_unclear_min", self.surely_unclear_min),
            ("settle.runner_up_share_min", self.runner_up_share_min),
            ("settle.discovered_miss", self.discovered_miss),
            ("settle.part_behind", self.part_behind),
            ("settle.near_fit_min", self.near_fit_min),
            ("settle.rows_lead_min", self.rows_lead_min),
            ("settle.named_lead_min", self.named_lead_min),
            ("settle.known_share_min", self.known_share_min),
            ("settle.doubt_min", self.doubt_min),
            ("settle.direct.asks_max", self.direct.asks_max),
            ("settle.direct.grounding_min", self.direct.grounding_min),
            ("settle.shaped.coverage_min", self.shaped.coverage_min),
            ("settle.shaped.field_min", self.shaped.field_min),
            ("settle.shaped.grounding_min", self.shaped.grounding_min),
            ("settle.off_topic.coverage_max", self.off_topic.coverage_max),
            ("settle.off_topic.grounding_max", self.off_topic.grounding_max),
            ("settle.left_over.name_said_min", self.left_over.name_said_min),
            ("settle.left_over.related_min", self.left_over.related_min),
            ("settle.left_over.asks_min", self.left_over.asks_min),
            ("settle.reply.grounding_min", self.reply.grounding_min),
            ("settle.reply.short_asks_min", self.reply.short_asks_min),
            ("settle.reply.whole_asks_max", self.reply.whole_asks_max),
        ];
        for (key, share) in shares {
            within(key, (0.0..=1.0).contains(&share), "must be from 0 to 1")?;
        }
        let distances = [
            ("settle.behind_max", self.behind_max),
            ("settle.behind_named_max", self.behind_named_max),
            ("settle.direct.lead_min", self.direct.lead_min),
            ("settle.shaped.form_min", self.shaped.form_min),
        ];
        for (key, distance) in distances {
            within(key, distance.is_finite() && distance >= 0.0, "must not be negative")?;
        }
        within("settle.near", self.near <= self.apart, "must be at most `settle.apart`")?;
        within("settle.apart", self.apart <= self.apart_sure, "must be at most `settle.apart_sure`")?;
        within("settle.runners_up", self.runners_up >= 1, "must be at least 1")
    }
}
