//! A choice among the options of a clarification: its token on the wire, and the selection that it goes on from.
//!
//! On the wire a token is led by the request whose probe is kept. The lead only says where to look; what a choice may do
//! is settled by the signature behind it.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use contract::trace::{GateCandidate, GateRecord};
use domain::{KeptSelection, MethodName, MethodRef, RequestId, SaidChoice};
use engine::Settled;
use gate::{Card, CardOption, token};
use jiff::Timestamp;
use policy::Policy;
use store::Store;

use crate::to_wire::gate_record;

/// Keeps what the gate decided on, where it decided.
pub(crate) async fn keep(
    store: &Store,
    caller: &str,
    settled: &Settled,
    policy: &Policy,
) -> Result<(), store::Error> {
    let kept_max = policy.store.gate_records_kept_max;
    let Some(record) = gate_record::of(settled, policy).filter(|_| kept_max > 0) else { return Ok(()) };
    match serde_json::to_string(&record) {
        Ok(body) if body.len() <= policy.store.gate_record_bytes_max => {
            let request = (caller, settled.request.as_str());
            store.put_gate_record(request, &body, settled.started_at, kept_max).await
        }
        _ => Ok(()),
    }
}

/// The choice with the selection that it goes on from, where that is still kept and was made for this question: what was
/// found for another one says nothing of it.
pub(crate) async fn found(
    store: &Store,
    (caller, question): (&str, &str),
    said: SaidChoice,
) -> Result<SaidChoice, store::Error> {
    let Some((request, token)) = said.token.split_once('.') else { return Ok(said) };
    let Some(request) = URL_SAFE_NO_PAD.decode(request).ok().and_then(|it| String::from_utf8(it).ok()) else {
        return Ok(said);
    };
    let record = store.gate_record(caller, &request).await?;
    let record = record.and_then(|body| serde_json::from_str::<GateRecord>(&body).ok());
    let record = record.filter(|record| record.input.query == question);
    Ok(SaidChoice { token: token.to_owned(), selection: record.as_ref().and_then(selection), ..said })
}

fn selection(record: &GateRecord) -> Option<KeptSelection> {
    let method = |kept: &GateCandidate| {
        let listing = kept.tool_id.parse().ok()?;
        Some(MethodRef { listing, method: MethodName::new(&kept.method_name) })
    };
    let candidates = record.input.candidates.iter().map(|kept| Some((method(kept)?, kept.score)));
    Some(KeptSelection {
        candidates: candidates.collect::<Option<_>>()?,
        helpers: record.input.helpers.iter().map(method).collect::<Option<_>>()?,
    })
}

/// The token of an option, as a caller gets it.
pub(crate) fn token(
    (card, option): (&Card, &CardOption),
    request: &RequestId,
    key: &[u8],
    (now, minutes): (Timestamp, u32),
) -> String {
    let lead = URL_SAFE_NO_PAD.encode(request.as_str());
    format!("{lead}.{}", token::issue(key, &option.id, &card.stake, (now, minutes)))
}
