//! Reads recordings.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use domain::{Call, Delivered, ListingId, MethodName, MethodRef, Position, Query, Reply, Snapshot};
use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::decisions::{self, Decision};
use crate::format::catalog::RecordedCatalog;
use crate::format::{BODIES, BODY_HEAD, BODY_MIDDLE, FORMAT, Header, Line, MAJORS, RUN_FILE};
use crate::journal::Waited;
use crate::tape::{Keeping, RecordedCall, RecordedExchange, Reel, Tape, Turn};
use crate::write::hash_of;

/// A recording, read.
pub struct Trace {
    folder: PathBuf,
    /// What it is, and how its request ended.
    pub header: Header,
    lines: Vec<Line>,
    /// The bodies of its own, by hash.
    bodies: BTreeMap<String, String>,
}

/// A recording that cannot be read, or not be replayed.
#[derive(Debug, thiserror::Error)]
pub enum TraceFault {
    /// A file of it cannot be read.
    #[error("{file}: {source}")]
    Read {
        /// The file, as named by the caller.
        file: String,
        /// Why.
        source: io::Error,
    },
    /// A line or a body is not what it should be.
    #[error("{file}: {problem}")]
    Broken {
        /// The file, as named by the caller.
        file: String,
        /// What is wrong.
        problem: String,
    },
    /// It is of a version that this reader would misread.
    #[error(
        "{file}: the recording has the version {major}, and this is a reader of {MAJORS:?}: take the sluice that made it, or record it anew (`sluice trace again`)"
    )]
    Version {
        /// The file, as named by the caller.
        file: String,
        /// The recording's.
        major: u32,
    },
}

/// Something that happened, as recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct ToldEvent {
    /// When.
    pub at: Timestamp,
    /// What, by its name.
    pub name: String,
    /// The particulars.
    pub told: Value,
}

/// The header of a recording; the rest is not read.
pub fn header(folder: &Path) -> Result<Header, TraceFault> {
    let file = folder.join(RUN_FILE);
    let mut line = String::new();
    let opened = fs::File::open(&file).map_err(|source| unreadable(&file, source))?;
    BufReader::new(opened).read_line(&mut line).map_err(|source| unreadable(&file, source))?;
    head(&file, &line)
}

/// The recordings of a directory with their headers, oldest first; what cannot be read is left out.
pub fn list(directory: &Path) -> io::Result<Vec<(String, Header)>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if !name.starts_with('.')
            && let Ok(header) = header(&entry.path())
        {
            found.push((name, header));
        }
    }
    found.sort_by(|one, other| (one.1.started_at, &one.0).cmp(&(other.1.started_at, &other.0)));
    Ok(found)
}

impl Trace {
    /// Reads a recording from its folder.
    pub fn open(folder: &Path) -> Result<Self, TraceFault> {
        let file = folder.join(RUN_FILE);
        let text = fs::read_to_string(&file).map_err(|source| unreadable(&file, source))?;
        let mut lines = text.lines();
        let header = head(&file, lines.next().unwrap_or_default())?;
        let (mut bodies, mut known) = (BTreeMap::new(), Vec::<Line>::new());
        for (number, line) in lines.enumerate() {
            if let Some((hash, body)) = body(line) {
                bodies.insert(hash, body);
                continue;
            }
            let read = serde_json::from_str(line);
            known.push(read.map_err(|error| broken(&file, format!("line {}: {error}", number + 2)))?);
        }
        if !matches!(known.last(), Some(Line::End { .. })) {
            return Err(broken(&file, "it was cut off: there is no last line".to_owned()));
        }
        Ok(Self { folder: folder.to_owned(), header, lines: known, bodies })
    }

    /// What was asked, and what else the reply hung on.
    pub fn asked(&self) -> Result<(Query, &BTreeMap<String, String>), TraceFault> {
        let asked =
            self.lines.iter().find_map(|line| if let Line::Asked(asked) = line { Some(asked) } else { None });
        let asked = asked.ok_or_else(|| self.broken("it does not say what was asked"))?;
        let query = asked.query.read().ok_or_else(|| self.broken("what was asked is not known here"))?;
        Ok((query, &asked.around))
    }

    /// What was asked of documents, and what else the reply hung on; none where something else was asked.
    #[must_use]
    pub fn asked_of_documents(&self) -> Option<(&Value, &BTreeMap<String, String>)> {
        self.lines.iter().find_map(|line| {
            let Line::AskedOfDocuments(asked) = line else { return None };
            Some((&asked.question, &asked.around))
        })
    }

