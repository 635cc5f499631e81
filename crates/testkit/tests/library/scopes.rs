//! Nothing of another scope is ever seen, whatever is done in whatever order, with vectors and without.

use std::collections::{BTreeMap, BTreeSet};

use library::{
    Direction, Ending, Extractive, Library, Question, Quote, QuoteState, ReasonLimits, Retrieval, Scope,
};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use testkit::model_server::{Line, ModelServer};

use crate::{NOW, add, library, meanings};

const CALLERS: [&str; 2] = ["ann", "bob"];
const COLLECTIONS: [&str; 2] = ["red", "blue"];
const NAMES: [&str; 2] = ["one", "two"];
const WORDS: [&str; 7] =
    ["session token", "expires", "guide of ann", "secret of bob", "level", "login lapse period", "the"];
const DIRECTIONS: [Direction; 5] =
    [Direction::Up, Direction::Down, Direction::Next, Direction::Previous, Direction::Surrounding];

/// One thing that a caller does, in a scope that may name collections and documents of anyone.
#[derive(Clone, Debug)]
struct Step {
    caller: usize,
    collections: Option<Vec<usize>>,
    documents: Option<Vec<usize>>,
    words: usize,
    act: Act,
}

#[derive(Clone, Debug)]
enum Act {
    Search,
    /// With one of the sessions that anyone opened.
    SearchInSession(usize),
    OpenSession,
    Literal,
    Reason,
    /// Of one of the chunks that anyone was shown.
    Read(usize),
    Expand(usize, usize),
    Quote(usize),
    /// Puts one of the caller's own documents in anew.
    Replace(usize),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let any = || 0..1_000_usize;
    let act = prop_oneof![
        3 => Just(Act::Search),
        3 => any().prop_map(Act::SearchInSession),
        1 => Just(Act::OpenSession),
        1 => Just(Act::Literal),
        2 => Just(Act::Reason),
        3 => any().prop_map(Act::Read),
        3 => (any(), 0..DIRECTIONS.len()).prop_map(|(chunk, direction)| Act::Expand(chunk, direction)),
        1 => any().prop_map(Act::Quote),
        1 => (0..4_usize).prop_map(Act::Replace),
    ];
    let some = |most: usize| prop::option::weighted(0.4, prop::collection::vec(0..most, 0..3));
    let step = (0..CALLERS.len(), some(4), some(8), 0..WORDS.len(), act);
    let step = step.prop_map(|(caller, collections, documents, words, act)| Step {
        caller,
        collections,
        documents,
        words,
        act,
    });
    prop::collection::vec(step, 1..20)
}

/// A document with whose it is and where.
struct Shelved {
    id: String,
    caller: usize,
    collection: usize,
}

struct World {
    library: Library,
    collections: Vec<String>,
    documents: Vec<Shelved>,
    /// Every chunk that anyone was shown, with its document.
    chunks: BTreeMap<String, String>,
    sessions: Vec<String>,
    replaced: usize,
}

fn text(at: usize, caller: &str, collection: &str, replaced: usize) -> String {
    format!(
        "# The guide of {caller}\n\n## Secret of {caller}\n\nThe session token of {collection} expires after {at} minutes.\n\n\
         ## Level\n\nThe level is {collection}, edition {replaced}.\n\n## More\n\nMore of {caller}'s.\n"
    )
}

impl World {
    async fn of(library: Library) -> Self {
        let (mut collections, mut documents) = (Vec::new(), Vec::new());
        for (caller, name) in CALLERS.iter().enumerate() {
            for collection in COLLECTIONS {
                let place = collections.len();
                collections.push(library.collection(name, collection, NOW).await.unwrap().collection_id);
                for source in NAMES {
                    let text = text(documents.len(), name, collection, 0);
                    let id = add(&library, (name, collection), source, &text).await;
                    documents.push(Shelved { id, caller, collection: place });
                }
            }
        }
        let (chunks, sessions) = (BTreeMap::new(), Vec::new());
        Self { library, collections, documents, chunks, sessions, replaced: 0 }
    }

    fn scope(&self, step: &Step) -> Scope {
        let mut scope = Scope::of_caller(CALLERS[step.caller]);
        if let Some(wanted) = &step.collections {
            scope = scope.in_collections(wanted.iter().map(|at| self.collections[*at].clone()));
        }
        if let Some(wanted) = &step.documents {
            scope = scope.in_documents(wanted.iter().map(|at| self.documents[*at].id.clone()));
        }
        scope
    }

    fn allowed(&self, step: &Step) -> BTreeSet<&str> {
        let own = self.documents.iter().enumerate().filter(|(at, document)| {
            document.caller == step.caller
                && step.collections.as_ref().is_none_or(|wanted| wanted.contains(&document.collection))
                && step.documents.as_ref().is_none_or(|wanted| wanted.contains(at))
        });
        own.map(|(_, document)| document.id.as_str()).collect()
    }

    fn chunk(&self, at: usize) -> (String, String) {
        let chunk = self.chunks.iter().nth(at % self.chunks.len().max(1));
        chunk.map_or_else(Default::default, |(chunk, document)| (chunk.clone(), document.clone()))
    }

