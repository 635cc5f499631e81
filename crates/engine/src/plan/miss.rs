//! Honest misses of the planner: what may not be called, what the question leaves out, what nothing fits.

use domain::{LeftOut, Selected};
use gate::Miss;
use llm::MissingArgument;

/// The method that the question asks for but that may not be called: by its verb, or because it fits far better than any
/// that may be.
pub(super) fn dominant_left_out(selected: &Selected, dominance: f64) -> Option<&LeftOut> {
    let best = selected.candidates.first().map_or(0.0, |candidate| candidate.score);
    selected.left_out.iter().find(|left_out| left_out.is_asked_for || left_out.score > best * dominance)
}

/// What the question asks for may not be done: said, and not answered with something else.
pub(super) fn not_allowed(left_out: &LeftOut, selected: &Selected) -> Miss {
    let sentence = format!("`{}` was left out: {}.", left_out.method.method, left_out.why);
    let message = format!("The method that fits this question may not be called to answer it. {sentence}");
    let missing = vec!["No grounded capability path was established.".to_owned(), sentence];
    Miss::new(message, missing, &selected.query.text)
}

/// Nothing can fill a required argument: said, not guessed.
pub(super) fn missing_arguments(arguments: &[MissingArgument], selected: &Selected) -> Miss {
    let sentences: Vec<String> = arguments
        .iter()
        .map(|it| format!("`{}` needs `{}`, but {}.", it.method.method, it.argument, it.why))
        .collect();
    let message =
        format!("The question leaves out something that is needed to answer it. {}", sentences.join(" "));
    Miss::new(message, sentences, &selected.query.text)
}

pub(super) fn no_match(reason: &str, selected: &Selected) -> Miss {
    let mut missing = vec!["No grounded capability path was established.".to_owned()];
    missing.extend(
        selected.left_out.iter().map(|it| format!("`{}` was left out: {}.", it.method.method, it.why)),
    );
    Miss::new(format!("No tool at hand can answer this question: {reason}"), missing, &selected.query.text)
}
