//! Documents, their search, and the answers from them, over HTTP: the seed system's routes, fields and envelope.

use reqwest::Method;
use serde_json::{Value, json as body};
use testkit::model_server::{Line, ModelServer};

use crate::server::{Server, Setup, json};

pub(crate) const GUIDE: &str = "# Server guide\n\n## Sessions\n\nA session expires after 30 minutes of silence. It can be renewed \
                                once before that.\n\n## Keys\n\nAn API key is sent in the Authorization header.\n\n## Limits\n\n\
                                A request body may have two mebibytes.\n";

pub(crate) const OLD_GUIDE: &str = "# Old guide\n\n## Sessions\n\nA session expires after 60 minutes of silence. It can be renewed once before that.\n";

/// Takes a document in: its id.
pub(crate) async fn add(server: &Server, title: &str, content: &str) -> String {
    let (status, reply) =
        json(server.post("/v1/documents", body!({"title": title, "content": content})).await).await;
    assert_eq!(status, 201, "{reply}");
    assert_eq!(reply["data"]["status"], "ready");
    reply["data"]["id"].as_str().unwrap().to_owned()
}

pub(crate) async fn post(server: &Server, path: &str, request: Value) -> Value {
    let (status, reply) = json(server.post(path, request).await).await;
    assert_eq!(status, 200, "{path}: {reply}");
    reply["data"].clone()
}

async fn guides() -> (Server, String) {
    let server = Setup::bare().start().await;
    let id = add(&server, "Server guide", GUIDE).await;
    add(&server, "Old guide", OLD_GUIDE).await;
    (server, id)
}

#[tokio::test]
async fn chunks_are_searched_read_and_expanded() {
    let (server, id) = guides().await;
    let found =
        post(&server, "/v1/pd/search", body!({"query": "When does a session expire?", "limit": "1"})).await;
    assert_eq!((found["results"].as_array().unwrap().len(), &found["meta"]["totalResults"]), (1, &body!(1)));
    assert_eq!(found["meta"]["query"], "When does a session expire?");
    assert!(found["meta"]["latencyMs"].is_u64() && found["meta"]["retrieval"] == "lexical", "{found}");
    let result = &found["results"][0];
    for field in ["chunkId", "content", "documentTitle", "documentId", "parentId"] {
        assert!(result[field].is_string(), "{field}: {result}");
    }
    assert_eq!(result["level"], "paragraph");
    assert!(result["siblingIds"].as_object().unwrap().contains_key("prev"), "{result}");

    let scoped =
        post(&server, "/v1/pd/search", body!({"query": "When does a session expire?", "documentId": id}))
            .await;
    let chunk = scoped["results"][0]["chunkId"].as_str().unwrap().to_owned();
    let (status, read) = json(server.get(&format!("/v1/pd/read/{chunk}")).await).await;
    let read = &read["data"];
    assert_eq!((status, read["hierarchy"]["documentId"].as_str()), (200, Some(id.as_str())));
    assert_eq!(read["hierarchy"]["sectionPath"], "Server guide > Sessions");
    assert_eq!(read["metadata"]["headingText"], "Sessions");
    let byte = |name: &str| usize::try_from(read["metadata"][name].as_u64().unwrap()).unwrap();
    let range = byte("startIndex")..byte("endIndex");
    assert_eq!(&GUIDE[range], read["content"].as_str().unwrap());

    let up = post(&server, "/v1/pd/expand", body!({"chunkId": chunk, "direction": "up"})).await;
    let section = up["chunks"][0]["_id"].as_str().unwrap();
    assert_eq!(read["hierarchy"]["position"]["parentChunkId"], section);
    let next =
        post(&server, "/v1/pd/expand", body!({"chunkId": section, "direction": "next", "count": 1})).await;
    assert!(next["chunks"][0]["content"].as_str().unwrap().contains("Authorization header"), "{next}");
    let around = post(&server, "/v1/pd/expand", body!({"chunkId": chunk, "direction": "surrounding"})).await;
    assert!(!around["chunks"].as_array().unwrap().is_empty(), "an only child has its parent's surroundings");
}

