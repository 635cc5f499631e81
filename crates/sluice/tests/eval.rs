//! `sluice eval`, as a release and a person use it: the real binary over the shipped suites and small files.

#![expect(clippy::panic, reason = "a test's helpers fail the test")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};
use tempfile::TempDir;

const ANCHORS: u64 = 16;

fn sluice(arguments: &[&str]) -> Output {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut command = Command::new(env!("CARGO_BIN_EXE_sluice"));
    command.current_dir(root).args(arguments).output().expect("the binary runs")
}

/// Runs `sluice eval`. Every request of suites that are asked in process is recorded, and replayed to the same bytes.
fn eval(arguments: &[&str]) -> Output {
    let asks = !arguments.iter().any(|it| ["flips", "--url", "--cases", "--retrieval"].contains(it));
    if !asks {
        return sluice(&[&["eval"], arguments].concat());
    }
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().to_str().expect("UTF-8");
    let output = sluice(&[&["eval", "--record", place], arguments].concat());
    let recordings = fs::read_dir(place).expect("the folder").count();
    if recordings > 0 {
        let replay = sluice(&["replay", place]);
        assert!(replay.status.success(), "{}", stdout(&replay));
    }
    if let Ok(report) = serde_json::from_slice::<Value>(&output.stdout) {
        let suites = report["suites"].as_array().expect("suites");
        let asked: u64 = suites.iter().filter_map(|suite| suite["cases"].as_u64()).sum();
        assert_eq!(u64::try_from(recordings), Ok(asked), "not every case was recorded");
    }
    output
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("standard output is UTF-8")
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"))
}

/// A refusal: exit code 2 and one line on standard error.
fn refused(arguments: &[&str]) -> String {
    let output = eval(arguments);
    let said = String::from_utf8(output.stderr.clone()).expect("standard error is UTF-8");
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert_eq!(said.trim_end().lines().count(), 1, "{said}");
    said
}

fn written(name: &str, lines: &[Value]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    fs::write(&path, lines.join("\n")).expect("the file is written");
    (folder, path)
}

