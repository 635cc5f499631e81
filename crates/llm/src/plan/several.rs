//! Several things asked at once: one program with a result for each, and what has no plan is said.

use std::fmt::Write;

use domain::{Speaker, Turn};
use fit::Knowledge;
use reading::Part;

use crate::{MissingArgument, PlanBrief, PlanReply, PlannedText};

/// Things that one program answers at the most.
const PARTS_MAX: usize = 3;

/// The program for a question of several clauses; none where it is one, or where no clause has a plan of its own.
pub(super) fn plan(brief: &PlanBrief, knowledge: &Knowledge) -> Option<PlannedText> {
    let clauses = reading::clauses(&brief.question);
    if clauses.len() < 2 {
        return None;
    }
    let mut planned: Vec<(String, PlannedText)> = Vec::new();
    let mut open = Vec::new();
    let mut brief = PlanBrief { chosen: None, ..brief.clone() };
    for clause in clauses {
        if brief.unserved.contains(&clause) {
            open.push(unanswered(&clause, "no tool at hand serves it"));
            continue;
        }
        brief.question.clone_from(&clause);
        let reply = super::one(&brief, knowledge);
        brief.history.push(Turn::said(Speaker::User, &clause));
        match reply {
            PlanReply::Program(text) if planned.len() < PARTS_MAX => {
                let is_new = !planned.iter().any(|(_, other)| other.source == text.source);
                if is_new {
                    planned.push((clause, text));
                } else if super::alone(&brief, knowledge).method() != Some(&text.primary) {
                    open.push(unanswered(&clause, UNPLANNED));
                }
            }
            PlanReply::Missing(missing) => open.push(unanswered(&clause, &lacking(&missing))),
            PlanReply::Program(_) | PlanReply::NoMatch { .. } => open.push(unanswered(&clause, UNPLANNED)),
        }
    }
    let mut text = match planned.len() {
        0 => return None,
        1 => planned.pop()?.1,
        _ => together(planned)?,
    };
    text.reading.open.extend(open);
    Some(text)
}

const UNPLANNED: &str = "no plan could be made for it";

fn lacking(missing: &[MissingArgument]) -> String {
    let names: Vec<String> = missing.iter().map(|it| format!("`{}`", it.argument)).collect();
    format!("it does not say {}", names.join(" and "))
}

fn unanswered(clause: &str, why: &str) -> String {
    format!("\"{clause}\" is not answered: {why}.")
}

/// The programs as one, each in a block of its own: one that fails takes nothing from the others.
fn together(planned: Vec<(String, PlannedText)>) -> Option<PlannedText> {
    let mut text = planned.first()?.1.clone();
    text.source.clear();
    text.assumptions.clear();
    let mut keys = Vec::new();
    for (place, (question, part)) in planned.into_iter().enumerate() {
        let key = format!("part_{}", place + 1);
        let _ =
            write!(text.source, "let {key} = ();\ntry {{\n{key} = {{\n{}}};\n}} catch {{}}\n", part.source);
        text.assumptions.extend(part.assumptions);
        let entities = part.reading.entities.iter().filter(|entity| !text.reading.entities.contains(entity));
        let entities: Vec<String> = entities.cloned().collect();
        text.reading.entities.extend(entities);
        if place > 0 {
            text.reading.open.extend(part.reading.open.iter().cloned());
        }
        text.reading.parts.push(Part { key: key.clone(), question, reading: part.reading });
        keys.push(key);
    }
    text.assumptions.dedup();
    let told = |(at, key): (usize, &String)| format!("{key}: if replies[{at}].ok {{ replies[{at}].value }}");
    let told: Vec<String> = keys.iter().enumerate().map(told).collect();
    let _ =
        writeln!(text.source, "let replies = settle_all([{}]);\n#{{{}}}", keys.join(", "), told.join(", "));
    Some(text)
}
