//! How much of a question is accounted for.

use serde_json::json;

use super::{flows, method, question};
use crate::bind::{Parameters, bind, says_only_listed};
use crate::words::Groups;

#[test]
fn what_is_left_over_is_told() {
    let binding = bind(&question("BTC inflow to Kraken and the weather in Rome"), &Parameters::of(&flows()));
    assert!(binding.coverage.left.contains(&"weather".to_owned()));
    assert!(!binding.coverage.left.contains(&"kraken".to_owned()));
}

#[test]
fn a_word_of_nearly_the_same_meaning_counts_half() {
    let kin = Groups::of(&["flow stream".to_owned()]);
    let share = |parameters: &Parameters| bind(&question("BTC stream into Kraken now"), parameters).coverage;
    let alone = share(&Parameters::of(&flows()));
    assert_eq!(alone.left, ["stream"]);
    let together = share(&Parameters::of(&flows()).with_kin(&kin));
    assert_eq!(together.left, [] as [String; 0]);
    assert!(alone.share < together.share && together.share < 1.0);
}

#[test]
fn a_question_may_only_say_what_arguments_list() {
    let parameters = Parameters::of(&flows());
    let only = |text: &str| {
        let question = question(text);
        says_only_listed(&question, &parameters, &bind(&question, &parameters).arguments)
    };
    for text in ["kraken btc", "What about BTC?", "eth"] {
        assert!(only(text), "{text}");
    }
    for text in ["kraken btc flow", "gold", "what about it", ""] {
        assert!(!only(text), "{text}");
    }
}

#[test]
fn the_parts_of_an_object_are_accounted_for() {
    let schema = json!({"type": "object", "required": ["stay"], "properties": {"stay": {
        "type": "object", "required": ["guests", "from"], "properties": {
            "guests": {"type": "integer"}, "from": {"type": "string", "format": "date"}
        }
    }}});
    let question = question("a stay from 2026-05-02 for 3 guests");
    let binding = bind(&question, &Parameters::of(&method("find_rooms", "Finds rooms.", schema)));
    assert_eq!(binding.coverage.left, ["guest"]);
    assert_eq!(binding.unplaced_times(&question).next(), None);
}
