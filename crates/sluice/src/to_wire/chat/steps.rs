//! The steps and calls of a run, as its events tell of them.

use std::collections::BTreeMap;

use contract::chat::{CallOutput, Chunk, Part, Step, StepState};
use domain::{CallFault, MethodRef, Position};
use serde_json::{Map, Value};
use trace::{Event, Stage, Stamped, Verdict};

use crate::to_wire::{count, time};

/// What was told of a run so far.
#[derive(Debug, Default)]
pub(crate) struct Steps {
    numbered: u64,
    /// The last step of each stage.
    last: BTreeMap<Stage, (String, Step)>,
    calls: u64,
    called: BTreeMap<Position, String>,
}

impl Steps {
    /// What an event says; most say nothing.
    pub(crate) fn tell(&mut self, stamped: &Stamped) -> Vec<Chunk> {
        match &stamped.event {
            Event::StageStarted { stage } => self.begin(*stage, stamped),
            Event::StageEnded { stage, duration_ms } => self.end(*stage, *duration_ms),
            Event::ToolsSelected { listings, considered, .. } => {
                let names: Vec<&str> = listings.iter().map(|listing| listing.name.as_str()).collect();
                let detail = format!("{considered} methods looked at; chosen from: {}", named(&names));
                self.note(Stage::Selection, detail)
            }
            Event::DepthDecided { lane, reason, .. } => {
                self.once("lane", "Choosing how deep to look", format!("{lane}: {}", spaced(reason)), stamped)
            }
            Event::Probed(report) => {
                let detail = format!(
                    "{} methods fit, {} readings, {}",
                    report.shortlisted, report.pooled, report.adequacy
                );
                self.note(Stage::Probe, spaced(&detail))
            }
            Event::Ruled(decision) => {
                let reason = crate::to_wire::clarification::reason(decision.reason);
                let word = serde_json::to_value(reason).ok().and_then(|word| word.as_str().map(spaced));
                self.once("gate", "Ruling on the question", word.unwrap_or_default(), stamped)
            }
            Event::ProgramWritten { calls_max, .. } => {
                let calls = if *calls_max == 1 { "call" } else { "calls" };
                self.note(Stage::Planning, format!("a program of at most {calls_max} {calls}"))
            }
            Event::ProgramRejected { .. } => {
                self.note(Stage::Planning, "a program was refused and is written again".to_owned())
            }
            Event::ProgramEnded { fault: Some(fault), .. } => self.note(Stage::Execution, fault.clone()),
            Event::CompletenessEvaluated { verdict, missing, .. } => {
                let label = "Holding the results against the question";
                self.once("assessment", label, assessed(*verdict, missing), stamped)
            }
            Event::Repaired(report) if report.skip_reason.is_none() => {
                self.once("repair", "Mending the program", report.summary.clone(), stamped)
            }
            Event::Rediscovered(report) if report.executed => {
                let names: Vec<&str> = report.found.iter().map(|listing| listing.name.as_str()).collect();
                self.note(Stage::Rediscovery, format!("found: {}", named(&names)))
            }
            Event::CallStarted { position, method, listing_name } => {
                let id = self.call(position);
                vec![Chunk::ToolInputStart {
                    tool_call_id: id,
                    tool_name: tool_name(method, listing_name),
                    dynamic: true,
                    provider_executed: true,
                }]
            }
            Event::CallEnded { position, method, listing_name, arguments, outcome, duration_ms } => {
                let id = self.called.remove(position).unwrap_or_else(|| self.next_call());
                ended(id, tool_name(method, listing_name), arguments, (outcome, *duration_ms))
            }
            Event::QueryStarted { .. }
            | Event::GateInput(_)
            | Event::Judged(_)
            | Event::ModelAsked(_)
            | Event::ContributorSearched { .. }
            | Event::ProgramEnded { fault: None, .. }
            | Event::Repaired(_)
            | Event::Rediscovered(_)
            | Event::AnswerSpoken { .. }
            | Event::DocumentsLooked(_)
            | Event::AnswerChecked(_)
            | Event::QueryEnded { .. } => Vec::new(),
        }
    }

