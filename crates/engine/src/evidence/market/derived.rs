//! What follows from records: sums, shares, ranks, and one thing held against another.

use std::collections::BTreeMap;

use domain::{
    AggregateFlow, Anomaly, BaselineComparison, Catalyst, DerivativesContext, FlowDirection,
    MarketIntelligence, RegimeShift, VenueFlow,
};
use jiff::Timestamp;
use policy::{Market, MarketKind};
use reading::time::{Length, length_of};

use super::records::{Record, Records};
use crate::playbook::{Playbook, is_stale};

/// Everything that records say; none where they have no flow.
pub(super) fn intelligence(
    records: &Records<'_>,
    playbook: &Playbook,
    market: &Market,
    asked_at: Timestamp,
) -> Option<MarketIntelligence> {
    let venues = venues(records, playbook);
    if venues.is_empty() {
        return None;
    }
    let aggregate = aggregate(&venues, market);
    let mut assets: Vec<String> = venues.iter().filter_map(|venue| venue.asset.clone()).collect();
    let place = |asset: &String| playbook.assets.iter().position(|one| one == asset).unwrap_or(usize::MAX);
    assets.sort_by_key(place);
    assets.dedup();
    let as_of = records.of_kind(MarketKind::VenueFlow).map(|record| record.observed_at).max();
    let derivatives = derivatives(records, &aggregate, &venues, market);
    Some(MarketIntelligence {
        asset: (assets.len() == 1).then(|| assets[0].clone()),
        assets,
        time_window: Some(playbook.window.clone()),
        as_of,
        catalyst_refs: catalysts(records, playbook, market, asked_at),
        derivatives_context: derivatives,
        baseline_comparison: baseline(records, &venues),
        anomaly: anomaly(records),
        regime_shift: regime(records, &venues, market),
        aggregate_flow: Some(aggregate),
        venue_breakdown: venues,
    })
}

fn venues(records: &Records<'_>, playbook: &Playbook) -> Vec<VenueFlow> {
    let mut venues: Vec<VenueFlow> = Vec::new();
    for record in records.of_kind(MarketKind::VenueFlow) {
        let is_other = record.text("window").is_some_and(|window| window != playbook.window);
        let flow = || {
            Some(VenueFlow {
                venue: record.text("venue")?,
                asset: record.text("asset"),
                net_flow_usd: record.number("net_usd")?,
                gross_inflow_usd: record.number("inflow_usd")?,
                gross_outflow_usd: record.number("outflow_usd")?,
                native_net_flow: record.number("net_native"),
                native_unit: record.number("net_native").and_then(|_| record.text("asset")),
                share_of_total: 0.0,
                rank: 0,
                source: record.source.clone(),
            })
        };
        let Some(flow) = flow().filter(|_| !is_other) else { continue };
        if !venues.iter().any(|known| known.venue == flow.venue && known.asset == flow.asset) {
            venues.push(flow);
        }
    }
    let gross = |venue: &VenueFlow| venue.gross_inflow_usd + venue.gross_outflow_usd;
    let mut totals: BTreeMap<Option<String>, f64> = BTreeMap::new();
    for venue in &venues {
        *totals.entry(venue.asset.clone()).or_default() += gross(venue);
    }
    let place = |asset: &Option<String>| playbook.assets.iter().position(|one| Some(one) == asset.as_ref());
    venues.sort_by(|one, other| {
        place(&one.asset)
            .cmp(&place(&other.asset))
            .then(one.asset.cmp(&other.asset))
            .then(other.net_flow_usd.total_cmp(&one.net_flow_usd))
    });
    let mut rank = 0;
    for at in 0..venues.len() {
        let is_next = at > 0 && venues[at].asset == venues[at - 1].asset;
        rank = if is_next { rank + 1 } else { 1 };
        let total = totals.get(&venues[at].asset).copied().unwrap_or_default();
        venues[at].rank = rank;
        venues[at].share_of_total = if total > 0.0 { rounded(gross(&venues[at]) / total, 6) } else { 0.0 };
    }
    venues
}

