//! Measures the library on sets of documents: `cargo run --release -p evals --example documents -- DIRECTORY`.

use std::path::Path;
use std::time::Instant;

#[tokio::main]
#[expect(clippy::disallowed_methods, reason = "the time that searches take is what is measured")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let directory = std::env::args().nth(1).ok_or("which directory?")?;
    let policy = policy::Policy::shipped()?.library;
    let started = Instant::now();
    let clock = || u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
    let report = evals::documents::documents(Path::new(&directory), &policy, clock, |_| ()).await?;
    serde_json::to_writer_pretty(std::io::stdout().lock(), &report)?;
    Ok(())
}
