//! Writes recordings: a folder each, complete or not there.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use domain::{Reply, Snapshot};
use policy::Policy;
use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::finished::{Ended, Finished};
use crate::format::catalog::{RecordedCatalog, schema_hashes};
use crate::format::exchange::{Fault, ModelSaid, microseconds};
use crate::format::{BODIES, Line, RUN_FILE};
use crate::journal::{Entry, Noted};
use crate::redact::Redactor;

/// Writes recordings into one directory. What many of them share is made once, and linked where that can be.
#[derive(Default)]
pub(crate) struct Writer {
    catalog: Option<(Arc<Snapshot>, Shared)>,
    policies: Option<(Arc<Policy>, Shared)>,
    written: BTreeMap<String, PathBuf>,
}

/// A body that many recordings have.
#[derive(Clone)]
struct Shared {
    hash: String,
    text: Arc<str>,
    listings: Arc<BTreeMap<String, String>>,
}

/// What is to be written of one recording.
struct Page<'a> {
    redactor: Redactor<'a>,
    bodies: BTreeMap<String, Arc<str>>,
    lines: Vec<Value>,
}

/// A recording that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Written {
    pub(crate) name: String,
    pub(crate) bytes: u64,
}

impl Writer {
    /// Writes a recording below `directory`, under `name` or the name that says when the request began.
    pub(crate) fn write(
        &mut self,
        directory: &Path,
        name: Option<&str>,
        finished: Finished,
    ) -> io::Result<Written> {
        let header = finished.header();
        let name = name.map_or_else(|| name_of(&finished.ended), str::to_owned);
        let policy = Arc::clone(&finished.ended.policy);
        let mut page = self.page(&policy, finished)?;
        let mut header = serde_json::to_value(header)?;
        page.redactor.clean(&mut header);
        let Page { redactor, bodies, mut lines } = page;
        lines.push(serde_json::to_value(Line::End { redacted: redactor.counts() })?);
        lines.insert(0, header);
        let folder = directory.join(&name);
        let draft = directory.join(format!(".{name}.part"));
        // What an earlier process left half done.
        if draft.exists() {
            fs::remove_dir_all(&draft)?;
        }
        match self.draft(&draft, &folder, &bodies, &lines) {
            Ok(bytes) => Ok(Written { name, bytes: u64::try_from(bytes).unwrap_or(u64::MAX) }),
            Err(error) => {
                // A full disk is not to be kept full by halves; where even this fails, there is no more to be done.
                let _ = fs::remove_dir_all(&draft);
                Err(error)
            }
        }
    }

    /// Writes everything beside its place, and puts it there once it is whole. Returns the bytes that it took.
    fn draft(
        &mut self,
        draft: &Path,
        folder: &Path,
        bodies: &BTreeMap<String, Arc<str>>,
        lines: &[Value],
    ) -> io::Result<usize> {
        fs::create_dir_all(draft.join(BODIES))?;
        let mut bytes = 0;
        for body in bodies {
            bytes += self.put_body(draft, folder, body)?;
        }
        let mut run = BufWriter::new(File::create(draft.join(RUN_FILE))?);
        for line in lines {
            let line = line.to_string();
            bytes += line.len() + 1;
            writeln!(run, "{line}")?;
        }
        run.into_inner()?;
        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
        fs::rename(draft, folder)?;
        Ok(bytes)
    }

