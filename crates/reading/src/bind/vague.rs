//! What a question says that there is and does not say which: "a specific exchange", "a different file", "to my friend",
//! "some shares"; and a place that it only points at: "the weather there".

use std::ops::Range;

use super::parameter::{Parameter, Shape};
use super::proximity::direction;
use super::role::Role;
use super::{Argument, Bound, State};
use crate::Question;
use crate::form;
use crate::spans::{Kind, Span};
use crate::standards;
use crate::time;
use crate::words::Word;

/// Something that a question speaks of and may leave unsaid.
#[derive(Clone, Copy, Debug)]
pub struct Thing {
    /// The first word that says so.
    from: usize,
    /// The word behind which its noun stands.
    lead: usize,
    manner: Manner,
}

/// How it is spoken of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manner {
    /// There is one: "a specific exchange".
    Certain,
    /// Somebody, by what they are to who asks: "to my friend".
    Person,
    /// More than one, and not how many: "some shares".
    Several,
    /// One of them: "one sector is buzzing".
    One,
    /// One, and no more of it: "add a stock".
    Unnamed,
    /// The one that is pointed at: "into that exchange".
    Pointed,
}

/// What a question leaves open for a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LeftOpen {
    /// Where it speaks of it, in bytes.
    pub(super) said: Range<usize>,
    /// What it does not say of it: "which", "who", "how much".
    pub(super) lacks: &'static str,
}

/// What a question speaks of so.
pub(super) fn things(question: &Question) -> Vec<Thing> {
    let words = &question.words;
    let thing = |(at, pair): (usize, &[Word])| {
        let (before, word) = (pair[0].lower.as_str(), pair[1].lower.as_str());
        let manner = if is_certain(before, word) {
            Manner::Certain
        } else if matches!(word, "my" | "our") && reaches(before) {
            Manner::Person
        } else if word == "some" || (before, word) == ("a", "few") {
            Manner::Several
        } else if word == "one" {
            Manner::One
        } else if matches!(word, "a" | "an") {
            Manner::Unnamed
        } else {
            return None;
        };
        let from = if manner == Manner::Certain || word == "few" { at } else { at + 1 };
        Some(Thing { from, lead: at + 1, manner })
    };
    words.windows(2).enumerate().filter_map(thing).collect()
}

/// What a question points at: "into that exchange".
#[must_use]
pub fn things_pointed_at(question: &Question) -> Vec<Thing> {
    let points = |(at, word): (usize, &Word)| {
        let is_it = matches!(word.lower.as_str(), "that" | "this");
        is_it.then_some(Thing { from: at, lead: at, manner: Manner::Pointed })
    };
    question.words.iter().enumerate().filter_map(points).collect()
}

/// Leaves the arguments open that nothing tells and that take what the question points at.
pub(super) fn leave_pointed_open(
    (question, things): (&Question, &[Thing]),
    parameters: &[Parameter],
    arguments: &mut [Argument],
) {
    for (parameter, argument) in parameters.iter().zip(arguments).filter(|(_, it)| !it.is_said()) {
        if let Some(open) = left_open(question, things, parameter, None) {
            leave_open(argument, open.why(question));
        }
    }
}

impl LeftOpen {
    /// Why an argument that takes it stays open, in words for the caller.
    pub(super) fn why(&self, question: &Question) -> String {
        let said = &question.text[self.said.clone()];
        format!("the question speaks of {said}, and does not say {}", self.lacks)
    }
}

/// Where the question speaks of one of what a parameter takes, and names none behind it.
///
/// Only of what is asked last: what an earlier turn left open, the next one may have told.
pub(super) fn left_open(
    question: &Question,
    things: &[Thing],
    parameter: &Parameter,
    own: Option<&Bound>,
) -> Option<LeftOpen> {
    // What an earlier turn says is not what this one speaks of.
    let turn_at = |thing: &Thing| {
        let from = question.words[thing.from].range.start;
        question.text[..from].rfind('\n').map_or(0, |end| end + 1)
    };
    let is_bound = |thing: &Thing| {
        own.is_some_and(|own| own.source.range().is_none_or(|range| range.start >= turn_at(thing)))
    };
    let is_said = |thing: &Thing| match thing.manner {
        Manner::Certain => false,
        // An argument that nothing fills is open as it is.
        Manner::Unnamed => own.is_none_or(|own| !is_bound(thing) || is_name_of(question, thing, own)),
        Manner::Person | Manner::Several | Manner::One | Manner::Pointed => is_bound(thing),
    };
    let is_open = |thing: &&Thing| takes(parameter, thing.manner) && !is_said(thing);
    let said = |thing: &Thing| {
        let noun = noun(question, thing, parameter)?;
        let said = question.words[thing.from].range.start..noun.range.end;
        (!is_told(question, thing.manner, &said)).then_some(LeftOpen { said, lacks: lacks(thing.manner) })
    };
    let open = things.iter().filter(is_open).find_map(said)?;
    (direction(question, parameter, &open.said) >= 0.0).then_some(open)
}

