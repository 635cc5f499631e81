//! The search index: words to chunks, at three levels, in a directory beside the database.
//!
//! Tantivy. Of 75,000 paragraphs the best 200 for a question within a scope took 0.5 ms at the median on a shared 2-core
//! machine; SQLite's FTS5, whose BM25 looks at every match, took 24 ms for the same, and the aim for a whole search is 3 ms.
//! Both rank alike. The database stays the truth: the index knows up to which of its changes it has come, catches up when it
//! is opened, and is built anew where it is missing, broken or of another format. A chunk's number is never given twice, so
//! what an index still has of an old version leads nowhere.
//!
//! Each level has fields of its own and its own number of chunks as BM25's, since a section is many times as long as a
//! paragraph and a word of the whole document is no rarer for being in one part of it.

mod best;
mod statistics;
mod terms;
mod typos;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use policy::ChunkRanking;
use store::{ChunkLevel, StoredChunk};
use tantivy::query::{
    Bm25StatisticsProvider, BooleanQuery, BoostQuery, ConstScoreQuery, Occur, Query, TermQuery, TermSetQuery,
};
use tantivy::schema::{FAST, Field, IndexRecordOption, STRING, Schema, TextFieldIndexing, TextOptions};
use tantivy::{IndexReader, IndexWriter, ReloadPolicy, Searcher, TantivyDocument, Term};

use crate::{Error, Scope};
use best::Within;
use statistics::{Statistics, rarity};
use terms::Words;

/// The way in which chunks are written into an index. Another one, and indexes are built anew.
const FORMAT: &str = "1";

/// A term of a question and how much it counts.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Wanted {
    pub(crate) term: String,
    pub(crate) weight: f32,
}

/// A paragraph that was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Candidate {
    /// The paragraph's number.
    pub(crate) chunk: i64,
    /// The number of its document's chunk.
    pub(crate) document: i64,
    /// From 0 to 1.
    pub(crate) score: f64,
    /// The same by words alone; 0 where it was not found by them.
    pub(crate) lexical: f64,
    /// How like the question's its meaning is, from 0 to 1; 0 where vectors were not asked.
    pub(crate) likeness: f64,
}

pub(crate) struct Index {
    fields: Fields,
    writer: Mutex<IndexWriter>,
    reader: IndexReader,
}

#[derive(Clone, Copy)]
struct Fields {
    level: Field,
    caller: Field,
    collection: Field,
    document: Field,
    paragraph: Field,
    headings: Field,
    section: Field,
    whole: Field,
    number: Field,
    parent: Field,
    root: Field,
}

/// The columns that say which chunk an entry is.
const NUMBER: &str = "number";
const PARENT: &str = "parent";
const ROOT: &str = "root";

impl Index {
    /// Opens the index in a directory, which is made where it is not there; without one, the index is kept in memory.
    pub(crate) fn open(directory: Option<&Path>, writer_bytes: usize) -> Result<Self, Error> {
        let (schema, fields) = schema();
        let index = match directory {
            None => tantivy::Index::create_in_ram(schema),
            Some(directory) => opened(directory, &schema)?,
        };
        index.tokenizers().register(Words::NAME, Words);
        let writer = index.writer_with_num_threads(1, writer_bytes)?;
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
        Ok(Self { fields, writer: Mutex::new(writer), reader })
    }

    /// The database's revision up to which the index has come; 0 where it has to start.
    pub(crate) fn revision(&self) -> Result<i64, Error> {
        let payload = self.reader.searcher().index().load_metas()?.payload;
        let revision = payload.as_deref().and_then(|payload| payload.strip_prefix(FORMAT)?.strip_prefix(':'));
        Ok(revision.and_then(|revision| revision.parse().ok()).unwrap_or(0))
    }

    /// Forgets everything; what is put in next is all there is.
    pub(crate) fn clear(&self) -> Result<(), Error> {
        self.writer().delete_all_documents()?;
        Ok(())
    }

