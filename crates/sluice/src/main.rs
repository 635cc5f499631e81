//! Sluice: a question in; an answer with its evidence, a clarification, or an honest capability miss out.

mod arguments;
mod assembly;
mod chat;
mod choice;
mod clock;
mod command;
mod desk;
mod from_wire;
mod http;
mod logs;
mod reply;
mod to_wire;
mod wording;

use std::process::ExitCode;

use clap::Parser;

use crate::arguments::{Arguments, Command};
use crate::command::Ending;

/// Counts what a program's values hold, so that its memory limit can be kept.
#[global_allocator]
static ALLOCATOR: program::CountingAllocator = program::CountingAllocator;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    // Before there is a runtime, or anything else that would take of what a worker process may use.
    if let Command::Worker(worker) = &arguments.command {
        return command::report(command::worker::run(worker));
    }
    logs::start(arguments.log_format, arguments.log_filter());
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return command::report(Err(error.into())),
    };
    command::report(runtime.block_on(run(arguments)))
}

async fn run(arguments: Arguments) -> Result<Ending, command::Fault> {
    let shared = arguments.shared;
    match arguments.command {
        Command::Serve(serve) => command::serve::run(serve, shared).await,
        Command::Ask(ask) => Box::pin(command::ask::run(ask, shared)).await,
        Command::Docs(docs) => command::docs::run(docs, shared).await,
        Command::Mcp(mcp) => command::mcp::run(mcp, shared).await,
        Command::Tools(tools) => command::tools::run(tools, shared).await,
        Command::Check(check) => command::check::run(check, &shared).await,
        Command::Eval(eval) => Box::pin(command::eval::run(eval, shared)).await,
        Command::Worker(worker) => command::worker::run(&worker),
    }
}
