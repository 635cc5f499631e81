//! What the pipeline may reach: each stage takes only the ports that it needs.

use ledger::Ledger;
use llm::Model;
use mcp::{Catalog, Tools};
use worker::Passes;

use crate::shelf::Shelf;

/// The outside, as the pipeline sees it.
#[derive(Clone, Copy)]
pub struct Ports<'a> {
    /// The listings.
    pub catalog: &'a dyn Catalog,
    /// The listings' methods, ready to be searched.
    pub shelf: &'a Shelf,
    /// The methods, ready to be called.
    pub tools: &'a dyn Tools,
    /// Where programs run.
    pub programs: &'a dyn Passes,
    /// The stages that a model may fill.
    pub model: &'a dyn Model,
    /// The key that clarification tokens are signed with.
    pub token_key: &'a [u8],
    /// Where the ending is settled.
    pub ledger: &'a Ledger,
}