    /// Does a step: the documents of what the caller is shown.
    async fn perform(&mut self, step: &Step) -> Vec<String> {
        let (scope, question) = (self.scope(step), Question::alone(WORDS[step.words]));
        let library = self.library.clone();
        let chunks = match &step.act {
            Act::Search => {
                let found = library.search(&scope, question, Some(50)).await.unwrap();
                found.results.into_iter().map(|result| result.chunk).collect()
            }
            Act::SearchInSession(at) => {
                let none = String::new();
                let session = self.sessions.get(at % self.sessions.len().max(1)).unwrap_or(&none);
                let found = library.search_in_session(&scope, question, Some(2), session, NOW).await;
                found
                    .map(|found| found.results.into_iter().map(|result| result.chunk).collect())
                    .unwrap_or_default()
            }
            Act::OpenSession => {
                self.sessions.push(library.open_session(scope.caller(), NOW).await.unwrap().session_id);
                Vec::new()
            }
            Act::Literal => {
                let found = library.literal(&scope, WORDS[step.words], 50).await.unwrap();
                return found.into_iter().map(|found| found.document_id).collect();
            }
            Act::Reason => {
                let writer = Extractive { sentences_max: 3, code_chars_max: 600 };
                let ending =
                    library.reason(&scope, question, ReasonLimits::default(), &writer).await.unwrap();
                let Ending::Answer(answer) = ending else { panic!("{ending:?}") };
                let cited = answer.citations.iter().map(|citation| citation.quote.document_id.clone());
                return answer.sources.iter().map(|source| source.document_id.clone()).chain(cited).collect();
            }
            Act::Read(at) => library.read(&scope, &self.chunk(*at).0).await.unwrap().into_iter().collect(),
            Act::Expand(at, direction) => {
                let expanded =
                    library.expand(&scope, &self.chunk(*at).0, DIRECTIONS[*direction], Some(9)).await;
                expanded.unwrap().unwrap_or_default()
            }
            Act::Quote(at) => {
                let document_id = self.chunk(*at).1;
                let quote = Quote {
                    document_id: document_id.clone(),
                    document_version: 1,
                    range: 0..1,
                    text: "The".to_owned(),
                    sha256: String::new(),
                };
                let state = library.quote_state(&scope, &quote).await.unwrap();
                return if state == QuoteState::Gone { Vec::new() } else { vec![document_id] };
            }
            Act::Replace(at) => {
                self.replace(step.caller, *at).await;
                Vec::new()
            }
        };
        self.chunks.extend(chunks.iter().map(|chunk| (chunk.chunk_id.clone(), chunk.document_id.clone())));
        chunks.into_iter().map(|chunk| chunk.document_id).collect()
    }

    async fn replace(&mut self, caller: usize, at: usize) {
        self.replaced += 1;
        let (name, collection, source) = (CALLERS[caller], COLLECTIONS[at / 2], NAMES[at % 2]);
        let text = text(caller * 4 + at, name, collection, self.replaced);
        add(&self.library, (name, collection), source, &text).await;
        self.library.embed().await.unwrap();
    }
}

fn no_step_shows_what_is_not_its_own(retrieval: Retrieval) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let home = tempfile::tempdir().unwrap();
    let server = ModelServer::start([Line::Embed(meanings())]);
    let world = runtime.block_on(async {
        let (_store, library) = library(home.path(), &server, "small").await;
        let world = World::of(library).await;
        if retrieval == Retrieval::Hybrid {
            world.library.embed().await.unwrap();
        } else {
            server.go_on([Line::Refuse { status: 500, retry_after: None }]);
        }
        let everything = Scope::of_caller(CALLERS[0]);
        let found = world.library.search(&everything, Question::alone("login lapse"), None).await.unwrap();
        assert_eq!(found.retrieval, retrieval);
        world
    });
    let world = tokio::sync::Mutex::new(world);
    let mut runner = TestRunner::new(Config { cases: CASES, failure_persistence: None, ..Config::default() });
    let seen = std::cell::Cell::new(0_usize);
    let outcome = runner.run(&steps(), |steps| {
        runtime.block_on(async {
            let mut world = world.lock().await;
            for step in &steps {
                let shown = world.perform(step).await;
                seen.set(seen.get() + shown.len());
                let allowed = world.allowed(step);
                for document in &shown {
                    prop_assert!(allowed.contains(document.as_str()), "{step:?} was shown {document}");
                }
            }
            Ok(())
        })
    });
    outcome.unwrap();
    assert!(seen.get() > 500, "too little was shown to tell: {}", seen.get());
}

/// Sequences of up to twenty steps, one after the other in the same world.
const CASES: u32 = 96;

#[test]
fn no_sequence_of_steps_shows_a_chunk_of_another_scope() {
    no_step_shows_what_is_not_its_own(Retrieval::Lexical);
}

#[test]
fn nor_does_one_with_vectors() {
    no_step_shows_what_is_not_its_own(Retrieval::Hybrid);
}

#[tokio::test]
async fn a_scope_of_nothing_is_empty_and_not_everything() {
    let home = tempfile::tempdir().unwrap();
    let server = ModelServer::start([Line::Embed(meanings())]);
    let (_store, library) = library(home.path(), &server, "small").await;
    let world = World::of(library).await;
    world.library.embed().await.unwrap();
    let ann = || Scope::of_caller("ann");
    for nothing in
        [ann().in_collections([]), ann().in_documents([]), ann().in_documents(["d_none".to_owned()])]
    {
        let found = world.library.search(&nothing, Question::alone("session token"), None).await.unwrap();
        assert_eq!(found.results, []);
    }
    let both =
        ann().in_documents([world.documents[0].id.clone()]).in_documents([world.documents[1].id.clone()]);
    assert_eq!(world.library.search(&both, Question::alone("session"), None).await.unwrap().results, []);
}
