//! Reads a request body as every client version sends it, and names the field that is at fault.

use serde_json::Value;

use super::{
    AttemptReference, ClarificationChoice, ClarificationPolicy, DeepMode, ForkReason, ForkReference,
    QueryBody, QueryDepth, ResponseShape,
};
use crate::error::{BodyFault, ErrorCode};
use crate::object::{Object, echo, parsed, wrong_type};

/// The hyphenated form of a UUID: groups of this many hexadecimal digits.
const UUID_GROUPS: [usize; 5] = [8, 4, 4, 4, 12];

const CLARIFICATION_POLICIES: &[(&str, ClarificationPolicy)] = &[
    ("return", ClarificationPolicy::Return),
    ("auto", ClarificationPolicy::Auto),
    ("error", ClarificationPolicy::Error),
];

const RESPONSE_SHAPES: &[(&str, ResponseShape)] = &[
    ("answer", ResponseShape::Answer),
    ("answer_with_evidence", ResponseShape::AnswerWithEvidence),
    ("evidence_only", ResponseShape::EvidenceOnly),
];

const QUERY_DEPTHS: &[(&str, QueryDepth)] =
    &[("fast", QueryDepth::Fast), ("auto", QueryDepth::Auto), ("deep", QueryDepth::Deep)];

const DEEP_MODES: &[(&str, DeepMode)] =
    &[("deep", DeepMode::Deep), ("deep-light", DeepMode::DeepLight), ("deep-heavy", DeepMode::DeepHeavy)];

const FORK_REASONS: &[(&str, ForkReason)] = &[
    ("manual_fork", ForkReason::ManualFork),
    ("bounded_rediscovery", ForkReason::BoundedRediscovery),
    ("resume_replay", ForkReason::ResumeReplay),
    ("patch_retry", ForkReason::PatchRetry),
    ("clarification_branch", ForkReason::ClarificationBranch),
    ("unknown", ForkReason::Unknown),
];

impl QueryBody {
    /// Reads the body of a request: unknown keys are ignored, null is absent, names of older clients are understood.
    /// Lengths are not checked.
    pub fn parse(bytes: &[u8]) -> Result<Self, BodyFault> {
        let members = parsed(bytes)?;
        let object = Object { members: &members, path: "" };
        let body = read(&object)?;
        exclusions(&body)?;
        Ok(body)
    }
}

fn read(object: &Object<'_>) -> Result<QueryBody, BodyFault> {
    let agent = object.text("agentModelId")?;
    let answer = object.text("answerModelId")?;
    let model = object.text("modelId")?;
    let named = |text: &String| !text.trim().is_empty();
    Ok(QueryBody {
        query: object.required_text("query")?,
        tools: tools(object)?,
        stream: object.flag("stream")?.unwrap_or(false),
        clarification_policy: object.word("clarificationPolicy", CLARIFICATION_POLICIES)?,
        favorites_only: object.flag("favoritesOnly")?,
        agent_model_id: agent.filter(named).or(answer.filter(named)).or(model.filter(named)),
        response_shape: object.word("responseShape", RESPONSE_SHAPES)?,
        include_data: object.flag("includeData")?.unwrap_or(false),
        include_data_url: object.flag("includeDataUrl")?.unwrap_or(false),
        include_developer_trace: object.flag("includeDeveloperTrace")?.unwrap_or(false),
        query_depth: object.word("queryDepth", QUERY_DEPTHS)?,
        debug_scout_deep_mode: object.word("debugScoutDeepMode", DEEP_MODES)?,
        resume_from: resume_from(object)?,
        fork_from: fork_from(object)?,
        clarification_choice: clarification_choice(object)?,
    })
}

fn tools(object: &Object<'_>) -> Result<Vec<String>, BodyFault> {
    let Some(value) = object.get("tools") else { return Ok(Vec::new()) };
    let Value::Array(items) = value else {
        return Err(wrong_type("tools".to_owned(), "an array of tool ids", value));
    };
    items.iter().enumerate().map(|(index, item)| tool_id(index, item)).collect()
}

fn tool_id(index: usize, item: &Value) -> Result<String, BodyFault> {
    let field = format!("tools[{index}]");
    let Value::String(text) = item else { return Err(wrong_type(field, "a tool id", item)) };
    if is_uuid(text) {
        return Ok(text.to_ascii_lowercase());
    }
    Err(BodyFault::new(
        ErrorCode::InvalidValue,
        field,
        format!("must be a tool id (a UUID), not {}", echo(text)),
    ))
}

fn is_uuid(text: &str) -> bool {
    let mut groups = text.split('-');
    UUID_GROUPS.iter().all(|length| {
        groups
            .next()
            .is_some_and(|group| group.len() == *length && group.bytes().all(|byte| byte.is_ascii_hexdigit()))
    }) && groups.next().is_none()
}

fn resume_from(object: &Object<'_>) -> Result<Option<AttemptReference>, BodyFault> {
    let Some(reference) = object.object("resumeFrom")? else { return Ok(None) };
    Ok(Some(AttemptReference {
        session_id: reference.required_text("sessionId")?,
        attempt_id: reference.required_text("attemptId")?,
    }))
}

fn fork_from(object: &Object<'_>) -> Result<Option<ForkReference>, BodyFault> {
    let Some(reference) = object.object("forkFrom")? else { return Ok(None) };
    Ok(Some(ForkReference {
        session_id: reference.required_text("sessionId")?,
        attempt_id: reference.required_text("attemptId")?,
        reason: reference.word("reason", FORK_REASONS)?,
    }))
}

fn clarification_choice(object: &Object<'_>) -> Result<Option<ClarificationChoice>, BodyFault> {
    let Some(choice) = object.object("clarificationChoice")? else { return Ok(None) };
    Ok(Some(ClarificationChoice {
        option_id: choice.required_text("optionId")?,
        token: choice.required_text("token")?,
    }))
}

fn exclusions(body: &QueryBody) -> Result<(), BodyFault> {
    let exclude = |field: &str, other: &str| {
        Err(BodyFault::new(ErrorCode::ConflictingFields, field, format!("cannot be combined with {other}")))
    };
    if body.debug_scout_deep_mode.is_some() && body.query_depth == Some(QueryDepth::Fast) {
        return exclude("debugScoutDeepMode", "`queryDepth` \"fast\"");
    }
    if body.resume_from.is_some() && body.fork_from.is_some() {
        return exclude("forkFrom", "`resumeFrom`");
    }
    if !body.tools.is_empty() && body.resume_from.is_some() {
        return exclude("resumeFrom", "`tools`");
    }
    if !body.tools.is_empty() && body.fork_from.is_some() {
        return exclude("forkFrom", "`tools`");
    }
    Ok(())
}

#[cfg(test)]
mod tests;
