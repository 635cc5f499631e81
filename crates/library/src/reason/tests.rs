//! Answers checked against what was gathered.

use std::sync::LazyLock;

use proptest::prelude::*;
use sha2::{Digest, Sha256};

use cite::{Sources, Style};

use super::check::checked;
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
    Gathered {
        sources,
        coverage: 0.9,
        confidence: 0.8,
        likeness: 0.0,
        retrieval: Retrieval::Lexical,
        tokens: 30,
        is_truncated: false,
    }
}

static POLICY: LazyLock<policy::Library> = LazyLock::new(|| policy::Policy::shipped().unwrap().library);

fn check(written: &Written) -> Reasoned {
    checked(gathered(), written, |_| 1.0, &POLICY)
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
    let written = Extractive { sentences_max: 3, code_chars_max: 600 }.write(&evidence).await.unwrap();
    assert_eq!(
        written.answer,
        "The char type takes four bytes of memory. [1] A char holds one Unicode scalar value. [2]"
    );
    assert_eq!(written.gaps, ["Not found: Mars"]);
    assert!(!written.is_sufficient);
}

#[tokio::test]
async fn code_comes_with_what_leads_to_it_and_cells_with_their_headers() {
    let sources = vec![source(
        "c_1",
        "To open a session:\n\n```python\nclient.open(x[1])\n```\n\n| what | most |\n|---|---|\n| upload parts | 500 |\n",
    )];
    let writer = Extractive { sentences_max: 3, code_chars_max: 100 };
    let evidence = |question| Evidence { question, sources: &sources, coverage: 0.7 };
    let written = writer.write(&evidence("How do I open a session?")).await.unwrap();
    assert_eq!(written.answer, "To open a session: [1]\n\n```\nclient.open(x[1])\n```");
    let written = writer.write(&evidence("How many upload parts?")).await.unwrap();
    assert_eq!((written.answer.as_str(), written.gaps.len()), ("what: upload parts; most: 500 [1]", 0));
    let short = Extractive { code_chars_max: 5, ..writer };
    let written = short.write(&evidence("How do I open a session?")).await.unwrap();
    assert_eq!(written.answer, "To open a session: [1]");
}

/// Answers of a writer that cites well, badly, and to do harm.
fn written() -> impl Strategy<Value = Written> {
    let piece = prop::sample::select(vec![
        "[1]",
        "[2]",
        "[3]",
        "[0]",
        "[99]",
        "[1, 2]",
        "[2,77]",
        "[1-9]",
        "[[c_1]]",
        "[[c_2]]",
        "[[c_9]]",
        "【2】",
        "［1］",
        "[ 2 ]",
        "[",
        "]",
        "[[",
        "]]",
        "\\",
        "`",
        "```\n",
        "\n",
        "\n\n",
        " ",
        ". ",
        "(u)",
        "[1](u)",
        "[t][1]",
        "[1]: u",
        "[^1]",
        "> ",
        "- ",
        "Δ",
        "\u{202e}",
        "\0",
        "A session token expires after 60 minutes",
        "The cookie is blue",
        "1",
        ",",
    ]);
    let answer = prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat());
    let ordinals = || prop::collection::vec(0_usize..5, 0..4);
    (answer, ordinals(), ordinals(), any::<bool>()).prop_map(|(answer, cited, sides, is_sufficient)| {
        Written {
            answer,
            cited,
            gaps: Vec::new(),
            conflicts: vec![("They differ".to_owned(), sides)],
            is_sufficient,
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever a writer says, every marker of the answer leads to a citation, every citation to a source that was gathered,
    /// and every quote to the words that it names.
    #[test]
    fn every_citation_is_sound(written in written()) {
        let gathered = gathered();
        let reasoned = check(&written);
        let numbers: Sources = (1..=reasoned.citations.len()).map(|number| format!("n{number}")).collect();
        let again = cite::cite(&reasoned.answer, &numbers, Style::Numbers, POLICY.markers.hold_bytes_max);
        prop_assert_eq!(again.dropped.unknown, 0, "a marker leads nowhere: {:?}", reasoned.answer);
        for (at, citation) in reasoned.citations.iter().enumerate() {
            prop_assert_eq!(citation.number, at + 1);
            let source = &gathered.sources[citation.ordinal - 1];
            let quote = &citation.quote;
            prop_assert_eq!(&quote.document_id, &source.document_id);
            let within = quote.range.start - source.range.start..quote.range.end - source.range.start;
            prop_assert_eq!(&source.content[within], &quote.text);
            prop_assert_eq!(hex::encode(Sha256::digest(&quote.text)), quote.sha256.clone());
        }
        let told = reasoned.support.iter().flat_map(|sentence| &sentence.citations);
        prop_assert!(told.into_iter().all(|cited| (1..=reasoned.citations.len()).contains(&cited.number)));
        for conflict in &reasoned.conflicts {
            let sides = match conflict {
                SourceConflict::Found(found) => found.sides.iter().map(|side| side.source).collect(),
                SourceConflict::Told { sources, .. } => sources.clone(),
            };
            prop_assert!(sides.len() >= 2 && sides.iter().all(|side| (1..=gathered.sources.len()).contains(side)));
        }
        prop_assert_eq!(reasoned.answer.is_empty(), reasoned.citations.is_empty());
        prop_assert!(!reasoned.gaps.is_empty() || (written.is_sufficient && !reasoned.citations.is_empty()));
    }
}
