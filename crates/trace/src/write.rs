//! Writes recordings: a folder each, complete or not there.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use domain::{Reply, Snapshot};
use policy::Policy;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::decisions;
use crate::finished::{Ended, Finished};
use crate::format::catalog::{RecordedCatalog, schema_hashes};
use crate::format::exchange::{Fault, ModelSaid, microseconds};
use crate::format::{BODY_HEAD, BODY_MIDDLE, Line, RUN_FILE};
use crate::journal::{Entry, Noted, Opening, Waited};
use crate::record::Stamped;
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
    /// Its own bodies, by hash.
    bodies: BTreeSet<String>,
    /// Those that it shares with others.
    shared: BTreeMap<String, Arc<str>>,
    lines: Vec<String>,
    decided: Vec<(&'static str, Value)>,
}

/// A recording that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Written {
    pub(crate) name: String,
    pub(crate) bytes: u64,
}

impl Writer {
    /// Writes a recording below `directory`, under `name` or the name that says when the request began; over `old`, where
    /// there is one that is not to be kept any longer: a folder that is made anew each time costs more than its bytes.
    pub(crate) fn write(
        &mut self,
        directory: &Path,
        name: Option<&str>,
        finished: Finished,
        old: Option<&Path>,
    ) -> io::Result<Written> {
        let name = name.map_or_else(|| name_of(&finished.ended), str::to_owned);
        let policy = Arc::clone(&finished.ended.policy);
        let page = self.page(&policy, finished)?;
        let folder = directory.join(&name);
        let draft = directory.join(format!(".{name}.part"));
        let made = make(&draft, old, &page.shared);
        match made.and_then(|()| self.draft(&draft, &folder, &page)) {
            Ok(bytes) => Ok(Written { name, bytes: u64::try_from(bytes).unwrap_or(u64::MAX) }),
            Err(error) => {
                // A full disk is not to be kept full by halves; where even this fails, there is no more to be done.
                let _ = fs::remove_dir_all(&draft);
                Err(error)
            }
        }
    }

    /// Writes everything beside its place, and puts it there once it is whole. Returns the bytes that it took.
    fn draft(&mut self, draft: &Path, folder: &Path, page: &Page<'_>) -> io::Result<usize> {
        let mut bytes = 0;
        for body in &page.shared {
            bytes += self.put_shared(draft, folder, body)?;
        }
        let run = page.lines.join("\n") + "\n";
        fs::write(draft.join(RUN_FILE), &run)?;
        if fs::rename(draft, folder).is_err() {
            // One of the same name was there.
            fs::remove_dir_all(folder)?;
            fs::rename(draft, folder)?;
        }
        Ok(bytes + run.len())
    }

    fn page<'a>(&mut self, policy: &'a Arc<Policy>, mut finished: Finished) -> io::Result<Page<'a>> {
        let secrets = mem::take(&mut finished.ended.secrets);
        let mut redactor = Redactor::new(&policy.recording, secrets);
        for (_, entry) in &finished.kept.entries {
            learn(&mut redactor, entry);
        }
        // The header comes first, and is known last.
        let mut page = Page {
            redactor,
            bodies: BTreeSet::new(),
            shared: BTreeMap::new(),
            lines: vec![String::new()],
            decided: Vec::new(),
        };
        page.line(&match &finished.kept.asked {
            Opening::Query(asked) => Line::Asked(asked.clone()),
            Opening::Documents(asked) => Line::AskedOfDocuments(asked.clone()),
        })?;
        let shared = self.policies(policy)?;
        page.shared.insert(shared.hash.clone(), Arc::clone(&shared.text));
        page.line(&Line::Policies { body: shared.hash })?;
        if finished.kept.is_whole {
            for (us, entry) in mem::take(&mut finished.kept.entries) {
                let line = self.line(&mut page, (us, entry))?;
                page.line(&line)?;
            }
        }
        for stamped in finished.ended.events.iter() {
            page.event(stamped)?;
        }
        let decided = decisions::hash(&decisions::decisions(mem::take(&mut page.decided)));
        page.lines[0] = page.redactor.text_of(&finished.header(decided))?;
        let response = page.redactor.text((finished.ended.response)())?;
        let body = page.own(&response);
        page.line(&Line::Response { body })?;
        let end = Line::End { redacted: page.redactor.counts().clone() };
        page.lines.push(serde_json::to_string(&end)?);
        Ok(page)
    }

    fn line(&mut self, page: &mut Page<'_>, (us, entry): Noted) -> io::Result<Line> {
        Ok(match entry {
            Entry::Clock(at) => Line::Clock { us, at },
            Entry::Catalog(snapshot) => {
                let shared = self.catalog(&snapshot, page)?;
                page.shared.insert(shared.hash.clone(), Arc::clone(&shared.text));
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
            Entry::Reply { number, reply } => reply_line(page, us, number, &reply)?,
            Entry::Model { number, stage, model, body } => {
                let body = page.body(&body)?;
                Line::Model { us, exchange: number, stage: stage.to_owned(), model, body }
            }
            Entry::ModelReply { number, reply } => {
                Line::ModelReply { us, exchange: number, said: Box::new(ModelSaid::of(&reply)) }
            }
            Entry::LetGo { what, cancelled } => {
                let [call, exchange, pass] = match what {
                    Waited::Call(number) => [Some(number), None, None],
                    Waited::Exchange(number) => [None, Some(number), None],
                    Waited::Pass(number) => [None, None, Some(number)],
                };
                Line::GivenUp { us, call, exchange, pass, cancelled }
            }
            Entry::Pass { number, ended } => Line::Pass { us, pass: number, ended },
            Entry::Looked { what, given, found } => {
                let body = page.body(&found)?;
                Line::Looked { us, what: what.to_owned(), given, body }
            }
            Entry::Cancelled { passes } => Line::Cancelled { us, passes },
        })
    }

    fn policies(&mut self, policy: &Arc<Policy>) -> io::Result<Shared> {
        match &self.policies {
            Some((known, shared)) if known.hash == policy.hash => Ok(shared.clone()),
            _ => {
                let shared = Shared::of(serde_json::to_string(&*policy.files)?, BTreeMap::new());
                self.policies = Some((Arc::clone(policy), shared.clone()));
                Ok(shared)
            }
        }
    }

    fn catalog(&mut self, snapshot: &Arc<Snapshot>, page: &mut Page<'_>) -> io::Result<Shared> {
        match &self.catalog {
            Some((known, shared)) if Arc::ptr_eq(known, snapshot) => Ok(shared.clone()),
            _ => {
                let shared = Shared::of(
                    page.redactor.text_of(&RecordedCatalog::of(snapshot))?,
                    schema_hashes(snapshot),
                );
                self.catalog = Some((Arc::clone(snapshot), shared.clone()));
                Ok(shared)
            }
        }
    }

    /// Writes a body that recordings share, or links it to one that was written before.
    fn put_shared(
        &mut self,
        draft: &Path,
        folder: &Path,
        (hash, text): (&String, &Arc<str>),
    ) -> io::Result<usize> {
        let place = |folder: &Path| folder.join(format!("{hash}.json"));
        let known = self.written.get(hash);
        match known.map(|known| fs::hard_link(known, place(draft))) {
            Some(Ok(())) => return Ok(0),
            // It is there already, linked before.
            Some(Err(error)) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(0),
            // What stands there is other recordings' too, and not to be written over.
            Some(Err(_)) | None => drop(fs::remove_file(place(draft))),
        }
        fs::write(place(draft), text.as_bytes())?;
        self.written.retain(|_, known| known.exists());
        self.written.insert(hash.clone(), place(folder));
        Ok(text.len())
    }
}

