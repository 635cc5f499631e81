//! Documents and collections: taken in, listed, deleted.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use contract::error::{BodyFault, ErrorCode};
use contract::library::{CollectionBody, DocumentBody, Listed, NewDocumentRequest, Page};
use library::{Format, Given};
use store::{Collection, StoredDocument};

use super::{DeskFault, Reader};

/// The collection of documents that are given without one.
pub(crate) const DEFAULT_COLLECTION: &str = "documents";

/// A document's bytes with what is said of them.
pub(crate) struct GivenDocument<'a> {
    pub(crate) title: Option<&'a str>,
    pub(crate) source: Option<&'a str>,
    pub(crate) url: Option<&'a str>,
    pub(crate) media_type: Option<&'a str>,
    pub(crate) collection_id: Option<&'a str>,
    pub(crate) collection: Option<&'a str>,
    pub(crate) tags: &'a [String],
    pub(crate) bytes: &'a [u8],
}

impl Reader<'_> {
    /// Takes in a document of a JSON body.
    pub(crate) async fn take_in(&self, request: &NewDocumentRequest) -> Result<DocumentBody, DeskFault> {
        let bytes = if request.is_base64 {
            STANDARD
                .decode(request.content.trim())
                .map_err(|_| BodyFault::new(ErrorCode::InvalidValue, "contentBase64", "must be Base64"))?
        } else {
            request.content.clone().into_bytes()
        };
        let given = GivenDocument {
            title: request.title.as_deref(),
            source: request.source.as_deref(),
            url: request.url.as_deref(),
            media_type: request.media_type.as_deref(),
            collection_id: request.collection_id.as_deref(),
            collection: request.collection.as_deref(),
            tags: &request.tags,
            bytes: &bytes,
        };
        self.add(&given).await
    }

    /// Takes in a document; what was given from the same source before is replaced.
    pub(crate) async fn add(&self, given: &GivenDocument<'_>) -> Result<DocumentBody, DeskFault> {
        let format = format(given)?;
        let Some(source) = given.source.or(given.title).or(given.url) else {
            return Err(BodyFault::new(
                ErrorCode::MissingField,
                "title",
                "is required where no `source` is given",
            )
            .into());
        };
        let now = self.desk.clock.now();
        let library = &self.desk.library;
        let collection_id = if let Some(id) = given.collection_id {
            self.own_collection(id).await?.collection_id
        } else {
            let name = given.collection.unwrap_or(DEFAULT_COLLECTION);
            library.collection(self.caller, &self.named(name)?, now).await?.collection_id
        };
        let document = Given {
            title: given.title,
            url: given.url,
            tags: given.tags,
            ..Given::new(source, format, given.bytes)
        };
        let added = library.add(self.caller, &collection_id, document, now).await?;
        Ok(DocumentBody { unchanged: Some(added.is_unchanged), ..document_body(added.document) })
    }

    /// A page of the caller's documents, by title.
    pub(crate) async fn documents(
        &self,
        collection_id: Option<&str>,
        limit: Option<usize>,
        cursor: Option<&str>,
    ) -> Result<Listed<DocumentBody>, DeskFault> {
        let limits = self.policy().documents;
        let limit = limit.unwrap_or(limits.page_default).min(limits.page_max);
        let offset: u32 = match cursor {
            None => 0,
            Some(cursor) => cursor
                .parse()
                .map_err(|_| BodyFault::new(ErrorCode::InvalidValue, "cursor", "is none that was given"))?,
        };
        let one_more = u32::try_from(limit + 1).unwrap_or(u32::MAX);
        let mut found = self.desk.library.documents(self.caller, collection_id, one_more, offset).await?;
        let has_more = found.len() > limit;
        found.truncate(limit);
        let next = offset.saturating_add(u32::try_from(limit).unwrap_or(u32::MAX));
        let pagination = has_more.then(|| Page { cursor: next.to_string(), has_more });
        Ok(Listed { data: found.into_iter().map(document_body).collect(), pagination })
    }

    /// A document with its text.
    pub(crate) async fn document(&self, id: &str) -> Result<DocumentBody, DeskFault> {
        let found = self.desk.library.document(self.caller, id).await?;
        let (document, text) = found.ok_or(DeskFault::NoDocument)?;
        Ok(DocumentBody { content: Some(text), ..document_body(document) })
    }

    /// Deletes a document.
    pub(crate) async fn remove(&self, id: &str) -> Result<(), DeskFault> {
        if self.desk.library.remove(self.caller, id).await? { Ok(()) } else { Err(DeskFault::NoDocument) }
    }

    /// The caller's collections, by name.
    pub(crate) async fn collections(&self) -> Result<Listed<CollectionBody>, DeskFault> {
        let collections = self.desk.library.collections(self.caller).await?;
        Ok(Listed { data: collections.into_iter().map(collection_body).collect(), pagination: None })
    }

    /// One collection.
    pub(crate) async fn collection(&self, id: &str) -> Result<CollectionBody, DeskFault> {
        Ok(collection_body(self.own_collection(id).await?))
    }

    /// Makes a collection of this name, or gives the one that there is.
    pub(crate) async fn make_collection(&self, name: &str) -> Result<CollectionBody, DeskFault> {
        let name = self.named(name)?;
        let made = self.desk.library.collection(self.caller, &name, self.desk.clock.now()).await?;
        Ok(collection_body(made))
    }

    /// Deletes a collection that has no documents.
    pub(crate) async fn remove_collection(&self, id: &str) -> Result<(), DeskFault> {
        let collection = self.own_collection(id).await?;
        let is_removed = self.desk.library.remove_collection(self.caller, &collection.collection_id).await?;
        if is_removed { Ok(()) } else { Err(DeskFault::NotEmpty) }
    }

    async fn own_collection(&self, id: &str) -> Result<Collection, DeskFault> {
        let collections = self.desk.library.collections(self.caller).await?;
        collections.into_iter().find(|one| one.collection_id == id).ok_or(DeskFault::NoCollection)
    }

    fn named(&self, name: &str) -> Result<String, DeskFault> {
        let most = self.policy().documents.title_chars_max;
        if name.chars().count() > most {
            let message = format!("is longer than {most} characters (`documents.title_chars_max`)");
            return Err(BodyFault::new(ErrorCode::LimitExceeded, "name", message).into());
        }
        Ok(name.trim().to_owned())
    }
}

