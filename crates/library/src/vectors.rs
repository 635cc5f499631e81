//! The vectors of paragraphs: held in memory by document, and made where they are missing.
//!
//! Every vector of a scope is looked at: a hundred thousand take less time than asking for the question's own. What is not in
//! the scope is passed over by document, before anything is compared.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use llm::{Embedder, FallbackReason};
use policy::Fusion;
use store::{DocumentVectors, Unembedded};

use crate::index::Candidate;
use crate::library::blocking;
use crate::search::Question;
use crate::{Error, Library, Scope};

/// The vectors of a library, all of one model.
pub(crate) struct Vectors {
    embedder: Arc<Embedder>,
    model: String,
    held: RwLock<Shelf>,
    /// Who makes vectors does it alone.
    making: tokio::sync::Mutex<()>,
    /// Says that documents have changed.
    changed: tokio::sync::Notify,
}

#[derive(Default)]
struct Shelf {
    volumes: BTreeMap<String, Volume>,
    /// The database's revision up to which it has come.
    revision: i64,
    bytes: usize,
}

struct Volume {
    caller: String,
    collection: String,
    root: i64,
    paragraphs: usize,
    numbers: Vec<i64>,
    /// One after the other.
    vectors: Vec<f32>,
}

/// What came of making vectors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Embedded {
    /// Paragraphs that were given one.
    pub paragraphs: usize,
    /// Paragraphs that the endpoint does not take.
    pub refused: usize,
    /// Why no more were made; none where none is missing.
    pub fault: Option<FallbackReason>,
}

impl Library {
    /// Makes the vectors that are missing, those of another model too, until there are none or the endpoint fails. Where no
    /// model is configured there is nothing to do.
    pub async fn embed(&self) -> Result<Embedded, Error> {
        let Some(vectors) = &self.vectors else { return Ok(Embedded::default()) };
        let _alone = vectors.making.lock().await;
        let mut touched = BTreeSet::new();
        let made = self.embed_missing(vectors, &mut touched).await;
        let _settled = self.catching_up.lock().await;
        for document_id in &touched {
            self.shelve_document(vectors, document_id).await?;
        }
        made
    }

    /// Makes vectors of all that is put in, for as long as it is waited for. Over at once where no model is configured.
    pub async fn keep_embedded(&self) {
        let Some(vectors) = &self.vectors else { return };
        let retry = Duration::from_millis(vectors.embedder.settings().retry_ms);
        loop {
            let fault = match self.embed().await {
                Ok(Embedded { fault, .. }) => fault.map(|fault| fault.to_string()),
                Err(error) => Some(error.to_string()),
            };
            if let Some(fault) = fault {
                tracing::warn!(fault, "documents have no vectors for now: words alone are searched");
                tokio::time::sleep(retry).await;
            } else {
                vectors.changed.notified().await;
            }
        }
    }

    /// The paragraphs of a scope that mean what is asked, the likest first; nothing where words alone have to do: no model,
    /// no vectors, or no vector of the question in time.
    pub(crate) async fn near(
        &self,
        scope: &Scope,
        question: Question<'_>,
        limit: usize,
    ) -> Result<Option<Vec<Candidate>>, Error> {
        let Some(vectors) = self.vectors.clone() else { return Ok(None) };
        if !vectors.covers(scope, &self.policy.search.fusion) {
            return Ok(None);
        }
        let asked = match question.previous {
            Some(previous) => format!("{previous}\n{}", question.text),
            None => question.text.to_owned(),
        };
        match vectors.embedder.question(&asked).await {
            Ok(question) => {
                let scope = scope.clone();
                blocking(move || Ok(Some(vectors.nearest(&scope, &question, limit)))).await
            }
            Err(fault) => {
                tracing::debug!(%fault, "words alone are searched");
                Ok(None)
            }
        }
    }

    /// Brings what is in memory up to date with the store.
    pub(crate) async fn shelve(&self) -> Result<(), Error> {
        let Some(vectors) = &self.vectors else { return Ok(()) };
        let known = vectors.held.read().unwrap_or_else(PoisonError::into_inner).revision;
        let changes = self.store.library_changes(known).await?;
        for change in &changes {
            self.shelve_document(vectors, &change.document_id).await?;
        }
        if let Some(last) = changes.last() {
            vectors.held.write().unwrap_or_else(PoisonError::into_inner).revision = last.revision;
            vectors.changed.notify_one();
        }
        Ok(())
    }

