//! Prompts: what a stage tells its model, as templates with named slots, and the schema of its reply.
//!
//! Every word that is addressed to a model stands in `policies/prompts/<stage>/`. A template has the slots that its place
//! is given values for, all of them and no others: `{{slot}}`.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::models::ModelStage;

mod files;
mod template;

pub(crate) use files::ALL;
pub use template::{Slot, SlotKind, Template};

/// The prompts of every stage.
#[derive(Clone, Debug)]
pub struct Prompts(BTreeMap<ModelStage, Prompt>);

/// What one stage tells its model.
#[derive(Clone, Debug)]
pub struct Prompt {
    /// `system.md`: the task and its rules.
    pub system: Template,
    /// `user.md`: the brief.
    pub user: Template,
    /// `again.md`: what follows a reply that does not hold; none for a stage that replies in plain text.
    pub again: Option<Template>,
    /// `refused.md`: what follows a program that the verifier refused; for the planner alone.
    pub refused: Option<Template>,
    /// `fell_short.md`: what follows a program that ran and whose results fall short; for the planner alone.
    pub fell_short: Option<Template>,
    /// `reply.schema.json`: the JSON Schema of the reply; none for a stage that replies in plain text.
    pub reply_schema: Option<Value>,
}

/// A file of a prompt that cannot be used: its path and what is wrong.
pub(crate) type Fault = (String, String);

impl Prompts {
    /// What a stage tells its model.
    #[must_use]
    pub fn of(&self, stage: ModelStage) -> &Prompt {
        &self.0[&stage]
    }

    /// The prompts of these texts, by path.
    pub(crate) fn read(texts: &BTreeMap<&'static str, String>) -> Result<Self, Fault> {
        let mut prompts = BTreeMap::new();
        for stage in ModelStage::ALL {
            prompts.insert(stage, Prompt::read(stage, texts)?);
        }
        Ok(Self(prompts))
    }
}

impl Prompt {
    fn read(stage: ModelStage, texts: &BTreeMap<&'static str, String>) -> Result<Self, Fault> {
        let mut templates = BTreeMap::new();
        let mut reply_schema = None;
        for file in ALL.iter().filter(|file| file.stage == stage) {
            let text = texts.get(file.path).map_or(file.shipped, String::as_str);
            let fault = |message| (file.path.to_owned(), message);
            if file.name() == "reply.schema.json" {
                reply_schema = Some(schema(text).map_err(fault)?);
            } else {
                templates.insert(file.name(), Template::parse(text, file.slots).map_err(fault)?);
            }
        }
        let mut take = |name: &str| templates.remove(name);
        let absent = |name: &str| (format!("prompts/{stage}/{name}"), "is missing".to_owned());
        let card = take("dialect.md");
        let mut system = take("system.md").ok_or_else(|| absent("system.md"))?;
        if let Some(card) = card {
            system = system.with("dialect", &card.fill(|_| String::new()));
        }
        Ok(Self {
            system,
            user: take("user.md").ok_or_else(|| absent("user.md"))?,
            again: take("again.md"),
            refused: take("refused.md"),
            fell_short: take("fell_short.md"),
            reply_schema,
        })
    }
}

/// An object schema that closed endpoints take too: every object names its properties, all required, and no others.
fn schema(text: &str) -> Result<Value, String> {
    let schema: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    if schema["type"] != "object" {
        return Err("must be the schema of an object".to_owned());
    }
    check_object(&schema, "#")?;
    Ok(schema)
}

fn check_object(schema: &Value, place: &str) -> Result<(), String> {
    if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
        let required: Vec<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        if let Some(name) = properties.keys().find(|name| !required.contains(&name.as_str())) {
            return Err(format!("{place}: `{name}` must be among `required`"));
        }
        if schema["additionalProperties"] != Value::Bool(false) {
            return Err(format!("{place}: `additionalProperties` must be false"));
        }
        for (name, property) in properties {
            check_object(property, &format!("{place}/{name}"))?;
        }
    }
    match schema.get("items") {
        Some(items) => check_object(items, &format!("{place}/items")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
