//! The catalog, ready to be searched and read.

use std::sync::{Arc, Mutex, PoisonError};

use domain::Snapshot;
use fit::Knowledge;
use policy::Ranking;
use probe::{Index, Lexicon};

/// The index of the catalog's last snapshot, made anew when the catalog has changed, and what is known of its methods.
#[derive(Debug)]
pub struct Shelf {
    index: Mutex<Option<(u64, Arc<Index>)>>,
    knowledge: Arc<Knowledge>,
    lexicon: Lexicon,
}

impl Shelf {
    /// An empty one, which knows the words of this policy.
    #[must_use]
    pub fn of(ranking: &Ranking) -> Self {
        let lexicon = Lexicon::of(ranking);
        Self { index: Mutex::default(), knowledge: Arc::new(lexicon.knowledge()), lexicon }
    }

    /// What is known of the methods whatever is asked.
    #[must_use]
    pub fn knowledge(&self) -> &Arc<Knowledge> {
        &self.knowledge
    }

    /// The word groups of the policy.
    #[must_use]
    pub fn lexicon(&self) -> &Lexicon {
        &self.lexicon
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
