//! A program that may run: parsed, verified, bounded.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use domain::{MethodRef, Usd};
use policy::Sandbox;
use rhai::{AST, ParseError, ParseErrorType, Position};

use crate::interpreter;
use crate::journal::Journal;
use crate::rejection::{Note, NoteKind, Rejection};
use crate::signature::Signatures;
use crate::step::{Cancellation, Ready, Run, Step, Usage};
use crate::verify::{self, Cost};

/// What the calls of one program may come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Calls.
    pub calls_max: usize,
    /// Their cost, in dollars.
    pub spend_max: Usd,
}

/// A place in a program's text where a method is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallSite {
    /// The method, as `alias.method`.
    pub method: String,
    /// The line, from one.
    pub line: usize,
    /// The column, from one.
    pub column: usize,
}

/// A program that may run. Clones share it.
#[derive(Clone, Debug)]
pub struct Program {
    compiled: Arc<Compiled>,
}

#[derive(Debug)]
pub(crate) struct Compiled {
    source: String,
    sites: Vec<CallSite>,
    pub(crate) ast: AST,
    pub(crate) methods: BTreeMap<String, MethodRef>,
    pub(crate) written: BTreeSet<String>,
    pub(crate) cost: Cost,
    pub(crate) limits: Sandbox,
}

impl Compiled {
    /// A program that has been verified elsewhere.
    pub(crate) fn again(
        source: String,
        written: BTreeSet<String>,
        ast: AST,
        methods: BTreeMap<String, MethodRef>,
        cost: Cost,
        limits: Sandbox,
    ) -> Self {
        Self { source, sites: Vec::new(), ast, methods, written, cost, limits }
    }

    pub(crate) fn source(&self) -> &str {
        &self.source
    }
}

impl Program {
    /// Parses and verifies a program. Nothing is called before every call site is known to be right and the calls and
    /// their cost are known to stay within the budget.
    pub fn parse(
        text: &str,
        signatures: &Signatures,
        limits: &Sandbox,
        budget: Budget,
    ) -> Result<Self, Rejection> {
        if text.len() > limits.source_bytes_max {
            let message = format!("it has {} bytes, and {} are allowed", text.len(), limits.source_bytes_max);
            return Err(Rejection { notes: vec![Note::new(NoteKind::Limit, message, Position::NONE)] });
        }
        let engine = interpreter::for_parsing(limits);
        let ast = engine.compile(text).map_err(|error| Rejection { notes: vec![parse_note(&error)] })?;
        let budget = Budget { calls_max: budget.calls_max.min(limits.static_calls_max), ..budget };
        let verified = verify::program(&ast, signatures, budget)?;
        Ok(Self {
            compiled: Arc::new(Compiled {
                source: text.to_owned(),
                sites: verified.sites,
                ast,
                methods: verified.methods,
                written: verified.written,
                cost: verified.cost,
                limits: limits.clone(),
            }),
        })
    }

    #[cfg(test)]
    pub(crate) fn compiled(&self) -> &Arc<Compiled> {
        &self.compiled
    }

    /// Its text.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.compiled.source
    }

    /// Its call sites, in the order of the walk: top to bottom, a function's where it is first called.
    #[must_use]
    pub fn sites(&self) -> &[CallSite] {
        &self.compiled.sites
    }

    /// The most calls that it can make.
    #[must_use]
    pub fn calls_max(&self) -> usize {
        self.compiled.cost.calls
    }

    /// The most that its calls can cost.
    #[must_use]
    pub fn spend_max(&self) -> Usd {
        self.compiled.cost.spend
    }

    /// Makes it ready for its first pass. Calls that the journal holds are served from it and never asked again; an empty
    /// journal starts afresh.
    #[must_use]
    pub fn ready(&self, journal: Journal, cancellation: &Cancellation) -> Ready {
        Ready::of(Run {
            compiled: Arc::clone(&self.compiled),
            journal: Arc::new(journal),
            asked: BTreeSet::new(),
            cancellation: cancellation.clone(),
            usage: Usage::default(),
        })
    }

    /// Starts it in this process. Blocks the thread for as long as the interpreter runs, which the policy bounds.
    #[must_use]
    pub fn start(&self, journal: Journal, cancellation: &Cancellation) -> Step {
        self.ready(journal, cancellation).run()
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "every other error is one of syntax")]
fn parse_note(error: &ParseError) -> Note {
    let kind = match error.err_type() {
        ParseErrorType::ExprTooDeep
        | ParseErrorType::TooManyFunctions
        | ParseErrorType::LiteralTooLarge(..) => NoteKind::Limit,
        _ => NoteKind::Syntax,
    };
    Note::new(kind, error.err_type().to_string(), error.position())
}
