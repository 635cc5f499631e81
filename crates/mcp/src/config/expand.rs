//! `${NAME}`, `${NAME:-default}` and `${env:NAME}` in values.

use super::Environment;

/// The name of a variable that is not set and has no default.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unset(pub(super) String);

/// The text with its variables replaced. What is not of the known forms stays as it is.
pub(super) fn expand(text: &str, environment: Environment<'_>) -> Result<String, Unset> {
    let mut expanded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        expanded.push_str(before);
        let Some((inside, behind)) = after.split_once('}') else {
            expanded.push_str("${");
            rest = after;
            continue;
        };
        let (name, default) = match inside.split_once(":-") {
            Some((name, default)) => (name, Some(default)),
            None => (inside, None),
        };
        let name = name.strip_prefix("env:").unwrap_or(name);
        if is_name(name) {
            let set = environment(name).filter(|value| default.is_none() || !value.is_empty());
            let value = set.or_else(|| default.map(str::to_owned)).ok_or_else(|| Unset(name.to_owned()))?;
            expanded.push_str(&value);
            rest = behind;
        } else {
            expanded.push_str("${");
            rest = after;
        }
    }
    expanded.push_str(rest);
    Ok(expanded)
}

fn is_name(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop_assert_eq, proptest};

    use super::*;

    fn environment(name: &str) -> Option<String> {
        match name {
            "KEY" => Some("sesame".to_owned()),
            "EMPTY" => Some(String::new()),
            _ => None,
        }
    }

    #[test]
    fn the_known_forms_are_replaced() {
        let cases = [
            ("Bearer ${KEY}", "Bearer sesame"),
            ("${env:KEY}/${KEY}", "sesame/sesame"),
            ("${NONE:-spare}", "spare"),
            ("${NONE:-}", ""),
            ("${EMPTY:-spare}", "spare"),
            ("${EMPTY}", ""),
            ("$KEY {KEY} ${not a name} ${KEY", "$KEY {KEY} ${not a name} ${KEY"),
            ("${a-b}${KEY}", "${a-b}sesame"),
        ];
        for (text, expected) in cases {
            assert_eq!(expand(text, &environment), Ok(expected.to_owned()), "{text}");
        }
        assert_eq!(expand("${NONE}", &environment), Err(Unset("NONE".to_owned())));
    }

    proptest! {
        #[test]
        fn any_text_without_dollars_stays(text in "[^$]*") {
            prop_assert_eq!(expand(&text, &environment), Ok(text));
        }

        #[test]
        fn any_text_is_expanded_without_a_panic(text in ".*") {
            let _ = expand(&text, &environment);
        }
    }
}
