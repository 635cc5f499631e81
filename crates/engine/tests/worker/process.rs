//! A worker process for the tests of this crate; the product's own is `sluice worker`.

use std::process::ExitCode;

/// Counts what a program's values hold, as it does in the product.
#[global_allocator]
static ALLOCATOR: program::CountingAllocator = program::CountingAllocator;

fn main() -> ExitCode {
    let confines = worker::Confines::of_arguments(std::env::args().collect::<Vec<_>>().into_iter());
    match confines.map(worker::serve) {
        Some(Ok(())) => ExitCode::SUCCESS,
        None | Some(Err(_)) => ExitCode::FAILURE,
    }
}
