//! One call: checked, paced, sent, bounded, unwrapped.

use std::sync::Arc;
use std::time::Duration;

use domain::{Call, CallFault, Delivered, FaultKind, Health, Reply};
use rmcp::model::{CallToolRequestParams, CallToolResponse, MetaObject, RequestMetaObject};
use serde_json::{Map, Value};
use tokio::time::{Instant, timeout};

use crate::listing::Callable;
use crate::preset::Preset;
use crate::result::{self, Bounds};
use crate::slot::{Live, Slot};
use crate::supervisor::Shared;
use crate::words::{self, fault, shortened};

/// Makes `call` to the server of `slot`; none where no listing has its identifier.
pub(crate) async fn make(
    slot: Option<&Arc<Slot>>,
    shared: &Shared,
    (call, carried): (&Call, Vec<(String, String)>),
) -> Reply {
    let begun = Instant::now();
    let slot = slot.ok_or_else(|| fault(FaultKind::Unreachable, "there is no such listing"))?;
    // Without a session, what it offers may not be known yet: say that first.
    live(slot, shared).await?;
    let callable = find(slot, call)?;
    let mut arguments = fitting(&callable, call, shared.policy.error_chars_max)?;
    let preset = Preset::of(&callable, &slot.upstream);
    arguments.extend(preset.arguments());
    let millis = slot.call_timeout.as_millis();

    // Paced first: a call that waits for its method's turn must not take the place of a sibling's.
    let turn = async { (callable.pace.turn().await, slot.at_once.acquire().await) };
    let _turn = timeout(slot.call_timeout, turn)
        .await
        .map_err(|_| fault(FaultKind::Timeout, format!("no turn within {millis} ms")))?;

    let live = live(slot, shared).await?;
    let mut params =
        CallToolRequestParams::new(call.method.method.as_str().to_owned()).with_arguments(arguments);
    if !carried.is_empty() {
        let members = carried.into_iter().map(|(name, value)| (name, Value::String(value))).collect();
        params.meta = Some(RequestMetaObject(MetaObject(members)));
    }
    let response = timeout(slot.call_timeout, send(&live, params, shared.policy.error_chars_max))
        .await
        .map_err(|_| fault(FaultKind::Timeout, format!("no answer within {millis} ms")))?
        .map_err(|fault| preset.hidden(fault))?;
    let bounds = Bounds {
        result_bytes_max: shared.policy.result_bytes_max,
        error_chars_max: shared.policy.error_chars_max,
    };
    let (mut value, bytes) =
        result::data(response, callable.output.as_deref(), bounds).map_err(|fault| preset.hidden(fault))?;
    preset.hide(&mut value);
    Ok(Delivered { value: value.into(), bytes, arrived_at: shared.clock.now(), elapsed: begun.elapsed() })
}

fn find(slot: &Slot, call: &Call) -> Result<Arc<Callable>, CallFault> {
    let methods = slot.methods.load();
    methods.get(&call.method.method).cloned().ok_or_else(|| {
        let message = format!("`{}` has no method `{}`", slot.upstream.name, call.method.method);
        fault(FaultKind::InvalidArguments, message)
    })
}

/// The arguments as they are sent: those of the call, or without its nulls where the schema wants them left out.
fn fitting(callable: &Callable, call: &Call, chars_max: usize) -> Result<Map<String, Value>, CallFault> {
    let whole = call.arguments.clone();
    let Err(breach) = callable.input.check(&Value::Object(whole.clone())) else { return Ok(whole) };
    let mut set = whole;
    set.retain(|_, value| !value.is_null());
    if set.len() < call.arguments.len() && callable.input.check(&Value::Object(set.clone())).is_ok() {
        return Ok(set);
    }
    let problem = shortened(&breach.problem, chars_max);
    let place =
        if breach.path.is_empty() { "the arguments".to_owned() } else { format!("`{}`", breach.path) };
    Err(fault(FaultKind::InvalidArguments, format!("{place}: {problem}")))
}

/// The session, after one new try where there is none; else why there is none.
async fn live(slot: &Slot, shared: &Shared) -> Result<Arc<Live>, CallFault> {
    if let Some(live) = slot.session() {
        return Ok(live);
    }
    if !shared.cancel.is_cancelled() {
        let _ = timeout(Duration::from_millis(shared.policy.revive_wait_ms), slot.revived()).await;
    }
    slot.session().ok_or_else(|| {
        let snapshot = shared.board.snapshot();
        let message = match snapshot.listing(slot.id).map(|listing| &listing.health) {
            Some(Health::Unhealthy { reason, .. }) => reason.clone(),
            Some(Health::Connecting | Health::Healthy) | None => "the server is not connected yet".to_owned(),
        };
        fault(FaultKind::Unreachable, message)
    })
}

async fn send(
    live: &Live,
    params: CallToolRequestParams,
    chars_max: usize,
) -> Result<CallToolResponse, CallFault> {
    let response = tokio::select! {
        biased;
        response = live.peer.call_tool_once(params) => response.map_err(|error| words::of_request(&error, chars_max)),
        () = live.gone.cancelled() => Err(fault(FaultKind::Unreachable, "the server went away")),
    };
    if let Err(CallFault { kind: FaultKind::Unreachable, .. }) = &response {
        live.changed.notify_one();
    }
    response
}
