//! Identifiers.

use std::fmt;
use std::str::FromStr;

use uuid::Uuid;

/// The namespace under which listing names become identifiers. Changing it renames every listing of every install.
const LISTINGS: Uuid = Uuid::from_u128(0x5f4c_6f1e_9a55_5d0b_8f3e_51c3_7d1a_0c11);

/// A listing's identifier: the UUID v5 of its name, so that it is the same on every machine and after every restart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ListingId(Uuid);

impl ListingId {
    /// The identifier of the listing that is configured under `name`.
    #[must_use]
    pub fn of_name(name: &str) -> Self {
        Self(Uuid::new_v5(&LISTINGS, name.as_bytes()))
    }
}

impl fmt::Display for ListingId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.hyphenated().fmt(f)
    }
}

/// A text that is no listing identifier.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a tool id: expected a UUID")]
pub struct UnknownId;

impl FromStr for ListingId {
    type Err = UnknownId;

    fn from_str(text: &str) -> Result<Self, UnknownId> {
        Uuid::try_parse(text).map(Self).map_err(|_| UnknownId)
    }
}

/// A method's name, as its server publishes it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MethodName(String);

impl MethodName {
    /// The name as published.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self(name.into())
    }

    /// The name as published.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for MethodName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// One method of one listing. Its text form, `<listing id>:<method name>`, is the option id of the wire.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MethodRef {
    /// The listing.
    pub listing: ListingId,
    /// The method of that listing.
    pub method: MethodName,
}

impl fmt::Display for MethodRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.listing, self.method)
    }
}

/// A request's identifier: the caller's idempotency key where there is one, else a fresh UUID.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequestId(String);

impl RequestId {
    /// The identifier with this text.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The identifier's text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listing_keeps_its_id() {
        assert_eq!(ListingId::of_name("exchange-flows"), ListingId::of_name("exchange-flows"));
        assert_ne!(ListingId::of_name("exchange-flows"), ListingId::of_name("Exchange-flows"));
        let id = ListingId::of_name("news");
        assert_eq!(id.to_string().parse(), Ok(id));
        assert_eq!("news".parse::<ListingId>(), Err(UnknownId));
    }
}
