//! What is found by meaning, and what is done where the endpoint is down, slow or says what cannot be.

use library::{Embedded, Ending, Extractive, Library, Question, ReasonLimits, Retrieval, Scope};
use llm::FallbackReason;
use testkit::model_server::{Line, Meanings, ModelServer};

use crate::{DIMENSIONS, add, library, meanings, open, policy};

const GUIDE: &str = "# Guide\n\n## Sessions\n\nA session expires after 30 minutes of silence.\n\n## Keys\n\nA key is sent in a \
                     header.\n\n## Limits\n\nA body has two megabytes.\n\n## Logs\n\nThe level is info.\n";

/// Says nothing in the guide's words.
const PARAPHRASE: &str = "login slumber period lapse";

async fn found(library: &Library, question: &str) -> (Retrieval, Vec<String>) {
    let scope = Scope::of_caller("me");
    let found = library.search(&scope, Question::alone(question), None).await.unwrap();
    let headings = found.results.into_iter().map(|result| result.chunk.path.last().unwrap().clone());
    (found.retrieval, headings.collect())
}

fn embed() -> Line {
    Line::Embed(meanings())
}

#[tokio::test]
async fn a_paraphrase_is_found_and_answered_by_its_meaning() {
    let home = tempfile::tempdir().unwrap();
    let server = ModelServer::start([embed()]);
    let (_store, library) = library(home.path(), &server, "small").await;
    add(&library, ("me", "docs"), "guide.md", GUIDE).await;
    assert_eq!(found(&library, PARAPHRASE).await, (Retrieval::Lexical, Vec::new()), "no vectors yet");
    let embedded = library.embed().await.unwrap();
    assert_eq!(embedded, Embedded { paragraphs: 4, ..Embedded::default() });
    let (retrieval, headings) = found(&library, PARAPHRASE).await;
    assert_eq!((retrieval, headings[0].as_str()), (Retrieval::Hybrid, "Sessions"));
    let (retrieval, headings) = found(&library, "header key").await;
    assert_eq!((retrieval, headings[0].as_str()), (Retrieval::Hybrid, "Keys"));

    let writer = Extractive { sentences_max: 3, code_chars_max: 600 };
    let scope = Scope::of_caller("me");
    let question = Question::alone(PARAPHRASE);
    let gathered = library.gather(&scope, question, ReasonLimits::default()).await.unwrap();
    assert!(gathered.likeness > 0.6 && gathered.sources.len() == 1, "{gathered:?}");
    let ending = library.reason(&scope, question, ReasonLimits::default(), &writer).await.unwrap();
    let Ending::Answer(answer) = ending else { panic!("{ending:?}") };
    assert!(answer.report.was_synthesized, "its meaning is evidence enough: {answer:?}");
    assert_eq!(answer.report.retrieval, Retrieval::Hybrid);

    let asked = server.asked();
    assert!(asked.iter().all(|asked| asked.path == "/v1/embeddings" && asked.body["model"] == "small"));
    let texts: Vec<usize> = asked.iter().map(|asked| asked.body["input"].as_array().unwrap().len()).collect();
    assert_eq!(texts[..3], [3, 1, 1], "two requests for four paragraphs, then questions");
}

#[tokio::test]
async fn vectors_are_kept_and_made_anew_for_another_model() {
    let home = tempfile::tempdir().unwrap();
    let server = ModelServer::start([embed()]);
    let (store, first) = library(home.path(), &server, "small").await;
    add(&first, ("me", "docs"), "guide.md", GUIDE).await;
    first.embed().await.unwrap();
    // What did not change keeps its vector.
    add(&first, ("me", "docs"), "guide.md", &GUIDE.replace("two megabytes", "three megabytes")).await;
    assert_eq!(found(&first, PARAPHRASE).await.0, Retrieval::Lexical, "a paragraph has none");
    assert_eq!(first.embed().await.unwrap().paragraphs, 1);
    assert_eq!(found(&first, PARAPHRASE).await.0, Retrieval::Hybrid);
    drop(first);
    store.close().await;

    let (store, again) = library(home.path(), &server, "small").await;
    assert_eq!(again.embed().await.unwrap(), Embedded::default(), "they outlive the process");
    assert_eq!(found(&again, PARAPHRASE).await.0, Retrieval::Hybrid);
    drop(again);
    store.close().await;

    let (_store, other) = library(home.path(), &server, "large").await;
    assert_eq!(found(&other, PARAPHRASE).await.0, Retrieval::Lexical, "vectors of two models do not mix");
    assert_eq!(other.embed().await.unwrap().paragraphs, 4);
    assert_eq!(found(&other, PARAPHRASE).await.0, Retrieval::Hybrid);
}

