//! Records: the objects of results that are evidence of something, found by the fields that the policy names.

use std::collections::BTreeMap;

use jiff::Timestamp;
use policy::{Market, MarketKind, MarketRecord};
use serde_json::{Map, Value};

use crate::evidence::sources;
use crate::execute::Executed;

/// One record.
pub(super) struct Record<'a> {
    pub(super) kind: MarketKind,
    fields: BTreeMap<&'a str, &'a Value>,
    /// The source that it was read from.
    pub(super) source: String,
    /// When it was true.
    pub(super) observed_at: Timestamp,
}

/// Every record of a program's results.
pub(super) struct Records<'a>(Vec<Record<'a>>);

impl<'a> Records<'a> {
    pub(super) fn of(executed: &'a Executed, market: &'a Market) -> Self {
        let mut records = Vec::new();
        for (place, call) in executed.calls.iter().enumerate() {
            let Ok(delivered) = call.reply() else { continue };
            let found = Found {
                market,
                source: sources::id(place),
                observed_at: sources::observed(&delivered.value).unwrap_or(delivered.arrived_at),
            };
            found.read(&delivered.value, &[&call.call().arguments], &mut records);
        }
        Self(records)
    }

    pub(super) fn kinds(&self) -> Vec<MarketKind> {
        let mut kinds: Vec<MarketKind> = self.0.iter().map(|record| record.kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    }

    pub(super) fn of_kind(&self, kind: MarketKind) -> impl Iterator<Item = &Record<'a>> {
        self.0.iter().filter(move |record| record.kind == kind)
    }
}

struct Found<'a> {
    market: &'a Market,
    source: String,
    observed_at: Timestamp,
}

impl<'a> Found<'a> {
    /// Reads a value, and what stands in it; `around` is what it stands in, the nearest last.
    fn read(&self, value: &'a Value, around: &[&'a Map<String, Value>], records: &mut Vec<Record<'a>>) {
        match value {
            Value::Object(object) => {
                let mut within = around.to_vec();
                within.push(object);
                for record in &self.market.records {
                    records.extend(self.record(record, object, &within));
                }
                object.values().for_each(|inner| self.read(inner, &within, records));
            }
            Value::Array(items) => items.iter().for_each(|item| self.read(item, around, records)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    fn record(
        &self,
        rules: &'a MarketRecord,
        object: &'a Map<String, Value>,
        within: &[&'a Map<String, Value>],
    ) -> Option<Record<'a>> {
        let named = |names: &[String], map: &'a Map<String, Value>| {
            names.iter().find_map(|name| map.get(name).filter(|value| !value.is_null() && !value.is_object()))
        };
        // An object that only lends its surroundings is none.
        let has_own = rules.needs.iter().any(|field| named(&rules.fields[field], object).is_some());
        if !has_own || rules.lacks.iter().any(|name| object.contains_key(name)) {
            return None;
        }
        let mut fields = BTreeMap::new();
        for (field, names) in &rules.fields {
            if let Some(value) = within.iter().rev().find_map(|map| named(names, map)) {
                fields.insert(field.as_str(), value);
            }
        }
        let is_whole = rules.needs.iter().all(|field| fields.contains_key(field.as_str()));
        // What is measured has to stand in the object itself.
        let last = rules.needs.last()?;
        let is_own = named(&rules.fields[last], object).is_some();
        (is_whole && is_own).then(|| Record {
            kind: rules.kind,
            fields,
            source: self.source.clone(),
            observed_at: self.observed_at,
        })
    }
}

impl Record<'_> {
    pub(super) fn text(&self, field: &str) -> Option<String> {
        self.fields.get(field)?.as_str().map(str::to_owned)
    }

    pub(super) fn number(&self, field: &str) -> Option<f64> {
        self.fields.get(field)?.as_f64()
    }

    pub(super) fn flag(&self, field: &str) -> bool {
        self.fields.get(field).and_then(|value| value.as_bool()) == Some(true)
    }

    pub(super) fn time(&self, field: &str) -> Option<Timestamp> {
        self.fields.get(field)?.as_str()?.parse().ok()
    }
}
