//! The stage that puts the beginning of a conversation in short.

use serde::Deserialize;

/// The beginning of a conversation, which is no longer said again word by word.
#[derive(Clone, Copy, Debug)]
pub struct RecapBrief<'a> {
    /// What was told of it before; empty where nothing was.
    pub known: &'a str,
    /// What was said after that, oldest first, each with its speaker.
    pub said: &'a [String],
    /// Characters that the recap may have.
    pub chars_max: usize,
}

/// It in short. Every number of it stands in what it was made from, and no address does.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Recap {
    /// The text.
    pub(crate) summary: String,
}
