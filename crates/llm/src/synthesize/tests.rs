//! Answers over hand-written evidence.

use domain::{Confidence, Evidence, Fact, Freshness, Level, SourceRef, View, ViewKind, ViewRow};
use policy::Policy;
use reading::{Question, Reading};
use serde_json::{Value, json};

use crate::SynthesisBrief;

fn reading(question: &str) -> Reading {
    let form = Question::read(question, "2026-03-18T14:30:00Z".parse().unwrap()).form;
    Reading {
        order: form.order,
        limit: form.limit,
        measures: Vec::new(),
        dimensions: Vec::new(),
        entities: Vec::new(),
        window: None,
        dated: None,
        turned: None,
        open: Vec::new(),
        parts: Vec::new(),
        form: Box::new(form),
    }
}

fn evidence(kind: ViewKind, columns: &[&str], rows: &[&[&str]], facts: &[(&str, Value)]) -> Evidence {
    let source = SourceRef {
        id: "source-1".to_owned(),
        provider: "Exchange Flows".to_owned(),
        dataset: "get_exchange_flow".to_owned(),
        observed_at: "2026-03-18T14:30:00Z".parse().unwrap(),
        published_at: None,
        artifact: None,
        url: None,
        note: Some("Sample data. Called with {}.".to_owned()),
    };
    let fact = |(at, (label, value)): (usize, &(&str, Value))| Fact {
        id: format!("path_lookup:{at}"),
        label: (*label).to_owned(),
        path: None,
        relevance: Some(1.0),
        value: value.clone(),
        source: None,
    };
    let row = |(at, cells): (usize, &&[&str])| ViewRow {
        key: format!("row-{at}"),
        cells: cells.iter().map(|cell| (*cell).to_owned()).collect(),
        tone: None,
        sources: Vec::new(),
    };
    Evidence {
        facts: facts.iter().enumerate().map(fact).collect(),
        sources: vec![source],
        assumptions: vec!["\"last 3 days\" is taken as 7d, the nearest `window`".to_owned()],
        known_unknowns: Vec::new(),
        conflicts: Vec::new(),
        retrieval_reasons: Vec::new(),
        view: View {
            kind,
            title: String::new(),
            metrics: Vec::new(),
            columns: columns.iter().map(|column| (*column).to_owned()).collect(),
            rows: rows.iter().enumerate().map(row).collect(),
        },
        freshness: Freshness { as_of: None, observed: Vec::new() },
        market: None,
        confidence: Confidence {
            level: Level::High,
            reason: String::new(),
            verified_facts: 0,
            inferred_facts: 0,
            gaps: Vec::new(),
        },
    }
}

fn answer(question: &str, evidence: &Evidence) -> String {
    let limits = Policy::shipped().unwrap().evidence.answer;
    super::answer(&SynthesisBrief { question, reading: &reading(question), evidence, limits: &limits })
}

#[test]
fn a_ranking_is_said_in_the_questions_own_words() {
    let rows: &[&[&str]] = &[&["1", "Binance", "182432211"], &["2", "Kraken", "90000000"]];
    let evidence = evidence(ViewKind::Leaderboard, &["Rank", "Exchange", "Gross inflow USD"], rows, &[]);
    insta::assert_snapshot!(answer("Which exchanges saw the largest BTC inflows in the last 3 days?", &evidence), @r#"
    Binance saw the largest BTC inflows in the last 3 days: $182,432,211 (gross inflow).

    | Rank | Exchange | Gross inflow USD |
    | --- | --- | --- |
    | 1 | Binance | $182,432,211 |
    | 2 | Kraken | $90,000,000 |

    "last 3 days" is taken as 7d, the nearest `window`. This is sample data, not a real measurement.

    Source: Exchange Flows (`get_exchange_flow`).
    "#);
    let said = answer("Rank the exchanges by lowest inflow", &evidence);
    assert!(said.starts_with("By gross inflow, Binance has the least: $182,432,211."), "{said}");
}

#[test]
fn one_value_is_said_first() {
    let evidence = evidence(
        ViewKind::Table,
        &["Evidence", "Value"],
        &[&["Price", "97000.5"]],
        &[("Price", json!(97000.5)), ("Venue", json!("Kraken"))],
    );
    let said = answer("What is the price of BTC?", &evidence);
    assert!(said.starts_with("The price of BTC is 97,000.5.\n\n- Venue: Kraken"), "{said}");
}

#[test]
fn a_figure_of_another_kind_is_not_said_in_the_questions_words() {
    let evidence =
        evidence(ViewKind::Table, &["Evidence", "Value"], &[], &[("Price", json!(9)), ("Fee", json!(1))]);
    assert!(answer("What is the expected price of BTC?", &evidence).starts_with("Price: 9.\n"));
    assert!(
        answer("What is the current price of BTC?", &evidence)
            .starts_with("The current price of BTC is 9.\n")
    );
}

#[test]
fn yes_and_no_need_a_flag_that_the_question_names() {
    let flag = evidence(ViewKind::Table, &["Evidence", "Value"], &[], &[("Is anomaly", json!(true))]);
    assert!(answer("Is the BTC inflow an anomaly?", &flag).starts_with("Yes: is anomaly is true."));
    let other = evidence(ViewKind::Table, &["Evidence", "Value"], &[], &[("Is open", json!(true))]);
    assert!(!answer("Is the BTC inflow an anomaly?", &other).starts_with("Yes"));
}

#[test]
fn comparisons_and_series_name_both_ends() {
    let two = evidence(ViewKind::Table, &["Asset", "Price"], &[&["ETH", "3400"], &["BTC", "97000"]], &[]);
    assert!(
        answer("Compare the price of BTC and ETH", &two)
            .starts_with("BTC has the highest price: 97,000, against 3,400 for ETH.")
    );
    let line = evidence(
        ViewKind::Timeseries,
        &["Time", "Open interest"],
        &[&["2026-03-17", "5"], &["2026-03-18", "7"]],
        &[],
    );
    assert!(
        answer("Open interest trend", &line)
            .starts_with("Open interest went from 5 (2026-03-17) to 7 (2026-03-18).")
    );
}

#[test]
fn nothing_is_said_of_nothing() {
    let nothing = evidence(ViewKind::Table, &["Evidence", "Value"], &[], &[]);
    assert!(answer("What is the price of BTC?", &nothing).starts_with("The results hold nothing"));
}

#[test]
fn as_many_rows_are_shown_as_are_asked_for() {
    let rows: [&[&str]; 12] = [&["Rain", "harbour"]; 12];
    let found = evidence(ViewKind::Table, &["Title", "Topic"], &rows, &[]);
    let shown = |question: &str| {
        let text = answer(question, &found);
        (text.matches("| Rain |").count(), text.contains("More rows are in the evidence."))
    };
    assert_eq!(shown("list the stories about rain"), (10, true));
    assert_eq!(shown("show the first 3 stories"), (10, true));
    assert_eq!(shown("latest 12 stories"), (12, false));
}

#[test]
fn no_number_is_made_up() {
    let rows: &[&[&str]] = &[&["1", "A", "1234567.891"], &["2", "B", "12"]];
    let evidence = evidence(ViewKind::Leaderboard, &["Rank", "Name", "Volume"], rows, &[]);
    let said = answer("Which names have the most volume?", &evidence).replace(',', "");
    let known = ["1", "2", "3", "7", "12", "1234567.891"];
    for number in said
        .split(|c: char| !(c.is_ascii_digit() || c == '.'))
        .map(|text| text.trim_matches('.'))
        .filter(|text| !text.is_empty())
    {
        assert!(known.contains(&number), "{number}");
    }
}
