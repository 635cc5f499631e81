//! The sets of documents: what is searched, and what is asked.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::EvalFault;

pub(super) struct Corpus {
    /// Whether the set comes cut into chunks.
    pub(super) is_cut: bool,
    /// What is judged: paragraphs of a set that is cut, texts of others.
    pub(super) items: Vec<Item>,
    /// Every chunk of a set that is cut, in order.
    pub(super) chunks: Vec<Chunk>,
    pub(super) asked: Vec<Asked>,
}

pub(super) struct Item {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) text: String,
    /// What flat BM25 reads.
    pub(super) flat_text: String,
    pub(super) collection: String,
}

#[derive(Deserialize)]
pub(super) struct Chunk {
    pub(super) id: String,
    pub(super) doc: String,
    pub(super) level: String,
    pub(super) parent: Option<String>,
    pub(super) path: Vec<String>,
    pub(super) text: String,
    pub(super) collection: String,
}

pub(super) struct Asked {
    pub(super) question: String,
    pub(super) previous: Option<String>,
    /// How the names of the collections start that may be searched.
    pub(super) scope: Option<String>,
    /// Items, by place.
    pub(super) relevant: BTreeSet<usize>,
    pub(super) is_answerable: Option<bool>,
    pub(super) has_distractor: Option<bool>,
}

#[derive(Deserialize)]
struct Passage {
    id: String,
    #[serde(default)]
    title: String,
    text: String,
}

/// A query of any of the sets.
#[derive(Deserialize)]
struct Query {
    #[serde(alias = "query")]
    question: String,
    #[serde(default)]
    scope: Option<String>,
    #[serde(default)]
    history: Vec<(String, String)>,
    #[serde(default)]
    relevant: BTreeMap<String, f64>,
    #[serde(default)]
    relevant_docs: Vec<String>,
    #[serde(default)]
    relevant_paragraphs: Vec<String>,
    #[serde(default)]
    distractor: Vec<String>,
    #[serde(default)]
    answerable: Option<bool>,
    #[serde(default)]
    label: Option<String>,
}

pub(super) fn read(directory: &Path) -> Result<Corpus, EvalFault> {
    let is_cut = directory.join("chunks.jsonl").is_file();
    let chunks: Vec<Chunk> = if is_cut { lines(&directory.join("chunks.jsonl"))? } else { Vec::new() };
    let items: Vec<Item> = if is_cut {
        let paragraphs = chunks.iter().filter(|chunk| chunk.level == "paragraph");
        paragraphs
            .map(|chunk| Item {
                id: chunk.id.clone(),
                title: String::new(),
                text: String::new(),
                flat_text: chunk.text.clone(),
                collection: chunk.collection.clone(),
            })
            .collect()
    } else {
        let texts: Vec<Passage> = lines(&directory.join("corpus.jsonl"))?;
        texts.into_iter().map(item).collect()
    };
    let places: BTreeMap<&str, usize> =
        items.iter().enumerate().map(|(at, item)| (item.id.as_str(), at)).collect();
    let queries: Vec<Query> = lines(&directory.join("queries.jsonl"))?;
    let asked = queries.into_iter().map(|query| asked(query, &places)).collect();
    Ok(Corpus { is_cut, items, chunks, asked })
}

fn item(passage: Passage) -> Item {
    let flat_text = format!("{}\n{}", passage.title, passage.text);
    Item {
        id: passage.id,
        title: passage.title,
        text: passage.text,
        flat_text,
        collection: "texts".to_owned(),
    }
}

fn asked(query: Query, places: &BTreeMap<&str, usize>) -> Asked {
    let named = query.relevant.into_keys().chain(query.relevant_docs).chain(query.relevant_paragraphs);
    let relevant = named.filter_map(|id| places.get(id.as_str()).copied()).collect();
    let said = query.history.into_iter().rev();
    let previous = said.filter(|(speaker, _)| speaker == "user").map(|(_, text)| text).next();
    // What is only answered in part, or leaves open what is meant, is neither.
    let is_between = matches!(query.label.as_deref(), Some("PARTIAL" | "UNDERSPECIFIED"));
    Asked {
        question: query.question,
        previous,
        scope: query.scope,
        relevant,
        is_answerable: query.answerable.filter(|_| !is_between),
        has_distractor: (!query.distractor.is_empty()).then_some(true),
    }
}

pub(super) fn lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, EvalFault> {
    let text =
        fs::read_to_string(path).map_err(|source| EvalFault::Unreadable { path: path.to_owned(), source })?;
    let parse = |(at, line)| {
        serde_json::from_str(line).map_err(|source| EvalFault::BadLine {
            path: path.to_owned(),
            line: at + 1,
            source,
        })
    };
    text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).map(parse).collect()
}
