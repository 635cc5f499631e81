//! Sluice: a question in; an answer with its evidence, a clarification, or an honest capability miss out.

mod arguments;
mod assembly;
mod carry;
mod chat;
mod choice;
mod clock;
mod command;
mod desk;
mod from_wire;
mod http;
mod logs;
mod outside;
mod reply;
mod to_wire;
mod wording;

use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser;

use crate::arguments::{Arguments, Command};
use crate::command::Ending;
use telemetry::{Telemetry, TelemetryFault};

/// Counts what a program's values hold, so that its memory limit can be kept.
#[global_allocator]
static ALLOCATOR: program::CountingAllocator = program::CountingAllocator;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    // Before there is a runtime, or anything else that would take of what a worker process may use.
    if let Command::Worker(worker) = &arguments.command {
        return command::report(command::worker::run(worker));
    }
    let telemetry = match telemetry() {
        Ok(telemetry) => Arc::new(telemetry),
        Err(fault) => return command::report(Err(command::Fault::Usage(fault.to_string()))),
    };
    logs::start(arguments.log_format, arguments.log_filter(), &telemetry);
    let mut builder = match arguments.command {
        // A replay runs on virtual time, which takes a runtime of one thread.
        Command::Replay(_) => tokio::runtime::Builder::new_current_thread(),
        Command::Serve(_)
        | Command::Ask(_)
        | Command::Docs(_)
        | Command::Mcp(_)
        | Command::Tools(_)
        | Command::Check(_)
        | Command::Eval(_)
        | Command::Trace(_)
        | Command::Worker(_) => tokio::runtime::Builder::new_multi_thread(),
    };
    let runtime = match builder.enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return command::report(Err(error.into())),
    };
    let ended = runtime.block_on(run(arguments, Arc::clone(&telemetry)));
    telemetry.end();
    command::report(ended)
}

#[expect(clippy::disallowed_methods, reason = "the standard variables are read at the process's edge")]
fn telemetry() -> Result<Telemetry, TelemetryFault> {
    Telemetry::start(&|name| std::env::var(name).ok())
}

async fn run(arguments: Arguments, telemetry: Arc<Telemetry>) -> Result<Ending, command::Fault> {
    let shared = arguments.shared;
    match arguments.command {
        Command::Serve(serve) => Box::pin(command::serve::run(serve, shared, telemetry)).await,
        Command::Ask(ask) => Box::pin(command::ask::run(ask, shared, telemetry)).await,
        Command::Docs(docs) => command::docs::run(docs, shared).await,
        Command::Mcp(mcp) => command::mcp::run(mcp, shared).await,
        Command::Tools(tools) => Box::pin(command::tools::run(tools, shared)).await,
        Command::Check(check) => command::check::run(check, &shared).await,
        Command::Eval(eval) => Box::pin(command::eval::run(*eval, shared)).await,
        Command::Replay(replay) => Box::pin(command::replay::run(replay, shared)).await,
        Command::Trace(trace) => command::trace::run(trace, shared).await,
        Command::Worker(worker) => command::worker::run(&worker),
    }
}
