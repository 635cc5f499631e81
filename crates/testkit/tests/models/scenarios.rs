//! The scenario files: what the server does, what comes of it. Each runs for each of its stages and each manner.

use futures::future::join_all;
use llm::Portfolio;
use serde::Deserialize;
use testkit::model_server::{Line, ModelServer};

use crate::briefs;
use crate::house::{self, MANNERS, Settings};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Scenario {
    /// The stages that it is about; all where none is named.
    #[serde(default = "all_stages")]
    stages: Vec<String>,
    /// What the server does with one request after the other.
    lines: Vec<Written>,
    /// `scripted` or `embedded`.
    answered_by: String,
    /// Why the model did not answer; several where it depends on the manner.
    #[serde(default)]
    fallback: Vec<String>,
    /// How each request ended: `taken`, or the word of its fault; several in one where it depends on the manner.
    attempts: Vec<String>,
    attempt_timeout_ms: Option<u64>,
    timeout_ms: Option<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Written {
    Word(String),
    Refuse { refuse: u16, retry_after: Option<String> },
    Say { say: String },
}

fn all_stages() -> Vec<String> {
    ["judge", "plan", "complete", "summarize", "reason", "synthesize"].map(str::to_owned).to_vec()
}

#[tokio::test]
async fn every_scenario_ends_as_it_says() {
    for (file, text) in house::files("scenarios") {
        let scenario: Scenario = toml::from_str(&text).unwrap_or_else(|error| panic!("{file}: {error}"));
        let each = scenario.stages.iter().flat_map(|stage| manners(stage).iter().map(move |it| (stage, *it)));
        // Everything stands before the first request, since what takes time here would be lost to a request.
        let stood: Vec<_> =
            each.map(|(stage, manner)| (stage, manner, Stood::of(&scenario, stage, manner))).collect();
        let runs = stood.iter().map(|(stage, manner, stood)| {
            run(&scenario, stage, stood, format!("{file}, {stage}, {manner:?}"))
        });
        join_all(runs).await;
    }
}

/// Every manner for the stages that differ in what they want; the others are asked as the judge is.
fn manners(stage: &str) -> &'static [(&'static str, &'static str)] {
    if matches!(stage, "judge" | "synthesize") { &MANNERS } else { &MANNERS[2..4] }
}

/// A server, and a portfolio that asks it.
struct Stood {
    server: ModelServer,
    portfolio: Portfolio,
}

impl Stood {
    fn of(scenario: &Scenario, stage: &str, manner: (&str, &str)) -> Self {
        let server = ModelServer::start(scenario.lines.iter().map(|line| line.of(stage)));
        let servers = [("scripted", server.base_url())];
        let settings = Settings::of(&servers);
        let portfolio = house::portfolio(&Settings {
            manner,
            attempt_timeout_ms: scenario.attempt_timeout_ms.unwrap_or(settings.attempt_timeout_ms),
            timeout_ms: scenario.timeout_ms.unwrap_or(settings.timeout_ms),
            ..settings
        });
        Self { server, portfolio }
    }
}

async fn run(scenario: &Scenario, stage: &str, stood: &Stood, what: String) {
    let session = stood.portfolio.session(None);
    let said = match stage {
        "reason" => briefs::reasoned(&session).await,
        _ => briefs::said(stage, &session).await,
    };
    let reports = llm::Model::take_reports(&session);
    let [report] = reports.as_slice() else { panic!("{what}: {reports:?}") };

    assert_eq!(report.answered_by, scenario.answered_by, "{what}: {report:?} {said}");
    if scenario.answered_by == "embedded" && stage == "reason" {
        // Its fallback is the library's own.
        assert_eq!(said, "no reply", "{what}");
    } else if scenario.answered_by == "embedded" {
        assert_eq!(said, briefs::embedded(stage).await, "{what}: the documented fallback");
    } else {
        assert!(said.contains(briefs::mark_of_good(stage)), "{what}: {said}");
    }
    assert_eq!(llm::Model::is_hosted_judge(&session), stage == "judge" && scenario.answered_by != "embedded");
    match &report.fallback {
        None => assert!(scenario.fallback.is_empty(), "{what}: no fallback"),
        Some(reason) => {
            assert!(scenario.fallback.iter().any(|word| word == reason.word()), "{what}: {reason:?}");
        }
    }
    let ended: Vec<&str> = report
        .attempts
        .iter()
        .map(|attempt| attempt.fault.as_ref().map_or("taken", llm::FallbackReason::word))
        .collect();
    assert_eq!(ended.len(), scenario.attempts.len(), "{what}: {ended:?}");
    for (ended, expected) in ended.iter().zip(&scenario.attempts) {
        assert!(expected.split('|').any(|word| word == *ended), "{what}: {ended} is not {expected}");
    }
    let asked = stood.server.asked();
    assert_eq!(asked.len(), ended.len(), "{what}: as many requests as attempts");
    assert!(asked.iter().all(|request| request.key.as_deref().is_some_and(|key| key.contains(house::KEY))));
    if ended.contains(&"taken") {
        let usage = report.usage();
        assert!(usage.input_tokens >= 100 && usage.output_tokens >= 10, "{what}: {usage}");
        assert!(usage.cost.amount() >= "0.00012".parse().unwrap(), "{what}: {usage}");
    }
}

impl Written {
    fn of(&self, stage: &str) -> Line {
        let good = || briefs::good(stage);
        match self {
            Self::Refuse { refuse, retry_after } => {
                Line::Refuse { status: *refuse, retry_after: retry_after.clone() }
            }
            Self::Say { say } => Line::Say(say.clone()),
            Self::Word(word) => match word.as_str() {
                "good" => Line::Say(good()),
                "obey" => Line::Obey,
                "hang" => Line::Hang,
                "drip" => Line::Drip(good()),
                "break" => Line::Break(good()),
                "garble" => Line::Garble,
                "decline" => Line::Decline,
                "exhaust" => Line::Exhaust(good()),
                "repeat" => Line::Repeat(good()),
                other => panic!("there is no line `{other}`"),
            },
        }
    }
}
