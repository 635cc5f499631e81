//! Documents in collections, and their chunks. A document is replaced in one transaction: readers, and a process that comes
//! after a crash, see the old version whole or the new one.

mod chunks;
mod vectors;

use jiff::Timestamp;
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use crate::instant::{from_ms, to_ms};
use crate::{Error, Store};

pub use chunks::{ChunkLevel, NewChunk, StoredChunk};
pub use vectors::{DocumentVectors, Unembedded};

/// A collection of documents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collection {
    /// Its identifier.
    pub collection_id: String,
    /// Whose it is.
    pub caller: String,
    /// Its name, of which a caller has one.
    pub name: String,
    /// How many documents it has.
    pub documents: u64,
    /// When it was made.
    pub created_at: Timestamp,
}

/// A document as it is put in.
#[derive(Clone, Copy, Debug)]
pub struct NewDocument<'a> {
    /// Its identifier.
    pub document_id: &'a str,
    /// Whose it is.
    pub caller: &'a str,
    /// The collection, which must be the caller's.
    pub collection_id: &'a str,
    /// Where it came from: a path or an address, once in a collection.
    pub source: &'a str,
    /// Its title.
    pub title: &'a str,
    /// Where a person can read it.
    pub url: Option<&'a str>,
    /// What it was given as.
    pub media_type: &'a str,
    /// What it is tagged with.
    pub tags: &'a [String],
    /// The SHA-256 of what was given, in hex.
    pub given_sha256: &'a str,
    /// Its text, of which chunks are ranges.
    pub text: &'a str,
    /// Its chunks, in order.
    pub chunks: &'a [NewChunk],
}

/// A document that is kept, without its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredDocument {
    /// Its identifier.
    pub document_id: String,
    /// Whose it is.
    pub caller: String,
    /// Its collection.
    pub collection_id: String,
    /// Where it came from.
    pub source: String,
    /// Its title.
    pub title: String,
    /// Where a person can read it.
    pub url: Option<String>,
    /// What it was given as.
    pub media_type: String,
    /// What it is tagged with, in order.
    pub tags: Vec<String>,
    /// The SHA-256 of what was given, in hex.
    pub given_sha256: String,
    /// Its version, from 1; one more each time that something else was given.
    pub version: i64,
    /// Its chunks, of all levels.
    pub chunks: i64,
    /// When it was first put in.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// A document that changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentChange {
    /// The change's place in the order of all changes.
    pub revision: i64,
    /// The document.
    pub document_id: String,
}

const DOCUMENTS: &str = "SELECT document_id, caller, collection_id, source, title, url, media_type, tags, given_sha256, version, \
     (SELECT COUNT(*) FROM chunks WHERE chunks.document_id = documents.document_id) AS chunks, created_at, updated_at \
     FROM documents ";

impl Store {
    /// The caller's collection of this name, which is made under `collection_id` where there is none.
    pub async fn put_collection(
        &self,
        caller: &str,
        name: &str,
        collection_id: &str,
        now: Timestamp,
    ) -> Result<Collection, Error> {
        sqlx::query(
            "INSERT INTO collections (collection_id, caller, name, created_at) VALUES (?1, ?2, ?3, ?4) \
             ON CONFLICT (caller, name) DO NOTHING",
        )
        .bind(collection_id)
        .bind(caller)
        .bind(name)
        .bind(to_ms(now))
        .execute(&self.writer)
        .await?;
        let found = self.collections(caller).await?.into_iter().find(|collection| collection.name == name);
        found.ok_or(Error::Unreadable("collection"))
    }

    /// A caller's collections, by name.
    pub async fn collections(&self, caller: &str) -> Result<Vec<Collection>, Error> {
        let rows: Vec<(String, String, i64, i64)> = sqlx::query_as(
            "SELECT collection_id, name, created_at, \
             (SELECT COUNT(*) FROM documents WHERE documents.collection_id = collections.collection_id) \
             FROM collections WHERE caller = ?1 ORDER BY name",
        )
        .bind(caller)
        .fetch_all(&self.readers)
        .await?;
        let collection = |(collection_id, name, created_at, documents): (String, String, i64, i64)| {
            Ok(Collection {
                collection_id,
                caller: caller.to_owned(),
                name,
                documents: u64::try_from(documents).unwrap_or_default(),
                created_at: from_ms(created_at)?,
            })
        };
        rows.into_iter().map(collection).collect()
    }

