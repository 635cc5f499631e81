//! A set in a library of its own.

use std::collections::BTreeMap;
use std::time::Duration;

use jiff::Timestamp;
use library::{Format, Given, Library, Question, Scope};
use store::{ChunkLevel, NewChunk, NewDocument, Settings, Store};

use super::DocumentsFault;
use super::corpus::{Asked, Chunk, Corpus};

const CALLER: &str = "evaluation";
const NOW: Timestamp = Timestamp::UNIX_EPOCH;

pub(super) struct Shelf {
    library: Library,
    /// The collections by name.
    collections: BTreeMap<String, String>,
    /// The items' places, by what a result says: the chunk's identifier, or the document's.
    places: BTreeMap<String, usize>,
    is_cut: bool,
    item_collections: Vec<String>,
}

pub(super) struct Looked {
    /// Items, best first.
    pub(super) items: Vec<usize>,
    pub(super) confidence: f64,
}

impl Shelf {
    /// The items of a set that are wanted, in a library.
    pub(super) async fn of(
        corpus: &Corpus,
        policy: &policy::Library,
        is_wanted: impl Fn(usize) -> bool,
    ) -> Result<Self, DocumentsFault> {
        let settings = Settings {
            readers_max: 1,
            acquire_timeout: Duration::from_mins(1),
            busy_timeout: Duration::from_mins(1),
            blob_bytes_max: 1,
        };
        let store = Store::in_memory(settings).await?;
        let library = Library::open(store.clone(), None, policy.clone(), None).await?;
        let mut shelf = Self {
            library,
            collections: BTreeMap::new(),
            places: BTreeMap::new(),
            is_cut: corpus.is_cut,
            item_collections: corpus.items.iter().map(|item| item.collection.clone()).collect(),
        };
        for item in &corpus.items {
            if !shelf.collections.contains_key(&item.collection) {
                let collection = shelf.library.collection(CALLER, &item.collection, NOW).await?;
                shelf.collections.insert(item.collection.clone(), collection.collection_id);
            }
        }
        if corpus.is_cut {
            shelf.put_cut(corpus, &store).await?;
        } else {
            shelf.put_texts(corpus, is_wanted).await?;
        }
        shelf.library.catch_up().await?;
        Ok(shelf)
    }

    async fn put_texts(
        &mut self,
        corpus: &Corpus,
        is_wanted: impl Fn(usize) -> bool,
    ) -> Result<(), DocumentsFault> {
        for (at, item) in corpus.items.iter().enumerate().filter(|(at, _)| is_wanted(*at)) {
            let given = Given {
                title: (!item.title.is_empty()).then_some(item.title.as_str()),
                ..Given::new(&item.id, Format::Plain, item.text.as_bytes())
            };
            let added = self.library.put(CALLER, &self.collections[&item.collection], given, NOW).await?;
            self.places.insert(added.document.document_id, at);
        }
        Ok(())
    }

    async fn put_cut(&mut self, corpus: &Corpus, store: &Store) -> Result<(), DocumentsFault> {
        let mut documents: BTreeMap<&str, Vec<&Chunk>> = BTreeMap::new();
        for chunk in &corpus.chunks {
            documents.entry(&chunk.doc).or_default().push(chunk);
        }
        for (document_id, chunks) in documents {
            let new: Vec<NewChunk> =
                chunks.iter().enumerate().map(|(at, chunk)| new_chunk(at, chunk)).collect();
            let Some(first) = chunks.first() else { continue };
            let document = NewDocument {
                document_id,
                caller: CALLER,
                collection_id: &self.collections[&first.collection],
                source: document_id,
                title: first.path.first().map_or("", String::as_str),
                url: None,
                media_type: "text/markdown",
                tags: &[],
                given_sha256: "",
                text: "",
                chunks: &new,
            };
            store.put_document(document, NOW).await?;
        }
        self.places = corpus.items.iter().enumerate().map(|(at, item)| (item.id.clone(), at)).collect();
        Ok(())
    }

    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    pub(super) fn is_in_scope(&self, item: usize, scope: Option<&str>) -> bool {
        scope.is_none_or(|scope| self.item_collections[item].starts_with(scope))
    }

    pub(super) async fn search(&self, asked: &Asked, with_history: bool) -> Result<Looked, DocumentsFault> {
        let mut scope = Scope::of_caller(CALLER);
        if let Some(wanted) = &asked.scope {
            let named = self.collections.iter().filter(|(name, _)| name.starts_with(wanted.as_str()));
            scope = scope.in_collections(named.map(|(_, id)| id.clone()));
        }
        let previous = asked.previous.as_deref().filter(|_| with_history);
        let found =
            self.library.search(&scope, Question { text: &asked.question, previous }, Some(50)).await?;
        let mut items = Vec::new();
        for result in &found.results {
            let id = if self.is_cut { &result.chunk.chunk_id } else { &result.chunk.document_id };
            if let Some(place) = self.places.get(id).filter(|place| !items.contains(*place)) {
                items.push(*place);
            }
        }
        Ok(Looked { items, confidence: found.confidence })
    }
}

fn new_chunk(at: usize, chunk: &Chunk) -> NewChunk {
    NewChunk {
        chunk_id: chunk.id.clone(),
        level: match chunk.level.as_str() {
            "document" => ChunkLevel::Document,
            "section" => ChunkLevel::Section,
            _ => ChunkLevel::Paragraph,
        },
        parent_id: chunk.parent.clone(),
        sibling: u32::try_from(at).unwrap_or(u32::MAX),
        path: chunk.path.clone(),
        range: 0..0,
        words: 0,
        sha256: String::new(),
        content: Some(chunk.text.clone()),
    }
}
