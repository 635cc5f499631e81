//! The probe of a deep query: what its methods' metadata says about the question, before anything is called.

use std::ops::Range;

use domain::{Asked, LeftOut, MethodRef, Selected};
use fit::{Knowledge, Offer};
use lane::Deep;
use policy::Policy;
use reading::Question;

use crate::evidence::Evidence;
use crate::found::{Asking, Found};
use crate::lexicon::Lexicon;
use crate::parts::{self, Parts};
use crate::pools::{AmbiguityPool, ExecutionShortlist};

/// A deep query with its metadata evidence. Consumed by the ruling.
#[derive(Debug)]
pub struct Probed {
    deep: Deep,
    found: Found,
    shortlist: ExecutionShortlist,
    pool: AmbiguityPool,
    adequacy: Adequacy,
    asked: Vec<Asked>,
}

/// Whether the evidence is enough to plan on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adequacy {
    /// A method is surely grounded.
    Adequate,
    /// None is.
    Limited,
}

impl Adequacy {
    /// The word of traces.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Adequate => "adequate",
            Self::Limited => "limited",
        }
    }
}

/// Probes a deep query: holds every candidate against the question, and gathers the two pools. Of a question that asks several
/// things the evidence may be that of one of them.
#[must_use]
pub fn metadata(deep: Deep, lexicon: &Lexicon, knowledge: &Knowledge, policy: &Policy) -> Probed {
    let selected = deep.selected();
    let offer = Offer {
        candidates: &selected.candidates,
        helpers: &selected.helpers,
        fan_out_max: policy.recovery.fan_out_max,
        calls_max: policy.budgets.calls_max,
        avoid: &[],
        stand_in_share_min: policy.recovery.alternative_share_min,
        before: &selected.query.history,
    };
    let query = &selected.query;
    let asking = Asking {
        offer,
        things: &selected.things,
        knowledge,
        asked_at: selected.asked_at,
        tools: &query.tools,
        lexicon,
        policy,
    };
    let whole = asking.found(&query.text, &query.history);
    let pools = &policy.probe.pools;
    let for_the_whole = whole.ranked.iter().take(pools.shortlist_max);
    let for_the_whole = for_the_whole.map(|evidence| evidence.candidate.clone()).collect();
    let Parts { found, likeliest, asked } = parts::of(asking, whole, &query.history);
    let shortlist = ExecutionShortlist::of(likeliest, for_the_whole, pools);
    let pool = AmbiguityPool::of(&found.ranked, &found.question, pools);
    let adequacy =
        if found.grounding() >= pools.adequate_min { Adequacy::Adequate } else { Adequacy::Limited };
    Probed { deep, found, shortlist, pool, adequacy, asked }
}

impl Probed {
    /// The query.
    #[must_use]
    pub fn deep(&self) -> &Deep {
        &self.deep
    }

    /// The question, read; of several things that are asked, the one that the evidence is about.
    #[must_use]
    pub fn question(&self) -> &Question {
        &self.found.question
    }

    /// The evidence for every method that may be called, the surest first.
    #[must_use]
    pub fn ranked(&self) -> &[Evidence] {
        &self.found.ranked
    }

    /// What may be executed.
    #[must_use]
    pub fn shortlist(&self) -> &ExecutionShortlist {
        &self.shortlist
    }

    /// What may be asked about.
    #[must_use]
    pub fn pool(&self) -> &AmbiguityPool {
        &self.pool
    }

    /// Whether the evidence is enough to plan on.
    #[must_use]
    pub fn adequacy(&self) -> Adequacy {
        self.adequacy
    }

    /// How sure the probe is of its best method, from 0 to 1.
    #[must_use]
    pub fn confidence(&self) -> f64 {
        self.found.grounding()
    }

    /// The method that the question asks for by its verb but that may not be called, where there is one.
    #[must_use]
    pub fn missing_capability(&self) -> Option<&LeftOut> {
        self.deep.selected().left_out.iter().find(|left_out| left_out.is_asked_for)
    }

    /// Where the question says words that mean nothing to any method, in bytes.
    #[must_use]
    pub fn unknown(&self) -> &[Range<usize>] {
        &self.found.unknown
    }

    /// The things that are asked, where those are several and each was held against the methods by itself.
    #[must_use]
    pub fn asked(&self) -> &[Asked] {
        &self.asked
    }

    /// How the question is built.
    #[must_use]
    pub fn shape(&self) -> &[(&'static str, f64)] {
        &self.found.shape
    }

    /// The query with what may be executed for it, the method among it that the ruling settled on, and the several things that it asks.
    #[must_use]
    pub fn into_executable(self, chosen: Option<&MethodRef>) -> (Selected, Vec<Asked>) {
        (self.shortlist.narrow(self.deep.into_selected(), chosen), self.asked)
    }
}
