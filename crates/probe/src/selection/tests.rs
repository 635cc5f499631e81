//! What is selected of a small catalogue.

use domain::Method;
use policy::Policy;
use serde_json::json;

use super::*;
use crate::signals::tests::query;

fn catalogue() -> Snapshot {
    let listing = |name: &str, methods: &[(&str, &str)]| {
        let method = |(name, description): &(&str, &str)| {
            let mut method = Method::new(*name, json!({"type": "object"}), None);
            (*description).clone_into(&mut method.description);
            Arc::new(method)
        };
        Arc::new(Listing::new(name, methods.iter().map(method).collect()))
    };
    let moon = listing(
        "Moon",
        &[
            ("get_moon_phase", "The phase of the moon."),
            ("get_moon_age", "The age of the moon in days since the last phase."),
            ("get_moon_rise", "When the moon rises in its phase."),
        ],
    );
    let tide =
        listing("Sea", &[("get_tide", "The tide of a harbour."), ("get_swell", "The swell of the sea.")]);
    Snapshot { revision: 1, listings: vec![moon, tide] }
}

fn selected(question: &str, methods_max: usize) -> Selected {
    let policy = Policy::shipped().unwrap().probe;
    let snapshot = catalogue();
    let query = query(question, ToolScope::Discover, &[]);
    let index = Index::build(&snapshot, &policy);
    let selection = Selection { methods_max, ..policy.selection };
    select(query, Timestamp::UNIX_EPOCH, (&snapshot, &index), &selection).unwrap()
}

fn names(candidates: &[Candidate]) -> Vec<&str> {
    candidates.iter().map(|candidate| candidate.method.name.as_str()).collect()
}

#[test]
fn each_thing_that_is_asked_for_finds_its_methods() {
    let one = selected("the age of the moon in its phase", 2);
    assert_eq!(names(&one.candidates), ["get_moon_age", "get_moon_phase"]);
    assert!(one.things.is_empty());

    let both = selected("the age of the moon in its phase and the tide", 2);
    assert_eq!(names(&both.candidates), ["get_moon_age", "get_tide"]);
    let things: Vec<(&str, Vec<&str>)> =
        both.things.iter().map(|thing| (thing.question.as_str(), names(&thing.candidates))).collect();
    assert_eq!(
        things,
        [("the age of the moon in its phase", vec!["get_moon_age"]), ("the tide", vec!["get_tide"])]
    );
    let tide = &both.things[1];
    assert!(tide.candidates[0].score > 0.0);
    let at_hand = both.candidates.iter().chain(&both.helpers);
    assert_eq!(names(&tide.helpers(at_hand)), ["get_swell"]);
}
