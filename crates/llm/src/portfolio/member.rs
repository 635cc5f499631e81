//! A text that stands in a JSON object, read while the object is still being written.

/// The text of one member of an object that comes in pieces. What is no object is for the reader of the whole to refuse.
#[derive(Debug)]
pub(super) struct Member {
    name: &'static str,
    at: At,
    /// The text that is under way, as it is spelled: of a name, or of a sign that is written with a backslash.
    spelled: String,
    /// Objects and lists that are open.
    depth: usize,
    /// Whether the next text is a name.
    is_name_next: bool,
    /// Whether the name that came last is the wanted one.
    is_wanted: bool,
}

/// Where in the object it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    /// Between texts.
    Between,
    /// In a name of the object itself.
    Name,
    /// In the wanted text.
    Wanted,
    /// In a text that is not wanted.
    Other,
    /// After the wanted text.
    Over,
}

impl Member {
    /// The member with this name, of which nothing came yet.
    pub(super) fn of(name: &'static str) -> Self {
        Self {
            name,
            at: At::Between,
            spelled: String::new(),
            depth: 0,
            is_name_next: false,
            is_wanted: false,
        }
    }

    /// Takes some more of the object in; gives what of it is more of the text.
    pub(super) fn push(&mut self, piece: &str) -> String {
        let mut text = String::new();
        for sign in piece.chars() {
            match self.at {
                At::Between => self.between(sign),
                At::Name | At::Other => self.within(sign),
                At::Wanted => self.wanted(sign, &mut text),
                At::Over => break,
            }
        }
        text
    }

    fn between(&mut self, sign: char) {
        match sign {
            '{' | '[' => {
                self.depth += 1;
                self.is_name_next = sign == '{' && self.depth == 1;
            }
            '}' | ']' => self.depth = self.depth.saturating_sub(1),
            ',' => self.is_name_next = self.depth == 1,
            // Before the object there may be a sentence, with quotes of its own.
            '"' if self.depth > 0 => {
                self.at = match (self.depth, self.is_name_next) {
                    (1, true) => At::Name,
                    (1, false) if self.is_wanted => At::Wanted,
                    _ => At::Other,
                };
                self.is_name_next = false;
                self.spelled.clear();
            }
            _ => {}
        }
    }

    /// A name or another text: only where it ends counts, and what the name is.
    fn within(&mut self, sign: char) {
        let is_escaped = self.spelled.ends_with('\\');
        if sign == '"' && !is_escaped {
            if self.at == At::Name {
                self.is_wanted = self.spelled == self.name;
            }
            self.at = At::Between;
            return;
        }
        if self.at == At::Other {
            self.spelled.clear();
        }
        // A backslash that is written with another one opens nothing.
        self.spelled.push(if sign == '\\' && is_escaped { ' ' } else { sign });
    }

    fn wanted(&mut self, sign: char, text: &mut String) {
        if self.spelled.is_empty() {
            match sign {
                '"' => self.at = At::Over,
                '\\' => self.spelled.push(sign),
                _ => text.push(sign),
            }
            return;
        }
        self.spelled.push(sign);
        if is_whole(&self.spelled) {
            let spelled = format!("\"{}\"", std::mem::take(&mut self.spelled));
            text.push_str(&serde_json::from_str::<String>(&spelled).unwrap_or_default());
        }
    }
}

/// Whether what begins with a backslash is a whole sign: of two that belong together both have to be there.
fn is_whole(spelled: &str) -> bool {
    let Some(digits) = spelled.strip_prefix("\\u") else { return true };
    match digits.len() {
        0..=3 => false,
        4 => !matches!(u32::from_str_radix(digits, 16), Ok(0xD800..=0xDBFF)),
        _ => digits.len() >= 10,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop_assert_eq, proptest};
    use serde_json::json;

    use super::*;

    fn read(pieces: &[&str]) -> String {
        let mut member = Member::of("answer");
        pieces.iter().map(|piece| member.push(piece)).collect()
    }

    #[test]
    fn the_member_is_found_wherever_it_stands() {
        for (object, text) in [
            (r#"{"answer": "Up.", "gaps": ["no"]}"#, "Up."),
            ("Here you are, \"my\" reply:\n```json\n{\"answer\":\"Up.\"}\n```", "Up."),
            (r#"{"gaps": ["answer", "a\"b"], "inner": {"answer": "Down."}, "answer": "Up."}"#, "Up."),
            (r#"{"note": "answer", "other": "\\", "answer": "Up."}"#, "Up."),
            (r#"{"answer": 7, "note": "Up."}"#, ""),
            (r#"{"answer": ["Up."]}"#, ""),
            (r#"["answer", "Up."]"#, ""),
            ("no object", ""),
            (r#"{"answer": "It is \"half"#, "It is \"half"),
        ] {
            assert_eq!(read(&[object]), text, "{object}");
        }
    }

    #[test]
    fn a_sign_of_two_halves_comes_whole() {
        assert_eq!(read(&[r#"{"answer": "\ud83"#, r"d\ud", r#"e00 \u00e9"}"#]), "😀 é");
    }

    proptest! {
        #[test]
        fn any_text_in_any_pieces_comes_as_it_is(text in "\\PC{0,40}", other in "\\PC{0,20}", at in 0_usize..120) {
            let object = json!({"gaps": [other.clone()], "answer": text, "told": other}).to_string();
            let at = (0..=at.min(object.len())).rev().find(|at| object.is_char_boundary(*at)).unwrap_or(0);
            prop_assert_eq!(read(&[&object[..at], &object[at..]]), text);
        }
    }
}
