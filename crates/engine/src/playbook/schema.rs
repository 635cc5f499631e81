//! What schemas say of methods: the properties of their results, the arguments that they need.

use policy::Market;
use serde_json::Value;

use super::Playbook;

/// The properties that a schema names, wherever they stand.
pub(super) fn keys_of<'s>(schema: &'s Value, keys: &mut Vec<&'s str>) {
    match schema {
        Value::Object(object) => {
            if let Some(properties) = object.get("properties").and_then(Value::as_object) {
                keys.extend(properties.keys().map(String::as_str));
            }
            object.values().for_each(|inner| keys_of(inner, keys));
        }
        Value::Array(items) => items.iter().for_each(|item| keys_of(item, keys)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The arguments that a method has to be given.
pub(super) fn required(method: &domain::Method) -> Vec<&str> {
    let required = method.input_schema.get("required").and_then(Value::as_array);
    required.into_iter().flatten().filter_map(Value::as_str).collect()
}

/// The assets of a question that a method can be asked about, as its schema has it; none where it takes no asset.
pub(crate) fn assets_offered<'p>(
    method: &domain::Method,
    playbook: &'p Playbook,
    market: &Market,
) -> Vec<&'p str> {
    let properties = method.input_schema.get("properties").and_then(Value::as_object);
    let taken = properties.and_then(|all| market.arguments.asset.iter().find_map(|name| all.get(name)));
    let Some(taken) = taken else { return Vec::new() };
    let listed = taken.get("enum").and_then(Value::as_array);
    let is_offered =
        |asset: &&str| listed.is_none_or(|all| all.iter().any(|value| value.as_str() == Some(*asset)));
    playbook.assets.iter().map(String::as_str).filter(is_offered).collect()
}