    /// Puts a document's chunks in, in place of what there was of it.
    pub(crate) fn put(&self, document_id: &str, chunks: &[StoredChunk]) -> Result<(), Error> {
        let writer = self.writer();
        writer.delete_term(Term::from_field_text(self.fields.document, document_id));
        let numbers: BTreeMap<&str, i64> =
            chunks.iter().map(|chunk| (chunk.chunk_id.as_str(), chunk.chunk)).collect();
        let root = chunks.first().map_or(0, |chunk| chunk.chunk);
        for chunk in chunks {
            let parent =
                chunk.parent_id.as_deref().and_then(|parent| numbers.get(parent)).copied().unwrap_or(0);
            writer.add_document(self.fields.entry(chunk, parent, root))?;
        }
        Ok(())
    }

    /// Makes what was put in since the last time visible, all at once.
    pub(crate) fn commit(&self, revision: i64) -> Result<(), Error> {
        let mut writer = self.writer();
        let mut prepared = writer.prepare_commit()?;
        prepared.set_payload(&format!("{FORMAT}:{revision}"));
        prepared.commit()?;
        drop(writer);
        Ok(self.reader.reload()?)
    }

    /// How rare terms are among paragraphs: BM25's inverse document frequency.
    pub(crate) fn rarities(&self) -> Result<impl Fn(&str) -> Result<f64, Error> + use<>, Error> {
        let searcher = self.reader.searcher();
        let all = self.count(&searcher, ChunkLevel::Paragraph)?;
        let field = self.fields.paragraph;
        Ok(move |term: &str| Ok(rarity(searcher.doc_freq(&Term::from_field_text(field, term))?, all)))
    }

    /// Paragraphs of a scope that have every one of some terms, those first that speak of them most; nothing without terms.
    pub(crate) fn holding(&self, terms: &[String], scope: &Scope, limit: usize) -> Result<Vec<i64>, Error> {
        if terms.is_empty() || scope.is_empty() {
            return Ok(Vec::new());
        }
        let searcher = self.reader.searcher();
        let wanted: Vec<Wanted> =
            terms.iter().map(|term| Wanted { term: term.clone(), weight: 1.0 }).collect();
        let fields = [(self.fields.paragraph, 1.0)];
        let level = Level { of: ChunkLevel::Paragraph, fields: &fields, occur: Occur::Must };
        Ok(self.best(&searcher, &level, &wanted, scope, limit)?.iter().map(|hit| hit.number).collect())
    }

    /// The terms of a paragraph, at the average.
    #[expect(clippy::cast_precision_loss, reason = "counts of terms are far below 2^52")]
    pub(crate) fn average_length(&self) -> Result<f64, Error> {
        let searcher = self.reader.searcher();
        let all = self.count(&searcher, ChunkLevel::Paragraph)?.max(1);
        let tokens = Bm25StatisticsProvider::total_num_tokens(&searcher, self.fields.paragraph)?;
        Ok((tokens as f64 / all as f64).max(1.0))
    }

    /// How many paragraphs have each term.
    pub(crate) fn frequencies(&self, wanted: &[Wanted]) -> Result<Vec<u64>, Error> {
        let searcher = self.reader.searcher();
        let of = |wanted: &Wanted| {
            let own = searcher.doc_freq(&Term::from_field_text(self.fields.paragraph, &wanted.term))?;
            let above = searcher.doc_freq(&Term::from_field_text(self.fields.headings, &wanted.term))?;
            Ok(own.max(above))
        };
        wanted.iter().map(of).collect()
    }

    /// The term of the index that is one slip away from this one and stands in the most paragraphs.
    pub(crate) fn nearest(&self, term: &str) -> Result<Option<String>, Error> {
        typos::nearest(&self.reader.searcher(), self.fields.paragraph, term)
    }

