//! A question, understood: what the wire said, checked and normalized.

use serde_json::{Map, Value};

use crate::{ListingId, MethodRef};

/// A checked question and how its caller wants it answered. Consumed by tool selection.
#[derive(Debug)]
pub struct Query {
    /// The question: trimmed, not empty, within the policy's bound.
    pub text: String,
    /// Which listings may serve it.
    pub tools: ToolScope,
    /// How deep to look before planning.
    pub depth: Depth,
    /// What to do with an ambiguous question.
    pub clarification: ClarificationPolicy,
    /// How much of the answer package to give.
    pub shape: ResponseShape,
    /// The answer model that the caller named; unknown names fall back to the default and are disclosed.
    pub answer_model: Option<String>,
    /// The optional parts of the reply.
    pub include: Include,
    /// The earlier attempt that this one continues.
    pub lineage: Option<Lineage>,
    /// What was said before the question, oldest first.
    pub history: Vec<Turn>,
    /// The option of an earlier clarification that the question means.
    pub choice: Option<SaidChoice>,
}

/// An option of an earlier clarification, as the caller says it: nothing of it is trusted before its token is verified.
#[derive(Clone, Debug, PartialEq)]
pub struct SaidChoice {
    /// The option.
    pub option: String,
    /// The token that came with it.
    pub token: String,
    /// What was selected for that clarification, where it is still kept.
    pub selection: Option<KeptSelection>,
}

/// A selection that was kept: methods by name, to be found in the catalog again.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptSelection {
    /// The methods that may serve the question, with their scores, best first.
    pub candidates: Vec<(MethodRef, f64)>,
    /// Other methods of the same listings, for look-ups.
    pub helpers: Vec<MethodRef>,
}

/// One turn of the conversation before a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Who spoke.
    pub speaker: Speaker,
    /// What was said; empty where the turn only called methods.
    pub text: String,
    /// What was called in it.
    pub calls: Vec<EarlierCall>,
}

/// A call of an earlier turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EarlierCall {
    /// The method, by name.
    pub method: String,
    /// Its arguments.
    pub arguments: Map<String, Value>,
}

/// Who speaks in a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// The one who asks.
    User,
    /// The one who answers.
    Assistant,
    /// Neither: it is told what was said before that.
    Recap,
}

impl Turn {
    /// A turn in which this was said, and nothing called.
    #[must_use]
    pub fn said(speaker: Speaker, text: &str) -> Self {
        Self { speaker, text: text.to_owned(), calls: Vec::new() }
    }

    /// The turn as a prompt tells it.
    #[must_use]
    pub fn told(&self) -> String {
        let speaker = match self.speaker {
            Speaker::User => "caller",
            Speaker::Assistant => "answer",
            Speaker::Recap => "what was said before, in short",
        };
        format!("{speaker}: {}", self.text)
    }
}

/// A turn that called methods, with what was asked for it.
#[derive(Clone, Copy, Debug)]
pub struct Answered<'a> {
    /// The turn.
    pub answer: &'a Turn,
    /// What was asked last before it.
    pub asked: Option<&'a Turn>,
}

/// The turns of a conversation that called methods, the last one first.
pub fn answered(turns: &[Turn]) -> impl Iterator<Item = Answered<'_>> {
    let is_asked = |turn: &&Turn| turn.speaker == Speaker::User;
    (0..turns.len())
        .rev()
        .filter(|at| !turns[*at].calls.is_empty())
        .map(move |at| Answered { answer: &turns[at], asked: turns[..at].iter().rfind(is_asked) })
}

/// Which listings may serve a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToolScope {
    /// Exactly these, in the caller's order, without repeats; never empty.
    Pinned(Vec<ListingId>),
    /// Whatever the catalog holds.
    Discover,
}

/// How deep the caller wants the question looked into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Straight to planning.
    Fast,
    /// Let the runtime choose.
    Auto,
    /// Probe, judge and rule before planning.
    Deep,
}

impl Depth {
    /// The word of the wire.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Fast => "fast",
            Self::Auto => "auto",
            Self::Deep => "deep",
        }
    }
}

/// What to do with an ambiguous question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClarificationPolicy {
    /// Give the clarification back as the result.
    Return,
    /// Continue with the recommended option and disclose the assumption.
    Auto,
    /// Like `Return`; the client turns it into an error.
    Error,
}

impl ClarificationPolicy {
    /// The word of the wire.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Return => "return",
            Self::Auto => "auto",
            Self::Error => "error",
        }
    }
}

/// How much of the answer package the caller wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResponseShape {
    /// Prose alone.
    Answer,
    /// Prose with the evidence package.
    AnswerWithEvidence,
    /// The evidence package without final synthesis.
    EvidenceOnly,
}

/// The optional parts of a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Include {
    /// The program's value, inline.
    pub data: bool,
    /// The program's value behind an address.
    pub data_url: bool,
    /// The developer trace.
    pub developer_trace: bool,
}

/// The earlier attempt that a query continues.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lineage {
    /// Whether it resumes or forks that attempt.
    pub kind: LineageKind,
    /// That attempt's session.
    pub session: String,
    /// That attempt.
    pub attempt: String,
}

/// How a query continues an earlier attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineageKind {
    /// The same line of work goes on.
    Resume,
    /// A new line of work starts from there.
    Fork,
}
