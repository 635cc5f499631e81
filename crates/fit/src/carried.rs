//! What the answer before was about or showed, where a question is still about it: "when does it close?" after the odds of an
//! event, "who holds Spain?" after a table of its outcomes.

use std::sync::Arc;

use domain::{Candidate, EarlierCall, Speaker, Turn};
use jiff::Timestamp;
use reading::bind::{Argument, Binding, Bound, Parameters, Role, Source, State};
use reading::words::{self, Word};
use reading::{Place, Question};
use serde_json::Value;

use crate::only;
use crate::shown::{self, Thing};

/// How sure it is that what is not said is what the answer before was about.
const CONFIDENCE: f64 = 0.8;

/// What was said before a question, as far as it may still be about that.
pub(crate) struct Before<'a> {
    /// The answers that came from calls, the last one first.
    answers: Vec<Answer<'a>>,
    /// The words, in lower case, of what could not be told since: that was about something else.
    missed: Vec<String>,
}

/// An answer that came from calls.
struct Answer<'a> {
    calls: &'a [EarlierCall],
    /// The words that it was asked with, in lower case.
    asked: Vec<String>,
    /// What it showed.
    things: Vec<Thing>,
}

impl<'a> Before<'a> {
    pub(crate) fn of(turns: &'a [Turn], now: Timestamp) -> Self {
        let answers = domain::answered(turns).map(|it| Answer {
            calls: &it.answer.calls,
            asked: it.asked.map_or_else(Vec::new, |turn| {
                words::words(&turn.text).into_iter().map(|word| word.lower).collect()
            }),
            things: shown::things(&it.answer.text),
        });
        let since = turns.iter().rev().take_while(|turn| turn.calls.is_empty());
        let missed = since.filter(|turn| turn.speaker == Speaker::User).flat_map(|turn| {
            let question = Question::read(&turn.text, now);
            let goes_on = reading::points_back(&turn.text);
            let said = question.words.iter().filter(|_| goes_on);
            let telling = question.named_words().chain(said).filter(|word| !word.is_stop);
            telling.map(|word| word.lower.clone()).collect::<Vec<_>>()
        });
        Self { answers: answers.collect(), missed: missed.collect() }
    }

    /// What the last answer gave to the arguments of this name, as far as methods of one listing have them, and all the words that
    /// were asked with since it was given first; none where there were several values, or where it was asked about something else since.
    fn given(&self, candidate: &Candidate, argument: &str) -> Option<(&'a Value, Vec<&str>)> {
        let mut found: Option<(&Value, Vec<&str>)> = None;
        for answer in &self.answers {
            let calls = answer.calls.iter().filter(|call| candidate.listing.has_method(&call.method));
            let mut values = calls.filter_map(|call| call.arguments.get(argument));
            let Some(value) = values.next().filter(|value| values.all(|other| other == *value)) else {
                break;
            };
            let (given, asked) = found.get_or_insert((value, Vec::new()));
            if *given != value {
                break;
            }
            asked.extend(answer.asked.iter().map(String::as_str));
        }
        found.filter(|(_, asked)| self.missed.iter().all(|word| asked.contains(&word.as_str())))
    }
}

/// Whether an argument that only names something has no value.
pub(crate) fn lacks_id(binding: &Binding) -> bool {
    binding.arguments.iter().any(takes_id)
}

fn takes_id(argument: &Argument) -> bool {
    argument.is_required && argument.role == Role::Id && argument.bound().is_none()
}

/// Gives the identifiers that a question leaves open what the answer before was about, or the one thing that it showed and the
/// question names or counts off.
///
/// `beside` is what the question gives to the method that this one looks something up for.
pub(crate) fn carry(
    binding: &mut Arc<Binding>,
    beside: Option<&Binding>,
    question: &Question,
    (candidate, parameters): (&Candidate, &Parameters),
    before: &Before<'_>,
) {
    let asked = Asked::of(question, binding, beside);
    // "The second one" says which.
    let is_untold = |it: &Argument| it.refused().is_none() && !it.is_left_open;
    let is_open = |it: &Argument| takes_id(it) && (is_untold(it) || asked.counted.is_some());
    for place in 0..binding.arguments.len() {
        let argument = &binding.arguments[place];
        if !is_open(argument) {
            continue;
        }
        let stems = parameters.stems(&argument.name);
        let value = asked.shown(before, candidate, stems);
        let value = value.or_else(|| asked.given(before, candidate, (&argument.name, stems)));
        let Some(value) = value.filter(|value| is_apart(value, &binding.arguments)) else { continue };
        let source = Source::Before { why: format!("`{}` is what was asked about before", argument.name) };
        let argument = &mut Arc::make_mut(binding).arguments[place];
        argument.is_left_open = false;
        argument.state = State::Bound(Bound { value, source, confidence: CONFIDENCE });
    }
}

