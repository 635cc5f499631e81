//! The form of a recording: a folder with `run.jsonl`, one JSON object a line. What lines refer to by hash is a line of its
//! own, before them, or `<sha256>.json`, a file that other recordings have too.
//!
//! The first line is the [`Header`]. A reader takes every recording of the [`MAJORS`] that it knows: lines and members that
//! it does not know are passed over, members that an older writer did not know have their defaults. Another major version
//! is refused. The last line is [`Line::End`]; a file without it was cut off.
//!
//! Version 1 had a file of the folder `bodies` for every body, and did not say where a request that computed was given up.

pub(crate) mod catalog;
pub(crate) mod exchange;
pub(crate) mod pass;
pub(crate) mod query;

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use exchange::{Fault, ModelSaid};
use pass::PassEnd;
use query::{Asked, AskedOfDocuments};

/// The word that a recording is known by.
pub(crate) const FORMAT: &str = "sluice-trace";
/// Grows when an old reader would misread what is written.
pub const MAJOR: u32 = 2;
/// The versions that this reader reads.
pub(crate) const MAJORS: [u32; 2] = [1, MAJOR];
/// Grows when something is added that an old reader may pass over.
pub const MINOR: u32 = 1;

/// The file with the lines.
pub const RUN_FILE: &str = "run.jsonl";
/// The folder with what the lines refer to, in version 1.
pub(crate) const BODIES: &str = "bodies";
/// What stands before and after the hash of a body that is a line.
pub(crate) const BODY_HEAD: &str = "{\"kind\":\"body\",\"sha256\":\"";
pub(crate) const BODY_MIDDLE: &str = "\",\"body\":";

/// The first line: what the recording is, and how its request ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// [`FORMAT`].
    pub format: String,
    /// [`MAJOR`] of the writer.
    pub major: u32,
    /// [`MINOR`] of the writer.
    pub minor: u32,
    /// The hash of the policies that the request ran under.
    pub policy_hash: String,
    /// Who asked, never by a key.
    #[serde(default)]
    pub caller: String,
    /// The request's identifier.
    pub request: String,
    /// The question.
    #[serde(default)]
    pub question: String,
    /// When the request began.
    pub started_at: Timestamp,
    /// How it ended.
    pub summary: Summary,
}

/// How a request ended, in short.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Summary {
    /// The ending's word.
    pub outcome: String,
    /// The lane's word.
    pub lane: String,
    /// Why the gate, or else the lane, decided as it did.
    pub reason: String,
    /// How long the request took, in milliseconds.
    pub duration_ms: u64,
    /// Calls that were made.
    pub calls: usize,
    /// Calls that gave no data.
    pub failed_calls: usize,
    /// Requests to models.
    pub model_requests: usize,
    /// Dollars for calls and models.
    pub cost_usd: String,
    /// The hash of what was decided, whatever the order in which parallel calls came back.
    pub decisions: String,
    /// Whether it can be replayed: nothing had to be left out.
    pub is_whole: bool,
    /// Whether it was given up before its end.
    pub is_cancelled: bool,
}

/// A line behind the header.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Line {
    /// What was asked.
    Asked(Box<Asked>),
    /// What was asked of documents. A reader that does not know of it finds that nothing was asked.
    AskedOfDocuments(Box<AskedOfDocuments>),
    /// The policies: a body with every file.
    Policies {
        /// The body.
        body: String,
    },
    /// The catalog was looked at.
    Catalog {
        /// Microseconds since the recording began, here as on every line.
        us: u64,
        /// The body with the listings.
        body: String,
        /// The listings' names, each with the hash of its schemas.
        listings: BTreeMap<String, String>,
    },
    /// The clock was read.
    Clock {
        /// When.
        us: u64,
        /// What it said.
        at: Timestamp,
    },
    /// Something random was made up.
    Made {
        /// When.
        us: u64,
        /// What it is.
        what: String,
        /// Its text.
        text: String,
    },
    /// A call left.
    Call {
        /// When.
        us: u64,
        /// Which call of the request, from 0.
        call: usize,
        /// Where in its program it stands.
        position: String,
        /// The listing.
        tool: String,
        /// The method.
        method: String,
        /// The arguments.
        arguments: Map<String, Value>,
    },
    /// A call came back.
    Reply {
        /// When.
        us: u64,
        /// Which call.
        call: usize,
        /// The body with the result; none where there is none.
        #[serde(default)]
        body: Option<String>,
        /// Why there is none.
        #[serde(default)]
        fault: Option<Fault>,
        /// The result's size in bytes.
        #[serde(default)]
        bytes: usize,
        /// When it arrived.
        #[serde(default)]
        arrived_at: Option<Timestamp>,
        /// How long the call took, in microseconds.
        #[serde(default)]
        elapsed_us: u64,
    },
    /// A model was asked.
    Model {
        /// When.
        us: u64,
        /// Which request to a model, from 0.
        exchange: usize,
        /// The stage.
        stage: String,
        /// The model, by its name in the policies.
        model: String,
        /// The body that was sent.
        body: String,
    },
    /// A model replied.
    ModelReply {
        /// When.
        us: u64,
        /// Which request.
        exchange: usize,
        /// What it said.
        said: Box<ModelSaid>,
    },
    /// A call, a request to a model or a pass of a program was given up: by a deadline, or with the whole request.
    GivenUp {
        /// When.
        us: u64,
        /// Which call.
        #[serde(default)]
        call: Option<usize>,
        /// Which request to a model.
        #[serde(default)]
        exchange: Option<usize>,
        /// Which pass, since minor version 1.
        #[serde(default)]
        pass: Option<usize>,
        /// Whether the whole request was.
        #[serde(default)]
        cancelled: bool,
    },
    /// The whole request was given up, after what stands before this.
    Cancelled {
        /// When.
        us: u64,
        /// Passes that had begun by then, since minor version 1.
        #[serde(default)]
        passes: usize,
    },
    /// A pass of a program ended as the machine would have it.
    Pass {
        /// When.
        us: u64,
        /// Which pass of the request, from 0.
        pass: usize,
        /// How.
        ended: PassEnd,
    },
    /// Something outside was looked into.
    Looked {
        /// When.
        us: u64,
        /// Into what.
        what: String,
        /// What was looked for.
        given: Value,
        /// The body with what was found.
        body: String,
    },
    /// Something happened: what people and comparisons read. A replay does without.
    Event {
        /// When.
        at: Timestamp,
        /// What, by its name.
        event: String,
        /// The particulars.
        told: Value,
    },
    /// What was replied: a body.
    Response {
        /// The body.
        body: String,
    },
    /// There is no more.
    End {
        /// How often something was not written, by the field or the beginning that it was known by.
        #[serde(default)]
        redacted: BTreeMap<String, u64>,
    },
    /// Something that this version does not know.
    #[serde(other)]
    Unknown,
}
