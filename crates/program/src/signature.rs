//! What a program may call.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::{ListingId, Method, MethodRef, Usd};

/// One method as a program sees it.
#[derive(Clone, Debug)]
pub struct Signature {
    /// The name in the program: `alias.method`.
    pub name: String,
    /// The listing that has the method.
    pub listing: ListingId,
    /// The method behind the name, with the schemas of its arguments and its result.
    pub method: Arc<Method>,
    /// What one call costs.
    pub price: Usd,
}

impl Signature {
    /// The method's identity.
    #[must_use]
    pub fn method_ref(&self) -> MethodRef {
        MethodRef { listing: self.listing, method: self.method.name.clone() }
    }
}

/// Every method that a program may call, by name.
#[derive(Clone, Debug, Default)]
pub struct Signatures {
    by_name: BTreeMap<String, Signature>,
}

impl Signatures {
    /// The signature of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Signature> {
        self.by_name.get(name)
    }

    /// Every signature, by name.
    pub fn iter(&self) -> impl Iterator<Item = &Signature> {
        self.by_name.values()
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.by_name.keys().map(String::as_str)
    }
}

impl FromIterator<Signature> for Signatures {
    fn from_iter<I: IntoIterator<Item = Signature>>(signatures: I) -> Self {
        Self {
            by_name: signatures.into_iter().map(|signature| (signature.name.clone(), signature)).collect(),
        }
    }
}