#[tokio::test]
async fn words_do_where_the_endpoint_does_not() {
    let home = tempfile::tempdir().unwrap();
    let server = ModelServer::start([embed()]);
    let (_store, library) = library(home.path(), &server, "small").await;
    add(&library, ("me", "docs"), "guide.md", GUIDE).await;
    library.embed().await.unwrap();
    let faults = [
        Line::Refuse { status: 500, retry_after: None },
        Line::Refuse { status: 429, retry_after: Some("1".to_owned()) },
        Line::Refuse { status: 401, retry_after: None },
        Line::Embed(Meanings { dimensions: DIMENSIONS + 1, ..meanings() }),
        Line::Embed(Meanings { missing: 1, ..meanings() }),
        Line::Garble,
        Line::Break("cut off".to_owned()),
        Line::Say("no vectors".to_owned()),
    ];
    for fault in faults {
        server.go_on([fault.clone()]);
        let (retrieval, headings) = found(&library, "When does a session expire?").await;
        assert_eq!((retrieval, headings[0].as_str()), (Retrieval::Lexical, "Sessions"), "{fault:?}");
    }
    server.go_on([embed()]);
    assert_eq!(found(&library, PARAPHRASE).await.0, Retrieval::Hybrid, "it is asked again once it is well");
}

#[tokio::test]
async fn a_search_does_not_wait_for_an_endpoint_that_hangs() {
    let home = tempfile::tempdir().unwrap();
    let server = ModelServer::start([embed()]);
    let (_store, library) = open(home.path(), &policy(&server.base_url(), "small", 50)).await;
    add(&library, ("me", "docs"), "guide.md", GUIDE).await;
    library.embed().await.unwrap();
    server.go_on([Line::Hang]);
    let (retrieval, headings) = found(&library, "When does a session expire?").await;
    assert_eq!((retrieval, headings[0].as_str()), (Retrieval::Lexical, "Sessions"));
}

#[tokio::test]
async fn documents_wait_for_an_endpoint_that_fails() {
    let home = tempfile::tempdir().unwrap();
    let failing = Line::Refuse { status: 503, retry_after: None };
    let server = ModelServer::start([embed(), failing]);
    let (_store, library) = library(home.path(), &server, "small").await;
    add(&library, ("me", "docs"), "guide.md", GUIDE).await;
    let embedded = library.embed().await.unwrap();
    let fault = Some(FallbackReason::ServerError(503));
    assert_eq!(embedded, Embedded { paragraphs: 3, refused: 0, fault }, "what was made is kept");
    assert_eq!(found(&library, PARAPHRASE).await.0, Retrieval::Lexical);
    server.go_on([embed()]);
    assert_eq!(library.embed().await.unwrap().paragraphs, 1);
    assert_eq!(found(&library, PARAPHRASE).await.0, Retrieval::Hybrid);
}

#[tokio::test]
async fn a_text_that_is_refused_keeps_no_other_from_its_vector() {
    let home = tempfile::tempdir().unwrap();
    let server = ModelServer::start([Line::Embed(Meanings { refused: Some("header"), ..meanings() })]);
    let (_store, library) = library(home.path(), &server, "small").await;
    add(&library, ("me", "docs"), "guide.md", GUIDE).await;
    let embedded = library.embed().await.unwrap();
    assert_eq!((embedded.paragraphs, embedded.refused, embedded.fault), (3, 1, None));
    server.go_on([Line::Refuse { status: 400, retry_after: None }]);
    add(&library, ("you", "docs"), "guide.md", GUIDE).await;
    let refused = library.embed().await.unwrap();
    assert_eq!(refused.fault, Some(FallbackReason::Rejected(400)), "a model that takes nothing is no model");
}
