//! Reading JSON Schemas for what a program may say and read: properties, items, and whether a literal is allowed.

use std::collections::BTreeSet;

use rhai::{Expr, Position};
use serde_json::{Map, Value};

use crate::rejection::{Note, NoteKind, nearest};

/// How many references and compositions are followed; a schema that goes on is taken as open.
const DEPTH_MAX: usize = 16;

/// How many choices within choices are looked into, each of which may have many branches; what lies deeper is open.
const BRANCHES_DEEP_MAX: usize = 4;

/// A place in a schema document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Schema<'a> {
    root: &'a Value,
    node: &'a Value,
}

/// What a schema says of a property.
pub(crate) enum Lookup<'a> {
    /// It has one, of this schema.
    Found(Schema<'a>),
    /// It may have one.
    Open,
    /// It has only these.
    Missing(BTreeSet<&'a str>),
    /// What it describes has no properties at all.
    Scalar,
}

/// A schema with its references and `allOf` parts laid side by side.
#[derive(Default)]
struct Facets<'a> {
    all: Vec<&'a Map<String, Value>>,
    choices: Vec<Vec<Schema<'a>>>,
    unresolved: bool,
}

impl<'a> Schema<'a> {
    pub(crate) fn new(root: &'a Value) -> Self {
        Self { root, node: root }
    }

