//! `sluice ask`: one question, without a server.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::time::Duration;

use comfy_table::Table;
use contract::evidence::View;
use contract::library::{Data, MarkerStyle, ReasonRequest};
use contract::result::{OutcomeType, QueryResult};
use domain::{ClarificationPolicy, Include, Query, RequestId, ResponseShape, ToolScope};
use indicatif::{ProgressBar, ProgressStyle};
use mcp::Catalog;
use trace::{Event, Listener, Stage, Stamped};
use uuid::Uuid;

use crate::arguments::{Ask, Clarify, Depth, Shared};
use crate::assembly::Assembly;
use crate::command::docs::{self, Recordings};
use crate::command::{Ending, Fault, drawn, tools};
use crate::desk::{DeskFault, text};
use crate::reply;
use telemetry::Telemetry;

/// Who asks on the command line, for the settlement.
const CALLER: &str = "command-line";

/// Asks, and prints the answer with its evidence.
pub(crate) async fn run(ask: Ask, shared: Shared, telemetry: Arc<Telemetry>) -> Result<Ending, Fault> {
    if ask.docs {
        return from_documents(&ask, &shared).await;
    }
    let assembly = Assembly::passing(&shared).await?.watched_by(telemetry);
    let assembly = match &ask.record {
        Some(directory) => assembly.recording(directory, ask.record_as.as_deref()),
        None => assembly,
    };
    let bar = spinner();
    bar.set_message("connecting");
    assembly.upstreams.settled().await;
    let result = answer(&ask, &assembly, &bar).await;
    bar.finish_and_clear();
    assembly.close().await;
    let result = result?;
    if ask.json {
        tools::print_json(&result)?;
    } else {
        print(&result)?;
    }
    Ok(match result.outcome_type {
        OutcomeType::Answer => Ending::Done,
        OutcomeType::CapabilityMiss => Ending::CapabilityMiss,
        OutcomeType::ClarificationRequired => Ending::ClarificationRequired,
    })
}

/// Answers from the documents of the data directory.
async fn from_documents(ask: &Ask, shared: &Shared) -> Result<Ending, Fault> {
    if ask.question.trim().is_empty() {
        return Err(empty_question());
    }
    let desk = docs::open(&ask.shelved, shared).await?;
    let (desk, recordings) = Recordings::of(desk, ask.record.as_deref(), ask.record_as.as_deref());
    let caller = docs::caller(&ask.shelved);
    let reader = desk.of(&caller);
    let failed = |fault: DeskFault| Fault::Failed(fault.to_string());
    let answered = async {
        let collection_id = match &ask.collection {
            None => None,
            Some(name) => {
                let found = reader.collections().await.map_err(failed)?.data;
                let found = found.into_iter().find(|collection| collection.name == *name);
                Some(found.ok_or_else(|| Fault::Usage(format!("there is no collection `{name}`")))?.id)
            }
        };
        let request = ReasonRequest {
            query: ask.question.trim().to_owned(),
            previous: None,
            limit: None,
            tokens_max: None,
            collection_id,
            document_id: None,
            markers: MarkerStyle::Numbers,
        };
        reader.reason(&request).await.map_err(failed)
    };
    let answered = answered.await;
    recordings.end().await;
    desk.close().await;
    let reasoned = answered?;
    if ask.json {
        tools::print_json(&Data { data: &reasoned })?;
    } else {
        writeln!(io::stdout().lock(), "{}", text::reasoned(&reasoned))?;
    }
    Ok(if reasoned.answer.is_empty() { Ending::CapabilityMiss } else { Ending::Done })
}

async fn answer(ask: &Ask, assembly: &Assembly, bar: &ProgressBar) -> Result<Arc<QueryResult>, Fault> {
    let query = query(ask, assembly)?;
    let progress = bar.clone();
    let listener: Listener = Arc::new(move |stamped: &Stamped| {
        if let Some(message) = told(stamped) {
            progress.set_message(message);
        }
    });
    let request = RequestId::new(Uuid::new_v4().to_string());
    let cancel = assembly.stop.child_token();
    let failed = |error: reply::NoReply| Fault::Failed(error.to_string());
    let admitted = reply::admit(assembly, request, CALLER.to_owned(), query).await.map_err(failed)?;
    reply::to(assembly, admitted, cancel, Some(listener)).await.map_err(failed)
}

