//! What was asked for and is not on the tape, beside the nearest thing that is.

use domain::Call;
use llm::ModelRequest;
use serde_json::Value;

use super::{RecordedCall, RecordedExchange};

/// A call in words.
pub(super) fn told(call: &Call) -> String {
    let arguments = serde_json::to_string(&call.arguments).unwrap_or_default();
    format!("`{}` at {} with {arguments}", call.method, call.position)
}

pub(super) fn unmatched_call(call: &Call, recorded: &[RecordedCall]) -> String {
    let nearest = recorded.iter().map(|it| &it.call).max_by_key(|other| nearness(call, other));
    let nearest = nearest.map_or_else(|| "there is none".to_owned(), told);
    format!("a call is not in the recording: {}\n  the nearest recorded one: {nearest}", told(call))
}

/// The same method first, then the same place, then as many of the same arguments as there are.
fn nearness(call: &Call, other: &Call) -> (bool, bool, bool, usize) {
    let alike =
        call.arguments.iter().filter(|(name, value)| other.arguments.get(*name) == Some(value)).count();
    let is_listing = call.method.listing == other.method.listing;
    (call.method == other.method, is_listing, call.position == other.position, alike)
}

pub(super) fn unmatched_exchange(request: &ModelRequest<'_>, recorded: &[RecordedExchange]) -> String {
    let nearness = |other: &&RecordedExchange| {
        (other.stage == request.stage.word(), other.model == request.model, alike(&request.body, &other.body))
    };
    let head =
        format!("a request to `{}` for the stage {} is not in the recording", request.model, request.stage);
    match recorded.iter().max_by_key(nearness) {
        None => format!("{head}: there is none"),
        Some(other) => {
            let parting = parting(&request.body.to_string(), &other.body.to_string());
            format!("{head}\n  the nearest recorded one: to `{}` for {}, {parting}", other.model, other.stage)
        }
    }
}

/// Bytes that two bodies begin with alike.
fn alike(one: &Value, other: &Value) -> usize {
    common(&one.to_string(), &other.to_string())
}

fn common(one: &str, other: &str) -> usize {
    one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count()
}

/// Where two texts part, with a little of each.
fn parting(one: &str, other: &str) -> String {
    let at = common(one, other);
    let piece = |text: &str| {
        let begin = (0..=at.min(text.len())).rev().find(|place| text.is_char_boundary(*place)).unwrap_or(0);
        text[begin..].chars().take(SHOWN_CHARS).collect::<String>()
    };
    format!("which parts at byte {at}: {:?} is asked, {:?} was", piece(one), piece(other))
}

const SHOWN_CHARS: usize = 60;
