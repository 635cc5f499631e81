//! Evidence in the terms of markets.

use contract::intelligence as wire;
use domain::{FlowDirection, MarketIntelligence};

use super::{count, time};

/// What results say of flows between markets.
pub(crate) fn intelligence(market: &MarketIntelligence) -> wire::MarketIntelligence {
    wire::MarketIntelligence {
        asset: market.asset.clone(),
        assets: market.assets.clone(),
        time_window: market.time_window.clone(),
        as_of: market.as_of.map(time),
        aggregate_flow: market.aggregate_flow.as_ref().map(aggregate),
        venue_breakdown: market.venue_breakdown.iter().map(venue).collect(),
        catalyst_refs: market.catalyst_refs.iter().map(catalyst).collect(),
        derivatives_context: market.derivatives_context.as_ref().map(derivatives),
        baseline_comparison: market.baseline_comparison.as_ref().map(|baseline| wire::BaselineComparison {
            baseline_window: baseline.baseline_window.clone(),
            delta_usd: baseline.delta_usd,
            delta_pct: baseline.delta_pct,
            regime_change: baseline.regime_change,
        }),
        anomaly: market.anomaly.as_ref().map(anomaly),
        regime_shift: market.regime_shift.as_ref().map(|regime| wire::RegimeShift {
            previous_state: regime.previous_state.clone(),
            current_state: regime.current_state.clone(),
            flip_timestamp: regime.flip_timestamp.map(time),
            supporting_venues: regime.supporting_venues.clone(),
            supporting_metrics: regime.supporting_metrics.clone(),
        }),
    }
}

fn aggregate(flow: &domain::AggregateFlow) -> wire::AggregateFlow {
    wire::AggregateFlow {
        net_flow_usd: Some(flow.net_flow_usd),
        gross_inflow_usd: Some(flow.gross_inflow_usd),
        gross_outflow_usd: Some(flow.gross_outflow_usd),
        native_net_flow: None,
        native_unit: None,
        direction: match flow.direction {
            FlowDirection::Inflow => wire::FlowDirection::Inflow,
            FlowDirection::Outflow => wire::FlowDirection::Outflow,
            FlowDirection::Flat => wire::FlowDirection::Flat,
            FlowDirection::Mixed => wire::FlowDirection::Mixed,
        },
    }
}

fn venue(flow: &domain::VenueFlow) -> wire::VenueFlow {
    wire::VenueFlow {
        venue: flow.venue.clone(),
        asset: flow.asset.clone(),
        net_flow_usd: Some(flow.net_flow_usd),
        gross_inflow_usd: Some(flow.gross_inflow_usd),
        gross_outflow_usd: Some(flow.gross_outflow_usd),
        native_net_flow: flow.native_net_flow,
        native_unit: flow.native_unit.clone(),
        share_of_total: Some(flow.share_of_total),
        rank: Some(count(flow.rank)),
    }
}

fn catalyst(catalyst: &domain::Catalyst) -> wire::CatalystRef {
    wire::CatalystRef {
        source: catalyst.source.clone(),
        published_at: Some(time(catalyst.published_at)),
        claim: Some(catalyst.claim.clone()),
        relation_to_flow: Some(catalyst.relation_to_flow.clone()),
        url: catalyst.url.clone(),
    }
}

fn derivatives(context: &domain::DerivativesContext) -> wire::DerivativesContext {
    wire::DerivativesContext {
        open_interest_direction: Some(context.open_interest_direction.clone()),
        open_interest_change_pct: Some(context.open_interest_change_pct),
        liquidation_bias: Some(context.liquidation_bias.clone()),
        venues: context.venues.clone(),
        relationship_to_spot_flows: Some(context.relationship_to_spot_flows.clone()),
        divergent_venues: context.divergent_venues.clone(),
    }
}

fn anomaly(anomaly: &domain::Anomaly) -> wire::Anomaly {
    wire::Anomaly {
        asset: anomaly.asset.clone(),
        venue: anomaly.venue.clone(),
        metric: anomaly.metric.clone(),
        observed_value_usd: anomaly.observed_value_usd,
        baseline_value_usd: anomaly.baseline_value_usd,
        delta_usd: anomaly.delta_usd,
        delta_pct: anomaly.delta_pct,
        z_score: anomaly.z_score,
        baseline_window: anomaly.baseline_window.clone(),
    }
}
