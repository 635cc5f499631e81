//! Answers checked against what was gathered.

use super::*;
use crate::reason::gather::Gathered;

fn source(id: &str, content: &str) -> Source {
    Source {
        chunk_id: id.to_owned(),
        document_id: format!("d_{id}"),
        document_title: "Guide".to_owned(),
        document_url: None,
        document_version: 1,
        path: vec!["Guide".to_owned()],
        range: 10..10 + content.len(),
        sha256: String::new(),
        content: content.to_owned(),
        score: 1.0,
    }
}

fn gathered() -> Gathered {
    let sources = vec![
        source("c_1", "Intro here. A session token expires after 60 minutes."),
        source("c_2", "The session token expires after 30 minutes."),
    ];
    Gathered { sources, coverage: 0.9, confidence: 0.8, tokens: 30, is_truncated: false }
}

fn check(written: &Written) -> Reasoned {
    checked(gathered(), written, |_| 1.0, &policy::Policy::shipped().unwrap().library)
}

fn kinds(reasoned: &Reasoned) -> Vec<ReasonGapKind> {
    reasoned.gaps.iter().map(|gap| gap.kind).collect()
}

fn sufficient(answer: &str) -> Written {
    Written { answer: answer.to_owned(), is_sufficient: true, ..Written::default() }
}

#[test]
fn an_answer_cites_what_there_is() {
    let reasoned = check(&Written {
        cited: vec![2, 7],
        ..sufficient(
            "A session token expires after 60 minutes [2][1] [9]. Cats purr softly at night [[c_1]].",
        )
    });
    assert_eq!(
        reasoned.answer,
        "A session token expires after 60 minutes [1][2]. Cats purr softly at night [2]."
    );
    let quotes: Vec<(usize, &str, usize)> = reasoned
        .citations
        .iter()
        .map(|citation| (citation.ordinal, citation.quote.text.as_str(), citation.quote.range.start))
        .collect();
    assert_eq!(
        quotes,
        [
            (2, "The session token expires after 30 minutes.", 10),
            (1, "A session token expires after 60 minutes.", 22),
        ]
    );
    assert_eq!((reasoned.report.citations_dropped, reasoned.report.weak_citations), (2, 1));
    assert!(
        matches!(&reasoned.conflicts[..], [SourceConflict::Found(conflict)] if conflict.sides[0].value == "60 minutes")
    );
    assert_eq!(kinds(&reasoned), []);
}

#[test]
fn an_answer_that_cites_nothing_is_a_gap() {
    let reasoned = check(&sufficient("Sessions expire some day [9]."));
    assert_eq!((reasoned.answer.as_str(), kinds(&reasoned)), ("", vec![ReasonGapKind::UncitedAnswer]));
    assert_eq!(reasoned.support, []);
}

#[test]
fn what_does_not_suffice_has_a_gap_though_the_writer_forgot() {
    let reasoned = check(&Written { is_sufficient: false, ..sufficient("It expires [1].") });
    assert_eq!(kinds(&reasoned), [ReasonGapKind::Insufficient]);
    let named =
        Written { gaps: vec!["The cookie's age".to_owned()], is_sufficient: false, ..sufficient("So [1].") };
    assert_eq!(kinds(&check(&named)), [ReasonGapKind::Missing]);
}

#[test]
fn a_told_conflict_needs_two_sources() {
    let reasoned = check(&Written {
        conflicts: vec![
            ("Both".to_owned(), vec![1, 2, 2]),
            ("One".to_owned(), vec![1, 1]),
            ("None".to_owned(), vec![8, 9]),
        ],
        ..sufficient("It expires [1].")
    });
    let told: Vec<&SourceConflict> =
        reasoned.conflicts.iter().filter(|one| matches!(one, SourceConflict::Told { .. })).collect();
    assert_eq!(told, [&SourceConflict::Told { text: "Both".to_owned(), sources: vec![1, 2] }]);
    assert_eq!(reasoned.report.citations_dropped, 2);
}

#[tokio::test]
async fn sentences_of_the_sources_answer_without_a_model() {
    let sources = vec![
        source(
            "c_1",
            "# Heading\n\nIntro [1] here. The `char` type takes **four bytes** of memory.\n\n```\ncode four bytes\n```\n",
        ),
        source("c_2", "Strings grow. A char holds one Unicode scalar value."),
    ];
    let evidence =
        Evidence { question: "How many bytes does a char hold on Mars?", sources: &sources, coverage: 0.7 };
    let written = Extractive { sentences_max: 3 }.write(&evidence).await.unwrap();
    assert_eq!(
        written.answer,
        "The char type takes four bytes of memory. [1] A char holds one Unicode scalar value. [2]"
    );
    assert_eq!(written.gaps, ["Not found: many, Mars"]);
    assert!(!written.is_sufficient);
}