#[tokio::test]
async fn a_session_leaves_out_what_was_shown() {
    let (server, _) = guides().await;
    let session = post(&server, "/v1/pd/session", body!({})).await;
    let lives = session["expiresAt"].as_i64().unwrap() - session["createdAt"].as_i64().unwrap();
    assert_eq!(lives, 3_600_000);
    let asked = body!({"query": "session expires", "limit": 1, "sessionId": session["sessionId"]});
    let first = post(&server, "/v1/pd/search", asked.clone()).await;
    let second = post(&server, "/v1/pd/search", asked.clone()).await;
    assert_ne!(first["results"][0]["chunkId"], second["results"][0]["chunkId"]);
    let unknown = body!({"query": "session expires", "limit": 1, "sessionId": "s_gone"});
    assert_eq!(post(&server, "/v1/pd/search", unknown).await["results"][0], first["results"][0]);
}

#[tokio::test]
async fn items_are_found_by_what_they_say_or_word_for_word() {
    let (server, id) = guides().await;
    let (status, found) = json(server.get("/v1/search?q=session+expires+silence").await).await;
    assert_eq!(
        (status, &found["meta"]),
        (200, &body!({"semantic": true, "query": "session expires silence"}))
    );
    assert_eq!(found["data"]["prompts"], body!([]));
    assert!(found["data"]["documents"][0]["score"].as_f64().unwrap() >= 0.35, "{found}");
    assert_eq!(found["data"]["collections"][0]["matchedItems"], 2);

    let path = "/v1/search?q=EXPIRES+after+30&semantic=false&type=documents&tags=%5B%5D";
    let (_, found) = json(server.get(path).await).await;
    let document = &found["data"]["documents"][0];
    assert_eq!(document["documentId"], id.as_str(), "{found}");
    assert!(document["highlight"].as_str().unwrap().contains("expires after 30 minutes"), "{document}");
    let (status, _) =
        json(server.get(&format!("/v1/pd/read/{}", document["chunkId"].as_str().unwrap())).await).await;
    assert_eq!((status, found["data"]["collections"].as_array().unwrap().len()), (200, 0));
    let (_, none) = json(server.get("/v1/search?q=expires+soon&semantic=false").await).await;
    assert_eq!(none["data"], body!({"prompts": [], "documents": [], "collections": []}));
}

#[tokio::test]
async fn answers_are_cited_and_say_what_is_missing_and_what_conflicts() {
    let (server, _) = guides().await;
    let answer = post(&server, "/v1/reason", body!({"query": "When does a session expire?"})).await;
    let citations = answer["citations"].as_array().unwrap();
    assert!(!citations.is_empty() && answer["answer"].as_str().unwrap().contains("[1]"), "{answer}");
    for (at, citation) in citations.iter().enumerate() {
        assert_eq!(citation["ordinal"], at + 1);
        for field in ["chunkId", "documentId", "documentTitle", "sectionPath"] {
            assert!(citation[field].is_string(), "{field}: {citation}");
        }
        let (_, state) = json(server.get(citation["quote"]["checkUrl"].as_str().unwrap()).await).await;
        assert_eq!(state["data"]["state"], "same", "{citation}");
    }
    let conflict = &answer["conflictDetails"][0];
    assert_eq!((&conflict["kind"], conflict["sides"].as_array().unwrap().len()), (&body!("number"), 2));
    assert_eq!(answer["conflicts"].as_array().unwrap().len(), 1);
    let meta = &answer["meta"];
    assert_eq!(
        (&meta["citationsDropped"], &meta["abstained"], &meta["model"]),
        (&body!(0), &body!(null), &body!("extractive"))
    );
    assert!(meta["chunksGathered"].as_u64().unwrap() >= 2 && meta["latencyMs"].is_u64(), "{meta}");

    let ids =
        post(&server, "/v1/reason", body!({"query": "When does a session expire?", "markers": "ids"})).await;
    let marker = format!("[[{}]]", ids["citations"][0]["chunkId"].as_str().unwrap());
    assert!(ids["answer"].as_str().unwrap().contains(&marker), "{ids}");

    let none = post(&server, "/v1/reason", body!({"query": "Which pasta goes with pesto?"})).await;
    assert_eq!(none["gaps"], body!(["Your repository has no content matching this question."]));
    assert_eq!((&none["answer"], &none["citations"]), (&body!(""), &body!([])));
    assert_eq!((&none["meta"]["abstained"], &none["meta"]["model"]), (&body!("no_evidence"), &body!(null)));
}