    /// Deletes a caller's collection that has no documents. Says whether there was one.
    pub async fn delete_collection(&self, caller: &str, collection_id: &str) -> Result<bool, Error> {
        let deleted = sqlx::query(
            "DELETE FROM collections WHERE caller = ?1 AND collection_id = ?2 \
             AND NOT EXISTS (SELECT 1 FROM documents WHERE documents.collection_id = ?2)",
        )
        .bind(caller)
        .bind(collection_id)
        .execute(&self.writer)
        .await?;
        Ok(deleted.rows_affected() > 0)
    }

    /// Puts a document in, in place of the version before; all of it or nothing.
    pub async fn put_document(
        &self,
        document: NewDocument<'_>,
        now: Timestamp,
    ) -> Result<DocumentChange, Error> {
        let mut transaction = self.begin().await?;
        sqlx::query(
            "INSERT INTO documents (document_id, caller, collection_id, source, title, url, media_type, given_sha256, \
             text, version, created_at, updated_at, tags) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 1, ?10, ?10, ?11) \
             ON CONFLICT (document_id) DO UPDATE SET title = excluded.title, url = excluded.url, tags = excluded.tags, \
             media_type = excluded.media_type, text = excluded.text, updated_at = excluded.updated_at, \
             version = version + (given_sha256 <> excluded.given_sha256), given_sha256 = excluded.given_sha256",
        )
        .bind(document.document_id)
        .bind(document.caller)
        .bind(document.collection_id)
        .bind(document.source)
        .bind(document.title)
        .bind(document.url)
        .bind(document.media_type)
        .bind(document.given_sha256)
        .bind(document.text.as_bytes())
        .bind(to_ms(now))
        .bind(serde_json::Value::from(document.tags).to_string())
        .execute(&mut *transaction)
        .await?;
        chunks::replace(&mut transaction, document.document_id, document.chunks).await?;
        let revision = changed(&mut transaction, document.document_id).await?;
        transaction.commit().await?;
        Ok(DocumentChange { revision, document_id: document.document_id.to_owned() })
    }

    /// Deletes a caller's document with its chunks. The change, where there was one.
    pub async fn delete_document(
        &self,
        caller: &str,
        document_id: &str,
    ) -> Result<Option<DocumentChange>, Error> {
        let mut transaction = self.begin().await?;
        let deleted = sqlx::query("DELETE FROM documents WHERE caller = ?1 AND document_id = ?2")
            .bind(caller)
            .bind(document_id)
            .execute(&mut *transaction)
            .await?;
        if deleted.rows_affected() == 0 {
            return Ok(None);
        }
        let revision = changed(&mut transaction, document_id).await?;
        transaction.commit().await?;
        Ok(Some(DocumentChange { revision, document_id: document_id.to_owned() }))
    }

    /// A caller's document.
    pub async fn document(&self, caller: &str, document_id: &str) -> Result<Option<StoredDocument>, Error> {
        let text = format!("{DOCUMENTS} WHERE caller = ?1 AND document_id = ?2");
        let query = sqlx::query(sqlx::AssertSqlSafe(text)).bind(caller).bind(document_id);
        query.fetch_optional(&self.readers).await?.as_ref().map(document_of).transpose()
    }

    /// A caller's documents by title, of one collection where one is named: so many, after so many.
    pub async fn documents(
        &self,
        caller: &str,
        collection_id: Option<&str>,
        limit: u32,
        offset: u32,
    ) -> Result<Vec<StoredDocument>, Error> {
        let text = format!(
            "{DOCUMENTS} WHERE caller = ?1 AND (?2 IS NULL OR collection_id = ?2) ORDER BY title, document_id LIMIT ?3 OFFSET ?4"
        );
        let query =
            sqlx::query(sqlx::AssertSqlSafe(text)).bind(caller).bind(collection_id).bind(limit).bind(offset);
        query.fetch_all(&self.readers).await?.iter().map(document_of).collect()
    }

