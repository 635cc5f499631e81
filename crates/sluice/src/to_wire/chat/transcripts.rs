//! Golden transcripts: every ending of a turn, as it goes over the wire and as it is kept. The files stand in
//! `tests/transcripts`; `SLUICE_WRITE_TRANSCRIPTS=1` writes them anew. Released clients replay them (`tests/chat_clients.rs`).

use std::fs;
use std::path::PathBuf;

use contract::chat::{Chunk, StartMetadata, UiMessage, Writer};
use contract::evidence::{
    Confidence, ConfidenceLevel, Evidence, Freshness, GapSignal, SourceRef, View, ViewKind, ViewRow,
};
use contract::result::{
    AssumptionMade, AssumptionMode, CapabilityMiss, Clarification, ClarificationOption, Cost, QueryResult,
    ResolutionMode, ToolUsed,
};
use domain::{CallFault, Depth, FaultKind, ListingId, MethodName, MethodRef, Position, Usd};
use jiff::Timestamp;
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;
use trace::{AnswerReport, Event, Revision, SelectedListing, Stage, Stamped, Verdict};

use super::{Around, Spoken, Steps, Told, aborted, failed, told};
use crate::chat::runs::Run;

mod documents;
mod order;

struct Played {
    writer: Writer,
    steps: Steps,
    spoken: Spoken,
    message: UiMessage,
    chunks: Vec<Chunk>,
}

impl Played {
    fn begin() -> Self {
        let metadata = StartMetadata { run_id: "run_1".to_owned(), thread_id: "t1".to_owned() };
        let (writer, first) = Writer::begin("msg_1".to_owned(), metadata);
        let mut played = Self {
            writer,
            steps: Steps::default(),
            spoken: Spoken::new(24),
            message: UiMessage::empty(String::new()),
            chunks: Vec::new(),
        };
        played.left(first);
        played
    }

    fn left(&mut self, chunks: Vec<Chunk>) {
        for chunk in &chunks {
            self.message.take(chunk);
        }
        self.chunks.extend(chunks);
    }

    fn tell(&mut self, chunks: Vec<Chunk>) {
        for chunk in chunks {
            let left = self.writer.push(chunk);
            self.left(left);
        }
    }

    fn happen(mut self, events: Vec<Event>) -> Self {
        for (second, event) in (0..).zip(events) {
            let at = Timestamp::from_second(1_800_000_000 + second).unwrap();
            let stamped = Stamped { at, event };
            let mut chunks = self.steps.tell(&stamped);
            chunks.extend(self.spoken.hear(&stamped));
            self.tell(chunks);
        }
        self
    }

    fn end(mut self, ending: Told) -> Self {
        let broken = self.steps.broken();
        self.tell(broken);
        self.tell(ending.chunks);
        self.tell(vec![ending.finish]);
        self
    }

    fn end_with(mut self, result: QueryResult) -> Self {
        let around = Around {
            question: "What is the tide level?",
            clarification_id: "clar_1",
            expires_at: Timestamp::from_second(1_800_001_800).unwrap(),
            quota: None,
        };
        let ending = told(result, &mut self.spoken, around);
        self.end(ending)
    }

    fn check(&self, name: &str) {
        self.check_stream(name, &self.stream(false));
    }

    /// The stream as it goes over the wire: whole, or as it is told again to someone who comes back.
    fn stream(&self, joins: bool) -> String {
        let limits = policy::Policy::shipped().unwrap().guardrails.runs;
        let run = Run::new(("run_1".to_owned(), "msg_1".to_owned()), CancellationToken::new(), &limits);
        run.tell(self.chunks.clone());
        run.frames(0, joins).0 + contract::events::DONE
    }

    fn check_stream(&self, name: &str, stream: &str) {
        let message = serde_json::to_string_pretty(&self.message).unwrap() + "\n";
        golden(&format!("{name}.sse"), stream);
        golden(&format!("{name}.json"), &message);
    }
}

#[expect(clippy::disallowed_methods, reason = "whoever changes the stream on purpose says so to the test")]
fn golden(name: &str, text: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts").join(name);
    if std::env::var("SLUICE_WRITE_TRANSCRIPTS").is_ok() {
        fs::write(&path, text).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == text, "{name} is not what is written now:\n{text}");
}

fn method() -> MethodRef {
    MethodRef { listing: ListingId::of_name("Harbour"), method: MethodName::new("get_tide_level") }
}

fn ended(duration_ms: u64, stage: Stage) -> Event {
    Event::StageEnded { stage, duration_ms }
}

