//! Log lines, on standard error.

use std::io;

use tracing_subscriber::EnvFilter;

use crate::arguments::LogFormat;

/// Starts logging. A filter that cannot be read falls back to warnings.
pub(crate) fn start(format: LogFormat, filter: &str) {
    let filter = EnvFilter::try_new(filter).unwrap_or_else(|_| EnvFilter::new("warn"));
    let lines = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr);
    match format {
        LogFormat::Pretty => lines.with_target(false).init(),
        LogFormat::Json => lines.json().init(),
    }
}