/// Whether no other argument has this value.
fn is_apart(value: &Value, arguments: &[Argument]) -> bool {
    !arguments.iter().filter_map(Argument::bound).any(|bound| bound.value == *value)
}

/// What is asked, as far as it may tell one thing from others.
struct Asked<'a> {
    question: &'a Question,
    /// The words of what it names.
    named: Vec<&'a Word>,
    /// The words that no method at hand knows.
    left: Vec<&'a Word>,
    /// The one thing that it counts off, and where it has said so, in bytes.
    counted: Option<(Place, usize)>,
}

impl<'a> Asked<'a> {
    fn of(question: &'a Question, binding: &Binding, beside: Option<&Binding>) -> Self {
        let is_left = |word: &&Word| {
            let leaves = |binding: &Binding| binding.coverage.left.contains(&word.stem);
            !word.is_stop
                && Place::said(&word.lower).is_none()
                && leaves(binding)
                && beside.is_none_or(leaves)
        };
        Self {
            question,
            named: question.named_words().filter(|word| !word.is_stop).collect(),
            left: question.words.iter().filter(is_left).collect(),
            counted: reading::counted(question),
        }
    }

    /// What the last answer showed of the one thing that is meant: the one that is named, the one at the place that is said, or the
    /// only one.
    fn shown(&self, before: &Before<'_>, candidate: &Candidate, stems: &[String]) -> Option<Value> {
        let is_of_listing =
            |answer: &&Answer<'_>| answer.calls.iter().any(|call| candidate.listing.has_method(&call.method));
        // What is counted off is a list, however many of it were looked at since.
        let answers_max = if self.counted.is_some() { usize::MAX } else { 1 };
        let answers = before.answers.iter().take_while(is_of_listing).take(answers_max);
        let mut shown = answers.map(|answer| -> Vec<&Thing> {
            answer.things.iter().filter(|thing| thing.value(stems).is_some()).collect()
        });
        let things = shown.find(|things| self.counted.is_none() || things.len() > 1)?;
        let is_noun = |word: &Word| word.lower == "one" || stems.contains(&word.stem);
        let says_all = |thing: &&&Thing| {
            self.named.iter().chain(&self.left).all(|word| thing.says(word) || is_noun(word))
        };
        let named = || only(things.iter().filter(says_all));
        let thing = match self.counted {
            None if !self.left.is_empty() && things.iter().any(|thing| says_all(&thing)) => named()?,
            _ if !self.named.is_empty() => named()?,
            // "Open the second one": what stands before it says what to do with it.
            Some((place, end)) if self.left.iter().all(|word| word.range.start < end || is_noun(word)) => {
                place.of(&things)?
            }
            None if self.points_at(stems) || self.left.is_empty() => only(things.iter())?,
            Some(_) | None => return None,
        };
        thing.value(stems).map(Value::from)
    }

    /// What the last answer was given, where what is asked is about the same: it names nothing else, and points at it or says nothing
    /// else.
    fn given(
        &self,
        before: &Before<'_>,
        candidate: &Candidate,
        (argument, stems): (&str, &[String]),
    ) -> Option<Value> {
        let (value, asked) = before.given(candidate, argument).filter(|_| self.counted.is_none())?;
        let was_said = |word: &&Word| asked.contains(&word.lower.as_str());
        let is_same =
            self.named.iter().all(was_said) && (self.points_at(stems) || self.left.iter().all(was_said));
        is_same.then(|| value.clone())
    }

    /// Whether it says "it" and the like of one of these.
    fn points_at(&self, stems: &[String]) -> bool {
        reading::points_at_it(self.question, stems)
    }
}

#[cfg(test)]
mod tests {
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
        let mut binding = Arc::new(bind(&question, &parameters));
        let before = Before::of(before, question.now);
        carry(&mut binding, None, &question, (candidate, &parameters), &before);
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
