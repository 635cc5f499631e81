//! The ending of a run, as a conversation tells it.

use contract::chat::{
    Assumption, CardOption, CardState, Chunk, Citation, Citations, ClarificationCard, Conflict, Conflicts,
    EvidenceView, FinishMetadata, Gaps, Part, Quota, Trace, TurnUsage,
};
use contract::result::{CapabilityMiss, Clarification, Cost, QueryResult};
use jiff::Timestamp;

use super::Spoken;
use crate::chat::turn::Pending;
use crate::to_wire::time;

/// The ending of a turn.
pub(crate) struct Told {
    /// Its chunks but for the last.
    pub(crate) chunks: Vec<Chunk>,
    /// The last.
    pub(crate) finish: Chunk,
    /// What the thread waits on from now on.
    pub(crate) pending: Option<Pending>,
}

/// What a conversation knows of a run beside its result.
pub(crate) struct Around<'a> {
    /// The question that the core was asked.
    pub(crate) question: &'a str,
    /// What a new clarification is called.
    pub(crate) clarification_id: &'a str,
    /// When the options of a new clarification can no longer be taken.
    pub(crate) expires_at: Timestamp,
    /// What is left of the session's messages.
    pub(crate) quota: Option<Quota>,
}

/// The ending of a run that has a result, some of which was spoken.
pub(crate) fn told(result: QueryResult, spoken: &mut Spoken, around: Around<'_>) -> Told {
    let mut chunks = Vec::new();
    let assumption = result.assumption_made.as_ref().map(|made| Assumption {
        mode: "auto".to_owned(),
        option_id: made.option_id.clone(),
        label: made.label.clone(),
        reason: made.reason.clone(),
        original_query: around.question.to_owned(),
    });
    if let Some(data) = assumption.clone() {
        chunks.push(part(Part::Assumption { id: "assumption".to_owned(), data }));
    }
    chunks.extend(spoken.finish(&result.response));
    let dropped = spoken.dropped;
    let mut finish = finish(result.outcome_type.word(), result.duration_ms, &result.cost, around.quota);
    finish.usage.tool_calls = result.tools_used.iter().map(|tool| tool.skill_calls).sum();
    finish.citations_dropped = dropped;
    finish.assumption = assumption;
    finish.outcome_label = result.outcome.as_ref().map(|outcome| outcome.label.clone());
    finish.outcome_tone = result.outcome.as_ref().map(|outcome| outcome.tone);
    finish.confidence.clone_from(&result.confidence);
    finish.freshness.clone_from(&result.freshness);
    let mut result = result;
    evidence(&mut chunks, &mut result);
    let mut pending = None;
    if let Some(asked_back) = result.clarification.take() {
        let waiting = card(asked_back, around.clarification_id, around.expires_at);
        let (id, data) = (waiting.card.clarification_id.clone(), waiting.card.clone());
        chunks.push(part(Part::Clarification { id, data }));
        pending = Some(waiting);
    }
    if let Some(data) = result.capability_miss.take() {
        chunks.push(part(Part::CapabilityMiss { id: "capability-miss".to_owned(), data }));
    }
    if let Some(trace) = result.developer_trace.take() {
        chunks.push(part(Part::Trace { id: "trace".to_owned(), data: Trace { trace } }));
    }
    chunks.extend(at_odds(std::mem::take(&mut spoken.conflicts)));
    chunks.extend(citations(spoken.take_citations(), dropped));
    Told { chunks, finish: Chunk::from(finish), pending }
}

/// The ending of a question that was turned away: an honest "cannot", for which nothing was done.
pub(crate) fn refused((message, question): (&str, &str), spoken: &mut Spoken, quota: Option<Quota>) -> Told {
    let miss = CapabilityMiss {
        message: message.to_owned(),
        missing_capabilities: Vec::new(),
        suggested_rewrites: Vec::new(),
        original_query: question.to_owned(),
    };
    let mut chunks = spoken.finish(message);
    chunks.push(part(Part::CapabilityMiss { id: "capability-miss".to_owned(), data: miss }));
    let finish = finish("capability_miss", 0, &Cost::zero(), quota);
    Told { chunks, finish: Chunk::from(finish), pending: None }
}

