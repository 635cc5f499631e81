//! Progress: the events of a run that a stream tells of.

use contract::events::{Event as WireEvent, ToolLabel, ToolPhase};
use trace::{Event, Stage, Stamped};

/// What a stream says of an event; most are not said.
pub(crate) fn progress(stamped: &Stamped) -> Option<WireEvent> {
    match &stamped.event {
        Event::StageStarted { stage: Stage::Selection } => Some(WireEvent::phase(ToolPhase::Discovering)),
        Event::ToolsSelected { .. } => Some(WireEvent::phase(ToolPhase::Discovered)),
        Event::StageStarted { stage: Stage::Planning } => Some(WireEvent::phase(ToolPhase::Planning)),
        Event::StageStarted { stage: Stage::Synthesis } => Some(WireEvent::phase(ToolPhase::Synthesizing)),
        Event::CallStarted { method, listing_name, .. } => {
            Some(WireEvent::ToolStatus { tool: label(method, listing_name), status: ToolPhase::Executing })
        }
        // What has left cannot be called back: the answer begins anew below it.
        Event::AnswerSpoken { text, begins_anew: true, .. } => {
            Some(WireEvent::TextDelta { delta: format!("\n\n{text}") })
        }
        Event::AnswerSpoken { text, .. } => Some(WireEvent::TextDelta { delta: text.clone() }),
        Event::CallEnded { method, listing_name, .. } => {
            Some(WireEvent::ToolStatus { tool: label(method, listing_name), status: ToolPhase::ToolComplete })
        }
        Event::QueryStarted { .. }
        | Event::StageStarted {
            stage: Stage::Probe | Stage::Judge | Stage::Execution | Stage::Completeness | Stage::Rediscovery,
        }
        | Event::StageEnded { .. }
        | Event::DepthDecided { .. }
        | Event::Probed(_)
        | Event::GateInput(_)
        | Event::Judged(_)
        | Event::ModelAsked(_)
        | Event::Ruled(_)
        | Event::ProgramWritten { .. }
        | Event::ProgramRejected { .. }
        | Event::ProgramEnded { .. }
        | Event::CompletenessEvaluated { .. }
        | Event::ContributorSearched { .. }
        | Event::Repaired(_)
        | Event::Rediscovered(_)
        | Event::DocumentsLooked(_)
        | Event::AnswerChecked(_)
        | Event::QueryEnded { .. } => None,
    }
}

fn label(method: &domain::MethodRef, listing_name: &str) -> ToolLabel {
    ToolLabel { id: method.listing.to_string(), name: listing_name.to_owned() }
}
