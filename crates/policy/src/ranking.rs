//! How methods are ranked against a question.

use serde::Deserialize;

use crate::range::{OutOfRange, within};
use crate::settle::Settle;

/// `probe.toml`: ranking and selection.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ranking {
    /// BM25's `k1`.
    pub saturation: f64,
    /// BM25's `b`.
    pub length_normalization: f64,
    /// What two neighboring words add, as a share of what a word as rare as their pair adds.
    pub pair_share: f64,
    /// The share of its score that a method keeps for each better one of the same name, from 0 to 1.
    pub namesake_share: f64,
    /// The weights of the fields.
    pub fields: FieldWeights,
    /// Words that are one slip away from a known one.
    pub typos: Typos,
    /// Words that say how people ask.
    pub light: LightWords,
    /// Words that find each other.
    pub kin: Kin,
    /// Whether methods that change something, or are not published for queries, stay out of queries. Off only where
    /// nothing is ever called: gate cases label calls of any kind.
    pub refuses_unsafe: bool,
    /// What selection hands on.
    pub selection: Selection,
    /// What the deep lane's probe hands on.
    pub pools: Pools,
    /// How the evidence is settled in the light of the whole.
    pub settle: Settle,
    /// Words of one field.
    pub related: Groups,
    /// Words for what is done.
    pub actions: Groups,
}

/// What the deep lane's probe hands on.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pools {
    /// Methods that a plan may answer by.
    pub shortlist_max: usize,
    /// Readings that a caller may be asked about.
    pub ambiguity_max: usize,
    /// What the planner's fit counts in the order of the methods, beside the log-odds of their grounding.
    pub fit_weight: f64,
    /// Providers of one thing that stand in a pool.
    pub providers_max: usize,
    /// How surely the best method must be grounded for the evidence to be adequate, from 0 to 1.
    pub adequate_min: f64,
    /// Things that one question asks which are each held against the methods by themselves and planned for, at the most.
    pub parts_max: usize,
    /// Ways to cut a question in two that are tried, where its words do not tell what it asks for apart.
    pub cuts_max: usize,
    /// Earlier turns of the caller that a question may go on with.
    pub turns_max: usize,
}

/// Words in groups.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Groups {
    /// The groups: each a line of lower-case words, not stemmed.
    pub groups: Vec<String>,
}

/// How much a word counts, by where it stands.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FieldWeights {
    /// In the method's name or title.
    pub method_name: f64,
    /// In the listing's name or description.
    pub listing_name: f64,
    /// In the method's description.
    pub description: f64,
    /// In the names of its arguments.
    pub argument_names: f64,
    /// In the descriptions of its arguments.
    pub argument_descriptions: f64,
    /// In the values that its arguments name: enums, examples, defaults.
    pub argument_values: f64,
    /// In the keys of its result.
    pub output_keys: f64,
}

/// Unknown words that are one slip away from a known one.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Typos {
    /// The share of the known word's weight that they have, from 0 to 1.
    pub share: f64,
    /// The letters that a stemmed word must have for a slip to be seen in it.
    pub chars_min: usize,
}

/// Words that say how people ask, not what about.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LightWords {
    /// The share of a word's weight that they have, from 0 to 1.
    pub share: f64,
    /// The words: lower case, any number in a line, not stemmed.
    pub words: Vec<String>,
    /// How words end that ask, in scripts whose words carry their particles.
    pub endings: Vec<String>,
}

/// Words that mean so nearly the same that each finds what the others find.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kin {
    /// The share of a word's weight that its kin has, from 0 to 1.
    pub share: f64,
    /// The groups: each a line of lower-case words, not stemmed.
    pub groups: Vec<String>,
}

/// What selection hands on.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Selection {
    /// Methods at the most.
    pub methods_max: usize,
    /// Listings at the most.
    pub listings_max: usize,
    /// The share of the best score that a method must reach, from 0 to 1.
    pub share_of_best_min: f64,
    /// Of the things that a question may ask for, how many are searched for by themselves, too.
    pub things_max: usize,
    /// How many times better a method that may not be called must fit to make the question a miss.
    pub left_out_dominance: f64,
}

impl Ranking {
    pub(crate) fn check(&self) -> Result<(), OutOfRange> {
        within("saturation", self.saturation > 0.0, "must be above 0")?;
        within(
            "length_normalization",
            (0.0..=1.0).contains(&self.length_normalization),
            "must be from 0 to 1",
        )?;
        let weights = [
            ("fields.method_name", self.fields.method_name),
            ("fields.listing_name", self.fields.listing_name),
            ("fields.description", self.fields.description),
            ("fields.argument_names", self.fields.argument_names),
            ("fields.argument_descriptions", self.fields.argument_descriptions),
            ("fields.argument_values", self.fields.argument_values),
            ("fields.output_keys", self.fields.output_keys),
        ];
        for (key, weight) in weights {
            within(key, weight.is_finite() && weight >= 0.0, "must be a number that is not negative")?;
        }
        within("pair_share", self.pair_share.is_finite() && self.pair_share >= 0.0, "must not be negative")?;
        let shares = [
            ("namesake_share", self.namesake_share),
            ("typos.share", self.typos.share),
            ("light.share", self.light.share),
            ("kin.share", self.kin.share),
        ];
        for (key, share) in shares {
            within(key, (0.0..=1.0).contains(&share), "must be from 0 to 1")?;
        }
        within("typos.chars_min", self.typos.chars_min >= 3, "must be at least 3")?;
        let lines = [
            ("light.words", &self.light.words),
            ("kin.groups", &self.kin.groups),
            ("related.groups", &self.related.groups),
            ("actions.groups", &self.actions.groups),
        ];
        for (key, lines) in lines {
            let is_lower = lines.iter().all(|line| *line == line.to_lowercase());
            within(key, is_lower, "must be lower case")?;
        }
        within("selection.methods_max", self.selection.methods_max >= 1, "must be at least 1")?;
        within("selection.listings_max", self.selection.listings_max >= 1, "must be at least 1")?;
        within(
            "selection.share_of_best_min",
            (0.0..=1.0).contains(&self.selection.share_of_best_min),
            "must be from 0 to 1",
        )?;
        within("selection.things_max", self.selection.things_max <= 32, "must be at most 32")?;
        within(
            "selection.left_out_dominance",
            self.selection.left_out_dominance >= 1.0,
            "must be at least 1",
        )?;
        within("pools.fit_weight", self.pools.fit_weight >= 0.0, "must not be negative")?;
        within("pools.shortlist_max", self.pools.shortlist_max >= 1, "must be at least 1")?;
        within("pools.ambiguity_max", self.pools.ambiguity_max >= 2, "must be at least 2")?;
        within("pools.adequate_min", (0.0..=1.0).contains(&self.pools.adequate_min), "must be from 0 to 1")?;
        within("pools.cuts_max", self.pools.cuts_max <= 16, "must be at most 16")?;
        within("pools.parts_max", (1..=8).contains(&self.pools.parts_max), "must be from 1 to 8")?;
        within("pools.providers_max", self.pools.providers_max >= 1, "must be at least 1")?;
        self.settle.check()
    }
}
