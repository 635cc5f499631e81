//! `sluice worker`: runs programs for the process that started this one.

use crate::arguments::Worker;
use crate::command::{Ending, Fault};

/// Serves standard input and output until the input ends.
pub(crate) fn run(arguments: &Worker) -> Result<Ending, Fault> {
    worker::serve(arguments.confines())
        .map(|()| Ending::Done)
        .map_err(|fault| Fault::Failed(fault.to_string()))
}
