//! Synthesis: the written answer, from the evidence and nothing else.

use llm::Model;

use crate::assess::Assessed;
use crate::outcome::Answer;

/// Writes the answer.
pub(crate) async fn answer(assessed: Box<Assessed>, model: &dyn Model) -> Answer {
    let text = model.synthesize(&assessed.brief()).await;
    assessed.into_answer(text)
}
