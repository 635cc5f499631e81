//! The formats of corpora: JSON lines of gate cases, of tools, and of queries with the tools that serve them.

use std::fs::File;
use std::io::{BufRead, BufReader, Lines};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use contract::trace::GateRecord;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::EvalFault;

/// One case for the gate: a question over a universe of tools, and what should come of it.
#[derive(Clone, Debug, Deserialize)]
pub struct Case {
    /// Its identifier, unique in its file.
    pub id: String,
    /// The data set that it comes from.
    pub source: String,
    /// The question.
    pub query: String,
    /// What was said before it, oldest first.
    #[serde(default)]
    pub history: Vec<Turn>,
    /// When it was asked, as the source says it: prose or a date.
    pub now: Option<String>,
    /// Everything that could serve it.
    pub tools: Vec<Tool>,
    /// Whether the tools are a catalog that selection chooses from, and not the caller's own choice.
    #[serde(default)]
    pub discovers: bool,
    /// What should come of it.
    pub expected: Expected,
}

/// One turn of a conversation.
#[derive(Clone, Debug, Deserialize)]
pub struct Turn {
    /// `user`, `assistant` or `system`.
    pub role: String,
    /// What was said; none where the turn only called tools.
    pub content: Option<String>,
    /// What was called.
    #[serde(default)]
    pub calls: Vec<TurnCall>,
}

/// A call of an earlier turn.
#[derive(Clone, Debug, Deserialize)]
pub struct TurnCall {
    /// The tool.
    pub method: String,
    /// Its arguments.
    #[serde(default)]
    pub args: Map<String, Value>,
}

/// What should come of a case.
#[derive(Clone, Debug, Deserialize)]
pub struct Expected {
    /// The outcome.
    pub outcome: Outcome,
    /// The methods that serve it, by name.
    #[serde(default)]
    pub methods: Vec<String>,
    /// The arguments whose values the question leaves out.
    #[serde(default)]
    pub missing_params: Vec<String>,
    /// Outcomes that the source accepts as well.
    #[serde(default)]
    pub accept: Vec<Outcome>,
}

/// The three endings of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It can be answered.
    Answer,
    /// It has to be asked back.
    ClarificationRequired,
    /// Nothing can serve it.
    CapabilityMiss,
}

impl Outcome {
    /// Every outcome, in the order of reports.
    pub const ALL: [Self; 3] = [Self::Answer, Self::ClarificationRequired, Self::CapabilityMiss];

    /// The word of corpora and reports.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Answer => "answer",
            Self::ClarificationRequired => "clarification_required",
            Self::CapabilityMiss => "capability_miss",
        }
    }
}

/// A tool, as an MCP server lists it; in a retrieval set with an identifier of its own.
#[derive(Clone, Debug, Deserialize)]
pub struct Tool {
    /// The identifier that queries name; several tools may share a name.
    pub id: Option<String>,
    /// The name.
    pub name: String,
    /// The title for people.
    pub title: Option<String>,
    /// What it does.
    #[serde(default)]
    pub description: String,
    /// The listing that offers it, where a corpus has several.
    pub listing: Option<ToolListing>,
    /// The JSON Schema of its arguments.
    #[serde(default, rename = "inputSchema")]
    pub input_schema: Map<String, Value>,
    /// The JSON Schema of its result.
    #[serde(rename = "outputSchema")]
    pub output_schema: Option<Value>,
    /// The hints of the MCP standard.
    #[serde(default)]
    pub annotations: Hints,
    /// The hints of the marketplace.
    #[serde(default, rename = "_meta")]
    pub meta: Map<String, Value>,
}

/// A listing, by what it says of itself.
#[derive(Clone, Debug, Deserialize)]
pub struct ToolListing {
    /// Its name.
    pub name: String,
    /// What it is about.
    #[serde(default)]
    pub description: String,
}

impl Tool {
    /// What queries name it by: its identifier, or its name where it has none.
    #[must_use]
    pub fn key(&self) -> &str {
        self.id.as_deref().unwrap_or(&self.name)
    }
}

