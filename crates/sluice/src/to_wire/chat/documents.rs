//! An answer from documents as a conversation tells it: each move a step and a call, then the answer with its passages.

use contract::chat::{
    CallOutput, Chunk, Conflict, ConflictSide, Gaps, Part, Quota, SourceMetadata, Step, StepState, Trace,
};
use contract::evidence::{GapSignal, Severity};
use contract::library::{self, Citation, ConflictDetail, Reasoned};
use contract::result::{CapabilityMiss, Cost};
use contract::trace::{
    DeveloperTrace, Diagnostics, StageTiming, StepEvent, StepStatus, StepTool, StepType, TraceSource,
    TraceStep, TraceSummary,
};
use domain::Usd;
use jiff::Timestamp;
use serde_json::{Map, Value, json};

use super::Spoken;
use super::ending::{Told, at_odds, citations, finish};
use crate::desk::explore::{Explored, Gain, Move, Seen};
use crate::to_wire::{count, time};

/// The library, as calls name it.
const LIBRARY: &str = "Documents";

/// The code of what the documents do not say.
const NOT_SAID: &str = "not_in_documents";

/// The moves that were told so far.
#[derive(Debug, Default)]
pub(crate) struct Moves {
    begun: u64,
    since: Option<String>,
    /// What is under way: its stage and its label.
    open: Option<(&'static str, &'static str)>,
    /// The same for developers.
    timeline: Vec<TraceStep>,
    timing: StageTiming,
}

impl Moves {
    /// What is told of something that is done.
    pub(crate) fn tell(&mut self, seen: &Seen<'_>) -> Vec<Chunk> {
        match seen {
            Seen::Begun { made, at } => {
                self.begin(words(made), *at);
                let call = Chunk::ToolInputStart {
                    tool_call_id: self.call(),
                    tool_name: tool_name(made),
                    dynamic: true,
                    provider_executed: true,
                };
                vec![self.step(words(made), (StepState::Running, None, None)), call]
            }
            Seen::Ended { done, gain, at, ms } => {
                self.open = None;
                self.timeline.push(traced(done, *gain, (*at, *ms)));
                let mut chunks = self.ended(done, *gain, *ms);
                let detail = gain.map(|gain| format!("{} found, {} of them new", gain.found, gain.fresh));
                let state = if gain.is_some() { StepState::Done } else { StepState::Failed };
                chunks.push(self.step(words(done), (state, detail, Some(*ms))));
                chunks
            }
            Seen::Writing { at } => {
                self.begin(WRITING, *at);
                let begun = self.timeline.first().and_then(|step| step.timestamp_ms);
                let looked = begun.map(|begun| at.as_millisecond() - begun);
                self.timing.execution_ms = looked.and_then(|ms| u64::try_from(ms).ok());
                vec![self.step(WRITING, (StepState::Running, None, None))]
            }
            // Words are told by `said`.
            Seen::Said { .. } | Seen::TakenBack => Vec::new(),
            Seen::Written { ms } => {
                self.open = None;
                self.timing.synthesis_ms = Some(*ms);
                vec![self.step(WRITING, (StepState::Done, None, Some(*ms)))]
            }
        }
    }

    /// What is still open when a run breaks: it came to nothing.
    pub(crate) fn broken(&mut self) -> Option<Chunk> {
        self.open.take().map(|open| self.step(open, (StepState::Failed, None, None)))
    }

    /// The developer trace of what was done.
    pub(crate) fn trace(&self, question: &str) -> DeveloperTrace {
        let calls = || self.timeline.iter().filter(|step| step.step_type == Some(StepType::ToolCall));
        let failed = calls().filter(|step| step.status == Some(StepStatus::Error));
        DeveloperTrace {
            query: Some(question.to_owned()),
            source: Some(TraceSource::BackendRuntime),
            summary: Some(TraceSummary {
                tool_calls: count(calls().count()),
                failure_count: count(failed.count()),
                ..TraceSummary::default()
            }),
            timeline: self.timeline.clone(),
            diagnostics: Some(Diagnostics {
                stage_timing: Some(self.timing.clone()),
                ..Diagnostics::default()
            }),
            ..DeveloperTrace::default()
        }
    }

    fn begin(&mut self, what: (&'static str, &'static str), now: Timestamp) {
        self.begun += 1;
        if self.timeline.is_empty() {
            self.timeline.push(TraceStep {
                step_type: Some(StepType::Orchestration),
                event: Some(StepEvent::QueryStart),
                status: Some(StepStatus::Ok),
                timestamp_ms: Some(now.as_millisecond()),
                ..TraceStep::default()
            });
        }
        self.open = Some(what);
        self.since = Some(time(now));
    }

    fn call(&self) -> String {
        format!("call_{}", self.begun)
    }

