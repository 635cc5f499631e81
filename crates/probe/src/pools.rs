//! The two pools of the deep lane, apart.

mod slots;

use std::sync::Arc;

use domain::{Candidate, MethodRef, Selected};
use policy::Pools;
use reading::Question;

use crate::effect::{Difference, Effect};
use crate::evidence::Evidence;

/// The methods that a plan may answer by, best first.
#[derive(Debug)]
pub struct ExecutionShortlist(Vec<Candidate>);

/// The readings of the question, chosen for difference in effect; the surest first.
#[derive(Debug)]
pub struct AmbiguityPool(Vec<Interpretation>);

/// One reading of the question.
#[derive(Clone, Debug)]
pub struct Interpretation {
    /// The evidence for the method that it would call, with the arguments, the open ones and the effect of this reading.
    pub evidence: Evidence,
    /// The argument that gets what the question names, where this reading gives it to another one than the likeliest.
    pub slot: Option<String>,
}

impl ExecutionShortlist {
    /// The likeliest method of each thing that is asked, then the best for the whole.
    pub(crate) fn of(likeliest: Vec<Candidate>, for_the_whole: Vec<Candidate>, pools: &Pools) -> Self {
        let mut shortlist = Self(Vec::new());
        for candidate in likeliest.into_iter().chain(for_the_whole) {
            if shortlist.0.len() < pools.shortlist_max && !shortlist.has(&candidate.method_ref()) {
                shortlist.0.push(candidate);
            }
        }
        shortlist
    }

    /// What of a selection goes on to planning: these methods and the one that the ruling settled on. What else their listings
    /// have is there to look things up.
    pub(crate) fn narrow(&self, mut selected: Selected, chosen: Option<&MethodRef>) -> Selected {
        let is_in = |candidate: &Candidate| {
            let method = candidate.method_ref();
            self.has(&method) || chosen == Some(&method)
        };
        let (candidates, others): (Vec<_>, Vec<_>) = selected.candidates.into_iter().partition(is_in);
        let is_of_theirs =
            |helper: &Candidate| candidates.iter().any(|it| it.listing.id == helper.listing.id);
        selected.helpers.splice(0..0, others);
        selected.helpers.retain(is_of_theirs);
        Selected { candidates, ..selected }
    }

    fn has(&self, method: &MethodRef) -> bool {
        self.0.iter().any(|candidate| candidate.method_ref() == *method)
    }

    /// The methods, best first.
    #[must_use]
    pub fn candidates(&self) -> &[Candidate] {
        &self.0
    }
}

impl AmbiguityPool {
    /// Gathers the pool from everything that was ranked, not from the shortlist. The best by other measures than the
    /// ranking's own have seats of their own, so that a ranking that erred cannot keep the right method out. A method through
    /// which the first one is reached is a step on its way, and no other reading.
    pub(crate) fn of(ranked: &[Evidence], question: &Question, pools: &Pools) -> Self {
        let mut pool =
            Gathering { taken: Vec::new(), seats: pools.ambiguity_max, providers_max: pools.providers_max };
        let means = ranked.first().map_or(&[][..], |first| &first.means);
        let is_step = |evidence: &Evidence| means.iter().any(|it| *it == evidence.candidate.method_ref());
        for evidence in ranked.iter().take(1).chain(champions(ranked)).chain(ranked) {
            if pool.is_full() {
                break;
            }
            if !is_step(evidence) {
                pool.add(evidence);
            }
        }
        let mut readings: Vec<Interpretation> = pool
            .taken
            .into_iter()
            .map(|evidence| Interpretation { evidence: evidence.clone(), slot: None })
            .collect();
        readings.sort_by(|one, other| other.evidence.grounding.total_cmp(&one.evidence.grounding));
        Self(with_slots(readings, question, pools.ambiguity_max))
    }

    /// The readings, the surest first.
    #[must_use]
    pub fn interpretations(&self) -> &[Interpretation] {
        &self.0
    }
}

/// The pool as it fills.
struct Gathering<'e> {
    taken: Vec<&'e Evidence>,
    seats: usize,
    providers_max: usize,
}

impl<'e> Gathering<'e> {
    fn is_full(&self) -> bool {
        self.taken.len() >= self.seats
    }

    /// Takes what differs in effect from all that it holds. Of providers of one thing a few are enough to ask about.
    fn add(&mut self, evidence: &'e Evidence) {
        let differences = self.taken.iter().map(|known| known.effect.difference(&evidence.effect));
        let mut copies = 0;
        for difference in differences {
            match difference {
                None => return,
                Some(Difference::CostOrLatency) => copies += 1,
                Some(Difference::Method | Difference::EntityLevel | Difference::Slot) => {}
            }
        }
        if copies < self.providers_max && !self.is_full() {
            self.taken.push(evidence);
        }
    }
}

/// The best by each single aspect of the fit; the earlier among equals.
fn champions(ranked: &[Evidence]) -> impl Iterator<Item = &Evidence> {
    let aspects: [fn(&Evidence) -> f64; 4] = [
        |evidence| evidence.fit.retrieved,
        |evidence| evidence.fit.coverage,
        |evidence| evidence.fit.name,
        |evidence| evidence.fit.score(),
    ];
    aspects.into_iter().filter_map(|aspect| {
        ranked.iter().reduce(|best, evidence| if aspect(evidence) > aspect(best) { evidence } else { best })
    })
}

/// The readings, each followed by its other reading, where what the question names could fill another argument, too.
fn with_slots(readings: Vec<Interpretation>, question: &Question, most: usize) -> Vec<Interpretation> {
    let mut pool: Vec<Interpretation> = Vec::with_capacity(most);
    for reading in readings {
        let other = slots::other(question, &reading.evidence);
        pool.push(reading);
        if let Some((slot, binding)) = other
            && let Some(first) = pool.last()
        {
            let mut evidence = first.evidence.clone();
            evidence.open = slots::open(&first.evidence, &binding);
            evidence.effect = Effect::with(&first.evidence.effect, &binding);
            evidence.binding = Arc::new(binding);
            pool.push(Interpretation { evidence, slot: Some(slot) });
        }
    }
    pool.truncate(most);
    pool
}
