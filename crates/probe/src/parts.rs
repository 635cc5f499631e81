//! Several things that one question asks: which of them the gate rules on, and which no method serves.

use std::ops::Range;

use domain::{Asked, Candidate, Served, Speaker, Turn};
use policy::Policy;
use reading::bind::Argument;

use crate::evidence::Evidence;
use crate::found::{Asking, Found};

/// What a question comes to that may ask several things.
pub(crate) struct Parts {
    /// The evidence that the gate rules on: of the whole, or of one of them.
    pub(crate) found: Found,
    /// The likeliest method of each of them.
    pub(crate) likeliest: Vec<Candidate>,
    /// What they are, where there are several.
    pub(crate) asked: Vec<Asked>,
}

/// Holds each of the things that a question asks against the methods, unless one only goes on with another. The gate rules on the
/// first that lacks a value; where the whole has no method, or some of them have none, on one that has; else on the whole.
pub(crate) fn of(asking: Asking<'_>, whole: Found, history: &[Turn]) -> Parts {
    let policy = asking.policy;
    let parts_max = policy.probe.pools.parts_max;
    let clauses = reading::clauses(&whole.question.text);
    let alone = match clauses.len() {
        ..2 => apart(asking, &whole, history, parts_max),
        few if few <= parts_max => clauses.iter().map(|clause| asking.found(clause, history)).collect(),
        _ => Vec::new(),
    };
    let as_one = |found| Parts { found, likeliest: Vec::new(), asked: Vec::new() };
    if alone.is_empty() {
        return as_one(whole);
    }
    if alone.iter().skip(1).any(|found| reading::goes_on(&found.question)) {
        return as_one(pointing_in_vain(alone, policy).unwrap_or(whole));
    }
    let mut parted = Parted { whole, parts: read(asking, alone, history), policy };
    let (likeliest, unserved) = (parted.likeliest(), parted.unserved());
    let ruled_on = parted.ruled_on(unserved.is_empty());
    let is_any_served = ruled_on.is_some() || parted.serves(&parted.whole);
    let asked = parted.asked(if is_any_served { &unserved } else { &[] });
    let found = ruled_on.map(|place| parted.parts.swap_remove(place).alone);
    Parts { found: found.unwrap_or(parted.whole), likeliest, asked }
}

/// What is found of each of the things that a question asks, where the method that serves it has to do with one of them alone, and
/// another one serves the other: "the humidity in Oslo. Also, pound to dollar"; or where none serves it, and two listings serve one
/// each. Nothing where it is not so, and no more than `most`, of which the last has what is left.
fn apart(asking: Asking<'_>, whole: &Found, history: &[Turn], most: usize) -> Vec<Found> {
    let text = &whole.question.text;
    let best = whole.best().filter(|_| whole.answers(asking.policy));
    let has_to_do_with_all = |best: &Evidence| best.knows_all(&whole.question) && !best.binding.searches();
    if most < 2 || best.is_some_and(has_to_do_with_all) {
        return Vec::new();
    }
    let cuts = reading::cuts(text).into_iter().take(asking.policy.probe.pools.cuts_max);
    let told = cuts.filter_map(|sides| Cut::of(asking, (text, best), sides, history));
    let surest =
        told.max_by(|one, other| one.keeps.cmp(&other.keeps).then(one.surety().total_cmp(&other.surety())));
    let Some(Cut { sides: [first, second], .. }) = surest else { return Vec::new() };
    let within = |side: Found, most| {
        let things = apart(asking, &side, history, most);
        if things.is_empty() { vec![side] } else { things }
    };
    let mut things = within(first, most - 1);
    things.extend(within(second, most - things.len()));
    things
}

/// A cut of a question in two that are each served.
struct Cut {
    sides: [Found; 2],
    /// Whether the side of the method that serves the whole has all that this takes of it: the window of "USDT flow, 24h, top
    /// headlines" is one of the flow.
    keeps: bool,
}

impl Cut {
    /// One at these places, where the method that serves the whole, or else one of its listing, serves one side and another one the
    /// other; or, where none serves the whole, each side one of another listing.
    fn of(
        asking: Asking<'_>,
        (text, whole): (&str, Option<&Evidence>),
        (one, other): (Range<usize>, Range<usize>),
        history: &[Turn],
    ) -> Option<Self> {
        let answered = |side: &Range<usize>| {
            let found = asking.found(&text[side.clone()], history);
            found.answers(asking.policy).then_some(found)
        };
        let second = answered(&other).filter(|second| !reading::goes_on(&second.question))?;
        let sides = [answered(&one)?, second];
        let Some(best) = whole else {
            let [one, other] = &sides;
            let are_apart = !one.best()?.is_of_listing(other.best()?);
            return are_apart.then_some(Self { sides, keeps: true });
        };
        let serves = |is_it: fn(&Evidence, &Evidence) -> bool| {
            [0, 1].map(|at| sides[at].best().is_some_and(|own| is_it(own, best)))
        };
        let [is_first, is_second] = match serves(is_same) {
            [false, false] => serves(Evidence::is_of_listing),
            by_it => by_it,
        };
        let own = if is_first { one } else { other };
        let mut places = best.binding.arguments.iter().flat_map(Argument::places);
        let keeps = places.all(|place| own.start <= place.start && place.end <= own.end);
        (is_first != is_second).then_some(Self { sides, keeps })
    }

