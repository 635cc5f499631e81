//! Reading suites: what is found, and what is refused and how it is said.

use std::fs;

use contract::trace::DecisionReason;
use tempfile::TempDir;

use super::*;
use crate::corpus::Outcome;

const CASE: &str = r#"
[[case]]
id = "rain"
family = "clear"
query = "Rain in Rome?"
expected = ["answer"]
"#;

fn written(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn refused(files: &[(&str, &str)]) -> String {
    let folder = written(files);
    let message = read(folder.path(), "all").unwrap_err().to_string();
    assert!(!message.contains('\n'), "{message}");
    message
}

#[test]
fn clear_questions_are_joined_with_ones_for_other_methods() {
    let cases = [
        ("rain", "Rain in Rome?", "answer", r#"methods = ["get_rain"]"#),
        ("snow", "Snow in Oslo", "answer", r#"methods = ["get_rain", "get_snow"]"#),
        ("eth", "ETH price", "answer", r#"methods = ["get_price"]"#),
        ("vague", "Price?", "clarification_required", r#"methods = ["get_price"]"#),
        ("pinned", "What is it", "answer", "methods = [\"get_price\"]\npin = [\"Prices\"]"),
        ("time", "Time in Oslo", "answer", r#"methods = ["get_time"]"#),
    ];
    let texts = cases.map(|(id, query, outcome, rest)| {
        let case = CASE.replace("\"rain\"", &format!("{id:?}")).replace("Rain in Rome?", query);
        format!("{}{rest}\n", case.replace("answer", outcome))
    });
    let folder = written(&[("gates.toml", ""), ("one/a.toml", &texts.concat())]);
    let read = read(folder.path(), "one").unwrap();
    let joined = read.suites[0].joined(" and ");
    assert_eq!(joined.name, "one, joined");
    let told: Vec<(&str, &str, &str)> = joined
        .cases
        .iter()
        .map(|case| (case.id.as_str(), case.query.as_str(), case.also[0].as_str()))
        .collect();
    assert_eq!(
        told,
        [
            ("rain+eth", "Rain in Rome and ETH price", "get_price"),
            ("snow+time", "Snow in Oslo and time in Oslo", "get_time"),
            ("eth+rain", "ETH price and rain in Rome?", "get_rain"),
            ("time+snow", "Time in Oslo and snow in Oslo", "get_rain"),
        ]
    );
}

#[test]
fn every_case_file_is_found_in_order() {
    let (second, third) = (CASE.replace("rain", "snow"), CASE.replace("rain", "wind"));
    let folder = written(&[
        ("gates.toml", ""),
        ("one/b/deep.toml", &second),
        ("one/a.toml", CASE),
        ("two/a.toml", &third),
        ("catalogs/x.json", "{}"),
    ]);
    let ids = |wanted: &str| -> Vec<(String, Vec<String>)> {
        let read = read(folder.path(), wanted).unwrap();
        let of = |suite: Suite| (suite.name, suite.cases.into_iter().map(|case| case.id).collect());
        read.suites.into_iter().map(of).collect()
    };
    let one = ("one".to_owned(), vec!["rain".to_owned(), "snow".to_owned()]);
    assert_eq!(ids("all"), [one.clone(), ("two".to_owned(), vec!["wind".to_owned()])]);
    assert_eq!(ids("one"), [one]);
    let directory = folder.path().join("two");
    assert_eq!(ids(directory.to_str().unwrap())[0].0, "two");
}

#[test]
fn unknown_keys_name_file_line_and_key() {
    let with = |line: &str| format!("{CASE}{line}\n");
    let message = refused(&[("gates.toml", ""), ("s/a.toml", &with("colour = 1"))]);
    assert!(message.contains("a.toml:7: ") && message.contains("`colour`"), "{message}");
    let message = refused(&[("gates.toml", ""), ("s/a.toml", &with("policy = \"maybe\""))]);
    assert!(message.contains("`maybe`") && message.contains("`return`"), "{message}");
    let message = refused(&[("gates.toml", "[s]\nshades = 1"), ("s/a.toml", CASE)]);
    assert!(message.contains("gates.toml:2: ") && message.contains("`shades`"), "{message}");
    let message = refused(&[("gates.toml", "[s.measures]\nluck = {min = 1.0}"), ("s/a.toml", CASE)]);
    assert!(message.contains("`luck`") && message.contains("answerHoldRate"), "{message}");
}

#[test]
fn an_id_is_taken_once() {
    let message = refused(&[("gates.toml", ""), ("s/a.toml", CASE), ("t/b.toml", CASE)]);
    assert!(message.contains("b.toml: case `rain`") && message.contains("a.toml"), "{message}");
}

#[test]
fn cases_that_cannot_hold_are_refused() {
    for (line, word) in [
        ("assumption = true", "gives clarifications back"),
        ("pair = \"lonely\"", "`lonely`"),
        ("policy = \"auto\"\nexpectedly = []", "`expectedly`"),
    ] {
        let text = format!("{CASE}{line}\n");
        let message = refused(&[("gates.toml", ""), ("s/a.toml", &text)]);
        assert!(message.contains(word), "{message}");
    }
    let auto = CASE.replace("\"answer\"", "\"clarification_required\"") + "policy = \"auto\"\n";
    assert!(refused(&[("gates.toml", ""), ("s/a.toml", &auto)]).contains("never gives one back"));
    let none = CASE.replace("\"answer\"", "");
    assert!(refused(&[("gates.toml", ""), ("s/a.toml", &none)]).contains("names no outcome"));
}

#[test]
fn what_is_not_there_is_said() {
    let folder = written(&[("gates.toml", ""), ("s/a.toml", CASE)]);
    let message = read(folder.path(), "absent").unwrap_err().to_string();
    assert!(message.contains("absent") && message.contains("there are s"), "{message}");
    assert!(read(Path::new("/nowhere"), "all").unwrap_err().to_string().contains("gates.toml"));
}

#[test]
fn an_ambiguous_question_under_auto_wants_a_clarification() {
    let text = format!("{CASE}policy = \"auto\"\nassumption = true\nreason = \"contract_scope_ambiguity\"\n");
    let folder = written(&[("gates.toml", ""), ("s/a.toml", &text)]);
    let case = read(folder.path(), "s").unwrap().suites.remove(0).cases.remove(0);
    assert_eq!(case.wanted(), Outcome::ClarificationRequired);
    assert_eq!(case.reason, Some(DecisionReason::ContractScopeAmbiguity));
}
