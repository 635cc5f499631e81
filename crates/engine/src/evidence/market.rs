//! Results in the terms of markets: records are read by the policy's fields, and what follows from them is computed.

mod derived;
mod layout;
mod records;

use std::collections::BTreeMap;

use domain::{Candidate, Gap, GapCode, MarketIntelligence, Severity};
use jiff::Timestamp;
use policy::{Market, MarketKind};

use crate::execute::Executed;
use crate::playbook::{self, Playbook, is_stale};

pub(super) use layout::{facts, view};
use records::Records;

/// The kinds of evidence that a question about flows asks for and no result gives: flows for every asset that can be had.
pub(crate) fn lacking(
    executed: &Executed,
    playbook: &Playbook,
    methods: &BTreeMap<MarketKind, Candidate>,
    market: &Market,
) -> Vec<MarketKind> {
    let records = Records::of(executed, market);
    let mut given = records.kinds();
    let has_flow = |asset: &str| {
        records.of_kind(MarketKind::VenueFlow).any(|record| record.text("asset").as_deref() == Some(asset))
    };
    let offered = methods
        .get(&MarketKind::VenueFlow)
        .map(|candidate| playbook::assets_offered(&candidate.method, playbook, market))
        .unwrap_or_default();
    if offered.into_iter().any(|asset| !has_flow(asset)) {
        given.retain(|kind| *kind != MarketKind::VenueFlow);
    }
    playbook.missing(&given)
}

/// What results say of flows, with what they leave open; none where they say nothing of them.
pub(super) fn of(
    executed: &Executed,
    playbook: &Playbook,
    market: &Market,
    asked_at: Timestamp,
) -> Option<(MarketIntelligence, Vec<Gap>)> {
    let records = Records::of(executed, market);
    let intelligence = derived::intelligence(&records, playbook, market, asked_at)?;
    let mut gaps = Vec::new();
    for record in &market.records {
        let oldest = records.of_kind(record.kind).map(|one| one.observed_at).min();
        // A report is as old as its publication, and an old one is left out and not stale.
        let minutes = playbook.minutes(record.kind, market);
        let is_old = oldest.is_some_and(|at| is_stale(at, asked_at, minutes));
        if is_old && record.kind != MarketKind::Catalyst {
            let word = record.kind.word().replace('_', " ");
            gaps.push(gap(GapCode::StaleData, &format!("The {word} data is older than {minutes} minutes.")));
        }
    }
    for kind in playbook.missing(&records.kinds()) {
        gaps.push(gap(GapCode::MissingField, &format!("No result gives {}.", kind.word().replace('_', " "))));
    }
    if playbook.kinds.contains(&MarketKind::Catalyst) && intelligence.catalyst_refs.is_empty() {
        let hours = playbook.minutes(MarketKind::Catalyst, market) / 60;
        let detail = format!("No catalyst was found that was published in the last {hours} hours.");
        gaps.push(Gap { code: GapCode::EntityNotCovered, severity: Severity::Low, detail });
    }
    Some((intelligence, gaps))
}

fn gap(code: GapCode, detail: &str) -> Gap {
    Gap { code, severity: Severity::Medium, detail: detail.to_owned() }
}
