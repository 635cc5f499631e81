//! The subcommands, and how they end.

pub(crate) mod ask;
pub(crate) mod check;
pub(crate) mod docs;
mod drawn;
pub(crate) mod eval;
pub(crate) mod mcp;
pub(crate) mod replay;
pub(crate) mod serve;
pub(crate) mod tools;
pub(crate) mod trace;
pub(crate) mod worker;

use std::io::{self, Write};
use std::process::ExitCode;

use crate::assembly::AssemblyFault;

/// How a command ended, for the shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// Answered or done.
    Done,
    /// Nothing at hand can answer.
    CapabilityMiss,
    /// The question is ambiguous.
    ClarificationRequired,
    /// A measure does not keep to its gate, or a part of the work could not be done.
    GateFailed,
}

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Fault {
    /// The command was used in a way that cannot work.
    #[error("{0}")]
    Usage(String),
    /// The configuration cannot be used.
    #[error(transparent)]
    Assembly(#[from] AssemblyFault),
    /// The question or the call failed.
    #[error("{0}")]
    Failed(String),
    /// Input or output failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl From<evals::EvalFault> for Fault {
    fn from(fault: evals::EvalFault) -> Self {
        Self::Usage(fault.to_string())
    }
}

impl From<::trace::TraceFault> for Fault {
    fn from(fault: ::trace::TraceFault) -> Self {
        Self::Usage(fault.to_string())
    }
}

impl From<store::Error> for Fault {
    fn from(error: store::Error) -> Self {
        Self::Assembly(error.into())
    }
}

impl From<policy::PolicyError> for Fault {
    fn from(error: policy::PolicyError) -> Self {
        Self::Assembly(error.into())
    }
}

/// Says what went wrong, and gives the shell its exit code.
pub(crate) fn report(ending: Result<Ending, Fault>) -> ExitCode {
    match ending {
        Ok(Ending::Done) => ExitCode::SUCCESS,
        Ok(Ending::GateFailed) => ExitCode::FAILURE,
        Ok(Ending::CapabilityMiss) => ExitCode::from(3),
        Ok(Ending::ClarificationRequired) => ExitCode::from(4),
        // A reader that has read enough, such as `head`, is no failure.
        Err(Fault::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(fault) => {
            // Where standard error is closed there is nobody to tell.
            let _ = writeln!(io::stderr(), "sluice: {fault}");
            match fault {
                Fault::Usage(_) | Fault::Assembly(_) => ExitCode::from(2),
                Fault::Failed(_) | Fault::Io(_) => ExitCode::FAILURE,
            }
        }
    }
}