    /// What it says of the property `name`. Declared properties close a schema that does not say otherwise: a typo must
    /// not become silent data.
    pub(crate) fn property(self, name: &str) -> Lookup<'a> {
        self.property_within(name, BRANCHES_DEEP_MAX)
    }

    fn property_within(self, name: &str, depth: usize) -> Lookup<'a> {
        let facets = self.facets();
        if depth == 0 || facets.unresolved {
            return Lookup::Open;
        }
        let mut declared = BTreeSet::new();
        let mut open = false;
        for part in &facets.all {
            if let Some(properties) = part.get("properties").and_then(Value::as_object) {
                if let Some(node) = properties.get(name) {
                    return Lookup::Found(Self { root: self.root, node });
                }
                declared.extend(properties.keys().map(String::as_str));
            }
            match part.get("additionalProperties") {
                Some(node @ Value::Object(_)) => return Lookup::Found(Self { root: self.root, node }),
                Some(Value::Bool(true)) => open = true,
                _ => open |= part.contains_key("patternProperties"),
            }
        }
        let mut scalar_only = !facets.choices.is_empty() && declared.is_empty();
        for branch in facets.choices.iter().flatten() {
            match branch.property_within(name, depth - 1) {
                Lookup::Found(schema) => return Lookup::Found(schema),
                Lookup::Open => open = true,
                Lookup::Missing(names) => declared.extend(names),
                Lookup::Scalar => continue,
            }
            scalar_only = false;
        }
        if open {
            Lookup::Open
        } else if !declared.is_empty() {
            Lookup::Missing(declared)
        } else if scalar_only || self.types().is_some_and(|types| !types.contains("object")) {
            Lookup::Scalar
        } else {
            Lookup::Open
        }
    }

    /// The schema of its items, where it says one for all.
    pub(crate) fn items(self) -> Option<Self> {
        self.items_within(BRANCHES_DEEP_MAX)
    }

    fn items_within(self, depth: usize) -> Option<Self> {
        let facets = self.facets();
        let own = facets.all.iter().find_map(|part| part.get("items").filter(|items| items.is_object()));
        let in_branch = || facets.choices.iter().flatten().find_map(|branch| branch.items_within(depth - 1));
        own.map(|node| Self { root: self.root, node }).or_else(|| (depth > 0).then(in_branch).flatten())
    }

    /// The types that it allows, where it names them.
    pub(crate) fn types(self) -> Option<BTreeSet<&'a str>> {
        let facets = self.facets();
        let own = facets.all.iter().find_map(|part| part.get("type"));
        match own {
            Some(Value::String(one)) => Some(BTreeSet::from([one.as_str()])),
            Some(Value::Array(several)) => Some(several.iter().filter_map(Value::as_str).collect()),
            _ => None,
        }
    }

    /// The names that must be given.
    pub(crate) fn required(self) -> BTreeSet<&'a str> {
        let facets = self.facets();
        let lists = facets.all.iter().filter_map(|part| part.get("required").and_then(Value::as_array));
        lists.flatten().filter_map(Value::as_str).collect()
    }

    /// Whether it says of some property that there is none, even where it declares none.
    fn declares_properties(self) -> bool {
        self.facets().all.iter().any(|part| part.contains_key("properties") && !part.contains_key("$ref"))
    }

    fn facets(self) -> Facets<'a> {
        let mut facets = Facets::default();
        self.lay_out(&mut facets, DEPTH_MAX);
        facets
    }

    fn lay_out(self, facets: &mut Facets<'a>, depth: usize) {
        let Some(map) = self.node.as_object().filter(|_| depth > 0) else {
            facets.unresolved |= depth == 0;
            return;
        };
        if facets.all.iter().any(|laid_out| std::ptr::eq(*laid_out, map)) {
            return;
        }
        facets.all.push(map);
        if let Some(reference) = map.get("$ref").and_then(Value::as_str) {
            match reference.strip_prefix('#').and_then(|pointer| self.root.pointer(pointer)) {
                Some(node) => Self { root: self.root, node }.lay_out(facets, depth - 1),
                None => facets.unresolved = true,
            }
        }
        for node in map.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            Self { root: self.root, node }.lay_out(facets, depth - 1);
        }
        for key in ["anyOf", "oneOf"] {
            if let Some(branches) = map.get(key).and_then(Value::as_array) {
                facets.choices.push(branches.iter().map(|node| Self { root: self.root, node }).collect());
            }
        }
    }

    /// What is wrong with the literal parts of `argument` under this schema; `name` is how the notes call it.
    pub(crate) fn notes_on(self, argument: &Expr, name: &str) -> Vec<Note> {
        self.notes_within(argument, name, BRANCHES_DEEP_MAX)
    }

    fn notes_within(self, argument: &Expr, name: &str, depth: usize) -> Vec<Note> {
        let facets = self.facets();
        let mut notes = match argument {
            Expr::Map(map, position) => {
                let given: Vec<_> = map.0.iter().map(|(key, value)| (key.name.as_str(), value)).collect();
                let mut notes = self.type_note(&facets, &["object"], "a map", name, *position);
                if notes.is_empty() {
                    notes = self.notes_on_properties(&given, name, *position);
                }
                notes
            }
            Expr::Array(items, position) => {
                let mut notes = self.type_note(&facets, &["array"], "an array", name, *position);
                if let Some(schema) = self.items().filter(|_| notes.is_empty()) {
                    notes.extend(items.iter().flat_map(|item| schema.notes_on(item, name)));
                }
                notes
            }
            Expr::InterpolatedString(_, position) => {
                self.type_note(&facets, &["string"], "text", name, *position)
            }
            other => match literal(other) {
                Some(value) => self.notes_on_literal(&facets, &value, name, other.position()),
                None => Vec::new(),
            },
        };
        // A branch that leads back to itself refuses nothing.
        for branches in facets.choices.iter().filter(|_| depth > 0) {
            let mut refusals = branches.iter().map(|branch| branch.notes_within(argument, name, depth - 1));
            if let Some(first) = refusals.next().filter(|first| !first.is_empty())
                && refusals.all(|refusal| !refusal.is_empty())
            {
                notes.extend(first);
            }
        }
        notes
    }

    /// What is wrong with an object's properties: those that are not there and those that must be.
    pub(crate) fn notes_on_properties(self, given: &[(&str, &Expr)], owner: &str, at: Position) -> Vec<Note> {
        let mut notes = Vec::new();
        for (key, value) in given {
            match self.property(key) {
                Lookup::Found(schema) => notes.extend(schema.notes_on(value, key)),
                Lookup::Missing(known) => {
                    let known = nearest(key, known.into_iter());
                    let message = format!("{owner} has no argument `{key}`; there are: {known}");
                    notes.push(Note::new(NoteKind::UnknownArgument, message, value.position()).named(*key));
                }
                Lookup::Open if self.declares_properties() && self.has_none() => {
                    let message = format!("{owner} takes no arguments, so not `{key}`");
                    notes.push(Note::new(NoteKind::UnknownArgument, message, value.position()).named(*key));
                }
                Lookup::Open | Lookup::Scalar => {}
            }
        }
        for key in self.required() {
            if !given.iter().any(|(other, _)| *other == key) {
                let message = format!("{owner} needs the argument `{key}`");
                notes.push(Note::new(NoteKind::MissingArgument, message, at).named(key));
            }
        }
        notes
    }

    fn has_none(self) -> bool {
        let facets = self.facets();
        facets.choices.is_empty()
            && facets.all.iter().all(|part| {
                !part.contains_key("additionalProperties") && !part.contains_key("patternProperties")
            })
    }

    fn notes_on_literal(self, facets: &Facets<'a>, value: &Value, name: &str, at: Position) -> Vec<Note> {
        let (types, called): (&[&str], _) = match value {
            Value::Null => (&["null"], "()"),
            Value::Bool(_) => (&["boolean"], "a boolean"),
            Value::Number(number)
                if number.is_i64() || number.as_f64().is_some_and(|real| real.fract() == 0.0) =>
            {
                (&["integer", "number"], "a number")
            }
            Value::Number(_) => (&["number"], "a number with a fraction"),
            Value::String(_) => (&["string"], "text"),
            Value::Array(_) => (&["array"], "an array"),
            Value::Object(_) => (&["object"], "a map"),
        };
        let mut notes = self.type_note(facets, types, called, name, at);
        for part in &facets.all {
            let allowed = match (part.get("enum"), part.get("const")) {
                (Some(Value::Array(values)), _) => values.as_slice(),
                (_, Some(only)) => std::slice::from_ref(only),
                _ => &[],
            };
            if notes.is_empty() && !allowed.is_empty() && !allowed.contains(value) {
                let listed = allowed.iter().map(|one| format!("`{one}`")).collect::<Vec<_>>().join(", ");
                let message = format!("`{name}` may not be `{value}`; it may be {listed}");
                notes.push(Note::new(NoteKind::WrongValue, message, at).named(name));
            }
            if let Some(bound) = value.as_f64().and_then(|number| bound_passed(part, number)) {
                let message = format!("`{name}` may not be {value}: {bound}");
                notes.push(Note::new(NoteKind::WrongValue, message, at).named(name));
            }
        }
        notes
    }

    fn type_note(
        self,
        facets: &Facets<'a>,
        any: &[&str],
        called: &str,
        name: &str,
        at: Position,
    ) -> Vec<Note> {
        if facets.unresolved {
            return Vec::new();
        }
        match self.types() {
            Some(types) if !any.iter().any(|one| types.contains(one)) => {
                let wanted = types.into_iter().collect::<Vec<_>>().join(" or ");
                let message = format!("`{name}` must be of type {wanted}, not {called}");
                vec![Note::new(NoteKind::WrongValue, message, at).named(name)]
            }
            _ => Vec::new(),
        }
    }
}

