//! Both dialects, without a network.

use serde_json::json;

use super::*;

const OPENAI: Manner =
    Manner { dialect: Dialect::OpenAi, structured: StructuredOutput::Schema, limit: OutputLimit::MaxTokens };
const ANTHROPIC: Manner =
    Manner { dialect: Dialect::Anthropic, structured: StructuredOutput::Tool, limit: OutputLimit::MaxTokens };

fn model() -> HostedModel {
    crate::tests::policy(&[]).models.models["small"].clone()
}

fn ask<'a>(turns: &'a [Turn], schema: Option<&'a Value>, is_streamed: bool) -> Ask<'a> {
    Ask { system: "The task.", turns, schema, output_tokens_max: 100, is_streamed }
}

#[test]
fn a_request_says_what_the_reply_has_to_look_like() {
    let turns = [Turn::User("a".to_owned()), Turn::Model("b".to_owned()), Turn::User("c".to_owned())];
    let schema = json!({"type": "object"});
    let model = model();
    let body = OPENAI.request(&model, &ask(&turns, Some(&schema), false));
    assert_eq!(body["response_format"]["json_schema"]["schema"], schema);
    assert_eq!(body["messages"][0], json!({"role": "system", "content": "The task."}));
    assert_eq!(body["messages"][2]["role"], "assistant");
    assert_eq!((&body["max_tokens"], body.get("stream")), (&json!(100), None));

    let tool =
        Manner { structured: StructuredOutput::Tool, limit: OutputLimit::MaxCompletionTokens, ..OPENAI };
    let body = tool.request(&model, &ask(&turns, Some(&schema), true));
    assert_eq!(body["tools"][0]["function"]["parameters"], schema);
    assert_eq!(body["tool_choice"]["function"]["name"], "reply");
    assert_eq!(body["stream_options"]["include_usage"], true);
    assert_eq!(body["max_completion_tokens"], 100);

    let body = ANTHROPIC.request(&model, &ask(&turns, Some(&schema), false));
    assert_eq!(body["tools"][0]["input_schema"], schema);
    assert_eq!(body["tool_choice"], json!({"type": "tool", "name": "reply"}));
    assert_eq!((&body["system"], body["messages"].as_array().unwrap().len()), (&json!("The task."), 3));

    let by_schema = Manner { structured: StructuredOutput::Schema, ..ANTHROPIC };
    let body = by_schema.request(&model, &ask(&turns, Some(&schema), false));
    assert_eq!(body["output_config"]["format"]["schema"], schema);

    let bare = Manner { structured: StructuredOutput::None, ..OPENAI };
    let body = bare.request(&model, &ask(&turns, Some(&schema), false));
    assert!(body.get("response_format").is_none() && body.get("tools").is_none());
}

#[test]
fn whole_replies_are_read() {
    let said = OPENAI
        .read(&json!({
            "model": "small-1-0", "usage": {"prompt_tokens": 7, "completion_tokens": 2},
            "choices": [{"message": {"content": "{}"}, "finish_reason": "stop"}]
        }))
        .unwrap();
    assert_eq!((said.text.as_str(), said.input_tokens, said.output_tokens), ("{}", Some(7), Some(2)));
    assert_eq!(said.model.as_deref(), Some("small-1-0"));
    let called = json!({"choices": [{
        "message": {"content": null, "tool_calls": [{"function": {"name": "reply", "arguments": "{\"a\":1}"}}]},
        "finish_reason": "tool_calls"
    }]});
    assert_eq!(OPENAI.read(&called).unwrap().text, "{\"a\":1}");
    let called = json!({"content": [{"type": "tool_use", "name": "reply", "input": {"a": 1}}], "stop_reason": "tool_use"});
    assert_eq!(ANTHROPIC.read(&called).unwrap().text, "{\"a\":1}");
}

#[test]
fn what_is_no_answer_is_told_apart() {
    let openai = |message: Value, reason: &str| {
        OPENAI.read(&json!({"choices": [{"message": message, "finish_reason": reason}]})).unwrap_err()
    };
    assert_eq!(openai(json!({"content": "half"}), "length"), FallbackReason::TooLong);
    assert_eq!(openai(json!({"content": null, "refusal": "No."}), "stop"), FallbackReason::Declined);
    assert_eq!(openai(json!({"content": ""}), "stop"), FallbackReason::Empty);
    assert_eq!(openai(json!({"content": ""}), "content_filter"), FallbackReason::Declined);
    let anthropic =
        |reason: &str| ANTHROPIC.read(&json!({"content": [], "stop_reason": reason})).unwrap_err();
    assert_eq!(anthropic("refusal"), FallbackReason::Declined);
    assert_eq!(anthropic("max_tokens"), FallbackReason::TooLong);
    assert!(matches!(ANTHROPIC.read(&json!({})), Err(FallbackReason::Garbled(_))));
    assert!(matches!(OPENAI.read(&json!([])), Err(FallbackReason::Garbled(_))));
}

#[test]
fn a_stream_adds_up_and_may_not_end_early() {
    let mut said = Said::default();
    let events = [
        json!({"type": "message_start", "message": {"model": "m", "usage": {"input_tokens": 5, "output_tokens": 1}}}),
        json!({"type": "content_block_delta", "delta": {"type": "text_delta", "text": "One "}}),
        json!({"type": "ping"}),
        json!({"type": "content_block_delta", "delta": {"type": "text_delta", "text": "two."}}),
    ];
    let heard: Vec<String> = events.iter().map(|event| ANTHROPIC.hear(&mut said, event).unwrap()).collect();
    assert_eq!(heard, ["", "One ", "", "two."]);
    assert_eq!(said.clone().whole(), Err(FallbackReason::Truncated));
    let end =
        json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 4}});
    ANTHROPIC.hear(&mut said, &end).unwrap();
    let whole = said.whole().unwrap();
    assert_eq!(
        (whole.text.as_str(), whole.input_tokens, whole.output_tokens),
        ("One two.", Some(5), Some(4))
    );

    let mut said = Said::default();
    let piece = json!({"choices": [{"delta": {"content": "One."}}]});
    assert_eq!(OPENAI.hear(&mut said, &piece).unwrap(), "One.");
    assert_eq!(
        OPENAI.hear(&mut said, &json!({"error": {"code": 503}})),
        Err(FallbackReason::ServerError(503))
    );
}
