//! Searching, reading, expanding, answering.

use library::{Direction, Ending, Extractive, Question, QuoteState, ReasonGapKind, ReasonLimits, Scope};
use store::ChunkLevel;

use crate::{NOW, add, in_memory, markdown};

const GUIDE: &str = "# Guide\n\nThe guide says how the server is run.\n\n## Sessions\n\nA session token expires after 60 minutes of \
                     silence. Renew it in time.\n\n## Logging\n\nSet the level with `LOG_LEVEL`. The default level is info.\n\n\
                     ## Limits\n\nA request has 64 megabytes at the most.\n";

fn me() -> Scope {
    Scope::of_caller("me")
}

#[tokio::test]
async fn headings_and_sections_find_what_the_text_does_not_say() {
    let library = in_memory().await;
    add(&library, "me", "docs", "guide.md", GUIDE).await;
    let found = library.search(&me(), Question::alone("How is logging set up?"), None).await.unwrap();
    let best = &found.results[0];
    assert_eq!(best.chunk.path, ["Guide", "Logging"]);
    assert_eq!(best.chunk.level, ChunkLevel::Paragraph);
    assert_eq!(&GUIDE[best.chunk.range.clone()], best.chunk.content);
    assert!(best.score > 0.9 && best.coverage > 0.4, "{found:?}");
}

#[tokio::test]
async fn slips_are_corrected_where_nothing_else_covers_the_question() {
    let library = in_memory().await;
    add(&library, "me", "docs", "guide.md", GUIDE).await;
    let found = library.search(&me(), Question::alone("sesion token"), None).await.unwrap();
    assert_eq!(found.results[0].chunk.path, ["Guide", "Sessions"]);
    let found = library.search(&me(), Question::alone("megabites"), None).await.unwrap();
    assert_eq!(found.corrected, [("megabit".to_owned(), "megabyt".to_owned())]);
    assert_eq!(found.results[0].chunk.path, ["Guide", "Limits"]);
}

#[tokio::test]
async fn the_turn_before_says_what_is_meant() {
    let library = in_memory().await;
    add(&library, "me", "docs", "guide.md", GUIDE).await;
    let question = Question { text: "What is the default?", previous: Some("How do I set the log level?") };
    let found = library.search(&me(), question, None).await.unwrap();
    assert_eq!(found.results[0].chunk.path, ["Guide", "Logging"]);
}

#[tokio::test]
async fn a_session_shows_nothing_twice() {
    let library = in_memory().await;
    add(&library, "me", "docs", "guide.md", GUIDE).await;
    let session = library.open_session("me", NOW).await.unwrap().session_id;
    let question = Question::alone("session level request guide");
    let mut seen = Vec::new();
    for _ in 0..5 {
        let found = library.search_in_session(&me(), question, Some(1), &session, NOW).await.unwrap();
        seen.extend(found.results.into_iter().map(|result| result.chunk.chunk_id));
    }
    let all = library.search(&me(), question, None).await.unwrap().results.len();
    assert_eq!(seen.len(), all);
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), all);
    assert!(library.search_in_session(&me(), question, None, "s_none", NOW).await.is_err());
}

#[tokio::test]
async fn chunks_lead_to_those_around_them() {
    let library = in_memory().await;
    add(&library, "me", "docs", "guide.md", GUIDE).await;
    let found = library.search(&me(), Question::alone("default log level"), Some(1)).await.unwrap();
    let chunk = &found.results[0].chunk;
    let mine = me();
    let around = |direction| library.expand(&mine, &chunk.chunk_id, direction, None);
    let parent = around(Direction::Up).await.unwrap().unwrap();
    assert_eq!((parent.len(), parent[0].level), (1, ChunkLevel::Section));
    let paths = |chunks: &[store::StoredChunk]| -> Vec<String> {
        chunks.iter().map(|chunk| chunk.path.last().unwrap().clone()).collect()
    };
    // An only child: the surroundings are those of its section.
    let beside = around(Direction::Surrounding).await.unwrap().unwrap();
    assert_eq!(paths(&beside), ["Guide", "Sessions", "Limits"]);
    assert_eq!(around(Direction::Next).await.unwrap().unwrap(), []);
    let library_read = library.read(&me(), &parent[0].chunk_id).await.unwrap().unwrap();
    let next =
        library.expand(&me(), &library_read.chunk_id, Direction::Next, Some(1)).await.unwrap().unwrap();
    let previous =
        library.expand(&me(), &library_read.chunk_id, Direction::Previous, Some(1)).await.unwrap().unwrap();
    assert_eq!((paths(&previous), paths(&next)), (vec!["Sessions".to_owned()], vec!["Limits".to_owned()]));
    let down = library.expand(&me(), &library_read.chunk_id, Direction::Down, None).await.unwrap().unwrap();
    assert_eq!(down[0].chunk_id, chunk.chunk_id);
    assert_eq!(library.expand(&me(), "c_none", Direction::Up, None).await.unwrap(), None);
}

