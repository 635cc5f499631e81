//! Something that a question names and that is none of the values of the one argument that it belongs to.

use std::ops::Range;

use policy::Gate;
use probe::{Evidence, Interpretation};
use reading::Question;
use reading::bind::{Role, standard_codes};
use reading::form::Entity;
use reading::spans::{Kind, Span, overlaps};
use reading::standards;
use reading::words::Word;

use super::{Unavailable, foreign, naming};

/// The name that no reading has a place for, while the best one lacks just the argument that takes such names, and lists
/// which: a coin that is not covered, an exchange that is not watched.
pub(super) fn unlisted(question: &Question, pool: &[Interpretation], policy: &Gate) -> Option<Unavailable> {
    let evidence = &pool.first()?.evidence;
    in_open_argument(question, pool, policy).or_else(|| beside_default(question, evidence))
}

fn in_open_argument(question: &Question, pool: &[Interpretation], policy: &Gate) -> Option<Unavailable> {
    let evidence = &pool.first()?.evidence;
    let parameters = &evidence.known.parameters;
    let open = evidence.open.iter().find(|open| parameters.has_choices(&open.name))?;
    let argument = evidence.binding.argument(&open.name)?;
    let listed = naming::listed(evidence, &open.name);
    let is_ticker = argument.role == Role::Symbol && listed.iter().all(|value| is_code(value));
    let is_venue = !is_ticker && foreign::names_venues(evidence, &open.name);
    let belongs = |entity: &Entity| {
        is_ticker && is_code(&entity.text) || is_venue && entity.text.starts_with(char::is_uppercase)
    };
    let is_listed = |code: &str| listed.iter().any(|value| value.eq_ignore_ascii_case(code));
    let codes = standard_codes(question, argument.role);
    let code =
        codes.iter().find(|(code, _)| !is_listed(code)).map(|(_, range)| &question.text[range.clone()]);
    let near = foreign::near(pool, policy);
    let is_unlisted = |entity: &&Entity| {
        belongs(entity)
            && !is_listed(&entity.text)
            && !foreign::is_time(question, entity)
            && near.iter().all(|reading| foreign::is_foreign(question, entity, &reading.evidence))
    };
    let entity = || question.form.entities.iter().find(is_unlisted).map(|entity| entity.text.as_str());
    let coin = || if is_ticker { named_coin(question, evidence) } else { None };
    let is_unit = argument.role == Role::Currency;
    let unit = || if is_unit { foreign_unit(question, evidence, &codes) } else { None };
    let named = code.or_else(entity).or_else(coin).or_else(unit)?.to_owned();
    Some(Unavailable::Value { named, argument: open.name.clone(), listed })
}

/// The currency that nothing takes where an argument that lists others is left at its default: the pesos of "dollars against pesos".
fn beside_default(question: &Question, evidence: &Evidence) -> Option<Unavailable> {
    let arguments = &evidence.binding.arguments;
    let is_taken = |code: &str| arguments.iter().any(|argument| naming::takes(argument, code));
    let codes = standard_codes(question, Role::Currency);
    let (code, range) = codes.iter().find(|(code, _)| !is_taken(code))?;
    arguments.iter().filter(|argument| !argument.is_required && !argument.is_said()).find_map(|argument| {
        let listed = naming::listed(evidence, &argument.name);
        let are_currencies = !listed.is_empty() && listed.iter().all(|it| standards::currency(it).is_some());
        let named = question.text[range.clone()].to_owned();
        let is_unlisted = are_currencies && !listed.iter().any(|it| it.eq_ignore_ascii_case(code));
        is_unlisted.then(|| Unavailable::Value { named, argument: argument.name.clone(), listed })
    })
}

/// The coin that a word in any case names and no argument takes: the "dogecoin" of "dogecoin open interest".
fn named_coin<'q>(question: &'q Question, evidence: &Evidence) -> Option<&'q str> {
    let is_name = |word: &&Word| standards::coin(&word.lower).is_some();
    question
        .words
        .iter()
        .find(|word| is_name(word) && !evidence.binding.uses(&word.range))
        .map(|word| &question.text[word.range.clone()])
}

/// What an amount is counted in, or to be turned into, that is none of the currencies that the question names: the "miles" of
/// "10 miles", the "gold" of "to gold".
fn foreign_unit<'q>(
    question: &'q Question,
    evidence: &Evidence,
    currencies: &[(&str, Range<usize>)],
) -> Option<&'q str> {
    let is_currency = |word: &Word| currencies.iter().any(|(_, range)| range.contains(&word.range.start));
    let measures = |before: &Word| {
        matches!(before.lower.as_str(), "to" | "into")
            || before.lower.bytes().all(|byte| byte.is_ascii_digit())
    };
    let is_of_number = |word: &Word| {
        let holds = |span: &Span| matches!(span.kind, Kind::Number(_)) && overlaps(&span.range, &word.range);
        question.spans.iter().any(holds)
    };
    let is_unit = |word: &Word| {
        !word.is_stop
            && !is_of_number(word)
            && word.lower.chars().all(char::is_alphabetic)
            && !is_currency(word)
            && !question.is_when(word)
            && !evidence.known.parameters.mentions(&word.stem)
    };
    let unit = question.words.windows(2).find(|pair| measures(&pair[0]) && is_unit(&pair[1]))?;
    question.text.get(unit[1].range.clone())
}

/// Whether it is written as codes are: `BTC`, `1INCH`.
fn is_code(text: &str) -> bool {
    text.len() > 1
        && text.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit())
        && text.contains(|c: char| c.is_ascii_uppercase())
}
