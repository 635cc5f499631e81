//! The client command of the MCP project's conformance suite: `conformance_client URL`.
//!
//! Does what the scenario in `MCP_CONFORMANCE_SCENARIO` asks, through the same code that serves queries, and says on the
//! error output what came of it.

use std::env;
use std::process::ExitCode;
use std::sync::Arc;

use domain::{Call, Clock, FaultKind, Health, Listing, Method, MethodRef, Position};
use jiff::Timestamp;
use mcp::{Catalog, Tools, Transport, Upstream, Upstreams};
use policy::Policy;
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

type Failure = Box<dyn std::error::Error>;

/// A method's name and the arguments of one call.
type Wanted = (String, Map<String, Value>);

#[tokio::main]
async fn main() -> ExitCode {
    match run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say(&error.to_string());
            ExitCode::FAILURE
        }
    }
}

async fn run() -> Result<(), Failure> {
    let url = env::args().next_back().ok_or("no address")?.parse()?;
    let upstream = Upstream::new("server", Transport::Http { url, headers: Vec::new() });
    let policy = Arc::new(Policy::shipped()?.upstreams);
    let (tracker, cancel) = (TaskTracker::new(), CancellationToken::new());
    let upstreams = Upstreams::start(vec![upstream], policy, Arc::new(SystemClock), tracker, &cancel)?;
    upstreams.settled().await;
    let snapshot = upstreams.snapshot();
    let listing = snapshot.listings.first().ok_or("no listing")?;
    let made = match &listing.health {
        Health::Healthy => make_calls(&upstreams, listing).await,
        Health::Connecting => Err("no answer yet".into()),
        Health::Unhealthy { reason, .. } => Err(reason.clone().into()),
    };
    upstreams.close().await;
    made
}

/// Makes the scenario's calls. What a method answers is not judged here; not to reach it, is.
async fn make_calls(upstreams: &Upstreams, listing: &Listing) -> Result<(), Failure> {
    for (name, arguments) in wanted(listing)? {
        let Some(method) = listing.methods.iter().find(|method| method.name.as_str() == name) else {
            say(&format!("{name}: not listed"));
            continue;
        };
        let method = MethodRef { listing: listing.id, method: method.name.clone() };
        let call = Call { position: Position::new(&name), method, arguments };
        match upstreams.call(&call).await {
            Ok(delivered) => say(&format!("{name}: {}", delivered.value)),
            Err(fault)
                if matches!(
                    fault.kind,
                    FaultKind::Unreachable | FaultKind::Timeout | FaultKind::NeedsAction
                ) =>
            {
                return Err(format!("{name}: {fault}").into());
            }
            Err(fault) => say(&format!("{name}: {fault}")),
        }
    }
    Ok(())
}

fn wanted(listing: &Listing) -> Result<Vec<Wanted>, Failure> {
    let scenario = variable("MCP_CONFORMANCE_SCENARIO").unwrap_or_default();
    let context: Value =
        variable("MCP_CONFORMANCE_CONTEXT").map_or(Ok(Value::Null), |text| serde_json::from_str(&text))?;
    if let Some(calls) = context["toolCalls"].as_array() {
        let call =
            |call: &Value| Some((call["name"].as_str()?.to_owned(), object(call["arguments"].clone())));
        return Ok(calls.iter().filter_map(call).collect());
    }
    let plain = |method: &Arc<Method>| (method.name.as_str().to_owned(), required(&method.input_schema));
    Ok(match scenario.as_str() {
        "tools_call" => vec![("add_numbers".to_owned(), object(json!({"a": 5, "b": 3})))],
        "json-schema-2020-12-preservation" => match listing.methods.as_slice() {
            [first, second, ..] => {
                vec![(second.name.as_str().to_owned(), object(json!({"schema": first.input_schema})))]
            }
            _ => Vec::new(),
        },
        _ => listing.methods.iter().map(plain).collect(),
    })
}

/// A value for each argument that must be there.
fn required(schema: &Value) -> Map<String, Value> {
    let names = schema["required"].as_array().map(Vec::as_slice).unwrap_or_default();
    let value = |name: &str| match schema["properties"][name]["type"].as_str() {
        Some("number" | "integer") => json!(1),
        Some("boolean") => json!(true),
        _ => json!("value"),
    };
    names.iter().filter_map(Value::as_str).map(|name| (name.to_owned(), value(name))).collect()
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => Map::new(),
    }
}

#[expect(clippy::disallowed_methods, reason = "the suite speaks through the environment")]
fn variable(name: &str) -> Option<String> {
    env::var(name).ok()
}

#[expect(clippy::print_stderr, reason = "the suite keeps the error output")]
fn say(text: &str) {
    eprintln!("{text}");
}

struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the one place where this program reads the clock")]
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}