    /// Every policy file that the request ran under.
    pub fn policies(&self) -> Result<BTreeMap<String, String>, TraceFault> {
        let body = self
            .lines
            .iter()
            .find_map(|line| if let Line::Policies { body } = line { Some(body) } else { None });
        self.body(body.ok_or_else(|| self.broken("it has no policies"))?)
    }

    /// The recorded bytes of the reply.
    pub fn response(&self) -> Result<String, TraceFault> {
        let body = self
            .lines
            .iter()
            .find_map(|line| if let Line::Response { body } = line { Some(body) } else { None });
        self.body_text(body.ok_or_else(|| self.broken("it has no reply"))?)
    }

    /// What happened, in order.
    pub fn events(&self) -> impl Iterator<Item = ToldEvent> + '_ {
        self.lines.iter().filter_map(|line| {
            let Line::Event { at, event, told } = line else { return None };
            Some(ToldEvent { at: *at, name: event.clone(), told: told.clone() })
        })
    }

    /// What was decided.
    #[must_use]
    pub fn decisions(&self) -> Vec<Decision> {
        let told: Vec<ToldEvent> = self.events().collect();
        decisions::decisions(told.iter().map(|event| (event.name.as_str(), event.told.clone())))
    }

    /// How often something was not written, by what it was known by.
    #[must_use]
    pub fn redacted(&self) -> BTreeMap<String, u64> {
        match self.lines.last() {
            Some(Line::End { redacted }) => redacted.clone(),
            _ => BTreeMap::new(),
        }
    }

    /// The recording as the outside of a request.
    pub fn tape(&self, keeping: Keeping) -> Result<Arc<Tape>, TraceFault> {
        if !self.header.summary.is_whole {
            return Err(self.broken("it cannot be replayed: parts were left out (`run_bytes_max`)"));
        }
        let mut reel = Reel::default();
        let mut catalogs: BTreeMap<&str, usize> = BTreeMap::new();
        for line in &self.lines {
            self.wind(&mut reel, &mut catalogs, line)?;
        }
        Ok(Tape::new(reel, keeping))
    }

    fn wind<'a>(
        &self,
        reel: &mut Reel,
        catalogs: &mut BTreeMap<&'a str, usize>,
        line: &'a Line,
    ) -> Result<(), TraceFault> {
        match line {
            Line::Clock { us, at } => reel.turns.push((*us, Turn::Clock(*at))),
            Line::Made { us, what, text } => {
                reel.turns.push((*us, Turn::Made { what: what.clone(), text: text.clone() }));
            }
            Line::Catalog { us, body, .. } => {
                if !catalogs.contains_key(body.as_str()) {
                    reel.catalogs.push(Arc::new(self.catalog(body)?));
                    catalogs.insert(body, reel.catalogs.len() - 1);
                }
                reel.turns.push((*us, Turn::Catalog(catalogs.get(body.as_str()).copied().unwrap_or(0))));
            }
            Line::Call { position, tool, method, arguments, .. } => {
                let listing: ListingId = tool.parse().map_err(|_| self.broken("a call names no listing"))?;
                let method = MethodRef { listing, method: MethodName::new(method) };
                let call = Call { position: Position::new(position), method, arguments: arguments.clone() };
                reel.calls.push(RecordedCall { call, reply: None });
            }
            Line::Reply { us, call, .. } => {
                let reply = self.reply(line)?;
                let recorded = reel.calls.get_mut(*call);
                recorded.ok_or_else(|| self.broken("a reply to no call"))?.reply = Some(reply);
                reel.turns.push((*us, Turn::Reply(*call)));
            }
            Line::Model { stage, model, body, .. } => reel.exchanges.push(RecordedExchange {
                stage: stage.clone(),
                model: model.clone(),
                body: self.body(body)?,
                reply: None,
            }),
            Line::ModelReply { us, exchange, said } => {
                let recorded = reel.exchanges.get_mut(*exchange);
                let recorded = recorded.ok_or_else(|| self.broken("a model's reply to nothing"))?;
                recorded.reply = Some(said.read());
                reel.turns.push((*us, Turn::ModelReply(*exchange)));
            }
            Line::GivenUp { us, call, exchange, pass, cancelled } => {
                let (of_call, of_model) = (call.map(Waited::Call), exchange.map(Waited::Exchange));
                if let Some(what) = of_call.or(of_model).or(pass.map(Waited::Pass)) {
                    let turn = reel.let_go(what, *cancelled);
                    reel.turns.push((*us, turn));
                }
            }
            Line::Cancelled { us, passes } => reel.turns.push((*us, reel.given_up(*passes))),
            Line::Pass { us, pass, ended } => {
                reel.passes.insert(*pass, ended.clone());
                reel.turns.push((*us, Turn::Pass(*pass)));
            }
            Line::Looked { us, what, given, body } => {
                let (what, given, found) = (what.clone(), given.clone(), self.body(body)?);
                reel.turns.push((*us, Turn::Looked { what, given, found }));
            }
            Line::Asked(_)
            | Line::AskedOfDocuments(_)
            | Line::Policies { .. }
            | Line::Event { .. }
            | Line::Response { .. }
            | Line::End { .. }
            | Line::Unknown => {}
        }
        Ok(())
    }

    fn reply(&self, line: &Line) -> Result<Reply, TraceFault> {
        let Line::Reply { body, fault, bytes, arrived_at, elapsed_us, .. } = line else {
            return Err(self.broken("no reply"));
        };
        match (body, fault) {
            (Some(body), None) => Ok(Ok(Delivered {
                value: Arc::new(self.body(body)?),
                bytes: *bytes,
                arrived_at: arrived_at.unwrap_or_default(),
                elapsed: Duration::from_micros(*elapsed_us),
            })),
            (_, Some(fault)) => Ok(Err(fault.read())),
            (None, None) => Err(self.broken("a call that ended with no result and no fault")),
        }
    }

    fn catalog(&self, body: &str) -> Result<Snapshot, TraceFault> {
        let catalog: RecordedCatalog = self.body(body)?;
        catalog.read().ok_or_else(|| self.broken("the catalog is not known here"))
    }

    fn body<T: DeserializeOwned>(&self, hash: &str) -> Result<T, TraceFault> {
        let text = self.body_text(hash)?;
        serde_json::from_str(&text).map_err(|error| self.broken(&format!("body {hash}: {error}")))
    }

    fn body_text(&self, hash: &str) -> Result<String, TraceFault> {
        // A hash that is none could name any file.
        if hash.len() != 64 || !hash.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(self.broken("a body is named by no hash"));
        }
        let name = format!("{hash}.json");
        let beside = self.folder.join(&name);
        let file = if beside.is_file() { beside } else { self.folder.join(BODIES).join(name) };
        let text = match self.bodies.get(hash) {
            Some(text) => text.clone(),
            None => fs::read_to_string(&file).map_err(|source| unreadable(&file, source))?,
        };
        if hash_of(text.as_bytes()) == hash {
            Ok(text)
        } else {
            Err(broken(&file, "it was changed".to_owned()))
        }
    }

    fn broken(&self, problem: &str) -> TraceFault {
        broken(&self.folder.join(RUN_FILE), problem.to_owned())
    }
}

