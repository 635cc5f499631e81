//! What the answer before was about or showed, where a question is still about it: "when does it close?" after the odds of an
//! event, "who holds Spain?" after a table of its outcomes.

use domain::{Candidate, EarlierCall, Speaker, Turn};
use jiff::Timestamp;
use reading::bind::{Argument, Binding, Bound, Parameters, Role, Source, State};
use reading::{Place, Question, words};
use serde_json::Value;

use crate::shown::{self, Thing};

/// How sure it is that what is not said is what the answer before was about.
const CONFIDENCE: f64 = 0.8;

/// Gives the identifiers that a question leaves open what the answer before was about, or the one thing that it showed and the
/// question names or counts off.
///
/// `beside` is what the question gives to the method that this one looks something up for.
pub(crate) fn carry(
    binding: &mut Binding,
    beside: Option<&Binding>,
    question: &Question,
    (candidate, parameters): (&Candidate, &Parameters),
    before: &[Turn],
) {
    let takes_it = |it: &Argument| it.is_required && it.role == Role::Id && it.bound().is_none();
    if before.is_empty() || !binding.arguments.iter().any(takes_it) {
        return;
    }
    let asked = Asked::of(question, binding, beside);
    // "The second one" says which.
    let is_untold = |it: &Argument| it.refused().is_none() && !it.is_left_open;
    let is_open = |it: &Argument| takes_it(it) && (is_untold(it) || asked.counted.is_some());
    for place in 0..binding.arguments.len() {
        let argument = &binding.arguments[place];
        if !is_open(argument) {
            continue;
        }
        let stems = parameters.stems(&argument.name);
        let value = asked.shown(before, candidate, stems);
        let earlier = || Earlier::of(before, candidate, &argument.name, question.now);
        let value = value.or_else(|| earlier()?.asked_on(&asked, stems));
        let Some(value) = value.filter(|value| is_apart(value, &binding.arguments)) else { continue };
        let source = Source::Before { why: format!("`{}` is what was asked about before", argument.name) };
        binding.arguments[place].is_left_open = false;
        binding.arguments[place].state = State::Bound(Bound { value, source, confidence: CONFIDENCE });
    }
}

/// Whether no other argument has this value.
fn is_apart(value: &Value, arguments: &[Argument]) -> bool {
    !arguments.iter().filter_map(Argument::bound).any(|bound| bound.value == *value)
}

/// Whether a call was one of a method of the candidate's listing.
fn is_of_listing(call: &EarlierCall, candidate: &Candidate) -> bool {
    candidate.listing.methods.iter().any(|it| it.name.as_str() == call.method)
}

/// What is asked, as far as it may tell one thing from others.
struct Asked<'a> {
    question: &'a Question,
    /// The words of what it names.
    named: Vec<&'a words::Word>,
    /// The words that no method at hand knows.
    left: Vec<&'a words::Word>,
    /// The one thing that it counts off, and where it has said so, in bytes.
    counted: Option<(Place, usize)>,
}

impl<'a> Asked<'a> {
    fn of(question: &'a Question, binding: &Binding, beside: Option<&Binding>) -> Self {
        let is_left = |word: &&words::Word| {
            let leaves = |binding: &Binding| binding.coverage.left.contains(&word.stem);
            !word.is_stop
                && Place::said(&word.lower).is_none()
                && leaves(binding)
                && beside.is_none_or(leaves)
        };
        Self {
            question,
            named: named(question).collect(),
            left: question.words.iter().filter(is_left).collect(),
            counted: reading::counted(question),
        }
    }

    /// Whether it says "it" and the like of one of these.
    fn points_at_one(&self, stems: &[String]) -> bool {
        reading::points_at_one(self.question, stems)
    }

