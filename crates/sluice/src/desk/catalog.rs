//! The library as a listing of the catalog: a query may ask a caller's documents and live tools in one program, and what the
//! documents say is evidence like any other. A caller without documents has no such listing.

use std::sync::Arc;

use cite::{Sources, Style};
use contract::library::{ConflictDetail, ConflictSide, MarkerStyle, ReasonRequest, Reasoned};
use domain::{
    Annotations, Call, CallFault, Delivered, FaultKind, LatencyClass, Listing, Method, MethodMeta, Reply,
    Snapshot, Surface,
};
use futures::FutureExt;
use futures::future::BoxFuture;
use mcp::{Catalog, Tools, Upstreams};
use serde_json::{Value, json};

use super::{DeskFault, Reader};

/// The method as a file has it: what it does, takes and gives.
const METHOD: &str = include_str!("listing.json");

/// The listing's name.
const NAME: &str = "Documents";

/// The name that programs call it by.
const ALIAS: &str = "documents";

/// Snapshots with the library in them are counted from here, so that no two of one number differ.
const REVISIONS: u64 = 1 << 63;

/// The catalog as one caller has it: the servers' listings, and the library where the caller has documents.
pub(crate) struct Shelved<'a> {
    upstreams: &'a Upstreams,
    reader: Reader<'a>,
    listing: Option<Arc<Listing>>,
}

impl<'a> Reader<'a> {
    /// The catalog with the caller's library in it.
    pub(crate) async fn shelved(self, upstreams: &'a Upstreams) -> Shelved<'a> {
        let topics = self.desk.library.topics(self.caller).await.unwrap_or_else(|error| {
            tracing::error!(%error, "the library is left out of the catalog");
            Vec::new()
        });
        let listing = (!topics.is_empty()).then(|| Arc::new(listing(&topics)));
        Shelved { upstreams, reader: self, listing }
    }
}

/// The listing; its method's description names what it can be asked about.
fn listing(topics: &[String]) -> Listing {
    let told: Value = serde_json::from_str(METHOD).unwrap_or_default();
    let text = |key: &str| told[key].as_str().unwrap_or_default().to_owned();
    let description = format!("{} They speak of: {}.", text("description"), topics.join("; "));
    let method = Method {
        title: Some(text("title")),
        description: description.clone(),
        annotations: Annotations {
            read_only: Some(true),
            destructive: Some(false),
            idempotent: Some(true),
            open_world: Some(false),
        },
        meta: MethodMeta {
            surface: Surface::Answer,
            latency: LatencyClass::Instant,
            ..MethodMeta::default()
        },
        ..Method::new(text("name"), told["inputSchema"].clone(), Some(told["outputSchema"].clone()))
    };
    Listing { alias: ALIAS.to_owned(), description, ..Listing::new(NAME, vec![Arc::new(method)]) }
}

impl Catalog for Shelved<'_> {
    fn snapshot(&self) -> Arc<Snapshot> {
        let servers = self.upstreams.snapshot();
        // A server of that name was there first.
        let is_taken = |own: &Listing| {
            servers.listings.iter().any(|other| other.id == own.id || other.alias == own.alias)
        };
        let Some(own) = self.listing.as_ref().filter(|own| !is_taken(own)) else { return servers };
        let mut listings = servers.listings.clone();
        let place = listings.partition_point(|other| other.name < own.name);
        listings.insert(place, Arc::clone(own));
        Arc::new(Snapshot { revision: servers.revision | REVISIONS, listings })
    }
}

impl Tools for Shelved<'_> {
    fn call<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Reply> {
        self.call_carrying(call, Vec::new())
    }
}

impl Shelved<'_> {
    /// Makes one call as [`Tools::call`] does; a server is told these names and values: the trace that the call belongs to.
    pub(crate) fn call_carrying<'a>(
        &'a self,
        call: &'a Call,
        carried: Vec<(String, String)>,
    ) -> BoxFuture<'a, Reply> {
        let is_ours = self.listing.as_ref().is_some_and(|own| own.id == call.method.listing)
            && self.upstreams.snapshot().listing(call.method.listing).is_none();
        if is_ours { self.ask(call).boxed() } else { self.upstreams.call_carrying(call, carried) }
    }

    async fn ask(&self, call: &Call) -> Reply {
        let since = self.reader.desk.clock.now();
        let fault = |kind, message: String| CallFault { kind, message };
        let invalid = |fault_: DeskFault| fault(FaultKind::InvalidArguments, fault_.to_string());
        let mut members = call.arguments.clone();
        if let Some(question) = members.remove("question") {
            members.insert("query".to_owned(), question);
        }
        let request = ReasonRequest::read(&members).map_err(|refused| invalid(refused.into()))?;
        let request = ReasonRequest { markers: MarkerStyle::Numbers, ..request };
        let reasoned = self.reader.reason_by_rules(&request).await;
        let reasoned = reasoned.map_err(|failed| fault(FaultKind::MethodError, failed.to_string()))?;
        let value = delivered(&reasoned, self.reader.policy().markers.hold_bytes_max);
        let arrived_at = self.reader.desk.clock.now();
        let elapsed = arrived_at.duration_since(since).try_into().unwrap_or_default();
        Ok(Delivered { bytes: value.to_string().len(), value: value.into(), arrived_at, elapsed })
    }
}

fn delivered(reasoned: &Reasoned, hold_bytes_max: usize) -> Value {
    // Its numbers are those of its passages. Where the query is answered they would read as those of the query's sources.
    let answer = cite::cite(&reasoned.answer, &Sources::new(), Style::Numbers, hold_bytes_max).text;
    let passages: Vec<Value> = reasoned
        .citations
        .iter()
        .map(|citation| {
            json!({
                "number": citation.ordinal,
                "document": citation.document_title,
                "section": citation.section_path,
                "text": citation.quote.text,
                "chunkId": citation.chunk_id,
                "url": citation.url,
            })
        })
        .collect();
    json!({
        "answer": answer,
        "passages": passages,
        // Without an answer there is nothing for gaps to stand beside: the query tells its own.
        "gaps": if reasoned.answer.is_empty() { &[][..] } else { &reasoned.gaps[..] },
        "conflicts": reasoned.conflict_details.iter().map(conflict).collect::<Vec<_>>(),
    })
}

fn conflict(found: &ConflictDetail) -> Value {
    let said = |side: &ConflictSide| match &side.value {
        Some(value) => format!("{} says {value}", side.document_title),
        None => side.document_title.clone(),
    };
    let said: Vec<String> = found.sides.iter().map(said).collect();
    let side = |side: &ConflictSide| json!({"source": side.document_title, "value": side.value, "chunkId": side.chunk_id});
    json!({
        "detail": format!("On {}: {}.", found.subject, said.join(", ")),
        "sides": found.sides.iter().map(side).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_listing_may_enter_queries() {
        let listing = listing(&["Server guide".to_owned()]);
        let method = &listing.methods[0];
        assert_eq!(method.name.as_str(), "ask_documents");
        assert!(probe::query_safe(method).is_ok());
        assert!(method.description.ends_with("They speak of: Server guide."), "{}", method.description);
    }
}