fn query(ask: &Ask, assembly: &Assembly) -> Result<Query, Fault> {
    let text = ask.question.trim();
    let limit = assembly.policy.budgets.query_chars_max;
    if text.is_empty() {
        return Err(empty_question());
    }
    if text.chars().count() > limit {
        return Err(Fault::Usage(format!(
            "the question is longer than {limit} characters (`query_chars_max`)"
        )));
    }
    let snapshot = assembly.upstreams.snapshot();
    let pinned = ask.tools.iter().map(|tool| tools::find(&snapshot, tool).map(|listing| listing.id));
    let pinned: Vec<_> = pinned.collect::<Result<_, _>>()?;
    Ok(Query {
        text: text.to_owned(),
        tools: if pinned.is_empty() { ToolScope::Discover } else { ToolScope::Pinned(pinned) },
        depth: match ask.depth {
            None => assembly.policy.lanes.depth_default(),
            Some(Depth::Fast) => domain::Depth::Fast,
            Some(Depth::Auto) => domain::Depth::Auto,
            Some(Depth::Deep) => domain::Depth::Deep,
        },
        clarification: match ask.clarify {
            Clarify::Return => ClarificationPolicy::Return,
            Clarify::Auto => ClarificationPolicy::Auto,
        },
        shape: ResponseShape::AnswerWithEvidence,
        answer_model: None,
        include: Include { data: ask.json, data_url: false, developer_trace: ask.trace },
        lineage: None,
        history: Vec::new(),
        choice: None,
    })
}

fn empty_question() -> Fault {
    Fault::Usage("the question is empty".to_owned())
}

/// A spinner on standard error, where that is a terminal.
fn spinner() -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}

fn told(stamped: &Stamped) -> Option<String> {
    match &stamped.event {
        Event::StageStarted { stage: Stage::Selection } => Some("looking for tools".to_owned()),
        Event::StageStarted { stage: Stage::Probe } => Some("weighing what it could mean".to_owned()),
        Event::StageStarted { stage: Stage::Planning } => Some("planning".to_owned()),
        Event::CallStarted { method, listing_name, .. } => {
            Some(format!("asking {listing_name}: {}", method.method))
        }
        Event::StageStarted { stage: Stage::Synthesis } => Some("writing the answer".to_owned()),
        Event::QueryStarted { .. }
        | Event::StageStarted {
            stage: Stage::Judge | Stage::Execution | Stage::Completeness | Stage::Rediscovery,
        }
        | Event::StageEnded { .. }
        | Event::ToolsSelected { .. }
        | Event::DepthDecided { .. }
        | Event::Probed(_)
        | Event::GateInput(_)
        | Event::Judged(_)
        | Event::ModelAsked(_)
        | Event::Ruled(_)
        | Event::ProgramWritten { .. }
        | Event::ProgramRejected { .. }
        | Event::CallEnded { .. }
        | Event::ProgramEnded { .. }
        | Event::CompletenessEvaluated { .. }
        | Event::ContributorSearched { .. }
        | Event::Repaired(_)
        | Event::Rediscovered(_)
        | Event::AnswerSpoken { .. }
        | Event::DocumentsLooked(_)
        | Event::AnswerChecked(_)
        | Event::QueryEnded { .. } => None,
    }
}

fn print(result: &QueryResult) -> Result<(), Fault> {
    let mut out = io::stdout().lock();
    let (response, has_table) = drawn::with_tables(&result.response);
    writeln!(out, "{}", response.trim_end())?;
    if let Some(miss) = &result.capability_miss {
        for missing in &miss.missing_capabilities {
            writeln!(out, "  - {missing}")?;
        }
    }
    if let Some(view) = result.view.as_ref().filter(|view| !has_table && !view.rows.is_empty()) {
        writeln!(out, "\n{}", table(view))?;
    }
    if let Some(evidence) = &result.evidence {
        for source in &evidence.source_refs {
            let named = [&source.provider, &source.dataset].map(|part| part.as_deref().unwrap_or("?"));
            let observed = source.observed_at.as_deref().unwrap_or("unknown");
            let note = source.note.as_deref().unwrap_or_default();
            writeln!(out, "[{}] {} / {}, observed {observed}. {note}", source.id, named[0], named[1])?;
        }
        for assumption in &evidence.assumptions {
            writeln!(out, "Assumed: {assumption}")?;
        }
        for unknown in &evidence.known_unknowns {
            writeln!(out, "Not known: {unknown}")?;
        }
    }
    if let Some(confidence) = &result.confidence {
        let level = format!("{:?}", confidence.level).to_lowercase();
        writeln!(out, "Confidence: {level}. {} Cost: ${}.", confidence.reason, result.cost.total_cost_usd)?;
    }
    Ok(())
}

fn table(view: &View) -> Table {
    let mut table = drawn::table();
    table.set_header(&view.columns);
    for row in &view.rows {
        table.add_row(&row.cells);
    }
    table
}