#[tokio::test]
async fn a_quote_says_when_its_source_has_changed() {
    let (server, id) = guides().await;
    let asked = body!({"query": "When does a session expire?", "documentId": id});
    let answer = post(&server, "/v1/reason", asked).await;
    let check = answer["citations"][0]["quote"]["checkUrl"].as_str().unwrap().to_owned();
    let changed = GUIDE.replace("30 minutes", "45 minutes");
    let (status, again) =
        json(server.post("/v1/documents", body!({"title": "Server guide", "content": changed})).await).await;
    assert_eq!(
        (status, &again["data"]["currentVersion"], &again["data"]["id"]),
        (200, &body!(2), &body!(id))
    );
    let (_, state) = json(server.get(&check).await).await;
    assert_eq!(state["data"], body!({"state": "changed"}));
    assert_eq!(
        server.request(Method::DELETE, &format!("/v1/documents/{id}")).send().await.unwrap().status(),
        204
    );
    let (_, state) = json(server.get(&check).await).await;
    assert_eq!(state["data"]["state"], "gone");
}

#[tokio::test]
async fn documents_and_collections_are_kept() {
    let server = Setup::bare().start().await;
    let (_, made) = json(server.post("/v1/collections", body!({"name": "Guides"})).await).await;
    let collection = made["data"]["id"].as_str().unwrap().to_owned();
    let path = format!("/v1/documents?collectionId={collection}&source=notes.html");
    let request = server.request(Method::POST, &path).header("content-type", "text/html");
    let (status, added) =
        json(request.body("<h1>Notes</h1><p>Rivers are wet.</p>").send().await.unwrap()).await;
    assert_eq!(
        (status, &added["data"]["sourceType"], &added["data"]["title"]),
        (201, &body!("html"), &body!("Notes"))
    );
    let id = added["data"]["id"].as_str().unwrap();
    let (_, whole) = json(server.get(&format!("/v1/documents/{id}")).await).await;
    assert!(whole["data"]["content"].as_str().unwrap().contains("Rivers are wet."), "{whole}");
    add(&server, "Other", "Deserts are dry.").await;
    let (_, page) = json(server.get("/v1/documents?limit=1").await).await;
    let cursor = page["pagination"]["cursor"].as_str().unwrap();
    let (_, last) = json(server.get(&format!("/v1/documents?limit=1&cursor={cursor}")).await).await;
    assert_eq!((&last["pagination"], last["data"].as_array().unwrap().len()), (&body!(null), 1));
    let path = format!("/v1/collections/{collection}");
    let (status, refused) = json(server.request(Method::DELETE, &path).send().await.unwrap()).await;
    assert_eq!((status, refused["error"]["code"].as_str()), (409, Some("collection_not_empty")));
    server.request(Method::DELETE, &format!("/v1/documents/{id}")).send().await.unwrap();
    assert_eq!(server.request(Method::DELETE, &path).send().await.unwrap().status(), 204);
    let (status, gone) = json(server.get(&path).await).await;
    assert_eq!((status, gone["error"]["code"].as_str()), (404, Some("collection_not_found")));
    assert_eq!(json(server.get("/v1/collections").await).await.1["data"][0]["itemCount"], 1);
}

