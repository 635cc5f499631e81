//! Corpora: gate cases with their own tools, and retrieval sets; no server stands behind them.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use evals::baseline::Bm25;
use evals::corpus::{self, Case};
use evals::production::Decider;
use evals::{Decided, DecisionInput, EvalFault, NaiveGate, RetrievalReport, probe_ranker, report};
use policy::Policy;
use serde::Serialize;
use serde_json::json;

use crate::arguments::Eval;
use crate::command::eval::{bar, now_us};
use crate::command::{Ending, Fault, tools};

/// What the numbers of a corpus rest on.
const NOTES: [&str; 2] = [
    "Every published tool of a case may be called, writers too: the sources label calls of any kind.",
    "A decision sees the question, the history, the tools and the time of a case, and nothing else of it.",
];

/// Decides every case of a corpus, and writes each decision down where the arguments say so.
pub(super) fn decisions(cases: &Path, eval: &Eval, policy: &Policy) -> Result<Ending, Fault> {
    let gate = Decider::new(policy);
    let read = corpus::cases(cases)?;
    let mut predictions = eval.predictions.as_deref().map(Predictions::create).transpose()?;
    let bar = bar::over(None);
    let record = |case: &Case, decided: &Decided| {
        bar.inc(1);
        predictions.as_mut().map_or(Ok(()), |predictions| predictions.write(case, decided))
    };
    let report = evals::decisions(read, |input| gate.decide(input), now_us, record);
    bar.finish_and_clear();
    let report = report?;
    let naive = |input: &DecisionInput<'_>| NaiveGate::TUNED.decide(input);
    let baseline = evals::decisions(corpus::cases(cases)?, naive, now_us, |_, _| Ok(()))?;
    if let Some(predictions) = predictions {
        predictions.finish()?;
    }
    let (hash, corpus) = (&policy.hash, cases.display().to_string());
    if eval.json {
        return tools::print_json(&json!({
            "policy_hash": hash, "corpus": corpus, "notes": NOTES, "report": report,
            "naive": {"total": baseline.total, "sources": baseline.sources},
        }));
    }
    let mut out = io::stdout().lock();
    write!(out, "{}", report::decisions(&format!("{corpus}, policies {hash}"), &report))?;
    writeln!(out, "\n{}", report::beside("gate", &report, "naive gate", &baseline))?;
    for note in NOTES {
        writeln!(out, "note: {note}")?;
    }
    Ok(Ending::Done)
}

/// Ranks the tools of a catalogue for every query: the product's own ranking beside the baseline.
pub(super) fn retrieval(
    catalogue: &Path,
    queries: &Path,
    eval: &Eval,
    policy: &Policy,
) -> Result<Ending, Fault> {
    let tools: Vec<_> = corpus::tools(catalogue)?.collect::<Result<_, _>>()?;
    let queries: Vec<_> = corpus::queries(queries)?.collect::<Result<_, _>>()?;
    let plain = Bm25::build(&tools);
    let rank = |question: &str| plain.search(question).into_iter().map(|(place, _)| place).collect();
    let baseline = evals::retrieval(&tools, &queries, rank, now_us);
    let probe = evals::retrieval(&tools, &queries, probe_ranker(&tools, &policy.probe), now_us);
    let (hash, catalogue) = (&policy.hash, catalogue.display().to_string());
    let gain = ndcg(&probe) - ndcg(&baseline);
    if eval.json {
        return tools::print_json(&json!({
            "policy_hash": hash, "catalogue": catalogue, "ndcg_at_10_gain": gain, "bm25": baseline, "probe": probe,
        }));
    }
    let title = format!("{catalogue}, policies {hash}");
    let text = report::retrieval(&title, &[("BM25", &baseline), ("probe", &probe)]);
    writeln!(io::stdout().lock(), "{text}\nnDCG@10 over BM25: {:+.1} points", gain * 100.0)?;
    Ok(Ending::Done)
}

fn ndcg(report: &RetrievalReport) -> f64 {
    report.all.ndcg_at_10.value
}

/// What was decided, a JSON line a case.
struct Predictions<'a> {
    path: &'a Path,
    file: BufWriter<File>,
}

#[derive(Serialize)]
struct Prediction<'a> {
    id: &'a str,
    #[serde(flatten)]
    decided: &'a Decided,
}

impl<'a> Predictions<'a> {
    fn create(path: &'a Path) -> Result<Self, EvalFault> {
        let file =
            File::create(path).map_err(|source| EvalFault::Unwritable { path: path.to_owned(), source })?;
        Ok(Self { path, file: BufWriter::new(file) })
    }

    fn write(&mut self, case: &Case, decided: &Decided) -> Result<(), EvalFault> {
        let prediction = Prediction { id: &case.id, decided };
        let written = serde_json::to_writer(&mut self.file, &prediction).map_err(io::Error::from);
        written.and_then(|()| writeln!(self.file)).map_err(|source| self.unwritable(source))
    }

    fn finish(mut self) -> Result<(), EvalFault> {
        self.file.flush().map_err(|source| self.unwritable(source))
    }

    fn unwritable(&self, source: io::Error) -> EvalFault {
        EvalFault::Unwritable { path: self.path.to_owned(), source }
    }
}
