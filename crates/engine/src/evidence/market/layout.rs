//! Market evidence laid out: the facts that matter most, and rows that a table can be made of.

use domain::{Fact, MarketIntelligence, View, ViewKind, ViewRow};
use serde_json::Value;

/// The facts, nearest to the question first.
pub(crate) fn facts(market: &MarketIntelligence, facts_max: usize) -> Vec<Fact> {
    let mut facts = Vec::new();
    let mut add = |label: String, value: Value, source: Option<String>| {
        facts.push(Fact {
            id: format!("path_lookup:{}", facts.len()),
            label,
            path: None,
            relevance: Some(1.0),
            value,
            source,
        });
    };
    if let Some(flow) = &market.aggregate_flow {
        add("Net flow USD over all venues".to_owned(), flow.net_flow_usd.into(), None);
        add("Direction of the flow".to_owned(), flow.direction.word().into(), None);
    }
    if let Some(anomaly) = &market.anomaly {
        add(format!("Z-score of {} at {}", anomaly.asset, anomaly.venue), anomaly.z_score.into(), None);
    }
    if let Some(regime) = &market.regime_shift {
        add("Regime".to_owned(), regime.current_state.clone().into(), None);
    }
    if let Some(baseline) = &market.baseline_comparison {
        add(
            format!("Change USD against the {} baseline", baseline.baseline_window),
            baseline.delta_usd.into(),
            None,
        );
    }
    if let Some(derivatives) = &market.derivatives_context {
        let change = derivatives.open_interest_change_pct;
        add("Open interest change percent".to_owned(), change.into(), None);
    }
    for venue in &market.venue_breakdown {
        let asset = venue.asset.as_deref().unwrap_or_default();
        add(
            format!("{} {asset}: Net flow USD", venue.venue),
            venue.net_flow_usd.into(),
            Some(venue.source.clone()),
        );
    }
    facts.truncate(facts_max);
    facts
}

/// The rows, one for each venue and asset, in the layout that the question asks for.
pub(crate) fn view(question: &str, market: &MarketIntelligence, rows_max: usize) -> View {
    let divergent = market.derivatives_context.as_ref().map(|context| &context.divergent_venues);
    let mut columns: Vec<String> =
        ["Rank", "Venue", "Asset", "Net flow USD", "Gross inflow USD", "Gross outflow USD", "Share of total"]
            .map(str::to_owned)
            .to_vec();
    if divergent.is_some() {
        columns.push("Against derivatives".to_owned());
    }
    let rows = market.venue_breakdown.iter().take(rows_max).map(|venue| {
        let mut cells = vec![
            venue.rank.to_string(),
            venue.venue.clone(),
            venue.asset.clone().unwrap_or_default(),
            venue.net_flow_usd.to_string(),
            venue.gross_inflow_usd.to_string(),
            venue.gross_outflow_usd.to_string(),
            venue.share_of_total.to_string(),
        ];
        cells.extend(divergent.map(|divergent| {
            let is_apart = divergent.iter().any(|other| other.eq_ignore_ascii_case(&venue.venue));
            if is_apart { "diverges" } else { "agrees" }.to_owned()
        }));
        (venue, cells)
    });
    let rows = rows.enumerate().map(|(at, (venue, cells))| ViewRow {
        key: format!("row-{}", at + 1),
        cells,
        tone: None,
        sources: vec![venue.source.clone()],
    });
    View {
        kind: kind(question, market),
        title: "Exchange flows by venue".to_owned(),
        metrics: Vec::new(),
        columns,
        rows: rows.collect(),
    }
}

fn kind(question: &str, market: &MarketIntelligence) -> ViewKind {
    let lower = question.to_lowercase();
    if lower.contains("heatmap") || market.anomaly.is_some() {
        ViewKind::Heatmap
    } else if lower.contains("rank") || lower.contains("largest") {
        ViewKind::Leaderboard
    } else if market.derivatives_context.is_some() {
        ViewKind::Table
    } else {
        ViewKind::Timeseries
    }
}
