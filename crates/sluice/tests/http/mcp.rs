//! The five tools through the official MCP client: over streamable HTTP at `/mcp`, and over standard input and output.

use std::process::Stdio;

use rmcp::model::{CallToolRequestParams, CallToolResult};
use rmcp::service::RunningService;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::transport::{StreamableHttpClientTransport, TokioChildProcess};
use rmcp::{RoleClient, ServiceExt};
use serde_json::{Value, json as body};
use tokio::process::Command;

use crate::library::{GUIDE, OLD_GUIDE, add};
use crate::server::{KEY, Server, Setup, json};

struct Tools(RunningService<RoleClient, ()>);

impl Tools {
    async fn over_http(server: &Server, key: &str) -> Self {
        let config =
            StreamableHttpClientTransportConfig::with_uri(format!("{}/mcp", server.url())).auth_header(key);
        Self(().serve(StreamableHttpClientTransport::from_config(config)).await.unwrap())
    }

    async fn call(&self, tool: &'static str, arguments: Value) -> CallToolResult {
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        self.0.call_tool(CallToolRequestParams::new(tool).with_arguments(arguments)).await.unwrap()
    }

    /// The text and the structured content of a call that went well.
    async fn told(&self, tool: &'static str, arguments: Value) -> (String, Value) {
        let result = self.call(tool, arguments).await;
        assert_ne!(result.is_error, Some(true), "{result:?}");
        (text(&result), result.structured_content.unwrap())
    }
}

fn text(result: &CallToolResult) -> String {
    result.content[0].as_text().unwrap().text.clone()
}

async fn drive(tools: &Tools) {
    let listed = tools.0.list_all_tools().await.unwrap();
    let names: Vec<&str> = listed.iter().map(|tool| tool.name.as_ref()).collect();
    assert_eq!(names, ["find_items", "deep_search", "deep_read", "deep_expand", "reason"]);

    let (text, found) = tools.told("find_items", body!({"query": "session expires", "tags": "[]"})).await;
    assert!(
        text.starts_with("## Semantic Search Results for \"session expires\"\n\n### Documents (2)\n- **"),
        "{text}"
    );
    let id = found["data"]["documents"][0]["documentId"].as_str().unwrap();
    assert!(text.contains(&format!("(id: {id}, score: ")), "{text}");
    assert_eq!(found["meta"], body!({"semantic": true, "query": "session expires"}));

    let (text, searched) = tools.told("deep_search", body!({"query": "session expires", "limit": 1})).await;
    let result = &searched["data"]["results"][0];
    let chunk = result["chunkId"].as_str().unwrap();
    assert!(
        text.starts_with(
            "## Progressive Disclosure Search: \"session expires\"\n\n**Total Results:** 1\n\n### Result 1\n"
        ),
        "{text}"
    );
    assert!(text.contains(&format!("- **chunkId:** {chunk}\n- **Score:** ")), "{text}");

    let (text, read) = tools.told("deep_read", body!({"chunkId": chunk})).await;
    assert!(text.starts_with(&format!(
        "## Chunk Details\n\n- **chunkId:** {chunk}\n- **Level:** paragraph\n- **Content:**\n\n"
    )));
    assert!(text.ends_with("> Use deep_expand with this chunkId to navigate to related chunks."), "{text}");
    assert_eq!(read["data"]["content"], result["content"]);

    let (text, up) = tools.told("deep_expand", body!({"chunkId": chunk, "direction": "up"})).await;
    assert!(
        text.starts_with("## Parent chunk\n\n**Direction:** up | **Results:** 1\n\n### Chunk 1\n"),
        "{text}"
    );
    assert_eq!(up["data"]["chunks"][0]["_id"], result["parentId"]);
    let (text, _) = tools.told("deep_expand", body!({"chunkId": chunk, "direction": "down"})).await;
    assert!(text.starts_with("No chunks found in that direction."), "{text}");

    let (text, reasoned) = tools.told("reason", body!({"query": "When does a session expire?"})).await;
    assert!(text.starts_with("# Answer\n\n") && text.contains("\n\n## Sources\n- "), "{text}");
    assert!(
        text.contains("\n\n## Conflicts\n- ") && text.contains("\n\n## Meta\n- Chunks gathered: "),
        "{text}"
    );
    assert!(!text.contains("## Gaps"), "empty sections are left out: {text}");
    assert!(reasoned["data"]["citations"][0]["chunkId"].is_string(), "{reasoned}");

    let refused = tools.call("deep_read", body!({"chunkId": "c_none"})).await;
    assert_eq!((refused.is_error, self::text(&refused).starts_with("Error: ")), (Some(true), true));
}

#[tokio::test]
async fn the_tools_are_served_over_http() {
    let server = Setup::bare().start().await;
    add(&server, "Server guide", GUIDE).await;
    add(&server, "Old guide", OLD_GUIDE).await;
    drive(&Tools::over_http(&server, KEY).await).await;
    let other = Tools::over_http(&server, "somebody-else").await;
    let (text, found) = other.told("deep_search", body!({"query": "session expires"})).await;
    assert_eq!(
        (text.as_str(), &found["data"]["results"]),
        ("No results found for \"session expires\".", &body!([]))
    );
    let keyless = StreamableHttpClientTransport::from_uri(format!("{}/mcp", server.url()));
    assert!(().serve(keyless).await.is_err(), "nobody comes in without a key");
}

