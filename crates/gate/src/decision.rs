//! The report of a ruling: what was decided, why, and on what.

use domain::{ClarificationPolicy, LatencyClass, Usd};
use policy::RolloutStage;
use probe::{Evidence, Profile};
use reading::bind::Argument;

use crate::cleared::Assumption;
use crate::opinion::{OptionId, Verdict};
use crate::token::TokenFault;

/// What was decided on a probed query, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// How far the gate is rolled out.
    pub rollout: RolloutStage,
    /// What the caller wants done with an ambiguous question.
    pub policy: ClarificationPolicy,
    /// What was decided, before that policy was applied.
    pub verdict: Verdict,
    /// Why.
    pub reason: ReasonCode,
    /// What spoke for it.
    pub signals: Vec<Signal>,
    /// Methods that were safe for queries.
    pub candidate_count: usize,
    /// Readings that could have been answered.
    pub viable: Vec<OptionId>,
    /// The options that it offers.
    pub options: Vec<OptionId>,
    /// The option that it would take.
    pub recommended: Option<OptionId>,
    /// Why that one.
    pub recommended_reason: Option<String>,
    /// Whether the question asks several things that other options serve: the planner is free to take them together.
    pub is_composite: bool,
    /// What was taken for granted in the place of asking.
    pub assumption: Option<Assumption>,
    /// What is missing, where something is.
    pub missing_capability: Option<String>,
    /// Who decided.
    pub strategy: Strategy,
    /// What the judge said, and whether it was taken.
    pub judge: JudgeReport,
    /// The check that the judge's opinion did not pass.
    pub validator_reason: Option<String>,
    /// What was done instead.
    pub fallback_reason: Option<String>,
    /// Why the option that the caller picked was not taken, where one was picked.
    pub choice_fault: Option<TokenFault>,
    /// The best candidates, best first.
    pub summaries: Vec<CandidateSummary>,
}

impl Decision {
    /// Whether it decided for something other than an answer.
    #[must_use]
    pub fn is_triggered(&self) -> bool {
        self.verdict != Verdict::Answer
    }
}

/// Why the gate decided as it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReasonCode {
    /// The gate is off.
    RolloutDisabled,
    /// Nothing at hand has to do with the question.
    NoGroundedCandidates,
    /// One interpretation is left.
    SingleGroundedInterpretation,
    /// A value that must be there is missing.
    RequiredDiscriminatorAmbiguity,
    /// Methods with different contracts would serve.
    ContractScopeAmbiguity,
    /// Providers of the same thing differ in price or speed.
    CostOrLatencyAmbiguity,
    /// It could be about one thing or about the whole.
    SemanticScopeAmbiguity,
    /// What is asked for cannot be done here.
    CapabilityMiss,
}

impl ReasonCode {
    /// The word of the wire.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::RolloutDisabled => "rollout_disabled",
            Self::NoGroundedCandidates => "no_grounded_candidates",
            Self::SingleGroundedInterpretation => "single_grounded_interpretation",
            Self::RequiredDiscriminatorAmbiguity => "required_discriminator_ambiguity",
            Self::ContractScopeAmbiguity => "contract_scope_ambiguity",
            Self::CostOrLatencyAmbiguity => "cost_or_latency_ambiguity",
            Self::SemanticScopeAmbiguity => "semantic_scope_ambiguity",
            Self::CapabilityMiss => "capability_miss",
        }
    }
}

/// Something that spoke for a decision.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Signal {
    /// A hosted judge was heard.
    LlmJudge,
    /// The judge was not heard.
    ValidatorFallback,
    /// A required value is missing.
    RequiredDiscriminator,
    /// Methods differ in what they cover.
    ContractScope,
    /// Providers differ in price or speed.
    CostOrLatency,
    /// One thing, or the whole.
    SemanticScope,
    /// Several readings are viable, and it makes no difference which is taken.
    NonMaterialViableOptions,
    /// Rules alone found that the options differ.
    FallbackMaterialDistinction,
    /// One option serves the whole of what is asked.
    DirectCompositeIntentMatch,
    /// One option accounts for more of what is named than every other.
    DirectIntentDescriptionMatch,
    /// The question writes the name of one option's method or listing.
    ExactIdentifierSingleToolOverlap,
    /// The question names nothing that a method for one named thing could look at.
    DeterministicNamedTargetResolutionRequired,
    /// Some of what is asked is served by none of the options.
    PartialClauseCoverage,
    /// The question asks several things that can be answered together.
    ComposableMultiIntent,
    /// Its clauses are served apart.
    IntentClausePartition,
    /// Each clause has an option of its own.
    MultiCandidateClauseOwnership,
    /// A judge saw nothing that fits, and a method surely does.
    CapabilityMissRescued,
    /// The caller picked the option.
    CallerChoice,
    /// No method serves the venue of this name.
    UnsupportedVenue(String),
}

