//! How long a message may be, in characters and in bytes.

use policy::Guardrails;

use super::{Refusal, Turn};

/// Refuses a message that is too long.
pub(super) fn size(turn: Turn, rules: &Guardrails) -> Result<Turn, Refusal> {
    let Some(message) = &turn.body.message else { return Ok(turn) };
    let (chars, bytes) = (message.text.chars().count(), message.text.len());
    let too_long = |limit, max, given| Refusal::TooLong { field: "message.parts", limit, max, given };
    if chars > rules.input.message_chars_max {
        let max = rules.input.message_chars_max;
        return Err(too_long("input.message_chars_max", max, (chars, "characters")));
    }
    if bytes > rules.input.message_bytes_max {
        let max = rules.input.message_bytes_max;
        return Err(too_long("input.message_bytes_max", max, (bytes, "bytes")));
    }
    Ok(turn)
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{rules, said};
    use super::*;

    #[test]
    fn characters_and_bytes_are_counted_each() {
        let limit = |text: String| match size(said(&text), &rules()) {
            Err(Refusal::TooLong { limit, .. }) => Some(limit),
            Err(other) => panic!("{other:?}"),
            Ok(_) => None,
        };
        assert_eq!(limit("a".repeat(2_000)), None);
        assert_eq!(limit("a".repeat(2_001)), Some("input.message_chars_max"));
        assert_eq!(limit("\u{1f600}".repeat(2_000)), None);
        assert_eq!(limit("a\u{301}".repeat(1_001)), Some("input.message_chars_max"));
        let mut rules = rules();
        rules.input.message_bytes_max = 7_999;
        assert!(size(said(&"\u{1f600}".repeat(2_000)), &rules).is_err());
    }
}
