//! Facts in the terms of markets.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Facts about flows between markets; clients from 0.11.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MarketIntelligence {
    /// The asset, where it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asset: Option<String>,
    /// The assets.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub assets: Vec<String>,
    /// The window that is looked at: `24h`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_window: Option<String>,
    /// The newest observation, in ISO 8601.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_of: Option<String>,
    /// All venues together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aggregate_flow: Option<AggregateFlow>,
    /// Each venue.
    #[serde(default)]
    pub venue_breakdown: Vec<VenueFlow>,
    /// What may have moved the market.
    #[serde(default)]
    pub catalyst_refs: Vec<CatalystRef>,
    /// What derivatives say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub derivatives_context: Option<DerivativesContext>,
    /// The flow against what is usual; no client types it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline_comparison: Option<BaselineComparison>,
    /// What is farthest from usual; no client types it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub anomaly: Option<Anomaly>,
    /// Which way the flow goes, and since when; no client types it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub regime_shift: Option<RegimeShift>,
}

/// A flow against what is usual.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BaselineComparison {
    /// The earlier stretch: `7d`.
    pub baseline_window: String,
    /// By how much it is more, in US dollars.
    pub delta_usd: f64,
    /// The same in percent of what is usual.
    pub delta_pct: f64,
    /// Whether the flow goes the other way.
    pub regime_change: bool,
}

/// What is farthest from usual.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Anomaly {
    /// The asset.
    pub asset: String,
    /// The venue.
    pub venue: String,
    /// What is measured.
    pub metric: String,
    /// What it is, in US dollars.
    pub observed_value_usd: f64,
    /// What is usual, in US dollars.
    pub baseline_value_usd: f64,
    /// By how much it is more, in US dollars.
    pub delta_usd: f64,
    /// The same in percent of what is usual.
    pub delta_pct: f64,
    /// In standard deviations.
    pub z_score: f64,
    /// The stretch that is usual: `30d`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline_window: Option<String>,
}

/// Which way a flow goes, and since when.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RegimeShift {
    /// The state before.
    pub previous_state: String,
    /// The state now.
    pub current_state: String,
    /// When it flipped, in ISO 8601; null where that lies before what was looked at.
    pub flip_timestamp: Option<String>,
    /// Venues whose flow agrees with the state, the largest first.
    pub supporting_venues: Vec<String>,
    /// What it rests on.
    pub supporting_metrics: Vec<String>,
}

/// The flow over all venues.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AggregateFlow {
    /// In less out, in US dollars.
    pub net_flow_usd: Option<f64>,
    /// In, in US dollars.
    pub gross_inflow_usd: Option<f64>,
    /// Out, in US dollars.
    pub gross_outflow_usd: Option<f64>,
    /// In less out, in `nativeUnit`.
    pub native_net_flow: Option<f64>,
    /// The asset's own unit.
    pub native_unit: Option<String>,
    /// Which way.
    pub direction: FlowDirection,
}

/// Which way a flow goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FlowDirection {
    /// To the venues.
    Inflow,
    /// From the venues.
    Outflow,
    /// Neither.
    Flat,
    /// Some this way, some that way.
    Mixed,
}

/// The flow of one venue.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VenueFlow {
    /// The venue.
    pub venue: String,
    /// The asset.
    pub asset: Option<String>,
    /// In less out, in US dollars.
    pub net_flow_usd: Option<f64>,
    /// In, in US dollars.
    pub gross_inflow_usd: Option<f64>,
    /// Out, in US dollars.
    pub gross_outflow_usd: Option<f64>,
    /// In less out, in `nativeUnit`.
    pub native_net_flow: Option<f64>,
    /// The asset's own unit.
    pub native_unit: Option<String>,
    /// Of the whole, from 0 to 1.
    pub share_of_total: Option<f64>,
    /// From 1.
    pub rank: Option<u64>,
}

/// Something that may have moved the market.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CatalystRef {
    /// Who reports it.
    pub source: String,
    /// When, in ISO 8601.
    pub published_at: Option<String>,
    /// What they say.
    pub claim: Option<String>,
    /// What it has to do with the flow.
    pub relation_to_flow: Option<String>,
    /// Where to read it.
    pub url: Option<String>,
}

/// What derivatives say about a flow.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DerivativesContext {
    /// Which way open interest goes.
    pub open_interest_direction: Option<String>,
    /// By how much, in percent.
    pub open_interest_change_pct: Option<f64>,
    /// Which side is liquidated.
    pub liquidation_bias: Option<String>,
    /// The venues that were looked at.
    #[serde(default)]
    pub venues: Vec<String>,
    /// How it fits the flows.
    pub relationship_to_spot_flows: Option<String>,
    /// Venues whose flow and liquidations lean apart; no client types it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub divergent_venues: Vec<String>,
}
