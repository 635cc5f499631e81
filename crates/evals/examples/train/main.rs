//! Trains the gate's models on corpora, says how well they do on questions that they have not seen, and writes them.
//!
//! `cargo run --release -p evals --example train -- [--write DIR] [--own FILE[,FILE...]] FILE[,FILE...]...`
//!
//! `--own` names the files whose cases are over the methods that the product ships. Each argument is one row of the report; the
//! first one counts most. Questions with the same words, the same tools or the same number in their identifier stay in one
//! fold. Which of these groups come together is drawn several times, since one draw moves the figures by a point or two.
//!
//! Which questions stand alone in a conversation is told by models, and changes what is learned of them. So the models are learned
//! twice: first from such questions behind all that was said before them, and then from those that the first models let stand
//! alone by themselves. Same files, same weights: the models that are built into this program have no part in it.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::thread;

use evals::EvalFault;
use evals::production::Decider;
use policy::{Learned, Policy};

mod boost;
mod cases;
mod models;
mod tables;

use cases::{Corpus, DRAWS, FOLDS};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).peekable();
    let mut write: Option<PathBuf> = None;
    if arguments.next_if(|argument| argument == "--write").is_some() {
        write = arguments.next().map(PathBuf::from);
    }
    let mut own: Vec<String> = Vec::new();
    if arguments.next_if(|argument| argument == "--own").is_some() {
        own.extend(arguments.next().iter().flat_map(|files| files.split(',')).map(str::to_owned));
    }
    let rows: Vec<String> = arguments.collect();
    match run(&rows, &own, write.as_deref()) {
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

fn run(rows: &[String], own: &[String], write: Option<&Path>) -> Result<String, Box<dyn std::error::Error>> {
    let mut policy = Policy::shipped()?;
    policy.learned = first(rows, own, &policy)?;
    let corpus = cases::read(rows, own, &policy)?;
    let trained = learned(&corpus);
    let gate = |learned: &Learned| Decider::new(&Policy { learned: learned.clone(), ..policy.clone() });
    let decider = gate(&trained);
    let seen: Vec<usize> = corpus.cases.iter().map(|case| case.decided(&decider)).collect();
    let unseen = unseen(&corpus, &gate)?;
    if let Some(directory) = write {
        tables::write(directory, &trained)?;
    }
    Ok(tables::report(&corpus, rows, (&unseen, &seen)) + &tables::commonest(&trained))
}

/// What is learned where no model tells that a question stands alone.
fn first(rows: &[String], own: &[String], policy: &Policy) -> Result<Learned, EvalFault> {
    let mut unsure = policy.clone();
    unsure.gate.grounding_min = f64::INFINITY;
    Ok(learned(&cases::read(rows, own, &unsure)?))
}

/// What is learned of every case.
fn learned(corpus: &Corpus) -> Learned {
    models::train(corpus, &vec![true; corpus.cases.len()])
}

/// What gates that have not seen a case make of it, draw by draw.
fn unseen(
    corpus: &Corpus,
    gate: &(impl Fn(&Learned) -> Decider + Sync),
) -> Result<Vec<[usize; DRAWS]>, Box<dyn std::error::Error>> {
    let unseen = Mutex::new(vec![[0; DRAWS]; corpus.cases.len()]);
    let left = Mutex::new((0..DRAWS).flat_map(|draw| (0..FOLDS).map(move |fold| (draw, fold))));
    let next = || left.lock().ok()?.next();
    let work = || {
        while let Some((draw, fold)) = next() {
            let inside: Vec<bool> = corpus.cases.iter().map(|case| case.folds[draw] != fold).collect();
            let decider = gate(&models::train(corpus, &inside));
            let held_out = corpus.cases.iter().enumerate().filter(|(_, case)| case.folds[draw] == fold);
            let outcomes: Vec<(usize, usize)> =
                held_out.map(|(place, case)| (place, case.decided(&decider))).collect();
            let Ok(mut unseen) = unseen.lock() else { return };
            for (place, outcome) in outcomes {
                unseen[place][draw] = outcome;
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    Ok(unseen.into_inner().map_err(|_| "a fold was not learned")?)
}
