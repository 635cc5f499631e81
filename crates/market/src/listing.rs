//! One listing: what a marketplace says about a server, and the server's methods.

use crate::method::Method;

/// One listing of the sample marketplace.
pub(crate) struct Listing {
    /// Its name.
    pub(crate) name: &'static str,
    /// What it offers, for people and for the server's `instructions`.
    pub(crate) description: &'static str,
    /// Its category.
    pub(crate) category: &'static str,
    /// The price of one query over it, in US dollars.
    pub(crate) price: &'static str,
    /// Its methods, in the order of `tools/list`.
    pub(crate) methods: Vec<Method>,
}

impl Listing {
    /// The method with this name.
    pub(crate) fn method(&self, name: &str) -> Option<&Method> {
        self.methods.iter().find(|method| method.tool().name == name)
    }
}