    async fn shelve_document(&self, vectors: &Vectors, document_id: &str) -> Result<(), Error> {
        let kept = self.store.document_vectors(document_id, &vectors.model).await?;
        let mut held = vectors.held.write().unwrap_or_else(PoisonError::into_inner);
        held.put(document_id, kept, self.policy.search.fusion.memory_bytes_max);
        Ok(())
    }

    async fn embed_missing(
        &self,
        vectors: &Vectors,
        touched: &mut BTreeSet<String>,
    ) -> Result<Embedded, Error> {
        let most = vectors.embedder.settings().texts_max;
        let (mut embedded, mut after) = (Embedded::default(), 0);
        loop {
            let missing = self.store.unembedded(&vectors.model, after, most).await?;
            let Some(last) = missing.last() else { return Ok(embedded) };
            after = last.chunk;
            touched.extend(missing.iter().map(|one| one.document_id.clone()));
            let fault = match self.embed_all(vectors, &missing).await? {
                Some(fault) if refuses_a_text(&fault) => {
                    self.embed_singly(vectors, &missing, &mut embedded).await?
                }
                Some(fault) => Some(fault),
                None => {
                    embedded.paragraphs += missing.len();
                    None
                }
            };
            if fault.is_some() {
                return Ok(Embedded { fault, ..embedded });
            }
        }
    }

    /// Makes vectors of texts one by one, where together they were refused for one of them. A fault where none is taken.
    async fn embed_singly(
        &self,
        vectors: &Vectors,
        missing: &[Unembedded],
        embedded: &mut Embedded,
    ) -> Result<Option<FallbackReason>, Error> {
        let mut last = None;
        let mut refused = 0;
        for one in missing {
            match self.embed_all(vectors, std::slice::from_ref(one)).await? {
                None => embedded.paragraphs += 1,
                Some(fault) if refuses_a_text(&fault) => {
                    refused += 1;
                    last = Some(fault);
                }
                Some(fault) => return Ok(Some(fault)),
            }
        }
        embedded.refused += refused;
        Ok(last.filter(|_| refused == missing.len()))
    }

    /// Makes and keeps the vectors of these paragraphs. A fault where there are none.
    async fn embed_all(
        &self,
        vectors: &Vectors,
        missing: &[Unembedded],
    ) -> Result<Option<FallbackReason>, Error> {
        let texts: Vec<String> =
            missing.iter().map(|one| format!("{}\n{}", one.path.join(" > "), one.content)).collect();
        let made = match vectors.embedder.documents(&texts).await {
            Ok(made) => made,
            Err(fault) => return Ok(Some(fault)),
        };
        let made: Vec<(&str, &[f32])> = missing
            .iter()
            .zip(&made)
            .map(|(one, vector)| (one.chunk_id.as_str(), vector.as_slice()))
            .collect();
        self.store.put_vectors(&vectors.model, &made).await?;
        Ok(None)
    }
}

/// Whether a request may have been refused for one of its texts.
fn refuses_a_text(fault: &FallbackReason) -> bool {
    matches!(fault, FallbackReason::Rejected(400 | 413 | 422))
}

impl Vectors {
    pub(crate) fn new(embedder: Arc<Embedder>) -> Self {
        Self {
            model: embedder.settings().identity(),
            embedder,
            held: RwLock::default(),
            making: tokio::sync::Mutex::default(),
            changed: tokio::sync::Notify::new(),
        }
    }

    /// Whether enough of a scope's paragraphs have vectors.
    #[expect(clippy::cast_precision_loss, reason = "counts of paragraphs are far below 2^52")]
    fn covers(&self, scope: &Scope, fusion: &Fusion) -> bool {
        let held = self.held.read().unwrap_or_else(PoisonError::into_inner);
        let (all, embedded) = held.within(scope).fold((0, 0), |(all, embedded), volume| {
            (all + volume.paragraphs, embedded + volume.numbers.len())
        });
        embedded > 0 && embedded as f64 >= fusion.embedded_min * all as f64
    }

