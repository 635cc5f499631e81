//! The command line, as a person and a script use it: the real binary, the embedded samples, no server.

#![expect(clippy::panic, reason = "a test's helpers fail the test")]

use std::process::{Command, Output};

use serde_json::Value;
use testkit::model_server::{Line, Meanings, ModelServer};

const MAIN_QUESTION: &str = "Which exchanges saw the largest BTC inflows in the last 24 hours?";

/// Runs the binary. What it is asked is recorded, and replayed to the same bytes.
fn sluice(arguments: &[&str]) -> Output {
    let run = |arguments: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_sluice")).args(arguments).output().expect("the binary runs")
    };
    if arguments.first() != Some(&"ask") {
        return run(arguments);
    }
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().to_str().expect("UTF-8");
    let output = run(&[arguments, &["--record", place]].concat());
    if std::fs::read_dir(place).is_ok_and(|mut entries| entries.next().is_some()) {
        let replay = run(&["replay", place]);
        assert!(replay.status.success(), "{}{}", stdout(&replay), stderr(&replay));
    }
    output
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("standard output is UTF-8")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("standard error is UTF-8")
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}{}", stdout(output), stderr(output)))
}

#[test]
fn the_main_question_is_answered_by_a_ranked_table() {
    let output = sluice(&["ask", MAIN_QUESTION, "--json", "--trace"]);
    let result = json(&output);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(result["outcomeType"], "answer");
    assert_eq!(result["view"]["type"], "leaderboard");
    let calls = result["toolsUsed"][0]["skillCalls"].as_u64().expect("calls are counted");
    assert!(calls >= 5, "{calls} calls");

    let rows = result["view"]["rows"].as_array().expect("there are rows");
    assert!(rows.len() >= 5, "{} rows", rows.len());
    let columns = result["view"]["columns"].as_array().expect("there are columns");
    let measure =
        columns.iter().position(|it| it.as_str().is_some_and(|it| it.contains("inflow"))).expect("a measure");
    let amounts: Vec<f64> = rows
        .iter()
        .map(|row| row["cells"][measure].as_str().expect("a cell").parse().expect("a number"))
        .collect();
    assert!(amounts.is_sorted_by(|one, other| one >= other), "{amounts:?}");
    for row in rows {
        assert_eq!(
            row["sourceRefIds"].as_array().map(Vec::len),
            Some(1),
            "each row has the call that it came from"
        );
    }
    assert_eq!(result["evidence"]["sourceRefs"].as_array().map(Vec::len), usize::try_from(calls).ok());
    assert_eq!(result["developerTrace"]["summary"]["toolCalls"], calls);
}

