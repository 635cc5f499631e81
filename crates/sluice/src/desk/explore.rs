//! A question of a conversation, answered from documents: they are searched, read and expanded as often as it takes, within
//! bounds, and then the answer is written from what is there.
//!
//! Before each move the steps of [`next::STEPS`] say what it may be; a model chooses it, from a prompt that is built anew each
//! time, or [`rules`] do. The last request to a model is the one that writes the answer, and it has no moves. Citations come
//! last, where [`Library::check`](library::Library::check) holds what was written against what was gathered.

mod aloud;
mod looked;
mod next;
mod rules;

use contract::chat::Quota;
use contract::library::{Citation, Reasoned};
use domain::{Turn, Usd};
use jiff::Timestamp;
use library::{Direction, Draft, Ending, Extractive, Question, Source};
use llm::{Model, Session, StageReport, Usage};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio_util::sync::CancellationToken;
use trace::{Event, LookReport};

use super::answer::Found;
use super::sitting::{self, Asked, Sitting, milliseconds};
use super::writer::Writer;
use super::{DeskFault, Reader, answer};
pub(in crate::desk) use aloud::Aloud;
use looked::{Assurance, Looked};
pub(crate) use looked::{Gain, Move};

/// What is asked in a conversation about documents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Inquiry {
    pub(crate) question: String,
    /// What was said before it.
    pub(crate) history: Vec<Turn>,
    /// Only of this collection.
    pub(crate) collection_id: Option<String>,
    /// Only of this document.
    pub(crate) document_id: Option<String>,
}

/// What an inquiry may spend.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Purse {
    /// Moves, where the policy does not allow less.
    pub(crate) moves_max: usize,
    /// Dollars for models.
    pub(crate) spend: Usd,
}

/// Something that an inquiry does.
#[derive(Debug)]
pub(crate) enum Seen<'a> {
    /// A move begins.
    Begun {
        /// Which.
        made: &'a Move,
        /// When.
        at: Timestamp,
    },
    /// It ended.
    Ended {
        /// Which.
        done: &'a Move,
        /// What it brought; none where there was nothing to go from.
        gain: Option<Gain>,
        /// When.
        at: Timestamp,
        /// How long it took, in milliseconds.
        ms: u64,
    },
    /// The answer is being written.
    Writing {
        /// Since when.
        at: Timestamp,
    },
    /// Some more of it was.
    Said {
        /// The words.
        text: &'a str,
        /// What they cite for the first time, in the order of their numbers.
        cites: Vec<Citation>,
    },
    /// What was written so far does not hold: the answer begins anew.
    TakenBack,
    /// It was written.
    Written {
        /// How long it took, in milliseconds.
        ms: u64,
    },
}

