//! The vectors of chunks, each under the model that made it.

use crate::{Error, Store};

/// A paragraph that has no vector of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unembedded {
    /// Its number.
    pub chunk: i64,
    /// Its identifier.
    pub chunk_id: String,
    /// Its document.
    pub document_id: String,
    /// The headings above it, outermost first.
    pub path: Vec<String>,
    /// Its content.
    pub content: String,
}

/// The vectors of a document's paragraphs.
#[derive(Clone, Debug, PartialEq)]
pub struct DocumentVectors {
    /// Whose it is.
    pub caller: String,
    /// Its collection.
    pub collection_id: String,
    /// The number of the document's own chunk.
    pub root: i64,
    /// Its paragraphs, with vectors or without.
    pub paragraphs: usize,
    /// The paragraphs that have a vector of the model, by number.
    pub vectors: Vec<(i64, Vec<f32>)>,
}

impl Store {
    /// Paragraphs without a vector of a model, by number: so many after a number.
    pub async fn unembedded(&self, model: &str, after: i64, limit: usize) -> Result<Vec<Unembedded>, Error> {
        let rows: Vec<(i64, String, String, String, Vec<u8>)> = sqlx::query_as(
            "SELECT chunk, chunks.chunk_id, chunks.document_id, path, \
             COALESCE(CAST(content AS BLOB), SUBSTR(text, start_byte + 1, end_byte - start_byte)) \
             FROM chunks JOIN documents USING (document_id) LEFT JOIN vectors USING (chunk_id) \
             WHERE chunk > ?2 AND level = 2 AND (model IS NULL OR model <> ?1) ORDER BY chunk LIMIT ?3",
        )
        .bind(model)
        .bind(after)
        .bind(i64::try_from(limit).unwrap_or(i64::MAX))
        .fetch_all(&self.readers)
        .await?;
        let read = |(chunk, chunk_id, document_id, path, content): (i64, String, String, String, Vec<u8>)| {
            Ok(Unembedded {
                chunk,
                chunk_id,
                document_id,
                path: serde_json::from_str(&path).map_err(|_| Error::Unreadable("a chunk's path"))?,
                content: String::from_utf8(content).map_err(|_| Error::Unreadable("a chunk's content"))?,
            })
        };
        rows.into_iter().map(read).collect()
    }

    /// Keeps vectors of a model, in place of those of another, all of them or none. Chunks that are gone are passed over.
    pub async fn put_vectors(&self, model: &str, vectors: &[(&str, &[f32])]) -> Result<(), Error> {
        let mut transaction = self.begin().await?;
        for (chunk_id, vector) in vectors {
            let bytes: Vec<u8> = vector.iter().flat_map(|number| number.to_le_bytes()).collect();
            sqlx::query(
                "INSERT OR REPLACE INTO vectors (chunk_id, document_id, model, vector) \
                 SELECT chunk_id, document_id, ?2, ?3 FROM chunks WHERE chunk_id = ?1",
            )
            .bind(*chunk_id)
            .bind(model)
            .bind(bytes)
            .execute(&mut *transaction)
            .await?;
        }
        Ok(transaction.commit().await?)
    }

    /// A document's vectors of a model; none where it is gone.
    pub async fn document_vectors(
        &self,
        document_id: &str,
        model: &str,
    ) -> Result<Option<DocumentVectors>, Error> {
        let document: Option<(String, String, i64, i64)> = sqlx::query_as(
            "SELECT caller, collection_id, MIN(chunk), SUM(level = 2) FROM chunks JOIN documents USING (document_id) \
             WHERE document_id = ?1 GROUP BY document_id",
        )
        .bind(document_id)
        .fetch_optional(&self.readers)
        .await?;
        let Some((caller, collection_id, root, paragraphs)) = document else { return Ok(None) };
        let rows: Vec<(i64, Vec<u8>)> = sqlx::query_as(
            "SELECT chunk, vector FROM vectors JOIN chunks USING (chunk_id) \
             WHERE vectors.document_id = ?1 AND model = ?2 ORDER BY chunk",
        )
        .bind(document_id)
        .bind(model)
        .fetch_all(&self.readers)
        .await?;
        let vectors = rows.into_iter().map(|(chunk, bytes)| (chunk, numbers(&bytes))).collect();
        let paragraphs = usize::try_from(paragraphs).unwrap_or_default();
        Ok(Some(DocumentVectors { caller, collection_id, root, paragraphs, vectors }))
    }
}

fn numbers(bytes: &[u8]) -> Vec<f32> {
    bytes.as_chunks::<4>().0.iter().map(|number| f32::from_le_bytes(*number)).collect()
}
