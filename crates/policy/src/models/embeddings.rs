//! The model that turns texts into vectors, for documents.

use serde::Deserialize;

/// The embedding model of the library.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Embeddings {
    /// The name of its endpoint.
    pub endpoint: String,
    /// What the endpoint calls it.
    pub name: String,
    /// How many numbers its vectors have.
    pub dimensions: usize,
    /// What stands before a question, where the model wants something.
    #[serde(default)]
    pub question_prefix: String,
    /// What stands before a part of a document.
    #[serde(default)]
    pub document_prefix: String,
    /// How long a search waits for a question's vector, in milliseconds.
    pub question_timeout_ms: u64,
    /// How long one request for documents may take, in milliseconds.
    pub request_timeout_ms: u64,
    /// Texts of one request.
    pub texts_max: usize,
    /// Characters of one text; what is longer is cut.
    pub text_chars_max: usize,
    /// How long a server waits before it tries again after a failure, in milliseconds.
    pub retry_ms: u64,
}

impl Embeddings {
    /// What vectors are recorded under. Those of another identity are of no use beside them.
    #[must_use]
    pub fn identity(&self) -> String {
        let Self { name, dimensions, document_prefix, text_chars_max, .. } = self;
        format!("{name}/{dimensions}/{text_chars_max}/{document_prefix}")
    }
}