/// Hears what is done.
pub(crate) type SeenBy<'a> = &'a (dyn Fn(Seen<'_>) + Send + Sync);

/// Who an inquiry is told to, as it goes.
pub(crate) trait Audience: Send + Sync {
    /// What it wants to be told, as it is recorded; none where that is not known.
    fn wants(&self) -> Option<AudienceWants>;

    /// Something is done.
    fn see(&self, seen: Seen<'_>);

    /// How it ended; none where it was given up.
    fn end(&self, ending: Option<&Result<Explored, DeskFault>>);

    /// The bytes of all that was told; none where they are not kept.
    fn told(&self) -> Option<String>;
}

/// What an audience wants to be told beside the answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct AudienceWants {
    /// What is left of its messages.
    pub(crate) quota: Option<Quota>,
    /// The trace.
    pub(crate) is_traced: bool,
    /// Dollars that were spent on models before, which count as this question's.
    pub(crate) spent_before_usd: String,
}

/// An answer, and what it took.
#[derive(Debug)]
pub(crate) struct Explored {
    pub(crate) reasoned: Reasoned,
    pub(crate) moves: usize,
    /// For models.
    pub(crate) cost: Usd,
}

/// What a look brought, before it is taken in.
#[derive(Debug, Serialize, Deserialize)]
struct Brought {
    /// How sure it makes it that the question can be answered.
    assurance: Option<Assurance>,
    /// The passages, each with the section that it stands in.
    passages: Vec<(Option<String>, Source)>,
}

/// The ending of an inquiry, as it was recorded before all that was told of it was.
#[derive(Serialize)]
struct Told<'a> {
    answer: &'a Reasoned,
    moves: usize,
    cost_usd: String,
}

impl Reader<'_> {
    /// Answers a question of a conversation; none where it is given up. Nothing is kept of it but its recording.
    pub(crate) async fn explore(
        &self,
        inquiry: &Inquiry,
        purse: Purse,
        audience: &dyn Audience,
        cancel: CancellationToken,
    ) -> Option<Result<Explored, DeskFault>> {
        let asked = Asked::in_thread(inquiry, purse, audience.wants());
        let sitting = Sitting::begin(self, asked, cancel);
        Box::pin(self.explore_at(inquiry, purse, audience, &sitting)).await
    }

    /// The same at a sitting.
    pub(super) async fn explore_at(
        &self,
        inquiry: &Inquiry,
        purse: Purse,
        audience: &dyn Audience,
        sitting: &Sitting<'_>,
    ) -> Option<Result<Explored, DeskFault>> {
        let seen = |seen: Seen<'_>| audience.see(seen);
        let ending = sitting.attend(Box::pin(self.explored(inquiry, purse, &seen, sitting))).await;
        audience.end(ending.as_ref());
        let outcome = match &ending {
            Some(Ok(explored)) if explored.reasoned.answer.is_empty() => "capability_miss",
            Some(Ok(_)) => "answer",
            Some(Err(_)) | None => "failed",
        };
        sitting.replied(outcome, || audience.told().unwrap_or_else(|| in_short(ending.as_ref())));
        ending
    }

    async fn explored(
        &self,
        inquiry: &Inquiry,
        purse: Purse,
        seen: SeenBy<'_>,
        sitting: &Sitting<'_>,
    ) -> Result<Explored, DeskFault> {
        let since = sitting.now();
        let exchanges = sitting.exchanges();
        let session = self.desk.portfolio.session_over(None, &exchanges);
        session.allow(purse.spend);
        let mut limits = self.policy().explore;
        limits.moves_max = limits.moves_max.min(purse.moves_max);
        let mut looked = Looked::at(inquiry, limits, self.policy().reason.clone());
        while let Some(wanted) = choose(&mut looked, &session).await {
            self.make(wanted, &mut looked, seen, sitting).await?;
        }
        let writing_since = sitting.now();
        seen(Seen::Writing { at: writing_since });
        let (reasoned, reports) = self.written(&looked, session, (seen, sitting)).await?;
        seen(Seen::Written { ms: sitting.elapsed_ms(writing_since) });
        let spent: Usage = reports.iter().map(StageReport::usage).sum();
        let mut told = answer::told(&reasoned, &reports);
        told.meta.latency_ms = sitting.elapsed_ms(since);
        Ok(Explored { reasoned: told, moves: looked.done.len(), cost: spent.cost })
    }

    /// Makes a move, and takes in what it brings.
    async fn make(
        &self,
        wanted: Move,
        looked: &mut Looked<'_>,
        seen: SeenBy<'_>,
        sitting: &Sitting<'_>,
    ) -> Result<(), DeskFault> {
        let since = sitting.now();
        seen(Seen::Begun { made: &wanted, at: since });
        let gain = match self.look(&wanted, looked, sitting).await? {
            None => None,
            Some(Brought { assurance, passages }) => {
                if let (Move::Search { query }, Some(assurance)) = (&wanted, assurance) {
                    looked.weigh(query, assurance);
                }
                Some(looked.take(passages))
            }
        };
        let at = sitting.now();
        let duration_ms = milliseconds(since, at);
        seen(Seen::Ended { done: &wanted, gain, at, ms: duration_ms });
        let gain = gain.unwrap_or_default();
        let (tool, told) = (wanted.tool(), wanted.words());
        let (found, fresh) = (gain.found, gain.fresh);
        sitting.note(Event::DocumentsLooked(LookReport { tool, told, found, fresh, duration_ms }));
        looked.done.push((wanted, gain));
        Ok(())
    }

    /// What a move finds; none where there is nothing to go from.
    async fn look(
        &self,
        wanted: &Move,
        looked: &Looked<'_>,
        sitting: &Sitting<'_>,
    ) -> Result<Option<Brought>, DeskFault> {
        let from = match wanted {
            Move::Search { .. } => None,
            Move::Read { passage } => match looked.passages.get(*passage).and_then(|it| it.parent.as_deref())
            {
                Some(parent) => Some(parent),
                None => return Ok(None),
            },
            Move::Expand { passage, .. } => match looked.passages.get(*passage) {
                Some(from) => Some(from.source.chunk_id.as_str()),
                None => return Ok(None),
            },
        };
        let given = json!({ "tool": wanted.tool(), "words": wanted.words(), "from": from });
        let live = async {
            let revision = self.desk.library.revision().await?;
            let found = self.brought(wanted, from.unwrap_or_default(), looked).await?;
            Ok::<_, DeskFault>(Found { revision, found })
        };
        let found: Found<Brought> = sitting.outside().look("documents", given, live).await?;
        Ok(Some(found.found))
    }

    async fn brought(&self, wanted: &Move, from: &str, looked: &Looked<'_>) -> Result<Brought, DeskFault> {
        let inquiry = looked.inquiry;
        let scope = self.scope(inquiry.collection_id.as_deref(), inquiry.document_id.as_deref());
        let library = &self.desk.library;
        let chunks = match wanted {
            Move::Search { query } => {
                let previous = looked.previous().filter(|_| *query == inquiry.question);
                let question = Question { text: query, previous };
                let limit = Some(self.policy().reason.chunks_default);
                let found = library.search(&scope, question, limit).await?;
                let assurance = Some(Assurance::of(&found));
                let evidence = found.results.into_iter().filter(|result| library.is_evidence(result));
                let passages =
                    evidence.map(|it| (it.chunk.parent_id.clone(), Source::of(it.chunk, it.score)));
                return Ok(Brought { assurance, passages: passages.collect() });
            }
            Move::Read { .. } => library.read(&scope, from).await?.into_iter().collect(),
            Move::Expand { direction, .. } => {
                library.expand(&scope, from, *direction, Some(1)).await?.unwrap_or_default()
            }
        };
        let passages = chunks.into_iter().map(|chunk| (chunk.parent_id.clone(), Source::of(chunk, 0.0)));
        Ok(Brought { assurance: None, passages: passages.collect() })
    }

    /// Writes the answer; in the sources' own sentences where the models fail.
    async fn written(
        &self,
        looked: &Looked<'_>,
        session: Session<'_>,
        (seen, sitting): (SeenBy<'_>, &Sitting<'_>),
    ) -> Result<(library::Reasoned, Vec<StageReport>), DeskFault> {
        let rules = Extractive::from(&self.policy().reason);
        let question = looked.inquiry.question.as_str();
        let aloud = Some(Aloud::new(seen, self.policy()));
        let history = looked.inquiry.history.iter().map(Turn::told).collect();
        let writer = Writer { session: Some(session), rules, history, aloud };
        let draft = library::draft(self.policy(), question, looked.gathered(), &writer);
        let mut draft = sitting.writing(draft).await;
        if matches!(draft, Draft::Ended(Ending::Unwritten { .. })) {
            draft = library::draft(self.policy(), question, looked.gathered(), &rules).await;
        }
        let reports = sitting.hear(writer.session.as_ref());
        match draft {
            Draft::Written { gathered, written } => {
                Ok((self.checked(gathered, written, sitting).await?, reports))
            }
            Draft::Ended(Ending::Answer(reasoned)) => Ok((*reasoned, reports)),
            Draft::Ended(Ending::Unwritten { fault, .. }) => {
                Err(DeskFault::Unwritten { reason: fault.to_string(), evidence: Vec::new() })
            }
        }
    }
}

/// What a recording has of an inquiry where nobody says what was told of it.
fn in_short(ending: Option<&Result<Explored, DeskFault>>) -> String {
    match ending {
        Some(Ok(Explored { reasoned, moves, cost })) => {
            let told = Told { answer: reasoned, moves: *moves, cost_usd: cost.amount().to_string() };
            serde_json::to_string(&told).unwrap_or_default()
        }
        Some(Err(fault)) => answer::refused(fault),
        None => sitting::given_up(),
    }
}

/// The next move; none where the answer is to be written.
async fn choose(looked: &mut Looked<'_>, session: &Session<'_>) -> Option<Move> {
    let next = next::of(looked, session.asks(policy::ModelStage::Explore));
    if !next.may_move {
        return None;
    }
    if next.asks_model {
        looked.requests += 1;
        let told = looked.told();
        if let Some(Some(reply)) = session.explore(&told.brief(looked)).await {
            return looked.read(&reply);
        }
    }
    rules::next(looked)
}

/// The way that a word names.
fn direction(word: &str) -> Direction {
    match word {
        "up" => Direction::Up,
        "down" => Direction::Down,
        "next" => Direction::Next,
        "previous" => Direction::Previous,
        _ => Direction::Surrounding,
    }
}
