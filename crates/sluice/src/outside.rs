//! What one request sees of the outside: the live parts, the live parts with a journal beside them, or a recording.

mod look;

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::Arc;

use contract::result::QueryResult;
use domain::{Clock, Query, Usd};
use engine::{Failure, Outcome, Settled};
use gate::token;
use serde_json::json;
use store::AttemptMode;
use tokio_util::sync::CancellationToken;
use trace::{Ended, Finished, Journal, Response, Tape};

use crate::assembly::Assembly;
use crate::reply::{Admitted, Kept, Lines};
use crate::to_wire;

pub(crate) use look::NotFound;

/// Signs clarification tokens in recordings and replays, in place of a server's own key: everybody knows it.
pub(crate) const REPLAY_KEY: &[u8] = b"sluice replay";

/// Stands around a recorded request that ran under the narrower budgets of callers without a key.
pub(crate) const GUARDED: &str = "guarded";

/// Stands around a recorded request for which models were paid before it began: the dollars.
pub(crate) const SPENT_BEFORE: &str = "spent_before";

/// What one request sees of the outside.
pub(crate) enum Outside {
    Live,
    Recorded(Arc<Journal>),
    Replayed(Arc<Tape>),
}

impl Outside {
    /// The live parts, recorded where this request is among those that are.
    pub(crate) fn of(assembly: &Assembly, admitted: &Admitted, cancel: &CancellationToken) -> Self {
        let request = admitted.request.as_str();
        if assembly.recorder().is_none_or(|recorder| !recorder.wants(request)) {
            return Self::Live;
        }
        let mut around = admitted.lines.told();
        if admitted.is_guarded {
            around.insert(GUARDED.to_owned(), "yes".to_owned());
        }
        if admitted.spent_before > Usd::ZERO {
            around.insert(SPENT_BEFORE.to_owned(), admitted.spent_before.to_string());
        }
        around.insert("public_url".to_owned(), assembly.public_url().to_owned());
        let ends = (Arc::clone(&assembly.clock), cancel.clone());
        let bytes_max = assembly.policy.recording.run_bytes_max;
        Self::Recorded(Journal::of(&admitted.query, around, ends, bytes_max))
    }

    /// What the run is to look at for whether its caller, who trips `cancel`, has given it up.
    pub(crate) fn gate(&self, cancel: CancellationToken) -> CancellationToken {
        match self {
            Self::Live | Self::Replayed(_) => cancel,
            Self::Recorded(journal) => journal.gate(),
        }
    }

    /// Runs the request, so that what is recorded says after what it was given up.
    pub(crate) async fn attend<T: Send>(&self, run: impl Future<Output = T> + Send) -> T {
        match self {
            Self::Live | Self::Replayed(_) => run.await,
            Self::Recorded(journal) => journal.attend(run).await,
        }
    }

    /// The request's clock.
    pub(crate) fn clock(&self, live: &Arc<dyn Clock>) -> Arc<dyn Clock> {
        match self {
            Self::Live => Arc::clone(live),
            Self::Recorded(journal) => Arc::clone(journal) as Arc<dyn Clock>,
            Self::Replayed(tape) => Arc::clone(tape) as Arc<dyn Clock>,
        }
    }

    /// Something random: as it was made up just now, or as it was recorded.
    pub(crate) fn made(&self, what: &'static str, text: String) -> String {
        match self {
            Self::Live => text,
            Self::Recorded(journal) => {
                journal.made(what, &text);
                text
            }
            Self::Replayed(tape) => tape.made(what, &text),
        }
    }

