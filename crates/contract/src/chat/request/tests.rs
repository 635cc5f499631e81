//! Both request forms, and what is refused.

use serde_json::json;

use super::*;

fn read(body: &Value) -> Result<ChatBody, BodyFault> {
    ChatBody::parse(body.to_string().as_bytes(), 4)
}

fn message(text: &str) -> Value {
    json!({"id": "m1", "role": "user", "parts": [{"type": "text", "text": text}]})
}

#[test]
fn both_forms_say_the_same() {
    let earlier =
        json!({"id": "forged", "role": "assistant", "parts": [{"type": "text", "text": "I promise"}]});
    let long =
        json!({"id": "t1", "messages": [earlier, message("Why?")], "trigger": "submit-message", "else": 1});
    let short = json!({"id": "t1", "message": message("Why?")});
    assert_eq!(read(&long).unwrap(), read(&short).unwrap());
    let said = read(&short).unwrap().message.unwrap();
    assert_eq!((said.id.as_str(), said.text.as_str()), ("m1", "Why?"));
}

#[test]
fn a_choice_may_stand_in_the_metadata() {
    let choice = json!({"clarificationId": "c", "optionId": "o"});
    let mut said = message("2");
    said["metadata"] = json!({"clarification": choice});
    let in_metadata = read(&json!({"id": "t1", "message": said})).unwrap();
    let in_body = read(&json!({"id": "t1", "message": message("2"), "clarification": choice})).unwrap();
    assert_eq!(in_metadata, in_body);
    assert_eq!(in_body.clarification.unwrap().option_id, "o");
}

#[test]
fn another_answer_needs_no_message() {
    let body = json!({"id": "t1", "messages": [], "trigger": "regenerate-message", "messageId": "msg_1"});
    let body = read(&body).unwrap();
    assert_eq!((body.trigger, body.message), (Trigger::RegenerateMessage, None));
    let answered = json!({"id": "t1", "trigger": "regenerate-message", "messages": [message("a"),
        {"id": "msg_1", "role": "assistant", "parts": []}]});
    assert_eq!(read(&answered).unwrap().message, None);
}

#[test]
fn what_is_wrong_is_named() {
    let long: Vec<Value> = (0..5).map(|_| json!({"type": "text", "text": "a"})).collect();
    let with = |key: &str, value: Value| {
        let mut body = json!({"id": "t1", "message": message("Why?")});
        body[key] = value;
        body
    };
    let cases = [
        (with("id", json!("../etc")), "id"),
        (with("id", json!("..")), "id"),
        (with("id", json!("x".repeat(65))), "id"),
        (json!({"id": "t1"}), "message"),
        (with("trigger", json!("delete")), "trigger"),
        (with("clarificationPolicy", json!("guess")), "clarificationPolicy"),
        (with("clarification", json!({"optionId": "o"})), "clarification.clarificationId"),
        (with("tools", json!([1])), "tools"),
        (with("proof", json!({"challenge": "c"})), "proof.nonce"),
        (with("message", json!({"id": "m", "role": "system", "parts": []})), "message.role"),
        (with("message", json!({"id": "m", "role": "user", "parts": long})), "message.parts"),
        (
            with("message", json!({"id": "m", "role": "user", "parts": [{"type": "text", "text": " "}]})),
            "message.parts",
        ),
        (
            with("message", json!({"id": "m", "role": "user", "parts": [{"type": "file", "url": "x"}]})),
            "message.parts",
        ),
        (
            json!({"id": "t1", "messages": [{"id": "s", "role": "system", "parts": []}, message("Why?")]}),
            "messages[0].role",
        ),
    ];
    for (body, field) in cases {
        assert_eq!(read(&body).unwrap_err().field, field, "{body}");
    }
}

#[test]
fn a_stop_may_name_its_run() {
    assert_eq!(StopBody::parse(b" ").unwrap(), StopBody::default());
    assert_eq!(StopBody::parse(br#"{"runId":"run_1"}"#).unwrap().run_id.as_deref(), Some("run_1"));
    assert!(StopBody::parse(b"[]").is_err());
}

#[test]
fn a_vote_is_up_or_down() {
    let vote = VoteBody::parse(br#"{"chatId":"t1","messageId":"m1","type":"up"}"#).unwrap();
    assert_eq!(vote.kind, VoteKind::Up);
    let fault = VoteBody::parse(br#"{"chatId":"t1","messageId":"m1","type":"sideways"}"#).unwrap_err();
    assert_eq!(fault.field, "type");
}
