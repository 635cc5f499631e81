//! The words of a method, by where they stand.

use domain::Method;
use policy::Ranking;
use reading::words;
use serde_json::Value;

/// How many fields there are.
pub(super) const FIELDS: usize = 7;

/// What a field counts for.
#[derive(Clone, Copy)]
pub(super) struct Weight {
    /// Its words.
    pub(super) words: f64,
    /// Two neighbors of it; none where its words stand side by side without forming phrases.
    pub(super) pairs: Option<f64>,
}

/// The terms of one method, field by field, in the order of [`weights`].
pub(super) struct Fields(pub(super) [Vec<String>; FIELDS]);

/// The weights of the fields.
pub(super) fn weights(ranking: &Ranking) -> [Weight; FIELDS] {
    let fields = &ranking.fields;
    let phrases = |weight: f64| Weight { words: weight, pairs: Some(weight) };
    let loose = |weight: f64| Weight { words: weight, pairs: None };
    [
        phrases(fields.method_name),
        loose(fields.listing_name),
        phrases(fields.description),
        loose(fields.argument_names),
        phrases(fields.argument_descriptions),
        loose(fields.argument_values),
        loose(fields.output_keys),
    ]
}

/// The term that two neighboring terms make: no word holds a space.
pub(super) fn pair(neighbors: &[String]) -> String {
    neighbors.join(" ")
}

impl Fields {
    pub(super) fn of(method: &Method, listing_terms: &[String]) -> Self {
        let mut name_terms = words::name_terms(method.name.as_str());
        if let Some(title) = &method.title {
            name_terms.extend(words::terms(title));
        }
        let mut arguments = Arguments::default();
        arguments.collect(&method.input_schema);
        let mut output_keys = Vec::new();
        if let Some(schema) = &method.output_schema {
            collect_keys(schema, &mut output_keys);
        }
        Self([
            name_terms,
            listing_terms.to_vec(),
            words::terms(&words::affirmed(&method.description)),
            arguments.names,
            arguments.descriptions,
            arguments.values,
            output_keys,
        ])
    }
}

#[derive(Default)]
struct Arguments {
    names: Vec<String>,
    descriptions: Vec<String>,
    values: Vec<String>,
}

impl Arguments {
    fn collect(&mut self, schema: &Value) {
        let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return };
        for (name, property) in properties {
            self.names.extend(words::identifier_terms(name));
            if let Some(description) = property.get("description").and_then(Value::as_str) {
                self.descriptions.extend(words::terms(description));
            }
            for key in ["enum", "examples"] {
                let listed = property.get(key).and_then(Value::as_array).into_iter().flatten();
                self.values.extend(listed.filter_map(Value::as_str).flat_map(words::terms));
            }
            if let Some(default) = property.get("default").and_then(Value::as_str) {
                self.values.extend(words::terms(default));
            }
            let items = property.get("items").unwrap_or(property);
            if items.get("properties").is_some() {
                self.collect(items);
            }
        }
    }
}

fn collect_keys(schema: &Value, keys: &mut Vec<String>) {
    for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        keys.extend(words::identifier_terms(name));
        collect_keys(property.get("items").unwrap_or(property), keys);
    }
}
