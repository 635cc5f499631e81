//! What the methods refuse, and how they say so.

use rmcp::ServiceExt;
use rmcp::service::{QuitReason, ServiceError};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::client::{NOON, sample, with_client};

/// A call that is refused: what the text names, and what it says would be accepted.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    listing: String,
    method: String,
    arguments: Value,
    names: String,
    accepts: String,
}

async fn refusal(listing: &str, method: &str, arguments: Value) -> String {
    with_client(&sample(listing, NOON), async |client| client.refusal(method, arguments).await).await
}

#[tokio::test]
async fn a_refusal_names_the_argument_and_what_would_be_accepted() {
    let cases: Vec<Case> = serde_json::from_str(include_str!("refusals.json")).unwrap();
    for Case { listing, method, arguments, names, accepts } in cases {
        let text = refusal(&listing, &method, arguments).await;
        assert!(text.contains(&names) && text.contains(&accepts), "{listing}.{method}: {text}");
    }
}

#[tokio::test]
async fn past_weather_refuses_the_future_as_its_description_says() {
    with_client(&sample("Weather and Time", NOON), async |client| {
        let tools = client.tools().await;
        let history = tools.iter().find(|tool| tool.name == "get_weather_history").unwrap();
        assert!(history.description.as_deref().unwrap().contains("a date in the future"));
        let text =
            client.refusal("get_weather_history", json!({ "city": "London", "date": "2026-12-24" })).await;
        assert!(text.contains("`date`") && text.contains("before 2026-11-21"), "{text}");
        client.ask("get_weather_history", json!({ "city": "London", "date": "2026-11-20" })).await;
    })
    .await;
}

#[tokio::test]
async fn an_unknown_tool_is_an_error_of_the_protocol() {
    with_client(&sample("News", NOON), async |client| {
        let error = client.call("get_gossip", json!({})).await.unwrap_err();
        assert!(
            matches!(&error, ServiceError::McpError(error) if error.message.contains("get_gossip")),
            "{error:?}"
        );
    })
    .await;
}

#[tokio::test]
async fn a_client_that_leaves_without_a_word_ends_the_serving() {
    let (near, far) = tokio::io::duplex(1024);
    drop(near);
    sample("News", NOON).serve(far).await;
}

#[tokio::test]
async fn a_serving_that_is_dropped_closes_the_session() {
    let (near, far) = tokio::io::duplex(64 * 1024);
    let sample = sample("News", NOON);
    let client = tokio::select! {
        client = ().serve(near) => client.unwrap(),
        () = sample.serve(far) => panic!("the serving ended before the client"),
    };
    assert!(matches!(client.waiting().await.unwrap(), QuitReason::Closed));
}
