//! A request that has ended, with all that is written of it.

use std::sync::Arc;

use jiff::Timestamp;
use policy::Policy;

use crate::decisions;
use crate::event::Event;
use crate::format::{FORMAT, Header, MAJOR, MINOR, Summary};
use crate::journal::{Entry, Journal, Kept, Noted};
use crate::record::Stamped;
use crate::tape::{Keeping, RecordedCall, RecordedExchange, Reel, Tape, Turn};

/// How a recorded request ended.
pub struct Ended {
    /// The policies that it ran under.
    pub policy: Arc<Policy>,
    /// Who asked, never by a key.
    pub caller: String,
    /// Its identifier.
    pub request: String,
    /// The question.
    pub question: String,
    /// When it began.
    pub started_at: Timestamp,
    /// Everything that happened to it.
    pub events: Arc<Vec<Stamped>>,
    /// Dollars for calls and models.
    pub cost_usd: String,
    /// Whether it was given up before its end.
    pub is_cancelled: bool,
    /// What was replied.
    pub response: Response,
    /// What may not be written though it stands in the reply, and what is written in its place.
    pub secrets: Vec<(String, String)>,
}

/// Gives the bytes of a reply, a JSON value, when they are wanted: a request does not wait for them.
pub type Response = Box<dyn FnOnce() -> String + Send>;

/// A recording that is to be written.
pub struct Finished {
    pub(crate) kept: Kept,
    pub(crate) ended: Ended,
}

impl Finished {
    /// The journal of a request, with how it ended.
    #[must_use]
    pub fn of(journal: &Journal, ended: Ended) -> Self {
        Self { kept: journal.take(), ended }
    }

    /// The recording as the outside of a request, without being written; none where something had to be left out.
    #[must_use]
    pub fn tape(self, keeping: Keeping) -> Option<Arc<Tape>> {
        self.kept.is_whole.then(|| Tape::new(reel(self.kept.entries), keeping))
    }

    /// The first line, for a request that came to these decisions.
    pub(crate) fn header(&self, decisions: String) -> Header {
        let Ended { policy, caller, request, question, started_at, events, cost_usd, is_cancelled, .. } =
            &self.ended;
        let (is_whole, is_cancelled) = (self.kept.is_whole, *is_cancelled);
        Header {
            format: FORMAT.to_owned(),
            major: MAJOR,
            minor: MINOR,
            policy_hash: policy.hash.clone(),
            caller: caller.clone(),
            request: request.clone(),
            question: question.clone(),
            started_at: *started_at,
            summary: Summary { decisions, is_whole, is_cancelled, ..counted(events, cost_usd) },
        }
    }
}

fn reel(entries: Vec<Noted>) -> Reel {
    let mut reel = Reel::default();
    for (us, entry) in entries {
        let turn = match entry {
            Entry::Clock(at) => Turn::Clock(at),
            Entry::Catalog(snapshot) => {
                reel.catalogs.push(snapshot);
                Turn::Catalog(reel.catalogs.len() - 1)
            }
            Entry::Made { what, text } => Turn::Made { what: what.to_owned(), text },
            Entry::Call { call, .. } => {
                reel.calls.push(RecordedCall { call, reply: None });
                continue;
            }
            Entry::Reply { number, reply } => {
                if let Some(recorded) = reel.calls.get_mut(number) {
                    recorded.reply = Some(reply);
                }
                Turn::Reply(number)
            }
            Entry::Model { stage, model, body, .. } => {
                reel.exchanges.push(RecordedExchange { stage: stage.to_owned(), model, body, reply: None });
                continue;
            }
            Entry::ModelReply { number, reply } => {
                if let Some(recorded) = reel.exchanges.get_mut(number) {
                    recorded.reply = Some(reply);
                }
                Turn::ModelReply(number)
            }
            Entry::LetGo { what, cancelled } => reel.let_go(what, cancelled),
            Entry::Pass { number, ended } => {
                reel.passes.insert(number, ended);
                Turn::Pass(number)
            }
            Entry::Looked { what, given, found } => Turn::Looked { what: what.to_owned(), given, found },
            Entry::Cancelled { passes } => reel.given_up(passes),
        };
        reel.turns.push((us, turn));
    }
    reel
}

/// What events say of a request, in short.
#[must_use]
pub fn summary(events: &[Stamped], cost_usd: &str) -> Summary {
    Summary { decisions: decisions::hash(&decisions_of(events)), ..counted(events, cost_usd) }
}

/// The same without what was decided.
fn counted(events: &[Stamped], cost_usd: &str) -> Summary {
    let mut summary = Summary { cost_usd: cost_usd.to_owned(), ..Summary::default() };
    for stamped in events {
        match &stamped.event {
            Event::DepthDecided { lane, reason, .. } => {
                (*lane).clone_into(&mut summary.lane);
                (*reason).clone_into(&mut summary.reason);
            }
            Event::Ruled(decision) => decision.reason.word().clone_into(&mut summary.reason),
            Event::CallEnded { outcome, .. } => {
                summary.calls += 1;
                summary.failed_calls += usize::from(outcome.is_err());
            }
            Event::ModelAsked(report) => summary.model_requests += report.attempts.len(),
            Event::QueryEnded { outcome, duration_ms } => {
                (*outcome).clone_into(&mut summary.outcome);
                summary.duration_ms = *duration_ms;
            }
            Event::QueryStarted { .. }
            | Event::StageStarted { .. }
            | Event::StageEnded { .. }
            | Event::ToolsSelected { .. }
            | Event::Probed(_)
            | Event::GateInput(_)
            | Event::Judged(_)
            | Event::ProgramWritten { .. }
            | Event::ProgramRejected { .. }
            | Event::CallStarted { .. }
            | Event::ProgramEnded { .. }
            | Event::ContributorSearched { .. }
            | Event::Repaired(_)
            | Event::Rediscovered(_)
            | Event::AnswerSpoken { .. }
            | Event::DocumentsLooked(_)
            | Event::AnswerChecked(_)
            | Event::CompletenessEvaluated { .. } => {}
        }
    }
    summary
}

/// What was decided in a request.
#[must_use]
pub fn decisions_of(events: &[Stamped]) -> Vec<decisions::Decision> {
    decisions::decisions(events.iter().map(|stamped| (stamped.event.name(), stamped.event.told())))
}
