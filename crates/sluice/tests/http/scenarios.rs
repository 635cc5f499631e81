//! Scenario files: servers and models that say what the file has them say, one question, and what has to come of it, as the
//! caller reads it. Each directory of `tests/scenarios` is one test.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use serde_json::{Map, Value, json};
use testkit::model_server::{Line, ModelServer};

use crate::models::policy_of;
use crate::scripted::{Listing, Scripted};
use crate::server::{Setup, changed, json};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Scenario {
    question: String,
    /// More of the request's body.
    #[serde(default)]
    body: Map<String, Value>,
    /// Names of the listings that are asked; the catalog is searched where there is none.
    #[serde(default)]
    pin: Vec<String>,
    /// Lines of policy files in the place of the shipped ones.
    #[serde(default)]
    policies: BTreeMap<String, BTreeMap<String, String>>,
    listings: Vec<Listing>,
    #[serde(default)]
    models: Models,
    /// What stands at a JSON pointer of the result; "null" is what is not there.
    expect: Map<String, Value>,
    /// Texts that are in what stands there.
    #[serde(default)]
    has: BTreeMap<String, Vec<String>>,
    /// Texts that are not.
    #[serde(default)]
    lacks: BTreeMap<String, Vec<String>>,
    /// How often each method was reached with which arguments.
    calls: Option<BTreeMap<String, usize>>,
}

/// What hosted models say, reply by reply; the last one again and again. A stage without replies has no model.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Models {
    #[serde(default)]
    plan: Vec<Plan>,
    #[serde(default)]
    complete: Vec<Opinion>,
    #[serde(default)]
    summarize: Vec<Summary>,
    /// `(obeys)` is a model that does what the prompt's data orders.
    #[serde(default)]
    synthesize: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Plan {
    source: String,
    primary: String,
    #[serde(default)]
    measures: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Opinion {
    outcome: String,
    #[serde(default)]
    missing_parts: Vec<String>,
    missing_capability: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Summary {
    summary: String,
    left_out: String,
}

impl Plan {
    fn line(&self) -> Line {
        let reply = json!({
            "outcome": "program", "source": self.source, "primary": self.primary, "dimension": null,
            "measures": self.measures, "assumptions": [], "missing": [], "reason": ""
        });
        Line::Say(reply.to_string())
    }
}

impl Opinion {
    fn line(&self) -> Line {
        let reply = json!({
            "outcome": self.outcome, "missing_parts": self.missing_parts, "suggested_fix": "",
            "missing_capability": self.missing_capability, "reason": ""
        });
        Line::Say(reply.to_string())
    }
}

impl Summary {
    fn line(&self) -> Line {
        Line::Say(json!({"summary": self.summary, "left_out": self.left_out}).to_string())
    }
}

/// The text itself; or, for `(obeys)`, whatever the data of the prompt orders.
fn spoken(text: &str) -> Line {
    if text == "(obeys)" { Line::Obey } else { Line::Say(text.to_owned()) }
}

impl Models {
    /// A server for each stage that has something to say.
    fn start(&self) -> Vec<(&'static str, &'static str, ModelServer)> {
        let lines = [
            ("plan", "planner", self.plan.iter().map(Plan::line).collect::<Vec<_>>()),
            ("complete", "reviewer", self.complete.iter().map(Opinion::line).collect()),
            ("summarize", "shortener", self.summarize.iter().map(Summary::line).collect()),
            ("synthesize", "writer", self.synthesize.iter().map(|text| spoken(text)).collect()),
        ];
        let wanted = lines.into_iter().filter(|(.., lines)| !lines.is_empty());
        wanted.map(|(stage, name, lines)| (stage, name, ModelServer::start(lines))).collect()
    }
}

impl Scenario {
    async fn result(&self) -> (Value, BTreeMap<String, usize>) {
        let upstream = Scripted::start(self.listings.clone()).await;
        let models = self.models.start();
        let named: Vec<_> = models.iter().map(|(stage, name, server)| (*stage, *name, server)).collect();
        let mut setup = Setup::bare().policy_file("models.toml", &policy_of(&named));
        for (file, lines) in &self.policies {
            setup = setup.policy_file(file, &changed(file, lines.clone()));
        }
        setup.lists(&upstream.config());
        let config = setup.path("mcp.json");
        let server = setup.argument("--mcp-config").argument(config.to_str().unwrap()).start().await;
        let mut body = self.body.clone();
        body.insert("query".to_owned(), json!(self.question));
        for key in ["includeData", "includeDeveloperTrace"] {
            body.insert(key.to_owned(), json!(true));
        }
        let depth = body.entry("queryDepth").or_insert(json!("fast"));
        assert!(depth.is_string());
        body.entry("responseShape").or_insert(json!("answer_with_evidence"));
        if !self.pin.is_empty() {
            let ids = self.pin.iter().map(|name| domain::ListingId::of_name(name).to_string());
            body.insert("tools".to_owned(), ids.collect());
        }
        let (status, result) = json(server.post("/api/v1/query", Value::Object(body)).await).await;
        assert_eq!(status, 200, "{result}");
        (result, upstream.calls())
    }

    /// Where the result is not as it has to be.
    async fn faults(&self) -> Vec<String> {
        let (result, calls) = self.result().await;
        let mut faults = Vec::new();
        let mut fault = |text: String| faults.push(text);
        for (pointer, expected) in &self.expect {
            let found = result.pointer(pointer).unwrap_or(&Value::Null);
            let is_absent = expected == "null" && found.is_null();
            if found != expected && !is_absent {
                fault(format!("{pointer} is {found} and not {expected}"));
            }
        }
        for (wanted, is_due) in [(&self.has, true), (&self.lacks, false)] {
            for (pointer, texts) in wanted {
                let found = result.pointer(pointer).unwrap_or(&Value::Null).to_string();
                for text in texts.iter().filter(|text| found.contains(*text) != is_due) {
                    let verb = if is_due { "lacks" } else { "has" };
                    fault(format!("{pointer} {verb} `{text}`: {found}"));
                }
            }
        }
        if let Some(expected) = &self.calls
            && calls != *expected
        {
            fault(format!("calls: {calls:?} and not {expected:?}"));
        }
        faults
    }
}

/// Plays every file of a directory.
async fn check(directory: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios").join(directory);
    let mut faults = Vec::new();
    for (name, text) in testkit::files(&folder) {
        let scenario: Scenario = toml::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        faults.extend(scenario.faults().await.into_iter().map(|fault| format!("{name}: {fault}")));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_falls_short_is_repaired_as_the_files_say() {
    check("repair").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_missing_is_looked_for_as_the_files_say() {
    check("search").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn evidence_is_packed_as_the_files_say() {
    check("evidence").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_are_ordered_and_kept_as_the_files_say() {
    check("rows").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_looked_up_is_found_as_the_files_say() {
    check("lookup").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_venue_is_served_or_named_as_the_files_say() {
    check("venue").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_part_of_a_question_is_told_or_asked_as_the_files_say() {
    check("parts").await;
}
