//! Tool selection: which methods may serve a question, among the pinned listings or over all of them.

use std::collections::{BTreeMap, BTreeSet};
use std::iter;
use std::sync::Arc;

use domain::{
    Candidate, Health, KeptSelection, LeftOut, Listing, ListingId, Method, MethodRef, Query, Selected,
    Snapshot, Thing, ToolScope, Turn,
};
use jiff::Timestamp;
use policy::Selection;
use reading::{Question, words};

use crate::index::{Index, Ranked};
use crate::safety::{Unsafe, asks_for_change};

/// What an argument is called that takes a place.
const TAKES_PLACES: &str = "city place location";

/// Selects the methods for a question from a snapshot and its index.
///
/// # Errors
///
/// The pinned listing that the snapshot does not have.
pub fn select(
    query: Query,
    asked_at: Timestamp,
    (snapshot, index): (&Snapshot, &Index),
    selection: &Selection,
) -> Result<Selected, ListingId> {
    let scope = scope(&query.tools, snapshot)?;
    let is_pinned = matches!(scope, Scope::Pinned(_));
    let find = |question: &Question| -> Vec<Ranked> {
        // A place by itself is asked of whatever takes one, and of nothing that fits it best.
        let is_place = query.history.is_empty() && question.names_only_a_place();
        let topic = if is_place { words::terms(TAKES_PLACES) } else { question.topic() };
        let found = index.search(topic).into_iter();
        let admitted = found.filter(|ranked| scope.admits(&snapshot.listings[ranked.listing])).collect();
        if is_place { admitted } else { matching(admitted, &scope, selection) }
    };
    let question = Question::read(&query.text, asked_at);
    let things = reading::things(&query.text).into_iter().take(selection.things_max);
    let things = things.map(|thing| {
        let found = find(&Question::read(&thing, asked_at));
        (thing, found)
    });
    let things: Vec<(String, Vec<Ranked>)> = things.collect();
    if let Some(kept) = query.choice.as_ref().and_then(|choice| choice.selection.as_ref())
        && let Some((candidates, helpers)) = again(kept, index, snapshot)
    {
        let considered = candidates.len() + helpers.len();
        let things = things_of(things, &candidates, snapshot, |_| is_pinned);
        return Ok(Selected {
            query,
            asked_at,
            candidates,
            helpers,
            left_out: Vec::new(),
            considered,
            things,
        });
    }
    let matching = in_turn(find(&question), &things);
    let (mut candidates, left_out) = apart(&query.text, &matching, snapshot, selection);
    let points = || reading::points_at_it(&question, &[]) || reading::counts_off(&question);
    let is_of_one = !query.history.is_empty() && points();
    let called = if is_of_one { called(&query.history, snapshot) } else { Vec::new() };
    let helpers = helpers_of(&candidates, index, snapshot, (&scope, &called));
    // The caller chose these listings, or asks of one thing that one of them told of: methods that share no word with the question
    // still count, last.
    let is_meant = |helper: &Candidate| is_pinned || called.contains(&helper.listing.id);
    let (mut meant, others): (Vec<_>, Vec<_>) = helpers.into_iter().partition(is_meant);
    let room = selection.methods_max.saturating_sub(candidates.len()).min(meant.len());
    let mut helpers = meant.split_off(room);
    helpers.extend(others);
    candidates.extend(meant);
    let admitted = snapshot.listings.iter().filter(|listing| scope.admits(listing));
    let considered = admitted.map(|listing| listing.methods.len()).sum();
    let things = things_of(things, &candidates, snapshot, is_meant);
    Ok(Selected { query, asked_at, candidates, helpers, left_out, considered, things })
}

