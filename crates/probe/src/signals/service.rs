//! How surely methods do what is asked, request by request.

use super::{Held, share};
use crate::numbers::count;
use crate::subject::{Request, Subject};

/// What a place that only takes or gives a thing counts beside one that is about it.
const TAKEN: f64 = 0.7;
/// How surely a method does what its kind of deed is.
const KIND: f64 = 0.7;
/// What a deed that the method does not name leaves of what it is done to.
const UNNAMED: f64 = 0.5;

/// The signals of every method: what it does of what is asked, and what any does.
pub(super) fn signals(held: &[Held], subject: &Subject) -> Vec<[(&'static str, f64); 5]> {
    let requests = &subject.requests;
    let unless_none = |value: f64| if requests.is_empty() { 0.5 } else { value };
    let served = |held: &Held| requests.iter().map(|request| held.serves(subject, request)).collect();
    let each: Vec<Vec<f64>> = held.iter().map(served).collect();
    let best = |request: usize| each.iter().map(|served| served[request]).fold(0.0, f64::max);
    let all: Vec<f64> = (0..requests.len()).map(best).collect();
    let all_served = unless_none(share(all.iter().copied()));
    let least_served = unless_none(all.iter().copied().fold(1.0, f64::min));
    let of_one = |served: &Vec<f64>| {
        [
            ("serves", unless_none(share(served.iter().copied()))),
            ("serves_best", unless_none(served.iter().copied().fold(0.0, f64::max))),
            ("all_served", all_served),
            ("least_served", least_served),
            ("requests", count(requests.len()).ln_1p()),
        ]
    };
    each.iter().map(of_one).collect()
}

impl Held {
    fn serves(&self, subject: &Subject, request: &Request) -> f64 {
        let does = request.verb.map(|verb| {
            let does = self.degrees[verb].own();
            let is_kind = subject.words[verb].action.is_some_and(|action| self.actions.contains(&action));
            if is_kind { does.max(KIND) } else { does }
        });
        let (mut known, mut all) = (0.0, 0.0);
        for (object, heft) in &request.objects {
            let degrees = self.degrees[*object];
            let weight = heft * subject.words[*object].weight;
            known += weight * degrees.own().max(TAKEN * degrees.arguments).max(TAKEN * degrees.results);
            all += weight;
        }
        let named = does.map_or(1.0, |does| UNNAMED + (1.0 - UNNAMED) * does);
        match does {
            Some(_) if all == 0.0 => named,
            _ if all == 0.0 => 0.0,
            _ => named * known / all,
        }
    }
}
