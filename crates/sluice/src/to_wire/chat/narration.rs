//! A turn about documents, told from its first move to its last chunk: of what is seen and how it ends, and of nothing else.
//! So a replay of it tells the same chunks.

use std::sync::{Mutex, MutexGuard, PoisonError};

use contract::chat::{Chunk, StartMetadata, Writer};
use domain::Usd;
use serde_json::json;

use super::Spoken;
use super::documents::{Moves, from_documents, said};
use super::ending::{Told, failed};
use crate::desk::DeskFault;
use crate::desk::explore::{Audience, AudienceWants, Explored, Seen};

/// A conversation, as an inquiry tells it what is done.
pub(crate) struct Narration<'a> {
    question: &'a str,
    wants: Option<AudienceWants>,
    /// Takes what is to be told now.
    leave: Leave<'a>,
    state: Mutex<State>,
}

/// Takes chunks on their way.
pub(crate) type Leave<'a> = &'a (dyn Fn(Vec<Chunk>) + Send + Sync);

struct State {
    moves: Moves,
    spoken: Spoken,
    /// What was told, in the order in which it leaves; none where nobody wants it again.
    kept: Option<(Writer, Vec<Chunk>)>,
    is_given_up: bool,
    ending: Option<Told>,
}

impl<'a> Narration<'a> {
    /// Nothing was told yet. What is told is kept where `is_kept` says so.
    pub(crate) fn new(
        question: &'a str,
        wants: Option<AudienceWants>,
        (piece_chars_max, is_kept): (usize, bool),
        leave: Leave<'a>,
    ) -> Self {
        let writer = || {
            // The first chunks name the run, and are no part of its answer.
            let metadata = StartMetadata { run_id: String::new(), thread_id: String::new() };
            (Writer::begin(String::new(), metadata).0, Vec::new())
        };
        let state = State {
            moves: Moves::default(),
            spoken: Spoken::new(piece_chars_max),
            kept: is_kept.then(writer),
            is_given_up: false,
            ending: None,
        };
        Self { question, wants, leave, state: Mutex::new(state) }
    }

    /// What is still to be told at the end; none where the inquiry was given up, or goes on.
    pub(crate) fn take_ending(&self) -> Option<Told> {
        self.state().ending.take()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Audience for Narration<'_> {
    fn wants(&self) -> Option<AudienceWants> {
        self.wants.clone()
    }

    fn see(&self, seen: Seen<'_>) {
        let mut state = self.state();
        let mut chunks = state.moves.tell(&seen);
        chunks.extend(said(&seen, &mut state.spoken));
        state.keep(&chunks);
        (self.leave)(chunks);
    }

    fn end(&self, ending: Option<&Result<Explored, DeskFault>>) {
        let mut state = self.state();
        let broken: Vec<Chunk> = state.moves.broken().into_iter().collect();
        state.keep(&broken);
        (self.leave)(broken);
        let told = match ending {
            None => {
                state.is_given_up = true;
                return;
            }
            Some(Err(fault)) => failed(words(fault)),
            Some(Ok(explored)) => {
                let AudienceWants { quota, is_traced, spent_before_usd } =
                    self.wants.clone().unwrap_or_default();
                let spent_before = Usd::parse(&spent_before_usd).unwrap_or(Usd::ZERO);
                let trace = is_traced.then(|| state.moves.trace(self.question));
                let around = (quota, trace, spent_before);
                from_documents(explored, self.question, &mut state.spoken, around)
            }
        };
        state.keep(&told.chunks);
        state.keep(std::slice::from_ref(&told.finish));
        state.ending = Some(told);
    }

    fn told(&self) -> Option<String> {
        self.wants.as_ref()?;
        let state = self.state();
        let (_, chunks) = state.kept.as_ref()?;
        let told = if state.is_given_up {
            json!({"chunks": chunks, "given_up": true})
        } else {
            json!({ "chunks": chunks })
        };
        Some(told.to_string())
    }
}

impl State {
    fn keep(&mut self, chunks: &[Chunk]) {
        if let Some((writer, kept)) = &mut self.kept {
            kept.extend(chunks.iter().cloned().flat_map(|chunk| writer.push(chunk)));
        }
    }
}

/// What may be told of a fault. What is ours alone stays in the log.
fn words(fault: &DeskFault) -> String {
    match fault {
        // The library's failure, as a recording has it.
        DeskFault::Library(_) | DeskFault::NotRecorded(_) => "the library failed".to_owned(),
        DeskFault::Request(_)
        | DeskFault::NoDocument
        | DeskFault::NoCollection
        | DeskFault::NotEmpty
        | DeskFault::NoChunk
        | DeskFault::GivenUp
        | DeskFault::Unwritten { .. } => fault.to_string(),
    }
}