fn aggregate(venues: &[VenueFlow], market: &Market) -> AggregateFlow {
    let sum = |of: fn(&VenueFlow) -> f64| venues.iter().map(of).sum::<f64>();
    let (net, inflow, outflow) =
        (sum(|it| it.net_flow_usd), sum(|it| it.gross_inflow_usd), sum(|it| it.gross_outflow_usd));
    let nets: Vec<f64> = by_asset(venues).into_values().collect();
    let direction = if nets.iter().any(|net| *net > 0.0) && nets.iter().any(|net| *net < 0.0) {
        FlowDirection::Mixed
    } else if net.abs() <= market.flat_share_max * (inflow + outflow) {
        FlowDirection::Flat
    } else if net > 0.0 {
        FlowDirection::Inflow
    } else {
        FlowDirection::Outflow
    };
    AggregateFlow { net_flow_usd: net, gross_inflow_usd: inflow, gross_outflow_usd: outflow, direction }
}

/// The net flow of each asset over all venues.
fn by_asset(venues: &[VenueFlow]) -> BTreeMap<Option<String>, f64> {
    let mut nets: BTreeMap<Option<String>, f64> = BTreeMap::new();
    for venue in venues {
        *nets.entry(venue.asset.clone()).or_default() += venue.net_flow_usd;
    }
    nets
}

fn baseline(records: &Records<'_>, venues: &[VenueFlow]) -> Option<BaselineComparison> {
    let mut usual = 0.0;
    let mut now = 0.0;
    let mut window = None;
    for record in records.of_kind(MarketKind::Baseline) {
        let (venue, asset) = (record.text("venue")?, record.text("asset"));
        let Some(flow) = venues.iter().find(|flow| flow.venue == venue && flow.asset == asset) else {
            continue;
        };
        usual += record.number("mean_usd")?;
        now += flow.net_flow_usd;
        window = stretch(record).or(window);
    }
    let delta = now - usual;
    Some(BaselineComparison {
        baseline_window: window?,
        delta_usd: delta,
        delta_pct: percent(delta, usual),
        regime_change: (now < 0.0) != (usual < 0.0),
    })
}

/// How far back a baseline reaches: its windows, one after the other.
fn stretch(record: &Record<'_>) -> Option<String> {
    let samples = record.number("samples")?;
    let window = length_of(&record.text("window")?)?;
    #[expect(clippy::cast_possible_truncation, reason = "a count of windows")]
    let seconds = window.seconds().saturating_mul(samples as i64);
    let days = seconds / DAY_SECONDS;
    Some(if days > 0 && seconds % DAY_SECONDS == 0 {
        format!("{days}d")
    } else {
        Length { count: seconds / 3600, unit: jiff::Unit::Hour }.to_string()
    })
}

const DAY_SECONDS: i64 = 86_400;

fn anomaly(records: &Records<'_>) -> Option<Anomaly> {
    let strength = |record: &Record<'_>| record.number("z_score").unwrap_or_default().abs();
    let most = records
        .of_kind(MarketKind::Anomaly)
        .max_by(|one, other| strength(one).total_cmp(&strength(other)))?;
    let (observed, usual) = (most.number("observed_usd")?, most.number("baseline_usd")?);
    let (venue, asset) = (most.text("venue")?, most.text("asset")?);
    let of_same = |record: &&Record<'_>| {
        record.text("venue").as_ref() == Some(&venue) && record.text("asset").as_ref() == Some(&asset)
    };
    let baseline_window = records.of_kind(MarketKind::Baseline).find(of_same).and_then(stretch);
    Some(Anomaly {
        asset,
        venue,
        metric: "netFlowUsd".to_owned(),
        observed_value_usd: observed,
        baseline_value_usd: usual,
        delta_usd: observed - usual,
        delta_pct: percent(observed - usual, usual),
        z_score: most.number("z_score")?,
        baseline_window,
    })
}

