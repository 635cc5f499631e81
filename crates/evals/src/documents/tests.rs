//! The measures of documents, on sets of a few lines.

use std::fs;

use super::*;

fn write(directory: &Path, file: &str, lines: &[&str]) {
    fs::create_dir_all(directory).unwrap();
    fs::write(directory.join(file), lines.join("\n")).unwrap();
}

#[tokio::test]
async fn sets_are_measured_beside_flat_bm25() {
    let home = tempfile::TempDir::new().unwrap();
    let texts = home.path().join("clapnq-dev");
    write(
        &texts,
        "corpus.jsonl",
        &[
            r#"{"id": "a", "title": "Cats", "text": "The Russian Blue is a quiet cat with a double coat."}"#,
            r#"{"id": "b", "title": "Dogs", "text": "The beagle follows a scent for hours."}"#,
        ],
    );
    write(
        &texts,
        "queries.jsonl",
        &[
            r#"{"id": "1", "question": "which cat has a double coat", "relevant": {"a": 1}, "distractor": [], "answerable": true}"#,
            r#"{"id": "2", "question": "how fast does a beagle run downhill", "relevant": {}, "distractor": ["b"], "answerable": false}"#,
        ],
    );
    let cut = home.path().join("docs-hier");
    write(
        &cut,
        "chunks.jsonl",
        &[
            r#"{"id": "d#0", "doc": "d", "level": "document", "parent": null, "path": ["Guide"], "text": "All of it", "collection": "books"}"#,
            r#"{"id": "d#1", "doc": "d", "level": "section", "parent": "d#0", "path": ["Guide", "Logging"], "text": "Set it.", "collection": "books"}"#,
            r#"{"id": "d#2", "doc": "d", "level": "paragraph", "parent": "d#1", "path": ["Guide", "Logging"], "text": "Set it.", "collection": "books"}"#,
        ],
    );
    write(
        &cut,
        "queries.jsonl",
        &[
            r#"{"id": "1", "scope": "books", "question": "How do I set up logging?", "answerable": true, "relevant_paragraphs": ["d#2"]}"#,
            r#"{"id": "2", "scope": "films", "question": "How do I set up logging?", "answerable": false, "relevant_paragraphs": []}"#,
        ],
    );
    write(
        &home.path().join("claim-support"),
        "claims.jsonl",
        &[
            r#"{"label": "supported", "claim": "A char takes four bytes.", "evidence": ["A char takes four bytes."]}"#,
            r#"{"label": "supported", "claim": "Sessions expire.", "evidence": ["Sessions expire after an hour."]}"#,
        ],
    );
    let policy = policy::Policy::shipped().unwrap().library;
    let report = documents(home.path(), &policy, || 0, |_| ()).await.unwrap();
    let told: Vec<(&str, usize, f64)> =
        report.sets.iter().map(|set| (set.name.as_str(), set.items, set.library.recall_at_5.value)).collect();
    assert_eq!(told, [("clapnq-dev", 2, 1.0), ("docs-hier", 1, 1.0)]);
    let areas: Vec<(&str, bool, f64)> =
        report.abstention.iter().map(|one| (one.name.as_str(), one.is_page_absent, one.auc.value)).collect();
    assert_eq!(areas, [("clapnq-dev", false, 1.0), ("clapnq-dev", true, 1.0), ("docs-hier", true, 1.0)]);
    let flagged = &report.claims[0];
    assert_eq!((flagged.swapped.hits, flagged.swapped.of, flagged.false_alarms.hits), (10, 10, 0));
    assert_eq!(report.skipped.len(), 2, "{:?}", report.skipped);
    let gates: crate::Gates = toml::from_str(
        "[documents.sets.docs]\nrecallAt5Gain = { min = 0.5 }\n[documents.sets.claim]\nfalseAlarmRate = { max = 0.03 }\n\
         [documents.sets.scifact]\nndcgAt10Gain = { min = 0.1 }",
    )
    .unwrap();
    let verdicts = gates.documents(&report);
    let told: Vec<(&str, bool)> =
        verdicts.iter().map(|verdict| (verdict.measure.as_str(), verdict.passed)).collect();
    assert_eq!(told, [("docs-hier: recallAt5Gain", false), ("claim-support: falseAlarmRate", true)]);
    let text = crate::report::documents("here", &report, &verdicts);
    assert!(text.contains("gates: 1 of 2 gates failed") && text.contains("skipped"), "{text}");
}

#[test]
fn areas_are_what_counting_pairs_gives() {
    assert!((Auc::of(&[0.9, 0.5], &[0.5, 0.1]).value - 0.875).abs() < 1e-9);
    assert!((Auc::of(&[], &[0.5]).value - 0.5).abs() < 1e-9);
}
