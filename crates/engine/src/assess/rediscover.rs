//! Rediscovery: one bounded search of the catalog for what the methods at hand do not do.

use domain::{Candidate, MethodRef, Query, ToolScope};
use trace::{Event, RediscoveryReport, Stage};

use crate::plan::Planner;
use crate::ports::Ports;
use crate::select;

/// Methods beyond the selected ones that may do what is missing, best first; none where the policy or the caller's choice
/// of listings forbids the search.
pub(super) fn methods(
    planner: &Planner<'_>,
    missing: Option<&str>,
    avoid: &[(MethodRef, String)],
    ports: Ports<'_>,
) -> Vec<Candidate> {
    let query = &planner.cleared.selected().query;
    let missing_capability = missing.map_or_else(|| why(avoid), str::to_owned);
    let words = missing.unwrap_or(&query.text);
    let mut report = RediscoveryReport { missing_capability, query: words.to_owned(), ..Default::default() };
    let is_allowed = planner.policy.recovery.rediscovery && query.tools == ToolScope::Discover;
    let mut found = Vec::new();
    if is_allowed {
        report.executed = true;
        found = planner.run.timed(Stage::Rediscovery, || search(planner, words, missing.is_some(), ports));
        report.found = select::by_listing(&found);
    } else {
        report.skip_reason = Some("not_eligible_for_bounded_rediscovery");
    }
    planner.run.note(Event::Rediscovered(Box::new(report)));
    found
}

fn search(planner: &Planner<'_>, words: &str, is_other: bool, ports: Ports<'_>) -> Vec<Candidate> {
    let selected = planner.cleared.selected();
    let ranking = &planner.policy.probe;
    let snapshot = ports.catalog.snapshot();
    let index = ports.shelf.index(&snapshot, ranking);
    let query = Query { text: words.to_owned(), tools: ToolScope::Discover, ..plain(&selected.query) };
    // The question itself was searched for: what is new lies beyond what was taken then.
    let mut selection = ranking.selection.clone();
    selection.methods_max *= 2;
    let again = probe::select(query, planner.run.started_at(), (&snapshot, &index), &selection);
    let Ok(again) = again else { return Vec::new() };
    let best = selected.candidates.first().map_or(0.0, |candidate| candidate.score);
    let share_min = planner.policy.recovery.alternative_share_min;
    let is_known = |candidate: &Candidate| {
        planner.candidates(&[]).any(|known| known.method_ref() == candidate.method_ref())
    };
    let fits = |candidate: &Candidate| is_other || candidate.score >= best * share_min;
    again.candidates.into_iter().filter(|candidate| !is_known(candidate) && fits(candidate)).collect()
}

/// The same query without what belongs to its first selection.
fn plain(query: &Query) -> Query {
    Query {
        text: String::new(),
        tools: ToolScope::Discover,
        depth: query.depth,
        clarification: query.clarification,
        shape: query.shape,
        answer_model: None,
        include: query.include,
        lineage: None,
        history: Vec::new(),
        choice: None,
    }
}

fn why(avoid: &[(MethodRef, String)]) -> String {
    avoid.last().map(|(method, why)| format!("`{}` did not do: {why}", method.method)).unwrap_or_default()
}