fn regime(records: &Records<'_>, venues: &[VenueFlow], market: &Market) -> Option<RegimeShift> {
    let record = records.of_kind(MarketKind::Regime).next()?;
    let current = record.text("state")?;
    let previous = market.opposites.iter().find_map(|[one, other]| {
        if *one == current { Some(other.clone()) } else { (*other == current).then(|| one.clone()) }
    })?;
    let net = record.number("net_usd")?;
    let mut agreeing: Vec<&VenueFlow> =
        venues.iter().filter(|venue| (venue.net_flow_usd < 0.0) == (net < 0.0)).collect();
    agreeing.sort_by(|one, other| other.net_flow_usd.abs().total_cmp(&one.net_flow_usd.abs()));
    let mut metrics = vec!["aggregateFlow.netFlowUsd".to_owned(), "venueBreakdown.netFlowUsd".to_owned()];
    if records.of_kind(MarketKind::Baseline).next().is_some() {
        metrics.push("baselineComparison.deltaUsd".to_owned());
    }
    Some(RegimeShift {
        previous_state: previous,
        current_state: current,
        flip_timestamp: record.time("flipped_at"),
        supporting_venues: agreeing.into_iter().map(|venue| venue.venue.clone()).collect(),
        supporting_metrics: metrics,
    })
}

fn catalysts(
    records: &Records<'_>,
    playbook: &Playbook,
    market: &Market,
    asked_at: Timestamp,
) -> Vec<Catalyst> {
    let minutes = playbook.minutes(MarketKind::Catalyst, market);
    let mut found: Vec<Catalyst> = Vec::new();
    for record in records.of_kind(MarketKind::Catalyst) {
        let one = || {
            Some(Catalyst {
                source: record.text("source")?,
                published_at: record.time("published_at")?,
                claim: record.text("claim")?,
                // Nothing here proves a cause.
                relation_to_flow: if record.flag("moves_flows") {
                    "reported as a possible cause, not proven".to_owned()
                } else {
                    "published at the same time, no stated link".to_owned()
                },
                url: record.text("url"),
            })
        };
        let Some(catalyst) = one().filter(|one| !is_stale(one.published_at, asked_at, minutes)) else {
            continue;
        };
        if !found.contains(&catalyst) {
            found.push(catalyst);
        }
    }
    found.sort_by(|one, other| {
        let is_cause = |one: &Catalyst| one.relation_to_flow.starts_with("reported");
        is_cause(other).cmp(&is_cause(one)).then(other.published_at.cmp(&one.published_at))
    });
    found
}

fn derivatives(
    records: &Records<'_>,
    aggregate: &AggregateFlow,
    venues: &[VenueFlow],
    market: &Market,
) -> Option<DerivativesContext> {
    let change = records.of_kind(MarketKind::OpenInterest).next()?.number("change_percent")?;
    let liquidations: Vec<(String, f64, f64)> = records
        .of_kind(MarketKind::Liquidations)
        .filter_map(|one| Some((one.text("venue")?, one.number("longs_usd")?, one.number("shorts_usd")?)))
        .collect();
    let (longs, shorts) =
        liquidations.iter().fold((0.0, 0.0), |(longs, shorts), one| (longs + one.1, shorts + one.2));
    let direction = if change.abs() <= market.flat_percent_max {
        "flat"
    } else if change > 0.0 {
        "rising"
    } else {
        "falling"
    };
    // Coins that arrive at venues and longs that are closed out both lean down.
    let (spot_leans_down, futures_lean_down) = (aggregate.net_flow_usd > 0.0, longs > shorts);
    let relationship = if direction == "flat" || aggregate.direction == FlowDirection::Flat {
        "mixed"
    } else if spot_leans_down == futures_lean_down {
        "confirms"
    } else {
        "contradicts"
    };
    let divergent = liquidations.iter().filter(|(venue, longs, shorts)| {
        venues.iter().any(|flow| {
            flow.venue.eq_ignore_ascii_case(venue) && (flow.net_flow_usd > 0.0) != (longs > shorts)
        })
    });
    Some(DerivativesContext {
        open_interest_direction: direction.to_owned(),
        open_interest_change_pct: change,
        liquidation_bias: if longs > shorts { "longs" } else { "shorts" }.to_owned(),
        divergent_venues: divergent.map(|(venue, _, _)| venue.clone()).collect(),
        venues: liquidations.iter().map(|(venue, _, _)| venue.clone()).collect(),
        relationship_to_spot_flows: relationship.to_owned(),
    })
}

fn percent(delta: f64, usual: f64) -> f64 {
    if usual == 0.0 { 0.0 } else { rounded(100.0 * delta / usual.abs(), 2) }
}

fn rounded(value: f64, places: i32) -> f64 {
    let scale = 10_f64.powi(places);
    (value * scale).round() / scale
}
