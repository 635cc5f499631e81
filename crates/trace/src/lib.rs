//! What happens to a request, as one closed set of events, and the record of it: the developer trace, the progress of a
//! stream, recordings, spans and metrics are views of the same events.
//!
//! A recording holds what a request was given by the outside ([`Journal`]); a [`Tape`] gives it again, with nothing behind
//! it. Both stand where the live ports do, so that the engine does not know of them.

mod event;
mod record;
mod told;

mod decisions;
mod finished;
mod format;
mod journal;
mod recorder;
mod redact;
mod write;

mod read;
mod tape;

pub use decisions::{Decision, Parting, decisions, hash, parting};
pub use event::{
    AnswerReport, CompletenessOpinion, Event, GateInput, LookReport, ProbeReport, RediscoveryReport,
    RepairOutcome, RepairReport, Revision, SelectedListing, Stage, Verdict,
};
pub use finished::{Ended, Finished, Response, decisions_of, summary};
pub use format::query::AskedTurn;
pub use format::{Header, MAJOR, MINOR, RUN_FILE, Summary};
pub use journal::Journal;
pub use read::{ToldEvent, Trace, TraceFault, header, list};
pub use record::{Listener, Record, Stamped};
pub use recorder::Recorder;
pub use redact::REDACTED;
pub use tape::{Keeping, Mismatch, RecordedCall, RecordedExchange, Still, Tape};
