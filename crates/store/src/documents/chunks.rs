//! The chunks of documents.

use sqlx::sqlite::SqliteRow;
use sqlx::{QueryBuilder, Row, Sqlite, SqliteConnection};

use crate::{Error, Store};

/// How large a part of a document a chunk is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChunkLevel {
    /// All of it.
    Document,
    /// What stands under one heading.
    Section,
    /// A few sentences.
    Paragraph,
}

impl ChunkLevel {
    fn number(self) -> i64 {
        match self {
            Self::Document => 0,
            Self::Section => 1,
            Self::Paragraph => 2,
        }
    }

    fn of_number(number: i64) -> Result<Self, Error> {
        match number {
            0 => Ok(Self::Document),
            1 => Ok(Self::Section),
            2 => Ok(Self::Paragraph),
            _ => Err(Error::Unreadable("chunk level")),
        }
    }
}

/// A chunk as it is put in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewChunk {
    /// Its identifier, which no other chunk of any document has.
    pub chunk_id: String,
    /// Its level.
    pub level: ChunkLevel,
    /// The chunk that it is a part of; the document has none.
    pub parent_id: Option<String>,
    /// Its place among the chunks of its parent, from 0.
    pub sibling: u32,
    /// The headings above it, outermost first.
    pub path: Vec<String>,
    /// Where it stands in the document's text, in bytes.
    pub range: std::ops::Range<usize>,
    /// Its words.
    pub words: u32,
    /// The SHA-256 of its content, in hex.
    pub sha256: String,
    /// Its content, where that is not its range of the text.
    pub content: Option<String>,
}

/// A chunk that is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredChunk {
    /// Its number, which is never given again.
    pub chunk: i64,
    /// Its identifier.
    pub chunk_id: String,
    /// Whose it is.
    pub caller: String,
    /// The collection of its document.
    pub collection_id: String,
    /// Its document.
    pub document_id: String,
    /// Its document's title.
    pub document_title: String,
    /// Where a person can read its document.
    pub document_url: Option<String>,
    /// Its document's version.
    pub document_version: i64,
    /// Its level.
    pub level: ChunkLevel,
    /// Its place among the chunks of its document, from 0.
    pub place: u32,
    /// The chunk that it is a part of.
    pub parent_id: Option<String>,
    /// Its place among the chunks of its parent, from 0.
    pub sibling: u32,
    /// The chunk before it under the same parent.
    pub previous_id: Option<String>,
    /// The chunk after it under the same parent.
    pub next_id: Option<String>,
    /// The headings above it, outermost first.
    pub path: Vec<String>,
    /// Where it stands in the document's text, in bytes.
    pub range: std::ops::Range<usize>,
    /// Its words.
    pub words: u32,
    /// The SHA-256 of its content, in hex.
    pub sha256: String,
    /// Its content.
    pub content: String,
}

const CHUNKS: &str = "SELECT chunk, chunk_id, caller, collection_id, chunks.document_id, title, url, version, level, place, \
     parent_id, sibling, \
     (SELECT chunk_id FROM chunks AS other WHERE other.parent_id = chunks.parent_id AND other.sibling = chunks.sibling - 1) \
     AS previous_id, \
     (SELECT chunk_id FROM chunks AS other WHERE other.parent_id = chunks.parent_id AND other.sibling = chunks.sibling + 1) \
     AS next_id, \
     path, start_byte, end_byte, words, sha256, \
     COALESCE(CAST(content AS BLOB), SUBSTR(text, start_byte + 1, end_byte - start_byte)) AS content \
     FROM chunks JOIN documents USING (document_id) ";

/// Rows of one statement.
const ROWS_MAX: usize = 500;

pub(super) async fn replace(
    connection: &mut SqliteConnection,
    document_id: &str,
    chunks: &[NewChunk],
) -> Result<(), Error> {
    sqlx::query("DELETE FROM chunks WHERE document_id = ?1")
        .bind(document_id)
        .execute(&mut *connection)
        .await?;
    for (batch, rows) in chunks.chunks(ROWS_MAX).enumerate() {
        let mut insert: QueryBuilder<Sqlite> = QueryBuilder::new(
            "INSERT INTO chunks (chunk_id, document_id, level, place, parent_id, sibling, path, start_byte, end_byte, words, \
             sha256, content) ",
        );
        insert.push_values(rows.iter().enumerate(), |mut row, (at, chunk)| {
            row.push_bind(&chunk.chunk_id)
                .push_bind(document_id)
                .push_bind(chunk.level.number())
                .push_bind(number(batch * ROWS_MAX + at))
                .push_bind(&chunk.parent_id)
                .push_bind(chunk.sibling)
                .push_bind(serde_json::Value::from(chunk.path.clone()).to_string())
                .push_bind(number(chunk.range.start))
                .push_bind(number(chunk.range.end))
                .push_bind(chunk.words)
                .push_bind(&chunk.sha256)
                .push_bind(&chunk.content);
        });
        insert.build().execute(&mut *connection).await?;
    }
    sqlx::query(
        "DELETE FROM vectors WHERE document_id = ?1 \
         AND chunk_id NOT IN (SELECT chunk_id FROM chunks WHERE document_id = ?1)",
    )
    .bind(document_id)
    .execute(&mut *connection)
    .await?;
    Ok(())
}

