//! `sluice tools`: the catalog, and one call.

use std::io::{self, Write};
use std::sync::Arc;

use domain::{Call, Health, Listing, MethodName, MethodRef, Position, Snapshot};
use llm::LintNote;
use mcp::{Catalog, Tools as _};
use serde_json::{Map, Value};

use crate::arguments::{Shared, Tools, ToolsAction};
use crate::assembly::Assembly;
use crate::command::{Ending, Fault, drawn};
use crate::{to_wire, wording};

/// Lists, shows or calls.
pub(crate) async fn run(tools: Tools, shared: Shared) -> Result<Ending, Fault> {
    let assembly = Assembly::passing(&shared).await?;
    assembly.upstreams.settled().await;
    let ending = act(tools.action, &assembly).await;
    assembly.close().await;
    ending
}

async fn act(action: ToolsAction, assembly: &Assembly) -> Result<Ending, Fault> {
    let snapshot = assembly.upstreams.snapshot();
    match action {
        ToolsAction::List { json: true } => print_json(
            &snapshot.listings.iter().map(|listing| to_wire::tools::record(listing)).collect::<Vec<_>>(),
        ),
        ToolsAction::List { json: false } => list(&snapshot),
        ToolsAction::Show { tool, json: true } => {
            print_json(&to_wire::tools::record(find(&snapshot, &tool)?))
        }
        ToolsAction::Show { tool, json: false } => {
            let listing = find(&snapshot, &tool)?;
            show(listing, &wording::notes(listing, &snapshot, &assembly.policy.models.lint))
        }
        ToolsAction::Call { tool, method, arguments } => {
            call(find(&snapshot, &tool)?, &method, &arguments, assembly).await
        }
    }
}

/// The listing with this identifier or name.
pub(crate) fn find<'a>(snapshot: &'a Snapshot, tool: &str) -> Result<&'a Arc<Listing>, Fault> {
    let wanted = tool.to_lowercase();
    snapshot
        .listings
        .iter()
        .find(|listing| {
            listing.id.to_string() == wanted
                || listing.name.to_lowercase() == wanted
                || listing.alias == wanted
        })
        .ok_or_else(|| {
            let names: Vec<&str> = snapshot.listings.iter().map(|listing| listing.name.as_str()).collect();
            Fault::Usage(format!("no tool \"{tool}\"; there are {}", names.join(", ")))
        })
}

fn list(snapshot: &Snapshot) -> Result<Ending, Fault> {
    let mut table = drawn::table();
    table.set_header(["Tool", "Methods", "State", "Id"]);
    for listing in &snapshot.listings {
        let id = listing.id.to_string();
        table.add_row([listing.name.as_str(), &listing.methods.len().to_string(), &state(listing), &id]);
    }
    writeln!(io::stdout().lock(), "{table}")?;
    Ok(Ending::Done)
}

fn show(listing: &Listing, notes: &[(MethodName, LintNote)]) -> Result<Ending, Fault> {
    let mut out = io::stdout().lock();
    writeln!(out, "{} ({})\n{}\nState: {}", listing.name, listing.id, listing.description, state(listing))?;
    let mut table = drawn::table();
    table.set_header(["Method", "Arguments", "For queries", "What it does"]);
    for method in &listing.methods {
        let safety = probe::query_safe(method)
            .map_or_else(|reason| format!("no: {}", reason.why()), |()| "yes".to_owned());
        table.add_row([
            method.name.as_str(),
            &arguments_of(&method.input_schema),
            &safety,
            &method.description,
        ]);
    }
    writeln!(out, "{table}")?;
    for (method, note) in notes {
        writeln!(out, "Note: {method}: {note}")?;
    }
    Ok(Ending::Done)
}

/// The names of a method's arguments, the required ones marked.
fn arguments_of(schema: &Value) -> String {
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let names =
        schema.get("properties").and_then(Value::as_object).into_iter().flatten().map(|(name, _)| name);
    let marked =
        names.map(|name| format!("{name}{}", if required.contains(&name.as_str()) { "*" } else { "" }));
    marked.collect::<Vec<_>>().join(", ")
}

fn state(listing: &Listing) -> String {
    match &listing.health {
        Health::Healthy => "healthy".to_owned(),
        Health::Connecting => "connecting".to_owned(),
        Health::Unhealthy { reason, .. } => format!("unhealthy: {reason}"),
    }
}

async fn call(
    listing: &Listing,
    method: &str,
    arguments: &str,
    assembly: &Assembly,
) -> Result<Ending, Fault> {
    let name = MethodName::new(method);
    if listing.method(&name).is_none() {
        let names: Vec<&str> = listing.methods.iter().map(|method| method.name.as_str()).collect();
        return Err(Fault::Usage(format!(
            "{} has no method \"{method}\"; it has {}",
            listing.name,
            names.join(", ")
        )));
    }
    let arguments: Map<String, Value> = serde_json::from_str(arguments)
        .map_err(|error| Fault::Usage(format!("the arguments are no JSON object: {error}")))?;
    let call = Call {
        position: Position::new("1"),
        method: MethodRef { listing: listing.id, method: name },
        arguments,
    };
    let delivered = assembly.upstreams.call(&call).await.map_err(|fault| Fault::Failed(fault.to_string()))?;
    print_json(&delivered.value)
}

/// Prints a value as indented JSON.
pub(crate) fn print_json(value: &impl serde::Serialize) -> Result<Ending, Fault> {
    let mut out = io::stdout().lock();
    serde_json::to_writer_pretty(&mut out, value).map_err(io::Error::from)?;
    writeln!(out)?;
    Ok(Ending::Done)
}