fn planned() -> Vec<Event> {
    let listing = SelectedListing {
        id: ListingId::of_name("Harbour"),
        name: "Harbour".to_owned(),
        methods: vec![MethodName::new("get_tide_level")],
        price: Usd::ZERO,
    };
    vec![
        Event::QueryStarted { depth: Depth::Deep },
        Event::StageStarted { stage: Stage::Selection },
        Event::ToolsSelected { listings: vec![listing], considered: 1, left_out: Vec::new() },
        ended(1, Stage::Selection),
        Event::StageStarted { stage: Stage::Planning },
        Event::ProgramWritten {
            attempt: 1,
            source: "not told".to_owned(),
            calls_max: 2,
            revision: Revision::Initial,
        },
        ended(2, Stage::Planning),
    ]
}

fn called() -> Vec<Event> {
    let call = |number: u8| Position::new(number.to_string());
    let started = |number| Event::CallStarted {
        position: call(number),
        method: method(),
        listing_name: "Harbour".to_owned(),
    };
    let done = |number, outcome| Event::CallEnded {
        position: call(number),
        method: method(),
        listing_name: "Harbour".to_owned(),
        arguments: Map::from_iter([("harbour".to_owned(), json!("Oldport"))]),
        outcome,
        duration_ms: 5,
    };
    let fault = CallFault { kind: FaultKind::Timeout, message: "no answer within 5 s".to_owned() };
    let mut events = planned();
    events.extend([
        Event::StageStarted { stage: Stage::Execution },
        started(1),
        started(2),
        done(2, Ok(48)),
        done(1, Err(fault)),
        ended(9, Stage::Execution),
        Event::CompletenessEvaluated {
            attempt: 1,
            verdict: Verdict::Complete,
            missing: Vec::new(),
            opinion: None,
        },
        Event::StageStarted { stage: Stage::Synthesis },
        ended(1, Stage::Synthesis),
    ]);
    events
}

/// The same with an answer that is written while it is told: pieces, each with the source that it cites first.
fn spoken(pieces: &[(&str, Option<&str>)]) -> Vec<Event> {
    let mut events = called();
    let last = events.pop();
    let source = |id: &str| domain::SourceRef {
        id: id.to_owned(),
        provider: "Harbour".to_owned(),
        dataset: if id == "source-1" { "get_tide_level" } else { "get_tide_levels" }.to_owned(),
        observed_at: "2027-01-15T08:00:00Z".parse().unwrap(),
        published_at: None,
        artifact: None,
        url: None,
        note: None,
    };
    events.extend(pieces.iter().map(|(text, cites)| Event::AnswerSpoken {
        text: (*text).to_owned(),
        cites: cites.iter().map(|id| source(id)).collect(),
        begins_anew: false,
    }));
    events.push(Event::AnswerChecked(Box::new(AnswerReport {
        cited: 2,
        dropped: 1,
        conflicts: vec![domain::Conflict {
            detail: "`level` of Oldport is 3.25 by `get_tide_level` and 3.5 by `get_tide_levels`.".to_owned(),
            sides: [("source-1".to_owned(), "3.25".to_owned()), ("source-2".to_owned(), "3.5".to_owned())],
        }],
        ..AnswerReport::default()
    })));
    events.extend(last);
    events
}

/// What [`cited`] is when it is settled.
const CITED: &str = "The level at Oldport is 3.25 m [1].\n\nAt Newport it is 1.75 m [2], which is less than usual for the season.";

fn cited() -> Vec<Event> {
    spoken(&[
        ("The level at Oldport is 3.25 m [1].\n", Some("source-2")),
        ("\n", None),
        ("At Newport it is 1.75 m [2], which is less than usual for the season.", Some("source-1")),
    ])
}

fn answer(text: &str) -> QueryResult {
    let used = ToolUsed { id: "not told".to_owned(), name: "Harbour".to_owned(), skill_calls: 1 };
    let mut result = QueryResult::answer(text.to_owned(), vec![used], Cost::zero(), 21);
    let at = "2027-01-15T08:00:00.000Z".to_owned();
    let source = |id: &str, dataset: &str| SourceRef {
        id: id.to_owned(),
        provider: Some("Harbour".to_owned()),
        dataset: Some(dataset.to_owned()),
        observed_at: Some(at.clone()),
        ..SourceRef::default()
    };
    let row = |key: &str, level: &str, source: &str| ViewRow {
        key: key.to_owned(),
        cells: vec![key.to_owned(), level.to_owned()],
        tone: None,
        source_ref_ids: vec![source.to_owned()],
    };
    result.evidence = Some(Evidence {
        source_refs: vec![source("source-1", "get_tide_level"), source("source-2", "get_tide_levels")],
        ..Evidence::default()
    });
    result.view = Some(View {
        kind: ViewKind::Table,
        label: "Table".to_owned(),
        title: None,
        metrics: Vec::new(),
        columns: vec!["Harbour".to_owned(), "Level".to_owned()],
        rows: vec![row("Oldport", "3.25", "source-2"), row("Newport", "1.75", "source-1")],
    });
    result.freshness =
        Some(Freshness { as_of: Some(at.clone()), source_timestamps: vec![at], note: "fresh".to_owned() });
    result.confidence = Some(Confidence {
        level: ConfidenceLevel::Medium,
        reason: "one gap".to_owned(),
        verified_fact_count: 2,
        inferred_fact_count: 0,
        gap_count: 1,
        gap_signals: vec![GapSignal {
            code: "upstream_failure".to_owned(),
            severity: contract::evidence::Severity::Low,
            detail: "one call failed".to_owned(),
        }],
    });
    result
}