#[tokio::test]
async fn another_key_sees_nothing() {
    let (server, id) = guides().await;
    let answer = post(&server, "/v1/reason", body!({"query": "When does a session expire?"})).await;
    let chunk = answer["citations"][0]["chunkId"].as_str().unwrap();
    let as_other = |method: Method, path: &str, request: Value| {
        let request = server.bare_request(method, path).body(request.to_string());
        request.header("authorization", "API-Key somebody-else").send()
    };
    let query = body!({"query": "When does a session expire?", "documentId": id});
    let (_, found) = json(as_other(Method::POST, "/v1/pd/search", query.clone()).await.unwrap()).await;
    assert_eq!(found["data"]["results"], body!([]));
    let (_, answer) = json(as_other(Method::POST, "/v1/reason", query).await.unwrap()).await;
    assert_eq!(answer["data"]["meta"]["chunksGathered"], 0);
    let expand = body!({"chunkId": chunk, "direction": "up"});
    for (method, path, request) in [
        (Method::GET, format!("/v1/pd/read/{chunk}"), body!({})),
        (Method::POST, "/v1/pd/expand".to_owned(), expand),
        (Method::GET, format!("/v1/documents/{id}"), body!({})),
        (Method::DELETE, format!("/v1/documents/{id}"), body!({})),
    ] {
        let (status, refused) = json(as_other(method, &path, request).await.unwrap()).await;
        assert_eq!(status, 404, "{path}: {refused}");
        assert!(refused["error"]["message"].is_string(), "{refused}");
    }
}

#[tokio::test]
async fn refusals_come_in_the_envelope() {
    let server = Setup::bare().start().await;
    let cases = [
        ("/v1/pd/search", body!({}), 400, "missing_field", "query"),
        ("/v1/pd/search", body!({"query": 1}), 400, "invalid_type", "query"),
        ("/v1/reason", body!({"query": "q", "limit": 0}), 400, "invalid_value", "limit"),
        ("/v1/pd/expand", body!({"chunkId": "c", "direction": "left"}), 400, "invalid_value", "direction"),
        ("/v1/documents", body!({"content": "x"}), 400, "missing_field", "title"),
    ];
    for (path, request, status, code, field) in cases {
        let (told, refused) = json(server.post(path, request).await).await;
        let error = &refused["error"];
        assert_eq!(
            (told, error["code"].as_str(), error["details"]["field"].as_str()),
            (status, Some(code), Some(field))
        );
    }
    let (status, refused) =
        json(server.bare_request(Method::GET, "/v1/search?q=a").send().await.unwrap()).await;
    assert_eq!((status, refused["error"]["code"].as_str()), (401, Some("unauthorized")));
    let (status, refused) = json(server.get("/v1/prompts").await).await;
    assert_eq!((status, refused["error"]["code"].as_str()), (404, Some("not_found")));
    let pdf =
        server.request(Method::POST, "/v1/documents?title=Broken").header("content-type", "application/pdf");
    let (status, refused) = json(pdf.body("%PDF-1.4 nothing").send().await.unwrap()).await;
    assert_eq!((status, refused["error"]["code"].as_str()), (422, Some("unreadable_document")));
}

#[tokio::test]
async fn who_asks_too_often_is_told_when_to_come_back() {
    let shipped = include_str!("../../../../policies/library.toml");
    let slow =
        shipped.replace("readonly_max = 120", "readonly_max = 2").replace("api_max = 100", "api_max = 1");
    let server = Setup::bare().policy_file("library.toml", &slow).start().await;
    for _ in 0..2 {
        assert_eq!(server.get("/v1/search?q=a").await.status(), 200);
    }
    let refused = server.get("/v1/search?q=a").await;
    let wait: u32 = refused.headers()["retry-after"].to_str().unwrap().parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    let (status, refused) = json(refused).await;
    assert_eq!((status, refused["error"]["code"].as_str()), (429, Some("rate_limited")));
    assert_eq!(server.post("/v1/pd/session", "{}").await.status(), 200);
    assert_eq!(server.post("/v1/pd/session", "{}").await.status(), 429);
    let other = server.bare_request(Method::GET, "/v1/search?q=a").bearer_auth("somebody-else");
    assert_eq!(other.send().await.unwrap().status(), 200, "callers are counted apart");
}

