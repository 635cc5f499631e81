//! What a schema does not take is asked for again, before a server refuses it.

use evals::corpus::{Case, Outcome};
use evals::production::Decider;
use evals::{DecisionInput, universe};
use policy::Policy;
use serde_json::{Value, json};

fn outcome(query: &str, tool: &Value) -> (Outcome, Vec<String>) {
    let case: Case = serde_json::from_value(json!({
        "id": "one", "source": "own", "query": query, "tools": [tool],
        "expected": {"outcome": "answer", "methods": []},
    }))
    .expect("a case");
    let snapshot = universe(&case.tools);
    let gate = Decider::new(&Policy::shipped().expect("the shipped policies"));
    let decided = gate.decide(&DecisionInput::of(&case, &snapshot));
    (decided.outcome, decided.missing_params)
}

#[test]
fn an_identifier_of_another_form_is_asked_for_again() {
    let roster = json!({
        "name": "get_team_roster", "description": "The roster of a team.",
        "inputSchema": {"type": "object", "required": ["team_id"], "properties": {
            "team_id": {"type": "string", "description": "The team's identifier, five digits.", "pattern": "^\\d{5}$"}
        }},
    });
    let asked = (Outcome::ClarificationRequired, vec!["team_id".to_owned()]);
    assert_eq!(outcome("Show the roster of team ID 123", &roster), asked);
    assert_eq!(outcome("Show the roster of team ID 12345", &roster), (Outcome::Answer, Vec::new()));
}

#[test]
fn a_number_out_of_bounds_is_asked_for_again() {
    let thermostat = json!({
        "name": "preview_thermostat", "description": "What a target temperature of the thermostat would cost.",
        "inputSchema": {"type": "object", "required": ["target_temperature"], "properties": {
            "target_temperature": {"type": "number", "description": "Target temperature in degrees.", "maximum": 30}
        }},
    });
    let asked = (Outcome::ClarificationRequired, vec!["target_temperature".to_owned()]);
    let ask = |degrees: u32| format!("Preview the thermostat at a target temperature of {degrees}");
    assert_eq!(outcome(&ask(90), &thermostat), asked);
    assert_eq!(outcome(&ask(21), &thermostat), (Outcome::Answer, Vec::new()));
}