fn bound_passed(part: &Map<String, Value>, number: f64) -> Option<String> {
    let bound = |key: &str| part.get(key).and_then(Value::as_f64);
    if let Some(minimum) = bound("minimum").filter(|minimum| number < *minimum) {
        return Some(format!("the least is {minimum}"));
    }
    bound("maximum").filter(|maximum| number > *maximum).map(|maximum| format!("the most is {maximum}"))
}

/// The JSON value of a literal; none for anything that is computed.
pub(crate) fn literal(expression: &Expr) -> Option<Value> {
    match expression {
        Expr::BoolConstant(value, _) => Some(Value::from(*value)),
        Expr::IntegerConstant(value, _) => Some(Value::from(*value)),
        Expr::FloatConstant(value, _) => Some(Value::from(**value)),
        Expr::CharConstant(value, _) => Some(Value::from(value.to_string())),
        Expr::StringConstant(value, _) => Some(Value::from(value.as_str())),
        Expr::Unit(_) => Some(Value::Null),
        Expr::FnCall(call, _) if call.name == "-" && call.args.len() == 1 => {
            let number = literal(&call.args[0])?;
            number
                .as_i64()
                .map(|value| Value::from(-value))
                .or_else(|| number.as_f64().map(|value| Value::from(-value)))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn found(schema: &Value, name: &str) -> &'static str {
        match Schema::new(schema).property(name) {
            Lookup::Found(_) => "found",
            Lookup::Open => "open",
            Lookup::Missing(_) => "missing",
            Lookup::Scalar => "scalar",
        }
    }

    #[test]
    fn declared_properties_close_a_schema() {
        assert_eq!(found(&json!({"properties": {"a": {}}}), "a"), "found");
        assert_eq!(found(&json!({"properties": {"a": {}}}), "b"), "missing");
        assert_eq!(found(&json!({"properties": {"a": {}}, "additionalProperties": true}), "b"), "open");
        assert_eq!(found(&json!({"type": "object"}), "b"), "open");
        assert_eq!(found(&json!({"type": "string"}), "b"), "scalar");
        assert_eq!(found(&json!({"additionalProperties": {"type": "number"}}), "b"), "found");
    }

    #[test]
    fn references_and_compositions_are_followed() {
        let schema = json!({
            "$defs": {"row": {"properties": {"price": {"type": "number"}}}},
            "allOf": [{"$ref": "#/$defs/row"}],
            "anyOf": [{"properties": {"volume": {}}}, {"type": "null"}],
        });
        assert_eq!(found(&schema, "price"), "found");
        assert_eq!(found(&schema, "volume"), "found");
        assert_eq!(found(&schema, "depth"), "missing");
        assert_eq!(found(&json!({"$ref": "#"}), "a"), "open");
        assert_eq!(found(&json!({"$ref": "https://elsewhere"}), "a"), "open");
    }

    #[test]
    fn a_schema_that_leads_back_to_itself_is_open() {
        let branches = vec![json!({"$ref": "#/properties/x"}); 12];
        let schema = json!({"properties": {"x": {"anyOf": branches, "allOf": branches}}});
        let Lookup::Found(of_x) = Schema::new(&schema).property("x") else { panic!("x is declared") };
        assert!(matches!(of_x.property("y"), Lookup::Open | Lookup::Scalar));
        assert!(of_x.items().is_none());
        let literal = Expr::IntegerConstant(1, Position::NONE);
        assert!(of_x.notes_on(&literal, "x").is_empty());
    }
}