#[test]
fn answer_without_evidence() {
    let result = QueryResult::answer("It is high.\u{2028}Or low.".to_owned(), Vec::new(), Cost::zero(), 7);
    Played::begin().happen(planned()).end_with(result).check("answer");
}

#[test]
fn answer_with_citations() {
    Played::begin().happen(cited()).end_with(answer(CITED)).check("answer-cited");
}

#[test]
fn answer_that_begins_anew() {
    let mut events = cited();
    let anew =
        Event::AnswerSpoken { text: "The level is 3.25 m.".to_owned(), cites: Vec::new(), begins_anew: true };
    events.insert(events.len() - 2, anew);
    Played::begin().happen(events).end_with(answer("The level is 3.25 m.")).check("answer-anew");
}

#[test]
fn answer_on_an_assumption() {
    let mut result = answer("The level at Oldport is 3.25 m.");
    result.assumption_made = Some(AssumptionMade {
        mode: AssumptionMode::Auto,
        option_id: "tool:get_tide_level".to_owned(),
        label: "Oldport now".to_owned(),
        reason: "it is asked for most".to_owned(),
    });
    Played::begin().happen(called()).end_with(result).check("assumption");
}

#[test]
fn clarification() {
    let option = |number: usize, label: &str| ClarificationOption {
        id: format!("tool:method{number}"),
        tool_id: "tool".to_owned(),
        tool_name: "Harbour".to_owned(),
        method_name: format!("method{number}"),
        label: label.to_owned(),
        description: format!("What is known of it: {label}."),
        fit_score: 50,
        recommended: number == 1,
        resolution_mode: Some(ResolutionMode::Option),
        followup_prompt: None,
        choice_token: Some("never told".to_owned()),
    };
    let card = Clarification {
        question: "Which level do you mean?".to_owned(),
        options: vec![option(1, "The level now"), option(2, "The highest level today")],
        allow_freeform: false,
        recommended_option_id: "tool:method1".to_owned(),
        original_query: "What is the tide level?".to_owned(),
    };
    let text = "Which level do you mean?\n1. The level now\n2. The highest level today";
    let played = Played::begin().end_with(QueryResult::clarification(text.to_owned(), card, 3));
    assert!(!played.stream(false).contains("never told"));
    played.check("clarification");
}

#[test]
fn capability_miss() {
    let miss = CapabilityMiss {
        message: "Nothing here knows the tides of the moon.".to_owned(),
        missing_capabilities: vec!["Tides of other bodies".to_owned()],
        suggested_rewrites: vec!["What is the tide level at Oldport?".to_owned()],
        original_query: "What are the tides of the moon?".to_owned(),
    };
    let result = QueryResult::capability_miss(miss.message.clone(), miss, &[], 3);
    Played::begin().end_with(result).check("capability-miss");
}

#[test]
fn error_in_the_middle() {
    let mut events = cited();
    events.truncate(17);
    let played = Played::begin().happen(events).end(failed("the request took longer than it may".to_owned()));
    played.check("error");
}

#[test]
fn abort_in_the_middle() {
    let mut events = called();
    events.truncate(9);
    Played::begin().happen(events).end(aborted()).check("abort");
}

#[test]
fn resume_from_the_beginning() {
    let played = Played::begin().happen(cited()).end_with(answer(CITED));
    played.check_stream("resume", &played.stream(true));
}

/// What is kept of a stream is what the server keeps of the run.
#[test]
fn a_stream_read_again_is_the_same_message() {
    let played = Played::begin().happen(cited()).end_with(answer(CITED));
    let read = |stream: &str| -> Vec<Value> {
        let data = stream.lines().filter_map(|line| line.strip_prefix("data: "));
        data.filter(|data| *data != "[DONE]").map(|data| serde_json::from_str(data).unwrap()).collect()
    };
    let text =
        |chunks: &[Value]| chunks.iter().filter_map(|chunk| chunk["delta"].as_str()).collect::<String>();
    let (whole, joined) = (read(&played.stream(false)), read(&played.stream(true)));
    assert_eq!(text(&whole), text(&joined));
    assert_eq!(played.message.text(), text(&whole));
}
