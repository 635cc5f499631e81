//! What clients send, and what they get wrong.

use proptest::prelude::{Just, Strategy, any, prop_oneof, proptest};
use serde_json::{Value, json};

use super::{BodyFault, ErrorCode, QueryBody};
use crate::query::{ClarificationPolicy, DeepMode, ForkReason, QueryDepth, ResponseShape};

const TOOL: &str = "0f2b1c5e-3d4a-4b6c-8d7e-9f0a1b2c3d4e";

fn parse(value: &Value) -> Result<QueryBody, BodyFault> {
    QueryBody::parse(value.to_string().as_bytes())
}

fn with(key: &str, value: &Value) -> Value {
    json!({"query": "q", key: value})
}

fn fault(value: &Value) -> (String, ErrorCode) {
    let fault = parse(value).unwrap_err();
    (fault.field, fault.code)
}

#[test]
fn the_oldest_python_form_is_read() {
    let body = parse(&json!({
        "query": "q", "tools": null, "stream": true, "clarificationPolicy": "return", "answerModelId": "glm-model",
        "queryDepth": "deep", "debugScoutDeepMode": "deep-light", "includeDeveloperTrace": true, "somethingNew": {"a": 1},
    }))
    .unwrap();
    assert_eq!(
        body,
        QueryBody {
            query: "q".to_owned(),
            stream: true,
            clarification_policy: Some(ClarificationPolicy::Return),
            agent_model_id: Some("glm-model".to_owned()),
            include_developer_trace: true,
            query_depth: Some(QueryDepth::Deep),
            debug_scout_deep_mode: Some(DeepMode::DeepLight),
            ..QueryBody::default()
        }
    );
    assert_eq!(body.depth(), Some(QueryDepth::Deep));
}

#[test]
fn the_newest_form_round_trips() {
    let value = json!({
        "query": "q", "stream": false, "agentModelId": "kimi-k2.6-model", "responseShape": "evidence_only",
        "includeData": true, "includeDataUrl": true, "includeDeveloperTrace": false,
        "forkFrom": {"sessionId": "s", "attemptId": "a", "reason": "patch_retry"},
    });
    let body = parse(&value).unwrap();
    assert_eq!(body.response_shape, Some(ResponseShape::EvidenceOnly));
    assert_eq!(body.fork_from.as_ref().and_then(|fork| fork.reason), Some(ForkReason::PatchRetry));
    assert_eq!(serde_json::to_value(&body).unwrap(), value);
}

#[test]
fn the_newest_model_name_wins() {
    let model = |value: Value| parse(&value).unwrap().agent_model_id;
    let three = json!({"query": "q", "modelId": "a", "answerModelId": "b", "agentModelId": "c"});
    assert_eq!(model(three).as_deref(), Some("c"));
    assert_eq!(model(json!({"query": "q", "modelId": "a", "answerModelId": "b"})).as_deref(), Some("b"));
    assert_eq!(model(json!({"query": "q", "modelId": "a", "agentModelId": ""})).as_deref(), Some("a"));
    assert_eq!(model(json!({"query": "q", "agentModelId": null})), None);
}

#[test]
fn null_is_absent() {
    let keys = [
        "tools",
        "stream",
        "clarificationPolicy",
        "favoritesOnly",
        "agentModelId",
        "answerModelId",
        "modelId",
        "responseShape",
        "includeData",
        "includeDataUrl",
        "includeDeveloperTrace",
        "queryDepth",
        "debugScoutDeepMode",
        "resumeFrom",
        "forkFrom",
    ];
    let plain = parse(&json!({"query": "q"})).unwrap();
    for key in keys {
        assert_eq!(parse(&with(key, &Value::Null)).as_ref(), Ok(&plain), "{key}");
    }
}

#[test]
fn broken_bodies_say_where() {
    let fault = QueryBody::parse(b"{\"query\": \"q\",\n \"stream\": tru}").unwrap_err();
    insta::assert_snapshot!(fault, @"the body is not valid JSON at line 2, column 15");
    assert_eq!(fault.code, ErrorCode::InvalidJson);
    assert_eq!(QueryBody::parse(b"").unwrap_err().code, ErrorCode::InvalidJson);
    assert_eq!(QueryBody::parse(b"{\"query\":\"\xff\"}").unwrap_err().code, ErrorCode::InvalidJson);
    assert_eq!(QueryBody::parse("[".repeat(100_000).as_bytes()).unwrap_err().code, ErrorCode::InvalidJson);
    let fault = QueryBody::parse(b"[1]").unwrap_err();
    insta::assert_snapshot!(fault, @"the body must be a JSON object, not an array");
    assert_eq!(fault.code, ErrorCode::InvalidBody);
}

