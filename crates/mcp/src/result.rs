//! What a `tools/call` result holds: data, or a fault.

use std::io;

use domain::{CallFault, FaultKind};
use rmcp::model::{CallToolResponse, CallToolResult, ContentBlock, ResourceContents};
use serde_json::Value;

use crate::schema::Schema;
use crate::words::{fault, shortened};

/// The bounds of a result.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub(crate) result_bytes_max: usize,
    pub(crate) error_chars_max: usize,
}

/// Data, and its size as JSON in bytes.
pub(crate) type Data = (Value, usize);

/// The data of a response, if it may pass as data.
#[expect(clippy::wildcard_enum_match_arm, reason = "the SDK's enum may grow")]
pub(crate) fn data(
    response: CallToolResponse,
    output: Option<&Schema>,
    bounds: Bounds,
) -> Result<Data, CallFault> {
    match response {
        CallToolResponse::Complete(result) => of_complete(result, output, bounds),
        CallToolResponse::InputRequired(_) => {
            Err(fault(FaultKind::NeedsAction, "the method wants input from its user"))
        }
        _ => Err(fault(FaultKind::Protocol, "the server answered with a task, which was not asked for")),
    }
}

fn of_complete(result: CallToolResult, output: Option<&Schema>, bounds: Bounds) -> Result<Data, CallFault> {
    if let Some(action) = result.structured_content.as_ref().and_then(handshake) {
        return Err(fault(FaultKind::NeedsAction, action));
    }
    if result.is_error == Some(true) {
        return Err(fault(FaultKind::MethodError, error_words(&result, bounds.error_chars_max)));
    }
    let declared = output.is_some();
    let value = match result.structured_content {
        Some(value) if declared || !value.is_null() => value,
        _ => of_content(&result.content)?,
    };
    let bytes = json_bytes(&value);
    if bytes > bounds.result_bytes_max {
        let message = format!("the result has {bytes} bytes, the most is {}", bounds.result_bytes_max);
        return Err(fault(FaultKind::TooLarge, message));
    }
    if let Some(Err(breach)) = output.map(|schema| schema.check(&value)) {
        let problem = shortened(&breach.problem, bounds.error_chars_max);
        let message = format!("the result breaks the output schema at `{}`: {problem}", breach.path);
        return Err(fault(FaultKind::InvalidResult, message));
    }
    Ok((value, bytes))
}

/// What a handshake result asks for.
fn handshake(structured: &Value) -> Option<&'static str> {
    let action = structured.get("_meta")?.get("handshakeAction").filter(|action| !action.is_null())?;
    Some(match action.get("_action").and_then(Value::as_str) {
        Some("signature_request") => "the method wants a signature",
        Some("transaction_proposal") => "the method wants a transaction",
        Some("auth_required") => "the method wants a login",
        _ => "the method wants an action of its user",
    })
}

fn error_words(result: &CallToolResult, chars_max: usize) -> String {
    let text = texts(&result.content).collect::<Vec<_>>().join(" ");
    if text.trim().is_empty() {
        "the method failed without a word".to_owned()
    } else {
        shortened(&text, chars_max)
    }
}