/// The ending of a message that asked for nothing.
pub(crate) fn replied(reply: &str, spoken: &mut Spoken, quota: Option<Quota>) -> Told {
    let chunks = spoken.finish(reply);
    Told { chunks, finish: Chunk::from(finish("answer", 0, &Cost::zero(), quota)), pending: None }
}

/// The ending of a run that broke.
pub(crate) fn failed(error_text: String) -> Told {
    Told { chunks: Vec::new(), finish: Chunk::Error { error_text }, pending: None }
}

/// The ending of a run that was stopped.
pub(crate) fn aborted() -> Told {
    Told { chunks: Vec::new(), finish: Chunk::Abort, pending: None }
}

/// Where sources contradict each other; nothing where they do not.
pub(super) fn at_odds(conflicts: Vec<Conflict>) -> Option<Chunk> {
    let data = Conflicts { conflicts };
    (!data.conflicts.is_empty()).then(|| part(Part::Conflicts { id: "conflicts".to_owned(), data }))
}

/// The validated list, last of all: nothing where nothing was cited.
pub(super) fn citations(citations: Vec<Citation>, dropped: u64) -> Option<Chunk> {
    let data = Citations { citations, dropped };
    let is_worth_it = !data.citations.is_empty() || dropped > 0;
    is_worth_it.then(|| part(Part::Citations { id: "citations".to_owned(), data }))
}

fn part(part: Part) -> Chunk {
    Chunk::Data(part)
}

fn evidence(chunks: &mut Vec<Chunk>, result: &mut QueryResult) {
    if let (Some(view), Some(evidence)) = (result.view.take(), result.evidence.take()) {
        let data = EvidenceView {
            view: view.kind,
            label: view.label,
            title: view.title,
            metrics: view.metrics,
            columns: view.columns,
            rows: view.rows,
            facts: evidence.facts,
            sources: evidence.source_refs,
            assumptions: evidence.assumptions,
            known_unknowns: evidence.known_unknowns,
            data_url: result.data_url.take(),
        };
        chunks.push(part(Part::Evidence { id: "evidence-1".to_owned(), data: Box::new(data) }));
    }
    let gaps = result.confidence.take().map(|confidence| confidence.gap_signals).unwrap_or_default();
    if !gaps.is_empty() {
        chunks.push(part(Part::Gaps { id: "gaps".to_owned(), data: Gaps { gaps } }));
    }
}

fn card(asked_back: Clarification, id: &str, expires_at: Timestamp) -> Pending {
    let tokens =
        asked_back.options.iter().map(|option| option.choice_token.clone().unwrap_or_default()).collect();
    let options = asked_back.options.into_iter().zip(1..).map(|(option, number)| CardOption {
        id: option.id,
        number,
        label: option.label,
        description: option.description,
        recommended: option.recommended,
        tool_name: option.tool_name,
        method_name: option.method_name,
        resolution_mode: option.resolution_mode,
        followup_prompt: option.followup_prompt,
    });
    let card = ClarificationCard {
        clarification_id: id.to_owned(),
        question: asked_back.question,
        options: options.collect(),
        recommended_option_id: asked_back.recommended_option_id,
        allow_freeform: asked_back.allow_freeform,
        original_query: asked_back.original_query,
        expires_at: time(expires_at),
        state: CardState::Pending,
    };
    Pending { card, tokens }
}

pub(super) fn finish(outcome: &str, latency_ms: u64, cost: &Cost, quota: Option<Quota>) -> FinishMetadata {
    FinishMetadata {
        outcome: outcome.to_owned(),
        latency_ms,
        citations_dropped: 0,
        usage: TurnUsage {
            model_cost_usd: cost.model_cost_usd.clone(),
            tool_cost_usd: cost.tool_cost_usd.clone(),
            cost_usd: cost.total_cost_usd.clone(),
            tool_calls: 0,
        },
        outcome_label: None,
        outcome_tone: None,
        confidence: None,
        freshness: None,
        assumption: None,
        quota,
    }
}
