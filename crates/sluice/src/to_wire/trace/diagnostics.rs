//! What the stages reported.

use contract::trace::{Diagnostics, SelectedTool, SelectionDiagnostics, StageTiming};
use engine::Settled;
use policy::LaneFlags;
use trace::{Event, ProbeReport, Stage};

use super::{models, recovery};
use crate::reply::Asked;
use crate::to_wire::{clarification, count};

/// The reports of a settled run's stages.
pub(super) fn of(settled: &Settled, asked: &Asked) -> Diagnostics {
    let mut selection =
        SelectionDiagnostics { scout_enabled: Some(false), ..SelectionDiagnostics::default() };
    let mut clarified = None;
    let mut timing = StageTiming::default();
    for stamped in settled.events.iter() {
        match &stamped.event {
            Event::ToolsSelected { listings, .. } => {
                selection.selected_tools = listings.iter().map(selected_tool).collect();
                selection.candidate_method_count =
                    Some(count(listings.iter().map(|it| it.methods.len()).sum()));
            }
            Event::DepthDecided { lane, reason, flags, .. } => {
                lane_chosen(&mut selection, (lane, reason), flags);
            }
            Event::Probed(report) => probed(&mut selection, report),
            Event::Ruled(decision) => {
                clarified =
                    Some(clarification::diagnostics(decision, asked.is_pinned, models::judge(settled)));
            }
            Event::StageEnded { stage, duration_ms } => add_time(&mut timing, *stage, *duration_ms),
            Event::QueryStarted { .. }
            | Event::StageStarted { .. }
            | Event::GateInput(_)
            | Event::Judged(_)
            | Event::ModelAsked(_)
            | Event::ProgramWritten { .. }
            | Event::ProgramRejected { .. }
            | Event::CallStarted { .. }
            | Event::CallEnded { .. }
            | Event::ProgramEnded { .. }
            | Event::CompletenessEvaluated { .. }
            | Event::ContributorSearched { .. }
            | Event::Repaired(_)
            | Event::Rediscovered(_)
            | Event::AnswerSpoken { .. }
            | Event::DocumentsLooked(_)
            | Event::AnswerChecked(_)
            | Event::QueryEnded { .. } => {}
        }
    }
    account(&mut timing, settled.duration_ms);
    let completeness = recovery::completeness(settled);
    Diagnostics {
        selection: Some(selection),
        clarification: clarified,
        verification: Some(completeness.clone()),
        completeness: Some(completeness),
        rediscovery: recovery::rediscovery(settled),
        contributor_searches: recovery::contributor_searches(settled),
        cost: Some(models::cost(settled)),
        models: models::stages(settled),
        stage_timing: Some(timing),
        ..Diagnostics::default()
    }
}

fn lane_chosen(selection: &mut SelectionDiagnostics, (lane, reason): (&str, &str), flags: &LaneFlags) {
    let is_deep = lane == "deep";
    let deep_mode = is_deep.then(|| "deep".to_owned());
    let policy = if is_deep { "exploratory" } else { "one_shot" };
    let effort = if is_deep { "focused" } else { "mechanical" };
    selection.selected_depth = Some(lane.to_owned());
    selection.deep_mode.clone_from(&deep_mode);
    selection.selected_policy = Some(policy.to_owned());
    selection.preserve_fast_one_shot = Some(flags.preserve_fast_one_shot);
    selection.one_shot_bias = Some(flags.preserve_fast_one_shot);
    selection.planner_reasoning_stage = Some(effort.to_owned());
    selection.scout_initial_selected_depth = Some(lane.to_owned());
    selection.scout_initial_deep_mode = deep_mode;
    selection.scout_initial_selected_policy = Some(policy.to_owned());
    selection.scout_initial_planner_reasoning_stage = Some(effort.to_owned());
    selection.scout_initial_reason_code = Some(reason.to_owned());
    selection.scout_final_reason_code = Some(reason.to_owned());
    selection.scout_changed_initial_plan = Some(false);
    selection.scout_changed_planner_reasoning_stage = Some(false);
    selection.scout_llm_selection_used = Some(false);
    selection.scout_evidence_attached_to_planning = Some(is_deep);
    selection.scout_pre_plan_probe_calls = Some(0);
    selection.scout_probe_status = Some("skipped".to_owned());
}

fn probed(selection: &mut SelectionDiagnostics, report: &ProbeReport) {
    let is_adequate = report.adequacy == "adequate";
    selection.scout_probe_status = Some("ready".to_owned());
    selection.scout_probe_adequacy = Some(report.adequacy.to_owned());
    selection.scout_probe_confidence = Some(report.confidence);
    selection.scout_metadata_confidence = Some(report.confidence);
    selection.scout_probe_query_safe_candidate_count = Some(count(report.query_safe));
    selection.scout_probe_ranked_method_count = Some(count(report.ranked));
    selection.scout_probe_ambiguity_pool_count = Some(count(report.pooled));
    selection.scout_probe_shortlisted_method_count = Some(count(report.shortlisted));
    selection.scout_probe_missing_capability.clone_from(&report.missing_capability);
    if !is_adequate {
        selection.planner_reasoning_stage = Some("full".to_owned());
        selection.scout_changed_planner_reasoning_stage = Some(true);
    }
    if selection.scout_initial_reason_code.as_deref() != Some("explicit_override") {
        let found = if is_adequate { "probe_confirmed_adequacy" } else { "probe_detected_inadequacy" };
        selection.scout_final_reason_code = Some(found.to_owned());
    }
}

fn account(timing: &mut StageTiming, duration_ms: u64) {
    let stages = [
        timing.selection_ms,
        timing.scout_ms,
        timing.clarification_ms,
        timing.planning_ms,
        timing.execution_ms,
        timing.rediscovery_ms,
        timing.synthesis_ms,
    ];
    let accounted: u64 = stages.iter().flatten().sum();
    timing.accounted_ms = Some(accounted);
    timing.residual_ms = Some(duration_ms.saturating_sub(accounted));
}

fn add_time(timing: &mut StageTiming, stage: Stage, duration_ms: u64) {
    let slot = match stage {
        Stage::Selection => &mut timing.selection_ms,
        Stage::Probe => &mut timing.scout_ms,
        Stage::Judge => &mut timing.clarification_ms,
        Stage::Planning => &mut timing.planning_ms,
        Stage::Execution | Stage::Completeness => &mut timing.execution_ms,
        Stage::Rediscovery => &mut timing.rediscovery_ms,
        Stage::Synthesis => &mut timing.synthesis_ms,
    };
    *slot = Some(slot.unwrap_or(0) + duration_ms);
}

/// Methods of one listing that a trace names.
const METHODS_NAMED: usize = 12;

pub(super) fn selected_tool(listing: &trace::SelectedListing) -> SelectedTool {
    SelectedTool {
        tool_id: Some(listing.id.to_string()),
        tool_name: Some(listing.name.clone()),
        selected_method_count: Some(count(listing.methods.len())),
        selected_methods: listing.methods.iter().take(METHODS_NAMED).map(ToString::to_string).collect(),
        omitted_selected_method_count: Some(count(listing.methods.len().saturating_sub(METHODS_NAMED))),
        price_usd: Some(listing.price.to_string()),
    }
}
