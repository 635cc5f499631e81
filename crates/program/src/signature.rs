//! What a program may call.

use std::collections::BTreeMap;

use domain::{MethodRef, Usd};
use serde_json::Value;

/// One method as a program sees it.
#[derive(Clone, Debug)]
pub struct Signature {
    /// The name in the program: `alias.method`.
    pub name: String,
    /// The method behind the name.
    pub method: MethodRef,
    /// The JSON Schema of its arguments.
    pub input: Value,
    /// The JSON Schema of its result, where it publishes one.
    pub output: Option<Value>,
    /// What one call costs.
    pub price: Usd,
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
