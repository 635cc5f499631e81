//! What many recordings have in common, made once.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use domain::Snapshot;
use policy::Policy;

use super::hash_of;
use crate::format::catalog::{RecordedCatalog, schema_hashes};
use crate::redact::{Redactor, Sieve};

/// The last of each.
#[derive(Default)]
pub(super) struct Shares {
    catalog: Option<(Arc<Snapshot>, Shared)>,
    policies: Option<(String, Policies)>,
}

/// A body that many recordings have.
#[derive(Clone)]
pub(super) struct Shared {
    pub(super) hash: String,
    pub(super) text: Arc<str>,
    /// The names of a catalog's listings, each with the hash of its schemas.
    pub(super) listings: Arc<BTreeMap<String, String>>,
}

/// What comes of a policy.
#[derive(Clone)]
pub(super) struct Policies {
    pub(super) files: Shared,
    pub(super) sieve: Arc<Sieve>,
}

impl Shares {
    pub(super) fn policies(&mut self, policy: &Policy) -> io::Result<Policies> {
        match &self.policies {
            Some((known, policies)) if *known == policy.hash => Ok(policies.clone()),
            _ => {
                let files = Shared::of(serde_json::to_string(&*policy.files)?, BTreeMap::new());
                let policies = Policies { files, sieve: Arc::new(Sieve::new(&policy.recording)) };
                self.policies = Some((policy.hash.clone(), policies.clone()));
                Ok(policies)
            }
        }
    }

    pub(super) fn catalog(
        &mut self,
        snapshot: &Arc<Snapshot>,
        redactor: &mut Redactor<'_>,
    ) -> io::Result<Shared> {
        match &self.catalog {
            Some((known, shared)) if Arc::ptr_eq(known, snapshot) => Ok(shared.clone()),
            _ => {
                let mut text = Vec::new();
                redactor.write(&mut text, &RecordedCatalog::of(snapshot))?;
                let text = String::from_utf8(text).map_err(io::Error::other)?;
                let shared = Shared::of(text, schema_hashes(snapshot));
                self.catalog = Some((Arc::clone(snapshot), shared.clone()));
                Ok(shared)
            }
        }
    }
}

impl Shared {
    fn of(text: String, listings: BTreeMap<String, String>) -> Self {
        Self { hash: hash_of(text.as_bytes()), text: text.into(), listings: Arc::new(listings) }
    }
}
