//! The report, and the tables of the policy files.

use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

use evals::corpus::Outcome;
use evals::metrics::Confusion;
use policy::{Forest, Learned, OfArgument, OfCase, OfMethod, SignalNames};

use crate::cases::{Corpus, DRAWS};

const HEAD: &str =
    "# Written by `cargo run --release -p evals --example train`, never by hand. Explained in README.md.\n";

/// Writes `learned.toml` of a directory.
pub(crate) fn write(directory: &Path, learned: &Learned) -> io::Result<()> {
    let Learned { grounding, open, verdict } = learned;
    let text = [
        HEAD.to_owned(),
        list("grounding", grounding),
        list("open", open),
        "\n[verdict]\n".to_owned(),
        list("answer", &verdict.answer),
        list("clarification_required", &verdict.clarification_required),
        list("capability_miss", &verdict.capability_miss),
    ];
    fs::write(directory.join("learned.toml"), text.concat())
}

fn list<S: SignalNames>(name: &str, forest: &Forest<S>) -> String {
    let lines = forest.trees().iter().map(|tree| format!("    \"{}\",\n", tree.line(S::NAMES)));
    format!("{name} = [\n{}]\n", lines.collect::<String>())
}

/// How well the naive gate and the product's do, row by row: cross-validated over all draws, and over what it learned from.
pub(crate) fn report(
    corpus: &Corpus,
    rows: &[String],
    (unseen, seen): (&[[usize; DRAWS]], &[usize]),
) -> String {
    let mut text = format!(
        "{:34} {:>5}  {:30} {:30} {:30}\n{5:40}  {6:30} {6:30} {6:30}\n",
        "row", "cases", "naive", "not learned from", "learned from", "", "  F1  bal  ans  sil  ask miss"
    );
    for (row, files) in rows.iter().enumerate() {
        let names: Vec<&str> =
            files.split(',').filter_map(|file| Path::new(file).file_stem()?.to_str()).collect();
        let inside: Vec<usize> =
            (0..corpus.cases.len()).filter(|case| corpus.cases[*case].rows.contains(&row)).collect();
        let _ = write!(text, "{:34.34} {:>5}", names.join("+"), inside.len());
        let deciders: [&dyn Fn(usize) -> Vec<usize>; 3] =
            [&|case| vec![corpus.cases[case].naive], &|case| unseen[case].to_vec(), &|case| vec![seen[case]]];
        for decide in deciders {
            let mut confusion = Confusion::default();
            for case in &inside {
                for decided in decide(*case) {
                    confusion.add(Outcome::ALL[corpus.cases[*case].expected], Outcome::ALL[decided]);
                }
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

/// The signals that the trees of each model split by most often.
pub(crate) fn commonest(learned: &Learned) -> String {
    let Learned { grounding, open, verdict } = learned;
    [
        splits("grounding", grounding, OfMethod::NAMES),
        splits("open", open, OfArgument::NAMES),
        splits("answer", &verdict.answer, OfCase::NAMES),
        splits("clarification_required", &verdict.clarification_required, OfCase::NAMES),
        splits("capability_miss", &verdict.capability_miss, OfCase::NAMES),
    ]
    .concat()
}

fn splits<S>(model: &str, forest: &Forest<S>, names: &[&str]) -> String {
    let mut counts = vec![0; names.len()];
    for tree in forest.trees() {
        tree.each_split(&mut |signal| counts[signal] += 1);
    }
    let mut commonest: Vec<(&&str, usize)> = names.iter().zip(counts).collect();
    commonest.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let shown: Vec<String> =
        commonest.iter().take(10).map(|(name, count)| format!("{name} {count}")).collect();
    format!("{model}: {}\n", shown.join(", "))
}
