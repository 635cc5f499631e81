//! The interpreter's values as JSON, within the limits and with the origin of every part of a result.

use std::fmt::{self, Write};
use std::sync::Arc;

use rhai::{Dynamic, ImmutableString};
use serde_json::{Map, Number, Value};

use crate::held::{Held, Node};
use crate::journal::{Entry, Journal};
use crate::meter::{Meter, Stop};
use crate::path;
use crate::step::Origin;

/// Why a value does not become JSON.
#[derive(Debug)]
pub(crate) enum Unwritable {
    Stopped(Stop),
    Failed(Arc<Entry>),
    NoJson { path: String, message: String },
}

/// How many bytes one node of JSON holds at the least, in memory.
const NODE_BYTES: usize = size_of::<Value>();

/// How many nodes are written between two looks at the meter.
const NODES_BETWEEN_LOOKS: usize = 256;

/// Writes one value. What it writes counts against the program's memory even where no allocator counts.
pub(crate) struct Writer<'m> {
    meter: &'m Meter,
    depth_max: usize,
    bytes_left: usize,
    nodes: usize,
    path: String,
    origins: Vec<Origin>,
    texts: Vec<(ImmutableString, Arc<Entry>)>,
}

impl<'m> Writer<'m> {
    pub(crate) fn new(meter: &'m Meter, limits: &policy::Sandbox) -> Self {
        Self {
            meter,
            depth_max: limits.value_depth_max,
            bytes_left: limits.memory_bytes_max,
            nodes: 0,
            path: "$".to_owned(),
            origins: Vec::new(),
            texts: Vec::new(),
        }
    }

    /// Writes a program's value, and says for every part of a result that stands whole in it which call it is of.
    pub(crate) fn trace(
        mut self,
        value: &Dynamic,
        journal: &Journal,
    ) -> Result<(Value, Vec<Origin>), Unwritable> {
        let texts =
            journal.entries().iter().filter_map(|entry| Some((entry.text()?.clone(), Arc::clone(entry))));
        self.texts = texts.collect();
        let value = self.write(value, 0)?;
        Ok((value, self.origins))
    }

    /// Writes the arguments of a call.
    pub(crate) fn arguments(mut self, map: &rhai::Map) -> Result<Map<String, Value>, Unwritable> {
        self.fields(map, 0)
    }

    /// Writes any value.
    pub(crate) fn write(&mut self, value: &Dynamic, depth: usize) -> Result<Value, Unwritable> {
        if depth > self.depth_max {
            return Err(Unwritable::Stopped(Stop::Limit("value_depth_max")));
        }
        self.take(NODE_BYTES)?;
        if let Some(held) = value.read_lock::<Held>() {
            return self.write_held(&held, depth);
        }
        if let Ok(items) = value.as_array_ref() {
            let items = items.iter().enumerate();
            return items.map(|(place, item)| self.write_under(Step::Item(place), item, depth + 1)).collect();
        }
        if let Ok(map) = value.as_map_ref() {
            return self.fields(&map, depth).map(Value::Object);
        }
        self.write_scalar(value)
    }

    fn fields(&mut self, map: &rhai::Map, depth: usize) -> Result<Map<String, Value>, Unwritable> {
        let mut written = Map::with_capacity(map.len());
        for (key, value) in map {
            written.insert(key.to_string(), self.write_under(Step::Property(key), value, depth + 1)?);
        }
        Ok(written)
    }

    fn write_under(&mut self, step: Step<'_>, value: &Dynamic, depth: usize) -> Result<Value, Unwritable> {
        let outer = self.path.len();
        let _ = write!(self.path, "{step}");
        let written = self.write(value, depth);
        if written.is_ok() {
            self.path.truncate(outer);
        }
        written
    }

    fn write_scalar(&mut self, value: &Dynamic) -> Result<Value, Unwritable> {
        if value.is_unit() {
            return Ok(Value::Null);
        }
        if let Ok(value) = value.as_bool() {
            return Ok(Value::Bool(value));
        }
        if let Ok(value) = value.as_int() {
            return Ok(Value::from(value));
        }
        if let Ok(value) = value.as_float() {
            return Number::from_f64(value)
                .map(Value::Number)
                .ok_or_else(|| self.no_json("not a finite number"));
        }
        if let Ok(text) = value.as_immutable_string_ref() {
            self.take(text.len())?;
            if let Some((_, entry)) = self.texts.iter().find(|(known, _)| known.ptr_eq(&text)) {
                let entry = Arc::clone(entry);
                self.origin(&Node::whole(&entry));
            }
            return Ok(Value::from(text.as_str()));
        }
        if let Ok(character) = value.as_char() {
            return Ok(Value::from(character.to_string()));
        }
        Err(self.no_json("a function, a range or bytes cannot be given back"))
    }

    fn write_held(&mut self, held: &Held, depth: usize) -> Result<Value, Unwritable> {
        match held {
            Held::Data(node) => {
                self.origin(node);
                self.copy(node.value(), depth)
            }
            Held::Failed(entry, _) => Err(Unwritable::Failed(Arc::clone(entry))),
            Held::Pending(_) => {
                let _ = held.print();
                Err(Unwritable::Stopped(Stop::Suspended))
            }
        }
    }

    fn copy(&mut self, value: &Value, depth: usize) -> Result<Value, Unwritable> {
        if depth > self.depth_max {
            return Err(Unwritable::Stopped(Stop::Limit("value_depth_max")));
        }
        self.take(NODE_BYTES)?;
        match value {
            Value::Array(items) => items.iter().map(|item| self.copy(item, depth + 1)).collect(),
            Value::Object(properties) => {
                let mut copied = Map::with_capacity(properties.len());
                for (key, value) in properties {
                    self.take(key.len())?;
                    copied.insert(key.clone(), self.copy(value, depth + 1)?);
                }
                Ok(Value::Object(copied))
            }
            Value::String(text) => {
                self.take(text.len())?;
                Ok(value.clone())
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => Ok(value.clone()),
        }
    }

    fn origin(&mut self, node: &Node) {
        self.origins.push(Origin {
            path: self.path.clone(),
            position: node.entry().call().position.clone(),
            pointer: node.pointer(),
        });
    }

    fn take(&mut self, bytes: usize) -> Result<(), Unwritable> {
        self.bytes_left =
            self.bytes_left.checked_sub(bytes).ok_or(Unwritable::Stopped(Stop::Limit("memory_bytes_max")))?;
        self.nodes += 1;
        if !self.nodes.is_multiple_of(NODES_BETWEEN_LOOKS) {
            return Ok(());
        }
        self.meter.overrun().map_or(Ok(()), |stop| Err(Unwritable::Stopped(stop)))
    }

    fn no_json(&self, message: &str) -> Unwritable {
        Unwritable::NoJson { path: self.path.clone(), message: message.to_owned() }
    }
}

/// A step of a path: `.name`, `["a name"]`, `[0]`.
#[derive(Clone, Copy)]
enum Step<'a> {
    Property(&'a str),
    Item(usize),
}

impl fmt::Display for Step<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Property(key) => f.write_str(&path::member("", key)),
            Self::Item(place) => write!(f, "[{place}]"),
        }
    }
}
