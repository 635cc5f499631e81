//! The gate over HTTP: what is asked back, how a choice goes on, and what the trace tells of it.

use serde_json::{Value, json};

use crate::server::{Server, Setup, json};

const AMBIGUOUS: &str = "What is the price of the World Cup market?";
const CLEAR: &str = "What is the current price of market mkt-1001-01?";

fn asked(query: &str, policy: &str) -> Value {
    json!({
        "query": query,
        "tools": [domain::ListingId::of_name("Prediction Markets").to_string()],
        "clarificationPolicy": policy,
        "includeDeveloperTrace": true,
    })
}

async fn ask(server: &Server, body: Value) -> Value {
    let (status, result) = json(server.post("/api/v1/query", body).await).await;
    assert_eq!(status, 200, "{result}");
    result
}

fn gate(result: &Value) -> &Value {
    &result["developerTrace"]["diagnostics"]["clarification"]
}

fn events(result: &Value) -> Vec<&str> {
    let timeline = result["developerTrace"]["timeline"].as_array().unwrap();
    timeline.iter().filter_map(|step| step["event"].as_str()).collect()
}

#[tokio::test]
async fn an_ambiguous_question_is_asked_back_only_where_that_was_asked_for() {
    let server = Setup::with_samples().start().await;
    for policy in ["return", "error"] {
        let result = ask(&server, asked(AMBIGUOUS, policy)).await;
        assert_eq!(result["outcomeType"], "clarification_required", "{result}");
        assert_eq!(result["stopReason"], "clarification_required");
        assert_eq!(gate(&result)["triggered"], true);
    }
    let mut body = asked(AMBIGUOUS, "auto");
    let result = ask(&server, body.clone()).await;
    assert_eq!(result["outcomeType"], "answer", "{result}");
    assert_eq!(result["assumptionMade"]["mode"], "auto");
    let said = format!(
        "{}: {}",
        result["assumptionMade"]["label"].as_str().unwrap(),
        result["assumptionMade"]["reason"].as_str().unwrap()
    );
    assert!(result["evidence"]["assumptions"].as_array().unwrap().contains(&json!(said)), "{result}");
    assert_eq!(gate(&result)["outcomeType"], "clarification_required");
    assert_eq!(gate(&result)["autoResolved"], true);
    // Newer clients say nothing, and cannot read a question back.
    body.as_object_mut().unwrap().remove("clarificationPolicy");
    assert_eq!(ask(&server, body).await["outcomeType"], "answer");
}

#[tokio::test]
async fn a_missing_value_is_asked_for_in_whichever_lane_auto_would_take() {
    let server = Setup::with_samples().start().await;
    let ask_auto = async |query: &str| {
        let mut body = asked(query, "return");
        body["tools"] = json!([domain::ListingId::of_name("Currency Rates").to_string()]);
        body["queryDepth"] = json!("auto");
        let result = ask(&server, body).await;
        result["outcomeType"].as_str().unwrap().to_owned()
    };
    assert_eq!(ask_auto("convert 100 to euros").await, "clarification_required");
    assert_eq!(ask_auto("convert 100 dollars to euros").await, "answer");
}

#[tokio::test]
async fn a_choice_goes_on_from_the_stored_probe() {
    let server = Setup::with_samples().start().await;
    let asked_back = ask(&server, asked(AMBIGUOUS, "return")).await;
    let options = asked_back["clarification"]["options"].as_array().unwrap();
    for option in options.iter().filter(|option| option["resolutionMode"] == "option") {
        let mut body = asked(AMBIGUOUS, "return");
        body["clarificationChoice"] = json!({"optionId": option["id"], "token": option["choiceToken"]});
        let result = ask(&server, body).await;
        assert_ne!(result["outcomeType"], "clarification_required", "{result}");
        assert_eq!(gate(&result)["recommendedOptionId"], option["id"]);
        assert_eq!(gate(&result)["decisionReasonCode"], "single_grounded_interpretation");
        assert_eq!(gate(&result)["judgeOutcomeType"], json!(null), "a judge was asked what the caller said");
    }
}

