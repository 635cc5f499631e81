//! How a question stands: which options are viable, which of them would make a difference, and what is unclear.
//!
//! The checks and the ruling look at the same standing, so that what the validator refuses is what the ruling would not do.

mod composite;
mod cost;

pub(crate) use cost::is_material;

use policy::Gate;
use probe::{Difference, Scope};

use crate::brief::{Asked, Brief, BriefOption};
use crate::decision::Signal;

/// How a question stands.
#[derive(Clone, Debug)]
pub struct Standing<'b> {
    /// The options that could be answered, best first: sure enough, and not outdone.
    pub viable: Vec<&'b BriefOption>,
    /// Those of them between which the question leaves the choice open, and the choice makes a difference; best first.
    pub alternatives: Vec<&'b BriefOption>,
    /// The same before those that account for more of the question's words than the others were preferred.
    pub by_any_words: Vec<&'b BriefOption>,
    /// Whether the question asks several things, each of which another option serves.
    pub is_complementary: bool,
    /// The one option that serves the whole of a question whose parts others serve.
    pub composite: Option<&'b BriefOption>,
    /// What is unclear, where something is.
    pub unclear: Option<Unclear>,
    /// What was seen on the way.
    pub signals: Vec<Signal>,
}

/// What is unclear about a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unclear {
    /// A value that only the caller can give.
    Value,
    /// Which of two arguments gets what the question names.
    Slot,
    /// Whether it is about one thing or about the whole.
    Scope,
    /// Which of several methods, that give different things.
    Contract,
    /// Which of several providers, that differ in price and speed.
    CostOrLatency,
}

impl<'b> Standing<'b> {
    /// How the question of a brief stands.
    #[must_use]
    pub fn of(brief: &'b Brief) -> Self {
        let viable = viable(brief);
        let mut standing = Self {
            alternatives: viable.clone(),
            by_any_words: Vec::new(),
            viable,
            is_complementary: false,
            composite: None,
            unclear: None,
            signals: Vec::new(),
        };
        standing.keep_named();
        standing.keep_targets(brief);
        standing.keep_composite(brief);
        standing.keep_material(&brief.policy);
        standing.by_any_words.clone_from(&standing.alternatives);
        standing.keep_covering();
        standing.unclear = standing.what_is_unclear(brief);
        standing
    }

    /// The option to take: the best of those that are left.
    #[must_use]
    pub fn recommended(&self) -> Option<&'b BriefOption> {
        self.alternatives.first().copied()
    }

    /// A question that writes the name of a method or a listing means it.
    fn keep_named(&mut self) {
        self.keep(Signal::ExactIdentifierSingleToolOverlap, |option| option.is_named);
    }

    /// A method for one named thing is not meant by a question that names nothing, where another one is at hand.
    fn keep_targets(&mut self, brief: &Brief) {
        let lacks_target = |option: &BriefOption| {
            let profile = &option.effect.profile;
            profile.scope == Scope::SingleTarget && profile.requires_named_entity && option.said.is_empty()
        };
        if !brief.names_target {
            self.keep(Signal::DeterministicNamedTargetResolutionRequired, |option| !lacks_target(option));
        }
    }

    /// Where one option accounts for more of what the question names than every other, it is the one that is meant.
    fn keep_covering(&mut self) {
        let most = self.alternatives.iter().map(|option| option.placed).max().unwrap_or(0);
        self.keep(Signal::DirectIntentDescriptionMatch, |option| option.placed == most);
    }

    fn keep_composite(&mut self, brief: &Brief) {
        if brief.asked == Asked::Whole && self.alternatives.iter().any(|option| is_whole(option)) {
            let before = self.alternatives.len();
            self.keep(Signal::DirectCompositeIntentMatch, |option| !is_part(option));
            if self.alternatives.len() < before {
                self.composite = self.alternatives.iter().copied().find(|option| is_whole(option));
            }
        }
        match composite::of(&self.alternatives, brief.policy.clause_share_min) {
            composite::Composition::Whole(option) => {
                self.composite = Some(option);
                self.alternatives = vec![option];
                self.signals.push(Signal::DirectCompositeIntentMatch);
            }
            composite::Composition::Parts => {
                self.is_complementary = true;
                self.alternatives.truncate(1);
                self.signals.extend([
                    Signal::ComposableMultiIntent,
                    Signal::IntentClausePartition,
                    Signal::MultiCandidateClauseOwnership,
                ]);
            }
            composite::Composition::Partial => self.signals.push(Signal::PartialClauseCoverage),
            composite::Composition::One => {}
        }
    }

    /// Of options that would do the same, the best is enough; of providers that differ in cost alone, the better one.
    fn keep_material(&mut self, policy: &Gate) {
        let mut kept: Vec<&'b BriefOption> = Vec::new();
        for option in &self.alternatives {
            match kept.iter().position(|known| !cost::is_material(known, option, policy)) {
                None => kept.push(option),
                Some(at) if cost::is_better(option, kept[at]) => kept[at] = option,
                Some(_) => {}
            }
        }
        if kept.len() < self.alternatives.len() {
            self.signals.push(Signal::NonMaterialViableOptions);
        }
        self.alternatives = kept;
    }

    /// Keeps some of the alternatives, and says why, where that leaves any and takes any away.
    fn keep(&mut self, signal: Signal, is_kept: impl Fn(&BriefOption) -> bool) {
        let kept: Vec<&BriefOption> =
            self.alternatives.iter().copied().filter(|option| is_kept(option)).collect();
        if !kept.is_empty() && kept.len() < self.alternatives.len() {
            self.alternatives = kept;
            self.signals.push(signal);
        }
    }

    fn what_is_unclear(&self, brief: &Brief) -> Option<Unclear> {
        let (best, others) = self.alternatives.split_first()?;
        between(brief, best, others).or_else(|| best.asks_for(&brief.policy).map(|_| Unclear::Value))
    }
}

