//! Signatures, replies and a driver for the tests.

use std::sync::Arc;
use std::time::Duration;

use domain::{Call, CallFault, Delivered, FaultKind, ListingId, Method, MethodName, MethodRef, Reply, Usd};
use jiff::Timestamp;
use policy::{Policy, Sandbox};
use program::{
    Budget, Cancellation, Fault, Finished, Journal, Program, Rejection, Signature, Signatures, Step,
};
use serde_json::{Value, json};

pub(crate) fn limits() -> Sandbox {
    Policy::shipped().unwrap().sandbox
}

pub(crate) fn budget() -> Budget {
    Budget { calls_max: 40, spend_max: Usd::parse("1").unwrap() }
}

pub(crate) fn method(name: &str) -> MethodRef {
    let (listing, method) = name.split_once('.').unwrap();
    MethodRef { listing: ListingId::of_name(listing), method: MethodName::new(method) }
}

pub(crate) fn signatures() -> Signatures {
    let signature = |name: &str, input: Value, output: Option<Value>| Signature {
        name: name.to_owned(),
        listing: method(name).listing,
        method: Arc::new(Method::new(method(name).method.as_str(), input, output)),
        price: Usd::parse("0.01").unwrap(),
    };
    Signatures::from_iter([
        signature(
            "flows.inflows",
            json!({
                "type": "object",
                "properties": {
                    "asset": {"type": "string", "enum": ["BTC", "ETH", "SOL"]},
                    "hours": {"type": "integer", "minimum": 1, "maximum": 168},
                    "venues": {"type": "array", "items": {"type": "string"}},
                },
                "required": ["asset"],
            }),
            Some(json!({
                "type": "object",
                "properties": {
                    "asset": {"type": "string"},
                    "total": {"type": "number"},
                    "rows": {"type": "array", "items": {"$ref": "#/$defs/row"}},
                },
                "$defs": {"row": {
                    "type": "object",
                    "properties": {"venue": {"type": "string"}, "usd": {"type": "number"}, "note": {"type": "string"}},
                }},
            })),
        ),
        signature(
            "market.price",
            json!({
                "type": "object",
                "properties": {"symbol": {"type": "string"}},
                "required": ["symbol"],
                "additionalProperties": false,
            }),
            Some(json!({
                "type": "object",
                "properties": {"symbol": {"type": "string"}, "price": {"type": "number"}},
            })),
        ),
        signature("market.list", json!({"type": "object", "properties": {}}), None),
        signature("text.read", json!({"type": "object"}), None),
    ])
}

pub(crate) fn parse(text: &str) -> Result<Program, Rejection> {
    Program::parse(text, &signatures(), &limits(), budget())
}

pub(crate) fn delivered(value: Value) -> Reply {
    let bytes = value.to_string().len();
    Ok(Delivered { value: value.into(), bytes, arrived_at: Timestamp::UNIX_EPOCH, elapsed: Duration::ZERO })
}

pub(crate) fn fault(kind: FaultKind, message: &str) -> Reply {
    Err(CallFault { kind, message: message.to_owned() })
}

/// A reply that follows from the call alone.
pub(crate) fn answer(call: &Call) -> Reply {
    let text = |key: &str| call.arguments.get(key).and_then(Value::as_str).unwrap_or("").to_owned();
    match call.method.method.as_str() {
        "inflows" => {
            let asset = text("asset");
            let scale = f64::from(u8::try_from(asset.len()).unwrap()) + f64::from(asset.as_bytes()[0]);
            let row = |venue: &str, usd: f64| json!({"venue": venue, "usd": usd});
            let rows = [row("Kraken", scale), row("Binance", 3.0 * scale), row("Coinbase", 2.0 * scale)];
            delivered(json!({"asset": asset, "total": 6.0 * scale, "rows": rows}))
        }
        "price" if text("symbol") == "BAD" => fault(FaultKind::MethodError, "no such symbol"),
        "price" => delivered(json!({"symbol": text("symbol"), "price": text("symbol").len()})),
        "list" => delivered(json!(["BTC", "ETH", "BAD", "SOL"])),
        "read" if text("path") == "count" => delivered(json!(41)),
        "read" if text("path") == "null" => delivered(json!(null)),
        "read" if text("path") == "flag" => delivered(json!(true)),
        "read" if text("path") == "nested" => delivered(json!({
            "id": 1, "tags": ["a", "b"], "page": {"total": 2, "hits": [[], [{"id": 7, "parts": [{"id": 70}]}, {"id": 8}]]}
        })),
        "read" if text("path") == "wide" => {
            delivered(json!({"rows": (0..5000).map(|n| json!({"n": n})).collect::<Vec<_>>()}))
        }
        _ => delivered(json!(format!("text of {}", call.arguments.get("path").unwrap_or(&Value::Null)))),
    }
}

/// What a driven program asked for, wave by wave.
pub(crate) type Waves = Vec<Vec<Call>>;

/// Runs a program to its end.
pub(crate) fn drive(
    program: &Program,
    journal: Journal,
    mut reply: impl FnMut(&Call) -> Reply,
) -> (Step, Waves) {
    let mut waves = Waves::new();
    let mut step = program.start(journal, &Cancellation::default());
    while let Step::Calls(pending) = step {
        waves.push(pending.calls().to_vec());
        let replies = pending.calls().iter().map(&mut reply).collect();
        step = pending.resume(replies);
    }
    (step, waves)
}

pub(crate) fn finish(text: &str) -> (Finished, Waves) {
    let program = parse(text).unwrap_or_else(|rejection| panic!("{rejection}"));
    match drive(&program, Journal::default(), answer) {
        (Step::Done(finished), waves) => (*finished, waves),
        (step, _) => panic!("{step:?}"),
    }
}

pub(crate) fn fail(text: &str) -> Fault {
    let program = parse(text).unwrap_or_else(|rejection| panic!("{rejection}"));
    match drive(&program, Journal::default(), answer) {
        (Step::Failed(fault), _) => *fault,
        (step, _) => panic!("{step:?}"),
    }
}
