//! Tests of reading `mcp.json`.

use proptest::prelude::proptest;
use secrecy::ExposeSecret;

use super::*;
use crate::Transport;

fn environment(name: &str) -> Option<String> {
    match name {
        "PATH" => Some("/bin".to_owned()),
        "TOKEN" => Some("sesame".to_owned()),
        "SECRET_OF_THE_HOST" => Some("not for children".to_owned()),
        _ => None,
    }
}

fn read_all(text: &str) -> Result<Config, ConfigError> {
    read(text, &environment)
}

fn message(entry: &str) -> String {
    read_all(&format!(r#"{{"mcpServers": {{"s": {entry}}}}}"#)).unwrap_err().to_string()
}

#[test]
fn a_child_process_is_read() {
    let config = read_all(
        r#"{"mcpServers": {"time": {
            "command": "mcp-server-time", "args": ["--zone", "${ZONE:-UTC}"], "env": {"API_KEY": "${TOKEN}"},
            "sluice": {"description": "Clocks", "category": "Time", "priceUsd": "0.05", "executePriceUsd": 0.001,
                       "timeoutMs": 1500, "concurrency": 2, "arguments": {"api_key": "${TOKEN}"}}
        }}, "inputs": []}"#,
    )
    .unwrap();
    assert!(config.notes.is_empty(), "{:?}", config.notes);
    let [upstream] = config.upstreams.as_slice() else { panic!("one server") };
    assert_eq!(upstream.name, "time");
    assert_eq!(upstream.description.as_deref(), Some("Clocks"));
    assert_eq!(upstream.price.to_string(), "0.050000");
    assert_eq!(upstream.execute_price.unwrap().to_string(), "0.001000");
    assert_eq!(upstream.call_timeout.unwrap().as_millis(), 1500);
    assert_eq!(upstream.concurrency_max, Some(2));
    assert_eq!(upstream.arguments["api_key"].expose_secret(), "sesame");
    assert!(!format!("{config:?}").contains("sesame"));
    let Transport::Stdio { command, args, env, cwd } = &upstream.transport else { panic!("a child process") };
    assert_eq!(
        (command.as_str(), args.as_slice()),
        ("mcp-server-time", ["--zone".to_owned(), "UTC".to_owned()].as_slice())
    );
    assert_eq!(cwd, &None);
    let env: Vec<_> = env.iter().map(|(name, value)| (name.as_str(), value.expose_secret())).collect();
    assert_eq!(env, [("API_KEY", "sesame"), ("PATH", "/bin")]);
}

#[test]
fn an_http_server_is_read_and_its_headers_are_kept_secret() {
    let config = read_all(
        r#"{"mcpServers": {"far": {"type": "http", "url": "https://example.com/mcp",
            "headers": {"Authorization": "Bearer ${TOKEN}"}}}}"#,
    )
    .unwrap();
    let Transport::Http { url, headers } = &config.upstreams[0].transport else { panic!("an HTTP server") };
    assert_eq!(url.as_str(), "https://example.com/mcp");
    assert_eq!(headers[0].1.to_str().unwrap(), "Bearer sesame");
    assert!(!format!("{config:?}").contains("sesame"));
}

#[test]
fn disabled_servers_and_unknown_keys_are_noted() {
    let config = read_all(
        r#"{"mcpServers": {"off": {"command": "x", "disabled": true},
            "on": {"command": "x", "autoApprove": [], "sluice": {"colour": "red"}}}}"#,
    )
    .unwrap();
    assert_eq!(config.upstreams.len(), 1);
    assert_eq!(
        config.notes,
        [
            "server `off` is disabled",
            "server `on`: `autoApprove` is not known and ignored",
            "server `on`: `sluice.colour` is not known and ignored"
        ]
    );
}

#[test]
fn faults_name_the_server_and_the_key() {
    let cases = [
        (r#"{"command": "x", "url": "http://a"}"#, "`command` must not stand beside `url`"),
        ("{}", "`command` or `url` must be there"),
        (r#"{"command": 7}"#, "`command` must be a string"),
        (r#"{"command": "x", "args": "y"}"#, "`args` must be a list of strings"),
        (r#"{"command": "x", "args": ["a", 1]}"#, "`args[1]` must be a string"),
        (r#"{"command": "x", "env": {"A": 1}}"#, "`env.A` must be a string"),
        (r#"{"url": "ftp://user:sesame@a"}"#, "`url` must be an http or https address"),
        (r#"{"url": "http://a", "headers": {"a b": "c"}}"#, "`headers.a b` must be a header name"),
        (r#"{"url": "http://a", "headers": {"Accept": "c"}}"#, "`headers.Accept` is set by the protocol"),
        (r#"{"url": "http://a", "headers": {"K": "se\nsame"}}"#, "`headers.K` must be a header value"),
        (r#"{"url": "http://a", "type": "sse"}"#, "`type` must not be `sse`: only streamable HTTP is spoken"),
        (
            r#"{"url": "http://a", "transport": "stdio"}"#,
            "`transport` is `stdio`, so there must be a `command`",
        ),
        (
            r#"{"command": "x", "sluice": {"timeoutMs": 0}}"#,
            "`sluice.timeoutMs` must be a whole number of at least 1",
        ),
        (
            r#"{"command": "x", "sluice": {"priceUsd": -1}}"#,
            "`sluice.priceUsd` must be an amount of dollars, not negative",
        ),
        (
            r#"{"command": "x", "sluice": {"arguments": {"key": 1}}}"#,
            "`sluice.arguments.key` must be a string",
        ),
        (
            r#"{"command": "x", "env": {"A": "${UNSET}"}}"#,
            "`env.A` needs the environment variable `UNSET`, which is not set",
        ),
    ];
    for (entry, expected) in cases {
        let message = message(entry);
        assert_eq!(message, format!("server `s`: {expected}"), "{entry}");
        assert!(!message.contains("sesame"));
    }
}

#[test]
fn files_that_are_none_are_refused() {
    assert_eq!(read_all("{").unwrap_err(), ConfigError::NotJson { line: 1, column: 1 });
    for text in ["[]", "{}", r#"{"mcpServers": []}"#] {
        assert_eq!(read_all(text).unwrap_err(), ConfigError::NoServers, "{text}");
    }
    let twice = r#"{"mcpServers": {"a": {"command": "x"}, "a": {"command": "y"}}}"#;
    assert_eq!(read_all(twice).unwrap_err(), ConfigError::DuplicateServer { server: "a".to_owned() });
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in ".{0,200}") {
        let _ = read_all(&text);
    }

    #[test]
    fn any_entry_is_read_or_refused(key in "[a-z]{1,9}", value in ".{0,20}") {
        let value = serde_json::Value::from(value);
        let _ = read_all(&format!(r#"{{"mcpServers": {{"s": {{"{key}": {value}, "command": "x"}}}}}}"#));
    }
}
