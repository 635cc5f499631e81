//! The library's contract over HTTP, line by line: every field of every route, every refusal, tags, sessions that outlive a
//! process, and retrieval by words and by vectors.

use reqwest::Method;
use serde_json::{Value, json as body};
use testkit::model_server::{Line, Meanings, ModelServer};

use crate::chat::{chunks, said};
use crate::library::{GUIDE, OLD_GUIDE, add, post};
use crate::server::{Server, Setup, json, until};

/// A field and what it has to be.
type Field = (&'static str, fn(&Value) -> bool);

/// Holds a value to the fields that it has to have, by type.
fn has(value: &Value, fields: &[Field]) {
    for (field, is_right) in fields {
        let found = value.get(*field).unwrap_or_else(|| panic!("no `{field}` in {value}"));
        assert!(is_right(found), "`{field}` of {value}");
    }
}

fn text_or_null(value: &Value) -> bool {
    value.is_string() || value.is_null()
}

fn share(value: &Value) -> bool {
    value.as_f64().is_some_and(|share| (0.0..=1.0).contains(&share))
}

async fn guides(server: &Server) -> String {
    let id = add(server, "Server guide", GUIDE).await;
    add(server, "Old guide", OLD_GUIDE).await;
    id
}

#[tokio::test]
#[expect(clippy::too_many_lines, reason = "a list")]
async fn every_field_of_the_search_contract_is_there() {
    let server = Setup::bare().start().await;
    guides(&server).await;
    let (status, found) = json(server.get("/v1/search?q=session+expires&type=all").await).await;
    assert_eq!(status, 200);
    has(
        &found["data"],
        &[("prompts", Value::is_array), ("documents", Value::is_array), ("collections", Value::is_array)],
    );
    has(
        &found["data"]["documents"][0],
        &[("documentId", Value::is_string), ("title", Value::is_string), ("score", share)],
    );
    has(
        &found["data"]["collections"][0],
        &[
            ("collectionId", Value::is_string),
            ("name", Value::is_string),
            ("matchedItems", Value::is_u64),
            ("score", share),
        ],
    );
    has(&found["meta"], &[("semantic", Value::is_boolean), ("query", Value::is_string)]);

    let session = post(&server, "/v1/pd/session", body!({})).await;
    has(
        &session,
        &[("sessionId", Value::is_string), ("createdAt", Value::is_i64), ("expiresAt", Value::is_i64)],
    );

    let searched = post(&server, "/v1/pd/search", body!({"query": "session expires"})).await;
    let result = &searched["results"][0];
    has(
        result,
        &[
            ("chunkId", Value::is_string),
            ("content", Value::is_string),
            ("score", share),
            ("level", |level| level == "paragraph"),
            ("documentTitle", Value::is_string),
            ("documentId", Value::is_string),
            ("parentId", text_or_null),
        ],
    );
    has(&result["siblingIds"], &[("prev", text_or_null), ("next", text_or_null)]);
    has(
        &searched["meta"],
        &[
            ("query", Value::is_string),
            ("totalResults", Value::is_u64),
            ("latencyMs", Value::is_u64),
            ("retrieval", |retrieval| retrieval == "lexical"),
        ],
    );

    let chunk = result["chunkId"].as_str().unwrap();
    let (_, read) = json(server.get(&format!("/v1/pd/read/{chunk}")).await).await;
    let read = &read["data"];
    has(read, &[("chunkId", Value::is_string), ("level", Value::is_string), ("content", Value::is_string)]);
    let hierarchy = &read["hierarchy"];
    has(
        hierarchy,
        &[
            ("documentTitle", Value::is_string),
            ("documentId", Value::is_string),
            ("sectionPath", Value::is_string),
        ],
    );
    has(
        &hierarchy["position"],
        &[
            ("chunkIndex", Value::is_u64),
            ("parentChunkId", text_or_null),
            ("prevSiblingId", text_or_null),
            ("nextSiblingId", text_or_null),
        ],
    );
    has(
        &read["metadata"],
        &[
            ("wordCount", Value::is_u64),
            ("startIndex", Value::is_u64),
            ("endIndex", Value::is_u64),
            ("headingText", Value::is_string),
        ],
    );

    let expanded = post(&server, "/v1/pd/expand", body!({"chunkId": chunk, "direction": "up"})).await;
    has(
        &expanded["chunks"][0],
        &[
            ("_id", Value::is_string),
            ("level", |level| level == "section"),
            ("chunkIndex", Value::is_u64),
            ("documentTitle", Value::is_string),
            ("documentId", Value::is_string),
            ("parentId", text_or_null),
            ("content", Value::is_string),
        ],
    );
}

#[tokio::test]
async fn every_field_of_an_answer_is_there() {
    let server = Setup::bare().start().await;
    guides(&server).await;
    let asked = body!({"query": "When does a session expire?", "limit": "8", "maxTokens": "4000"});
    let answer = post(&server, "/v1/reason", asked).await;
    has(
        &answer,
        &[
            ("answer", Value::is_string),
            ("citations", Value::is_array),
            ("gaps", Value::is_array),
            ("conflicts", Value::is_array),
            ("meta", Value::is_object),
        ],
    );
    has(
        &answer["citations"][0],
        &[
            ("chunkId", Value::is_string),
            ("documentId", Value::is_string),
            ("documentTitle", Value::is_string),
            ("score", share),
            ("ordinal", Value::is_u64),
            ("sectionPath", Value::is_string),
            ("documentVersion", Value::is_i64),
            ("support", |support| support == "strong" || support == "weak"),
        ],
    );
    has(
        &answer["citations"][0]["quote"],
        &[
            ("text", Value::is_string),
            ("start", Value::is_u64),
            ("end", Value::is_u64),
            ("sha256", |hash| hash.as_str().is_some_and(|hash| hash.len() == 64)),
            ("checkUrl", Value::is_string),
        ],
    );
    has(
        &answer["meta"],
        &[
            ("chunksGathered", Value::is_u64),
            ("citationsDropped", Value::is_u64),
            ("latencyMs", Value::is_u64),
            ("abstained", Value::is_null),
            ("retrieval", |retrieval| retrieval == "lexical"),
            ("coverage", share),
            ("confidence", share),
            ("evidenceTokens", Value::is_u64),
            ("evidenceTruncated", Value::is_boolean),
            ("markersStripped", Value::is_u64),
            ("weakCitations", Value::is_u64),
            ("model", |model| model == "extractive"),
            ("tokensIn", Value::is_u64),
            ("tokensOut", Value::is_u64),
            ("costUsd", Value::is_string),
        ],
    );
    let tight = body!({"query": "When does a session expire?", "maxTokens": 20});
    let truncated = post(&server, "/v1/reason", tight).await;
    assert_eq!(
        (&truncated["meta"]["evidenceTruncated"], truncated["gaps"].as_array().unwrap().len()),
        (&body!(true), 1)
    );
}

#[tokio::test]
async fn documents_are_found_by_all_of_their_tags() {
    let server = Setup::bare().start().await;
    let tagged = |title: &str, tags: Value| body!({"title": title, "content": format!("# {title}\n\nA session expires."), "tags": tags});
    let one = post_new(&server, tagged("One", body!(["blue", "red", "red "]))).await;
    let two = post_new(&server, tagged("Two", body!("[\"red\"]"))).await;
    assert_eq!((&one["tags"], &two["tags"]), (&body!(["blue", "red"]), &body!(["red"])));
    for (tags, titles) in [
        ("red", vec!["One", "Two"]),
        ("red&tags=blue", vec!["One"]),
        ("%5B%22red%22,%22blue%22%5D", vec!["One"]),
        ("green", vec![]),
        ("", vec!["One", "Two"]),
    ] {
        for semantic in [true, false] {
            let path = format!("/v1/search?q=session+expires&semantic={semantic}&tags={tags}");
            let (_, found) = json(server.get(&path).await).await;
            let documents = found["data"]["documents"].as_array().unwrap();
            let mut found: Vec<&str> = documents.iter().map(|one| one["title"].as_str().unwrap()).collect();
            found.sort_unstable();
            assert_eq!(found, titles, "{path}");
        }
    }
    let again = json(server.post("/v1/documents", tagged("Two", body!(["blue"]))).await).await.1;
    assert_eq!((&again["data"]["tags"], &again["data"]["currentVersion"]), (&body!(["blue"]), &body!(2)));
    let (status, refused) =
        json(server.post("/v1/documents", tagged("Three", body!(["x".repeat(65)]))).await).await;
    assert_eq!((status, refused["error"]["code"].as_str()), (413, Some("limit_exceeded")), "{refused}");
    assert!(refused["error"]["message"].as_str().unwrap().contains("documents.tag_chars_max"), "{refused}");
}

async fn post_new(server: &Server, request: Value) -> Value {
    let (status, reply) = json(server.post("/v1/documents", request).await).await;
    assert_eq!(status, 201, "{reply}");
    reply["data"].clone()
}

#[tokio::test]
async fn a_session_outlives_the_process() {
    let setup = Setup::bare();
    let server = setup.start().await;
    guides(&server).await;
    let session = post(&server, "/v1/pd/session", body!({})).await;
    let asked = body!({"query": "session expires", "limit": 1, "sessionId": session["sessionId"]});
    let first = post(&server, "/v1/pd/search", asked.clone()).await;
    server.kill().await;
    let server = setup.start().await;
    let second = post(&server, "/v1/pd/search", asked.clone()).await;
    assert_ne!(first["results"][0]["chunkId"], second["results"][0]["chunkId"]);
    let others = server.bare_request(Method::POST, "/v1/pd/search").bearer_auth("somebody-else");
    let (_, others) = json(others.body(asked.to_string()).send().await.unwrap()).await;
    assert_eq!(others["data"]["results"], body!([]), "another caller's session opens nothing");
}

/// The shipped policy with an embedding model at this address.
fn embedding(url: &str) -> String {
    let shipped = include_str!("../../../../policies/models.toml");
    let own = format!(
        "\n[endpoints.near]\ndialect = \"openai\"\nbase_url = \"{url}\"\napi_key = {{ env = \"EMBEDDINGS_KEY\" }}\n\
         breaker = {{ failures_max = 100, open_ms = 1 }}\n\
         [embeddings]\nendpoint = \"near\"\nname = \"small\"\ndimensions = 64\nquestion_timeout_ms = 60_000\n\
         request_timeout_ms = 60_000\ntexts_max = 8\ntext_chars_max = 2_000\nretry_ms = 1\n"
    );
    shipped.replace("\n[endpoints]\n", &own)
}

#[tokio::test]
async fn a_server_makes_vectors_by_itself_and_says_what_it_searched_by() {
    let alike =
        vec![("login", "session"), ("lapse", "expires"), ("period", "minutes"), ("slumber", "silence")];
    let meanings = Line::Embed(Meanings { dimensions: 64, alike, ..Meanings::default() });
    let failing = Line::Refuse { status: 503, retry_after: None };
    let model = ModelServer::start([failing.clone(), meanings]);
    let often =
        include_str!("../../../../policies/library.toml").replace("api_max = 100", "api_max = 1_000_000");
    let setup = Setup::bare().policy_file("models.toml", &embedding(&model.base_url()));
    let setup = setup.policy_file("library.toml", &often);
    let server = setup.environment("EMBEDDINGS_KEY", "sesame-open-42").start().await;
    guides(&server).await;
    let asked = body!({"query": "login slumber period lapse"});
    let found = until(async || {
        let found = post(&server, "/v1/pd/search", asked.clone()).await;
        (found["meta"]["retrieval"] == "hybrid").then_some(found)
    })
    .await;
    assert!(found["results"][0]["content"].as_str().unwrap().contains("A session expires"), "{found}");
    let answer = post(&server, "/v1/reason", asked.clone()).await;
    assert_eq!(answer["meta"]["retrieval"], "hybrid");
    assert!(model.asked().iter().all(|asked| asked.key.as_deref() == Some("Bearer sesame-open-42")));
    model.go_on([failing]);
    let found = post(&server, "/v1/pd/search", body!({"query": "session expires"})).await;
    assert_eq!(
        (&found["meta"]["retrieval"], found["results"].as_array().unwrap().is_empty()),
        (&body!("lexical"), false)
    );
}

#[tokio::test]
#[expect(clippy::too_many_lines, reason = "a list")]
async fn what_is_wrong_is_refused_on_every_route() {
    let server = Setup::bare().start().await;
    let long = "word ".repeat(1_000);
    let cases = [
        (Method::POST, "/v1/pd/search", "{".to_owned(), 400, "invalid_json"),
        (Method::POST, "/v1/pd/search", "[]".to_owned(), 400, "invalid_body"),
        (Method::POST, "/v1/pd/search", body!({"query": " "}).to_string(), 400, "missing_field"),
        (
            Method::POST,
            "/v1/pd/search",
            body!({"query": "a", "limit": "many"}).to_string(),
            400,
            "invalid_value",
        ),
        (Method::POST, "/v1/pd/search", body!({"query": "a", "limit": -1}).to_string(), 400, "invalid_value"),
        (Method::POST, "/v1/pd/search", body!({"query": long}).to_string(), 413, "limit_exceeded"),
        (Method::POST, "/v1/reason", body!({}).to_string(), 400, "missing_field"),
        (
            Method::POST,
            "/v1/reason",
            body!({"query": "a", "markers": "stars"}).to_string(),
            400,
            "invalid_value",
        ),
        (Method::POST, "/v1/reason", body!({"query": "a", "documentId": 1}).to_string(), 400, "invalid_type"),
        (Method::POST, "/v1/pd/expand", body!({"chunkId": "c"}).to_string(), 400, "missing_field"),
        (
            Method::POST,
            "/v1/pd/expand",
            body!({"chunkId": "c", "direction": "up"}).to_string(),
            404,
            "chunk_not_found",
        ),
        (Method::GET, "/v1/pd/read/c_none", String::new(), 404, "chunk_not_found"),
        (Method::GET, "/v1/pd/read/%FF", String::new(), 400, "invalid_value"),
        (Method::GET, "/v1/search", String::new(), 400, "missing_field"),
        (Method::GET, "/v1/search?q=a&type=songs", String::new(), 400, "invalid_value"),
        (Method::GET, "/v1/search?q=a&semantic=maybe", String::new(), 400, "invalid_value"),
        (Method::POST, "/v1/documents", body!({"title": "t"}).to_string(), 400, "missing_field"),
        (
            Method::POST,
            "/v1/documents",
            body!({"title": "t", "content": "a", "contentBase64": "YQ=="}).to_string(),
            400,
            "conflicting_fields",
        ),
        (
            Method::POST,
            "/v1/documents",
            body!({"title": "t", "contentBase64": "%"}).to_string(),
            400,
            "invalid_value",
        ),
        (
            Method::POST,
            "/v1/documents",
            body!({"title": "t", "content": "a", "mediaType": "image/png"}).to_string(),
            400,
            "invalid_value",
        ),
        (
            Method::POST,
            "/v1/documents",
            body!({"title": "t", "content": "a", "tags": [1]}).to_string(),
            400,
            "invalid_type",
        ),
        (
            Method::POST,
            "/v1/documents",
            body!({"title": "t", "content": "a", "collectionId": "col_x"}).to_string(),
            404,
            "collection_not_found",
        ),
        (Method::GET, "/v1/documents/d_none", String::new(), 404, "document_not_found"),
        (Method::DELETE, "/v1/documents/d_none", String::new(), 404, "document_not_found"),
        (Method::GET, "/v1/documents?limit=0", String::new(), 400, "invalid_value"),
        (Method::GET, "/v1/documents?cursor=x", String::new(), 400, "invalid_value"),
        (Method::GET, "/v1/documents/d/quote?start=2&end=1&sha256=a", String::new(), 400, "invalid_value"),
        (Method::GET, "/v1/documents/d/quote?start=-1&end=1&sha256=a", String::new(), 400, "invalid_value"),
        (Method::POST, "/v1/collections", body!({}).to_string(), 400, "missing_field"),
        (
            Method::POST,
            "/v1/collections",
            body!({"name": "n".repeat(301)}).to_string(),
            400,
            "limit_exceeded",
        ),
        (Method::GET, "/v1/collections/col_none", String::new(), 404, "collection_not_found"),
        (Method::DELETE, "/v1/collections/col_none", String::new(), 404, "collection_not_found"),
        (Method::PUT, "/v1/documents", String::new(), 405, "method_not_allowed"),
    ];
    for (method, path, sent, status, code) in cases {
        let response = server.request(method.clone(), path).body(sent.clone()).send().await.unwrap();
        let (told, refused) = json(response).await;
        assert_eq!(
            (told, refused["error"]["code"].as_str()),
            (status, Some(code)),
            "{method} {path} {sent}: {refused}"
        );
        assert!(refused["error"]["message"].is_string(), "{refused}");
    }
}

#[tokio::test]
async fn one_program_asks_documents_and_a_live_tool() {
    let server = Setup::with_samples().start().await;
    add(&server, "Server guide", GUIDE).await;
    let question =
        "What is the weather in Tokyo, and what do the documents say about when a session expires?";
    let asked = body!({"query": question, "includeDeveloperTrace": true, "clarificationPolicy": "auto"});
    let (status, result) = json(server.post("/api/v1/query", asked).await).await;
    assert_eq!((status, &result["outcomeType"]), (200, &body!("answer")), "{result}");
    let providers: Vec<&str> = result["evidence"]["sourceRefs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|source| source["provider"].as_str().unwrap())
        .collect();
    assert!(
        providers.contains(&"Documents") && providers.iter().any(|provider| *provider != "Documents"),
        "{result}"
    );
    let response = result["response"].as_str().unwrap();
    assert!(response.contains("30 minutes") && response.contains("Tokyo"), "{response}");
    for number in 1..=providers.len() {
        assert!(response.contains(&format!("[{number}]")), "every source is cited: {response}");
    }
}

#[tokio::test]
async fn a_turn_of_a_conversation_does_so_too() {
    let server = Setup::with_samples().start().await;
    add(&server, "Server guide", GUIDE).await;
    add(&server, "Old guide", OLD_GUIDE).await;
    let question = "What is the weather in Tokyo, and when does a session expire?";
    let response = server.post("/api/chat", said("t_both", "m_1", question)).await;
    assert_eq!(response.status(), 200);
    let chunks = chunks(&response.text().await.unwrap());
    let text: String = chunks.iter().filter_map(|chunk| chunk["delta"].as_str()).collect();
    assert!(text.contains("minutes of silence") && text.contains("Tokyo"), "{text}");
    assert!(text.contains("[1]") && text.contains("[2]"), "{text}");
    // A number in the library's own answer is a passage's there, and would be another source's here.
    assert!(!text.contains("[1] [2]"), "{text}");
    // Where the passages contradict each other is told as between any two sources.
    let conflicts = chunks.iter().find(|chunk| chunk["type"] == "data-conflicts").unwrap();
    let conflict = &conflicts["data"]["conflicts"][0];
    let sides: Vec<&str> =
        conflict["sides"].as_array().unwrap().iter().map(|side| side["value"].as_str().unwrap()).collect();
    assert!(sides.iter().any(|side| side.starts_with("Server guide: 30")), "{conflict}");
    assert!(sides.iter().any(|side| side.starts_with("Old guide: 60")), "{conflict}");
    let cited = chunks.iter().find(|chunk| chunk["type"] == "data-citations").unwrap();
    let known = cited["data"]["citations"].as_array().unwrap();
    assert!(
        known.iter().any(|source| source["sourceRefId"] == conflict["sides"][0]["sourceRefId"]),
        "{cited}"
    );
}