    fn page<'a>(&mut self, policy: &'a Arc<Policy>, finished: Finished) -> io::Result<Page<'a>> {
        let Finished { kept, ended } = finished;
        let mut redactor = Redactor::new(&policy.recording, ended.secrets);
        for (_, entry) in &kept.entries {
            learn(&mut redactor, entry);
        }
        let mut page = Page { redactor, bodies: BTreeMap::new(), lines: Vec::new() };
        page.line(Line::Asked(Box::new(kept.asked)))?;
        let shared = self.policies(policy)?;
        page.bodies.insert(shared.hash.clone(), Arc::clone(&shared.text));
        page.line(Line::Policies { body: shared.hash })?;
        if kept.is_whole {
            for (us, entry) in kept.entries {
                let line = self.line(&mut page, (us, entry))?;
                page.line(line)?;
            }
        }
        for stamped in ended.events {
            page.line(Line::Event {
                at: stamped.at,
                event: stamped.event.name().to_owned(),
                told: stamped.event.told(),
            })?;
        }
        let body = page.body(serde_json::from_str(&ended.response)?);
        page.line(Line::Response { body })?;
        Ok(page)
    }

    fn line(&mut self, page: &mut Page<'_>, (us, entry): Noted) -> io::Result<Line> {
        Ok(match entry {
            Entry::Clock(at) => Line::Clock { us, at },
            Entry::Catalog(snapshot) => {
                let shared = self.catalog(&snapshot, page)?;
                page.bodies.insert(shared.hash.clone(), Arc::clone(&shared.text));
                Line::Catalog { us, body: shared.hash, listings: BTreeMap::clone(&shared.listings) }
            }
            Entry::Made { what, text } => Line::Made { us, what: what.to_owned(), text },
            Entry::Call { number, call } => Line::Call {
                us,
                call: number,
                position: call.position.to_string(),
                tool: call.method.listing.to_string(),
                method: call.method.method.to_string(),
                arguments: call.arguments,
            },
            Entry::Reply { number, reply } => reply_line(page, us, number, reply),
            Entry::Model { number, stage, model, body } => {
                let body = page.body(body);
                Line::Model { us, exchange: number, stage: stage.to_owned(), model, body }
            }
            Entry::ModelReply { number, reply } => {
                Line::ModelReply { us, exchange: number, said: Box::new(ModelSaid::of(&reply)) }
            }
            Entry::GivenUp { call, exchange, cancelled } => Line::GivenUp { us, call, exchange, cancelled },
        })
    }

    fn policies(&mut self, policy: &Arc<Policy>) -> io::Result<Shared> {
        match &self.policies {
            Some((known, shared)) if known.hash == policy.hash => Ok(shared.clone()),
            _ => {
                let shared = Shared::of(&serde_json::to_value(&*policy.files)?, BTreeMap::new());
                self.policies = Some((Arc::clone(policy), shared.clone()));
                Ok(shared)
            }
        }
    }

    fn catalog(&mut self, snapshot: &Arc<Snapshot>, page: &mut Page<'_>) -> io::Result<Shared> {
        match &self.catalog {
            Some((known, shared)) if Arc::ptr_eq(known, snapshot) => Ok(shared.clone()),
            _ => {
                let mut value = serde_json::to_value(RecordedCatalog::of(snapshot))?;
                page.redactor.clean(&mut value);
                let shared = Shared::of(&value, schema_hashes(snapshot));
                self.catalog = Some((Arc::clone(snapshot), shared.clone()));
                Ok(shared)
            }
        }
    }

    /// Writes a body, or links it to one that was written before.
    fn put_body(
        &mut self,
        draft: &Path,
        folder: &Path,
        (hash, text): (&String, &Arc<str>),
    ) -> io::Result<usize> {
        let place = |folder: &Path| folder.join(BODIES).join(format!("{hash}.json"));
        let is_shared = [self.catalog.as_ref().map(|it| &it.1), self.policies.as_ref().map(|it| &it.1)]
            .into_iter()
            .flatten()
            .any(|shared| shared.hash == *hash);
        let linked = self.written.get(hash).is_some_and(|known| fs::hard_link(known, place(draft)).is_ok());
        if linked {
            return Ok(0);
        }
        fs::write(place(draft), text.as_bytes())?;
        if is_shared {
            self.written.retain(|_, known| known.exists());
            self.written.insert(hash.clone(), place(folder));
        }
        Ok(text.len())
    }
}

impl Shared {
    fn of(value: &Value, listings: BTreeMap<String, String>) -> Self {
        let text: Arc<str> = value.to_string().into();
        Self { hash: hash_of(&text), text, listings: Arc::new(listings) }
    }
}

impl Page<'_> {
    fn line(&mut self, line: impl Serialize) -> io::Result<()> {
        let mut value = serde_json::to_value(line)?;
        self.redactor.clean(&mut value);
        self.lines.push(value);
        Ok(())
    }

    /// Keeps a value as a body; its hash.
    fn body(&mut self, mut value: Value) -> String {
        self.redactor.clean(&mut value);
        let text: Arc<str> = value.to_string().into();
        let hash = hash_of(&text);
        self.bodies.insert(hash.clone(), text);
        hash
    }
}

fn reply_line(page: &mut Page<'_>, us: u64, call: usize, reply: Reply) -> Line {
    match reply {
        Ok(delivered) => Line::Reply {
            us,
            call,
            bytes: delivered.bytes,
            arrived_at: Some(delivered.arrived_at),
            elapsed_us: microseconds(delivered.elapsed),
            body: Some(page.body(delivered.value)),
            fault: None,
        },
        Err(fault) => Line::Reply {
            us,
            call,
            body: None,
            fault: Some(Fault::of(&fault)),
            bytes: 0,
            arrived_at: None,
            elapsed_us: 0,
        },
    }
}

fn learn(redactor: &mut Redactor<'_>, entry: &Entry) {
    match entry {
        Entry::Call { call, .. } => redactor.learn(&Value::Object(call.arguments.clone())),
        Entry::Reply { reply: Ok(delivered), .. } => redactor.learn(&delivered.value),
        Entry::Reply { reply: Err(_), .. }
        | Entry::Clock(_)
        | Entry::Catalog(_)
        | Entry::Made { .. }
        | Entry::Model { .. }
        | Entry::ModelReply { .. }
        | Entry::GivenUp { .. } => {}
    }
}

pub(crate) fn hash_of(text: &str) -> String {
    hex::encode(Sha256::digest(text.as_bytes()))
}

/// A name that says when the request began, and tells it from others of the same moment.
fn name_of(ended: &Ended) -> String {
    let at = ended.started_at.strftime("%Y%m%dT%H%M%S%3f").to_string();
    let hash = hash_of(&format!("{}\u{0}{}", ended.caller, ended.request));
    format!("{at}-{}", &hash[..12])
}