/// The methods of a selection that was kept; none where one of them is not to be had any more.
fn again(
    kept: &KeptSelection,
    index: &Index,
    snapshot: &Snapshot,
) -> Option<(Vec<Candidate>, Vec<Candidate>)> {
    let safe: BTreeMap<MethodRef, (&Arc<Listing>, usize)> = index
        .query_safe()
        .map(|(listing, method)| (&snapshot.listings[listing], method))
        .filter(|(listing, _)| !matches!(listing.health, Health::Unhealthy { .. }))
        .map(|(listing, method)| {
            let name = listing.methods[method].name.clone();
            (MethodRef { listing: listing.id, method: name }, (listing, method))
        })
        .collect();
    let find = |method: &MethodRef, score| {
        let (listing, place) = safe.get(method)?;
        Some(candidate(listing, *place, score))
    };
    let candidates =
        kept.candidates.iter().map(|(method, score)| find(method, *score)).collect::<Option<_>>()?;
    let helpers = kept.helpers.iter().map(|method| find(method, 0.0)).collect::<Option<_>>()?;
    Some((candidates, helpers))
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

fn scope(tools: &ToolScope, snapshot: &Snapshot) -> Result<Scope, ListingId> {
    match tools {
        ToolScope::Discover => Ok(Scope::Everything),
        ToolScope::Pinned(ids) => match ids.iter().find(|id| snapshot.listing(**id).is_none()) {
            Some(unknown) => Err(*unknown),
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

/// What matches the whole of a question and what matches each of the things that it may ask for, the best of each before the second
/// ones: so that what one thing needs is not crowded out by what another one does.
fn in_turn(whole: Vec<Ranked>, things: &[(String, Vec<Ranked>)]) -> Vec<Ranked> {
    if things.is_empty() {
        return whole;
    }
    let place = |ranked: &Ranked| (ranked.listing, ranked.method);
    let scores: BTreeMap<_, f64> = whole.iter().map(|ranked| (place(ranked), ranked.score)).collect();
    let mut lists: Vec<_> =
        iter::once(&whole).chain(things.iter().map(|(_, found)| found)).map(|found| found.iter()).collect();
    let mut seen = BTreeSet::new();
    let mut turns = Vec::new();
    loop {
        let round: Vec<&Ranked> = lists.iter_mut().filter_map(Iterator::next).collect();
        if round.is_empty() {
            return turns;
        }
        let new = round.into_iter().filter(|ranked| seen.insert(place(ranked)));
        turns.extend(
            new.map(|it| Ranked { score: scores.get(&place(it)).copied().unwrap_or(it.score), ..*it }),
        );
    }
}

/// The things that a question may ask for, each with those of the question's methods that were found for it, and those that count
/// whatever it says.
fn things_of(
    found: Vec<(String, Vec<Ranked>)>,
    candidates: &[Candidate],
    snapshot: &Snapshot,
    is_meant: impl Fn(&Candidate) -> bool,
) -> Vec<Thing> {
    let of = |(question, found): (String, Vec<Ranked>)| {
        let told = found.iter().map(|ranked| {
            let listing = &snapshot.listings[ranked.listing];
            let method = listing.methods[ranked.method].name.clone();
            (MethodRef { listing: listing.id, method }, ranked.score)
        });
        let scores: BTreeMap<MethodRef, f64> = told.collect();
        let own = candidates.iter().filter_map(|it| {
            let score = scores.get(&it.method_ref()).copied().or_else(|| is_meant(it).then_some(0.0))?;
            Some(Candidate { score, ..it.clone() })
        });
        let mut candidates: Vec<Candidate> = own.collect();
        candidates.sort_by(|one, other| other.score.total_cmp(&one.score));
        (!candidates.is_empty()).then_some(Thing { question, candidates })
    };
    found.into_iter().filter_map(of).collect()
}

/// The methods that may be called, of the best listings, and those that may not, the best ones first.
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
                is_asked_for: asks_for_change(question, &candidate.method),
                method: candidate.method_ref(),
                score: ranked.score,
                why: why.into(),
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
    candidates.sort_by(|one, other| other.score.total_cmp(&one.score));
    left_out.sort_by(|one, other| other.score.total_cmp(&one.score));
    left_out.truncate(selection.methods_max);
    (candidates, left_out)
}

fn candidate(listing: &Arc<Listing>, method: usize, score: f64) -> Candidate {
    Candidate { listing: Arc::clone(listing), method: Arc::clone(&listing.methods[method]), score }
}

/// The listings that may have given the last answer, by the methods that it called.
fn called(history: &[Turn], snapshot: &Snapshot) -> Vec<ListingId> {
    let Some(last) = domain::answered(history).next() else { return Vec::new() };
    let calls = &last.answer.calls;
    let has_all = |listing: &&Arc<Listing>| calls.iter().all(|call| listing.has_method(&call.method));
    snapshot.listings.iter().filter(has_all).map(|listing| listing.id).collect()
}

/// The other query-safe methods of the candidates' listings, of the pinned ones, and of those that were called before.
fn helpers_of(
    candidates: &[Candidate],
    index: &Index,
    snapshot: &Snapshot,
    (scope, called): (&Scope, &[ListingId]),
) -> Vec<Candidate> {
    let is_near = |listing: &Listing| match scope {
        Scope::Everything => {
            called.contains(&listing.id)
                || candidates.iter().any(|candidate| candidate.listing.id == listing.id)
        }
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

#[cfg(test)]
mod tests;
