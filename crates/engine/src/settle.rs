//! Settlement: every ending is written down once, with what it cost.

use std::sync::Arc;

use ledger::{Charge, Settlement};
use trace::{Event, Stamped};

use crate::failure::Failure;
use crate::outcome::{Outcome, Settled};
use crate::ports::Ports;
use crate::run::Run;
use crate::spent::{Spent, SpentCall};

/// Settles an ending. A ledger that cannot be written is reported and does not take the answer back.
pub(crate) async fn ending(ending: Result<Outcome, Failure>, run: &Run, ports: Ports<'_>) -> Settled {
    run.hear(ports.model);
    let outcome = ending.as_ref().map_or("failed", Outcome::word);
    let duration_ms = run.elapsed_ms();
    run.note(Event::QueryEnded { outcome, duration_ms });
    let spent = std::mem::take(&mut *run.spent());
    let events = run.take_events();
    let settlement = Settlement {
        caller: run.caller().to_owned(),
        request_id: run.request().clone(),
        outcome: outcome.to_owned(),
        lane: lane_of(&events).to_owned(),
        duration_ms,
        model_cost: spent.model_cost(),
        charges: charges(&spent),
        created_at: run.now(),
    };
    match ports.ledger.settle(&settlement).await {
        Ok(true) => {}
        Ok(false) => tracing::warn!(request = %run.request(), "the request was settled before"),
        Err(error) => tracing::error!(request = %run.request(), %error, "a settlement was not written"),
    }
    Settled {
        request: settlement.request_id,
        ending,
        spent,
        started_at: run.started_at(),
        duration_ms,
        events: Arc::new(events),
    }
}

/// The lane that was taken; a request that ended before had none.
fn lane_of(events: &[Stamped]) -> &'static str {
    let taken = events.iter().find_map(|stamped| {
        let Event::DepthDecided { lane, .. } = &stamped.event else { return None };
        Some(*lane)
    });
    taken.unwrap_or("none")
}

fn charges(spent: &Spent) -> Vec<Charge> {
    let charge = |call: &SpentCall| Charge {
        method: call.method.clone(),
        price: call.cost,
        outcome: if call.delivered { "delivered" } else { "failed" }.to_owned(),
    };
    spent.calls.iter().map(charge).collect()
}