/// What a document is: as its type says, else as the end of its source's name does, else Markdown.
fn format(given: &GivenDocument<'_>) -> Result<Format, BodyFault> {
    match given.media_type {
        Some(media_type) => Format::of_media_type(media_type).ok_or_else(|| {
            let message = "must be `text/markdown`, `text/html`, `text/plain` or `application/pdf`";
            BodyFault::new(ErrorCode::InvalidValue, "mediaType", message)
        }),
        None => Ok(given.source.and_then(Format::of_name).unwrap_or(Format::Markdown)),
    }
}

fn document_body(document: StoredDocument) -> DocumentBody {
    let source_type = match document.media_type.as_str() {
        "text/markdown" => "markdown",
        "text/html" => "html",
        "application/pdf" => "pdf",
        _ => "text",
    };
    DocumentBody {
        id: document.document_id,
        title: document.title,
        status: "ready".to_owned(),
        source_type: source_type.to_owned(),
        source: document.source,
        source_url: document.url,
        collection_id: document.collection_id,
        tags: document.tags,
        current_version: document.version,
        chunk_count: document.chunks,
        sha256: document.given_sha256,
        created_at: document.created_at.as_millisecond(),
        updated_at: document.updated_at.as_millisecond(),
        content: None,
        unchanged: None,
    }
}

fn collection_body(collection: Collection) -> CollectionBody {
    CollectionBody {
        id: collection.collection_id,
        name: collection.name,
        item_count: collection.documents,
        created_at: collection.created_at.as_millisecond(),
    }
}
