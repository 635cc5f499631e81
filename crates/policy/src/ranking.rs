//! How methods are ranked against a question.

use serde::Deserialize;

use crate::range::{OutOfRange, within};

/// `probe.toml`: ranking and selection.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ranking {
    /// BM25's `k1`.
    pub saturation: f64,
    /// BM25's `b`.
    pub length_normalization: f64,
    /// The weights of the fields.
    pub fields: FieldWeights,
    /// What selection hands on.
    pub selection: Selection,
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
    /// In the names and descriptions of its arguments.
    pub argument_names: f64,
    /// In the values that its arguments name: enums, examples, defaults.
    pub argument_values: f64,
    /// In the keys of its result.
    pub output_keys: f64,
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
            ("fields.argument_values", self.fields.argument_values),
            ("fields.output_keys", self.fields.output_keys),
        ];
        for (key, weight) in weights {
            within(key, weight.is_finite() && weight >= 0.0, "must be a number that is not negative")?;
        }
        within("selection.methods_max", self.selection.methods_max >= 1, "must be at least 1")?;
        within("selection.listings_max", self.selection.listings_max >= 1, "must be at least 1")?;
        within(
            "selection.share_of_best_min",
            (0.0..=1.0).contains(&self.selection.share_of_best_min),
            "must be from 0 to 1",
        )?;
        within("selection.left_out_dominance", self.selection.left_out_dominance >= 1.0, "must be at least 1")
    }
}