    /// The best paragraphs of a scope, best first; equal ones in the order in which they were put in.
    pub(crate) fn search(
        &self,
        wanted: &[Wanted],
        scope: &Scope,
        ranking: &ChunkRanking,
        candidates_max: usize,
    ) -> Result<Vec<Candidate>, Error> {
        if wanted.is_empty() || scope.is_empty() {
            return Ok(Vec::new());
        }
        let searcher = self.reader.searcher();
        let fields = self.fields;
        let own: [(Field, f32); 2] = [(fields.paragraph, 1.0), (fields.headings, ranking.heading_weight)];
        let paragraphs = Level { of: ChunkLevel::Paragraph, fields: &own, occur: Occur::Should };
        let above = |level, field, weight: f32| -> Result<BTreeMap<i64, f32>, Error> {
            if weight == 0.0 {
                return Ok(BTreeMap::new());
            }
            let fields = [(field, 1.0)];
            let level = Level { of: level, fields: &fields, occur: Occur::Should };
            let hits = self.best(&searcher, &level, wanted, scope, candidates_max)?;
            let best = hits.iter().map(|hit| hit.score).fold(f32::MIN_POSITIVE, f32::max);
            Ok(hits.into_iter().map(|hit| (hit.number, weight * hit.score / best)).collect())
        };
        let (found, (sections, documents)) = rayon::join(
            || self.best(&searcher, &paragraphs, wanted, scope, candidates_max),
            || {
                (
                    above(ChunkLevel::Section, fields.section, ranking.section_weight),
                    above(ChunkLevel::Document, fields.whole, ranking.document_weight),
                )
            },
        );
        let (found, sections, documents) = (found?, sections?, documents?);
        let best = found.iter().map(|hit| hit.score).fold(f32::MIN_POSITIVE, f32::max);
        let all = 1.0 + ranking.section_weight + ranking.document_weight;
        let candidate = |hit: &Hit| {
            let section = sections.get(&hit.parent).copied().unwrap_or(0.0);
            let document = documents.get(&hit.root).copied().unwrap_or(0.0);
            let sum = f64::from((hit.score / best + section + document) / all);
            Candidate { chunk: hit.number, document: hit.root, score: sum, lexical: sum, likeness: 0.0 }
        };
        let mut candidates: Vec<Candidate> = found.iter().map(candidate).collect();
        candidates.sort_by(|one, other| other.score.total_cmp(&one.score).then(one.chunk.cmp(&other.chunk)));
        Ok(candidates)
    }

    fn best(
        &self,
        searcher: &Searcher,
        level: &Level<'_>,
        wanted: &[Wanted],
        scope: &Scope,
        limit: usize,
    ) -> Result<Vec<Hit>, Error> {
        let statistics = Statistics { searcher, chunks: self.count(searcher, level.of)? };
        let within = self.fields.within(searcher, scope)?;
        let found = best::best(searcher, level.query(wanted), &within, &statistics, limit)?;
        let mut columns = BTreeMap::new();
        let mut hits = Vec::with_capacity(found.len());
        for (score, address) in found {
            let columns = match columns.entry(address.segment_ord) {
                std::collections::btree_map::Entry::Occupied(known) => known.into_mut(),
                std::collections::btree_map::Entry::Vacant(place) => {
                    let fast = searcher.segment_reader(address.segment_ord).fast_fields();
                    place.insert([fast.i64(NUMBER)?, fast.i64(PARENT)?, fast.i64(ROOT)?])
                }
            };
            let value = |column: usize| columns[column].first(address.doc_id).unwrap_or(0);
            hits.push(Hit { number: value(0), parent: value(1), root: value(2), score });
        }
        Ok(hits)
    }

    fn count(&self, searcher: &Searcher, level: ChunkLevel) -> Result<u64, Error> {
        Ok(searcher.doc_freq(&Term::from_field_text(self.fields.level, word(level)))?)
    }

    fn writer(&self) -> std::sync::MutexGuard<'_, IndexWriter> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn opened(directory: &Path, schema: &Schema) -> Result<tantivy::Index, Error> {
    fs::create_dir_all(directory).map_err(Error::Directory)?;
    let open = |schema: &Schema| -> Result<tantivy::Index, Error> {
        let files =
            tantivy::directory::MmapDirectory::open(directory).map_err(tantivy::TantivyError::from)?;
        Ok(tantivy::Index::open_or_create(files, schema.clone())?)
    };
    let index = match open(schema) {
        Ok(index) => index,
        Err(error) => {
            tracing::warn!(%error, "the search index cannot be read and is built anew");
            fs::remove_dir_all(directory).map_err(Error::Directory)?;
            fs::create_dir_all(directory).map_err(Error::Directory)?;
            open(schema)?
        }
    };
    Ok(index)
}

