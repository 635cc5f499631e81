//! Several things asked at once: one program with a result for each, and what has no plan is said.

use std::fmt::Write;

use domain::{Asked, Served, Speaker, Turn};
use fit::Knowledge;
use reading::{Part, Question};

use super::Planned;
use crate::{MissingArgument, PlanBrief, PlanReply, PlannedText};

/// The program for a question of several clauses; none where it is one, or where no clause has a plan of its own.
pub(super) fn plan(brief: &PlanBrief, knowledge: &Knowledge) -> Option<PlannedText> {
    let things = brief.things();
    if things.len() < 2 {
        return None;
    }
    let mut several = Several {
        brief: PlanBrief { chosen: None, ..brief.clone() },
        knowledge,
        parts: Vec::new(),
        open: Vec::new(),
    };
    for thing in things {
        several.add(thing);
    }
    let Several { mut parts, open, .. } = several;
    let mut text = match parts.len() {
        0 => return None,
        1 => parts.pop()?.text,
        _ => together(parts)?,
    };
    text.reading.open.extend(open);
    Some(text)
}

/// What is planned for the clauses so far.
struct Several<'a> {
    /// The next clause behind those before it.
    brief: PlanBrief,
    knowledge: &'a Knowledge,
    parts: Vec<PlannedPart>,
    /// The clauses that are not answered, and why.
    open: Vec<String>,
}

/// A clause with its program.
struct PlannedPart {
    clause: String,
    text: PlannedText,
}

impl Several<'_> {
    fn add(&mut self, Asked { question: clause, served }: Asked) {
        self.brief.question.clone_from(&clause);
        if served == Served::No {
            self.open.push(unanswered(&clause, "no tool at hand serves it"));
            return;
        }
        let own = self.alone(served);
        if self.goes_on(&clause, &own) {
            return self.go_on_with(&clause);
        }
        let method = own.method().cloned();
        let reply = super::behind(&self.brief, own, self.knowledge);
        self.brief.history.push(Turn::said(Speaker::User, &clause));
        match reply {
            PlanReply::Program(text) if self.parts.len() < self.brief.limits.parts_max => {
                let is_new = !self.parts.iter().any(|other| other.text.source == text.source);
                if is_new {
                    self.parts.push(PlannedPart { clause, text });
                } else if method.as_ref() != Some(&text.primary) {
                    self.open.push(unanswered(&clause, UNPLANNED));
                }
            }
            PlanReply::Missing(missing) => self.open.push(unanswered(&clause, &lacking(&missing))),
            PlanReply::Program(_) | PlanReply::NoMatch { .. } => {
                self.open.push(unanswered(&clause, UNPLANNED));
            }
        }
    }

    /// What is planned for the next clause, of the method that serves it where that has a plan.
    fn alone(&self, served: Served) -> Planned {
        let chosen = if let Served::By(method) = served { Some(method) } else { None };
        let settled = chosen.map(|method| PlanBrief { chosen: Some(method), ..self.brief.clone() });
        let settled = settled.map(|brief| super::alone(&brief, self.knowledge)).filter(Planned::is_whole);
        settled.unwrap_or_else(|| super::alone(&self.brief, self.knowledge))
    }

    /// Whether a clause only asks more of what is asked before it: it points there and names no method, or it names nothing at all and
    /// is for the same method, which lacks something without that.
    fn goes_on(&self, clause: &str, own: &Planned) -> bool {
        let Some(last) = self.parts.last() else { return false };
        let question = Question::read(clause, self.brief.now);
        let names_nothing = question.spans.is_empty() && question.moments.is_empty();
        let lacks = !own.is_whole() && own.method() == Some(&last.text.primary);
        reading::goes_on(&question) && !own.is_named || names_nothing && lacks
    }

    /// Asks the method of what is asked right before it: once more, where the clause tells it something else ("and what is it in yen"),
    /// or for all of it at once ("and when is it paid next"). A clause of which the method knows no word is not answered.
    fn go_on_with(&mut self, clause: &str) {
        if self.is_asked_of_last(clause).is_none() {
            self.open.push(unanswered(clause, UNPLANNED));
        }
    }

    fn is_asked_of_last(&mut self, clause: &str) -> Option<()> {
        let before = &self.brief.history.last()?.text;
        let last = self.parts.last().filter(|last| last.clause.starts_with(before))?;
        let known = self.knowledge.of(&self.brief.candidate(&last.text.primary)?.method);
        let tells = !reading::told_by(clause, Some(&known.parameters), self.brief.now).is_empty();
        let again =
            (tells && self.parts.len() < self.brief.limits.parts_max).then(|| self.again(last)).flatten();
        if let Some(text) = again {
            self.parts.push(PlannedPart { clause: clause.to_owned(), text });
            self.brief.history.push(Turn::said(Speaker::User, clause));
            return Some(());
        }
        let whole = format!("{}, and {clause}", last.clause);
        let text = self.at_once(&whole, last)?;
        let words = Question::read(clause, self.brief.now).words;
        let is_of_it = || words.iter().any(|word| !word.is_stop && known.speaks_of(&word.stem));
        let is_told = text.source != last.text.source || !tells && is_of_it();
        let place = self.parts.last_mut().filter(|_| is_told)?;
        *place = PlannedPart { clause: whole, text };
        Some(())
    }

    /// The next clause, asked of the method of the last part: another call of it.
    fn again(&self, last: &PlannedPart) -> Option<PlannedText> {
        let brief = PlanBrief { chosen: Some(last.text.primary.clone()), ..self.brief.clone() };
        let PlanReply::Program(text) = super::one(&brief, self.knowledge) else { return None };
        (text.source != last.text.source).then_some(text)
    }

    /// The last part and the next clause, asked as one of the same method.
    fn at_once(&self, whole: &str, last: &PlannedPart) -> Option<PlannedText> {
        let mut brief = PlanBrief { question: whole.to_owned(), ..self.brief.clone() };
        brief.history.pop();
        let PlanReply::Program(text) = super::one(&brief, self.knowledge) else { return None };
        (text.primary == last.text.primary).then_some(text)
    }
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
fn together(planned: Vec<PlannedPart>) -> Option<PlannedText> {
    let mut text = planned.first()?.text.clone();
    text.source.clear();
    text.assumptions.clear();
    let mut keys = Vec::new();
    for (place, PlannedPart { clause, text: part }) in planned.into_iter().enumerate() {
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
        text.reading.parts.push(Part { key: key.clone(), question: clause, reading: part.reading });
        keys.push(key);
    }
    text.assumptions.dedup();
    let told = |(at, key): (usize, &String)| format!("{key}: if replies[{at}].ok {{ replies[{at}].value }}");
    let told: Vec<String> = keys.iter().enumerate().map(told).collect();
    let _ =
        writeln!(text.source, "let replies = settle_all([{}]);\n#{{{}}}", keys.join(", "), told.join(", "));
    Some(text)
}
