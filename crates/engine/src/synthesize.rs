//! Synthesis: the written answer, from the evidence and nothing else, held against its sources while it is written.

mod numbers;
mod pack;
mod speech;

use std::sync::{Mutex, PoisonError};

use cite::Cited;
use domain::{Evidence, Gap, GapCode, Severity};
use llm::{Model, Spoken, SynthesisBrief};
use policy::{ModelStage, Policy};
use tokio::time::timeout_at;
use trace::{AnswerReport, Event};

use crate::assess::Assessed;
use crate::failure::Failure;
use crate::outcome::Answer;
use crate::run::Run;

use numbers::Known;
use speech::Speech;

/// Writes the answer; by rules where a model takes more than its share of the time that is left. Pieces leave as they are
/// written, each with its citations numbered.
pub(crate) async fn answer(
    assessed: Box<Assessed>,
    run: &Run,
    policy: &Policy,
    model: &dyn Model,
) -> Result<Answer, Failure> {
    let is_hosted = model.asks(ModelStage::Synthesize);
    let packed = if is_hosted { pack::of(&assessed, run, policy, model).await } else { None };
    let brief = assessed.brief(&policy.evidence.answer);
    let evidence = packed.as_ref().map_or(brief.evidence, |packed| &packed.evidence);
    let brief = SynthesisBrief { evidence, ..brief };
    // What the rules write stands in the evidence by construction.
    let known = is_hosted.then(|| Known::of(&brief, assessed.data()));
    let speech = Mutex::new(Speech::new(run, evidence, known, policy));
    let until = run.answer_until(policy.recovery.model_time_share_max);
    let hear = |spoken: Spoken<'_>| speech.lock().unwrap_or_else(PoisonError::into_inner).hear(spoken);
    let by_rules = match timeout_at(until, model.synthesize_aloud(&brief, &hear)).await {
        Ok(_) => None,
        Err(_) => Some(model.synthesize_by_rules(&brief).await.ok_or(Failure::DeadlinePassed)?),
    };
    if let Some(text) = by_rules {
        hear(Spoken::Restart);
        hear(Spoken::Text(&text));
    }
    let speech = speech.into_inner().unwrap_or_else(PoisonError::into_inner);
    let (cited, mut report) = speech.finish();
    if is_hosted {
        speech::score(&cited, evidence, policy, &mut report);
    }
    let reasons = packed.map(|packed| (packed.reasons, packed.gaps)).unwrap_or_default();
    Ok(told(*assessed, cited, report, reasons, run))
}

/// The answer with its sources in the order of their numbers, and with what was found when it was held against them.
fn told(
    assessed: Assessed,
    cited: Cited,
    mut report: AnswerReport,
    (reasons, gaps): (Vec<&'static str>, Vec<Gap>),
    run: &Run,
) -> Answer {
    let mut answer = assessed.into_answer(cited.text);
    let evidence = &mut answer.evidence;
    in_order_of_numbers(evidence, &cited.numbering);
    report.selection.clone_from(&reasons);
    report.conflicts.clone_from(&evidence.conflicts);
    evidence.retrieval_reasons.extend(reasons);
    let withheld = (report.withheld > 0).then(|| Gap {
        code: GapCode::UnsupportedStatement,
        severity: Severity::Medium,
        detail: format!(
            "{} sentence(s) of the written answer were withheld: their numbers stand in no source.",
            report.withheld
        ),
    });
    let flagged = (!report.unsupported.is_empty()).then(|| Gap {
        code: GapCode::UnsupportedStatement,
        severity: Severity::Low,
        detail: format!("The written answer gives what no source gives: {}.", report.unsupported.join(", ")),
    });
    for gap in gaps.into_iter().chain(withheld).chain(flagged) {
        evidence.known_unknowns.push(gap.detail.clone());
        evidence.confidence.gaps.push(gap);
    }
    run.note(Event::AnswerChecked(Box::new(report)));
    answer
}

/// The marker `[2]` means the second source.
fn in_order_of_numbers(evidence: &mut Evidence, numbering: &[usize]) {
    if numbering.is_empty() {
        return;
    }
    let place = |ordinal: usize| numbering.iter().position(|one| *one == ordinal).unwrap_or(numbering.len());
    let mut sources: Vec<_> = std::mem::take(&mut evidence.sources).into_iter().enumerate().collect();
    sources.sort_by_key(|(at, _)| place(at + 1));
    evidence.sources = sources.into_iter().map(|(_, source)| source).collect();
}