fn schema() -> (Schema, Fields) {
    let mut schema = Schema::builder();
    let indexing = TextFieldIndexing::default()
        .set_tokenizer(Words::NAME)
        .set_index_option(IndexRecordOption::WithFreqs);
    let text = TextOptions::default().set_indexing_options(indexing);
    let fields = Fields {
        level: schema.add_text_field("level", STRING),
        caller: schema.add_text_field("caller", STRING),
        collection: schema.add_text_field("collection", STRING),
        document: schema.add_text_field("document", STRING),
        paragraph: schema.add_text_field("paragraph", text.clone()),
        headings: schema.add_text_field("headings", text.clone()),
        section: schema.add_text_field("section", text.clone()),
        whole: schema.add_text_field("whole", text),
        number: schema.add_i64_field(NUMBER, FAST),
        parent: schema.add_i64_field(PARENT, FAST),
        root: schema.add_i64_field(ROOT, FAST),
    };
    (schema.build(), fields)
}

fn word(level: ChunkLevel) -> &'static str {
    match level {
        ChunkLevel::Document => "document",
        ChunkLevel::Section => "section",
        ChunkLevel::Paragraph => "paragraph",
    }
}

struct Level<'a> {
    of: ChunkLevel,
    fields: &'a [(Field, f32)],
    /// Whether any of the terms is enough.
    occur: Occur,
}

#[derive(Clone, Copy)]
struct Hit {
    number: i64,
    parent: i64,
    root: i64,
    score: f32,
}

impl Fields {
    fn entry(&self, chunk: &StoredChunk, parent: i64, root: i64) -> TantivyDocument {
        let mut entry = TantivyDocument::default();
        entry.add_text(self.level, word(chunk.level));
        entry.add_text(self.caller, &chunk.caller);
        entry.add_text(self.collection, &chunk.collection_id);
        entry.add_text(self.document, &chunk.document_id);
        let headings = chunk.path.join(" \n ");
        let texts = match chunk.level {
            ChunkLevel::Paragraph => vec![(self.paragraph, chunk.content.clone()), (self.headings, headings)],
            ChunkLevel::Section => vec![(self.section, format!("{headings}\n{}", chunk.content))],
            ChunkLevel::Document => {
                vec![(self.whole, format!("{}\n{}", chunk.document_title, chunk.content))]
            }
        };
        for (field, text) in texts {
            entry.add_text(field, text);
        }
        for (field, value) in [(self.number, chunk.chunk), (self.parent, parent), (self.root, root)] {
            entry.add_i64(field, value);
        }
        entry
    }

    fn within(&self, searcher: &Searcher, scope: &Scope) -> Result<Within, Error> {
        let caller = [scope.caller.clone()].into();
        let parts = [
            (self.caller, Some(&caller)),
            (self.collection, scope.collections.as_ref()),
            (self.document, scope.documents.as_ref()),
        ];
        let mut only = Vec::with_capacity(parts.len());
        let mut chunks_max = u64::MAX;
        for (field, values) in parts.into_iter().filter_map(|(field, values)| Some((field, values?))) {
            let terms: Vec<Term> = values.iter().map(|value| Term::from_field_text(field, value)).collect();
            let mut chunks = 0;
            for term in &terms {
                chunks += searcher.doc_freq(term)?;
            }
            chunks_max = chunks_max.min(chunks);
            only.push(match terms.as_slice() {
                [one] => filter(TermQuery::new(one.clone(), IndexRecordOption::Basic)),
                _ => filter(TermSetQuery::new(terms)),
            });
        }
        Ok(Within { only: BooleanQuery::new(only), chunks_max })
    }
}

impl Level<'_> {
    fn query(&self, wanted: &[Wanted]) -> BooleanQuery {
        let mut any: Vec<(Occur, Box<dyn Query>)> = Vec::with_capacity(wanted.len() * self.fields.len());
        for Wanted { term, weight } in wanted {
            for (field, field_weight) in self.fields {
                let query = TermQuery::new(Term::from_field_text(*field, term), IndexRecordOption::WithFreqs);
                any.push((self.occur, Box::new(BoostQuery::new(Box::new(query), weight * field_weight))));
            }
        }
        BooleanQuery::new(any)
    }
}

/// A query that chooses and does not rank.
fn filter(query: impl Query) -> (Occur, Box<dyn Query>) {
    (Occur::Must, Box::new(ConstScoreQuery::new(Box::new(query), 0.0)))
}
