//! JSON paths into what programs give.

use serde_json::Value;

/// The path of what stands under a key at a path: in the shorthand of RFC 9535, 2.5.1 (`$.price`), where the key can be written
/// so, else in brackets (`$["24h"]`).
#[must_use]
pub fn member(path: &str, key: &str) -> String {
    let is_shorthand = key.chars().all(|one| one.is_alphanumeric() || one == '_')
        && key.chars().next().is_some_and(|first| !first.is_numeric());
    if is_shorthand { [path, ".", key].concat() } else { format!("{path}[{}]", Value::from(key)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_written_short_where_it_can_be() {
        let paths = ["price", "größe", "_x1", "24h", "get-sum", "a\"b", ""].map(|key| member("$", key));
        let written =
            ["$.price", "$.größe", "$._x1", "$[\"24h\"]", "$[\"get-sum\"]", "$[\"a\\\"b\"]", "$[\"\"]"];
        assert_eq!(paths, written);
    }
}
