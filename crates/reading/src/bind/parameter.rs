//! Parameters: a method's argument schema, read once into what binding needs.

use domain::Method;
use serde_json::Value;

use super::document;
use super::limits::Limits;
use super::role::{Hints, Role, role};
use super::schema::{DEPTH_MAX, kind_of, resolve};
use super::vocabulary::Vocabulary;
use crate::standards;
use crate::time::{Length, is_of_course, is_of_future, length_of};
use crate::words::{self, Groups, Terms};

/// The parameters of a method, read once from its schema. Keep it as long as the method's definition.
#[derive(Clone, Debug)]
pub struct Parameters {
    pub(crate) list: Vec<Parameter>,
    /// What the method's words are.
    vocabulary: Vocabulary,
    /// The stems of the method's name.
    pub(crate) name: Vec<String>,
}

/// One parameter.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) is_required: bool,
    pub(crate) default: Option<Value>,
    pub(crate) shape: Shape,
    pub(crate) role: Role,
    /// Stems of the name.
    pub(crate) own: Vec<String>,
    /// Stems of the description that no other parameter is named by.
    pub(crate) context: Vec<String>,
    /// Values that the schema names, with the words that it explains them by.
    pub(crate) choices: Vec<Choice>,
    /// Lower-case description, for what it says about formats.
    pub(crate) notes: String,
    pub(crate) format: String,
    /// Whether other parameters take the same end of a window, so that only words can tell which is meant.
    pub(crate) is_one_of_many: bool,
    /// The time of which its method tells, by its name.
    pub(crate) told: Told,
}

/// The time of which a method tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// None that its name says.
    Any,
    /// How something went, point by point.
    Course,
    /// What comes.
    ToCome,
}

/// The type of a parameter's value.
#[derive(Clone, Debug)]
pub(crate) enum Shape {
    /// One of the choices and nothing else.
    Choice,
    Boolean,
    Number(Bounds),
    Text(Limits),
    List(Box<Parameter>),
    Nested(Vec<Parameter>),
    /// A shape that is not filled from a question.
    Other,
}

/// The bounds of a number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub(crate) is_integer: bool,
    pub(crate) least: f64,
    pub(crate) most: f64,
}

impl Parameter {
    /// The values that it may have, or its items, where the schema lists them.
    pub(crate) fn listed(&self) -> &[Choice] {
        match &self.shape {
            Shape::Choice => &self.choices,
            Shape::List(item) if matches!(item.shape, Shape::Choice) => &item.choices,
            Shape::List(_)
            | Shape::Boolean
            | Shape::Number(_)
            | Shape::Text(_)
            | Shape::Nested(_)
            | Shape::Other => &[],
        }
    }

    /// Its name without the number that tells it from its like: "mass" of `mass1`.
    pub(crate) fn numbered(&self) -> Option<&str> {
        let bare = self.name.trim_end_matches(|sign: char| sign.is_ascii_digit());
        (bare.len() < self.name.len()).then_some(bare)
    }

    /// Whether its name or its description says a stem.
    pub(crate) fn says(&self, stem: &str) -> bool {
        self.own.iter().any(|own| own == stem) || self.is_described_by(stem)
    }

    /// Whether its description says a stem. Of Hangul descriptions are kept in pairs of syllables.
    pub(crate) fn is_described_by(&self, stem: &str) -> bool {
        if !stem.starts_with(words::is_syllable) {
            return self.context.iter().any(|term| term == stem);
        }
        let pairs = words::terms(stem);
        !pairs.is_empty() && pairs.iter().all(|pair| self.context.contains(pair))
    }
}

impl Shape {
    /// The same without its limits, where it has any.
    pub(crate) fn unlimited(&self) -> Option<Self> {
        match self {
            Self::Text(limits) => limits.are_some().then(|| Self::Text(Limits::default())),
            Self::Number(bounds) => {
                Some(Self::Number(Bounds { least: f64::NEG_INFINITY, most: f64::INFINITY, ..*bounds }))
            }
            Self::Choice | Self::Boolean | Self::List(_) | Self::Nested(_) | Self::Other => None,
        }
    }
}

/// A value that a schema names.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    pub(crate) value: Value,
    /// Lower case.
    pub(crate) text: String,
    pub(crate) stems: Vec<String>,
    /// The stems of the words that the schema explains it by.
    pub(crate) meanings: Vec<Vec<String>>,
    pub(crate) length: Option<Length>,
    /// The ticker of the coin that it is called by.
    pub(crate) coin: Option<&'static str>,
}

