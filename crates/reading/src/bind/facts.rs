//! What a schema says of an argument's value, as plain facts.

use super::parameter::{Parameters, Shape};

/// What a schema says of an argument's value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "facts that hold side by side")]
pub struct Facts {
    /// It is one of the values that the schema lists.
    pub is_choice: bool,
    /// It is true or false.
    pub is_flag: bool,
    /// It is a number.
    pub is_number: bool,
    /// It is a list.
    pub is_list: bool,
    /// It is an object.
    pub is_object: bool,
    /// The schema or its description names values.
    pub has_examples: bool,
    /// Its description says what holds where it is not given.
    pub has_fallback: bool,
}

/// How a description says what holds where an argument is not given.
const FALLBACKS: [&str; 4] = ["default", "optional", "if not", "current user"];

impl Parameters {
    /// What the schema says of an argument's value.
    #[must_use]
    pub fn facts(&self, argument: &str) -> Facts {
        let Some(parameter) = self.list.iter().find(|parameter| parameter.name == argument) else {
            return Facts::default();
        };
        Facts {
            is_choice: matches!(parameter.shape, Shape::Choice),
            is_flag: matches!(parameter.shape, Shape::Boolean),
            is_number: matches!(parameter.shape, Shape::Number(_)),
            is_list: matches!(parameter.shape, Shape::List(_)),
            is_object: matches!(parameter.shape, Shape::Nested(_) | Shape::Other),
            has_examples: !parameter.choices.is_empty(),
            has_fallback: FALLBACKS.iter().any(|phrase| parameter.notes.contains(phrase)),
        }
    }
}
