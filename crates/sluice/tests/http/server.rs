//! Starts the binary on a free port, with a data directory of its own, and stops it again.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;

use reqwest::{Client, Method, RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

use crate::leaks;
use crate::upstream::Upstream;

/// The key that requests are sent with.
pub(crate) const KEY: &str = "sk_test_of_the_http_surface";

/// How a server is to be started. Servers of one setup share its data directory.
pub(crate) struct Setup {
    folder: Arc<TempDir>,
    arguments: Vec<String>,
    policies: Vec<(&'static str, u64)>,
    environment: Vec<(&'static str, String)>,
    /// Bytes of the disk that recordings go to, where it is one of its own.
    disk_bytes: Option<u64>,
}

impl Setup {
    /// A server without listings.
    pub(crate) fn bare() -> Self {
        let folder = Arc::new(tempfile::tempdir().unwrap());
        Self {
            folder,
            arguments: vec!["--no-samples".to_owned()],
            policies: Vec::new(),
            environment: Vec::new(),
            disk_bytes: None,
        }
    }

    /// A server with the embedded samples.
    pub(crate) fn with_samples() -> Self {
        Self { arguments: Vec::new(), ..Self::bare() }
    }

    /// A server with one listing: this one.
    pub(crate) fn with(upstream: &Upstream) -> Self {
        let setup = Self::bare();
        setup.lists(&json!({"Harbour": {"url": upstream.url()}}));
        let config = setup.path("mcp.json");
        setup.argument("--mcp-config").argument(config.to_str().unwrap())
    }

    /// Says which MCP servers there are, for servers that are yet to start.
    pub(crate) fn lists(&self, servers: &Value) {
        fs::write(self.path("mcp.json"), json!({"mcpServers": servers}).to_string()).unwrap();
    }

    pub(crate) fn argument(mut self, argument: &str) -> Self {
        self.arguments.push(argument.to_owned());
        self
    }

    /// Sets a variable of the server's environment.
    pub(crate) fn environment(mut self, name: &'static str, value: &str) -> Self {
        self.environment.push((name, value.to_owned()));
        self
    }

    /// Records onto a disk of so many bytes that only the server sees, to which nothing is put back.
    pub(crate) fn disk(mut self, bytes: u64) -> Self {
        self.disk_bytes = Some(bytes);
        self
    }

    /// Changes one value of `server.toml`.
    pub(crate) fn policy(mut self, key: &'static str, value: u64) -> Self {
        self.policies.push((key, value));
        self
    }

    /// Puts a policy file of its own in the place of the shipped one.
    pub(crate) fn policy_file(self, name: &str, text: &str) -> Self {
        fs::write(self.policies_dir().join(name), text).unwrap();
        self
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn data_dir(&self) -> PathBuf {
        self.path("data")
    }

    /// Everything that servers of this setup wrote to their logs.
    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.path("log")).unwrap()
    }

    /// A server that is ready.
    pub(crate) async fn start(&self) -> Server {
        let server = self.start_unready().await;
        until(async || (server.get("/readyz").await.status() == StatusCode::OK).then_some(())).await;
        server
    }

    /// A server that listens.
    pub(crate) async fn start_unready(&self) -> Server {
        let recordings = self.path(&format!("recordings-{}", uuid::Uuid::new_v4()));
        let mut child = self.command("127.0.0.1:0").arg("--record").arg(&recordings).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let line = lines.next_line().await.unwrap().unwrap_or_else(|| panic!("no server: {}", self.log()));
        let url = line.strip_prefix("sluice: listening on ").unwrap().to_owned();
        // Whoever came first installed the same.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
        Server { child, url, client, recordings, _folder: Arc::clone(&self.folder) }
    }

    /// Starts a server that cannot start: its exit code and what it says.
    pub(crate) async fn refused(&self, bind: &str) -> (Option<i32>, String) {
        let output = self.command(bind).stderr(Stdio::piped()).output().await.unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    }

    fn command(&self, bind: &str) -> Command {
        let log = File::options().create(true).append(true).open(self.path("log")).unwrap();
        let mut command = match self.disk_bytes {
            Some(bytes) => Self::on_its_own_disk(bytes),
            None => Command::new(env!("CARGO_BIN_EXE_sluice")),
        };
        command
            .env_clear()
            .envs(self.environment.iter().cloned())
            .args(["serve", "--bind", bind, "--data-dir"])
            .arg(self.data_dir())
            .arg("--policies")
            .arg(self.policies_dir())
            .args(&self.arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log)
            .kill_on_drop(true);
        command
    }

    /// The server's binary in a namespace of mounts of its own, with a file system in memory where its arguments' last
    /// one, the directory of its recordings, is.
    fn on_its_own_disk(bytes: u64) -> Command {
        let mount = format!(
            "for directory; do :; done; mkdir -p \"$directory\" && \
             mount -t tmpfs -o size={bytes} tmpfs \"$directory\" && exec \"$@\""
        );
        let mut command = Command::new("/usr/bin/unshare");
        command.args(["-rm", "/bin/sh", "-c", &mount, "sh", env!("CARGO_BIN_EXE_sluice")]);
        command
    }

    fn policies_dir(&self) -> PathBuf {
        let directory = self.path("policies");
        fs::create_dir_all(&directory).unwrap();
        let values = self.policies.iter().map(|(key, value)| (*key, value.to_string()));
        let text = changed("server.toml", values);
        fs::write(directory.join("server.toml"), text).unwrap();
        let recording = directory.join("recording.toml");
        if !recording.exists() {
            // Nothing that a test asks is left out, or gone before it was replayed.
            let values = ["queue_runs_max", "runs_kept_max"].map(|key| (key, "100_000".to_owned()));
            fs::write(recording, changed("recording.toml", values)).unwrap();
        }
        directory
    }
}

/// A shipped policy file with other values, wherever their keys stand in it.
pub(crate) fn changed<K: AsRef<str>>(file: &str, values: impl IntoIterator<Item = (K, String)>) -> String {
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../policies").join(file);
    let text = fs::read_to_string(shipped).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for (key, value) in values {
        let key = key.as_ref();
        let is_its_own = |line: &&mut String| line.split_once(" = ").is_some_and(|(own, _)| own == key);
        let mut found = lines.iter_mut().filter(is_its_own).peekable();
        assert!(found.peek().is_some(), "{file} has no `{key}`");
        found.for_each(|line| *line = format!("{key} = {value}"));
    }
    lines.join("\n")
}

/// A running server; killed when it is dropped.
pub(crate) struct Server {
    child: Child,
    url: String,
    client: Client,
    /// What it was asked, to be replayed at its end.
    recordings: PathBuf,
    /// Stays for as long as the server does.
    _folder: Arc<TempDir>,
}

impl Server {
    /// A request with the key of the tests.
    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.bare_request(method, path).bearer_auth(KEY)
    }

    /// A request without a key.
    pub(crate) fn bare_request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.url))
    }

    pub(crate) async fn get(&self, path: &str) -> Response {
        self.request(Method::GET, path).send().await.unwrap()
    }

    pub(crate) async fn post(&self, path: &str, body: impl ToString) -> Response {
        self.request(Method::POST, path).body(body.to_string()).send().await.unwrap()
    }

    /// Asks with an idempotency key.
    pub(crate) async fn post_once(&self, path: &str, key: &str, body: impl ToString) -> Response {
        let request = self.request(Method::POST, path).header("idempotency-key", key);
        request.body(body.to_string()).send().await.unwrap()
    }

    /// The same as the server sees it, whose disks may be its own.
    pub(crate) fn recordings_inside(&self) -> PathBuf {
        PathBuf::from(format!("/proc/{}/root{}", self.child.id().unwrap(), self.recordings.display()))
    }

    /// Where the server records what it is asked.
    pub(crate) fn recordings(&self) -> &Path {
        &self.recordings
    }

    /// The folders of what was recorded so far, in no order. What is being written, and what stands ready for the next one,
    /// has a name that begins with a dot.
    pub(crate) fn recorded(&self) -> Vec<PathBuf> {
        let folders = fs::read_dir(&self.recordings).into_iter().flatten().flatten();
        let is_shown = |entry: &fs::DirEntry| !entry.file_name().to_string_lossy().starts_with('.');
        folders.filter(is_shown).map(|entry| entry.path()).collect()
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// The process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id().unwrap()
    }

    /// Asks the server to stop.
    pub(crate) async fn terminate(&self) {
        let id = self.child.id().unwrap().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().await.unwrap().success());
    }

    /// Waits for the server's end.
    pub(crate) async fn ended(&mut self) -> ExitStatus {
        self.child.wait().await.unwrap()
    }

    /// Asks the server to stop and waits until it has.
    pub(crate) async fn stop(mut self) -> ExitStatus {
        self.terminate().await;
        self.ended().await
    }

    /// Kills the server where it stands.
    pub(crate) async fn kill(mut self) {
        self.child.kill().await.unwrap();
    }
}