fn rain(id: &str, query: &str, outcome: &str) -> Value {
    let schema = json!({"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]});
    json!({
        "id": id, "source": "small", "query": query, "origin": "passed over",
        "tools": [{"name": "get_rain", "description": "How much it rains in a city.", "inputSchema": schema}],
        "expected": {"outcome": outcome, "methods": ["get_rain"]},
    })
}

#[test]
fn the_anchors_are_asked_in_process() {
    let output = eval(&["--suite", "anchors", "--json"]);
    let report = json(&output);
    assert!(output.stderr.is_empty(), "{output:?}");
    let passed = report["gates"]["passed"].as_bool().expect("gates passed or did not");
    assert_eq!(output.status.code(), Some(i32::from(!passed)));
    assert_eq!(report["policy_hash"].as_str().map(str::len), Some(64));
    let suite = &report["suites"][0];
    assert_eq!((suite["suite"].as_str(), suite["cases"].as_u64()), (Some("anchors"), Some(ANCHORS)));
    assert_eq!(suite["measures"]["passRate"]["of"], ANCHORS);
    assert_eq!(suite["measures"]["errorRate"]["hits"], 0, "{suite:#}");
    assert!(suite["families"]["world_cup"]["passed"]["interval"]["low"].is_number());
    let verdicts = report["gates"]["verdicts"].as_array().expect("there are verdicts");
    assert!(verdicts.iter().any(|verdict| verdict["measure"] == "passRate" && verdict["of"] == ANCHORS));
}

#[test]
fn two_questions_in_one_are_told_by_methods_of_both() {
    let folder = tempfile::tempdir().expect("a folder");
    let records = folder.path().join("records.jsonl");
    let records = records.to_str().expect("a path");
    let asked = eval(&["--suite", "wedge", "--joined", " and ", "--records", records, "--json"]);
    let suite = json(&asked)["suites"][0].take();
    assert_eq!(suite["suite"], "wedge, joined");
    assert_eq!(suite["measures"]["methodHitRate"]["value"], 1.0, "{suite:#}");
    // Each is decided again on what was found for it by itself.
    let again = json(&eval(&["flips", "--inputs", records, "--json"]));
    assert_eq!(again["report"]["flips"], json!([]), "{again}");
}

#[test]
fn a_failed_gate_is_exit_code_one_and_a_kept_one_zero() {
    let folder = tempfile::tempdir().expect("a folder");
    let suite = folder.path().join("small");
    fs::create_dir(&suite).expect("a suite");
    let case =
        "[[case]]\nid = \"x\"\nfamily = \"f\"\nquery = \"zzyzx qwrtp\"\nexpected = [\"capability_miss\"]\n";
    fs::write(suite.join("cases.toml"), case).expect("a case");
    let evals = folder.path().to_str().expect("a path");
    for (gate, code, words) in [
        ("min = 1.0", 0, "gates: all 2 gates passed"),
        ("max = 0.5", 1, "FAILED  small: passRate, at most 50.0: 100.0 against 50.0"),
        ("min = 0.5, cases_min = 9", 1, "1 cases are too few to say, 9 are needed"),
    ] {
        let gates = format!("[small.families]\nf = 1\n[small.measures]\npassRate = {{ {gate} }}\n");
        fs::write(folder.path().join("gates.toml"), gates).expect("gates");
        let output = eval(&["--evals", evals, "--no-samples"]);
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        assert!(stdout(&output).contains(words), "{}", stdout(&output));
    }
}

#[test]
fn a_corpus_is_decided_and_written_down() {
    let cases =
        [rain("1", "How much does it rain in Rome?", "answer"), rain("2", "Buy a car", "capability_miss")];
    let (folder, path) = written("cases.jsonl", &cases);
    let predictions = folder.path().join("predictions.jsonl");
    let arguments = ["--cases", path.to_str().expect("a path"), "--predictions"];
    let output = eval(&[&arguments[..], &[predictions.to_str().expect("a path"), "--json"]].concat());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let report = json(&output);
    assert_eq!(report["report"]["total"]["strict"]["cases"], 2);
    assert_eq!(report["naive"]["total"]["strict"]["cases"], 2);
    let text = fs::read_to_string(predictions).expect("the predictions are there");
    let lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect();
    assert_eq!(lines.iter().map(|line| line["id"].as_str()).collect::<Vec<_>>(), [Some("1"), Some("2")]);
    for key in ["outcome", "methods", "confidence", "reasonCode"] {
        assert!(lines.iter().all(|line| !line[key].is_null()), "{key}: {text}");
    }
    let readable = stdout(&eval(&arguments[..2]));
    assert!(readable.contains("silentAnswerRate") && readable.contains("writers too"), "{readable}");
}

#[test]
fn a_retrieval_set_is_ranked_beside_the_baseline() {
    let tools = [json!({"name": "get_rain", "description": "Rain."}), json!({"name": "get_wind"})];
    let queries = [json!({"id": "q", "query": "wind", "relevant": ["get_wind"]})];
    let ((_tools, tools), (_queries, queries)) =
        (written("tools.jsonl", &tools), written("q.jsonl", &queries));
    let paths = [tools.to_str().expect("a path"), queries.to_str().expect("a path")];
    let output = eval(&["--retrieval", paths[0], "--queries", paths[1], "--json"]);
    let report = json(&output);
    for ranker in ["bm25", "probe"] {
        assert_eq!(report[ranker]["all"]["ndcg_at_10"]["value"], 1.0, "{report:#}");
    }
    assert!(stdout(&eval(&["--retrieval", paths[0], "--queries", paths[1]])).contains("BM25"));
}

#[test]
fn bad_input_is_told_on_one_line() {
    assert!(refused(&["--suite", "absent"]).contains("there are anchors, coverage"));
    assert!(refused(&["--evals", "absent"]).contains("absent"));
    assert!(refused(&["--cases", "absent.jsonl"]).contains("cannot read absent.jsonl"));
    assert!(
        refused(&["--suite", "anchors", "--joined", " and "]).contains("no two clear questions of anchors")
    );
    assert!(refused(&["--concurrency", "0"]).contains("requests_in_flight_max"));
    assert!(refused(&["--url", "not a url"]).contains("--url not a url"));
    assert!(refused(&["--url", "ftp://localhost"]).contains("neither http nor https"));
    assert!(refused(&["--url", "http://127.0.0.1:1"]).contains("http://127.0.0.1:1"));
    let (_folder, path) = written("cases.jsonl", &[rain("1", "Rain?", "answer"), json!({"id": 3})]);
    let said = refused(&["--cases", path.to_str().expect("a path")]);
    assert!(said.contains("cases.jsonl:2: "), "{said}");
    let output = eval(&["--cases", "x", "--suite", "anchors"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn the_same_policies_give_no_flips_and_others_say_why() {
    let folder = tempfile::tempdir().expect("a folder");
    let records = folder.path().join("records.jsonl");
    let records = records.to_str().expect("a path");
    let report = json(&eval(&["--suite", "anchors", "--records", records, "--json"]));
    assert!(report["gates"].is_object(), "{report}");

    let same = eval(&["flips", "--inputs", records, "--json"]);
    let report = json(&same);
    assert_eq!(report["report"]["decided"], ANCHORS, "{report}");
    assert_eq!(report["report"]["flips"], json!([]), "{report}");
    assert_eq!(same.status.code(), Some(0));

    let policies = folder.path().join("policies");
    fs::create_dir(&policies).expect("a folder");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let shipped = fs::read_to_string(root.join("policies/gate.toml")).expect("the shipped gate");
    let off = shipped.replace("rollout_stage = \"enabled\"", "rollout_stage = \"disabled\"");
    assert_ne!(off, shipped);
    fs::write(policies.join("gate.toml"), off).expect("the file is written");
    let arguments = ["flips", "--inputs", records, "--policies", policies.to_str().expect("a path")];
    let other = eval(&arguments);
    assert_eq!(other.status.code(), Some(1), "{other:?}");
    let said = stdout(&other);
    assert!(said.contains("rollout_disabled") && said.contains("the outcome changes"), "{said}");
}
