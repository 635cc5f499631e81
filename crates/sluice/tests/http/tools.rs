//! The listings, searched and one by one.

use serde_json::Value;

use crate::server::{Server, Setup, json};

async fn search(server: &Server, parameters: &str) -> Value {
    let (status, reply) = json(server.get(&format!("/api/v1/tools/search?{parameters}")).await).await;
    assert_eq!(status, 200, "{reply}");
    assert_eq!(reply["count"].as_u64().unwrap(), reply["tools"].as_array().unwrap().len() as u64);
    reply
}

fn names(reply: &Value) -> Vec<&str> {
    reply["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect()
}

fn methods(reply: &Value) -> Vec<&Value> {
    reply["tools"].as_array().unwrap().iter().flat_map(|tool| tool["mcpTools"].as_array().unwrap()).collect()
}

#[tokio::test]
async fn a_search_ranks_listings_and_their_methods() {
    let server = Setup::with_samples().start().await;
    let reply = search(&server, "q=exchange+inflows").await;
    assert_eq!(reply["query"], "exchange inflows");
    let best = &reply["tools"][0];
    assert!(best["name"].as_str().unwrap().to_lowercase().contains("exchange"), "{:?}", names(&reply));
    let first = best["mcpTools"][0]["name"].as_str().unwrap();
    assert!(first.contains("flow"), "{first}");
    let (status, whole) =
        json(server.get(&format!("/api/v1/tools/{}", best["id"].as_str().unwrap())).await).await;
    assert_eq!((status, &whole["name"]), (200, &best["name"]));
    assert_eq!(whole["mcpTools"].as_array().unwrap().len(), best["mcpTools"].as_array().unwrap().len());
    assert_eq!(names(&search(&server, "q=exchange+inflows&limit=1").await), [best["name"].as_str().unwrap()]);
    assert_eq!(names(&search(&server, "q=zzyzx").await), Vec::<&str>::new());
}

#[tokio::test]
async fn without_words_everything_is_listed() {
    let server = Setup::with_samples().start().await;
    let featured = search(&server, "limit=50").await;
    assert!(names(&featured).len() >= 6, "{:?}", names(&featured));
    assert_eq!(names(&search(&server, "q=&limit=50").await), names(&featured));
    assert_eq!(names(&search(&server, "limit=2").await), names(&featured)[..2]);
    assert_eq!(names(&search(&server, "favorites_only=true").await), Vec::<&str>::new());
}

#[tokio::test]
async fn filters_hide_methods() {
    let server = Setup::with_samples().start().await;
    let all = methods(&search(&server, "limit=50").await).len();
    let check = async |parameters: &str, holds: fn(&Value) -> bool| {
        let reply = search(&server, &format!("limit=50&{parameters}")).await;
        let shown = methods(&reply);
        assert!(!shown.is_empty() && shown.len() < all, "{parameters}: {} of {all}", shown.len());
        for method in shown {
            assert!(holds(method), "{parameters}: {method}");
        }
    };
    check("mode=execute", |method| {
        method["executePriceUsd"].is_string() && method["_meta"]["surface"] != "answer"
    })
    .await;
    check("requireExecutePricing=true", |method| method["executePriceUsd"].is_string()).await;
    check("mode=query", |method| method["_meta"]["surface"] != "execute").await;
    check("surface=execute", |method| method["_meta"]["surface"] != "answer").await;
    check("queryEligible=false", |method| method["name"].is_string()).await;
    check("excludeSlow=true", |method| method["_meta"]["latencyClass"] != "slow").await;
    check("excludeLatency=slow,streaming", |method| {
        method["_meta"]["latencyClass"] != "slow" && method["_meta"]["latencyClass"] != "streaming"
    })
    .await;
}