impl Store {
    /// Chunks by their numbers, in the order of the numbers; those that are gone are left out.
    pub async fn chunks_by_number(&self, numbers: &[i64]) -> Result<Vec<StoredChunk>, Error> {
        let list = serde_json::Value::from(numbers).to_string();
        let text = format!(
            "{CHUNKS} JOIN (SELECT key AS wanted_place, value AS wanted FROM json_each(?1)) ON wanted = chunk \
             ORDER BY wanted_place"
        );
        let query = sqlx::query(sqlx::AssertSqlSafe(text)).bind(list);
        query.fetch_all(&self.readers).await?.iter().map(chunk_of).collect()
    }

    /// A chunk by its identifier.
    pub async fn chunk(&self, chunk_id: &str) -> Result<Option<StoredChunk>, Error> {
        let text = format!("{CHUNKS} WHERE chunk_id = ?1");
        let query = sqlx::query(sqlx::AssertSqlSafe(text)).bind(chunk_id);
        query.fetch_optional(&self.readers).await?.as_ref().map(chunk_of).transpose()
    }

    /// The chunks of a parent from one place to before another, in order.
    pub async fn chunk_children(
        &self,
        parent_id: &str,
        places: std::ops::Range<u32>,
    ) -> Result<Vec<StoredChunk>, Error> {
        let text =
            format!("{CHUNKS} WHERE parent_id = ?1 AND sibling >= ?2 AND sibling < ?3 ORDER BY sibling");
        let query =
            sqlx::query(sqlx::AssertSqlSafe(text)).bind(parent_id).bind(places.start).bind(places.end);
        query.fetch_all(&self.readers).await?.iter().map(chunk_of).collect()
    }

    /// The chunks of a document, in order.
    pub async fn document_chunks(&self, document_id: &str) -> Result<Vec<StoredChunk>, Error> {
        let text = format!("{CHUNKS} WHERE chunks.document_id = ?1 ORDER BY place");
        let query = sqlx::query(sqlx::AssertSqlSafe(text)).bind(document_id);
        query.fetch_all(&self.readers).await?.iter().map(chunk_of).collect()
    }

    /// Headings of a caller's sections, those of documents first that come first by title; so many at the most.
    pub async fn section_headings(&self, caller: &str, limit: usize) -> Result<Vec<String>, Error> {
        let paths: Vec<String> = sqlx::query_scalar(
            "SELECT path FROM chunks JOIN documents USING (document_id) WHERE caller = ?1 AND level = 1 \
             ORDER BY title, document_id, place LIMIT ?2",
        )
        .bind(caller)
        .bind(i64::try_from(limit).unwrap_or(i64::MAX))
        .fetch_all(&self.readers)
        .await?;
        let heading = |path: &String| -> Result<Option<String>, Error> {
            let path: Vec<String> =
                serde_json::from_str(path).map_err(|_| Error::Unreadable("a chunk's path"))?;
            Ok(path.last().cloned())
        };
        paths.iter().filter_map(|path| heading(path).transpose()).collect()
    }

    /// The chunks of one level of a document, in order.
    pub async fn document_chunks_of_level(
        &self,
        document_id: &str,
        level: ChunkLevel,
    ) -> Result<Vec<StoredChunk>, Error> {
        let text = format!("{CHUNKS} WHERE chunks.document_id = ?1 AND level = ?2 ORDER BY place");
        let query = sqlx::query(sqlx::AssertSqlSafe(text)).bind(document_id).bind(level.number());
        query.fetch_all(&self.readers).await?.iter().map(chunk_of).collect()
    }
}

fn number(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn chunk_of(row: &SqliteRow) -> Result<StoredChunk, Error> {
    let byte = |name| -> Result<usize, Error> {
        usize::try_from(row.try_get::<i64, _>(name)?).map_err(|_| Error::Unreadable("a chunk's range"))
    };
    let path: String = row.try_get("path")?;
    let content: Vec<u8> = row.try_get("content")?;
    Ok(StoredChunk {
        chunk: row.try_get("chunk")?,
        chunk_id: row.try_get("chunk_id")?,
        caller: row.try_get("caller")?,
        collection_id: row.try_get("collection_id")?,
        document_id: row.try_get("document_id")?,
        document_title: row.try_get("title")?,
        document_url: row.try_get("url")?,
        document_version: row.try_get("version")?,
        level: ChunkLevel::of_number(row.try_get("level")?)?,
        place: row.try_get("place")?,
        parent_id: row.try_get("parent_id")?,
        sibling: row.try_get("sibling")?,
        previous_id: row.try_get("previous_id")?,
        next_id: row.try_get("next_id")?,
        path: serde_json::from_str(&path).map_err(|_| Error::Unreadable("a chunk's path"))?,
        range: byte("start_byte")?..byte("end_byte")?,
        words: row.try_get("words")?,
        sha256: row.try_get("sha256")?,
        content: String::from_utf8(content).map_err(|_| Error::Unreadable("a chunk's content"))?,
    })
}