impl Parameters {
    /// Reads a method's parameters.
    #[must_use]
    pub fn of(method: &Method) -> Self {
        let mut list = properties(&method.input_schema, &method.input_schema, 0);
        keep_context_apart(&mut list);
        mark_many(&mut list);
        let name = words::identifier_terms(method.name.as_str());
        let told = if name.iter().any(|stem| is_of_future(stem)) {
            Told::ToCome
        } else if name.iter().any(|stem| is_of_course(stem)) {
            Told::Course
        } else {
            Told::Any
        };
        for parameter in &mut list {
            parameter.told = told;
        }
        let vocabulary = Vocabulary::of(method, &list);
        Self { list, vocabulary, name }
    }

    /// The same, together with the words that mean nearly what those of the method mean.
    #[must_use]
    pub fn with_kin(mut self, kin: &Groups) -> Self {
        self.vocabulary.add_kin(kin);
        self
    }

    /// The same, together with the stems of what the method's results measure: the keys of their numbers and times.
    #[must_use]
    pub fn giving(mut self, stems: Vec<String>) -> Self {
        self.vocabulary.given = Terms::of(stems);
        self
    }

    /// The values that an argument may take, where its schema lists them.
    #[must_use]
    pub fn choices(&self, argument: &str) -> Vec<Value> {
        self.listed(argument).iter().map(|choice| choice.value.clone()).collect()
    }

    /// The values that each argument may take whose schema lists them.
    #[must_use]
    pub fn all_choices(&self) -> Vec<Vec<Value>> {
        let all = self.list.iter().map(|parameter| self.choices(&parameter.name));
        all.filter(|choices| !choices.is_empty()).collect()
    }

    /// Whether the schema lists the values that an argument may take.
    #[must_use]
    pub fn has_choices(&self, argument: &str) -> bool {
        !self.listed(argument).is_empty()
    }

    fn listed(&self, argument: &str) -> &[Choice] {
        self.list.iter().find(|parameter| parameter.name == argument).map_or(&[], Parameter::listed)
    }

    /// The stems of an argument's name.
    #[must_use]
    pub fn stems(&self, argument: &str) -> &[String] {
        self.list.iter().find(|parameter| parameter.name == argument).map_or(&[], |parameter| &parameter.own)
    }

    /// Whether some argument is named by this stem.
    #[must_use]
    pub fn names(&self, stem: &str) -> bool {
        self.list.iter().any(|parameter| parameter.own.iter().any(|own| own == stem))
    }

    /// Whether a call may be made without any argument.
    #[must_use]
    pub fn requires_nothing(&self) -> bool {
        self.list.iter().all(|parameter| !parameter.is_required)
    }

    /// Whether words to search by are required.
    #[must_use]
    pub fn requires_search(&self) -> bool {
        self.list.iter().any(|parameter| parameter.is_required && parameter.role == Role::Search)
    }

    /// Whether an argument takes several values at once.
    #[must_use]
    pub fn is_list(&self, argument: &str) -> bool {
        self.list
            .iter()
            .any(|parameter| parameter.name == argument && matches!(parameter.shape, Shape::List(_)))
    }

    /// Whether a stem is among the words of the method's name, description or arguments.
    #[must_use]
    pub fn knows(&self, stem: &str) -> bool {
        self.vocabulary.known.has(stem)
    }

    /// Whether a stem is known, or said in the description of an argument or among its values.
    #[must_use]
    pub fn mentions(&self, stem: &str) -> bool {
        self.knows(stem) || self.vocabulary.mentioned.has(stem)
    }

    /// Whether a stem is among the words of what the method's results measure.
    pub(crate) fn gives(&self, stem: &str) -> bool {
        self.vocabulary.given.has(stem)
    }

    /// Whether a stem means nearly the same as one of those of the method's name, description or arguments.
    #[must_use]
    pub fn is_akin(&self, stem: &str) -> bool {
        self.vocabulary.akin.has(stem)
    }
}

fn properties(schema: &Value, root: &Value, depth: usize) -> Vec<Parameter> {
    let schema = resolve(schema, root, 0);
    let required: Vec<&str> =
        schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let Some(properties) = schema["properties"].as_object() else { return Vec::new() };
    properties
        .iter()
        .map(|(name, property)| parameter(name, property, (root, depth), required.contains(&name.as_str())))
        .collect()
}

