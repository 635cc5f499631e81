//! The evidence package.

use contract::evidence as wire;
use contract::result::Tone as WireTone;
use domain::{
    Confidence, Evidence, Freshness, Level, Metric, Severity, SourceRef, Tone, View, ViewKind, ViewRow,
};

use super::{count, market, time};

/// The facts, their sources, and what is assumed and not known.
pub(crate) fn evidence(evidence: &Evidence) -> wire::Evidence {
    wire::Evidence {
        facts: evidence.facts.iter().map(fact).collect(),
        source_refs: evidence.sources.iter().map(source).collect(),
        assumptions: evidence.assumptions.clone(),
        known_unknowns: evidence.known_unknowns.clone(),
        retrieval_plan_reason_codes: evidence
            .retrieval_reasons
            .iter()
            .map(|&reason| reason.to_owned())
            .collect(),
        market_intelligence: evidence.market.as_deref().map(market::intelligence),
    }
}

fn fact(fact: &domain::Fact) -> wire::Fact {
    wire::Fact {
        id: fact.id.clone(),
        label: fact.label.clone(),
        path: fact.path.clone(),
        relevance_score: fact.relevance,
        value: fact.value.clone(),
    }
}

fn source(source: &SourceRef) -> wire::SourceRef {
    wire::SourceRef {
        id: source.id.clone(),
        provider: Some(source.provider.clone()),
        dataset: Some(source.dataset.clone()),
        observed_at: Some(time(source.observed_at)),
        published_at: source.published_at.map(time),
        artifact_ref: source.artifact.clone(),
        url: source.url.clone(),
        note: source.note.clone(),
    }
}

/// The facts laid out.
pub(crate) fn view(view: &View) -> wire::View {
    let (kind, label) = match view.kind {
        ViewKind::Table => (wire::ViewKind::Table, "Table"),
        ViewKind::Leaderboard => (wire::ViewKind::Leaderboard, "Leaderboard"),
        ViewKind::Heatmap => (wire::ViewKind::Heatmap, "Heatmap"),
        ViewKind::Timeseries => (wire::ViewKind::Timeseries, "Time series"),
    };
    wire::View {
        kind,
        label: label.to_owned(),
        title: Some(view.title.clone()),
        metrics: view.metrics.iter().map(metric).collect(),
        columns: view.columns.clone(),
        rows: view.rows.iter().map(row).collect(),
    }
}

fn metric(metric: &Metric) -> wire::Metric {
    wire::Metric { label: metric.label.clone(), value: metric.value.clone(), tone: metric.tone.map(tone) }
}

fn row(row: &ViewRow) -> wire::ViewRow {
    wire::ViewRow {
        key: row.key.clone(),
        cells: row.cells.clone(),
        tone: row.tone.map(tone),
        source_ref_ids: row.sources.clone(),
    }
}

fn tone(tone: Tone) -> WireTone {
    match tone {
        Tone::Positive => WireTone::Positive,
        Tone::Negative => WireTone::Negative,
        Tone::Neutral => WireTone::Neutral,
        Tone::Caution => WireTone::Caution,
    }
}

/// How old the evidence is.
pub(crate) fn freshness(freshness: &Freshness) -> wire::Freshness {
    let as_of = freshness.as_of.map(time);
    let note = match &as_of {
        Some(at) => format!("Most recent evidence timestamp: {at}"),
        None => "No evidence timestamp is available.".to_owned(),
    };
    wire::Freshness { as_of, source_timestamps: freshness.observed.iter().copied().map(time).collect(), note }
}

/// How far it carries.
pub(crate) fn confidence(confidence: &Confidence) -> wire::Confidence {
    wire::Confidence {
        level: match confidence.level {
            Level::Low => wire::ConfidenceLevel::Low,
            Level::Medium => wire::ConfidenceLevel::Medium,
            Level::High => wire::ConfidenceLevel::High,
        },
        reason: confidence.reason.clone(),
        verified_fact_count: count(confidence.verified_facts),
        inferred_fact_count: count(confidence.inferred_facts),
        gap_count: count(confidence.gaps.len()),
        gap_signals: confidence
            .gaps
            .iter()
            .map(|gap| wire::GapSignal {
                code: gap.code.word().to_owned(),
                severity: match gap.severity {
                    Severity::Low => wire::Severity::Low,
                    Severity::Medium => wire::Severity::Medium,
                    Severity::High => wire::Severity::High,
                },
                detail: gap.detail.clone(),
            })
            .collect(),
    }
}
