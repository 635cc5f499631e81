//! `find_items` and `deep_search`.

use std::collections::BTreeMap;

use contract::library::{
    FindRequest, Found, FoundCollection, FoundDocument, FoundMeta, FoundReply, ItemKind, SearchMeta,
    SearchRequest, Searched, SessionBody,
};
use library::{Error, Question};
use reading::words;

use super::{DeskFault, Reader, show};

impl Reader<'_> {
    /// Finds documents and collections.
    pub(crate) async fn find(&self, request: &FindRequest) -> Result<FoundReply, DeskFault> {
        let mut found = Found::default();
        if request.kind != ItemKind::Prompts {
            let (documents, collections) = self.matching(request).await?;
            if request.kind != ItemKind::Collections {
                found.documents = documents;
            }
            if request.kind != ItemKind::Documents {
                found.collections = collections;
            }
        }
        let meta = FoundMeta { semantic: request.is_semantic, query: request.query.clone() };
        Ok(FoundReply { data: found, meta })
    }

    async fn matching(
        &self,
        request: &FindRequest,
    ) -> Result<(Vec<FoundDocument>, Vec<FoundCollection>), DeskFault> {
        let mut counts: BTreeMap<String, (usize, f64)> = BTreeMap::new();
        let mut documents: Vec<FoundDocument> = Vec::new();
        let mut count = |collection: String, score: f64| {
            let known = counts.entry(collection).or_default();
            known.0 += 1;
            known.1 = known.1.max(score);
        };
        let (mut all, limits) = (self.scope(None, None), self.policy().find);
        if !request.tags.is_empty() {
            all = self.desk.library.tagged(all, &request.tags).await?;
        }
        if request.is_semantic {
            let (most, likeness_min) =
                (self.policy().search.results_max, self.policy().search.fusion.likeness_min);
            let question = Question::alone(&request.query);
            let searched = self.desk.library.search(&all, question, Some(most)).await?;
            for result in searched.results {
                // Scores within a search are relative to its best; coverage says how good that one is.
                let by_words = result.score * searched.coverage;
                let by_meaning = if result.likeness < likeness_min { 0.0 } else { result.likeness };
                let score = by_words.max(by_meaning).clamp(0.0, 1.0);
                let is_known = documents.iter().any(|known| known.document_id == result.chunk.document_id);
                if score < limits.score_min || is_known || documents.len() >= limits.results_max {
                    continue;
                }
                count(result.chunk.collection_id, score);
                documents.push(FoundDocument {
                    document_id: result.chunk.document_id,
                    title: result.chunk.document_title,
                    score,
                    highlight: None,
                    chunk_id: None,
                });
            }
        } else {
            for found in self.desk.library.literal(&all, &request.query, limits.results_max).await? {
                count(found.collection_id, 1.0);
                documents.push(FoundDocument {
                    document_id: found.document_id,
                    title: found.document_title,
                    score: 1.0,
                    highlight: Some(found.highlight),
                    chunk_id: found.chunk_id,
                });
            }
        }
        Ok((documents, self.collections_of(request, &counts).await?))
    }

    /// Collections whose names have the words, or whose documents were found. Collections have no tags of their own: where
    /// some are wanted, documents alone speak for them.
    async fn collections_of(
        &self,
        request: &FindRequest,
        counts: &BTreeMap<String, (usize, f64)>,
    ) -> Result<Vec<FoundCollection>, DeskFault> {
        let wanted = words::terms(&request.query);
        let mut collections: Vec<FoundCollection> = Vec::new();
        for collection in self.desk.library.collections(self.caller).await? {
            let (matched_items, score) = counts.get(&collection.collection_id).copied().unwrap_or_default();
            let own = words::terms(&collection.name);
            let is_named = if request.is_semantic {
                !wanted.is_empty() && wanted.iter().all(|term| own.contains(term))
            } else {
                collection.name.to_lowercase().contains(&request.query.to_lowercase())
            };
            let is_named = is_named && request.tags.is_empty();
            if is_named || matched_items > 0 {
                collections.push(FoundCollection {
                    collection_id: collection.collection_id,
                    name: collection.name,
                    matched_items,
                    score: if is_named { 1.0 } else { score },
                });
            }
        }
        collections.sort_by(|one, other| other.score.total_cmp(&one.score));
        Ok(collections)
    }

    /// Finds chunks. A session that is not known any more is as none: what is found is worth more than what is left out.
    pub(crate) async fn search(&self, request: &SearchRequest) -> Result<Searched, DeskFault> {
        let since = self.desk.clock.now();
        let scope = self.scope(request.collection_id.as_deref(), request.document_id.as_deref());
        let question = Question::alone(&request.query);
        let library = &self.desk.library;
        let found = match &request.session_id {
            None => library.search(&scope, question, request.limit).await?,
            Some(session) => {
                match library.search_in_session(&scope, question, request.limit, session, since).await {
                    Err(Error::UnknownSession) => library.search(&scope, question, request.limit).await?,
                    found => found?,
                }
            }
        };
        let results: Vec<_> =
            found.results.into_iter().map(|result| show::result(result.chunk, result.score)).collect();
        let meta = SearchMeta {
            query: request.query.clone(),
            total_results: results.len(),
            latency_ms: self.elapsed_ms(since),
            retrieval: show::retrieval(found.retrieval),
            coverage: found.coverage,
            corrected: found.corrected.into_iter().map(|(said, meant)| [said, meant]).collect(),
        };
        Ok(Searched { results, meta })
    }

    /// Opens a session, whose searches leave out what was shown.
    pub(crate) async fn session(&self) -> Result<SessionBody, DeskFault> {
        let session = self.desk.library.open_session(self.caller, self.desk.clock.now()).await?;
        Ok(SessionBody {
            session_id: session.session_id,
            created_at: session.created_at.as_millisecond(),
            expires_at: session.expires_at.as_millisecond(),
        })
    }
}