    /// How surely both sides are served, from 0 to 1.
    fn surety(&self) -> f64 {
        self.sides[0].grounding().min(self.sides[1].grounding())
    }
}

/// What is found of a part that points at something of another listing than those of the parts before it: "how much BTC is at Acme, and
/// what are the odds of that event".
fn pointing_in_vain(mut alone: Vec<Found>, policy: &Policy) -> Option<Found> {
    let listing = |found: &Found| found.best().map(|best| best.candidate.listing.id);
    let is_in_vain = |place: &usize| {
        let (before, own) = (&alone[..*place], &alone[*place]);
        own.best().is_some_and(Evidence::leaves_to_tell)
            && own.grounding() >= policy.gate.grounding_min
            && before.iter().all(|it| listing(it) != listing(own))
    };
    let place = (1..alone.len()).find(is_in_vain)?;
    Some(alone.swap_remove(place))
}

/// One of the things that are asked.
struct Part {
    /// What is found of it by itself.
    alone: Found,
    /// What is found of it behind those that are asked before it, where it does not stand by itself.
    behind: Option<Found>,
}

fn read(asking: Asking<'_>, alone: Vec<Found>, history: &[Turn]) -> Vec<Part> {
    let policy = asking.policy;
    let mut said = history.to_vec();
    let read = |alone: Found| {
        let stands = alone.grounding() >= policy.gate.grounding_min && !alone.lacks_value(policy);
        let clause = &alone.question.text;
        let behind = (!stands && said.len() > history.len()).then(|| asking.found(clause, &said));
        said.push(Turn::said(Speaker::User, clause));
        Part { alone, behind }
    };
    alone.into_iter().map(read).collect()
}

/// A question and the things that it asks, each held against the methods.
struct Parted<'a> {
    whole: Found,
    parts: Vec<Part>,
    policy: &'a Policy,
}

impl Parted<'_> {
    /// The likeliest method of each part, by itself and behind those before it.
    fn likeliest(&self) -> Vec<Candidate> {
        let found = self.parts.iter().flat_map(|part| [Some(&part.alone), part.behind.as_ref()]);
        found.flatten().filter_map(Found::best).map(|best| best.candidate.clone()).collect()
    }

    /// The part to rule on, where it is not the whole.
    fn ruled_on(&self, serves_all: bool) -> Option<usize> {
        let places = || 0..self.parts.len();
        let is_whole = serves_all && self.serves(&self.whole);
        if is_whole && self.whole.lacks_value(self.policy) {
            return None;
        }
        let lacking = places().find(|place| self.lacks_value(*place));
        lacking.or_else(|| places().find(|place| !is_whole && self.answers(*place)))
    }

    /// Each part with what serves it, of which these places are served by none.
    fn asked(&self, unserved: &[usize]) -> Vec<Asked> {
        let stands = |found: &&Found| self.serves(found) && !found.lacks_value(self.policy);
        let asked = |(place, part): (usize, &Part)| {
            let found = [Some(&part.alone), part.behind.as_ref()].into_iter().flatten().find(stands);
            let method = found.and_then(Found::best).map(|best| best.candidate.method_ref());
            let settled = method.map_or(Served::Unsettled, Served::By);
            let served = if unserved.contains(&place) { Served::No } else { settled };
            Asked { question: part.alone.question.text.clone(), served }
        };
        self.parts.iter().enumerate().map(asked).collect()
    }

    /// The parts that no method serves, by themselves or, if one has to do with them at all, behind what is asked before them; none
    /// where none is served by itself.
    fn unserved(&self) -> Vec<usize> {
        let is_unserved = |place: &usize| {
            let part = &self.parts[*place];
            let behind = part.behind.as_ref().filter(|behind| self.serves(behind)).and_then(Found::best);
            let by_itself = behind.and_then(|best| part.alone.ranked.iter().find(|it| is_same(it, best)));
            !self.serves(&part.alone) && by_itself.is_none_or(|it| it.grounding < self.policy.gate.near_min)
        };
        let is_any = self.parts.iter().any(|part| self.serves(&part.alone));
        (0..self.parts.len()).filter(|place| is_any && is_unserved(place)).collect()
    }

    /// Whether a method serves what was found.
    fn serves(&self, found: &Found) -> bool {
        found.grounding() >= self.policy.gate.grounding_min
    }

    /// How sure the method of a part must be: as sure as any that serves, or, where the whole does not speak for it, sure beyond
    /// doubt.
    fn sure_min(&self, is_likely: bool) -> f64 {
        let gate = &self.policy.gate;
        if is_likely { gate.grounding_min } else { gate.sure_min }
    }

    /// Whether a part has a method, and all that it needs.
    fn answers(&self, place: usize) -> bool {
        let part = &self.parts[place].alone;
        let is_best = part.best().zip(self.whole.best()).is_some_and(|(own, whole)| is_same(own, whole));
        !part.lacks_value(self.policy) && part.grounding() >= self.sure_min(is_best)
    }

    /// Whether a part lacks what only the caller can give, and neither the whole nor another part that is for its method gives it,
    /// nor do those before it.
    fn lacks_value(&self, place: usize) -> bool {
        let part = &self.parts[place];
        let Some(best) = part.alone.best() else { return false };
        let lacks =
            part.alone.lacks_value(self.policy) && best.grounding >= self.sure_min(self.serves(&self.whole));
        let others = self.parts.iter().map(|part| &part.alone).chain([&self.whole]).filter_map(Found::best);
        let is_given = others.filter(|it| is_same(it, best)).any(|it| !leaves_open(it, best));
        let again = part.behind.as_ref().map(|behind| behind.ranked.iter().find(|it| is_same(it, best)));
        let is_told = again.is_some_and(|again| again.is_none_or(|it| !leaves_open(it, best)));
        lacks && !is_given && !is_told
    }
}

