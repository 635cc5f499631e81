//! A run as a conversation tells it: its events as steps and calls, its result as text, sources and parts.

mod documents;
mod ending;
mod spoken;
mod steps;

pub(crate) use documents::{Moves, from_documents, said};
pub(crate) use ending::{Around, Told, aborted, failed, refused, told};
pub(crate) use spoken::Spoken;
pub(crate) use steps::Steps;

#[cfg(test)]
mod transcripts;