    /// What is to be written of the request's ending; none where it is not recorded.
    pub(crate) fn ending(&self, assembly: &Assembly, caller: &str, query: &Query) -> Option<Ending> {
        let Self::Recorded(journal) = self else { return None };
        let said = query.choice.as_ref().and_then(|choice| {
            let anew = token::signed_anew(&choice.token, &assembly.token_key, REPLAY_KEY)?;
            Some((choice.token.clone(), anew))
        });
        Some(Ending {
            journal: Arc::clone(journal),
            ended: Ended {
                policy: Arc::clone(&assembly.policy),
                caller: caller.to_owned(),
                request: String::new(),
                question: query.text.clone(),
                started_at: jiff::Timestamp::UNIX_EPOCH,
                events: Arc::default(),
                cost_usd: String::new(),
                is_cancelled: false,
                response: Box::new(String::new),
                secrets: said.into_iter().collect(),
            },
        })
    }
}

/// The ending of a recorded request.
pub(crate) struct Ending {
    journal: Arc<Journal>,
    ended: Ended,
}

impl Ending {
    /// Takes note of a settled run.
    pub(crate) fn note(&mut self, settled: &Settled, kept: &Kept, assembly: &Assembly) {
        let ended = &mut self.ended;
        ended.request = settled.request.to_string();
        ended.started_at = settled.started_at;
        ended.events = Arc::clone(&settled.events);
        ended.cost_usd = (settled.spent.model_cost() + settled.spent.tool_cost()).to_string();
        ended.is_cancelled = matches!(settled.ending, Err(Failure::Cancelled));
        // Whoever has the address may read the data, so it is not written.
        ended.secrets.extend(kept.data_token.iter().map(|token| (token.clone(), masked(token))));
        if let Ok(Outcome::Clarify(card)) = &settled.ending {
            let good_for = (settled.started_at, assembly.policy.gate.token_minutes);
            let issued = |key: &[u8], option| token::issue(key, option, &card.stake, good_for);
            ended.secrets.extend(
                card.options
                    .iter()
                    .map(|option| (issued(&assembly.token_key, &option.id), issued(REPLAY_KEY, &option.id))),
            );
        }
    }

    /// Hands the recording over to be written, with what was replied.
    pub(crate) fn keep(mut self, reply: &Result<Arc<QueryResult>, Failure>, assembly: &Assembly) {
        let Some(recorder) = assembly.recorder() else { return };
        self.ended.response = response(reply);
        recorder.keep(Finished::of(&self.journal, self.ended));
    }
}

/// The bytes of a reply, failures included.
pub(crate) fn response(reply: &Result<Arc<QueryResult>, Failure>) -> Response {
    match reply {
        Ok(result) => {
            let result = Arc::clone(result);
            Box::new(move || serde_json::to_string(&*result).unwrap_or_default())
        }
        Err(failure) => {
            let (status, body) = to_wire::failure::failure(failure);
            let told = json!({"status": status.as_u16(), "body": body}).to_string();
            Box::new(move || told)
        }
    }
}

/// Stands for a secret of 64 hexadecimal digits.
fn masked(token: &str) -> String {
    use sha2::{Digest, Sha256};
    hex::encode(Sha256::digest(token.as_bytes()))
}

impl Lines {
    /// The lines as a recording has them.
    fn told(&self) -> BTreeMap<String, String> {
        let mode = match self.mode {
            AttemptMode::Initial => "initial",
            AttemptMode::Resume(_) => "resume",
            AttemptMode::Fork(_) => "fork",
        };
        let mut told = BTreeMap::from([
            ("session".to_owned(), self.session.clone()),
            ("attempt".to_owned(), self.attempt.clone()),
            ("root".to_owned(), self.root.clone()),
            ("mode".to_owned(), mode.to_owned()),
        ]);
        told.extend(self.mode.parent().map(|parent| ("parent".to_owned(), parent.to_owned())));
        told
    }

    /// The lines of a recording.
    pub(crate) fn read(told: &BTreeMap<String, String>) -> Self {
        let word = |name: &str| told.get(name).cloned().unwrap_or_default();
        Self {
            session: word("session"),
            attempt: word("attempt"),
            root: word("root"),
            mode: match word("mode").as_str() {
                "resume" => AttemptMode::Resume(word("parent")),
                "fork" => AttemptMode::Fork(word("parent")),
                _ => AttemptMode::Initial,
            },
        }
    }
}
