//! A run as a conversation tells it: its events as steps and calls, its result as text, sources and parts.

mod documents;
mod ending;
mod narration;
mod spoken;
mod steps;

pub(crate) use ending::{Around, Told, aborted, failed, refused, replied, told};
pub(crate) use narration::Narration;
pub(crate) use spoken::Spoken;
pub(crate) use steps::Steps;

#[cfg(test)]
mod transcripts;