    fn nearest(&self, scope: &Scope, question: &[f32], limit: usize) -> Vec<Candidate> {
        let held = self.held.read().unwrap_or_else(PoisonError::into_inner);
        let mut found: Vec<(f32, i64, i64)> = Vec::new();
        for volume in held.within(scope) {
            let vectors = volume.vectors.chunks_exact(question.len());
            let likened = volume.numbers.iter().zip(vectors);
            found.extend(likened.map(|(number, vector)| (product(question, vector), *number, volume.root)));
        }
        drop(held);
        found.sort_unstable_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        found.truncate(limit);
        let candidate = |(likeness, chunk, document): (f32, i64, i64)| {
            let likeness = f64::from(likeness).clamp(0.0, 1.0);
            Candidate { chunk, document, score: likeness, lexical: 0.0, likeness }
        };
        found.into_iter().map(candidate).collect()
    }
}

impl Shelf {
    fn within<'a>(&'a self, scope: &'a Scope) -> impl Iterator<Item = &'a Volume> {
        self.volumes.iter().filter_map(|(document_id, volume)| {
            let is_within =
                volume.caller == scope.caller() && scope.allows_document(document_id, &volume.collection);
            is_within.then_some(volume)
        })
    }

    /// Puts a document's vectors in place of what was; without them where there is no room.
    fn put(&mut self, document_id: &str, kept: Option<DocumentVectors>, bytes_max: usize) {
        if let Some(before) = self.volumes.remove(document_id) {
            self.bytes -= size_of_val(before.vectors.as_slice());
        }
        let Some(kept) = kept else { return };
        let (mut numbers, mut vectors) = (Vec::new(), Vec::new());
        let bytes: usize = kept.vectors.iter().map(|(_, vector)| size_of_val(vector.as_slice())).sum();
        if self.bytes + bytes <= bytes_max {
            self.bytes += bytes;
            numbers = kept.vectors.iter().map(|(number, _)| *number).collect();
            vectors = kept.vectors.into_iter().flat_map(|(_, vector)| vector).collect();
        } else {
            tracing::warn!(document_id, "no room for its vectors (`search.fusion.memory_bytes_max`)");
        }
        let DocumentVectors { caller, collection_id: collection, root, paragraphs, .. } = kept;
        self.volumes.insert(
            document_id.to_owned(),
            Volume { caller, collection, root, paragraphs, numbers, vectors },
        );
    }
}

/// The product of two vectors of one length, in lanes that a processor takes at once.
fn product(one: &[f32], other: &[f32]) -> f32 {
    let mut sums = [0.0_f32; LANES];
    let (whole, rest) = one.as_chunks::<LANES>();
    let (other_whole, other_rest) = other.as_chunks::<LANES>();
    for (a, b) in whole.iter().zip(other_whole) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    let rest: f32 = rest.iter().zip(other_rest).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f32>() + rest
}

const LANES: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_take_every_number() {
        let one: Vec<f32> = (1..=11_u8).map(f32::from).collect();
        assert!((product(&one, &one) - 506.0).abs() < 1e-3);
        assert!((product(&one[..3], &one[..3]) - 14.0).abs() < 1e-3);
    }

    #[test]
    fn what_has_no_room_is_left_out_and_counted() {
        let kept = || {
            Some(DocumentVectors {
                caller: "me".to_owned(),
                collection_id: "c".to_owned(),
                root: 1,
                paragraphs: 1,
                vectors: vec![(2, vec![1.0, 0.0])],
            })
        };
        let mut held = Shelf::default();
        held.put("a", kept(), 8);
        held.put("b", kept(), 8);
        let scope = Scope::of_caller("me");
        let numbers: Vec<usize> = held.within(&scope).map(|volume| volume.numbers.len()).collect();
        assert_eq!((numbers, held.bytes), (vec![1, 0], 8));
        held.put("a", None, 8);
        held.put("b", kept(), 8);
        assert_eq!((held.within(&scope).count(), held.bytes), (1, 8));
        assert_eq!(held.within(&Scope::of_caller("you")).count(), 0);
    }
}
