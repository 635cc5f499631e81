//! What is to be written of one recording, line by line, into one buffer.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::mem;
use std::sync::Arc;
use std::thread;

use domain::Reply;
use serde::Serialize;

use super::hash_of;
use super::shares::{Shared, Shares};
use crate::decisions::Decided;
use crate::format::exchange::{Fault, ModelSaid, microseconds};
use crate::format::{BODY_HEAD, BODY_MIDDLE, Header, Line};
use crate::journal::{Entry, Noted, Waited};
use crate::record::Stamped;
use crate::redact::Redactor;

/// Bytes after which requests go first: what is written can wait.
const TURN_BYTES: usize = 4096;

/// What stands before the particulars of an event, which are the last of its line.
const TOLD: &[u8] = b"\"told\":";

/// A hash, in hex.
const HASH_CHARS: usize = 64;

/// What is to be written of one recording.
pub(super) struct Page<'a> {
    pub(super) redactor: Redactor<'a>,
    /// Bodies that it shares with others, by hash.
    pub(super) shared: BTreeMap<String, Arc<str>>,
    /// Its own, by hash.
    bodies: BTreeSet<String>,
    /// The first line, which is known last.
    pub(super) head: Vec<u8>,
    /// The others, each with its end.
    pub(super) text: Vec<u8>,
    decided: Decided,
    /// How far the text was when requests last went first.
    turned_at: usize,
}

impl<'a> Page<'a> {
    /// An empty page, on what was written before; that is written over.
    pub(super) fn over(redactor: Redactor<'a>, (mut head, mut text): (Vec<u8>, Vec<u8>)) -> Self {
        head.clear();
        text.clear();
        Self {
            redactor,
            shared: BTreeMap::new(),
            bodies: BTreeSet::new(),
            head,
            text,
            decided: Decided::default(),
            turned_at: 0,
        }
    }

    /// Writes the first line.
    pub(super) fn head(&mut self, header: &Header) -> io::Result<()> {
        self.redactor.write(&mut self.head, header)?;
        self.head.push(b'\n');
        Ok(())
    }

    /// Writes another line.
    pub(super) fn line(&mut self, line: &Line) -> io::Result<()> {
        // Most lines tell of a time, and nothing that anybody said.
        let is_plain = matches!(
            line,
            Line::Clock { .. } | Line::GivenUp { .. } | Line::Cancelled { .. } | Line::End { .. }
        );
        if is_plain {
            serde_json::to_writer(&mut self.text, line)?;
        } else {
            self.redactor.write(&mut self.text, line)?;
        }
        self.end_line();
        Ok(())
    }

    /// Writes what was noted while the request ran.
    pub(super) fn noted(&mut self, shares: &mut Shares, (us, entry): Noted) -> io::Result<()> {
        let line = match entry {
            Entry::Clock(at) => Line::Clock { us, at },
            Entry::Catalog(snapshot) => {
                let catalog = shares.catalog(&snapshot, &mut self.redactor)?;
                self.share(&catalog);
                Line::Catalog { us, body: catalog.hash, listings: BTreeMap::clone(&catalog.listings) }
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
            Entry::Reply { number, reply } => self.reply(us, number, &reply)?,
            Entry::Model { number, stage, model, body } => {
                let body = self.body(&body)?;
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
                let body = self.body(&found)?;
                Line::Looked { us, what: what.to_owned(), given, body }
            }
            Entry::Cancelled { passes } => Line::Cancelled { us, passes },
        };
        self.line(&line)
    }

    /// Tells an event, and keeps what it decided.
    pub(super) fn event(&mut self, stamped: &Stamped) -> io::Result<()> {
        let name = stamped.event.name();
        let line = Line::Event { at: stamped.at, event: name.to_owned(), told: stamped.event.told() };
        let from = self.text.len();
        serde_json::to_writer(&mut self.text, &line)?;
        let text = &self.text[from..];
        let told_at = text.windows(TOLD.len()).position(|it| it == TOLD).unwrap_or_default() + TOLD.len();
        if let Line::Event { told, .. } = &line {
            self.decided.add(name, told, &text[told_at..text.len() - 1]);
        }
        self.redactor.clean(&mut self.text, from)?;
        self.end_line();
        Ok(())
    }

    /// The hash of what was decided.
    pub(super) fn decided(&mut self) -> String {
        mem::take(&mut self.decided).hash()
    }

    /// Refers to a body that other recordings have too.
    pub(super) fn share(&mut self, shared: &Shared) {
        self.shared.insert(shared.hash.clone(), Arc::clone(&shared.text));
    }

    /// Writes a value as a body, once; its hash.
    pub(super) fn body(&mut self, value: &impl Serialize) -> io::Result<String> {
        self.own(|text| Ok(serde_json::to_writer(text, value)?))
    }

    /// Writes a JSON text as a body, once; its hash.
    pub(super) fn own(&mut self, write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> io::Result<String> {
        let line = self.text.len();
        self.text.extend_from_slice(BODY_HEAD.as_bytes());
        self.text.resize(self.text.len() + HASH_CHARS, b'0');
        self.text.extend_from_slice(BODY_MIDDLE.as_bytes());
        let body = self.text.len();
        write(&mut self.text)?;
        self.redactor.clean(&mut self.text, body)?;
        let hash = hash_of(&self.text[body..]);
        if self.bodies.insert(hash.clone()) {
            let place = line + BODY_HEAD.len();
            self.text[place..place + HASH_CHARS].copy_from_slice(hash.as_bytes());
            self.text.push(b'}');
            self.end_line();
        } else {
            self.text.truncate(line);
        }
        Ok(hash)
    }

    fn reply(&mut self, us: u64, call: usize, reply: &Reply) -> io::Result<Line> {
        Ok(match reply {
            Ok(delivered) => Line::Reply {
                us,
                call,
                bytes: delivered.bytes,
                arrived_at: Some(delivered.arrived_at),
                elapsed_us: microseconds(delivered.elapsed),
                body: Some(self.body(&*delivered.value)?),
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

    fn end_line(&mut self) {
        self.text.push(b'\n');
        if self.text.len() - self.turned_at > TURN_BYTES {
            self.turned_at = self.text.len();
            thread::yield_now();
        }
    }
}