/// Whether a value is surely one, or stands behind what is spoken of, in its sentence: "add a stock, Acme say".
fn is_name_of(question: &Question, thing: &Thing, own: &Bound) -> bool {
    let said = &question.words[thing.lead].range;
    let stands_behind = |range: &Range<usize>| {
        range.start >= said.end && !question.text[said.end..range.start].contains(['.', '?', '!', ';'])
    };
    own.confidence >= SURE_NAME_MIN || own.source.range().is_none_or(stands_behind)
}

/// What a question does not say of what it speaks of so.
fn lacks(manner: Manner) -> &'static str {
    match manner {
        Manner::Certain | Manner::One | Manner::Unnamed | Manner::Pointed => "which",
        Manner::Person => "who",
        Manner::Several => "how much",
    }
}

/// Whether a parameter takes what is spoken of so.
fn takes(parameter: &Parameter, manner: Manner) -> bool {
    const RECEIVERS: [&str; 6] = ["receiv", "recipi", "to", "mention", "attende", "invite"];
    match manner {
        Manner::Certain => true,
        Manner::Person => {
            matches!(parameter.role, Role::Name | Role::Id | Role::Email)
                && parameter.own.iter().any(|own| RECEIVERS.contains(&own.as_str()))
        }
        // How many rows are shown need not be said, what is paid has to.
        Manner::Several => {
            (parameter.is_required || is_of_sum(parameter)) && matches!(parameter.shape, Shape::Number(_))
        }
        Manner::Pointed => {
            let names = !matches!(parameter.role, Role::Window | Role::Grain | Role::Search);
            names && matches!(parameter.shape, Shape::Text(_) | Shape::Choice)
        }
        Manner::One | Manner::Unnamed => {
            parameter.is_required && matches!(parameter.shape, Shape::Text(_) | Shape::Choice)
        }
    }
}

/// The noun of it, where the parameter takes such.
fn noun<'a>(question: &'a Question, thing: &Thing, parameter: &Parameter) -> Option<&'a Word> {
    let is_measure =
        |word: &&Word| matches!(word.lower.as_str(), "number" | "amount" | "kind" | "type" | "of");
    let is_of_it = |word: &&Word| match thing.manner {
        Manner::Certain => parameter.says(&word.stem),
        Manner::Pointed => {
            let is_it = form::nouns_like(&word.stem).iter().any(|stem| parameter.says(stem));
            (is_it || parameter.says(&word.stem)) && !word.has_plural_ending()
        }
        Manner::Person => is_person(&word.stem),
        Manner::Several => {
            let is_money = || is_of_sum(parameter) && standards::currency(&word.lower).is_some();
            word.has_plural_ending() && parameter.says(&word.stem) || is_money()
        }
        Manner::One | Manner::Unnamed => {
            parameter.own.last() == Some(&word.stem) && !word.has_plural_ending()
        }
    };
    // "A certain amount of dollars", for an amount.
    let is_own = |word: &&Word| parameter.own.contains(&word.stem) && is_of_it(word);
    let behind = question.words[thing.lead + 1..].iter();
    let behind = behind.skip_while(|word| is_measure(word) && !is_own(word));
    behind.take(NOUN_WORDS).take_while(|word| !word.is_stop).find(is_of_it)
}

/// Whether it is said behind: "a specific exchange: Acme", "my friend Ann", "some shares, 20 of them".
fn is_told(question: &Question, manner: Manner, said: &Range<usize>) -> bool {
    let text = &question.text[said.end..];
    let mut behind = question.spans.iter().filter(|span| span.range.start >= said.end);
    let is_near = |span: &Span| span.range.start <= said.end + TOLD_WITHIN;
    let opens = |signs: &[char]| text.chars().take(TOLD_WITHIN).any(|sign| signs.contains(&sign));
    let is_said = match manner {
        Manner::Certain | Manner::Unnamed => text.contains([':', '(']) || behind.next().is_some(),
        Manner::Person | Manner::One | Manner::Pointed => {
            behind.any(|span| is_near(span) || span.kind == Kind::Email)
                || opens(&['"', ':', '(', '@'])
                || question.words_behind(said).first().is_some_and(|next| introduces(&next.lower))
        }
        Manner::Several => {
            behind.any(|span| is_near(span) && matches!(span.kind, Kind::Number(_) | Kind::Quoted))
        }
    };
    is_said || text.contains('\n')
}

/// How sure a name is at the least that is taken for what is spoken of without one.
const SURE_NAME_MIN: f64 = 0.5;
/// Words within which the noun follows: "a specific stock symbol".
const NOUN_WORDS: usize = 2;
/// Characters within which it is named.
const TOLD_WITHIN: usize = 14;