    fn step(
        &self,
        (name, label): (&str, &str),
        (state, detail, ms): (StepState, Option<String>, Option<u64>),
    ) -> Chunk {
        let started_at = self.since.clone().unwrap_or_default();
        let data = Step { stage: name.to_owned(), label: label.to_owned(), state, detail, started_at, ms };
        Chunk::Data(Part::Step { id: format!("step-{}", self.begun), data })
    }

    fn ended(&self, done: &Move, gain: Option<Gain>, ms: u64) -> Vec<Chunk> {
        let input = Chunk::ToolInputAvailable {
            tool_call_id: self.call(),
            tool_name: tool_name(done),
            input: arguments(done),
            dynamic: true,
            provider_executed: true,
        };
        let output = match gain {
            Some(gain) => Chunk::ToolOutputAvailable {
                tool_call_id: self.call(),
                output: CallOutput { bytes: count(gain.bytes), ms },
                dynamic: true,
                provider_executed: true,
            },
            None => Chunk::ToolOutputError {
                tool_call_id: self.call(),
                error_text: "there is no such passage".to_owned(),
                dynamic: true,
                provider_executed: true,
            },
        };
        vec![input, output]
    }
}

/// A move as a developer trace has it, with the time of its end and how long it took.
fn traced(done: &Move, gain: Option<Gain>, (at, ms): (Timestamp, u64)) -> TraceStep {
    let result = gain.map(|gain| json!({"found": gain.found, "fresh": gain.fresh, "bytes": gain.bytes}));
    let told = json!({"args": arguments(done), "result": result, "durationMs": ms});
    TraceStep {
        step_type: Some(StepType::ToolCall),
        event: Some(StepEvent::ToolCall),
        status: Some(if gain.is_some() { StepStatus::Success } else { StepStatus::Error }),
        timestamp_ms: Some(at.as_millisecond()),
        tool: Some(StepTool {
            id: None,
            name: Some(LIBRARY.to_owned()),
            method: Some(done.tool().to_owned()),
        }),
        metadata: told.as_object().cloned(),
        ..TraceStep::default()
    }
}

const WRITING: (&str, &str) = ("synthesis", "Writing the answer");

fn words(made: &Move) -> (&'static str, &'static str) {
    match made {
        Move::Search { .. } => ("search", "Searching the documents"),
        Move::Read { .. } => ("read", "Reading a section"),
        Move::Expand { .. } => ("expand", "Looking around a passage"),
    }
}

fn tool_name(made: &Move) -> String {
    format!("{LIBRARY}/{}", made.tool())
}

fn arguments(made: &Move) -> Map<String, Value> {
    let arguments = match made {
        Move::Search { query } => json!({"query": query}),
        Move::Read { passage } => json!({"passage": passage + 1}),
        Move::Expand { passage, direction } => {
            json!({"passage": passage + 1, "direction": format!("{direction:?}").to_lowercase()})
        }
    };
    arguments.as_object().cloned().unwrap_or_default()
}

/// What is told of an answer while it is written.
pub(crate) fn said(seen: &Seen<'_>, spoken: &mut Spoken) -> Vec<Chunk> {
    match seen {
        Seen::Said { text, cites } => spoken.say(text, cites.iter().map(source)),
        Seen::TakenBack => {
            spoken.begin_anew();
            Vec::new()
        }
        Seen::Begun { .. } | Seen::Ended { .. } | Seen::Writing { .. } | Seen::Written { .. } => Vec::new(),
    }
}

/// The ending of a run that asked documents, whose answer was told as far as it was written aloud.
pub(crate) fn from_documents(
    Explored { reasoned, moves, cost }: &Explored,
    question: &str,
    spoken: &mut Spoken,
    (quota, trace, spent_before): (Option<Quota>, Option<DeveloperTrace>, Usd),
) -> Told {
    let cost = *cost + spent_before;
    let has_answer = !reasoned.answer.is_empty();
    let mut chunks = Vec::new();
    if has_answer {
        // A source stands before the piece that cites it first: pieces end where the first marker of a source does.
        let (mut from, cited) = spoken.go_on(&reasoned.answer);
        for citation in reasoned.citations.iter().skip(cited) {
            let marker = format!("[{}]", citation.ordinal);
            let at = reasoned.answer[from..].find(&marker).map_or(from, |at| from + at);
            chunks.extend(spoken.say(&reasoned.answer[from..at], []));
            chunks.extend(spoken.say("", [source(citation)]));
            from = at;
        }
        chunks.extend(spoken.finish(&reasoned.answer));
        spoken.recite(reasoned.citations.iter().map(|citation| source(citation).1));
    } else {
        let miss = miss(reasoned, question);
        chunks.extend(spoken.finish(&miss.message));
        chunks.push(Chunk::Data(Part::CapabilityMiss { id: "capability-miss".to_owned(), data: miss }));
    }
    chunks.extend(gaps(reasoned, has_answer));
    if let Some(trace) = trace {
        chunks.push(Chunk::Data(Part::Trace {
            id: "trace".to_owned(),
            data: Trace { trace: Box::new(trace) },
        }));
    }
    let dropped = count(reasoned.meta.citations_dropped);
    chunks.extend(at_odds(conflicts(reasoned)));
    chunks.extend(citations(spoken.take_citations(), dropped));
    let outcome = if has_answer { "answer" } else { "capability_miss" };
    let cost = Cost {
        model_cost_usd: cost.to_string(),
        tool_cost_usd: Usd::ZERO.to_string(),
        total_cost_usd: cost.to_string(),
    };
    let mut finish = finish(outcome, reasoned.meta.latency_ms, &cost, quota);
    finish.usage.tool_calls = count(*moves);
    finish.citations_dropped = dropped;
    Told { chunks, finish: Chunk::from(finish), pending: None }
}

