//! A question of a conversation, answered from documents: they are searched, read and expanded as often as it takes, within
//! bounds, and then the answer is written from what is there.
//!
//! Before each move the steps of [`next::STEPS`] say what it may be; a model chooses it, from a prompt that is built anew each
//! time, or [`rules`] do. The last request to a model is the one that writes the answer, and it has no moves. Citations come
//! last, where [`Library::answer`](library::Library::answer) holds what was written against what was gathered.

mod aloud;
mod looked;
mod next;
mod rules;

use contract::library::{Citation, Reasoned};
use domain::{Turn, Usd};
use library::{Direction, Ending, Extractive, Question, Source};
use llm::{Model, Session, StageReport, Usage};

use super::writer::Writer;
use super::{DeskFault, Reader, answer};
pub(in crate::desk) use aloud::Aloud;
use looked::Looked;
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
    Begun(&'a Move),
    /// It ended.
    Ended {
        /// Which.
        done: &'a Move,
        /// What it brought; none where there was nothing to go from.
        gain: Option<Gain>,
        /// How long it took, in milliseconds.
        ms: u64,
    },
    /// The answer is being written.
    Writing,
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

/// An answer, and what it took.
#[derive(Debug)]
pub(crate) struct Explored {
    pub(crate) reasoned: Reasoned,
    pub(crate) moves: usize,
    /// For models.
    pub(crate) cost: Usd,
}

impl Reader<'_> {
    /// Answers a question of a conversation. Nothing is kept of it.
    pub(crate) async fn explore(
        &self,
        inquiry: &Inquiry,
        purse: Purse,
        seen: SeenBy<'_>,
    ) -> Result<Explored, DeskFault> {
        let since = self.desk.clock.now();
        let session = self.desk.portfolio.session(None);
        session.allow(purse.spend);
        let mut limits = self.policy().explore;
        limits.moves_max = limits.moves_max.min(purse.moves_max);
        let mut looked = Looked::at(inquiry, limits, self.policy().reason.clone());
        while let Some(wanted) = choose(&mut looked, &session).await {
            self.make(wanted, &mut looked, seen).await?;
        }
        seen(Seen::Writing);
        let writing_since = self.desk.clock.now();
        let (reasoned, reports) = self.written(&looked, session, seen).await?;
        seen(Seen::Written { ms: self.elapsed_ms(writing_since) });
        let spent: Usage = reports.iter().map(StageReport::usage).sum();
        let mut told = answer::told(&reasoned, &reports);
        told.meta.latency_ms = self.elapsed_ms(since);
        Ok(Explored { reasoned: told, moves: looked.done.len(), cost: spent.cost })
    }

    /// Makes a move, and takes in what it brings.
    async fn make(&self, wanted: Move, looked: &mut Looked<'_>, seen: SeenBy<'_>) -> Result<(), DeskFault> {
        let since = self.desk.clock.now();
        seen(Seen::Begun(&wanted));
        let gain = self.gained(&wanted, looked).await?;
        seen(Seen::Ended { done: &wanted, gain, ms: self.elapsed_ms(since) });
        looked.done.push((wanted, gain.unwrap_or_default()));
        Ok(())
    }

    async fn gained(&self, wanted: &Move, looked: &mut Looked<'_>) -> Result<Option<Gain>, DeskFault> {
        let inquiry = looked.inquiry;
        let scope = self.scope(inquiry.collection_id.as_deref(), inquiry.document_id.as_deref());
        let library = &self.desk.library;
        let found = match wanted {
            Move::Search { query } => {
                let previous = looked.previous().filter(|_| *query == inquiry.question);
                let question = Question { text: query, previous };
                let limit = Some(self.policy().reason.chunks_default);
                let found = library.search(&scope, question, limit).await?;
                looked.weigh(query, &found);
                let evidence = found.results.into_iter().filter(|result| library.is_evidence(result));
                let sources = evidence.map(|result| (result.chunk.parent_id.clone(), result));
                sources.map(|(parent, result)| (parent, Source::of(result.chunk, result.score))).collect()
            }
            Move::Read { passage } => {
                let Some(parent) = looked.passages.get(*passage).and_then(|it| it.parent.clone()) else {
                    return Ok(None);
                };
                let chunk = library.read(&scope, &parent).await?;
                chunk.into_iter().map(|chunk| (chunk.parent_id.clone(), Source::of(chunk, 0.0))).collect()
            }
            Move::Expand { passage, direction } => {
                let Some(from) = looked.passages.get(*passage) else { return Ok(None) };
                let found = library.expand(&scope, &from.source.chunk_id, *direction, Some(1)).await?;
                let chunks = found.unwrap_or_default().into_iter();
                chunks.map(|chunk| (chunk.parent_id.clone(), Source::of(chunk, 0.0))).collect()
            }
        };
        Ok(Some(looked.take(found)))
    }

    /// Writes the answer; in the sources' own sentences where the models fail.
    async fn written(
        &self,
        looked: &Looked<'_>,
        session: Session<'_>,
        seen: SeenBy<'_>,
    ) -> Result<(library::Reasoned, Vec<StageReport>), DeskFault> {
        let rules = Extractive::from(&self.policy().reason);
        let (library, question) = (&self.desk.library, looked.inquiry.question.as_str());
        let aloud = Some(Aloud::new(seen, self.policy()));
        let history = looked.inquiry.history.iter().map(Turn::told).collect();
        let writer = Writer { session: Some(session), rules, history, aloud };
        let mut ending = library.answer(question, looked.gathered(), &writer).await?;
        if matches!(ending, Ending::Unwritten { .. }) {
            ending = library.answer(question, looked.gathered(), &rules).await?;
        }
        let reports = writer.session.as_ref().map(Session::take_reports).unwrap_or_default();
        match ending {
            Ending::Answer(reasoned) => Ok((*reasoned, reports)),
            Ending::Unwritten { fault, .. } => {
                Err(DeskFault::Unwritten { reason: fault.to_string(), evidence: Vec::new() })
            }
        }
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
