//! The pages as they are served.

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use tower::ServiceExt;

use super::*;

async fn got(setup: Setup, path: &str, headers: &[(&str, &str)]) -> Response {
    let mut request = Request::get(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    router::<()>(setup).oneshot(request.body(Body::empty()).unwrap()).await.unwrap()
}

async fn text(response: Response) -> String {
    let bytes = to_bytes(response.into_body(), usize::MAX).await.unwrap();
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn header<'a>(response: &'a Response, name: &str) -> &'a str {
    response.headers().get(name).map_or("", |value| value.to_str().unwrap())
}

/// The address of an asset, as the start page names it.
async fn address(name: &str) -> String {
    let page = text(got(Setup::default(), "/", &[]).await).await;
    let end = page.find(name).unwrap() + name.len();
    let start = page[..end].rfind('"').unwrap() + 1;
    format!("/{}", &page[start..end])
}

#[tokio::test]
async fn pages_are_asked_for_each_time_and_assets_kept() {
    let page = got(Setup::default(), "/", &[]).await;
    assert_eq!(header(&page, "cache-control"), "no-cache");
    assert_eq!(header(&page, "content-type"), "text/html; charset=utf-8");
    let asset = got(Setup::default(), &address("chat/main.js").await, &[]).await;
    assert_eq!(header(&asset, "cache-control"), "public, max-age=31536000, immutable");
    assert_eq!(header(&asset, "content-type"), "text/javascript; charset=utf-8");
    for response in [&page, &asset] {
        assert_eq!(header(response, "x-content-type-options"), "nosniff");
    }
}

#[tokio::test]
async fn what_is_known_is_not_sent_again() {
    let tag = header(&got(Setup::default(), "/", &[]).await, "etag").to_owned();
    let again = got(Setup::default(), "/", &[("if-none-match", &tag)]).await;
    assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
    assert_eq!(text(again).await, "");
    let other = got(Setup { has_samples: true, ..Setup::default() }, "/", &[("if-none-match", &tag)]).await;
    assert_eq!(other.status(), StatusCode::OK);
}

#[tokio::test]
async fn files_come_compressed_to_those_who_read_it() {
    for (asked, given) in [
        ("gzip, deflate, br, zstd", "br"),
        ("gzip", "gzip"),
        ("br;q=0, gzip", "gzip"),
        ("gzip;q=0", ""),
        ("", ""),
    ] {
        let response = got(Setup::default(), "/", &[("accept-encoding", asked)]).await;
        assert_eq!(header(&response, "content-encoding"), given, "{asked}");
        let bytes = to_bytes(response.into_body(), usize::MAX).await.unwrap();
        assert_eq!(bytes.starts_with(b"<!doctype html>"), given.is_empty(), "{asked}");
    }
}

#[tokio::test]
async fn nobody_embeds_the_page_who_was_not_named() {
    let page = got(Setup::default(), "/", &[]).await;
    assert!(header(&page, "content-security-policy").ends_with("frame-ancestors 'none'"));
    assert_eq!(header(&page, "x-frame-options"), "DENY");
    let script = got(Setup::default(), "/embed.mjs", &[("origin", "https://example.com")]).await;
    assert_eq!(header(&script, "access-control-allow-origin"), "");

    let named = embed_origin("https://example.com").unwrap();
    let setup = Setup { embed_origins: vec![named], ..Setup::default() };
    let page = got(setup.clone(), "/", &[]).await;
    assert!(header(&page, "content-security-policy").ends_with("frame-ancestors https://example.com"));
    assert_eq!(header(&page, "x-frame-options"), "");
    let script = got(setup.clone(), "/embed.mjs", &[("origin", "https://example.com")]).await;
    assert_eq!(header(&script, "access-control-allow-origin"), "https://example.com");
    let script = got(setup, "/embed.mjs", &[("origin", "https://example.org")]).await;
    assert_eq!(header(&script, "access-control-allow-origin"), "");
}

#[tokio::test]
async fn only_our_own_files_run() {
    for path in ["/", "/tools", "/traces/1"] {
        let page = got(Setup::default(), path, &[]).await;
        let policy = header(&page, "content-security-policy").to_owned();
        assert!(policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self'"), "{policy}");
        assert!(
            policy.contains("require-trusted-types-for 'script'") && !policy.contains("unsafe"),
            "{policy}"
        );
        let page = text(page).await;
        assert!(
            !page.contains("<style") && !page.contains(" style=") && !page.contains("{assets}"),
            "{path}"
        );
        assert!(
            !page.contains("=\"/") && !page.contains("=\"http"),
            "{path} has an address that is not relative"
        );
    }
}

#[tokio::test]
async fn assets_of_another_build_are_not_found() {
    let here = address("chat/main.js").await;
    let name = here.rsplit("assets/").next().unwrap().split_once('/').unwrap().1;
    for path in [format!("/assets/0000000000000000/{name}"), here.replace("chat/main.js", "index.html")] {
        assert_eq!(got(Setup::default(), &path, &[]).await.status(), StatusCode::NOT_FOUND, "{path}");
    }
}

#[test]
fn an_origin_is_a_scheme_and_a_host() {
    for good in ["https://example.com", "http://localhost:8080", "https://[::1]:8443"] {
        assert!(embed_origin(good).is_ok(), "{good}");
    }
    for bad in
        ["example.com", "https://", "https://a.com/path", "https://a.com; script-src *", "ftp://a.com", "*"]
    {
        assert!(embed_origin(bad).is_err(), "{bad}");
    }
}
