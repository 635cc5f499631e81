//! Results as a program holds them: read-only handles, so that a large one is never copied into the interpreter.

use std::collections::VecDeque;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use rhai::{Array, Dynamic, Map};
use serde_json::Value;

use crate::journal::Entry;
use crate::meter::Stop;
use crate::raise::{self, Raised};
use crate::rejection::nearest;

/// Marks that a program left in passing, for uses that cannot raise an error of their own.
#[derive(Debug, Default)]
pub(crate) struct Signals {
    suspended: AtomicBool,
    poisoned: OnceLock<Arc<Entry>>,
}

impl Signals {
    pub(crate) fn stop(&self) -> Option<Stop> {
        if self.suspended.load(Ordering::Relaxed) {
            Some(Stop::Suspended)
        } else {
            self.poisoned.get().map(|_| Stop::Poisoned)
        }
    }

    pub(crate) fn poisoned(&self) -> Option<&Arc<Entry>> {
        self.poisoned.get()
    }

    fn suspend(&self) {
        self.suspended.store(true, Ordering::Relaxed);
    }

    fn poison(&self, entry: &Arc<Entry>) {
        // The first failure that was used is the one that is told.
        let _ = self.poisoned.set(Arc::clone(entry));
    }
}

/// What a program has of a call.
#[derive(Clone, Debug)]
pub(crate) enum Held {
    /// Nothing yet: using it suspends the program.
    Pending(Arc<Signals>),
    /// A failure: using it raises an error.
    Failed(Arc<Entry>, Arc<Signals>),
    /// An array or an object of a result.
    Data(Node),
}

impl Held {
    /// The value of a whole reply: a scalar as it is, everything else as a handle.
    pub(crate) fn reply(entry: &Arc<Entry>, signals: &Arc<Signals>, string_bytes_max: usize) -> Dynamic {
        if entry.reply().is_err() {
            return Dynamic::from(Self::Failed(Arc::clone(entry), Arc::clone(signals)));
        }
        match entry.text() {
            Some(text) if text.len() <= string_bytes_max => text.clone().into(),
            Some(_) => Dynamic::from(Self::Data(Node::whole(entry))),
            None => Node::whole(entry).to_dynamic(),
        }
    }

    /// The data behind it; a pending call suspends the program and a failed one raises its error.
    pub(crate) fn settle(&self) -> Raised<&Node> {
        match self {
            Self::Pending(signals) => {
                signals.suspend();
                Err(raise::stop(Stop::Suspended))
            }
            Self::Failed(entry, _) => Err(raise::failed(entry)),
            Self::Data(node) => Ok(node),
        }
    }

    /// Its text, in a place where an error is swallowed: the program is stopped at its next operation instead.
    pub(crate) fn print(&self) -> String {
        match self {
            Self::Pending(signals) => signals.suspend(),
            Self::Failed(entry, signals) => signals.poison(entry),
            Self::Data(node) => return node.value().to_string(),
        }
        String::new()
    }
}

/// A place in a result.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    entry: Arc<Entry>,
    place: Option<Arc<Place>>,
}

#[derive(Debug)]
struct Place {
    parent: Option<Arc<Place>>,
    step: PathStep,
}

#[derive(Debug)]
enum PathStep {
    Property(Box<str>),
    Item(usize),
}

impl Node {
    pub(crate) fn whole(entry: &Arc<Entry>) -> Self {
        Self { entry: Arc::clone(entry), place: None }
    }

    pub(crate) fn entry(&self) -> &Arc<Entry> {
        &self.entry
    }