    fn begin(&mut self, stage: Stage, stamped: &Stamped) -> Vec<Chunk> {
        let (word, label) = match stage {
            Stage::Selection => ("selection", "Looking for tools"),
            Stage::Probe => ("probe", "Reading what the tools can do"),
            Stage::Judge => ("judge", "Weighing what the question means"),
            Stage::Planning => ("planning", "Writing the program"),
            Stage::Execution => ("execution", "Calling tools"),
            Stage::Completeness => ("completeness", "Asking whether the question is answered"),
            Stage::Rediscovery => ("rediscovery", "Looking for other tools"),
            Stage::Synthesis => ("synthesis", "Writing the answer"),
        };
        let step = Step {
            stage: word.to_owned(),
            label: label.to_owned(),
            state: StepState::Running,
            detail: None,
            started_at: time(stamped.at),
            ms: None,
        };
        let id = self.next_step();
        self.last.insert(stage, (id.clone(), step.clone()));
        vec![Chunk::Data(Part::Step { id, data: step })]
    }

    fn end(&mut self, stage: Stage, duration_ms: u64) -> Vec<Chunk> {
        let Some((id, step)) = self.last.get_mut(&stage) else { return Vec::new() };
        step.state = StepState::Done;
        step.ms = Some(duration_ms);
        vec![Chunk::Data(Part::Step { id: id.clone(), data: step.clone() })]
    }

    /// Adds what is known of a stage: some of it is told when the stage has ended.
    fn note(&mut self, stage: Stage, detail: String) -> Vec<Chunk> {
        let Some((id, step)) = self.last.get_mut(&stage) else { return Vec::new() };
        step.detail = Some(detail);
        vec![Chunk::Data(Part::Step { id: id.clone(), data: step.clone() })]
    }

    /// A step that takes no time.
    fn once(&mut self, stage: &str, label: &str, detail: String, stamped: &Stamped) -> Vec<Chunk> {
        let step = Step {
            stage: stage.to_owned(),
            label: label.to_owned(),
            state: StepState::Done,
            detail: Some(detail).filter(|detail| !detail.is_empty()),
            started_at: time(stamped.at),
            ms: Some(0),
        };
        vec![Chunk::Data(Part::Step { id: self.next_step(), data: step })]
    }

    /// What is still open when a run breaks: its steps came to nothing.
    pub(crate) fn broken(&mut self) -> Vec<Chunk> {
        let open =
            std::mem::take(&mut self.last).into_values().filter(|(_, step)| step.state == StepState::Running);
        open.map(|(id, step)| Chunk::Data(Part::Step { id, data: Step { state: StepState::Failed, ..step } }))
            .collect()
    }

    fn next_step(&mut self) -> String {
        self.numbered += 1;
        format!("step-{}", self.numbered)
    }

    fn call(&mut self, position: &Position) -> String {
        let id = self.next_call();
        self.called.insert(position.clone(), id.clone());
        id
    }

    fn next_call(&mut self) -> String {
        self.calls += 1;
        format!("call_{}", self.calls)
    }
}

fn ended(
    id: String,
    tool_name: String,
    arguments: &Map<String, Value>,
    (outcome, ms): (&Result<usize, CallFault>, u64),
) -> Vec<Chunk> {
    let input = Chunk::ToolInputAvailable {
        tool_call_id: id.clone(),
        tool_name,
        input: arguments.clone(),
        dynamic: true,
        provider_executed: true,
    };
    let output = match outcome {
        Ok(bytes) => Chunk::ToolOutputAvailable {
            tool_call_id: id,
            output: CallOutput { bytes: count(*bytes), ms },
            dynamic: true,
            provider_executed: true,
        },
        Err(fault) => Chunk::ToolOutputError {
            tool_call_id: id,
            error_text: fault.to_string(),
            dynamic: true,
            provider_executed: true,
        },
    };
    vec![input, output]
}

fn tool_name(method: &MethodRef, listing_name: &str) -> String {
    format!("{listing_name}/{}", method.method)
}