/// The hash and the bytes of a body that is a line; none of another line.
fn body(line: &str) -> Option<(String, String)> {
    let named = line.strip_prefix(BODY_HEAD)?.strip_suffix('}')?;
    let (hash, body) = named.split_once(BODY_MIDDLE)?;
    Some((hash.to_owned(), body.to_owned()))
}

fn head(file: &Path, line: &str) -> Result<Header, TraceFault> {
    let value: Value =
        serde_json::from_str(line).map_err(|error| broken(file, format!("line 1: {error}")))?;
    if value["format"] != FORMAT {
        return Err(broken(file, "it is no recording".to_owned()));
    }
    match value["major"].as_u64().and_then(|major| u32::try_from(major).ok()) {
        Some(major) if MAJORS.contains(&major) => {}
        major => return Err(TraceFault::Version { file: shown(file), major: major.unwrap_or(0) }),
    }
    serde_json::from_value(value).map_err(|error| broken(file, format!("line 1: {error}")))
}

fn unreadable(file: &Path, source: io::Error) -> TraceFault {
    TraceFault::Read { file: shown(file), source }
}

fn broken(file: &Path, problem: String) -> TraceFault {
    TraceFault::Broken { file: shown(file), problem }
}

fn shown(file: &Path) -> String {
    file.display().to_string()
}
