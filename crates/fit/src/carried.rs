//! What the answer before was about or showed, where a question is still about it: "when does it close?" after the odds of an
//! event, "who holds Spain?" after a table of its outcomes.

use std::ops::Range;
use std::sync::Arc;

use domain::{Candidate, EarlierCall, Speaker, Turn};
use jiff::Timestamp;
use reading::bind::{Argument, Binding, Bound, Parameters, Role, Source, State};
use reading::form::FormKind;
use reading::spans::overlaps;
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

impl Answer<'_> {
    fn is_of_listing(&self, candidate: &Candidate) -> bool {
        self.calls.iter().any(|call| candidate.listing.has_method(&call.method))
    }

    /// Whether it was asked with a word, or showed several things of which one says it.
    fn speaks_of(&self, word: &Word) -> bool {
        let shows = || self.things.len() > 1 && self.things.iter().any(|thing| thing.says(word));
        self.asked.contains(&word.lower) || shows()
    }
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

    /// Whether the last answer was given this value for an argument of this name.
    fn was_given(&self, argument: &str, value: &Value) -> bool {
        let calls = self.answers.first().into_iter().flat_map(|answer| answer.calls);
        calls.filter_map(|call| call.arguments.get(argument)).any(|given| given == value)
    }

    /// What the last answer gave to the arguments of this name, as far as methods of one listing have them, and all answers since it
    /// was given first; none where there were several values, or where it was asked about something else since, unless what `is_called`
    /// is of that listing alone: "that event" behind the weather.
    fn given(
        &self,
        candidate: &Candidate,
        argument: &str,
        is_called: bool,
    ) -> Option<(&'a Value, Vec<&Answer<'a>>)> {
        let mut found: Option<(&Value, Vec<&Answer<'a>>)> = None;
        let answers = self.answers.iter();
        for answer in answers.skip_while(|answer| is_called && !answer.is_of_listing(candidate)) {
            let calls = answer.calls.iter().filter(|call| candidate.listing.has_method(&call.method));
            let mut values = calls.filter_map(|call| call.arguments.get(argument));
            let Some(value) = values.next().filter(|value| values.all(|other| other == *value)) else {
                break;
            };
            let (given, answers) = found.get_or_insert((value, Vec::new()));
            if *given != value {
                break;
            }
            answers.push(answer);
        }
        found.filter(|(_, answers)| {
            self.missed.iter().all(|word| answers.iter().any(|answer| answer.asked.contains(word)))
        })
    }
}

/// Whether an argument that only names something has no value, or the question counts something off.
pub(crate) fn may_carry(question: &Question, binding: &Binding) -> bool {
    binding.arguments.iter().any(takes_id) || reading::counted(question).is_some()
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
    let is_open = |it: &Argument| {
        takes_id(it) && (is_untold(it) || asked.counted.is_some()) || it.is_required && asked.counts_off(it)
    };
    for place in 0..binding.arguments.len() {
        let argument = &binding.arguments[place];
        if !is_open(argument) {
            continue;
        }
        let stems = parameters.stems(&argument.name);
        let shown = asked.shown(before, candidate, (argument, stems));
        let by_name =
            shown.and_then(|thing| Some((thing.value(stems).map(Value::from)?, KnownBy::Shown(thing))));
        let given = || asked.given(before, candidate, (&argument.name, stems));
        let carried =
            by_name.or_else(|| given().map(|(value, answers)| (value.clone(), KnownBy::Given(answers))));
        let Some((value, known)) = carried.filter(|(value, _)| is_apart(value, &binding.arguments)) else {
            continue;
        };
        let why = format!("`{}` is what was asked about before", argument.name);
        let is_given = before.was_given(&argument.name, &value);
        let source = Source::Before { why, range: asked.name(), is_given };
        let binding = Arc::make_mut(binding);
        // Words by which it is known what is meant are not left.
        let by_words: Vec<&str> =
            asked.left.iter().filter(|word| known.says(word)).map(|word| word.stem.as_str()).collect();
        binding.coverage.account_for(|stem| by_words.contains(&stem.as_str()));
        let argument = &mut binding.arguments[place];
        argument.is_left_open = false;
        argument.state = State::Bound(Bound { value, source, confidence: CONFIDENCE });
    }
}