#[tokio::test]
async fn a_token_that_does_not_hold_makes_a_fresh_gate() {
    let server = Setup::with_samples().start().await;
    let asked_back = ask(&server, asked(AMBIGUOUS, "return")).await;
    let option = &asked_back["clarification"]["options"][0];
    let token = option["choiceToken"].as_str().unwrap();
    let tampered = format!("{}{}", &token[..token.len() - 1], if token.ends_with('A') { "B" } else { "A" });
    let other = &asked_back["clarification"]["options"][1]["id"];
    let cases = [
        (AMBIGUOUS, json!({"optionId": option["id"], "token": tampered})),
        (AMBIGUOUS, json!({"optionId": option["id"], "token": "nonsense"})),
        (AMBIGUOUS, json!({"optionId": other, "token": token})),
        ("How is the World Cup market looking?", json!({"optionId": option["id"], "token": token})),
    ];
    for (question, choice) in cases {
        let mut body = asked(question, "return");
        body["clarificationChoice"] = choice.clone();
        let result = ask(&server, body).await;
        assert_eq!(result["outcomeType"], "clarification_required", "{choice}: {result}");
        let reason = gate(&result)["fallbackReason"].as_str().unwrap_or_else(|| panic!("{result}"));
        assert!(reason.contains("choice"), "{reason}");
    }
}

#[tokio::test]
async fn a_choice_that_is_no_choice_is_refused() {
    let server = Setup::with_samples().start().await;
    for (choice, field) in [
        (json!("first"), "clarificationChoice"),
        (json!({"optionId": "x"}), "clarificationChoice.token"),
        (json!({"token": "x"}), "clarificationChoice.optionId"),
    ] {
        let mut body = asked(AMBIGUOUS, "return");
        body["clarificationChoice"] = choice;
        let (status, fault) = json(server.post("/api/v1/query", body).await).await;
        assert_eq!((status, fault["field"].as_str()), (400, Some(field)), "{fault}");
    }
}

#[tokio::test]
async fn a_deep_query_is_always_probed_and_its_decision_told_whole() {
    let server = Setup::with_samples().start().await;
    for (query, outcome) in [
        (AMBIGUOUS, "clarification_required"),
        (CLEAR, "answer"),
        ("Which perpetuals on Bybit have the highest funding rate?", "capability_miss"),
    ] {
        let result = ask(&server, asked(query, "return")).await;
        assert_eq!(result["outcomeType"], outcome, "{result}");
        let selection = &result["developerTrace"]["diagnostics"]["selection"];
        assert_eq!(selection["scoutProbeStatus"], "ready", "{selection}");
        assert!(selection["scoutProbeRankedMethodCount"].as_u64().unwrap() > 0, "{selection}");
        assert!(selection["scoutProbeAmbiguityPoolCount"].as_u64().unwrap() > 0, "{selection}");
        assert_eq!(gate(&result)["rolloutStage"], "enabled");
        assert!(gate(&result)["decisionReasonCode"].is_string() && gate(&result)["judgeAttempted"] == true);
        let events = events(&result);
        for event in [
            "depth-decision",
            "scout-contract",
            "scout-pre-plan-probe",
            "clarification-decision-input",
            "clarification-decision",
            "query-depth-decision",
            "query-clarification-decision",
        ] {
            assert!(events.contains(&event), "no {event} in {events:?}");
        }
    }
}

#[tokio::test]
async fn a_fast_query_has_no_gate_in_its_trace() {
    let server = Setup::with_samples().start().await;
    let mut body = asked(AMBIGUOUS, "return");
    body["queryDepth"] = json!("fast");
    let result = ask(&server, body).await;
    assert_ne!(result["outcomeType"], "clarification_required", "{result}");
    assert!(gate(&result).is_null(), "{result}");
    assert_eq!(result["developerTrace"]["diagnostics"]["selection"]["scoutProbeStatus"], "skipped");
    assert!(!events(&result).contains(&"clarification-decision"));
}