#[test]
fn an_answer_for_people_has_its_table_and_sources() {
    let output = sluice(&["ask", MAIN_QUESTION]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    for part in ["Rank", "source-1", "Sample data", "Confidence: high"] {
        assert!(text.contains(part), "no {part:?} in:\n{text}");
    }
}

#[test]
fn what_cannot_be_answered_is_a_miss_with_its_own_exit_code() {
    let output = sluice(&["ask", "zzyzx qwrtp"]);
    assert_eq!(output.status.code(), Some(3), "{}", stdout(&output));
    assert!(stdout(&output).contains("No grounded capability path was established."), "{}", stdout(&output));
}

#[test]
fn an_ambiguous_question_is_asked_back_with_its_own_exit_code() {
    let ambiguous = ["ask", "What is the price of the World Cup market?", "--tool", "Prediction Markets"];
    let output = sluice(&ambiguous);
    assert_eq!(output.status.code(), Some(4), "{}", stdout(&output));
    assert!(stdout(&output).contains("\n1. "), "{}", stdout(&output));
    let resolved = sluice(&[&ambiguous[..], &["--clarify", "auto", "--json"]].concat());
    assert_eq!(resolved.status.code(), Some(0), "{}", stdout(&resolved));
    assert_eq!(json(&resolved)["assumptionMade"]["mode"], "auto");
}

#[test]
fn every_depth_answers_a_clear_question() {
    for depth in ["fast", "auto", "deep"] {
        let result = json(&sluice(&["ask", MAIN_QUESTION, "--depth", depth, "--json", "--trace"]));
        assert_eq!(result["outcomeType"], "answer", "{depth}: {result}");
        assert!(result.get("assumptionMade").is_none(), "{depth}: {result}");
        let selection = &result["developerTrace"]["diagnostics"]["selection"];
        let deep = selection["selectedDepth"] == "deep";
        assert_eq!(selection["scoutProbeStatus"], if deep { "ready" } else { "skipped" }, "{selection}");
    }
}

#[test]
fn wrong_usage_is_told_apart() {
    assert_eq!(sluice(&["ask"]).status.code(), Some(2));
    assert_eq!(sluice(&["ask", "   "]).status.code(), Some(2));
    let unknown = sluice(&["ask", "hello", "--tool", "no such tool"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(stderr(&unknown).contains("no tool \"no such tool\""), "{}", stderr(&unknown));
}

#[test]
fn the_catalog_can_be_listed_and_shown() {
    let listings = json(&sluice(&["tools", "list", "--json"]));
    let listings = listings.as_array().expect("a list");
    assert!(listings.len() >= 6, "{} listings", listings.len());
    let methods: usize = listings.iter().map(|it| it["mcpTools"].as_array().map_or(0, Vec::len)).sum();
    assert!(methods >= 60, "{methods} methods");
    let name = listings[0]["name"].as_str().expect("a name");
    assert_eq!(json(&sluice(&["tools", "show", name, "--json"]))["id"], listings[0]["id"]);
    assert!(stdout(&sluice(&["tools", "list"])).contains(name));
}

#[test]
fn one_method_can_be_called() {
    let output = sluice(&["tools", "call", "Currency Rates", "list_currencies"]);
    assert_eq!(json(&output)["sampleData"], true);
    let refused = sluice(&[
        "tools",
        "call",
        "Currency Rates",
        "convert_currency",
        r#"{"amount": "much", "from": "EUR", "to": "USD"}"#,
    ]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(stderr(&refused).contains("amount"), "{}", stderr(&refused));
}

#[test]
fn configured_models_can_be_tried() {
    let none = sluice(&["check", "--models"]);
    assert_eq!(none.status.code(), Some(0));
    assert!(stdout(&none).contains("models: none is configured"), "{}", stdout(&none));

    let serving = ModelServer::start([Line::Say(r#"{"summary": "-", "left_out": ""}"#.to_owned())]);
    let refusing = ModelServer::start([Line::Refuse { status: 401, retry_after: None }]);
    let directory = tempfile::tempdir().expect("a directory");
    let check = |names: &[(&str, &ModelServer)]| {
        let own: Vec<[String; 2]> = names.iter().map(|(name, server)| model(name, server)).collect();
        let put = |text: &str, table: &str, own: String| text.replace(table, &format!("{table}{own}"));
        let endpoints = own.iter().map(|[endpoint, _]| endpoint.as_str()).collect();
        let models = own.iter().map(|[_, model]| model.as_str()).collect();
        let text = include_str!("../../../policies/models.toml");
        let text = put(&put(text, "\n[endpoints]\n", endpoints), "\n[models]\n", models);
        std::fs::write(directory.path().join("models.toml"), text).expect("a file");
        sluice(&["check", "--models", "--policies", directory.path().to_str().expect("UTF-8")])
    };
    let sound = check(&[("good", &serving)]);
    assert_eq!(sound.status.code(), Some(0), "{}", stderr(&sound));
    assert!(stdout(&sound).contains("good at good: serves as"), "{}", stdout(&sound));
    let embedding = ModelServer::start([Line::Embed(Meanings { dimensions: 8, ..Meanings::default() })]);
    for (dimensions, code, told) in [
        (8, 0, "embeddings at good: serves as small, "),
        (9, 1, "embeddings at good: the reply cannot be used: a vector of 8 dimensions, where 9 are due"),
    ] {
        let [endpoint, _] = model("good", &embedding);
        let own = format!(
            "\n[endpoints]\n{endpoint}\n[embeddings]\nendpoint = \"good\"\nname = \"small\"\ndimensions = {dimensions}\n\
             question_timeout_ms = 60_000\nrequest_timeout_ms = 60_000\ntexts_max = 8\ntext_chars_max = 100\nretry_ms = 1\n"
        );
        let text = include_str!("../../../policies/models.toml").replace("\n[endpoints]\n", &own);
        std::fs::write(directory.path().join("models.toml"), text).expect("a file");
        let tried = sluice(&["check", "--models", "--policies", directory.path().to_str().expect("UTF-8")]);
        assert_eq!(tried.status.code(), Some(code), "{}", stderr(&tried));
        assert!(stdout(&tried).contains(told), "{}", stdout(&tried));
    }
    let broken = check(&[("good", &serving), ("locked", &refusing)]);
    assert_eq!(broken.status.code(), Some(1));
    assert!(stdout(&broken).contains("locked at locked: the endpoint refused"), "{}", stdout(&broken));
    assert!(stderr(&broken).contains("1 of 2 models cannot serve"), "{}", stderr(&broken));
}

/// An endpoint and a model at it, as `models.toml` has them.
fn model(name: &str, server: &ModelServer) -> [String; 2] {
    let url = server.base_url();
    [
        format!(
            "[endpoints.{name}]\ndialect = \"openai\"\nbase_url = \"{url}\"\n\
             breaker = {{ failures_max = 5, open_ms = 1_000 }}\n"
        ),
        format!(
            "[models.{name}]\nendpoint = \"{name}\"\nname = \"{name}-1\"\n\
             input_usd_per_million = \"1\"\noutput_usd_per_million = \"2\"\noutput_tokens_max = 4_096\n"
        ),
    ]
}

#[test]
fn a_key_that_is_not_there_is_told_at_the_start() {
    let directory = tempfile::tempdir().expect("a directory");
    let text = include_str!("../../../policies/models.toml").replace(
        "\n[endpoints]\n",
        "\n[endpoints.far]\ndialect = \"openai\"\nbase_url = \"http://127.0.0.1:1/v1\"\n\
         api_key = { env = \"SLUICE_TEST_NO_SUCH_KEY\" }\nbreaker = { failures_max = 5, open_ms = 1_000 }\n",
    );
    std::fs::write(directory.path().join("models.toml"), text).expect("a file");
    for command in [&["check"][..], &["ask", MAIN_QUESTION]] {
        let refused = sluice(&[command, &["--policies", directory.path().to_str().expect("UTF-8")]].concat());
        assert_eq!(refused.status.code(), Some(2));
        assert!(stderr(&refused).contains("SLUICE_TEST_NO_SUCH_KEY"), "{}", stderr(&refused));
    }
}

#[test]
fn the_configuration_can_be_checked() {
    let sound = sluice(&["check"]);
    assert_eq!(sound.status.code(), Some(0));
    assert!(stdout(&sound).contains("policies: sound"));

    let directory = tempfile::tempdir().expect("a directory");
    let shipped = include_str!("../../../policies/recovery.toml");
    let text = shipped.replacen("plans_max = 3", "plans_max = 0", 1);
    std::fs::write(directory.path().join("recovery.toml"), text).expect("a file");
    let wrong = sluice(&["check", "--policies", directory.path().to_str().expect("UTF-8")]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(stderr(&wrong).contains("`plans_max` must be at least 1"), "{}", stderr(&wrong));

    let config = directory.path().join("mcp.json");
    std::fs::write(&config, r#"{"mcpServers": {"both": {"command": "a", "url": "http://127.0.0.1:1"}}}"#)
        .expect("a file");
    let wrong = sluice(&["check", "--mcp-config", config.to_str().expect("UTF-8")]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(stderr(&wrong).contains("both"), "{}", stderr(&wrong));
}