/// A few of many, by name.
fn named(names: &[&str]) -> String {
    const NAMED: usize = 5;
    match names.len() {
        0 => "none".to_owned(),
        len if len <= NAMED => names.join(", "),
        len => format!("{} and {} more", names[..NAMED].join(", "), len - NAMED),
    }
}

fn spaced(word: &str) -> String {
    word.replace('_', " ")
}

fn assessed(verdict: Verdict, missing: &[String]) -> String {
    match (verdict, missing) {
        (Verdict::Complete, []) => "complete".to_owned(),
        (Verdict::Complete | Verdict::RetrySameTools | Verdict::NeedsDifferentTools, _) => {
            let words: Vec<&str> = missing.iter().map(String::as_str).collect();
            format!("{}: {}", spaced(verdict.word()), named(&words))
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::{FaultKind, ListingId, MethodName};
    use jiff::Timestamp;
    use serde_json::json;

    use trace::Revision;

    use super::*;

    fn told(steps: &mut Steps, event: Event) -> Vec<Value> {
        let stamped = Stamped { at: Timestamp::UNIX_EPOCH, event };
        steps.tell(&stamped).iter().map(|chunk| json!(chunk)).collect()
    }

    fn method() -> MethodRef {
        MethodRef { listing: ListingId::of_name("Harbour"), method: MethodName::new("tides") }
    }

    #[test]
    fn a_stage_is_one_part_that_changes() {
        let mut steps = Steps::default();
        let begun = told(&mut steps, Event::StageStarted { stage: Stage::Planning });
        let written = Event::ProgramWritten {
            attempt: 1,
            source: "secret".to_owned(),
            calls_max: 3,
            revision: Revision::Initial,
        };
        let noted = told(&mut steps, written);
        let ended = told(&mut steps, Event::StageEnded { stage: Stage::Planning, duration_ms: 7 });
        assert_eq!((&begun[0]["id"], &begun[0]["data"]["state"]), (&json!("step-1"), &json!("running")));
        assert_eq!(noted[0]["data"]["detail"], "a program of at most 3 calls");
        assert_eq!(ended[0]["id"], "step-1");
        assert_eq!((&ended[0]["data"]["state"], &ended[0]["data"]["ms"]), (&json!("done"), &json!(7)));
        let again = told(&mut steps, Event::StageStarted { stage: Stage::Planning });
        assert_eq!(again[0]["id"], "step-2");
    }

    #[test]
    fn a_call_is_told_when_it_leaves_and_when_it_ends() {
        let mut steps = Steps::default();
        let (position, listing_name) = (Position::new("1"), "Harbour".to_owned());
        let started = Event::CallStarted {
            position: position.clone(),
            method: method(),
            listing_name: listing_name.clone(),
        };
        let end = |outcome| Event::CallEnded {
            position: position.clone(),
            method: method(),
            listing_name: listing_name.clone(),
            arguments: Map::from_iter([("port".to_owned(), json!("Cork"))]),
            outcome,
            duration_ms: 5,
        };
        let begun = told(&mut steps, started);
        assert_eq!(
            (&begun[0]["toolCallId"], &begun[0]["toolName"]),
            (&json!("call_1"), &json!("Harbour/tides"))
        );
        let ended = told(&mut steps, end(Ok(12)));
        assert_eq!(
            (&ended[0]["toolCallId"], &ended[0]["input"]),
            (&json!("call_1"), &json!({"port": "Cork"}))
        );
        assert_eq!(ended[1]["output"], json!({"bytes": 12, "ms": 5}));
        let fault = CallFault { kind: FaultKind::Timeout, message: "no answer".to_owned() };
        let failed = told(&mut steps, end(Err(fault)));
        assert_eq!(
            (&failed[0]["toolCallId"], &failed[1]["errorText"]),
            (&json!("call_2"), &json!("timeout: no answer"))
        );
    }

    #[test]
    fn what_is_open_when_it_breaks_failed() {
        let mut steps = Steps::default();
        told(&mut steps, Event::StageStarted { stage: Stage::Execution });
        let broken: Vec<Value> = steps.broken().iter().map(|chunk| json!(chunk)).collect();
        assert_eq!(broken[0]["data"]["state"], "failed");
        assert!(steps.broken().is_empty());
    }
}
