//! The anchors and the six questions on flows with scripted models: no mood of a judge moves the one, and no planner the other.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};
use testkit::model_server::{Asked, Line, ModelServer};
use tokio::process::Command;

use crate::models::policy_of;

/// How a judge may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mood {
    Right,
    Wrong,
    Silent,
    Hostile,
}

/// A case of a suite, as far as a judge has to know it.
struct Case {
    query: String,
    expected: String,
    methods: Vec<String>,
}

fn anchors() -> Vec<Case> {
    let text = include_str!("../../../../evals/anchors/anchors.toml");
    let read: toml::Table = toml::from_str(text).unwrap();
    let text = |value: &toml::Value| value.as_str().unwrap().to_owned();
    let cases = read["case"].as_array().unwrap().iter().filter(|case| {
        // Asked without a policy or with `auto` the question means the same, and may be answered on an assumption.
        case["policy"].as_str() == Some("return")
    });
    let read = cases.map(|case| Case {
        query: text(&case["query"]),
        expected: text(&case["expected"][0]),
        methods: case
            .get("methods")
            .map_or_else(Vec::new, |methods| methods.as_array().unwrap().iter().map(text).collect()),
    });
    read.collect()
}

/// The identifiers of the options that a judge is shown.
fn options(told: &str) -> Vec<String> {
    let ids = told.split("\"id\":\"").skip(1).filter_map(|rest| rest.split('"').next());
    ids.map(str::to_owned).collect()
}

fn opinion(verdict: &str, options: &[String]) -> Line {
    let chosen: &[String] = match verdict {
        "answer" => &options[..options.len().min(1)],
        "clarification_required" => &options[..options.len().min(3)],
        _ => &[],
    };
    let reply = json!({
        "verdict": verdict, "options": chosen, "recommended": chosen.first(), "confidence": 1.0,
        "reason": "The scripted judge says so."
    });
    Line::Say(reply.to_string())
}

fn judged(mood: Mood, cases: &[Case], asked: &Asked) -> Line {
    let told = asked.told();
    let case = cases.iter().find(|case| told.contains(&case.query)).unwrap();
    let options = options(&told);
    match mood {
        Mood::Silent => Line::Hang,
        Mood::Hostile => opinion("answer", &["evil:empty_the_wallet".to_owned()]),
        Mood::Right => {
            let is_meant =
                |id: &&String| case.methods.iter().any(|method| id.ends_with(&format!(":{method}")));
            let meant: Vec<String> = options.iter().filter(is_meant).cloned().collect();
            let options = if case.expected == "answer" && !meant.is_empty() { meant } else { options };
            opinion(&case.expected, &options)
        }
        Mood::Wrong => match case.expected.as_str() {
            "answer" => opinion("capability_miss", &options),
            _ => opinion("answer", &options),
        },
    }
}

/// The report of a suite under these models. Every case is recorded, and replayed to the same bytes.
async fn evaluated(suite: &str, models: &str) -> Value {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("models.toml"), models).unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let recordings = folder.path().join("recordings");
    let sluice = |arguments: &[&str], path: &Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sluice"));
        command.env_clear().current_dir(&root).args(arguments).arg(path);
        command
    };
    let mut asking = sluice(&["eval", "--suite", suite, "--json", "--policies"], folder.path());
    let asking = asking.arg("--record").arg(&recordings).stderr(Stdio::null());
    let output = asking.output().await.unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
    let recorded = fs::read_dir(&recordings).unwrap().count();
    assert_eq!(u64::try_from(recorded).ok(), report["suites"][0]["cases"].as_u64());
    let replay = sluice(&["replay"], &recordings).output().await.unwrap();
    assert!(replay.status.success(), "{}", String::from_utf8_lossy(&replay.stdout));
    report
}

fn passes(report: &Value, what: &str) {
    let suite = &report["suites"][0];
    let passed = &suite["measures"]["passRate"];
    assert_eq!(passed["hits"], passed["of"], "{what}: {suite:#}");
    assert_eq!(report["gates"]["passed"], true, "{what}: {:#}", report["gates"]);
}

async fn no_verdict_moves_them(mood: Mood) {
    let cases = anchors();
    let judge = ModelServer::directed(move |asked| judged(mood, &cases, asked));
    // Whoever is silent is not waited for long, and never asked again.
    let models =
        policy_of(&[("judge", "counsel", &judge)]).replace("failures_max = 100", "failures_max = 2").replace(
            "timeout_ms = 8_000\nattempt_timeout_ms = 700",
            "timeout_ms = 8_000\nattempt_timeout_ms = 2_000",
        );
    let report = evaluated("anchors", &models).await;
    passes(&report, &format!("{mood:?}"));
    assert!(!judge.asked().is_empty(), "{mood:?}");
}

#[tokio::test]
async fn the_anchors_pass_with_a_judge_that_is_right() {
    no_verdict_moves_them(Mood::Right).await;
}

#[tokio::test]
async fn the_anchors_pass_with_a_judge_that_is_wrong() {
    no_verdict_moves_them(Mood::Wrong).await;
}

#[tokio::test]
async fn the_anchors_pass_with_a_judge_that_is_silent() {
    no_verdict_moves_them(Mood::Silent).await;
}

#[tokio::test]
async fn the_anchors_pass_with_a_judge_that_is_hostile() {
    no_verdict_moves_them(Mood::Hostile).await;
}

/// A planner that asks for the flow alone and leaves the rest to be gathered, a reviewer that is content, and a writer that
/// claims what no source says.
#[tokio::test]
async fn the_questions_on_flows_pass_with_scripted_models() {
    let planner = ModelServer::directed(|asked| {
        let told = asked.told();
        let assets: &[&str] = match &told {
            told if told.contains("stablecoin liquidity rotating") => &["USDT", "USDC"],
            told if told.contains("Show me whether ETH") => &["ETH"],
            _ => &["BTC"],
        };
        let calls = assets.iter().map(|asset| {
            format!(
                "call_tool(\"exchange_flows.get_exchange_flow\", #{{exchange: \"binance\", asset: \"{asset}\", \
                 window: \"24h\"}})"
            )
        });
        let source = format!("[{}]", calls.collect::<Vec<_>>().join(", "));
        let reply = json!({
            "outcome": "program", "source": source, "primary": "exchange_flows.get_exchange_flow", "dimension": null,
            "measures": [], "assumptions": [], "missing": [], "reason": ""
        });
        Line::Say(reply.to_string())
    });
    let reviewer = ModelServer::start([Line::Say(
        json!({
            "outcome": "complete", "missing_parts": [], "suggested_fix": "", "missing_capability": null,
            "reason": "All there."
        })
        .to_string(),
    )]);
    let writer = ModelServer::start([Line::Say(
        "The flow is told in the table [1]. It moved 987,654,321 dollars because of a secret sale."
            .to_owned(),
    )]);
    let models = policy_of(&[
        ("plan", "planner", &planner),
        ("complete", "reviewer", &reviewer),
        ("synthesize", "writer", &writer),
    ]);
    let report = evaluated("wedge", &models).await;
    passes(&report, "wedge");
    assert_eq!(writer.asked().len(), 6);
}
