//! `sluice mcp`: the tools over the library, over standard input and output.

use std::sync::Arc;

use rmcp::ServiceExt;

use crate::arguments::{Mcp, Shared};
use crate::command::docs::{self, Recordings};
use crate::command::{Ending, Fault};
use crate::desk::tools::Tools;

/// Serves one client until it leaves.
pub(crate) async fn run(arguments: Mcp, shared: Shared) -> Result<Ending, Fault> {
    let desk = docs::open(&arguments.shelved, &shared).await?;
    let (desk, recordings) = Recordings::of(desk, arguments.record.as_deref(), None);
    let caller = docs::caller(&arguments.shelved);
    let tools = Tools::over(desk.clone(), Arc::new(move |_| Some(caller.clone())), None);
    let failed = |error: &dyn std::fmt::Display| Fault::Failed(error.to_string());
    let served = match tools.serve(rmcp::transport::stdio()).await {
        Ok(session) => session.waiting().await.map(|_| ()).map_err(|error| failed(&error)),
        Err(error) => Err(failed(&error)),
    };
    recordings.end().await;
    desk.close().await;
    served.map(|()| Ending::Done)
}
