//! Facts in the terms of markets.

use jiff::Timestamp;

/// What evidence says of flows between markets; dollars are US dollars, shares run from 0 to 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MarketIntelligence {
    /// The asset, where it is one.
    pub asset: Option<String>,
    /// The assets.
    pub assets: Vec<String>,
    /// The window that is looked at: `24h`.
    pub time_window: Option<String>,
    /// The newest observation.
    pub as_of: Option<Timestamp>,
    /// All venues together.
    pub aggregate_flow: Option<AggregateFlow>,
    /// Each venue and asset, by rank.
    pub venue_breakdown: Vec<VenueFlow>,
    /// What is reported beside it.
    pub catalyst_refs: Vec<Catalyst>,
    /// What derivatives say.
    pub derivatives_context: Option<DerivativesContext>,
    /// The flow against what is usual.
    pub baseline_comparison: Option<BaselineComparison>,
    /// What is farthest from usual.
    pub anomaly: Option<Anomaly>,
    /// Which way it goes, and since when.
    pub regime_shift: Option<RegimeShift>,
}

/// The flow over all venues.
#[derive(Clone, Debug, PartialEq)]
pub struct AggregateFlow {
    /// In less out.
    pub net_flow_usd: f64,
    /// In.
    pub gross_inflow_usd: f64,
    /// Out.
    pub gross_outflow_usd: f64,
    /// Which way.
    pub direction: FlowDirection,
}

/// Which way a flow goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlowDirection {
    /// To the venues.
    Inflow,
    /// From the venues.
    Outflow,
    /// Neither.
    Flat,
    /// One asset this way, another that way.
    Mixed,
}

impl FlowDirection {
    /// The word for people.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Inflow => "inflow",
            Self::Outflow => "outflow",
            Self::Flat => "flat",
            Self::Mixed => "mixed",
        }
    }
}

/// The flow of one venue in one asset.
#[derive(Clone, Debug, PartialEq)]
pub struct VenueFlow {
    /// The venue.
    pub venue: String,
    /// The asset.
    pub asset: Option<String>,
    /// In less out.
    pub net_flow_usd: f64,
    /// In.
    pub gross_inflow_usd: f64,
    /// Out.
    pub gross_outflow_usd: f64,
    /// In less out, in units of the asset.
    pub native_net_flow: Option<f64>,
    /// Those units.
    pub native_unit: Option<String>,
    /// Of what went in and out of all venues in the asset.
    pub share_of_total: f64,
    /// By net flow within the asset, from 1.
    pub rank: usize,
    /// The source that it was read from.
    pub source: String,
}

/// Something that is reported beside a flow.
#[derive(Clone, Debug, PartialEq)]
pub struct Catalyst {
    /// Who reports it.
    pub source: String,
    /// When.
    pub published_at: Timestamp,
    /// What they say.
    pub claim: String,
    /// What it has to do with the flow.
    pub relation_to_flow: String,
    /// Where to read it.
    pub url: Option<String>,
}

/// What derivatives say about a flow.
#[derive(Clone, Debug, PartialEq)]
pub struct DerivativesContext {
    /// `rising`, `falling` or `flat`.
    pub open_interest_direction: String,
    /// In percent.
    pub open_interest_change_pct: f64,
    /// `longs` or `shorts`.
    pub liquidation_bias: String,
    /// The venues that were looked at.
    pub venues: Vec<String>,
    /// `confirms`, `contradicts` or `mixed`.
    pub relationship_to_spot_flows: String,
    /// Venues whose flow and liquidations lean apart.
    pub divergent_venues: Vec<String>,
}

/// A flow against what is usual.
#[derive(Clone, Debug, PartialEq)]
pub struct BaselineComparison {
    /// The earlier stretch: `7d`.
    pub baseline_window: String,
    /// By how much it is more.
    pub delta_usd: f64,
    /// The same in percent of what is usual.
    pub delta_pct: f64,
    /// Whether the sign differs.
    pub regime_change: bool,
}

/// What is farthest from usual.
#[derive(Clone, Debug, PartialEq)]
pub struct Anomaly {
    /// The asset.
    pub asset: String,
    /// The venue.
    pub venue: String,
    /// What is measured.
    pub metric: String,
    /// What it is.
    pub observed_value_usd: f64,
    /// What is usual.
    pub baseline_value_usd: f64,
    /// By how much it is more.
    pub delta_usd: f64,
    /// The same in percent of what is usual.
    pub delta_pct: f64,
    /// In standard deviations.
    pub z_score: f64,
    /// The stretch that is usual: `30d`.
    pub baseline_window: Option<String>,
}

/// Which way a flow goes, and since when.
#[derive(Clone, Debug, PartialEq)]
pub struct RegimeShift {
    /// The state before.
    pub previous_state: String,
    /// The state now.
    pub current_state: String,
    /// When it flipped; none where that lies before what was looked at.
    pub flip_timestamp: Option<Timestamp>,
    /// Venues whose flow agrees with the state, the largest first.
    pub supporting_venues: Vec<String>,
    /// What it rests on.
    pub supporting_metrics: Vec<String>,
}
