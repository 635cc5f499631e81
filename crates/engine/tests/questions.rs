//! Questions over the embedded marketplace, each a file in `questions/`: what is asked, and what must come of it.

use std::collections::BTreeSet;
use std::path::Path;

use domain::ViewKind;
use engine::{Answer, Outcome, Settled};
use serde::Deserialize;
use testkit::House;
use worker::{Executable, Pool, Programs};

/// One file of questions about one thing.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sheet {
    question: Vec<Expectation>,
}

/// A question and what must come of it; what is left out is not looked at.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Expectation {
    ask: String,
    /// What the caller asked before it, which puts it through the gate.
    #[serde(default)]
    after: Vec<String>,
    /// Whether it goes through the gate without that, too.
    #[serde(default)]
    gate: bool,
    /// Listings to pin, by name.
    #[serde(default)]
    pin: Vec<String>,
    outcome: String,
    /// Methods that must be called.
    #[serde(default)]
    calls: Vec<String>,
    /// The least number of calls.
    #[serde(default)]
    calls_min: usize,
    view: Option<String>,
    /// What the answer begins with.
    #[serde(default)]
    begins: String,
    /// What the answer, its rows or its data must say.
    #[serde(default)]
    says: Vec<String>,
    /// What the miss must name.
    #[serde(default)]
    misses: Vec<String>,
}

#[tokio::test(flavor = "multi_thread")]
async fn every_question_ends_as_its_file_says_in_process() {
    check_all(Programs::InProcess).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_question_ends_as_its_file_says_in_workers() {
    let policy = policy::Policy::shipped().expect("sound policies").sandbox.workers;
    let executable = Executable { path: env!("CARGO_BIN_EXE_engine-worker").into(), arguments: Vec::new() };
    check_all(Programs::Workers(Pool::open(&policy, executable))).await;
}

/// Asks every question of every file, with programs that run so.
async fn check_all(programs: Programs) {
    let mut house = House::build("2026-06-01T12:00:00Z".parse().expect("a time"), Vec::new()).await;
    house.programs = programs;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/questions");
    let mut complaints = Vec::new();
    for (name, text) in testkit::files(&folder) {
        let sheet: Sheet = toml::from_str(&text).expect(&name);
        for expectation in sheet.question {
            let pinned = expectation.pin.iter().map(|name| house.listing(name)).collect();
            let settled = match expectation.after.as_slice() {
                [] if !expectation.gate => house.ask(&expectation.ask, pinned).await,
                earlier => house.ask_after(&expectation.ask, earlier).await,
            };
            complaints.extend(
                check(&expectation, &settled)
                    .into_iter()
                    .map(|it| format!("{name}: {:?}: {it}", expectation.ask)),
            );
        }
    }
    if let Some(counts) = house.programs.counts() {
        assert!(counts.started > 0 && counts.lost == 0, "{counts:?}");
    }
    house.programs.close().await;
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

fn check(expectation: &Expectation, settled: &Settled) -> Vec<String> {
    let mut complaints = Vec::new();
    let outcome = match &settled.ending {
        Ok(outcome) => outcome,
        Err(failure) => return vec![format!("failed: {failure}")],
    };
    if outcome.word() != expectation.outcome {
        let why = match outcome {
            Outcome::Miss(miss) => miss.message().to_owned(),
            Outcome::Answer(answer) | Outcome::Evidence(answer) => answer.text.clone(),
            Outcome::Clarify(card) => card.question.clone(),
        };
        return vec![format!("{} and not {}: {why}", outcome.word(), expectation.outcome)];
    }
    let called: BTreeSet<String> =
        settled.spent.calls.iter().map(|call| call.method.method.to_string()).collect();
    for method in expectation.calls.iter().filter(|method| !called.contains(*method)) {
        complaints.push(format!("`{method}` was not called, but {called:?}"));
    }
    if settled.spent.calls.len() < expectation.calls_min {
        complaints.push(format!("{} calls", settled.spent.calls.len()));
    }
    match outcome {
        Outcome::Answer(answer) | Outcome::Evidence(answer) => {
            complaints.extend(check_answer(expectation, answer));
        }
        Outcome::Miss(miss) => {
            let said = format!("{} {}", miss.message(), miss.missing().join(" "));
            let absent = expectation.misses.iter().filter(|part| !said.contains(*part));
            complaints.extend(absent.map(|part| format!("no {part:?} in the miss: {said}")));
        }
        Outcome::Clarify(_) => {}
    }
    complaints
}

fn check_answer(expectation: &Expectation, answer: &Answer) -> Vec<String> {
    let mut complaints = Vec::new();
    let view = match answer.evidence.view.kind {
        ViewKind::Table => "table",
        ViewKind::Leaderboard => "leaderboard",
        ViewKind::Heatmap => "heatmap",
        ViewKind::Timeseries => "timeseries",
    };
    if expectation.view.as_deref().is_some_and(|wanted| wanted != view) {
        complaints.push(format!("a {view}"));
    }
    if !answer.text.starts_with(&expectation.begins) {
        complaints.push(format!("does not begin with {:?}: {}", expectation.begins, answer.text));
    }
    let said = format!("{} {:?} {}", answer.text, answer.evidence.view.rows, answer.data);
    let absent = expectation.says.iter().filter(|part| !said.contains(*part));
    complaints.extend(absent.map(|part| format!("no {part:?} in: {}", answer.text)));
    if answer.evidence.sources.is_empty() || answer.evidence.facts.is_empty() {
        complaints.push("an answer without facts or sources".to_owned());
    }
    if !answer
        .evidence
        .sources
        .iter()
        .all(|source| source.note.as_ref().is_some_and(|it| it.contains("Sample data")))
    {
        complaints.push("sample data that is not called so".to_owned());
    }
    complaints.extend(
        invented_numbers(answer)
            .into_iter()
            .map(|number| format!("{number} is in no result: {}", answer.text)),
    );
    complaints
}

/// The numbers of the written answer that stand in no result: shortened ones count as the number that they shorten.
fn invented_numbers(answer: &Answer) -> Vec<String> {
    let means = answer.evidence.facts.iter().filter(|fact| fact.id.contains("row_mean"));
    let means: Vec<_> = means.map(|fact| &fact.value).collect();
    let held = format!("{} {:?} {:?} {means:?}", answer.data, answer.evidence.view, answer.evidence.sources);
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    let held_numbers: Vec<String> = held
        .split(|it: char| !it.is_ascii_digit() && it != '.')
        .map(digits)
        .filter(|it| !it.is_empty())
        .collect();
    let said = answer.text.split(|it: char| !it.is_ascii_digit() && it != '.' && it != ',').map(digits);
    let is_held = |number: &String| {
        let significant = number.trim_end_matches('0');
        let lead = &significant[..significant.len().saturating_sub(1).max(1).min(significant.len())];
        held_numbers.iter().any(|other| other.starts_with(lead))
    };
    said.filter(|number| number.len() > 2 && !is_held(number)).collect()
}
