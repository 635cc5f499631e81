//! What tool selection hands on.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use jiff::Timestamp;

use crate::{Listing, ListingId, Method, MethodRef, Query};

/// A method that may serve the question, and how well its words fit.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The listing that has it.
    pub listing: Arc<Listing>,
    /// The method.
    pub method: Arc<Method>,
    /// Its lexical score against the question; comparable within one selection only.
    pub score: f64,
}

impl Candidate {
    /// The method's identity.
    #[must_use]
    pub fn method_ref(&self) -> MethodRef {
        MethodRef { listing: self.listing.id, method: self.method.name.clone() }
    }

    /// The name that programs call it by: `<listing alias>.<method name>`.
    #[must_use]
    pub fn call_name(&self) -> String {
        format!("{}.{}", self.listing.alias, self.method.name)
    }
}

/// A method that was left out, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct LeftOut {
    /// The method.
    pub method: MethodRef,
    /// Its lexical score against the question, on the candidates' scale.
    pub score: f64,
    /// Why, in words that may be shown to a caller.
    pub why: Cow<'static, str>,
    /// Whether it is what the question asks to be done, and not only near it.
    pub is_asked_for: bool,
}

/// One of several things that a question asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The thing, as the question says it.
    pub question: String,
    /// What serves it.
    pub served: Served,
}

/// What serves one of several things that are asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Served {
    /// This method, which has all that it needs.
    By(MethodRef),
    /// No method that is settled on.
    Unsettled,
    /// No method at hand, while another one of the things is served.
    No,
}

/// A question with the methods that may serve it. Consumed by the choice of the lane.
#[derive(Debug)]
pub struct Selected {
    /// The question.
    pub query: Query,
    /// When it was asked.
    pub asked_at: Timestamp,
    /// The methods that may serve it, best first; may be empty.
    pub candidates: Vec<Candidate>,
    /// Other query-safe methods of the same listings, for look-ups.
    pub helpers: Vec<Candidate>,
    /// What was left out for safety, or because its listing cannot be reached.
    pub left_out: Vec<LeftOut>,
    /// Methods that were looked at.
    pub considered: usize,
    /// The things that it may ask for by themselves; none where it asks for one.
    pub things: Vec<Thing>,
}

/// Something that a question may ask for by itself, beside other things.
#[derive(Clone, Debug)]
pub struct Thing {
    /// What it is, as the question says it.
    pub question: String,
    /// The methods that may serve it, best first, as well as they fit its own words; there is one.
    pub candidates: Vec<Candidate>,
}

impl Thing {
    /// Of methods at hand the other ones of its methods' listings, for look-ups.
    #[must_use]
    pub fn helpers<'a>(&self, at_hand: impl Iterator<Item = &'a Candidate>) -> Vec<Candidate> {
        let own: BTreeSet<MethodRef> = self.candidates.iter().map(Candidate::method_ref).collect();
        let listings: BTreeSet<ListingId> = own.iter().map(|method| method.listing).collect();
        let is_beside =
            |it: &&Candidate| listings.contains(&it.listing.id) && !own.contains(&it.method_ref());
        at_hand.filter(is_beside).cloned().collect()
    }
}