/// By what it is known what is meant.
enum KnownBy<'b, 'a> {
    /// By what was shown of it.
    Shown(&'b Thing),
    /// By what the answers about it were asked with, or showed.
    Given(Vec<&'b Answer<'a>>),
}

impl KnownBy<'_, '_> {
    fn says(&self, word: &Word) -> bool {
        match self {
            Self::Shown(thing) => thing.says(word),
            Self::Given(answers) => answers.iter().any(|answer| answer.speaks_of(word)),
        }
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
    counted: Option<(Place, Range<usize>)>,
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
        let counted = reading::counted(question);
        // "The BTC reserves of the second one" are not of one that is called so.
        let is_taken = |word: &Word| counted.is_some() && binding.takes(&word.range);
        Self {
            question,
            named: question.named_words().filter(|word| !word.is_stop && !is_taken(word)).collect(),
            left: question.words.iter().filter(is_left).collect(),
            counted,
        }
    }

    /// Whether it asks for several that are about something.
    fn lists_what_is_about(&self) -> bool {
        let mut words = self.question.words.iter();
        self.question.form.kind == FormKind::List && words.any(|word| word.lower == "about")
    }

    /// Where it names something, in bytes.
    fn name(&self) -> Option<Range<usize>> {
        Some(self.named.first()?.range.start..self.named.last()?.range.end)
    }

    /// Whether what is counted off may be the value of an argument that is not said otherwise.
    fn counts_off(&self, argument: &Argument) -> bool {
        let is_said = |said: &Range<usize>| {
            argument.bound().is_none_or(|it| it.source.place().is_some_and(|place| overlaps(place, said)))
        };
        self.counted.as_ref().is_some_and(|(_, said)| is_said(said))
    }

    /// What the last answer showed of the one thing that is meant: the one that is named, the one at the place that is said, or the
    /// only one.
    fn shown<'b>(
        &self,
        before: &'b Before<'_>,
        candidate: &Candidate,
        (argument, stems): (&Argument, &[String]),
    ) -> Option<&'b Thing> {
        let is_of_each = |thing: &Thing| takes_id(argument) || thing.is_called_by(stems);
        let answers = before.answers.iter().take_while(|answer| answer.is_of_listing(candidate));
        let mut shown = answers.map(|answer| -> Vec<&Thing> {
            answer.things.iter().filter(|thing| thing.value(stems).is_some() && is_of_each(thing)).collect()
        });
        let is_noun = |word: &Word| word.lower == "one" || stems.contains(&word.stem);
        let says_all = |things: &[&Thing], thing: &Thing| {
            // The one thing that an answer tells of may tell of others.
            let says = |word: &Word| if things.len() > 1 { thing.says(word) } else { thing.is_called(word) };
            self.named.iter().chain(&self.left).all(|word| says(word) || is_noun(word))
        };
        // What is named or counted off is of a list, however many of it were looked at since.
        let things = shown.find(|things| match &self.counted {
            Some(_) => things.len() > 1,
            None => self.named.is_empty() || things.iter().any(|thing| says_all(things, thing)),
        })?;
        let named = || only(things.iter().filter(|thing| says_all(&things, thing)));
        match &self.counted {
            // "Headlines about rain" asks for several, of which one was shown.
            None if self.lists_what_is_about() => None,
            None if !self.left.is_empty() && things.iter().any(|thing| says_all(&things, thing)) => {
                named().copied()
            }
            _ if !self.named.is_empty() => named().copied(),
            // "Open the second one": what stands before it says what to do with it.
            Some((place, said))
                if self.left.iter().all(|word| word.range.start < said.end || is_noun(word)) =>
            {
                place.of(&things).copied()
            }
            None if self.points_at(stems) || self.left.is_empty() => only(things.iter()).copied(),
            Some(_) | None => None,
        }
    }

    /// What the last answer was given, where what is asked is about the same: it names nothing else than what it showed, and points at it
    /// or says nothing else.
    fn given<'b, 'v>(
        &self,
        before: &'b Before<'v>,
        candidate: &Candidate,
        (argument, stems): (&str, &[String]),
    ) -> Option<(&'v Value, Vec<&'b Answer<'v>>)> {
        let is_called = reading::points_at_one_of(self.question, |stem| stems.contains(stem));
        let given = before.given(candidate, argument, is_called);
        let (value, answers) = given.filter(|_| self.counted.is_none())?;
        let is_known = |word: &&Word| answers.iter().any(|answer| answer.speaks_of(word));
        let is_same =
            self.named.iter().all(is_known) && (self.points_at(stems) || self.left.iter().all(is_known));
        is_same.then_some((value, answers))
    }

    /// Whether it says "it" and the like of one of these.
    fn points_at(&self, stems: &[String]) -> bool {
        reading::points_at_it(self.question, stems)
    }
}