    /// What the last answer showed of the one thing that is meant: the one that is named, the one at the place that is said, or the
    /// only one.
    fn shown(&self, before: &[Turn], candidate: &Candidate, stems: &[String]) -> Option<Value> {
        let answers = before.iter().rev().filter(|turn| !turn.calls.is_empty());
        let of_listing =
            answers.take_while(|turn| turn.calls.iter().any(|call| is_of_listing(call, candidate)));
        // What is counted off is a list, however many of it were looked at since.
        let mut shown = of_listing.take(if self.counted.is_some() { usize::MAX } else { 1 }).map(|turn| {
            let mut things = shown::things(&turn.text);
            things.retain(|thing| thing.value(stems).is_some());
            things
        });
        let things = shown.find(|things| self.counted.is_none() || things.len() > 1)?;
        let is_noun = |word: &words::Word| word.lower == "one" || stems.contains(&word.stem);
        let says_all =
            |thing: &Thing| self.named.iter().chain(&self.left).all(|word| thing.says(word) || is_noun(word));
        let thing = match self.counted {
            None if !self.left.is_empty() && things.iter().any(says_all) => only(&things, says_all)?,
            _ if !self.named.is_empty() => only(&things, says_all)?,
            // "Open the second one": what stands before it says what to do with it.
            Some((place, end)) if self.left.iter().all(|word| word.range.start < end || is_noun(word)) => {
                place.of(&things)?
            }
            None if self.points_at_one(stems) || self.left.is_empty() => {
                things.first().filter(|_| things.len() == 1)?
            }
            Some(_) | None => return None,
        };
        thing.value(stems).map(Value::from)
    }
}

/// The words of what a question names.
fn named(question: &Question) -> impl Iterator<Item = &words::Word> {
    let entities = question.form.entities.iter();
    entities.flat_map(|entity| question.words_in(&entity.range)).filter(|word| !word.is_stop)
}

/// The only thing of which something holds.
fn only(things: &[Thing], holds: impl Fn(&Thing) -> bool) -> Option<&Thing> {
    let mut meant = things.iter().filter(|thing| holds(thing));
    meant.next().filter(|_| meant.next().is_none())
}

/// What the last answers were about that came from calls.
struct Earlier<'a> {
    /// The one value that an argument was given.
    value: &'a Value,
    /// The words that these answers were asked with, in lower case.
    asked: Vec<String>,
}

impl<'a> Earlier<'a> {
    /// What the last answer gave to the arguments of this name, as far as methods of one listing have them, and all that was
    /// asked with since it was given first; none where there were several values.
    fn of(before: &'a [Turn], candidate: &Candidate, argument: &str, now: Timestamp) -> Option<Self> {
        let answers = (0..before.len()).rev().filter(|at| !before[*at].calls.is_empty());
        let mut found: Option<Self> = None;
        for at in answers {
            let calls = before[at].calls.iter().filter(|call| is_of_listing(call, candidate));
            let mut values = calls.filter_map(|call| call.arguments.get(argument));
            let Some(value) = values.next().filter(|value| values.all(|other| other == *value)) else {
                break;
            };
            let earlier = found.get_or_insert(Self { value, asked: Vec::new() });
            if earlier.value != value {
                break;
            }
            let asked = before[..at].iter().rev().find(|turn| turn.speaker == Speaker::User);
            let words = asked.into_iter().flat_map(|turn| words::words(&turn.text));
            earlier.asked.extend(words.map(|word| word.lower));
        }
        let last = before.iter().rposition(|turn| !turn.calls.is_empty())?;
        let unanswered = before[last..].iter().filter(|turn| turn.speaker == Speaker::User);
        // What could not be told was about something else.
        let names_other = |earlier: &Self| {
            let mut asked = unanswered.map(|turn| Question::read(&turn.text, now));
            asked.any(|question| {
                let goes_on = reading::points_back(&question.text);
                let said = question.words.iter().filter(|word| goes_on && !word.is_stop);
                let mut telling = named(&question).chain(said);
                telling.any(|word| !earlier.asked.contains(&word.lower))
            })
        };
        found.filter(|earlier| !names_other(earlier))
    }

