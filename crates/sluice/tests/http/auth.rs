//! Who is let in.

use std::fs;

use reqwest::Method;

use crate::server::{KEY, Setup, json};

const PATHS: [(Method, &str); 5] = [
    (Method::POST, "/api/v1/query"),
    (Method::POST, "/api/v1/query/jobs"),
    (Method::GET, "/api/v1/query/jobs/x"),
    (Method::GET, "/api/v1/tools/search"),
    (Method::GET, "/api/v1/tools/x"),
];

#[tokio::test]
async fn without_a_keys_file_any_key_is_let_in() {
    let setup = Setup::bare();
    let server = setup.start().await;
    for (method, path) in PATHS {
        for header in [None, Some("Bearer "), Some("Basic abc"), Some("Bearer")] {
            let request = server.bare_request(method.clone(), path);
            let request =
                header.into_iter().fold(request, |request, value| request.header("authorization", value));
            let response = request.send().await.unwrap();
            assert_eq!(response.headers()["www-authenticate"], "Bearer");
            let (status, body) = json(response).await;
            assert_eq!((status, body["code"].as_str()), (401, Some("unauthorized")), "{path} {header:?}");
        }
    }
    assert_eq!(server.get("/api/v1/tools/search").await.status(), 200);
    assert!(setup.log().contains("any key is let in"), "{}", setup.log());
}

#[tokio::test]
async fn with_a_keys_file_only_its_keys_are() {
    let setup = Setup::bare();
    let file = setup.path("keys");
    // The SHA-256 of `two`.
    let two = "sha256:3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3";
    fs::write(&file, format!("# ours\n{KEY}\n\n{two}\n")).unwrap();
    let setup = setup.argument("--api-keys-file").argument(file.to_str().unwrap());
    let server = setup.start().await;
    for (key, expected) in [(KEY, 200), ("two", 200), ("three", 401), (two, 401)] {
        let request = server.bare_request(Method::GET, "/api/v1/tools/search").bearer_auth(key);
        assert_eq!(request.send().await.unwrap().status(), expected, "{key}");
    }
    assert!(server.stop().await.success());
    let log = setup.log();
    assert!(!log.contains(KEY) && !log.contains("three") && !log.contains("any key"), "{log}");
}

#[tokio::test]
async fn without_keys_nobody_from_outside_is_served() {
    let (code, message) = Setup::bare().refused("0.0.0.0:0").await;
    assert_eq!(code, Some(2), "{message}");
    assert!(message.contains("--api-keys-file"), "{message}");
}

#[tokio::test]
async fn a_keys_file_must_be_there_and_hold_keys() {
    let setup = Setup::bare();
    let file = setup.path("keys");
    let setup = setup.argument("--api-keys-file").argument(file.to_str().unwrap());
    let (code, message) = setup.refused("127.0.0.1:0").await;
    assert_eq!(code, Some(2), "{message}");
    assert!(message.contains("cannot read the API keys file"), "{message}");
    fs::write(&file, "# none\n").unwrap();
    let (code, message) = setup.refused("127.0.0.1:0").await;
    assert_eq!(code, Some(2), "{message}");
    assert!(message.contains("no API key"), "{message}");
}