/// What is unclear between the best option and the next one. A caller who wants to choose is told first of cost and speed.
pub(crate) fn between(brief: &Brief, best: &BriefOption, others: &[&BriefOption]) -> Option<Unclear> {
    let other = others.first()?;
    if brief.wants_choice && cost::differs(best, other) {
        return Some(Unclear::CostOrLatency);
    }
    Some(match best.effect.difference(&other.effect)? {
        Difference::Slot => Unclear::Slot,
        Difference::EntityLevel => Unclear::Scope,
        Difference::Method => Unclear::Contract,
        Difference::CostOrLatency => Unclear::CostOrLatency,
    })
}

/// The options that are sure enough and not outdone, best first. Between a method for one thing and one for the whole of
/// the same listing more points are needed to outdo.
fn viable(brief: &Brief) -> Vec<&BriefOption> {
    let policy = &brief.policy;
    let grounded = || brief.options.iter().filter(|option| option.grounding >= policy.grounding_min);
    let Some(best) = grounded().next() else { return Vec::new() };
    let is_near = |option: &BriefOption| {
        let gap = best.points - option.points;
        let is_scope_open =
            brief.asked == Asked::Open && brief.names_target && is_one_or_whole(best, option, policy);
        gap < policy.dominance_points || (is_scope_open && gap < policy.scope_points)
    };
    if brief.wants_choice {
        let is_choice = |option: &&BriefOption| option.grounding >= policy.near_min;
        return brief.options.iter().filter(is_choice).take(policy.options_max).collect();
    }
    grounded().filter(|option| is_near(option)).collect()
}

/// Whether one of two options of a listing looks at one part and the other at the whole that it is part of.
pub(crate) fn is_one_or_whole(one: &BriefOption, other: &BriefOption, policy: &Gate) -> bool {
    let is_sure = |option: &BriefOption| option.effect.profile.confidence >= policy.profile_confidence_min;
    let is_pair = |part: &BriefOption, whole: &BriefOption| {
        is_part(part)
            && is_whole(whole)
            && part.effect.profile.granularity != whole.effect.profile.granularity
    };
    one.effect.method.listing == other.effect.method.listing
        && is_sure(one)
        && is_sure(other)
        && (is_pair(one, other) || is_pair(other, one))
}

/// Whether an option is for one part of what another one is for as a whole, and which part stays open.
pub(crate) fn leaves_part_open(brief: &Brief, option: &BriefOption) -> bool {
    let is_pair = |other: &BriefOption| is_one_or_whole(option, other, &brief.policy);
    brief.asked == Asked::Open
        && is_part(option)
        && !option.open.is_empty()
        && brief.options.iter().any(is_pair)
}

fn is_part(option: &BriefOption) -> bool {
    let profile = &option.effect.profile;
    profile.scope == Scope::SingleTarget && profile.requires_named_entity
}

fn is_whole(option: &BriefOption) -> bool {
    option.effect.profile.scope != Scope::SingleTarget
}

#[cfg(test)]
mod tests;