/// The hints of the MCP standard; absent ones stay absent.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub struct Hints {
    /// It changes nothing.
    #[serde(rename = "readOnlyHint")]
    pub read_only: Option<bool>,
    /// What it changes may be lost.
    #[serde(rename = "destructiveHint")]
    pub destructive: Option<bool>,
    /// Calling it twice is calling it once.
    #[serde(rename = "idempotentHint")]
    pub idempotent: Option<bool>,
    /// It reaches outside its server.
    #[serde(rename = "openWorldHint")]
    pub open_world: Option<bool>,
}

/// One query of a retrieval set.
#[derive(Clone, Debug, Deserialize)]
pub struct RetrievalQuery {
    /// Its identifier, unique in its file.
    pub id: String,
    /// The question.
    pub query: String,
    /// The tools that serve it, by [`Tool::key`].
    pub relevant: Vec<String>,
    /// Whether any one of them is enough: they are copies of each other.
    #[serde(default)]
    pub any_of: bool,
}

/// Reads gate cases, one at a time.
pub fn cases(path: &Path) -> Result<JsonLines<Case>, EvalFault> {
    JsonLines::open(path)
}

/// Reads a catalogue of tools, one at a time.
pub fn tools(path: &Path) -> Result<JsonLines<Tool>, EvalFault> {
    JsonLines::open(path)
}

/// Reads what a gate decided on, one at a time.
pub fn gate_records(path: &Path) -> Result<JsonLines<GateRecord>, EvalFault> {
    JsonLines::open(path)
}

/// Reads the queries of a retrieval set, one at a time.
pub fn queries(path: &Path) -> Result<JsonLines<RetrievalQuery>, EvalFault> {
    JsonLines::open(path)
}

/// The values of a file of JSON lines, read as they are asked for. Empty lines are passed over.
#[derive(Debug)]
pub struct JsonLines<T> {
    path: PathBuf,
    line: usize,
    lines: Lines<BufReader<File>>,
    value: PhantomData<T>,
}

impl<T> JsonLines<T> {
    fn open(path: &Path) -> Result<Self, EvalFault> {
        let unreadable = |source| EvalFault::Unreadable { path: path.to_owned(), source };
        let file = File::open(path).map_err(unreadable)?;
        Ok(Self { path: path.to_owned(), line: 0, lines: BufReader::new(file).lines(), value: PhantomData })
    }
}

impl<T: DeserializeOwned> Iterator for JsonLines<T> {
    type Item = Result<T, EvalFault>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let text = match self.lines.next()? {
                Ok(text) => text,
                Err(source) => return Some(Err(EvalFault::Unreadable { path: self.path.clone(), source })),
            };
            self.line += 1;
            if text.trim().is_empty() {
                continue;
            }
            let bad_line = |source| EvalFault::BadLine { path: self.path.clone(), line: self.line, source };
            return Some(serde_json::from_str(&text).map_err(bad_line));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        file
    }

    #[test]
    fn a_case_is_read_with_what_it_leaves_out() {
        let file = written(
            r#"{"id":"a/1","source":"a","query":"Rain?","tools":[{"name":"rain","description":"Rain.",
                "inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}],
                "expected":{"outcome":"capability_miss","accept":["clarification_required"]},"pair":"a/2"}"#
                .replace('\n', " ")
                .as_str(),
        );
        let all: Vec<Case> = cases(file.path()).unwrap().collect::<Result<_, _>>().unwrap();
        assert_eq!(all.len(), 1);
        assert_eq!(all[0].expected.outcome, Outcome::CapabilityMiss);
        assert_eq!(all[0].expected.accept, [Outcome::ClarificationRequired]);
        assert_eq!(all[0].tools[0].annotations.read_only, Some(true));
        assert!(all[0].history.is_empty() && all[0].now.is_none() && !all[0].discovers);
    }

    #[test]
    fn a_fault_names_file_and_line() {
        let file = written("{\"id\":\"q\",\"query\":\"x\",\"relevant\":[\"t\"]}\n\n{\"id\":3}\n");
        let mut read = queries(file.path()).unwrap();
        assert!(!read.next().unwrap().unwrap().any_of);
        let fault = read.next().unwrap().unwrap_err();
        assert!(matches!(&fault, EvalFault::BadLine { line: 3, path, .. } if path == file.path()));
        assert!(fault.to_string().contains(":3: "));
        assert!(read.next().is_none());
        assert!(matches!(tools(Path::new("absent.jsonl")), Err(EvalFault::Unreadable { .. })));
    }
}
