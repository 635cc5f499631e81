//! Tool selection: which methods may serve a question.

use std::sync::Arc;

use domain::{Candidate, Health, LeftOut, Listing, ListingId, Method, Query, Selected, Snapshot, ToolScope};
use lane::Fast;
use policy::{Ranking, Selection};
use probe::{Index, Ranked, Unsafe};
use reading::Question;
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
    let scope = scope(&query.tools, &snapshot)?;
    let index = ports.shelf.index(&snapshot, ranking);
    let ranked: Vec<Ranked> = index
        .search(Question::read(&query.text, run.started_at()).topic())
        .into_iter()
        .filter(|ranked| scope.admits(&snapshot.listings[ranked.listing]))
        .collect();
    let matching = matching(ranked, &scope, &ranking.selection);
    let (mut candidates, left_out) = apart(&query.text, &matching, &snapshot, &ranking.selection);
    let mut helpers = helpers_of(&candidates, &index, &snapshot, &scope);
    if let Scope::Pinned(_) = scope {
        // The caller chose these listings: methods that share no word with the question still count, last.
        let room = ranking.selection.methods_max.saturating_sub(candidates.len());
        candidates.extend(helpers.drain(..room.min(helpers.len())));
    }
    let admitted = snapshot.listings.iter().filter(|listing| scope.admits(listing));
    let considered = admitted.map(|listing| listing.methods.len()).sum();
    run.note(Event::ToolsSelected {
        listings: by_listing(&candidates),
        considered,
        left_out: left_out.clone(),
    });
    Ok(Selected { query, candidates, helpers, left_out, considered })
}

/// Records which lane was chosen.
pub(crate) fn noted(fast: Fast, run: &Run) -> Fast {
    run.note(Event::DepthDecided {
        asked: fast.selected().query.depth,
        lane: "fast",
        reason: fast.reason().word(),
    });
    fast
}

/// The listings that a question may use.
enum Scope {
    Everything,
    Pinned(Vec<ListingId>),
}

impl Scope {
    fn admits(&self, listing: &Listing) -> bool {
        match self {
            Self::Everything => true,
            Self::Pinned(ids) => ids.contains(&listing.id),
        }
    }
}

fn scope(tools: &ToolScope, snapshot: &Snapshot) -> Result<Scope, Failure> {
    match tools {
        ToolScope::Discover => Ok(Scope::Everything),
        ToolScope::Pinned(ids) => match ids.iter().find(|id| snapshot.listing(**id).is_none()) {
            Some(unknown) => Err(Failure::UnknownTool(*unknown)),
            None => Ok(Scope::Pinned(ids.clone())),
        },
    }
}

/// The methods that match well enough to go on. Pinned listings are the caller's own choice: there no score is too low.
fn matching(mut ranked: Vec<Ranked>, scope: &Scope, selection: &Selection) -> Vec<Ranked> {
    if let Scope::Everything = scope {
        let best_score = ranked.first().map_or(0.0, |best| best.score);
        ranked.retain(|ranked| ranked.score >= best_score * selection.share_of_best_min);
    }
    ranked
}

/// The methods that may be called, of the best listings, and those that may not.
fn apart(
    question: &str,
    matching: &[Ranked],
    snapshot: &Snapshot,
    selection: &Selection,
) -> (Vec<Candidate>, Vec<LeftOut>) {
    let mut candidates: Vec<Candidate> = Vec::new();
    let mut left_out = Vec::new();
    let mut listings: Vec<ListingId> = Vec::new();
    for ranked in matching {
        let listing = &snapshot.listings[ranked.listing];
        let candidate = candidate(listing, ranked.method, ranked.score);
        let unreachable =
            matches!(listing.health, Health::Unhealthy { .. }).then_some("its server cannot be reached");
        if let Some(why) = ranked.refusal.map(Unsafe::why).or(unreachable) {
            left_out.push(LeftOut {
                is_asked_for: probe::asks_for_change(question, &candidate.method),
                method: candidate.method_ref(),
                score: ranked.score,
                why,
            });
            continue;
        }
        if !listings.contains(&listing.id) {
            if listings.len() == selection.listings_max {
                continue;
            }
            listings.push(listing.id);
        }
        if candidates.len() < selection.methods_max {
            candidates.push(candidate);
        }
    }
    left_out.truncate(selection.methods_max);
    (candidates, left_out)
}

fn candidate(listing: &Arc<Listing>, method: usize, score: f64) -> Candidate {
    Candidate { listing: Arc::clone(listing), method: Arc::clone(&listing.methods[method]), score }
}

/// The other query-safe methods of the candidates' listings, and of the pinned ones.
fn helpers_of(candidates: &[Candidate], index: &Index, snapshot: &Snapshot, scope: &Scope) -> Vec<Candidate> {
    let is_near = |listing: &Listing| match scope {
        Scope::Everything => candidates.iter().any(|candidate| candidate.listing.id == listing.id),
        Scope::Pinned(_) => scope.admits(listing),
    };
    let is_candidate =
        |method: &Arc<Method>| candidates.iter().any(|candidate| Arc::ptr_eq(&candidate.method, method));
    let is_reachable = |listing: &Listing| !matches!(listing.health, Health::Unhealthy { .. });
    let usable: Vec<bool> =
        snapshot.listings.iter().map(|listing| is_near(listing) && is_reachable(listing)).collect();
    let safe = index.query_safe().filter(|(listing, _)| usable[*listing]);
    safe.map(|(listing, method)| candidate(&snapshot.listings[listing], method, 0.0))
        .filter(|helper| !is_candidate(&helper.method))
        .collect()
}

fn by_listing(candidates: &[Candidate]) -> Vec<SelectedListing> {
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
