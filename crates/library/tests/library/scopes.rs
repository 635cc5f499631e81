//! Nothing of another scope is ever seen.

use std::collections::BTreeSet;

use library::{Direction, Ending, Extractive, Library, Question, ReasonLimits, Scope};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use store::StoredChunk;

use crate::{NOW, add, in_memory};

const CALLERS: [&str; 2] = ["ann", "bob"];
const COLLECTIONS: [&str; 2] = ["red", "blue"];
const WORDS: [&str; 6] = ["session token", "expires", "guide of ann", "secret of bob", "level", "red blue"];

#[derive(Clone, Debug)]
struct Move {
    caller: usize,
    collection: Option<usize>,
    document: Option<usize>,
    words: usize,
    kind: usize,
    /// Which of the chunks that anyone was shown is asked about.
    chunk: usize,
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let one = (
        0..2_usize,
        prop::option::of(0..2_usize),
        prop::option::of(0..8_usize),
        0..6_usize,
        0..7_usize,
        0..64_usize,
    );
    let one = one.prop_map(|(caller, collection, document, words, kind, chunk)| Move {
        caller,
        collection,
        document,
        words,
        kind,
        chunk,
    });
    prop::collection::vec(one, 1..14)
}

struct World {
    library: Library,
    /// Each document with its caller and collection.
    documents: Vec<(String, String, String)>,
    chunks: Vec<String>,
}

async fn world() -> World {
    let library = in_memory().await;
    let mut documents = Vec::new();
    for caller in CALLERS {
        for collection in COLLECTIONS {
            for name in ["one", "two"] {
                let text = format!(
                    "# The guide of {caller}\n\n## Secret of {caller}\n\nThe session token of {collection} expires after {} \
                     minutes.\n\n## Level\n\nThe level of {name} is {collection}.\n",
                    documents.len()
                );
                let document = add(&library, caller, collection, name, &text).await;
                let id = library.collection(caller, collection, NOW).await.unwrap().collection_id;
                documents.push((document, caller.to_owned(), id));
            }
        }
    }
    let mut chunks = Vec::new();
    for caller in CALLERS {
        let found = library
            .search(&Scope::of_caller(caller), Question::alone("session level"), Some(50))
            .await
            .unwrap();
        for result in found.results {
            chunks.extend(result.chunk.parent_id);
            chunks.push(result.chunk.chunk_id);
        }
    }
    World { library, documents, chunks }
}

impl World {
    async fn seen(&self, step: &Move) -> (Scope, Vec<StoredChunk>, Vec<String>) {
        let mut scope = Scope::of_caller(CALLERS[step.caller]);
        if let Some(collection) = step.collection {
            // Another caller's collections are asked for as well.
            scope = scope.in_collections([self.documents[collection * 2 + 2].2.clone()]);
        }
        if let Some(document) = step.document {
            scope = scope.in_document(self.documents[document].0.clone());
        }
        let question = Question::alone(WORDS[step.words]);
        let chunk = &self.chunks[step.chunk % self.chunks.len()];
        let directions = [Direction::Up, Direction::Down, Direction::Surrounding, Direction::Next];
        let mut documents = Vec::new();
        let chunks = match step.kind {
            0 => {
                let found = self.library.search(&scope, question, None).await.unwrap();
                found.results.into_iter().map(|result| result.chunk).collect()
            }
            1 => {
                let session = self.library.open_session(scope.caller(), NOW).session_id;
                let found =
                    self.library.search_in_session(&scope, question, None, &session, NOW).await.unwrap();
                found.results.into_iter().map(|result| result.chunk).collect()
            }
            2 => self.library.read(&scope, chunk).await.unwrap().into_iter().collect(),
            3 => {
                let writer = Extractive { sentences_max: 3 };
                let ending =
                    self.library.reason(&scope, question, ReasonLimits::default(), &writer).await.unwrap();
                let Ending::Answer(answer) = ending else { panic!("{ending:?}") };
                documents = answer.sources.into_iter().map(|source| source.document_id).collect();
                Vec::new()
            }
            kind => {
                let direction = directions[kind % directions.len()];
                self.library.expand(&scope, chunk, direction, None).await.unwrap().unwrap_or_default()
            }
        };
        (scope, chunks, documents)
    }

    fn allowed(&self, step: &Move) -> BTreeSet<&str> {
        let collection = step.collection.map(|collection| &self.documents[collection * 2 + 2].2);
        let document = step.document.map(|document| &self.documents[document].0);
        let own = self.documents.iter().filter(|(id, caller, of)| {
            caller == CALLERS[step.caller]
                && collection.is_none_or(|collection| collection == of)
                && document.is_none_or(|document| document == id)
        });
        own.map(|(id, _, _)| id.as_str()).collect()
    }
}

#[test]
fn no_sequence_of_calls_shows_a_chunk_of_another_scope() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let world = runtime.block_on(world());
    let mut runner = TestRunner::new(Config { cases: 128, failure_persistence: None, ..Config::default() });
    let outcome = runner.run(&moves(), |moves| {
        runtime.block_on(async {
            for step in &moves {
                let (scope, chunks, documents) = world.seen(step).await;
                let allowed = world.allowed(step);
                for chunk in &chunks {
                    prop_assert!(allowed.contains(chunk.document_id.as_str()), "{scope:?} saw {chunk:?}");
                }
                for document in &documents {
                    prop_assert!(allowed.contains(document.as_str()), "{scope:?} was told of {document}");
                }
            }
            Ok(())
        })
    });
    outcome.unwrap();
}

#[tokio::test]
async fn a_scope_of_no_collection_is_empty_and_not_everything() {
    let world = world().await;
    let nothing = Scope::of_caller("ann").in_collections([]);
    let found = world.library.search(&nothing, Question::alone("session token"), None).await.unwrap();
    assert_eq!(found.results, []);
}
