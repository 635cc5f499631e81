//! Credentials do not go on: a key that someone pasted into a message is not kept, not sent to a model and not put into a trace.

use policy::Guardrails;

use super::{Refusal, Turn};

/// What stands in the place of a credential.
const TAKEN_OUT: &str = "[credential removed]";

/// How keys begin that are handed out as secrets, longest beginnings first.
const BEGINNINGS: [&str; 9] =
    ["sk_live_", "sk_test_", "github_pat_", "sk-ant-", "xoxb-", "ghp_", "AKIA", "sk-", "eyJ"];

/// Bytes that a key has at least, its beginning included.
const KEY_BYTES_MIN: usize = 20;

/// Takes credentials out of what is said.
#[expect(clippy::unnecessary_wraps, reason = "one of the list of steps")]
pub(super) fn strip(mut turn: Turn, _: &Guardrails) -> Result<Turn, Refusal> {
    if let Some(message) = &mut turn.body.message {
        message.text = stripped(&message.text);
    }
    turn.asked.text = stripped(&turn.asked.text);
    Ok(turn)
}

fn stripped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut is_after_bearer = false;
    for piece in text.split_inclusive(char::is_whitespace) {
        let word = piece.trim_end();
        let bare = word.trim_matches(|sign: char| !sign.is_ascii_alphanumeric() && !"_-=+/".contains(sign));
        if is_key(bare) || (is_after_bearer && bare.len() >= KEY_BYTES_MIN) {
            out.push_str(&piece.replacen(bare, TAKEN_OUT, 1));
        } else {
            out.push_str(piece);
        }
        if !word.is_empty() {
            is_after_bearer = bare.eq_ignore_ascii_case("bearer");
        }
    }
    out
}

fn is_key(word: &str) -> bool {
    let value = word.rsplit_once('=').map_or(word, |(_, value)| value);
    let is_made_of_key_signs = |text: &str| {
        text.bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'+' | b'/'))
    };
    value.len() >= KEY_BYTES_MIN
        && BEGINNINGS.iter().any(|beginning| value.starts_with(beginning))
        && is_made_of_key_signs(value)
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{rules, said};
    use super::*;

    #[test]
    fn keys_are_taken_out_and_words_are_not() {
        let cases = [
            ("use sk_live_0123456789abcdefABCDEF0123456789 please", "use [credential removed] please"),
            ("Authorization: Bearer abcdefghijklmnopqrstuvwx", "Authorization: Bearer [credential removed]"),
            ("KEY=sk-ant-0123456789abcdefghij.", "[credential removed]."),
            ("the bearer bond market", "the bearer bond market"),
            ("sk_live_ is how they begin", "sk_live_ is how they begin"),
            ("What is the price of ETH?\nAnd BTC?", "What is the price of ETH?\nAnd BTC?"),
        ];
        for (text, due) in cases {
            let turn = strip(said(text), &rules()).unwrap();
            assert_eq!(turn.asked.text, due);
            assert_eq!(turn.body.message.unwrap().text, due);
        }
    }
}
