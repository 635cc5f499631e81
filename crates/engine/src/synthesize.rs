//! Synthesis: the written answer, from the evidence and nothing else.

use llm::Model;
use tokio::time::timeout_at;

use crate::assess::Assessed;
use crate::failure::Failure;
use crate::outcome::Answer;
use crate::run::Run;

/// Writes the answer; by rules where a model takes more than `model_time_share_max` of the time that is left.
pub(crate) async fn answer(
    assessed: Box<Assessed>,
    run: &Run,
    model_time_share_max: f64,
    model: &dyn Model,
) -> Result<Answer, Failure> {
    let brief = assessed.brief();
    let until = run.answer_until(model_time_share_max);
    let text = match timeout_at(until, model.synthesize(&brief)).await {
        Ok(text) => text,
        Err(_) => model.synthesize_by_rules(&brief).await.ok_or(Failure::DeadlinePassed)?,
    };
    Ok(assessed.into_answer(text))
}