    /// A caller's documents whose titles have these words as they stand, letters of either case alike where they are ASCII.
    pub async fn documents_titled(
        &self,
        caller: &str,
        words: &str,
        limit: usize,
    ) -> Result<Vec<StoredDocument>, Error> {
        let text = format!(
            "{DOCUMENTS} WHERE caller = ?1 AND INSTR(LOWER(title), LOWER(?2)) > 0 ORDER BY title, document_id LIMIT ?3"
        );
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let query = sqlx::query(sqlx::AssertSqlSafe(text)).bind(caller).bind(words.trim()).bind(limit);
        query.fetch_all(&self.readers).await?.iter().map(document_of).collect()
    }

    /// The identifiers of a caller's documents that have all of these tags.
    pub async fn documents_tagged(&self, caller: &str, tags: &[String]) -> Result<Vec<String>, Error> {
        let found = sqlx::query_scalar(
            "SELECT document_id FROM documents WHERE caller = ?1 AND NOT EXISTS (SELECT 1 FROM json_each(?2) AS wanted \
             WHERE wanted.value NOT IN (SELECT value FROM json_each(documents.tags)))",
        )
        .bind(caller)
        .bind(serde_json::Value::from(tags).to_string());
        Ok(found.fetch_all(&self.readers).await?)
    }

    /// A caller's document's text.
    pub async fn document_text(&self, caller: &str, document_id: &str) -> Result<Option<String>, Error> {
        let bytes: Option<Vec<u8>> =
            sqlx::query_scalar("SELECT text FROM documents WHERE caller = ?1 AND document_id = ?2")
                .bind(caller)
                .bind(document_id)
                .fetch_optional(&self.readers)
                .await?;
        bytes.map(|bytes| String::from_utf8(bytes).map_err(|_| Error::Unreadable("text"))).transpose()
    }

    /// What changed after a revision, in order, each document once.
    pub async fn library_changes(&self, after: i64) -> Result<Vec<DocumentChange>, Error> {
        let rows: Vec<(i64, String)> = sqlx::query_as(
            "SELECT revision, document_id FROM library_changes WHERE revision > ?1 ORDER BY revision",
        )
        .bind(after)
        .fetch_all(&self.readers)
        .await?;
        Ok(rows.into_iter().map(|(revision, document_id)| DocumentChange { revision, document_id }).collect())
    }

    /// The last revision; 0 where nothing ever changed.
    pub async fn library_revision(&self) -> Result<i64, Error> {
        let last: Option<i64> =
            sqlx::query_scalar("SELECT MAX(revision) FROM library_changes").fetch_one(&self.readers).await?;
        Ok(last.unwrap_or(0))
    }
}

async fn changed(connection: &mut sqlx::SqliteConnection, document_id: &str) -> Result<i64, Error> {
    let revision = sqlx::query_scalar(
        "INSERT OR REPLACE INTO library_changes (document_id) VALUES (?1) RETURNING revision",
    )
    .bind(document_id)
    .fetch_one(connection)
    .await?;
    Ok(revision)
}

fn document_of(row: &SqliteRow) -> Result<StoredDocument, Error> {
    let tags: String = row.try_get("tags")?;
    Ok(StoredDocument {
        document_id: row.try_get("document_id")?,
        caller: row.try_get("caller")?,
        collection_id: row.try_get("collection_id")?,
        source: row.try_get("source")?,
        title: row.try_get("title")?,
        url: row.try_get("url")?,
        media_type: row.try_get("media_type")?,
        tags: serde_json::from_str(&tags).map_err(|_| Error::Unreadable("a document's tags"))?,
        given_sha256: row.try_get("given_sha256")?,
        version: row.try_get("version")?,
        chunks: row.try_get("chunks")?,
        created_at: from_ms(row.try_get("created_at")?)?,
        updated_at: from_ms(row.try_get("updated_at")?)?,
    })
}