impl Signal {
    /// The word of the wire; some with a value after a colon.
    #[must_use]
    pub fn word(&self) -> String {
        let word = match self {
            Self::LlmJudge => "llm_judge",
            Self::ValidatorFallback => "validator_fallback",
            Self::RequiredDiscriminator => "required_discriminator",
            Self::ContractScope => "contract_scope",
            Self::CostOrLatency => "cost_or_latency",
            Self::SemanticScope => "semantic_scope",
            Self::NonMaterialViableOptions => "non_material_viable_options",
            Self::FallbackMaterialDistinction => "fallback_material_distinction",
            Self::DirectCompositeIntentMatch => "direct_composite_intent_match",
            Self::DirectIntentDescriptionMatch => "direct_intent_description_match",
            Self::ExactIdentifierSingleToolOverlap => "exact_identifier_single_tool_overlap",
            Self::DeterministicNamedTargetResolutionRequired => {
                "deterministic_named_target_resolution_required"
            }
            Self::PartialClauseCoverage => "partial_clause_coverage",
            Self::ComposableMultiIntent => "composable_multi_intent",
            Self::IntentClausePartition => "intent_clause_partition",
            Self::MultiCandidateClauseOwnership => "multi_candidate_clause_ownership",
            Self::CapabilityMissRescued => "capability_miss_rescued",
            Self::CallerChoice => "caller_choice",
            Self::UnsupportedVenue(name) => return format!("unsupported_venue:{name}"),
        };
        word.to_owned()
    }
}

/// Who decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// Rules.
    Deterministic,
    /// A hosted judge, within the rules.
    LlmPrimary,
}

/// What the judge said, and whether it was taken.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JudgeReport {
    /// Whether a judge was asked.
    pub is_attempted: bool,
    /// Whether its word was taken.
    pub is_applied: bool,
    /// What it said.
    pub verdict: Option<Verdict>,
    /// How sure it was, from 0 to 1.
    pub confidence: Option<f64>,
    /// Why it said so.
    pub reason: Option<String>,
    /// Why its word was not taken.
    pub error: Option<String>,
}

/// One candidate of the gate.
#[derive(Clone, Debug, PartialEq)]
pub struct CandidateSummary {
    /// Its option.
    pub option: OptionId,
    /// How well it fits, in points from 0 to 100.
    pub points: f64,
    /// The arguments that must be there.
    pub required: Vec<String>,
    /// Those that the question does not give.
    pub unresolved: Vec<String>,
    /// Those that it does.
    pub given: Vec<String>,
    /// All arguments.
    pub inputs: Vec<String>,
    /// What it gives: the keys of its result.
    pub outputs: Vec<String>,
    /// How fast it says it is.
    pub latency: LatencyClass,
    /// What a call costs, where it has a price.
    pub price: Option<Usd>,
    /// What it covers.
    pub profile: Profile,
}

impl CandidateSummary {
    pub(crate) fn of(evidence: &Evidence) -> Self {
        let names = |is_wanted: fn(&Argument) -> bool| {
            let wanted = evidence.binding.arguments.iter().filter(|argument| is_wanted(argument));
            wanted.map(|argument| argument.name.clone()).collect()
        };
        Self {
            option: OptionId::of(&evidence.candidate.method_ref()),
            points: evidence.points(),
            required: names(|argument| argument.is_required),
            unresolved: evidence.open.iter().map(|open| open.name.clone()).collect(),
            given: names(Argument::is_said),
            inputs: names(|_| true),
            outputs: evidence.known.outline.leaves.iter().map(|leaf| leaf.key.clone()).collect(),
            latency: evidence.effect.latency,
            price: evidence.effect.price,
            profile: evidence.effect.profile,
        }
    }
}
