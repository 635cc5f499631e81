//! The words of a method, field by field, sorted so that a word is found without a walk.

use domain::Method;
use reading::words::{self, Terms};
use serde_json::Value;

use crate::outline::resolve;

/// The words of a method, by where they stand.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    /// Of its name and title.
    pub name: Terms,
    /// Of its description.
    pub description: Terms,
    /// Of its arguments' names and descriptions.
    pub arguments: Terms,
    /// Of the values that its arguments name.
    pub values: Terms,
    /// Of the keys and descriptions of its result, and of the values that it lists.
    pub results: Terms,
    /// Of those values.
    pub listed: Terms,
}

const DEPTH_MAX: usize = 4;

impl Vocabulary {
    pub(crate) fn of(method: &Method) -> Self {
        let mut name = words::name_terms(method.name.as_str());
        name.extend(method.title.iter().flat_map(|title| words::terms(title)));
        let (mut arguments, mut values) = (Vec::new(), Vec::new());
        let (mut results, mut listed) = (Vec::new(), Vec::new());
        let input = &method.input_schema;
        collect((input, input), (&mut arguments, &mut values), 0);
        if let Some(schema) = &method.output_schema {
            collect((schema, schema), (&mut results, &mut listed), 0);
            results.extend_from_slice(&listed);
        }
        Self {
            name: Terms::of(name),
            description: Terms::of(words::terms(&words::affirmed(&method.description))),
            arguments: Terms::of(arguments),
            values: Terms::of(values),
            results: Terms::of(results),
            listed: Terms::of(listed),
        }
    }
}

/// The words and the listed values of a schema's properties, nested ones and those behind references of `root` included.
fn collect(
    (schema, root): (&Value, &Value),
    (own, values): (&mut Vec<String>, &mut Vec<String>),
    depth: usize,
) {
    if depth > DEPTH_MAX {
        return;
    }
    if let Some(items) = schema.get("items") {
        collect((resolve(items, root), root), (own, values), depth + 1);
    }
    for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        own.extend(words::identifier_terms(name));
        if let Some(description) = property.get("description").and_then(Value::as_str) {
            own.extend(words::terms(description));
        }
        let property = resolve(property, root);
        for key in ["enum", "examples"] {
            let listed = property.get(key).and_then(Value::as_array).into_iter().flatten();
            values.extend(listed.filter_map(Value::as_str).flat_map(words::terms));
        }
        if let Some(default) = property.get("default").and_then(Value::as_str) {
            values.extend(words::terms(default));
        }
        collect((property, root), (own, values), depth + 1);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn words_are_kept_by_where_they_stand() {
        let method = Method::new(
            "get_rate",
            json!({"properties": {"unit": {"description": "The currency.", "enum": ["Euro", "Dollar"]},
                "legs": {"items": {"properties": {"port": {}}}}}}),
            Some(json!({"properties": {"rates": {"items": {"$ref": "#/$defs/Rate"}}}, "$defs": {
                "Rate": {"properties": {"bid": {}, "venue": {"$ref": "#/$defs/Venue"}}},
                "Venue": {"enum": ["Oldport", "Newport"]}
            }})),
        );
        let known = Vocabulary::of(&method);
        assert_eq!(known.name.iter().collect::<Vec<_>>(), ["get", "rate"]);
        assert_eq!(known.arguments.iter().collect::<Vec<_>>(), ["currenc", "leg", "port", "unit"]);
        assert!(known.values.has("euro") && !known.values.has("unit"));
        assert!(known.results.has("bid") && known.results.has("oldport"));
    }
}
