//! Cases asked in process: as a request's body, through the one way in.

use std::path::Path;
use std::sync::Arc;

use domain::{Listing, ListingId, Method, RequestId};
use evals::suite::{Asked, Suite, SuiteCase};
use evals::{EvalFault, Observed, Reply};
use mcp::Catalog as _;
use policy::{Policy, RolloutStage};
use serde_json::{Value, json};
use store::Store;
use uuid::Uuid;

use crate::arguments::Shared;
use crate::assembly::{self, Assembly};
use crate::command::Fault;
use crate::command::eval::now_us;
use crate::{from_wire, reply};

/// Who asks, for the settlement.
const CALLER: &str = "evaluation";

/// The runtime, once for each stage of the gate's rollout that cases want.
pub(super) struct InProcess {
    configured: RolloutStage,
    stages: Vec<(RolloutStage, Assembly)>,
}

impl InProcess {
    /// Starts what the cases want, and waits for the listings. Requests are recorded below `recordings`.
    pub(super) async fn start(
        shared: &Shared,
        policy: Policy,
        suites: &[Suite],
        recordings: Option<&Path>,
    ) -> Result<Self, Fault> {
        let configured = policy.gate.rollout_stage;
        let mut wanted = vec![configured];
        for stage in suites.iter().flat_map(|suite| &suite.cases).filter_map(|case| case.rollout) {
            if !wanted.contains(&stage) {
                wanted.push(stage);
            }
        }
        let mut stages = Vec::new();
        for stage in wanted {
            let mut policy = policy.clone();
            policy.gate.rollout_stage = stage;
            let store = Store::in_memory(assembly::store_settings(&policy.store)).await?;
            let assembly = Box::pin(Assembly::start(shared, policy, (store, None), String::new())).await?;
            let assembly = match recordings {
                Some(directory) => assembly.recording(directory, None),
                None => assembly,
            };
            assembly.upstreams.settled().await;
            stages.push((stage, assembly));
        }
        Ok(Self { configured, stages })
    }

    /// Asks one case.
    pub(super) async fn ask(&self, case: &SuiteCase) -> Reply {
        let wanted = case.rollout.unwrap_or(self.configured);
        match self.stages.iter().find(|(stage, _)| *stage == wanted) {
            Some((_, assembly)) => asked(case, assembly).await.unwrap_or_else(Reply::Failed),
            None => Reply::Failed(format!("the gate's stage {} was not started", wanted.word())),
        }
    }

    /// Writes the cases that ask for a question back where there is one as a corpus, each with the methods that may be called.
    pub(super) fn write_corpus(&self, suites: &[Suite], path: &Path) -> Result<(), Fault> {
        let Some((_, assembly)) = self.stages.first() else { return Ok(()) };
        let snapshot = assembly.upstreams.snapshot();
        let mut lines = String::new();
        for suite in suites {
            let asked =
                suite.cases.iter().filter(|case| case.policy == Asked::Return && case.rollout.is_none());
            for case in asked {
                let pinned =
                    |listing: &&Arc<Listing>| case.pin.is_empty() || case.pin.contains(&listing.name);
                let listings = snapshot.listings.iter().filter(pinned);
                let discovers = case.pin.is_empty();
                let tools: Vec<Value> = listings.flat_map(|listing| tools(listing, discovers)).collect();
                let case = json!({
                    "id": case.id,
                    "source": suite.name,
                    "query": case.query,
                    "tools": tools,
                    "discovers": discovers,
                    "expected": {
                        "outcome": case.expected.first(),
                        "methods": case.methods,
                        "missing_params": case.missing,
                        "accept": case.expected,
                    },
                    "pair": case.pair,
                });
                lines.push_str(&case.to_string());
                lines.push('\n');
            }
        }
        let unwritable = |source| EvalFault::Unwritable { path: path.to_owned(), source };
        Ok(std::fs::write(path, lines).map_err(unwritable)?)
    }

    /// Writes what the gate decided on, as JSON lines; a stage of the rollout that cases set is left out.
    pub(super) async fn write_records(&self, path: &Path) -> Result<(), Fault> {
        let configured = self.stages.iter().find(|(stage, _)| *stage == self.configured);
        let mut lines = String::new();
        if let Some((_, assembly)) = configured {
            for record in assembly.store.gate_records().await? {
                lines.push_str(&record);
                lines.push('\n');
            }
        }
        let unwritable = |source| EvalFault::Unwritable { path: path.to_owned(), source };
        Ok(std::fs::write(path, lines).map_err(unwritable)?)
    }

    /// Ends every session.
    pub(super) async fn close(self) {
        for (_, assembly) in self.stages {
            assembly.close().await;
        }
    }
}

/// The methods of a listing as corpora have them: those that may be called or, of a catalogue, all of them.
fn tools(listing: &Listing, is_catalogue: bool) -> Vec<Value> {
    let tool = |method: &Arc<Method>| {
        json!({
            "name": method.name.as_str(),
            "title": method.title,
            "description": method.description,
            "listing": {"name": listing.name, "description": listing.description},
            "inputSchema": method.input_schema,
            "outputSchema": method.output_schema,
            "annotations": {
                "readOnlyHint": method.annotations.read_only,
                "destructiveHint": method.annotations.destructive,
                "idempotentHint": method.annotations.idempotent,
                "openWorldHint": method.annotations.open_world,
            },
            "_meta": method.meta.raw,
        })
    };
    let offered = listing.methods.iter().filter(|method| is_catalogue || probe::query_safe(method).is_ok());
    offered.map(tool).collect()
}

async fn asked(case: &SuiteCase, assembly: &Assembly) -> Result<Reply, String> {
    let tools = case.pin.iter().map(|name| ListingId::of_name(name).to_string()).collect();
    let query =
        from_wire::query(case.request(tools, false), &assembly.policy).map_err(|fault| fault.to_string())?;
    let request = RequestId::new(Uuid::new_v4().to_string());
    let started_us = now_us();
    let failed = |fault: reply::NoReply| fault.to_string();
    let admitted = reply::admit(assembly, request, CALLER.to_owned(), query).await.map_err(failed)?;
    let result = reply::to(assembly, admitted, assembly.stop.child_token(), None).await.map_err(failed)?;
    Ok(Reply::Seen(Box::new(Observed::of(&result, now_us().saturating_sub(started_us)))))
}
