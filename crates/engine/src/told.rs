//! The record of the gate: what each of its steps came to, told to the run on the way.

use std::sync::Arc;

use gate::{JudgeFault, Opinion, Ruled, Ruling};
use lane::Lane;
use probe::Probed;
use trace::{Event, GateInput, ProbeReport};

use crate::run::Run;

/// Records which lane was chosen, and what it may do.
pub(crate) fn lane(lane: Lane, run: &Run) -> Lane {
    let (selected, word, reason, flags) = match &lane {
        Lane::Fast(fast) => (fast.selected(), "fast", fast.reason(), fast.flags()),
        Lane::Deep(deep) => (deep.selected(), "deep", deep.reason(), deep.flags()),
    };
    run.note(Event::DepthDecided {
        asked: selected.query.depth,
        lane: word,
        reason: reason.word(),
        flags: flags.clone(),
    });
    lane
}

/// Records what the probe found.
pub(crate) fn probed(probed: Probed, run: &Run) -> Probed {
    run.note(Event::Probed(ProbeReport {
        query_safe: probed.deep().selected().candidates.len(),
        ranked: probed.ranked().len(),
        shortlisted: probed.shortlist().candidates().len(),
        pooled: probed.pool().interpretations().len(),
        adequacy: probed.adequacy().word(),
        confidence: probed.confidence(),
        missing_capability: probed.missing_capability().map(|left_out| left_out.method.to_string()),
    }));
    run.note(Event::GateInput(Box::new(GateInput::of(probed.deep().selected()))));
    probed
}

/// Records what the judge said.
pub(crate) fn opinion(opinion: Result<Opinion, JudgeFault>, run: &Run) -> Arc<Result<Opinion, JudgeFault>> {
    let opinion = Arc::new(opinion);
    run.note(Event::Judged(Arc::clone(&opinion)));
    opinion
}

/// Records the decision, and hands on what follows from it.
pub(crate) fn ruling(ruled: Ruled, run: &Run) -> Ruling {
    run.note(Event::Ruled(Box::new(ruled.decision)));
    ruled.ruling
}
