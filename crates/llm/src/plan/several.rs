//! Several things asked at once: one program with a result for each, and what has no plan is said.

use std::fmt::Write;

use domain::{Speaker, Turn};
use fit::Knowledge;
use reading::Part;

use crate::{PlanBrief, PlanReply, PlannedText};

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
        brief.question.clone_from(&clause);
        let reply = super::one(&brief, knowledge);
        brief.history.push(Turn::said(Speaker::User, &clause));
        match reply {
            PlanReply::Program(text) if planned.len() < PARTS_MAX => {
                if !planned.iter().any(|(_, other)| other.source == text.source) {
                    planned.push((clause, text));
                }
            }
            PlanReply::Program(_) | PlanReply::Missing(_) | PlanReply::NoMatch { .. } => {
                open.push(format!("\"{clause}\" is not answered: no plan could be made for it."));
            }
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

/// The programs as one, each in a block of its own.
fn together(planned: Vec<(String, PlannedText)>) -> Option<PlannedText> {
    let mut text = planned.first()?.1.clone();
    text.source.clear();
    text.assumptions.clear();
    let mut keys = Vec::new();
    for (place, (question, part)) in planned.into_iter().enumerate() {
        let key = format!("part_{}", place + 1);
        let _ = write!(text.source, "let {key} = {{\n{}}};\n", part.source);
        text.assumptions.extend(part.assumptions);
        let entities = part.reading.entities.iter().filter(|entity| !text.reading.entities.contains(entity));
        let entities: Vec<String> = entities.cloned().collect();
        text.reading.entities.extend(entities);
        keys.push(format!("{key}: {key}"));
        if place > 0 {
            text.reading.open.extend(part.reading.open.iter().cloned());
        }
        text.reading.parts.push(Part { key, question, reading: part.reading });
    }
    text.assumptions.dedup();
    let _ = writeln!(text.source, "#{{{}}}", keys.join(", "));
    Some(text)
}
