//! From the wire to the words of the product: what was said becomes what is meant, here and nowhere else.

use contract::error::{BodyFault, ErrorCode};
use contract::query::{self as wire, QueryBody};
use domain::{
    ClarificationPolicy, Depth, Include, Lineage, LineageKind, ListingId, Query, ResponseShape, SaidChoice,
    ToolScope,
};
use policy::Policy;

/// A request body as a query, held to the policy's limits.
///
/// A clarification is returned only to callers that ask for one by name: newer clients cannot read it.
pub(crate) fn query(body: QueryBody, policy: &Policy) -> Result<Query, BodyFault> {
    let text = body.query.trim().to_owned();
    let characters = text.chars().count();
    let limit = policy.budgets.query_chars_max;
    if characters > limit {
        let message = format!("has {characters} characters; at most {limit} are allowed (`query_chars_max`)");
        return Err(BodyFault::new(ErrorCode::LimitExceeded, "query", message));
    }
    Ok(Query {
        depth: body.depth().map_or_else(|| policy.lanes.depth_default(), depth),
        tools: tools(&body.tools, policy.budgets.pinned_tools_max)?,
        clarification: body.clarification_policy.map_or(ClarificationPolicy::Auto, clarification),
        shape: body.response_shape.map_or(ResponseShape::AnswerWithEvidence, shape),
        include: Include {
            data: body.include_data,
            data_url: body.include_data_url,
            developer_trace: body.include_developer_trace,
        },
        lineage: lineage(&body),
        history: Vec::new(),
        choice: body.clarification_choice.as_ref().map(choice),
        answer_model: body.agent_model_id,
        text,
    })
}

fn choice(choice: &wire::ClarificationChoice) -> SaidChoice {
    SaidChoice { option: choice.option_id.clone(), token: choice.token.clone(), selection: None }
}

fn depth(depth: wire::QueryDepth) -> Depth {
    match depth {
        wire::QueryDepth::Fast => Depth::Fast,
        wire::QueryDepth::Auto => Depth::Auto,
        wire::QueryDepth::Deep => Depth::Deep,
    }
}

fn clarification(policy: wire::ClarificationPolicy) -> ClarificationPolicy {
    match policy {
        wire::ClarificationPolicy::Return => ClarificationPolicy::Return,
        wire::ClarificationPolicy::Auto => ClarificationPolicy::Auto,
        wire::ClarificationPolicy::Error => ClarificationPolicy::Error,
    }
}

fn shape(shape: wire::ResponseShape) -> ResponseShape {
    match shape {
        wire::ResponseShape::Answer => ResponseShape::Answer,
        wire::ResponseShape::AnswerWithEvidence => ResponseShape::AnswerWithEvidence,
        wire::ResponseShape::EvidenceOnly => ResponseShape::EvidenceOnly,
    }
}

fn tools(ids: &[String], pinned_max: usize) -> Result<ToolScope, BodyFault> {
    if ids.is_empty() {
        return Ok(ToolScope::Discover);
    }
    if ids.len() > pinned_max {
        let message = format!("has {} ids; at most {pinned_max} are allowed (`pinned_tools_max`)", ids.len());
        return Err(BodyFault::new(ErrorCode::LimitExceeded, "tools", message));
    }
    let mut pinned: Vec<ListingId> = Vec::with_capacity(ids.len());
    for (place, id) in ids.iter().enumerate() {
        let id = id.parse().map_err(|_| {
            BodyFault::new(ErrorCode::InvalidValue, format!("tools[{place}]"), "must be a tool id: a UUID")
        })?;
        if !pinned.contains(&id) {
            pinned.push(id);
        }
    }
    Ok(ToolScope::Pinned(pinned))
}

fn lineage(body: &QueryBody) -> Option<Lineage> {
    let resumed = body.resume_from.as_ref().map(|from| Lineage {
        kind: LineageKind::Resume,
        session: from.session_id.clone(),
        attempt: from.attempt_id.clone(),
    });
    resumed.or_else(|| {
        body.fork_from.as_ref().map(|from| Lineage {
            kind: LineageKind::Fork,
            session: from.session_id.clone(),
            attempt: from.attempt_id.clone(),
        })
    })
}
