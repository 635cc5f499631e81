//! The pool that may be asked about is no shortlist to execute, and the other way round.

fn execute(shortlist: &probe::ExecutionShortlist) -> usize {
    shortlist.candidates().len()
}

fn mistaken(probed: &probe::Probed) -> usize {
    execute(probed.pool())
}

fn main() {}