#[cfg(test)]
mod tests {
    use domain::{Listing, Method};
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
        let listing = Listing::new("Events", vec![Arc::clone(&method), Arc::new(other)]);
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
        let binding = bound(candidate, before, question);
        let bound = binding.arguments[0].bound()?;
        assert!(matches!(bound.source, Source::Before { .. }));
        Some(bound.value.as_str()?.to_owned())
    }

    fn bound(candidate: &Candidate, before: &[Turn], question: &str) -> Arc<Binding> {
        let parameters = Parameters::of(&candidate.method);
        let question = Question::read(question, Timestamp::UNIX_EPOCH);
        let mut binding = Arc::new(bind(&question, &parameters));
        let before = Before::of(before, question.now);
        carry(&mut binding, None, &question, (candidate, &parameters), &before);
        binding
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
            ("list all holders about Spain", None),
        ] {
            assert_eq!(carried(&holders, &before, question).as_deref(), market, "{question}");
        }
        let one = [said("Odds?"), answered("Price: 0.2 [1].\n\n- Market ID: mkt-7 [1]", "evt-1")];
        assert_eq!(carried(&holders, &one, "who are its holders?").as_deref(), Some("mkt-7"));
        // What is counted off is of the list, whatever was looked at since.
        let since =
            [before.to_vec(), vec![said("the first?"), answered("- Market ID: mkt-1 [1]", "evt-1")]].concat();
        assert_eq!(carried(&holders, &since, "holders of the second one").as_deref(), Some("mkt-2"));
        // The one thing that is told of since may tell of others.
        let told = "- Outcome: No change [1]\n- Market ID: mkt-2 [1]\n- Favourite: Spain [1]";
        let since = [before.to_vec(), vec![said("odds of no change?"), answered(told, "evt-1")]].concat();
        assert_eq!(carried(&holders, &since, "holders of Spain").as_deref(), Some("mkt-1"));
    }

    #[test]
    fn words_by_which_it_is_known_are_not_left() {
        let holders = candidate("get_holders", "market_id", "The holders of a market.");
        let table = "| Outcome | Market ID |\n| --- | --- |\n| Spain | mkt-1 |\n| No change | mkt-2 |";
        let before = [said("Odds?"), answered(table, "evt-1")];
        let left = |question| bound(&holders, &before, question).coverage.left.clone();
        assert_eq!(left("holders of Spain"), [""; 0]);
        assert_eq!(left("holders of France"), ["franc"]);
    }

    #[test]
    fn what_was_shown_beside_others_is_of_the_same() {
        let odds = candidate("get_odds_of", "event_id", "The odds of an event.");
        let table = "| Outcome | Price |\n| --- | --- |\n| Spain | 0.2 |\n| France | 0.1 |";
        let before = [said("who wins the World Cup?"), answered(table, "evt-1")];
        assert_eq!(carried(&odds, &before, "odds of France").as_deref(), Some("evt-1"));
        assert_eq!(carried(&odds, &before, "odds of Atlantis"), None);
    }

    #[test]
    fn what_a_list_is_of_is_counted_off_by_what_it_is_called() {
        let table = "| City | Country |\n| --- | --- |\n| Rome | Italy |\n| Oslo | Norway |";
        let before = [said("which cities do you know?"), answered(table, "evt-1")];
        let rain = candidate("get_rain", "city", "The rain in a city.");
        assert_eq!(carried(&rain, &before, "rain in the second one").as_deref(), Some("Oslo"));
    }
}
