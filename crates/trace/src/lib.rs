//! What happens to a request, as one closed set of events, and the record of it.
//!
//! Stages report; views read. The record feeds the developer trace and the progress of a stream.

mod event;
mod record;

pub use event::{
    AnswerReport, CompletenessOpinion, Event, GateInput, ProbeReport, RediscoveryReport, RepairOutcome,
    RepairReport, Revision, SelectedListing, Stage, Verdict,
};
pub use record::{Listener, Record, Stamped};