    /// Whether this is the same place of the same result.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.entry, &other.entry) && self.pointer() == other.pointer()
    }

    pub(crate) fn value(&self) -> &Value {
        match self.entry.reply() {
            Ok(delivered) => walk(&delivered.value, self.place.as_deref()),
            Err(_) => &Value::Null,
        }
    }

    /// The JSON pointer of this place in its result; empty for the whole.
    pub(crate) fn pointer(&self) -> String {
        let mut steps = Vec::new();
        let mut place = self.place.as_deref();
        while let Some(Place { parent, step }) = place {
            steps.push(step.to_string());
            place = parent.as_deref();
        }
        steps.iter().rev().flat_map(|step| ["/", step.as_str()]).collect()
    }

    /// The value here: a scalar as it is, everything else as a handle.
    pub(crate) fn to_dynamic(&self) -> Dynamic {
        match self.value() {
            Value::Null => Dynamic::UNIT,
            Value::Bool(value) => (*value).into(),
            Value::Number(number) => match (number.as_i64(), number.as_f64()) {
                (Some(integer), _) => integer.into(),
                (None, real) => real.unwrap_or(f64::NAN).into(),
            },
            Value::String(text) => text.as_str().into(),
            Value::Array(_) | Value::Object(_) => Dynamic::from(Held::Data(self.clone())),
        }
    }

    /// The property `name`, or an item count asked for as one.
    pub(crate) fn property(&self, name: &str) -> Raised<Dynamic> {
        match self.value() {
            Value::Object(properties) if properties.contains_key(name) => Ok(self.at_key(name).to_dynamic()),
            Value::Object(properties) => Err(raise::script(format!(
                "the result of `{}` has no property `{name}` here; it has: {}; read an optional one with `.get(\"{name}\")`",
                self.entry.call().method.method,
                nearest(name, properties.keys().map(String::as_str)),
            ))),
            Value::Array(items) if name == "len" => Ok(count(items.len())),
            Value::Array(_) => {
                Err(raise::script(format!("an array has no property `{name}`; its length is `.len()`")))
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
                Err(raise::script(format!("a scalar has no property `{name}`")))
            }
        }
    }

    /// The property `name`; `()` where there is none.
    pub(crate) fn property_or_unit(&self, name: &str) -> Dynamic {
        match self.value().get(name) {
            Some(_) => self.at_key(name).to_dynamic(),
            None => Dynamic::UNIT,
        }
    }

    /// The item at `index`, from the end where it is negative.
    pub(crate) fn item(&self, index: i64) -> Raised<Dynamic> {
        let Value::Array(items) = self.value() else {
            return Err(raise::script("only an array has items; a property is read as `.name`"));
        };
        let place = if index < 0 { index.checked_add(count_of(items.len())) } else { Some(index) };
        match place.and_then(|place| usize::try_from(place).ok()).filter(|place| *place < items.len()) {
            Some(place) => Ok(self.at_item(place).to_dynamic()),
            None => Err(raise::script(format!("there is no item {index}; the array has {}", items.len()))),
        }
    }

    /// How many items or properties there are.
    pub(crate) fn len(&self) -> usize {
        match self.value() {
            Value::Array(items) => items.len(),
            Value::Object(properties) => properties.len(),
            Value::String(text) => text.chars().count(),
            Value::Null | Value::Bool(_) | Value::Number(_) => 0,
        }
    }

    /// The items, each as [`Node::to_dynamic`]; none unless this is an array.
    pub(crate) fn items(&self) -> Option<impl Iterator<Item = Dynamic> + use<>> {
        let node = self.clone();
        let count = self.value().as_array()?.len();
        Some((0..count).map(move |place| node.at_item(place).to_dynamic()))
    }

    /// The rows of a result whose shape is not known: the maps of the outermost array that has any, else the map that it is
    /// itself. None in anything else.
    pub(crate) fn rows(&self) -> Vec<Self> {
        let mut places = VecDeque::from([self.clone()]);
        while let Some(place) = places.pop_front() {
            match place.value() {
                Value::Array(items) => {
                    let those = |is_wanted: fn(&Value) -> bool| {
                        let wanted = items.iter().enumerate().filter(move |(_, item)| is_wanted(item));
                        wanted.map(|(at, _)| place.at_item(at))
                    };
                    let rows: Vec<Self> = those(Value::is_object).collect();
                    if !rows.is_empty() {
                        return rows;
                    }
                    places.extend(those(Value::is_array));
                }
                Value::Object(properties) => {
                    let inner = properties.iter().filter(|(_, value)| value.is_array() || value.is_object());
                    places.extend(inner.map(|(key, _)| place.at_key(key)));
                }
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
            }
        }
        if self.value().is_object() { vec![self.clone()] } else { Vec::new() }
    }

    /// One level as the interpreter's own value, of at most `items_max` items.
    pub(crate) fn opened(&self, items_max: usize) -> Raised<Dynamic> {
        if self.len() > items_max && !self.value().is_string() {
            return Err(raise::stop(Stop::Limit("array_items_max")));
        }
        Ok(match self.value() {
            Value::Array(_) => self.items().into_iter().flatten().collect::<Array>().into(),
            Value::Object(properties) => properties
                .keys()
                .map(|key| (key.as_str().into(), self.at_key(key).to_dynamic()))
                .collect::<Map>()
                .into(),
            Value::String(text) => text.as_str().into(),
            Value::Null | Value::Bool(_) | Value::Number(_) => self.to_dynamic(),
        })
    }

    fn at_key(&self, key: &str) -> Self {
        self.at(PathStep::Property(key.into()))
    }

    fn at_item(&self, place: usize) -> Self {
        self.at(PathStep::Item(place))
    }

    fn at(&self, step: PathStep) -> Self {
        Self {
            entry: Arc::clone(&self.entry),
            place: Some(Arc::new(Place { parent: self.place.clone(), step })),
        }
    }
}

/// A count as the interpreter's integer.
pub(crate) fn count(count: usize) -> Dynamic {
    count_of(count).into()
}

fn count_of(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// Follows a place from the root; as deep as the JSON is, which the policy bounds.
fn walk<'v>(root: &'v Value, place: Option<&Place>) -> &'v Value {
    let Some(Place { parent, step }) = place else { return root };
    let parent = walk(root, parent.as_deref());
    let value = match step {
        PathStep::Property(name) => parent.get(&**name),
        PathStep::Item(place) => parent.get(*place),
    };
    value.unwrap_or(&Value::Null)
}

impl fmt::Display for PathStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Property(name) => f.write_str(&name.replace('~', "~0").replace('/', "~1")),
            Self::Item(place) => place.fmt(f),
        }
    }
}
