//! `sluice trace`: what was recorded, in a table or as a picture of one request, and asked again.

mod timeline;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use domain::RequestId;
use trace::{Header, Trace};
use uuid::Uuid;

use crate::arguments::{Shared, Trace as Arguments, TraceAction};
use crate::assembly::Assembly;
use crate::command::{Ending, Fault, drawn, tools};
use crate::reply;

/// Who asks again, for the settlement.
const CALLER: &str = "command-line";

/// Lists, shows, or asks again.
pub(crate) async fn run(arguments: Arguments, shared: Shared) -> Result<Ending, Fault> {
    match arguments.action {
        TraceAction::List { directory, outcome, reason, slower_than, json } => {
            let unreadable = |error| Fault::Usage(format!("{}: {error}", directory.display()));
            let mut found = trace::list(&directory).map_err(unreadable)?;
            found.retain(|(_, header)| {
                let summary = &header.summary;
                outcome.as_ref().is_none_or(|wanted| *wanted == summary.outcome)
                    && reason.as_ref().is_none_or(|wanted| *wanted == summary.reason)
                    && slower_than.is_none_or(|least| summary.duration_ms >= least)
            });
            if json {
                return tools::print_json(&found);
            }
            table(&found)?;
            Ok(Ending::Done)
        }
        TraceAction::Show { recording } => {
            let trace = Trace::open(&recording)?;
            let mut out = io::stdout().lock();
            for line in timeline::of(&trace)? {
                writeln!(out, "{line}")?;
            }
            Ok(Ending::Done)
        }
        TraceAction::Again { recordings } => {
            for recording in recordings {
                again(&recording, &shared).await?;
            }
            Ok(Ending::Done)
        }
    }
}

fn table(found: &[(String, Header)]) -> Result<(), Fault> {
    let mut table = drawn::table();
    table.set_header(["name", "outcome", "reason", "lane", "ms", "calls", "cost", "question"]);
    for (name, header) in found {
        let summary = &header.summary;
        let calls = match summary.failed_calls {
            0 => summary.calls.to_string(),
            failed => format!("{} ({failed} failed)", summary.calls),
        };
        table.add_row([
            name.clone(),
            summary.outcome.clone(),
            summary.reason.clone(),
            summary.lane.clone(),
            summary.duration_ms.to_string(),
            calls,
            format!("${}", summary.cost_usd),
            header.question.clone(),
        ]);
    }
    let mut out = io::stdout().lock();
    Ok(writeln!(out, "{table}")?)
}

/// Asks a recorded question of the listings that there are now, and records it in the same place.
async fn again(folder: &Path, shared: &Shared) -> Result<(), Fault> {
    let trace = Trace::open(folder)?;
    if trace.asked_of_documents().is_some() {
        let name = folder.display();
        return Err(Fault::Usage(format!(
            "{name}: it was asked of documents, which are not in it: ask them again (`sluice ask --docs`)"
        )));
    }
    let (query, _) = trace.asked()?;
    let (directory, name): (PathBuf, String) = match (folder.parent(), folder.file_name()) {
        (Some(directory), Some(name)) => (directory.to_owned(), name.to_string_lossy().into_owned()),
        _ => return Err(Fault::Usage(format!("{} is no recording", folder.display()))),
    };
    let assembly = Box::pin(Assembly::passing(shared)).await?.recording(&directory, Some(&name));
    assembly.upstreams.settled().await;
    let request = RequestId::new(Uuid::new_v4().to_string());
    let failed = |error: reply::NoReply| Fault::Failed(error.to_string());
    let admitted = reply::admit(&assembly, request, CALLER.to_owned(), query).await.map_err(failed)?;
    let replied = reply::to(&assembly, admitted, assembly.stop.child_token(), None).await;
    assembly.close().await;
    match replied {
        Ok(_) | Err(reply::NoReply::Failed(_)) => Ok(()),
        Err(error) => Err(failed(error)),
    }
}
