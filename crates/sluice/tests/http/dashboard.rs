//! The dashboard and the alert rules, held against what the Prometheus endpoint of real servers gives after real requests.

use std::collections::{BTreeMap, BTreeSet};

use promql_parser::label::MatchOp;
use promql_parser::parser::{self, AggregateExpr, Expr, LabelModifier, MatrixSelector, VectorSelector};
use promql_parser::util::{ExprVisitor, walk_expr};
use serde_json::{Value, json};
use testkit::model_server::{Line, ModelServer};

use crate::library::{GUIDE, add, post};
use crate::models;
use crate::server::{Server, Setup, changed, until};
use crate::upstream::{QUESTION, Upstream};

const DASHBOARD: &str = include_str!("../../telemetry/dashboard.json");
const ALERTS: &str = include_str!("../../telemetry/alerts.yaml");

/// What Prometheus' exporter says of itself and of where measurements come from: nobody draws it.
const OF_THE_EXPORTER: [&str; 2] = ["target_info", "otel_scope_info"];

/// Metrics by name; of each its labels, with the values that were seen.
#[derive(Default)]
struct Exposed {
    labels: BTreeMap<String, BTreeMap<String, BTreeSet<String>>>,
    /// The names that instruments have, without what histograms add to them.
    families: BTreeSet<String>,
}

impl Exposed {
    fn read(&mut self, text: &str) {
        for line in text.lines() {
            if let Some(family) = line.strip_prefix("# TYPE ") {
                self.families.extend(family.split(' ').next().map(str::to_owned));
            }
            if line.starts_with('#') || line.is_empty() {
                continue;
            }
            let (name, rest) = line.split_at(line.find(['{', ' ']).unwrap());
            let labels = self.labels.entry(name.to_owned()).or_default();
            let told = rest.strip_prefix('{').and_then(|rest| rest.rsplit_once("\"}")).map_or("", |it| it.0);
            for label in told.split("\",").filter(|label| !label.is_empty()) {
                let (name, value) = label.split_once("=\"").unwrap();
                labels.entry(name.to_owned()).or_default().insert(value.to_owned());
            }
        }
    }

    fn has(&self, metric: &str, label: &str) -> bool {
        label == "le" || self.labels.get(metric).is_some_and(|labels| labels.contains_key(label))
    }
}

/// One expression of a panel or a rule, with the labels that its words name.
struct Expression {
    of: String,
    text: String,
    told: Vec<String>,
}

/// The words between `open` and `close`.
fn between(text: &str, open: &str, close: &str) -> Vec<String> {
    let pieces = text.split(open).skip(1);
    pieces.map(|piece| piece.split(close).next().unwrap().trim().to_owned()).collect()
}

fn expressions() -> Vec<Expression> {
    let dashboard: Value = serde_json::from_str(DASHBOARD).unwrap();
    let mut found = Vec::new();
    for panel in dashboard["panels"].as_array().unwrap() {
        for target in panel["targets"].as_array().unwrap() {
            found.push(Expression {
                of: panel["title"].as_str().unwrap().to_owned(),
                text: target["expr"].as_str().unwrap().replace("$__rate_interval", "5m"),
                told: between(target["legendFormat"].as_str().unwrap(), "{{", "}}"),
            });
        }
    }
    for rule in ALERTS.split("- alert: ").skip(1) {
        let line = |key: &str| rule.lines().find_map(|line| line.trim().strip_prefix(key)).unwrap();
        found.push(Expression {
            of: rule.lines().next().unwrap().to_owned(),
            text: line("expr: ").to_owned(),
            told: between(line("annotations: "), "$labels.", " }}"),
        });
    }
    found
}

/// What an expression reads, and by what it groups.
#[derive(Default)]
struct Reads {
    selectors: Vec<VectorSelector>,
    grouped: Vec<(Vec<String>, Vec<VectorSelector>)>,
}

impl Reads {
    fn of(expression: &Expr) -> Self {
        let mut reads = Self::default();
        assert!(walk_expr(&mut reads, expression).unwrap());
        reads
    }
}

impl ExprVisitor for Reads {
    type Error = std::convert::Infallible;

    fn pre_visit(&mut self, expression: &Expr) -> Result<bool, Self::Error> {
        if let Expr::VectorSelector(selector) | Expr::MatrixSelector(MatrixSelector { vs: selector, .. }) =
            expression
        {
            self.selectors.push(selector.clone());
        }
        if let Expr::Aggregate(AggregateExpr { expr, modifier: Some(LabelModifier::Include(by)), .. }) =
            expression
        {
            self.grouped.push((by.labels.clone(), Self::of(expr).selectors));
        }
        Ok(true)
    }
}

