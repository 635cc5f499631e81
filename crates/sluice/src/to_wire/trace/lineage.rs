//! How the program of a request changed.

use contract::trace::{ExecutionProgram, ProgramRevision};
use engine::Settled;
use sha2::{Digest, Sha256};
use trace::{Event, Revision};

use crate::to_wire::count;

/// A program that was written.
pub(super) struct Written<'a> {
    attempt: usize,
    pub(super) source: &'a str,
    revision: &'a Revision,
}

/// The programs of a request, in order.
pub(super) fn programs(settled: &Settled) -> Vec<Written<'_>> {
    let written = settled.events.iter().filter_map(|stamped| {
        let Event::ProgramWritten { attempt, source, revision, .. } = &stamped.event else { return None };
        Some(Written { attempt: *attempt, source, revision })
    });
    written.collect()
}

/// The revision of the program that ran last.
pub(crate) fn revision(settled: &Settled) -> Option<String> {
    programs(settled).len().checked_sub(1).map(name)
}

/// The revisions of a program.
pub(super) fn of(programs: &[Written<'_>]) -> Option<ExecutionProgram> {
    let last = programs.len().checked_sub(1)?;
    let patches = programs.iter().filter(|written| is_patch(written.revision)).count();
    let by_rules = programs.iter().filter(|written| matches!(written.revision, Revision::Patch(_))).count();
    Some(ExecutionProgram {
        base_revision_id: Some(name(0)),
        current_revision_id: Some(name(last)),
        revision_count: count(programs.len()),
        patch_count: count(patches),
        replan_count: count(last - patches.min(last)),
        deterministic_change_count: count(by_rules),
        revisions: (0..programs.len()).map(|place| of_one(programs, place)).collect(),
    })
}

fn of_one(programs: &[Written<'_>], place: usize) -> ProgramRevision {
    let written = &programs[place];
    let before = place.checked_sub(1).map(|before| &programs[before]);
    let (action, reason) = match written.revision {
        Revision::Initial => ("initial", None),
        Revision::Patch(why) | Revision::Edit(why) => ("patch", Some(why)),
        Revision::Replan(why) | Revision::OtherMethods(why) => ("replan", Some(why)),
    };
    let added: Option<Vec<&str>> = before.map(|before| {
        let known: Vec<&str> = before.source.lines().collect();
        written.source.lines().filter(|line| !known.contains(line)).collect()
    });
    ProgramRevision {
        revision_id: name(place),
        parent_revision_id: place.checked_sub(1).map(name),
        attempt: count(written.attempt),
        action: action.to_owned(),
        reason: reason.cloned(),
        code_hash: hex::encode(Sha256::digest(written.source.as_bytes())),
        code_length: count(written.source.len()),
        changed_line_count: added.as_ref().map(|added| count(added.len())),
        diff_preview: added.as_ref().map(|added| preview(added)),
        edit_count: before.map(|_| 1),
        preserves_prior_logic: before.map(|_| is_patch(written.revision)),
        ..ProgramRevision::default()
    }
}

/// Whether most of the program before it is kept.
fn is_patch(revision: &Revision) -> bool {
    matches!(revision, Revision::Patch(_) | Revision::Edit(_))
}

/// The first of the lines that are new.
fn preview(added: &[&str]) -> String {
    let lines = added.iter().take(LINES_SHOWN).map(|line| format!("+ {line}"));
    lines.collect::<Vec<_>>().join("\n")
}

const LINES_SHOWN: usize = 8;

fn name(place: usize) -> String {
    format!("rev-{}", place + 1)
}
