//! The catalog, ready to be searched and read.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use domain::Snapshot;
use fit::Knowledge;
use policy::Ranking;
use probe::{Index, Lexicon};

/// The index of the catalog's last snapshot, made anew when the catalog has changed.
#[derive(Debug, Default)]
pub struct Shelf {
    index: Mutex<Option<(u64, Arc<Index>)>>,
    knowledge: Arc<Knowledge>,
    lexicon: OnceLock<Lexicon>,
}

impl Shelf {
    /// What is known of the methods whatever is asked.
    #[must_use]
    pub fn knowledge(&self) -> &Arc<Knowledge> {
        &self.knowledge
    }

    /// The word groups of the policy, which is the same for as long as the process runs.
    #[must_use]
    pub fn lexicon(&self, ranking: &Ranking) -> &Lexicon {
        self.lexicon.get_or_init(|| Lexicon::of(ranking))
    }

    /// The index of this snapshot.
    #[must_use]
    pub fn index(&self, snapshot: &Snapshot, ranking: &Ranking) -> Arc<Index> {
        let mut kept = self.index.lock().unwrap_or_else(PoisonError::into_inner);
        match &*kept {
            Some((revision, index)) if *revision == snapshot.revision => Arc::clone(index),
            _ => {
                let index = Arc::new(Index::build(snapshot, ranking));
                *kept = Some((snapshot.revision, Arc::clone(&index)));
                index
            }
        }
    }
}
