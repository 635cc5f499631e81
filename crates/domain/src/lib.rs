//! The words of the product: identifiers, queries, listings and their methods, calls and replies, evidence, money.
//!
//! Values only. Nothing here reads a clock, waits, or knows how it looks on a wire.

mod call;
mod clock;
mod evidence;
mod id;
mod listing;
mod market;
mod money;
mod query;
mod selection;

pub use call::{Call, CallFault, Delivered, FaultKind, Position, Reply};
pub use clock::Clock;
pub use evidence::{
    Confidence, Conflict, Evidence, Fact, Freshness, Gap, GapCode, Level, Metric, Severity, SourceRef, Tone,
    View, ViewKind, ViewRow,
};
pub use id::{ListingId, MethodName, MethodRef, RequestId, UnknownId};
pub use listing::{
    Annotations, Health, LatencyClass, Listing, Method, MethodMeta, RateLimit, Snapshot, Surface, alias_of,
    is_secret, is_service_key,
};
pub use market::{
    AggregateFlow, Anomaly, BaselineComparison, Catalyst, DerivativesContext, FlowDirection,
    MarketIntelligence, RegimeShift, VenueFlow,
};
pub use money::Usd;
pub use query::{
    Answered, ClarificationPolicy, Depth, EarlierCall, Include, KeptSelection, Lineage, LineageKind, Query,
    ResponseShape, SaidChoice, Speaker, ToolScope, Turn, answered,
};
pub use selection::{Asked, Candidate, LeftOut, Selected, Served, Thing};