fn parameter(name: &str, property: &Value, (root, depth): (&Value, usize), is_demanded: bool) -> Parameter {
    let schema = resolve(property, root, 0);
    let text = |key: &str| property[key].as_str().or_else(|| schema[key].as_str()).unwrap_or_default();
    let description = match (text("title"), text("description")) {
        (title, "") => title.to_owned(),
        (_, description) => description.to_owned(),
    };
    let notes = description.to_lowercase();
    let name_words = words::identifier_words(name);
    let format = text("format").to_owned();
    let kind = kind_of(schema);
    let hints = Hints {
        words: &name_words,
        description: &notes,
        format: &format,
        is_number: matches!(kind, "integer" | "number"),
    };
    let is_service_key = domain::is_service_key(name, &description);
    let role = if is_service_key { Role::Secret } else { role(&hints) };
    let is_required = is_demanded && !is_service_key;
    let mut listed = document::listed(schema);
    if listed.is_empty() && kind == "string" && takes_words(role) {
        listed = document::told(&description);
    }
    let shape = match kind {
        _ if !listed.is_empty() => Shape::Choice,
        "boolean" => Shape::Boolean,
        "integer" | "number" => Shape::Number(bounds(schema, kind == "integer")),
        "array" => list(name, schema, &description, (root, depth), is_required),
        "object" if depth < DEPTH_MAX => Shape::Nested(properties(schema, root, depth + 1)),
        "object" => Shape::Other,
        _ => Shape::Text(Limits::of(schema)),
    };
    let named = if listed.is_empty() { document::examples(property, &description, &shape) } else { listed };
    let choices = named.into_iter().map(|value| choice(value, &description)).collect();
    let default = property.get("default").or_else(|| schema.get("default")).cloned();
    let default = default
        .or_else(|| document::said_default(&description, is_required))
        .filter(|value| !value.is_null());
    let context = document::context(&description);
    Parameter {
        name: name.to_owned(),
        description,
        is_required,
        default,
        shape,
        role,
        own: document::own_stems(name),
        context,
        choices,
        notes,
        format,
        is_one_of_many: false,
        told: Told::Any,
    }
}

/// Whether what an argument takes may be one of a few words, and is no time, place or text of anybody's own.
fn takes_words(role: Role) -> bool {
    matches!(role, Role::Name | Role::Symbol | Role::Currency | Role::Language | Role::Place)
}

fn list(
    name: &str,
    schema: &Value,
    description: &str,
    (root, depth): (&Value, usize),
    is_required: bool,
) -> Shape {
    if depth >= DEPTH_MAX {
        return Shape::Other;
    }
    let mut items = resolve(&schema["items"], root, 0).clone();
    if let Some(items) = items.as_object_mut() {
        items.entry("description").or_insert_with(|| Value::String(description.to_owned()));
    }
    // It has the default that its description promises, as a required argument; how sure it has to be is its list's.
    let item = parameter(name, &items, (root, depth + 1), true);
    Shape::List(Box::new(Parameter { is_required, ..item }))
}

fn choice(value: Value, description: &str) -> Choice {
    let shown = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let meanings = document::meanings(&shown, description);
    let length = length_of(&shown).filter(|length| length.count > 0);
    let coin = standards::coin(&shown);
    Choice {
        stems: words::identifier_terms(&shown),
        text: shown.to_lowercase(),
        meanings,
        length,
        coin,
        value,
    }
}

fn bounds(schema: &Value, is_integer: bool) -> Bounds {
    let least = schema["minimum"].as_f64().or_else(|| schema["exclusiveMinimum"].as_f64());
    let most = schema["maximum"].as_f64().or_else(|| schema["exclusiveMaximum"].as_f64());
    Bounds { is_integer, least: least.unwrap_or(f64::NEG_INFINITY), most: most.unwrap_or(f64::INFINITY) }
}

fn mark_many(list: &mut [Parameter]) {
    for role in [Role::Start, Role::End, Role::Date] {
        let is_many = list.iter().filter(|parameter| parameter.role == role).count() > 1;
        for parameter in list.iter_mut().filter(|parameter| parameter.role == role) {
            parameter.is_one_of_many = is_many;
        }
    }
}

/// A word that names one parameter says nothing in the description of another.
fn keep_context_apart(list: &mut [Parameter]) {
    let names: Vec<Vec<String>> = list.iter().map(|parameter| parameter.own.clone()).collect();
    for (at, parameter) in list.iter_mut().enumerate() {
        parameter.context.retain(|stem| {
            let is_elsewhere = names.iter().enumerate().any(|(other, own)| other != at && own.contains(stem));
            !is_elsewhere && !parameter.own.contains(stem)
        });
    }
}