/// "A certain", "one specific": there is one, and it is not said.
fn is_certain(before: &str, word: &str) -> bool {
    matches!(before, "a" | "an" | "one" | "some" | "for" | "of" | "in")
        && matches!(word, "certain" | "specific" | "particular" | "special")
        || matches!((before, word), ("a", "different"))
}

/// The word by which a question only points at a place, and names none before it: "is it raining there", "near me".
#[must_use]
pub fn place_pointed_at(question: &Question) -> Option<&str> {
    let words = &question.words;
    let points = |(at, pair): (usize, &[Word])| {
        let next = words.get(at + 2);
        let is_there = matches!(pair[1].lower.as_str(), "there" | "here");
        let from = if is_there { &pair[1] } else { &pair[0] };
        let last = if pair[0].lower == "where" { next? } else { &pair[1] };
        is_place((&pair[0].lower, &pair[1].lower), next).then_some(from.range.start..last.range.end)
    };
    let said = words.windows(2).enumerate().find_map(points)?;
    let names = question.spans.iter().filter(|span| span.kind == Kind::Name).map(|span| &span.range);
    let names_city =
        |name: &Range<usize>| name.end <= said.start && time::zone_of(&question.text[name.clone()]).is_some();
    let is_told = names.chain(&question.phrases).any(names_city);
    (!is_told).then(|| &question.text[said])
}

/// Leaves the places open where a question only points at one by this word, and nothing tells any; of somebody's own place, those
/// that nothing tells: "nine where I am, what time is it in Rome".
pub(super) fn leave_places_open(said: &str, arguments: &mut [Argument]) {
    let is_told =
        |it: &Argument| it.is_said() && it.bound().is_some_and(|bound| bound.confidence >= SURE_PLACE_MIN);
    let is_own = !matches!(said, "there" | "here");
    if !is_own && arguments.iter().any(|it| it.role.is_place() && is_told(it)) {
        return;
    }
    for argument in arguments.iter_mut().filter(|it| it.role.is_place() && !is_told(it)) {
        let why = format!("the question says \"{said}\", and not where that is");
        leave_open(argument, why);
    }
}

/// Leaves an argument to the caller to tell, even one that could be done without.
fn leave_open(argument: &mut Argument, why: String) {
    argument.state = State::Unfilled { why, refused: None };
    argument.is_required = true;
    argument.is_left_open = true;
}

/// How sure a place is at the least that "there" may stand for.
const SURE_PLACE_MIN: f64 = 0.5;

/// Whether two words say where without a name: "it there", "raining here", "near me", "our way". Something that is there, "is
/// there", and who is greeted, "hi there", is at no place.
fn is_place(pair: (&str, &str), next: Option<&Word>) -> bool {
    const BESIDE: [&str; 15] = [
        "is", "are", "was", "were", "will", "be", "been", "has", "have", "s", "out", "hi", "hello", "hey",
        "any",
    ];
    let is_beside = |lower: &str| BESIDE.contains(&lower);
    match pair {
        (before, "there" | "here") => !is_beside(before) && !next.is_some_and(|next| is_beside(&next.lower)),
        ("near" | "around", "me" | "us") => true,
        ("where", "i") => {
            next.is_some_and(|next| matches!(next.lower.as_str(), "am" | "m" | "live" | "stay" | "work"))
        }
        ("where", "my" | "our" | "his" | "her" | "their") => next.is_some_and(|next| is_person(&next.stem)),
        ("my" | "our", of_us) => NEIGHBOURHOODS.contains(&of_us),
        _ => false,
    }
}

/// Words for where somebody is.
const NEIGHBOURHOODS: [&str; 8] =
    ["area", "city", "location", "neighborhood", "neighbourhood", "region", "town", "way"];

/// Whether a parameter takes a sum of money.
fn is_of_sum(parameter: &Parameter) -> bool {
    parameter.own.iter().any(|own| matches!(own.as_str(), "amount" | "sum" | "money"))
}

/// Whether what is done reaches who follows.
fn reaches(before: &str) -> bool {
    const WORDS: [&str; 16] = [
        "to", "add", "contact", "email", "inform", "invite", "let", "mention", "message", "notify", "remind",
        "tag", "tell", "text", "update", "with",
    ];
    WORDS.contains(&before)
}

fn is_person(stem: &str) -> bool {
    const STEMS: [&str; 26] = [
        "friend",
        "colleagu",
        "cousin",
        "partner",
        "boss",
        "manag",
        "mom",
        "mum",
        "mother",
        "parent",
        "famili",
        "daughter",
        "son",
        "client",
        "dad",
        "father",
        "brother",
        "sister",
        "wife",
        "husband",
        "teammat",
        "cowork",
        "neighbor",
        "neighbour",
        "uncl",
        "aunt",
    ];
    STEMS.contains(&stem)
}

/// Whether a name follows: "my friend called Ann".
fn introduces(word: &str) -> bool {
    matches!(word, "called" | "named" | "whose" | "who")
}