#[test]
fn wrong_types_name_their_field() {
    for key in ["query", "agentModelId", "answerModelId", "modelId", "clarificationPolicy", "responseShape"] {
        assert_eq!(fault(&json!({"query": "q", key: 7})), (key.to_owned(), ErrorCode::InvalidType));
    }
    for key in ["stream", "favoritesOnly", "includeData", "includeDataUrl", "includeDeveloperTrace"] {
        assert_eq!(fault(&with(key, &json!("true"))), (key.to_owned(), ErrorCode::InvalidType));
    }
    for key in ["queryDepth", "debugScoutDeepMode", "tools", "resumeFrom", "forkFrom"] {
        assert_eq!(fault(&with(key, &json!(true))), (key.to_owned(), ErrorCode::InvalidType));
    }
    assert_eq!(fault(&with("tools", &json!([TOOL, 1]))), ("tools[1]".to_owned(), ErrorCode::InvalidType));
    let nested = json!({"sessionId": [], "attemptId": "a"});
    assert_eq!(fault(&with("forkFrom", &nested)), ("forkFrom.sessionId".to_owned(), ErrorCode::InvalidType));
}

#[test]
fn missing_and_empty_fields_are_named() {
    assert_eq!(fault(&json!({})), ("query".to_owned(), ErrorCode::MissingField));
    assert_eq!(fault(&json!({"query": null})), ("query".to_owned(), ErrorCode::MissingField));
    assert_eq!(fault(&json!({"query": ""})), ("query".to_owned(), ErrorCode::InvalidValue));
    assert_eq!(fault(&json!({"query": " \n\u{a0}"})), ("query".to_owned(), ErrorCode::InvalidValue));
    let resume = with("resumeFrom", &json!({"attemptId": "a"}));
    assert_eq!(fault(&resume), ("resumeFrom.sessionId".to_owned(), ErrorCode::MissingField));
    let fork = with("forkFrom", &json!({"sessionId": "s"}));
    assert_eq!(fault(&fork), ("forkFrom.attemptId".to_owned(), ErrorCode::MissingField));
}

#[test]
fn unknown_words_come_with_the_known_ones() {
    insta::assert_snapshot!(
        parse(&with("queryDepth", &json!("slow"))).unwrap_err(),
        @r#"`queryDepth` must be one of fast, auto, deep, not "slow""#
    );
    let fork = json!({"sessionId": "s", "attemptId": "a", "reason": "because"});
    insta::assert_snapshot!(
        parse(&with("forkFrom", &fork)).unwrap_err(),
        @r#"`forkFrom.reason` must be one of manual_fork, bounded_rediscovery, resume_replay, patch_retry, clarification_branch, unknown, not "because""#
    );
    for key in ["clarificationPolicy", "responseShape", "debugScoutDeepMode"] {
        assert_eq!(fault(&with(key, &json!("other"))), (key.to_owned(), ErrorCode::InvalidValue));
    }
    let long = parse(&with("responseShape", &json!("é".repeat(5_000)))).unwrap_err().to_string();
    assert!(long.chars().count() < 200, "{long}");
}

#[test]
fn tool_ids_are_uuids() {
    assert_eq!(parse(&with("tools", &json!([TOOL.to_uppercase()]))).unwrap().tools, [TOOL]);
    for text in [
        "",
        "exchange-flows",
        &TOOL[1..],
        &format!("{TOOL}-"),
        &TOOL.replace('-', ""),
        &TOOL.replace('0', "g"),
    ] {
        assert_eq!(
            fault(&with("tools", &json!([text]))),
            ("tools[0]".to_owned(), ErrorCode::InvalidValue),
            "{text}"
        );
    }
}

#[test]
fn exclusions_hold() {
    let reference = json!({"sessionId": "s", "attemptId": "a"});
    let conflict = |field: &str| (field.to_owned(), ErrorCode::ConflictingFields);
    let fast = json!({"query": "q", "queryDepth": "fast", "debugScoutDeepMode": "deep"});
    assert_eq!(fault(&fast), conflict("debugScoutDeepMode"));
    let both = json!({"query": "q", "resumeFrom": reference, "forkFrom": reference});
    assert_eq!(fault(&both), conflict("forkFrom"));
    for key in ["resumeFrom", "forkFrom"] {
        assert_eq!(fault(&json!({"query": "q", "tools": [TOOL], key: reference})), conflict(key));
        assert!(parse(&json!({"query": "q", "tools": [], key: reference})).is_ok());
        assert!(parse(&json!({"query": "q", "tools": null, key: reference})).is_ok());
    }
}

fn keys() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        Just("query"),
        Just("tools"),
        Just("stream"),
        Just("agentModelId"),
        Just("responseShape"),
        Just("queryDepth"),
        Just("debugScoutDeepMode"),
        Just("forkFrom"),
        Just("resumeFrom"),
        Just("unknownKey"),
    ]
}

fn values() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
        Just(json!("deep")),
        Just(json!([TOOL])),
        Just(json!([null])),
        Just(json!({"sessionId": "s", "attemptId": "a"})),
    ]
}

proptest! {
    #[test]
    fn any_object_is_read_or_its_fault_named(members in proptest::collection::vec((keys(), values()), 0..6)) {
        let object: serde_json::Map<String, Value> =
            members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
        match parse(&Value::Object(object.clone())) {
            Ok(body) => assert_eq!(Some(&Value::from(body.query)), object.get("query")),
            Err(fault) => assert!(!fault.field.is_empty() && fault.to_string().contains(&fault.field)),
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
        if let Err(fault) = QueryBody::parse(&bytes) {
            assert!(!fault.message.is_empty());
        }
    }
}