/// Makes a folder with nothing in it, or nothing but what is shared, of an old one where there is one.
fn make(folder: &Path, old: Option<&Path>, shared: &BTreeMap<String, Arc<str>>) -> io::Result<()> {
    if old.is_some_and(|old| fs::rename(old, folder).is_ok()) {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let name = entry.file_name();
            let hash = name.to_str().and_then(|name| name.strip_suffix(".json"));
            match entry.file_type()?.is_dir() {
                true => fs::remove_dir_all(entry.path())?,
                false if hash.is_some_and(|hash| shared.contains_key(hash)) || name == RUN_FILE => {}
                false => fs::remove_file(entry.path())?,
            }
        }
        return Ok(());
    }
    match fs::create_dir(folder) {
        // What an earlier process left half done.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            fs::remove_dir_all(folder)?;
            fs::create_dir(folder)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => fs::create_dir_all(folder),
        made => made,
    }
}

impl Shared {
    fn of(text: String, listings: BTreeMap<String, String>) -> Self {
        Self { hash: hash_of(&text), text: text.into(), listings: Arc::new(listings) }
    }
}

impl Page<'_> {
    fn line(&mut self, line: &Line) -> io::Result<()> {
        let text = serde_json::to_string(line)?;
        // Most lines tell of a time, and nothing that anybody said.
        let is_plain = matches!(line, Line::Clock { .. } | Line::GivenUp { .. } | Line::Cancelled { .. });
        self.lines.push(if is_plain { text } else { self.redactor.text(text)? });
        // Requests go first: what is written can wait.
        thread::yield_now();
        Ok(())
    }

    /// Tells an event, and keeps what it decided.
    fn event(&mut self, stamped: &Stamped) -> io::Result<()> {
        let name = stamped.event.name();
        let line = Line::Event { at: stamped.at, event: name.to_owned(), told: stamped.event.told() };
        self.line(&line)?;
        if let Line::Event { told, .. } = line {
            self.decided.push((name, told));
        }
        Ok(())
    }

    /// Keeps a value as a body; its hash.
    fn body(&mut self, value: &Value) -> io::Result<String> {
        let text = self.redactor.text_of(value)?;
        Ok(self.own(&text))
    }

    /// Keeps a text, once.
    fn own(&mut self, text: &str) -> String {
        let hash = hash_of(text);
        if self.bodies.insert(hash.clone()) {
            self.lines.push(format!("{BODY_HEAD}{hash}{BODY_MIDDLE}{text}}}"));
        }
        hash
    }
}

fn reply_line(page: &mut Page<'_>, us: u64, call: usize, reply: &Reply) -> io::Result<Line> {
    Ok(match reply {
        Ok(delivered) => Line::Reply {
            us,
            call,
            bytes: delivered.bytes,
            arrived_at: Some(delivered.arrived_at),
            elapsed_us: microseconds(delivered.elapsed),
            body: Some(page.body(&delivered.value)?),
            fault: None,
        },
        Err(fault) => Line::Reply {
            us,
            call,
            body: None,
            fault: Some(Fault::of(fault)),
            bytes: 0,
            arrived_at: None,
            elapsed_us: 0,
        },
    })
}

fn learn(redactor: &mut Redactor<'_>, entry: &Entry) {
    match entry {
        Entry::Call { call, .. } => redactor.learn_members(&call.arguments),
        Entry::Reply { reply: Ok(delivered), .. } => redactor.learn(&delivered.value),
        Entry::Looked { found, .. } => redactor.learn(found),
        Entry::Reply { reply: Err(_), .. }
        | Entry::Clock(_)
        | Entry::Catalog(_)
        | Entry::Made { .. }
        | Entry::Model { .. }
        | Entry::ModelReply { .. }
        | Entry::Pass { .. }
        | Entry::Cancelled { .. }
        | Entry::LetGo { .. } => {}
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
