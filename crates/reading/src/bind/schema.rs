//! What a JSON Schema says of a value, behind its references and unions.

use serde_json::Value;

/// How deep references, lists and objects are followed.
pub(super) const DEPTH_MAX: usize = 4;

/// Follows local references and picks the part of a union that is not null.
pub(super) fn resolve<'a>(schema: &'a Value, root: &'a Value, depth: usize) -> &'a Value {
    if depth > DEPTH_MAX {
        return schema;
    }
    if let Some(target) = schema["$ref"]
        .as_str()
        .and_then(|reference| reference.strip_prefix('#'))
        .and_then(|pointer| root.pointer(pointer))
    {
        return resolve(target, root, depth + 1);
    }
    for key in ["anyOf", "oneOf", "allOf"] {
        let parts = schema[key].as_array().map_or(&[][..], Vec::as_slice);
        if parts.iter().all(|part| part.get("const").is_some()) {
            continue;
        }
        if let Some(part) = parts.iter().find(|part| part["type"] != "null") {
            return resolve(part, root, depth + 1);
        }
    }
    schema
}

/// The name of the type of a value, also where the schema only implies it.
pub(super) fn kind_of(schema: &Value) -> &str {
    let kinds = schema["type"].as_array().map_or(&[][..], Vec::as_slice);
    let one_of = || kinds.iter().filter_map(Value::as_str).find(|kind| *kind != "null");
    let implied = || match (schema.get("properties"), schema.get("items")) {
        (Some(_), _) => "object",
        (None, Some(_)) => "array",
        (None, None) => "string",
    };
    schema["type"].as_str().or_else(one_of).unwrap_or_else(implied)
}