#[tokio::test]
async fn questions_are_answered_from_the_sources_or_not_at_all() {
    let library = in_memory().await;
    add(&library, "me", "docs", "guide.md", GUIDE).await;
    let notes = "# Notes\n\n## Sessions\n\nThe session token expires after 30 minutes of silence.\n";
    let document = add(&library, "me", "docs", "notes.md", notes).await;
    let writer = Extractive { sentences_max: 3, code_chars_max: 600 };
    let question = Question::alone("When does a session token expire?");
    let ending = library.reason(&me(), question, ReasonLimits::default(), &writer).await.unwrap();
    let Ending::Answer(answer) = ending else { panic!("{ending:?}") };
    assert!(answer.answer.contains("expires after") && answer.answer.contains("[1]"), "{answer:?}");
    assert_eq!(answer.conflicts.len(), 1, "{answer:?}");
    assert_eq!(answer.report.weak_citations, 0);
    for citation in &answer.citations {
        assert_eq!(library.quote_state(&me(), &citation.quote).await.unwrap(), QuoteState::Same);
    }

    let nothing = library
        .reason(&me(), Question::alone("weather in Paris"), ReasonLimits::default(), &writer)
        .await
        .unwrap();
    let Ending::Answer(nothing) = nothing else { panic!("{nothing:?}") };
    assert_eq!((nothing.gaps[0].kind, nothing.report.was_synthesized), (ReasonGapKind::NoEvidence, false));

    let quote = answer.citations[0].quote.clone();
    assert_eq!((&quote.document_id, &notes[quote.range.clone()]), (&document, quote.text.as_str()));
    add(&library, "me", "docs", "notes.md", &format!("New first line.\n\n{notes}")).await;
    let moved = library.quote_state(&me(), &quote).await.unwrap();
    assert_eq!(moved, QuoteState::Moved(quote.range.start + 17..quote.range.end + 17));
    add(&library, "me", "docs", "notes.md", "# Notes\n\nNothing is said of it now.\n").await;
    assert_eq!(library.quote_state(&me(), &quote).await.unwrap(), QuoteState::Changed);
    assert!(library.remove("me", &document).await.unwrap());
    assert_eq!(library.quote_state(&me(), &quote).await.unwrap(), QuoteState::Gone);
}

#[tokio::test]
async fn what_is_given_again_is_known() {
    let library = in_memory().await;
    let collection = library.collection("me", "docs", NOW).await.unwrap().collection_id;
    let first = library.add("me", &collection, markdown("a.md", GUIDE), NOW).await.unwrap();
    let again = library.add("me", &collection, markdown("a.md", GUIDE), NOW).await.unwrap();
    assert_eq!((first.is_unchanged, again.is_unchanged, again.document.version), (false, true, 1));
    let changed = library.add("me", &collection, markdown("a.md", "# Guide\n\nNew.\n"), NOW).await.unwrap();
    assert_eq!((changed.document.version, changed.document.chunks), (2, 3));
    let found = library.search(&me(), Question::alone("session token"), None).await.unwrap();
    assert_eq!(found.results, [], "the old version is not found any more");
    assert!(
        library.add("you", &collection, markdown("a.md", GUIDE), NOW).await.is_err(),
        "another's collection"
    );
}
