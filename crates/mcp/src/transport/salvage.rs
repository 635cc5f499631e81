//! Finds which request a broken or oversized message answers, without keeping the message.

use rmcp::model::RequestId;

/// Bytes of a key or of an identifier that are looked at; longer ones are none of ours.
const TOKEN_BYTES_MAX: usize = 64;

/// Reads a JSON object byte by byte for its top-level `id`.
#[derive(Default)]
pub(crate) struct Salvage {
    depth: usize,
    text: Text,
    member: Member,
    token: Vec<u8>,
    has_method: bool,
    id: Option<RequestId>,
}

/// Where the reader stands to a string.
#[derive(Clone, Copy, Default)]
enum Text {
    #[default]
    Outside,
    Inside,
    Escaped,
}

/// What part of a top-level member is being read.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Member {
    #[default]
    Key,
    Id,
    OtherValue,
}

impl Salvage {
    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.step(*byte);
        }
    }

    /// The request that the message answers; none where it is itself a request, or says nothing.
    pub(crate) fn answered(mut self) -> Option<RequestId> {
        self.end_member();
        self.id.filter(|_| !self.has_method)
    }

    fn step(&mut self, byte: u8) {
        match (self.text, byte) {
            (Text::Outside, _) => return self.step_outside(byte),
            (Text::Escaped, _) => self.text = Text::Inside,
            (Text::Inside, b'\\') => self.text = Text::Escaped,
            (Text::Inside, b'"') => self.text = Text::Outside,
            (Text::Inside, _) => {}
        }
        self.keep(byte);
    }

    fn step_outside(&mut self, byte: u8) {
        match byte {
            b'"' => {
                self.text = Text::Inside;
                self.keep(byte);
            }
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => {
                if self.depth == 1 {
                    self.end_member();
                }
                self.depth = self.depth.saturating_sub(1);
            }
            b':' if self.depth == 1 && self.member == Member::Key => self.end_key(),
            b',' if self.depth == 1 => self.end_member(),
            _ if byte.is_ascii_whitespace() => {}
            _ => self.keep(byte),
        }
    }

    fn keep(&mut self, byte: u8) {
        if self.depth == 1 && self.token.len() <= TOKEN_BYTES_MAX {
            self.token.push(byte);
        }
    }

    fn end_key(&mut self) {
        self.has_method |= self.token == b"\"method\"";
        self.member = if self.token == b"\"id\"" { Member::Id } else { Member::OtherValue };
        self.token.clear();
    }

    fn end_member(&mut self) {
        if self.member == Member::Id {
            self.id = serde_json::from_slice(&self.token).ok();
        }
        self.member = Member::Key;
        self.token.clear();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, prop_assert_eq, proptest};
    use serde_json::json;

    use super::*;

    fn answered(text: &str) -> Option<RequestId> {
        let mut salvage = Salvage::default();
        salvage.feed(text.as_bytes());
        salvage.answered()
    }

    #[test]
    fn the_id_is_found_wherever_it_stands() {
        let three = Some(RequestId::Number(3));
        for text in [
            r#"{"jsonrpc":"2.0","id":3,"result":{"id":9,"content":["#,
            r#"{"result":{"id":9,"text":"\",\"id\":8,{"},"jsonrpc":"2.0", "id" : 3 }"#,
            r#"{"jsonrpc":"2.0","id":3"#,
            r#"{"id":3,"result":{"content":[}]"#,
        ] {
            assert_eq!(answered(text), three, "{text}");
        }
    }

    #[test]
    fn nothing_is_found_where_there_is_nothing() {
        for text in [
            "",
            "Listening on stdin",
            "\"id\":3",
            r#"{"id":3,"method":"ping"}"#,
            r#"{"id":null}"#,
            r#"[{"id":3}]"#,
        ] {
            assert_eq!(answered(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_whole_answer_gives_its_id(id in any::<i64>(), text in ".{0,40}", key in ".{0,8}", behind in any::<bool>()) {
            let result = json!({key: {"text": text, "id": 5}});
            let whole = if behind { json!({"result": result, "id": id}) } else { json!({"id": id, "result": result}) };
            prop_assert_eq!(answered(&whole.to_string()), Some(RequestId::Number(id)));
        }

        #[test]
        fn any_bytes_are_read(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let mut salvage = Salvage::default();
            salvage.feed(&bytes);
            let _ = salvage.answered();
        }
    }
}
