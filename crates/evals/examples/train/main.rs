//! Trains the gate's models on corpora, says how well they do on questions that they have not seen, and writes them.
//!
//! `cargo run --release -p evals --example train -- [--write DIR] FILE[,FILE...]...`
//!
//! Each argument is one row of the report; the first one counts most. Questions with the same words, the same tools or the
//! same number in their identifier stay in one fold. Same files, same weights.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use evals::production::Decider;
use policy::{Learned, Policy};

mod boost;
mod cases;
mod models;
mod tables;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).peekable();
    let mut write: Option<PathBuf> = None;
    if arguments.next_if(|argument| argument == "--write").is_some() {
        write = arguments.next().map(PathBuf::from);
    }
    let rows: Vec<String> = arguments.collect();
    match run(&rows, write.as_deref()) {
        Ok(report) => {
            #[expect(clippy::print_stdout, reason = "the report of a command")]
            {
                println!("{report}");
            }
            ExitCode::SUCCESS
        }
        Err(fault) => {
            #[expect(clippy::print_stderr, reason = "the fault of a command")]
            {
                eprintln!("{fault}");
            }
            ExitCode::FAILURE
        }
    }
}

fn run(rows: &[String], write: Option<&Path>) -> Result<String, Box<dyn std::error::Error>> {
    let policy = Policy::shipped()?;
    let corpus = cases::read(rows, &policy)?;
    let everything = vec![true; corpus.cases.len()];
    let trained = models::train(&corpus, &everything);
    let gate = |learned: &Learned| Decider::new(&Policy { learned: learned.clone(), ..policy.clone() });
    let decider = gate(&trained);
    let seen: Vec<usize> = corpus.cases.iter().map(|case| case.decided(&decider)).collect();
    let mut unseen = vec![0; corpus.cases.len()];
    for fold in 0..cases::FOLDS {
        let inside: Vec<bool> = corpus.cases.iter().map(|case| case.fold != fold).collect();
        let decider = gate(&models::train(&corpus, &inside));
        for (case, decided) in corpus.cases.iter().zip(&mut unseen).filter(|(case, _)| case.fold == fold) {
            *decided = case.decided(&decider);
        }
    }
    if let Some(directory) = write {
        tables::write(directory, &trained)?;
    }
    Ok(tables::report(&corpus, rows, [&unseen, &seen]) + &tables::commonest(&trained))
}
