//! The pages in a real browser, over the running binary. Skipped, with the reason, where there is no browser.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};

use serde_json::json;
use sha2::{Digest, Sha256};
use tokio::process::Command;

use crate::clients::{all_hold, file, installed};
use crate::library::{GUIDE, OLD_GUIDE, add};
use crate::server::{KEY, Server, Setup, changed};

/// Where a browser may be, besides what `CHROMIUM` names.
const BROWSERS: [&str; 3] = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

fn chromium() -> Option<PathBuf> {
    let named = std::env::var_os("CHROMIUM").map(PathBuf::from);
    named.or_else(|| BROWSERS.iter().map(PathBuf::from).find(|path| path.exists()))
}

fn read(path: &str) -> String {
    fs::read_to_string(file(path)).unwrap()
}

/// A port that nobody listens on.
fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Lets a browser in as often as the checks need it, since all of them come from one address within a minute, and to the
/// documents of the tests' key.
fn unhurried(setup: Setup) -> Setup {
    let owner = format!("\"{}\"", hex::encode(Sha256::digest(KEY)));
    let often = ["per_address_max", "per_session_max", "global_max"].map(|key| (key, "6000".to_owned()));
    let values = often.into_iter().chain([("documents_of", owner)]);
    setup.policy_file("guardrails.toml", &changed("guardrails.toml", values))
}

/// A server whose one listing is hostile, and answers the slow question when the file is there.
fn hostile(release: &Path, host_port: u16) -> Setup {
    let setup = Setup::bare();
    setup.lists(&json!({"Harbour": {
        "command": installed("bin/node"),
        "args": [file("tests/browser/hostile.mjs")],
        "env": {"RELEASE": release}
    }}));
    let config = setup.path("mcp.json");
    setup
        .argument("--mcp-config")
        .argument(config.to_str().unwrap())
        .argument("--embed-origin")
        .argument(&format!("http://127.0.0.1:{host_port}"))
}

#[tokio::test]
async fn pages_work_in_a_browser() {
    let Some(chromium) = chromium() else {
        eprintln!("skipped: no Chromium; name one with CHROMIUM");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let (release, host_port) = (folder.path().join("release"), free_port());
    let samples = unhurried(Setup::with_samples()).start().await;
    let harbour = unhurried(hostile(&release, host_port)).start().await;
    add(&samples, "Server guide", GUIDE).await;
    add(&samples, "Old guide", OLD_GUIDE).await;
    let corpus: Vec<String> = serde_json::from_str(&read("tests/browser/corpus.json")).unwrap();
    for (at, text) in corpus.iter().enumerate() {
        add(&harbour, text, &format!("# {text}\n\nThe keeper of gauge {at} writes of the ledger: {text}\n"))
            .await;
    }
    let output = Command::new(installed("bin/node"))
        .arg(file("tests/browser/run.mjs"))
        .args([samples.url(), harbour.url()])
        .env("CHROMIUM", chromium)
        .env("NODE_PACKAGES", installed("npm"))
        .env("RELEASE", &release)
        .env("HOST_PORT", host_port.to_string())
        .output()
        .await
        .unwrap();
    all_hold(&output, 32);
}

/// Over HTTPS, for callers without a key from everywhere, in a frame of this origin.
async fn embedded(shop_port: u16, cookie_is_secure: bool) -> Server {
    let setup = Setup::with_samples();
    let keys = setup.path("keys");
    fs::write(&keys, KEY).unwrap();
    let values = [("anonymous", "\"always\"".to_owned()), ("secure_cookie", cookie_is_secure.to_string())];
    setup
        .policy_file("guardrails.toml", &changed("guardrails.toml", values))
        .argument("--api-keys-file")
        .argument(keys.to_str().unwrap())
        .argument("--embed-origin")
        .argument(&format!("https://shop.example:{shop_port}"))
        .start()
        .await
}

#[tokio::test]
async fn a_session_lasts_on_another_site_over_https() {
    let Some(chromium) = chromium() else {
        eprintln!("skipped: no Chromium; name one with CHROMIUM");
        return;
    };
    let ports = [free_port(), free_port(), free_port()];
    let (secure, plain) = (embedded(ports[0], true).await, embedded(ports[0], false).await);
    let output = Command::new(installed("bin/node"))
        .arg(file("tests/browser/embedding.mjs"))
        .args([secure.url(), plain.url()])
        .args(ports.map(|port| port.to_string()))
        .env("CHROMIUM", chromium)
        .env("NODE_PACKAGES", installed("npm"))
        .output()
        .await
        .unwrap();
    all_hold(&output, 2);
}

#[tokio::test]
async fn use_chat_of_every_major_works_in_a_browser() {
    let Some(chromium) = chromium() else {
        eprintln!("skipped: no Chromium; name one with CHROMIUM");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let release = folder.path().join("release");
    let samples = unhurried(Setup::with_samples()).start().await;
    let lighthouse = unhurried(hostile(&release, free_port())).start().await;
    let output = Command::new(installed("bin/node"))
        .arg(file("tests/browser/usechat/run.mjs"))
        .args([samples.url(), lighthouse.url()])
        .env("CHROMIUM", chromium)
        .env("NODE_PACKAGES", installed("npm"))
        .env("USECHAT_PACKAGES", installed("usechat"))
        .env("RELEASE", &release)
        .output()
        .await
        .unwrap();
    all_hold(&output, 12);
}

#[tokio::test]
async fn pages_pass_the_type_checker() {
    let output = Command::new(installed("bin/node"))
        .arg(installed("npm/node_modules/typescript/bin/tsc"))
        .arg("--project")
        .arg(file("tests/browser/tsconfig.json"))
        .output()
        .await
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}