fn complaints(expression: &Expression, exposed: &Exposed, read: &mut BTreeSet<String>) -> Vec<String> {
    let parsed = match parser::parse(&expression.text) {
        Ok(parsed) => parsed,
        Err(error) => return vec![format!("{}: {error}", expression.of)],
    };
    let (mut complaints, reads) = (Vec::new(), Reads::of(&parsed));
    let mut complain = |what: String| complaints.push(format!("{}: {what}", expression.of));
    for selector in &reads.selectors {
        let name = selector.name.clone().unwrap();
        let Some(labels) = exposed.labels.get(&name) else {
            complain(format!("there is no `{name}`"));
            continue;
        };
        for matcher in &selector.matchers.matchers {
            let Some(values) = labels.get(&matcher.name) else {
                complain(format!("`{name}` has no label `{}`", matcher.name));
                continue;
            };
            if matcher.op == MatchOp::Equal && !values.contains(&matcher.value) {
                complain(format!("`{}` of `{name}` is never `{}`", matcher.name, matcher.value));
            }
        }
        read.insert(name);
    }
    for (by, selectors) in &reads.grouped {
        for selector in selectors {
            let name = selector.name.clone().unwrap_or_default();
            let absent = by.iter().filter(|label| !exposed.has(&name, label));
            absent.for_each(|label| complain(format!("`{name}` has no label `{label}` to group by")));
        }
    }
    for label in &expression.told {
        if !reads.grouped.iter().any(|(by, _)| by.contains(label)) {
            complain(format!("its words name `{label}`, which it does not group by"));
        }
    }
    complaints
}

/// Asks what there is to ask, and has it go wrong where it can.
async fn used() -> (Exposed, Vec<Server>) {
    let [judge, planner, writer] =
        [vec![], vec![models::program(models::PROGRAM)], vec![]].map(|mut lines| {
            lines.push(Line::Refuse { status: 500, retry_after: None });
            ModelServer::start(lines)
        });
    let models = models::policy([&judge, &planner, &writer]);
    let tight = changed(
        "budgets.toml",
        [("result_bytes_max", "1".to_owned()), ("calls_in_flight_max", "1".to_owned())],
    );
    let one = Setup::with_samples().policy_file("models.toml", &models).start().await;
    let other = Setup::with_samples().policy_file("budgets.toml", &tight).start().await;
    let harbour = Upstream::start().await;
    let third = Setup::with(&harbour).start().await;

    add(&one, "Server guide", GUIDE).await;
    post(&one, "/v1/reason", json!({"query": "When does a session expire?"})).await;
    for depth in ["fast", "deep"] {
        let body = json!({"query": models::CLEAR, "queryDepth": depth, "tools": [models::listing()]});
        assert_eq!(one.post("/api/v1/query", body).await.status(), 200);
    }
    let flows = json!({"query": "Which exchanges saw the largest BTC inflows in the last 24 hours?"});
    assert_eq!(other.post("/api/v1/query", flows).await.status(), 200);
    // Its server is gone, and then one whose reader leaves.
    let question = json!({"query": QUESTION});
    drop(harbour);
    assert_eq!(third.post("/api/v1/query", &question).await.status(), 200);
    let held = Upstream::holding().await;
    let fourth = Setup::with(&held).start().await;
    let leaving = fourth.post("/api/v1/query", json!({"query": QUESTION, "stream": true})).await;
    held.called(1).await;
    drop(leaving);

    let mut exposed = Exposed::default();
    let servers = vec![one, other, third, fourth];
    until(async || {
        let text = servers[3].get("/metrics").await.text().await.unwrap();
        text.contains("sluice_outcome=\"failed\"").then_some(())
    })
    .await;
    for server in &servers {
        exposed.read(&server.get("/metrics").await.text().await.unwrap());
    }
    (exposed, servers)
}

#[tokio::test]
async fn what_is_drawn_and_watched_is_what_is_measured() {
    let (exposed, _servers) = used().await;
    let (mut read, mut found) = (BTreeSet::new(), Vec::new());
    for expression in expressions() {
        found.extend(complaints(&expression, &exposed, &mut read));
    }
    let is_read = |family: &String| {
        ["", "_bucket", "_count", "_sum", "_total"].iter().any(|end| read.contains(&format!("{family}{end}")))
    };
    let unread = exposed.families.iter().filter(|it| !OF_THE_EXPORTER.contains(&it.as_str()) && !is_read(it));
    found.extend(unread.map(|family| format!("nobody looks at `{family}`")));
    assert!(found.is_empty(), "{}\n{:#?}", found.join("\n"), exposed.labels);
    for (what, wanted) in [
        ("rate, errors and duration of requests", "sluice_request_duration_seconds"),
        ("of stages", "sluice_stage_duration_seconds"),
        ("of stages, errors", "sluice_stage_failures"),
        ("of upstreams", "mcp_client_operation_duration_seconds"),
        ("of models", "gen_ai_client_operation_duration_seconds"),
        ("outcomes of the gate", "sluice_gate_decisions"),
        ("limits that were hit", "sluice_budget_hits"),
        ("queues", "sluice_jobs_open"),
        ("what waits to be recorded", "sluice_recordings_waiting"),
        ("workers", "sluice_workers_busy"),
        ("memory", "process_memory_usage_bytes"),
    ] {
        assert!(read.iter().any(|name| name.starts_with(wanted)), "nobody looks at the {what}");
    }
}
