//! Tokens hold for what they were issued for, and for nothing else.

use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;

use super::*;

const KEY: &[u8] = b"a key of the server";

fn stake(question: u8, methods: u8) -> Stake {
    Stake { question: [question; 32], methods: [methods; 32] }
}

fn issued() -> (OptionId, String) {
    let option = OptionId("listing:method#slot".to_owned());
    let token = issue(KEY, &option, &stake(1, 2), (Timestamp::UNIX_EPOCH, 30));
    (option, token)
}

fn after(minutes: i64) -> Timestamp {
    Timestamp::UNIX_EPOCH + SignedDuration::from_mins(minutes)
}

#[test]
fn a_token_picks_its_option() {
    let (option, token) = issued();
    assert_eq!(verify(KEY, &token, &stake(1, 2), after(29)).unwrap().option(), &option);
    assert!(token.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')));
}

#[test]
fn each_fault_has_its_name() {
    let (_, token) = issued();
    let fault = |key, token: &str, stake, now| verify(key, token, &stake, now).unwrap_err();
    assert_eq!(fault(KEY, &token, stake(1, 2), after(30)), TokenFault::Expired);
    assert_eq!(fault(KEY, &token, stake(9, 2), after(1)), TokenFault::OtherQuestion);
    assert_eq!(fault(KEY, &token, stake(1, 9), after(1)), TokenFault::SchemaDrift);
    assert_eq!(fault(b"another", &token, stake(1, 2), after(1)), TokenFault::BadSignature);
    for malformed in ["", "AAAA", "not base64!", &token[..40]] {
        assert_eq!(fault(KEY, malformed, stake(1, 2), after(1)), TokenFault::Malformed);
    }
}

proptest! {
    #[test]
    fn no_changed_token_is_taken(at in 0_usize..150, bit in 0_u32..8) {
        let (_, token) = issued();
        let mut bytes = URL_SAFE_NO_PAD.decode(&token).unwrap();
        let at = at % bytes.len();
        bytes[at] ^= 1 << bit;
        let changed = URL_SAFE_NO_PAD.encode(bytes);
        prop_assert_eq!(verify(KEY, &changed, &stake(1, 2), after(1)), Err(TokenFault::BadSignature));
    }

    #[test]
    fn no_made_up_token_is_taken(token in "[A-Za-z0-9_-]{0,300}|\\PC{0,60}") {
        prop_assert!(verify(KEY, &token, &stake(1, 2), after(1)).is_err());
    }
}
