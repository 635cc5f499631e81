//! What results mean in the terms of markets: which fields make which evidence, and when it is gathered.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::range::{OutOfRange, at_least_one, within};

/// `[market]` of `evidence.toml`: what results mean in the terms of markets.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Market {
    /// Groups of assets, by the words that name them.
    pub groups: BTreeMap<String, Vec<String>>,
    /// The assets that are meant where none is named.
    pub default_assets: Vec<String>,
    /// The window that is meant where none is named.
    pub default_window: String,
    /// Words that mean that window.
    pub rolling_words: Vec<String>,
    /// States that follow each other.
    pub opposites: Vec<[String; 2]>,
    /// The share of the gross flow below which a net flow goes nowhere, from 0 to 1.
    pub flat_share_max: f64,
    /// The change, in percent, below which something stands still.
    pub flat_percent_max: f64,
    /// Calls that one playbook may make.
    pub calls_max: usize,
    /// The names of arguments, by what they take.
    pub arguments: MarketArguments,
    /// Phrases of questions about what moves slowly, whose evidence may be older.
    pub slow_phrases: Vec<String>,
    /// How many times as old it may be then.
    pub slow_factor: i64,
    /// Words that a question about flows has, one of each line.
    pub about: BTreeMap<String, Vec<String>>,
    /// The kinds of records.
    pub records: Vec<MarketRecord>,
}

/// The names of arguments, by what they take.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MarketArguments {
    /// An asset.
    pub asset: Vec<String>,
    /// A venue.
    pub venue: Vec<String>,
    /// How far back.
    pub window: Vec<String>,
    /// Words to search for.
    pub query: Vec<String>,
    /// How many earlier windows make a baseline.
    pub samples: Vec<String>,
}

/// One kind of record.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MarketRecord {
    /// The kind.
    pub kind: MarketKind,
    /// Fields that it has.
    pub needs: Vec<String>,
    /// Keys that it does not have.
    #[serde(rename = "without")]
    pub lacks: Vec<String>,
    /// Words of a question that ask for it.
    pub phrases: Vec<String>,
    /// Kinds that are gathered with it.
    #[serde(default)]
    pub also: Vec<MarketKind>,
    /// How old it may be, in minutes.
    pub fresh_minutes: i64,
    /// Its fields, each with the keys that it is read from, best first.
    pub fields: BTreeMap<String, Vec<String>>,
}

/// What a record is evidence of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MarketKind {
    /// What flowed at one venue.
    VenueFlow,
    /// What is usual there.
    Baseline,
    /// How far it is from what is usual.
    Anomaly,
    /// Which way an asset goes, and since when.
    Regime,
    /// What is reported beside it.
    Catalyst,
    /// Open interest in derivatives.
    OpenInterest,
    /// What was liquidated at one venue.
    Liquidations,
}

impl MarketKind {
    /// The word of the policy.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::VenueFlow => "venue_flow",
            Self::Baseline => "baseline",
            Self::Anomaly => "anomaly",
            Self::Regime => "regime",
            Self::Catalyst => "catalyst",
            Self::OpenInterest => "open_interest",
            Self::Liquidations => "liquidations",
        }
    }
}

impl Market {
    /// The record of a kind.
    #[must_use]
    pub fn record(&self, kind: MarketKind) -> Option<&MarketRecord> {
        self.records.iter().find(|record| record.kind == kind)
    }

    pub(crate) fn check(&self) -> Result<(), OutOfRange> {
        at_least_one("market.calls_max", self.calls_max)?;
        within("market.records", !self.records.is_empty(), "must not be empty")?;
        for record in &self.records {
            let is_known = record.needs.iter().all(|field| record.fields.contains_key(field));
            within("market.records.needs", is_known, "must name fields of the record")?;
            within("market.records.fresh_minutes", record.fresh_minutes >= 1, "must be at least 1")?;
        }
        within("market.slow_factor", (1..=100).contains(&self.slow_factor), "must be from 1 to 100")?;
        let is_share = (0.0..=1.0).contains(&self.flat_share_max);
        within("market.flat_share_max", is_share, "must be from 0 to 1")?;
        within("market.flat_percent_max", self.flat_percent_max >= 0.0, "must not be negative")
    }
}
