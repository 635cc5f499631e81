//! Places that were named before a question.

use serde_json::json;

use super::{method, question};
use crate::bind::{Parameters, bind};

#[test]
fn what_was_something_else_before_is_no_place() {
    let weather = method(
        "get_weather",
        "Weather in a city.",
        json!({"type": "object", "required": ["city"], "properties": {"city": {"type": "string"}}}),
    );
    let parameters = Parameters::of(&weather);
    let filled = |earlier: &str, given: &[(&str, &str)]| {
        let text = format!("{earlier}.\nHow is the weather?");
        let binding = bind(&question(&text), &parameters);
        binding.with_other_places_open(&text, earlier.len() + 2, given).missing().next().is_none()
    };
    assert!(filled("Will it rain in Paris", &[]));
    assert!(filled("Take me to Rivermist", &[]));
    assert!(!filled("Flows at Acme", &[("venue", "acme")]));
    assert!(filled("Weather in Rivermist", &[("city", "Rivermist")]));
    assert!(!filled("Convert 20 dollars to yen", &[]));
}
