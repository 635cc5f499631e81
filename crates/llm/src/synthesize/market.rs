//! Sentences on flows between markets: the verdict first, then what it rests on.

use domain::{Evidence, FlowDirection, MarketIntelligence, VenueFlow};
use jiff::Timestamp;

/// What the evidence says, a paragraph each; of reports beside it `catalysts_max`.
pub(super) fn sentences(market: &MarketIntelligence, evidence: &Evidence, catalysts_max: usize) -> String {
    let mut said: Vec<String> = Vec::new();
    said.extend(regime(market));
    said.extend(anomaly(market));
    said.extend(derivatives(market));
    said.extend(direction(market));
    said.extend(leaders(market, evidence));
    said.extend(baseline(market));
    said.extend(catalysts(market, catalysts_max));
    said.join("\n\n")
}

fn direction(market: &MarketIntelligence) -> Option<String> {
    let flow = market.aggregate_flow.as_ref()?;
    let (assets, window) = (market.assets.join(", "), market.time_window.as_deref().unwrap_or("the window"));
    let way = match flow.direction {
        FlowDirection::Inflow => "is flowing into exchanges",
        FlowDirection::Outflow => "is flowing out of exchanges",
        FlowDirection::Flat => "is flowing neither into nor out of exchanges",
        FlowDirection::Mixed => "is flowing both ways, by asset",
    };
    Some(format!(
        "{assets} {way} over {window}: a net {} from {} in and {} out.",
        dollars(flow.net_flow_usd),
        dollars(flow.gross_inflow_usd),
        dollars(flow.gross_outflow_usd)
    ))
}

/// The first and the last venue of each asset.
fn leaders(market: &MarketIntelligence, evidence: &Evidence) -> Option<String> {
    let place = |venue: &VenueFlow| {
        let at = evidence.sources.iter().position(|source| source.id == venue.source);
        at.map_or_else(String::new, |at| format!(" [{}]", at + 1))
    };
    let told =
        |venue: &VenueFlow| format!("{} ({}){}", venue.venue, dollars(venue.net_flow_usd), place(venue));
    let mut lines = Vec::new();
    for asset in &market.assets {
        let of_asset: Vec<&VenueFlow> =
            market.venue_breakdown.iter().filter(|venue| venue.asset.as_ref() == Some(asset)).collect();
        let (Some(first), Some(last)) = (of_asset.first(), of_asset.last()) else { continue };
        lines.push(if of_asset.len() == 1 {
            format!("- {asset}: {}", told(first))
        } else {
            format!("- {asset}: most into {}, most out of {}", told(first), told(last))
        });
    }
    (!lines.is_empty()).then(|| lines.join("\n"))
}

fn baseline(market: &MarketIntelligence) -> Option<String> {
    let baseline = market.baseline_comparison.as_ref()?;
    let turned = if baseline.regime_change { ", and the other way" } else { "" };
    Some(format!(
        "Against the {} baseline that is {} ({}%){turned}.",
        baseline.baseline_window,
        dollars(baseline.delta_usd),
        baseline.delta_pct
    ))
}

fn anomaly(market: &MarketIntelligence) -> Option<String> {
    let anomaly = market.anomaly.as_ref()?;
    let window = anomaly.baseline_window.as_deref().unwrap_or("earlier");
    Some(format!(
        "The most abnormal flow is {} at {}: a net {} against {} in the {window} baseline, {} standard deviations away.",
        anomaly.asset,
        anomaly.venue,
        dollars(anomaly.observed_value_usd),
        dollars(anomaly.baseline_value_usd),
        anomaly.z_score
    ))
}

fn regime(market: &MarketIntelligence) -> Option<String> {
    let (regime, window) = (market.regime_shift.as_ref()?, market.time_window.as_deref()?);
    let since = |at: Timestamp| format!("since {}", at.strftime("%Y-%m-%d %H:%M UTC"));
    let held = regime.flip_timestamp.map_or_else(|| "for longer than was looked at".to_owned(), since);
    let within = regime.flip_timestamp.zip(market.as_of).is_some_and(|(flipped, as_of)| {
        let seconds = reading::time::length_of(window).map_or(0, reading::time::Length::seconds);
        as_of.duration_since(flipped).as_secs() <= seconds
    });
    let verdict = if within { "Yes" } else { "No" };
    Some(format!(
        "{verdict}: it is in {} {held}, after {}. Leading venues: {}.",
        regime.current_state,
        regime.previous_state,
        regime.supporting_venues.join(", ")
    ))
}

fn derivatives(market: &MarketIntelligence) -> Option<String> {
    let context = market.derivatives_context.as_ref()?;
    let verdict = match context.relationship_to_spot_flows.as_str() {
        "confirms" => "Exchange flows confirm derivatives positioning",
        "contradicts" => "Exchange flows contradict derivatives positioning",
        _ => "Exchange flows neither confirm nor contradict derivatives positioning",
    };
    let apart = if context.divergent_venues.is_empty() {
        "No venue diverges".to_owned()
    } else {
        format!("Venues that diverge: {}", context.divergent_venues.join(", "))
    };
    Some(format!(
        "{verdict}: open interest is {} ({}%), and liquidations hit {}. {apart}.",
        context.open_interest_direction, context.open_interest_change_pct, context.liquidation_bias
    ))
}

fn catalysts(market: &MarketIntelligence, catalysts_max: usize) -> Option<String> {
    let lines: Vec<String> = market
        .catalyst_refs
        .iter()
        .take(catalysts_max)
        .map(|one| {
            let at = one.published_at.strftime("%Y-%m-%d %H:%M UTC");
            format!("- {} ({}, {at}): {}", one.claim, one.source, one.relation_to_flow)
        })
        .collect();
    (!lines.is_empty()).then(|| format!("Reported beside it:\n\n{}", lines.join("\n")))
}

/// Dollars with their sign, in groups of three digits.
fn dollars(amount: f64) -> String {
    let whole = format!("{:.0}", amount.abs());
    let mut grouped = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at) % 3 == 0 {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    format!("{}${grouped}", if amount < 0.0 { "-" } else { "" })
}