#[tokio::test]
async fn the_tools_are_served_over_standard_input_and_output() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("guide.md", GUIDE), ("old.md", OLD_GUIDE)] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let sluice = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sluice"));
        command.env_clear().current_dir(folder.path()).kill_on_drop(true);
        command
    };
    let added = sluice().args(["docs", "add", "."]).output().await.unwrap();
    assert!(added.status.success(), "{added:?}");
    let mut command = sluice();
    command.args(["mcp", "--record", "recordings"]).stderr(Stdio::null());
    let tools = Tools(().serve(TokioChildProcess::new(command).unwrap()).await.unwrap());
    drive(&tools).await;
    tools.0.cancel().await.unwrap();
    let replayed = sluice().args(["replay", "recordings"]).output().await.unwrap();
    assert!(replayed.status.success(), "{replayed:?}");
}

#[tokio::test]
async fn the_tools_say_what_the_routes_say() {
    let server = Setup::bare().start().await;
    let tagged = body!({"title": "Server guide", "content": GUIDE, "tags": ["guide"]});
    assert_eq!(server.post("/v1/documents", tagged).await.status(), 201);
    add(&server, "Old guide", OLD_GUIDE).await;
    let tools = Tools::over_http(&server, KEY).await;
    for (path, arguments) in [
        (
            "/v1/search?q=session+expires&tags=guide",
            body!({"query": "session expires", "tags": "[\"guide\"]"}),
        ),
        ("/v1/search?q=session+expires&tags=guide", body!({"query": "session expires", "tags": ["guide"]})),
        ("/v1/search?q=expires&semantic=false", body!({"query": "expires", "semantic": "false"})),
    ] {
        let (_, told) = tools.told("find_items", arguments).await;
        let (_, routed) = json(server.get(path).await).await;
        assert_eq!(told, routed, "{path}");
        assert!(!told["data"]["documents"].as_array().unwrap().is_empty(), "{told}");
    }
    let (_, mut told) =
        tools.told("reason", body!({"query": "When does a session expire?", "limit": "3"})).await;
    let asked = body!({"query": "When does a session expire?", "limit": 3});
    let (_, mut routed) = json(server.post("/v1/reason", asked).await).await;
    for reply in [&mut told, &mut routed] {
        reply["data"]["meta"]["latencyMs"] = body!(0);
    }
    assert_eq!(told, routed);
    let chunk = told["data"]["citations"][0]["chunkId"].clone();
    let (_, read) = tools.told("deep_read", body!({"chunkId": chunk})).await;
    assert_eq!(read, json(server.get(&format!("/v1/pd/read/{}", chunk.as_str().unwrap())).await).await.1);
    let around = body!({"chunkId": chunk, "direction": "surrounding", "count": "1"});
    let (_, expanded) = tools.told("deep_expand", around.clone()).await;
    assert_eq!(expanded, json(server.post("/v1/pd/expand", around).await).await.1);

    for (tool, arguments, words) in [
        ("find_items", body!({}), "Error: `query` is required"),
        (
            "deep_search",
            body!({"query": "a", "limit": "many"}),
            "Error: `limit` must be a whole number from 1",
        ),
        ("deep_expand", body!({"chunkId": chunk, "direction": "left"}), "Error: `direction`"),
        ("reason", body!({"query": 7}), "Error: `query`"),
    ] {
        let refused = tools.call(tool, arguments).await;
        assert_eq!((refused.is_error, text(&refused).starts_with(words)), (Some(true), true), "{refused:?}");
    }
}

#[tokio::test]
async fn searches_of_one_connection_show_nothing_twice() {
    let server = Setup::bare().start().await;
    add(&server, "Server guide", GUIDE).await;
    let tools = Tools::over_http(&server, KEY).await;
    let mut shown = std::collections::BTreeSet::new();
    for _ in 0..3 {
        let (_, found) = tools.told("deep_search", body!({"query": "session key body", "limit": 1})).await;
        assert!(shown.insert(found["data"]["results"][0]["chunkId"].to_string()), "{found}");
    }
    let again = Tools::over_http(&server, KEY).await;
    let (_, found) = again.told("deep_search", body!({"query": "session key body", "limit": 1})).await;
    assert!(
        shown.contains(&found["data"]["results"][0]["chunkId"].to_string()),
        "another connection starts anew"
    );
}

#[tokio::test]
async fn tools_are_called_so_often_and_no_more() {
    let slow =
        include_str!("../../../../policies/library.toml").replace("readonly_max = 120", "readonly_max = 2");
    let server = Setup::bare().policy_file("library.toml", &slow).start().await;
    let tools = Tools::over_http(&server, KEY).await;
    for _ in 0..2 {
        assert_ne!(tools.call("find_items", body!({"query": "a"})).await.is_error, Some(true));
    }
    let refused = tools.call("find_items", body!({"query": "a"})).await;
    assert!(text(&refused).starts_with("Error: too many requests; try again in "), "{refused:?}");
}