impl Drop for Server {
    /// Every request of every test is replayed from its recording, and has to come to the same bytes.
    fn drop(&mut self) {
        if let Some(id) = self.child.id() {
            // Told twice, it waits for nothing but what has to be written.
            for _ in 0..2 {
                let _ = std::process::Command::new("kill").args(["-TERM", &id.to_string()]).status();
            }
            while matches!(self.child.try_wait(), Ok(None)) {
                std::thread::yield_now();
            }
        }
        if std::thread::panicking() || !is_filled(&self.recordings) {
            return;
        }
        let replay = std::process::Command::new(env!("CARGO_BIN_EXE_sluice"))
            .env_clear()
            .arg("replay")
            .arg(&self.recordings)
            .output()
            .unwrap();
        let said = [replay.stdout, replay.stderr].map(|text| String::from_utf8(text).unwrap()).concat();
        assert!(replay.status.success(), "{said}");
    }
}

fn is_filled(directory: &Path) -> bool {
    fs::read_dir(directory).is_ok_and(|mut entries| entries.next().is_some())
}

/// Asks again until there is an answer; the test runner's own limit ends it where there never is one.
pub(crate) async fn until<T>(mut ask: impl AsyncFnMut() -> Option<T>) -> T {
    loop {
        if let Some(answer) = ask().await {
            return answer;
        }
        tokio::task::yield_now().await;
    }
}

/// The status and the JSON of a response.
pub(crate) async fn json(response: Response) -> (u16, Value) {
    let status = response.status().as_u16();
    let text = response.text().await.unwrap();
    leaks::scan(&text);
    (status, serde_json::from_str(&text).unwrap_or_else(|error| panic!("{status} {error}: {text}")))
}