fn source(citation: &Citation) -> (String, SourceMetadata) {
    let known = SourceMetadata {
        source_ref_id: citation.chunk_id.clone(),
        document_id: Some(citation.document_id.clone()),
        chunk_id: Some(citation.chunk_id.clone()),
        path: Some(citation.section_path.clone()).filter(|path| !path.is_empty()),
        quote: Some(citation.quote.text.clone()).filter(|quote| !quote.is_empty()),
        url: citation.url.clone(),
        ..SourceMetadata::default()
    };
    (citation.document_title.clone(), known)
}

/// An honest "they do not say", in the words of the first gap.
fn miss(reasoned: &Reasoned, question: &str) -> CapabilityMiss {
    CapabilityMiss {
        message: reasoned.gaps.first().cloned().unwrap_or_else(|| "The documents do not say.".to_owned()),
        missing_capabilities: Vec::new(),
        suggested_rewrites: Vec::new(),
        original_query: question.to_owned(),
    }
}

/// What the documents do not say; the first of it is the message where there is no answer.
fn gaps(reasoned: &Reasoned, has_answer: bool) -> Option<Chunk> {
    let gap = |detail: &String| GapSignal {
        code: NOT_SAID.to_owned(),
        severity: Severity::Medium,
        detail: detail.clone(),
    };
    let gaps: Vec<GapSignal> = reasoned.gaps.iter().skip(usize::from(!has_answer)).map(gap).collect();
    (!gaps.is_empty()).then(|| Chunk::Data(Part::Gaps { id: "gaps".to_owned(), data: Gaps { gaps } }))
}

/// Where documents contradict each other, each side by its document's title.
fn conflicts(reasoned: &Reasoned) -> Vec<Conflict> {
    let side = |side: &library::ConflictSide| ConflictSide {
        source_ref_id: side.chunk_id.clone(),
        value: match &side.value {
            Some(value) => format!("{}: {value}", side.document_title),
            None => side.document_title.clone(),
        },
    };
    let of = |found: &ConflictDetail| Conflict {
        kind: found.kind.clone(),
        detail: found.subject.clone(),
        sides: found.sides.iter().map(side).collect(),
    };
    reasoned.conflict_details.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn states(chunks: &[Chunk]) -> Vec<(String, String)> {
        let of = |chunk: &Chunk| {
            let value = json!(chunk);
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            (text(&value["type"]), text(&value["data"]["state"]))
        };
        chunks.iter().map(of).collect()
    }

    #[test]
    fn a_move_is_a_step_and_a_call() {
        let mut moves = Moves::default();
        let search = Move::Search { query: "session".to_owned() };
        let at = Timestamp::UNIX_EPOCH;
        let pairs = |all: &[(&str, &str)]| -> Vec<(String, String)> {
            all.iter().map(|(one, other)| ((*one).to_owned(), (*other).to_owned())).collect()
        };
        let begun = moves.tell(&Seen::Begun { made: &search, at });
        assert_eq!(states(&begun), pairs(&[("data-step", "running"), ("tool-input-start", "")]));
        let ended = moves.tell(&Seen::Ended { done: &search, gain: Some(Gain::default()), at, ms: 1 });
        let due = [("tool-input-available", ""), ("tool-output-available", ""), ("data-step", "done")];
        assert_eq!(states(&ended), pairs(&due));
        assert_eq!(moves.broken(), None);
        let nowhere = Seen::Ended { done: &Move::Read { passage: 7 }, gain: None, at, ms: 1 };
        assert_eq!(
            states(&moves.tell(&nowhere))[1..],
            pairs(&[("tool-output-error", ""), ("data-step", "failed")])
        );
        moves.tell(&Seen::Writing { at });
        assert_eq!(states(&[moves.broken().unwrap()]), pairs(&[("data-step", "failed")]));
        assert_eq!(moves.broken(), None);
    }
}