    /// The value, where what is asked is about the same: it names nothing else, and points at it or says nothing else.
    fn asked_on(self, asked: &Asked<'_>, stems: &[String]) -> Option<Value> {
        let was_said = |word: &&words::Word| self.asked.contains(&word.lower);
        let is_same = asked.counted.is_none()
            && asked.named.iter().all(was_said)
            && (asked.points_at_one(stems) || asked.left.iter().all(was_said));
        is_same.then(|| self.value.clone())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::{Health, Listing, ListingId, Method, Usd};
    use reading::bind::bind;
    use serde_json::json;

    use super::*;

    /// A method of a listing of events that takes an event, or a market of one.
    fn candidate(name: &str, argument: &str, description: &str) -> Candidate {
        let schema = json!({"type": "object", "required": [argument],
            "properties": {argument: {"type": "string", "description": "The identifier."}}});
        let method = Method { description: description.to_owned(), ..Method::new(name, schema, None) };
        let other = Method::new("get_odds", json!({"type": "object"}), None);
        let method = Arc::new(method);
        let listing = Listing {
            id: ListingId::of_name("events"),
            name: "Events".to_owned(),
            alias: "events".to_owned(),
            description: String::new(),
            category: None,
            price: Usd::ZERO,
            methods: vec![Arc::clone(&method), Arc::new(other)],
            health: Health::Healthy,
            listed_at: None,
        };
        Candidate { listing: Arc::new(listing), method, score: 1.0 }
    }

    fn answered(text: &str, event: &str) -> Turn {
        let arguments = json!({"event_id": event}).as_object().unwrap().clone();
        let call = EarlierCall { method: "get_odds".to_owned(), arguments };
        Turn { calls: vec![call], ..Turn::said(Speaker::Assistant, text) }
    }

    fn said(text: &str) -> Turn {
        Turn::said(Speaker::User, text)
    }

    /// What the one argument of a method gets.
    fn carried(candidate: &Candidate, before: &[Turn], question: &str) -> Option<String> {
        let parameters = Parameters::of(&candidate.method);
        let question = Question::read(question, Timestamp::UNIX_EPOCH);
        let mut binding = bind(&question, &parameters);
        carry(&mut binding, None, &question, (candidate, &parameters), before);
        let bound = binding.arguments[0].bound()?;
        assert!(matches!(bound.source, Source::Before { .. }));
        Some(bound.value.as_str()?.to_owned())
    }

    #[test]
    fn what_was_asked_about_goes_on() {
        let close = candidate("get_event", "event_id", "When an event closes.");
        let before = [said("Odds of Spain in the World Cup?"), answered("Spain: 0.2", "evt-1")];
        for question in ["when does it close?", "close", "and its rules?", "when does Spain close?"] {
            assert_eq!(carried(&close, &before, question).as_deref(), Some("evt-1"), "{question}");
        }
        for question in ["when does the Super Bowl close?", "when does the recession close?"] {
            assert_eq!(carried(&close, &before, question), None, "{question}");
        }
    }

    #[test]
    fn another_thing_that_was_asked_about_ends_it() {
        let close = candidate("get_event", "event_id", "When an event closes.");
        let first = [said("Odds of Spain?"), answered("Spain: 0.2", "evt-1")];
        let missed = [said("And of Atlantis?"), Turn::said(Speaker::Assistant, "No tool knows it.")];
        assert_eq!(carried(&close, &[first.clone(), missed].concat(), "when does it close?"), None);
        let missed = [said("and the moon landing?"), Turn::said(Speaker::Assistant, "No tool knows it.")];
        assert_eq!(carried(&close, &[first.clone(), missed].concat(), "when does it close?"), None);
        let two = [
            said("Odds of both?"),
            Turn {
                calls: [answered("", "evt-1"), answered("", "evt-2")]
                    .map(|turn| turn.calls[0].clone())
                    .to_vec(),
                ..answered("", "")
            },
        ];
        assert_eq!(carried(&close, &[first, two].concat(), "when does it close?"), None);
    }

    #[test]
    fn what_was_shown_is_named_counted_off_or_the_only_one() {
        let holders = candidate("get_holders", "market_id", "The holders of a market.");
        let table = "| Outcome | Market ID |\n| --- | --- |\n| Spain | mkt-1 |\n| No change | mkt-2 |";
        let before = [said("Odds?"), answered(table, "evt-1")];
        for (question, market) in [
            ("holders of Spain", Some("mkt-1")),
            ("the holders of no change", Some("mkt-2")),
            ("holders of the second one", Some("mkt-2")),
            ("and holders of the last?", Some("mkt-2")),
            ("holders of the third", None),
            ("holders of France", None),
            ("holders of it", None),
        ] {
            assert_eq!(carried(&holders, &before, question).as_deref(), market, "{question}");
        }
        let one = [said("Odds?"), answered("Price: 0.2 [1].\n\n- Market ID: mkt-7 [1]", "evt-1")];
        assert_eq!(carried(&holders, &one, "who are its holders?").as_deref(), Some("mkt-7"));
        // What is counted off is of the list, whatever was looked at since.
        let since =
            [before.to_vec(), vec![said("the first?"), answered("- Market ID: mkt-1 [1]", "evt-1")]].concat();
        assert_eq!(carried(&holders, &since, "holders of the second one").as_deref(), Some("mkt-2"));
    }
}