#[tokio::test]
async fn a_query_asks_documents_and_live_tools_alike() {
    let server = Setup::with_samples().start().await;
    add(&server, "Server guide", GUIDE).await;
    let (_, found) = json(server.get("/api/v1/tools/search?q=server+guide").await).await;
    let listing = &found["tools"][0];
    assert_eq!(
        (&listing["name"], &listing["mcpTools"][0]["name"]),
        (&body!("Documents"), &body!("ask_documents"))
    );
    let query =
        body!({"query": "What do the documents say about when sessions expire?", "tools": [listing["id"]]});
    let (status, result) = json(server.post("/api/v1/query", query.clone()).await).await;
    assert_eq!((status, &result["outcomeType"]), (200, &body!("answer")), "{result}");
    assert!(result["response"].as_str().unwrap().contains("30 minutes"), "{result}");
    assert_eq!(result["evidence"]["sourceRefs"][0]["provider"], "Documents", "{result}");
    let other = server.bare_request(Method::POST, "/api/v1/query").bearer_auth("somebody-else");
    let (status, refused) = json(other.body(query.to_string()).send().await.unwrap()).await;
    assert!(status >= 400 && !refused.to_string().contains("30 minutes"), "{refused}");
}

/// The shipped policy with a model that writes answers from documents.
pub(crate) fn with_model(url: &str) -> String {
    let mut text = include_str!("../../../../policies/models.toml").to_owned();
    for (shipped, own) in [
        (
            "\n[endpoints]\n",
            format!(
                "\n[endpoints.desk]\ndialect = \"openai\"\nbase_url = \"{url}\"\nbreaker = {{ failures_max = 100, open_ms = 1_000 }}\n"
            ),
        ),
        (
            "\n[models]\n",
            "\n[models.writer]\nendpoint = \"desk\"\nname = \"writer\"\ninput_usd_per_million = \"1\"\n\
             output_usd_per_million = \"2\"\noutput_tokens_max = 4_096\n"
                .to_owned(),
        ),
        (
            "[stages.reason]\nmodels = [\"embedded\"]",
            "[stages.reason]\nmodels = [\"writer\", \"embedded\"]".to_owned(),
        ),
        ("first_ms = 250\nlast_ms = 8_000", "first_ms = 1\nlast_ms = 2".to_owned()),
    ] {
        assert!(text.contains(shipped), "{shipped}");
        text = text.replace(shipped, &own);
    }
    text
}

#[tokio::test]
async fn a_models_answer_is_held_against_what_was_gathered() {
    let written = body!({
        "answer": "A session expires after 30 minutes [1][99]. It costs nothing [[c_made_up]].", "citations": [1, 7],
        "gaps": [], "conflicts": [{"text": "Only one side", "ordinals": [1, 50]}], "sufficient": false
    });
    let model = ModelServer::start(vec![Line::Say(written.to_string())]);
    let server = Setup::bare().policy_file("models.toml", &with_model(&model.base_url())).start().await;
    add(&server, "Server guide", GUIDE).await;
    let answer = post(&server, "/v1/reason", body!({"query": "When does a session expire?"})).await;
    assert_eq!(answer["answer"], "A session expires after 30 minutes [1]. It costs nothing.", "{answer}");
    assert_eq!(answer["citations"].as_array().unwrap().len(), 1);
    assert_eq!(answer["gaps"].as_array().unwrap().len(), 1, "insufficient sources are a gap");
    assert_eq!(answer["conflicts"], body!([]));
    let meta = &answer["meta"];
    assert_eq!(
        (&meta["model"], &meta["markersStripped"], &meta["citationsDropped"]),
        (&body!("writer"), &body!(2), &body!(4))
    );
    assert!(meta["tokensIn"].as_u64().unwrap() > 0 && meta["costUsd"] != "0", "{meta}");
}

#[tokio::test]
async fn what_was_gathered_outlives_a_model_that_fails() {
    let model = ModelServer::start(vec![Line::Say("no JSON".to_owned()), Line::Say("still none".to_owned())]);
    let server = Setup::bare().policy_file("models.toml", &with_model(&model.base_url())).start().await;
    add(&server, "Server guide", GUIDE).await;
    let (status, refused) =
        json(server.post("/v1/reason", body!({"query": "When does a session expire?"})).await).await;
    assert_eq!((status, refused["error"]["code"].as_str()), (502, Some("synthesis_failed")), "{refused}");
    assert!(refused["error"]["details"]["evidence"][0]["chunkId"].is_string(), "{refused}");
    assert!(!refused.to_string().contains(&model.base_url()), "addresses stay inside: {refused}");
}
