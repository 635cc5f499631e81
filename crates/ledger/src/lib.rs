//! Settlement: every request is written down once, with what each of its calls cost.

use store::{Error, Store};

pub use store::{Charge, Settlement};

/// The book that settlements are written to. Clones share it.
#[derive(Clone, Debug)]
pub struct Ledger {
    store: Store,
}

impl Ledger {
    /// The book of this store.
    #[must_use]
    pub fn new(store: Store) -> Self {
        Self { store }
    }

    /// Writes a settlement down. False where the request was settled before: the first settlement stands.
    pub async fn settle(&self, settlement: &Settlement) -> Result<bool, Error> {
        self.store.record_settlement(settlement).await
    }
}
