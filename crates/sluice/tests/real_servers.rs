//! Questions over real third-party MCP servers, over stdio and streamable HTTP, each answered from their real results.

#![expect(clippy::panic, reason = "a test's helpers fail the test")]

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

/// A folder with an `mcp.json` for one server, and whatever the server is about.
struct Scene {
    folder: TempDir,
}

impl Scene {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder") }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Asks the server of `entry`, and nothing else.
    fn ask(&self, entry: &Value, question: &str) -> Value {
        let config = self.path().join("mcp.json");
        fs::write(&config, json!({"mcpServers": {"server": entry}}).to_string())
            .expect("the configuration is written");
        let output = Command::new(env!("CARGO_BIN_EXE_sluice"))
            .args(["ask", question, "--json", "--no-samples", "--mcp-config"])
            .arg(&config)
            .arg("--record")
            .arg(self.path().join("recordings"))
            .output()
            .expect("the binary runs");
        let replay = Command::new(env!("CARGO_BIN_EXE_sluice"))
            .arg("replay")
            .arg(self.path().join("recordings"))
            .output()
            .expect("the binary runs");
        assert!(replay.status.success(), "{}", String::from_utf8_lossy(&replay.stdout));
        serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
    }
}

/// The starter of a server that `scripts/setup` installed.
fn starter(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/clients/bin").join(name);
    assert!(path.exists(), "{name} is not installed: run scripts/setup");
    path.to_str().expect("UTF-8").to_owned()
}

fn git(folder: &Path, arguments: &[&str]) {
    let identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false"];
    let status = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(identity)
        .args(arguments)
        .stdout(Stdio::null())
        .status();
    assert!(status.expect("git runs").success(), "git {arguments:?}");
}

#[track_caller]
fn assert_answered(result: &Value, method: &str, content: &str) {
    assert_eq!(result["outcomeType"], "answer", "{result:#}");
    let used = result["evidence"]["sourceRefs"]
        .as_array()
        .expect("sources")
        .iter()
        .any(|it| it["dataset"] == method);
    assert!(used, "{method} was not called: {:#}", result["evidence"]["sourceRefs"]);
    let said = format!("{} {}", result["response"], result["data"]);
    assert!(said.contains(content), "no {content:?} in {said}");
}

#[test]
fn real_servers_time_tells_the_time_in_tokyo() {
    let entry = json!({"command": starter("mcp-server-time"), "args": ["--local-timezone", "UTC"]});
    let result = Scene::new().ask(&entry, "What time is it in Tokyo right now?");
    assert_answered(&result, "get_current_time", "Asia/Tokyo");
}

#[test]
fn real_servers_filesystem_lists_a_folder() {
    let scene = Scene::new();
    let folder = scene.path().join("harvest");
    fs::create_dir(&folder).expect("a folder");
    fs::write(folder.join("apples.txt"), "42 crates").expect("a file");
    let folder = folder.canonicalize().expect("a path");
    let entry = json!({"command": starter("mcp-server-filesystem"), "args": [folder]});
    let result = scene.ask(&entry, &format!("Which files are in the directory {}?", folder.display()));
    assert_answered(&result, "list_directory", "apples.txt");
}

#[test]
fn real_servers_git_tells_the_log() {
    let scene = Scene::new();
    let repository = orchard(&scene);
    let entry = json!({"command": starter("mcp-server-git"), "args": ["--repository", repository]});
    let result =
        scene.ask(&entry, &format!("Show the commit logs of the git repository {}", repository.display()));
    assert_answered(&result, "git_log", "Plant the plum tree");
}

#[test]
fn real_servers_git_asks_for_no_argument_that_its_operator_sets() {
    let scene = Scene::new();
    let entry = json!({"command": starter("mcp-server-git"), "sluice": {"arguments": {"repo_path": orchard(&scene)}}});
    let result = scene.ask(&entry, "Show the commit logs of the git repository");
    assert_answered(&result, "git_log", "Plant the plum tree");
}

/// A git repository with one commit.
fn orchard(scene: &Scene) -> PathBuf {
    let repository = scene.path().join("orchard");
    fs::create_dir(&repository).expect("a folder");
    git(&repository, &["init", "-q"]);
    fs::write(repository.join("trees.txt"), "plum").expect("a file");
    git(&repository, &["add", "."]);
    git(&repository, &["commit", "-q", "-m", "Plant the plum tree"]);
    repository
}

#[test]
fn real_servers_sqlite_lists_the_tables() {
    let scene = Scene::new();
    let database = scene.path().join("farm.db");
    let entry = json!({"command": starter("mcp-server-sqlite"), "args": ["--db-path", database]});
    let create =
        "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('create table tractors (id integer)')";
    let status = Command::new("python3").args(["-c", create]).arg(&database).status().expect("python3 runs");
    assert!(status.success());
    let result = scene.ask(&entry, "List all tables in the SQLite database");
    assert_answered(&result, "list_tables", "tractors");
}

#[test]
fn real_servers_memory_reads_its_graph() {
    let scene = Scene::new();
    let memory = scene.path().join("memory.jsonl");
    let entity =
        json!({"type": "entity", "name": "Bessie", "entityType": "cow", "observations": ["likes clover"]});
    fs::write(&memory, format!("{entity}\n")).expect("a file");
    let entry = json!({"command": starter("mcp-server-memory"), "env": {"MEMORY_FILE_PATH": memory}});
    let result = scene.ask(&entry, "Search the knowledge graph nodes for \"Bessie\"");
    assert_answered(&result, "search_nodes", "likes clover");
}

#[test]
fn real_servers_everything_adds_over_streamable_http() {
    let server = Everything::start();
    let entry = json!({"url": format!("http://127.0.0.1:{}/mcp", server.port)});
    let result = Scene::new().ask(&entry, "What is the sum of 19 and 23?");
    assert_answered(&result, "get-sum", "42");
}

#[test]
fn real_servers_that_write_are_never_called() {
    let scene = Scene::new();
    let database = scene.path().join("farm.db");
    let entry = json!({"command": starter("mcp-server-sqlite"), "args": ["--db-path", database]});
    let result = scene.ask(&entry, "Create a table named barns in the SQLite database");
    let created = result["data"].to_string();
    assert!(!created.contains("created successfully"), "{created}");
    assert!(
        result["grounding"]["selectedButFilteredOut"]
            .as_array()
            .expect("a list")
            .iter()
            .any(|it| it == "create_table"),
        "{:#}",
        result["grounding"]
    );
}

/// The reference server over streamable HTTP.
struct Everything {
    child: Child,
    port: u16,
}

impl Everything {
    fn start() -> Self {
        let port = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address").port();
        let mut child = Command::new(starter("mcp-server-everything"))
            .arg("streamableHttp")
            .env("PORT", port.to_string())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut lines = BufReader::new(child.stderr.take().expect("its standard error")).lines();
        let ready = lines.by_ref().map_while(Result::ok).any(|line| line.contains("listening on port"));
        assert!(ready, "the server says when it listens");
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, port }
    }
}

impl Drop for Everything {
    fn drop(&mut self) {
        // It may have gone by itself; then there is nothing to stop.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