fn is_same(one: &Evidence, other: &Evidence) -> bool {
    one.candidate.method_ref() == other.candidate.method_ref()
}

/// Whether one leaves an argument open that another one of the same method does, too.
fn leaves_open(one: &Evidence, other: &Evidence) -> bool {
    one.open.iter().any(|open| other.open.iter().any(|own| own.name == open.name))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Served;
    use crate::signals::tests::probed;

    /// What is ruled on, and what no method serves.
    fn parted(question: &str) -> (String, Vec<String>) {
        let probed = probed(question, &[]);
        let unserved = probed.asked().iter().filter(|asked| asked.served == Served::No);
        (probed.question().text.clone(), unserved.map(|asked| asked.question.clone()).collect())
    }

    #[test]
    fn what_a_part_lacks_is_open() {
        for question in [
            "List the weather stations. Then show the weather forecast.",
            "what is the weather forecast? And list the weather stations.",
        ] {
            let probed = probed(question, &[]);
            let open: Vec<&str> = probed.ranked()[0].open.iter().map(|open| open.name.as_str()).collect();
            assert_eq!(open, ["city"], "{question}");
        }
    }

    #[test]
    fn a_question_whose_parts_all_have_what_they_need_is_ruled_on_as_a_whole() {
        for question in [
            "What is the phase of the moon and what is the weather forecast of Rome?",
            "What is the weather forecast of Rome, and when does it start?",
            "What is the phase of the moon?",
        ] {
            assert_eq!(parted(question), (question.to_owned(), Vec::new()));
        }
    }

    #[test]
    fn what_no_method_serves_is_told_apart_from_what_one_does() {
        let (ruled_on, unserved) = parted("What is the phase of the moon and who wrote the play Hamlet?");
        assert_eq!(ruled_on, "What is the phase of the moon");
        assert_eq!(unserved, ["who wrote the play Hamlet"]);
        let question = "Who wrote the play Hamlet and how tall is the Eiffel Tower?";
        assert_eq!(parted(question), (question.to_owned(), Vec::new()));
    }

    #[test]
    fn what_the_words_do_not_tell_apart_the_methods_do() {
        let asked = |question: &str| -> Vec<(String, String)> {
            let method = |served: &Served| match served {
                Served::By(method) => method.method.to_string(),
                Served::Unsettled | Served::No => String::new(),
            };
            probed(question, &[]).asked().iter().map(|it| (it.question.clone(), method(&it.served))).collect()
        };
        for (moon, rome) in [
            ("moon phase now", "weather forecast of Rome"),
            ("phase of the moon", "the forecast of the weather for Rome"),
        ] {
            let expected = [
                (moon.to_owned(), "get_moon_phase".to_owned()),
                (rome.to_owned(), "get_forecast".to_owned()),
            ];
            for join in [". Also, ", ", ", " and "] {
                assert_eq!(asked(&format!("{moon}{join}{rome}")), expected, "{join}");
            }
        }
        // One method has to do with all of it.
        assert_eq!(asked("weather forecast, for Rome this week"), []);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn what_is_ruled_on_and_what_is_not_served_are_the_questions_own(
            question in "((what is|show|find|and|then|\\?|\\. |the|moon|phase|forecast|Rome|Hamlet|who wrote) ?){1,14}"
        ) {
            let (ruled_on, unserved) = parted(&question);
            let asked: Vec<String> = probed(&question, &[]).asked().iter().map(|it| it.question.clone()).collect();
            prop_assert!(ruled_on == question || asked.contains(&ruled_on));
            prop_assert!(unserved.is_empty() || unserved.len() < asked.len());
            prop_assert!(unserved.iter().all(|clause| asked.contains(clause) && *clause != ruled_on));
            prop_assert!(asked.len() != 1);
        }
    }
}
