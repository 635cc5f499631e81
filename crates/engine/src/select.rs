//! Tool selection and the probe: what the catalog's metadata says, with what they found told to the run.

use domain::{Candidate, Query, Selected};
use lane::Deep;
use policy::{Policy, Ranking};
use probe::Probed;
use trace::{Event, SelectedListing};

use crate::failure::Failure;
use crate::ports::Ports;
use crate::run::Run;

/// Finds the methods for a question: among the pinned listings, or by search over all of them.
pub(crate) fn tools(
    query: Query,
    run: &Run,
    ranking: &Ranking,
    ports: Ports<'_>,
) -> Result<Selected, Failure> {
    let snapshot = ports.catalog.snapshot();
    let index = ports.shelf.index(&snapshot, ranking);
    let selected = probe::select(query, run.started_at(), (&snapshot, &index), &ranking.selection)
        .map_err(Failure::UnknownTool)?;
    run.note(Event::ToolsSelected {
        listings: by_listing(&selected.candidates),
        considered: selected.considered,
        left_out: selected.left_out.clone(),
    });
    Ok(selected)
}

/// Probes a deep query: no method is called, only what is published of them is held against the question.
pub(crate) fn probe(deep: Deep, policy: &Policy, ports: Ports<'_>) -> Probed {
    probe::metadata(deep, ports.shelf.lexicon(), ports.shelf.knowledge(), policy)
}

pub(crate) fn by_listing(candidates: &[Candidate]) -> Vec<SelectedListing> {
    let mut listings: Vec<SelectedListing> = Vec::new();
    for candidate in candidates {
        let name = candidate.method.name.clone();
        match listings.iter_mut().find(|listing| listing.id == candidate.listing.id) {
            Some(listing) => listing.methods.push(name),
            None => listings.push(SelectedListing {
                id: candidate.listing.id,
                name: candidate.listing.name.clone(),
                methods: vec![name],
                price: candidate.listing.price,
            }),
        }
    }
    listings
}
