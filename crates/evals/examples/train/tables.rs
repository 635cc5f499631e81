//! The report, and the tables of the policy files.

use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

use evals::corpus::Outcome;
use evals::metrics::Confusion;
use policy::{OfArgument, OfCase, OfMethod, SignalNames};

use crate::cases::Corpus;
use crate::models::{Models, Weights};

/// What stands before the learned tables of a policy file; the file ends with them.
const MARK: &str =
    "# Learned: written by `cargo run --release -p evals --example train`, explained in README.md.\n";

/// Puts the learned weights into `probe.toml` of a directory.
pub(crate) fn write(directory: &Path, models: &Models) -> io::Result<()> {
    let [answer, ask] = &models.verdict;
    let tables = [
        table("grounding", &models.grounding, OfMethod::NAMES),
        table("open", &models.open, OfArgument::NAMES),
        table("verdict.answer", answer, OfCase::NAMES),
        table("verdict.clarification_required", ask, OfCase::NAMES),
    ];
    replace(&directory.join("probe.toml"), &tables.concat())
}

fn replace(file: &Path, learned: &str) -> io::Result<()> {
    let text = fs::read_to_string(file)?;
    let kept = text.split(MARK).next().unwrap_or_default();
    fs::write(file, format!("{kept}{MARK}{}", learned.trim_end_matches('\n').to_owned() + "\n"))
}

fn table(name: &str, (bias, weights): &Weights, names: &[&str]) -> String {
    let mut text = format!("[{name}]\nbias = {bias:.3}\n[{name}.weights]\n");
    for (name, weight) in names.iter().zip(weights) {
        // No negative zero.
        let _ = writeln!(text, "{name} = {:.3}", (weight * 1e3).round() / 1e3 + 0.0);
    }
    text + "\n"
}

/// How well the naive gate and the learned models do, row by row; the models cross-validated and over what they learned.
pub(crate) fn report(corpus: &Corpus, rows: &[String], learned: [&[usize]; 3]) -> String {
    let mut text = format!(
        "{:34} {:>5}  {:30} {:30} {:30} {:30}\n{6:40}  {7:30} {7:30} {7:30} {7:30}\n",
        "row",
        "cases",
        "naive",
        "cross-validated",
        "training",
        "as shipped",
        "",
        "  F1  bal  ans  sil  ask miss"
    );
    for (row, files) in rows.iter().enumerate() {
        let names: Vec<&str> =
            files.split(',').filter_map(|file| Path::new(file).file_stem()?.to_str()).collect();
        let inside: Vec<usize> =
            (0..corpus.cases.len()).filter(|case| corpus.cases[*case].rows.contains(&row)).collect();
        let _ = write!(text, "{:34.34} {:>5}", names.join("+"), inside.len());
        let deciders: [&dyn Fn(usize) -> usize; 4] =
            [&|case| corpus.cases[case].naive, &|case| learned[0][case], &|case| learned[1][case], &|case| {
                learned[2][case]
            }];
        for decide in deciders {
            let mut confusion = Confusion::default();
            for case in &inside {
                confusion.add(Outcome::ALL[corpus.cases[*case].expected], Outcome::ALL[decide(*case)]);
            }
            let _ = write!(text, " {:30}", measures(&confusion));
        }
        text.push('\n');
    }
    text
}

fn measures(confusion: &Confusion) -> String {
    use Outcome::{Answer, CapabilityMiss, ClarificationRequired};
    let percent =
        |share: Option<f64>| share.map_or("   -".to_owned(), |share| format!("{:4.1}", share * 100.0));
    let rate = |expected: &[Outcome], decided| percent(confusion.share(expected, decided).value());
    format!(
        "{} {} {} {} {} {}",
        percent(confusion.macro_f1()),
        percent(confusion.balanced_accuracy()),
        rate(&[Answer], Answer),
        rate(&[ClarificationRequired, CapabilityMiss], Answer),
        rate(&[Answer], ClarificationRequired),
        rate(&[Answer], CapabilityMiss),
    )
}

/// The signals that weigh most in each model.
pub(crate) fn heaviest(models: &Models) -> String {
    let [answer, ask] = &models.verdict;
    let all: [(&str, &Weights, &[&str]); 4] = [
        ("grounding", &models.grounding, OfMethod::NAMES),
        ("open", &models.open, OfArgument::NAMES),
        ("answer", answer, OfCase::NAMES),
        ("clarification_required", ask, OfCase::NAMES),
    ];
    let mut text = String::new();
    for (model, (_, weights), names) in all {
        let mut named: Vec<(&str, f64)> = names.iter().copied().zip(weights.iter().copied()).collect();
        named.sort_by(|one, other| other.1.abs().total_cmp(&one.1.abs()));
        let shown: Vec<String> =
            named.iter().take(10).map(|(name, weight)| format!("{name} {weight:.2}")).collect();
        let _ = writeln!(text, "{model}: {}", shown.join(", "));
    }
    text
}