/// One text as JSON, else as a string. Several texts that are all JSON are a list, others are joined to one string.
fn of_content(content: &[ContentBlock]) -> Result<Value, CallFault> {
    let texts: Vec<&str> = texts(content).collect();
    match texts.as_slice() {
        [] if content.is_empty() => Ok(Value::Null),
        [] => Err(fault(FaultKind::InvalidResult, "the result holds neither structured content nor text")),
        [text] => Ok(serde_json::from_str(text).unwrap_or_else(|_| Value::from(*text))),
        several => {
            let parsed: Result<Vec<Value>, _> =
                several.iter().map(|text| serde_json::from_str(text)).collect();
            Ok(parsed.map_or_else(|_| Value::from(several.join("\n")), Value::Array))
        }
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the SDK's enum may grow")]
fn texts(content: &[ContentBlock]) -> impl Iterator<Item = &str> {
    content.iter().filter_map(|block| match block {
        ContentBlock::Text(text) => Some(text.text.as_str()),
        ContentBlock::Resource(embedded) => match &embedded.resource {
            ResourceContents::TextResourceContents { text, .. } => Some(text.as_str()),
            _ => None,
        },
        _ => None,
    })
}

/// The size of a value as JSON.
pub(crate) fn json_bytes(value: &impl serde::Serialize) -> usize {
    struct Count(usize);
    impl io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    match serde_json::to_writer(&mut count, value) {
        Ok(()) => count.0,
        Err(_) => usize::MAX,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop_assert_eq, proptest};
    use serde_json::json;

    use super::*;

    const BOUNDS: Bounds = Bounds { result_bytes_max: 60, error_chars_max: 20 };

    fn of(result: Value) -> Result<Value, CallFault> {
        checked(result, None)
    }

    fn checked(result: Value, output: Option<Value>) -> Result<Value, CallFault> {
        let schema = output.map(|schema| Schema::compile(&schema).unwrap());
        let result: CallToolResult = serde_json::from_value(result).unwrap();
        data(CallToolResponse::Complete(result), schema.as_ref(), BOUNDS).map(|(value, _)| value)
    }

    fn text(texts: &[&str]) -> Value {
        json!({"content": texts.iter().map(|text| json!({"type": "text", "text": text})).collect::<Vec<_>>()})
    }

    #[test]
    fn structured_content_comes_first() {
        let mut result = text(&["ignored"]);
        result["structuredContent"] = json!({"a": 1});
        assert_eq!(of(result), Ok(json!({"a": 1})));
    }

    #[test]
    fn text_is_json_where_it_can_be() {
        assert_eq!(of(text(&["{\"a\": [1]}"])), Ok(json!({"a": [1]})));
        assert_eq!(of(text(&["Tokyo"])), Ok(json!("Tokyo")));
        assert_eq!(of(text(&["1", "[2]"])), Ok(json!([1, [2]])));
        assert_eq!(of(text(&["one", "2"])), Ok(json!("one\n2")));
        assert_eq!(of(json!({"content": []})), Ok(Value::Null));
        let resource = json!({"content": [{"type": "resource", "resource": {"uri": "a:b", "text": "7"}}]});
        assert_eq!(of(resource), Ok(json!(7)));
    }

    #[test]
    fn pictures_are_no_data() {
        let picture = json!({"content": [{"type": "image", "data": "AA==", "mimeType": "image/png"}]});
        assert_eq!(of(picture).unwrap_err().kind, FaultKind::InvalidResult);
    }

    #[test]
    fn an_error_is_never_data() {
        let mut result = text(&["no such market, and many more words about it"]);
        result["isError"] = json!(true);
        result["structuredContent"] = json!({"a": 1});
        let fault = of(result).unwrap_err();
        assert_eq!((fault.kind, fault.message.as_str()), (FaultKind::MethodError, "no such market, and …"));
    }

    #[test]
    fn a_handshake_is_never_data() {
        for (action, words) in [
            ("signature_request", "the method wants a signature"),
            ("transaction_proposal", "the method wants a transaction"),
            ("auth_required", "the method wants a login"),
            ("other", "the method wants an action of its user"),
        ] {
            let result = json!({"content": [], "structuredContent": {"_meta": {"handshakeAction": {"_action": action}}}});
            assert_eq!(of(result).unwrap_err(), fault(FaultKind::NeedsAction, words));
        }
    }

    #[test]
    fn the_output_schema_holds() {
        let schema =
            json!({"type": "object", "properties": {"value": {"type": "integer"}}, "required": ["value"]});
        let structured = |value: Value| json!({"content": [], "structuredContent": {"value": value}});
        assert_eq!(checked(structured(json!(7)), Some(schema.clone())), Ok(json!({"value": 7})));
        let broken = checked(structured(json!("seven")), Some(schema.clone())).unwrap_err();
        assert_eq!(broken.kind, FaultKind::InvalidResult);
        assert!(broken.message.contains("`/value`") && !broken.message.contains("seven"), "{broken}");
        assert_eq!(checked(text(&["{\"value\": 3}"]), Some(schema.clone())), Ok(json!({"value": 3})));
        let null = json!({"content": [], "structuredContent": null});
        assert_eq!(checked(null, Some(schema.clone())).unwrap_err().kind, FaultKind::InvalidResult);
        assert_eq!(checked(text(&["value: 3"]), Some(schema)).unwrap_err().kind, FaultKind::InvalidResult);
    }

    #[test]
    fn a_large_result_is_refused_by_size() {
        let fault = of(text(&["x".repeat(61).as_str()])).unwrap_err();
        assert_eq!(
            (fault.kind, fault.message.as_str()),
            (FaultKind::TooLarge, "the result has 63 bytes, the most is 60")
        );
    }

    proptest! {
        #[test]
        fn sizes_are_those_of_the_json(text in ".{0,40}", number in -1000_i64..1000) {
            let value = json!({"text": text, "list": [number, null]});
            prop_assert_eq!(json_bytes(&value), value.to_string().len());
        }
    }
}
