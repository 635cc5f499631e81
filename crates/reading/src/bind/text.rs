//! Names, places, codes, paths and other texts.

use serde_json::Value;

use super::code;
use super::identity::may_identify;
use super::label;
use super::parameter::{Parameter, Parameters};
use super::phrase::{self, Phrase};
use super::place;
use super::proximity::{direction, nearness};
use super::role::Role;
use super::topic;
use super::{Candidate, Family};
use crate::Question;
use crate::spans::{Kind, Span, numeral};
use crate::standards;
use crate::time::zone_of;
use crate::words;

pub(super) fn candidates(
    question: &Question,
    parameter: &Parameter,
    parameters: &Parameters,
) -> Vec<Candidate> {
    match parameter.role {
        Role::Zone => code::zones(question, parameter),
        Role::Search | Role::Text => topic::candidates(question, parameter, parameters),
        Role::Formal => formal(question),
        Role::Currency => {
            code::coded(question, parameter, |text| standards::currency(text).map(str::to_owned))
        }
        Role::CountryCode => {
            let is_long = parameter.notes.contains("alpha-3") || parameter.notes.contains("three");
            code::coded(question, parameter, |text| {
                standards::country(text)
                    .map(|country| if is_long { country.alpha3 } else { country.alpha2 }.to_owned())
            })
        }
        Role::Language => languages(question, parameter, parameters),
        Role::Path
        | Role::Url
        | Role::Email
        | Role::Country
        | Role::Symbol
        | Role::Place
        | Role::Id
        | Role::Secret
        | Role::Name
        | Role::Limit
        | Role::Length(_) => named(question, parameter, parameters),
        // These come from the question's moments.
        Role::Start
        | Role::End
        | Role::Date
        | Role::Year
        | Role::Month
        | Role::Clock
        | Role::Window
        | Role::Grain
        | Role::Page => Vec::new(),
    }
}

/// Spans by how well their kind fits, then phrases after prepositions.
fn named(question: &Question, parameter: &Parameter, parameters: &Parameters) -> Vec<Candidate> {
    let mut found: Vec<Candidate> =
        question.spans.iter().filter_map(|span| spanned(question, (parameter, parameters), span)).collect();
    if parameter.role == Role::Place {
        found.extend(place::addresses(question, parameter));
        if !place::is_told_apart(parameters) {
            found.extend(place::joined(question, parameter));
        }
    }
    if matches!(parameter.role, Role::Place | Role::Name | Role::Symbol | Role::Country | Role::Path) {
        found.extend(
            phrase::phrases(question, parameters)
                .into_iter()
                .filter_map(|phrase| phrased(question, parameter, &phrase)),
        );
    }
    if matches!(parameter.role, Role::Name | Role::Place | Role::Symbol) {
        found.extend(label::beside(question, parameter, parameters));
        found.extend(label::modifying(question, parameter, parameters));
    }
    found.extend(label::sizes(question, parameter));
    found.extend(label::colours(question, parameter));
    found.extend(label::telephones(question, parameter));
    found.extend(label::versions(question, parameter));
    if parameter.role == Role::Id {
        found.extend(label::identified(question));
    }
    found
}

fn spanned(
    question: &Question,
    (parameter, parameters): (&Parameter, &Parameters),
    span: &Span,
) -> Option<Candidate> {
    // An address is one in quotes, too.
    let is_quoted_email = span.kind == Kind::Quoted && span.text.contains('@') && !span.text.contains(' ');
    let kind = if is_quoted_email { Kind::Email } else { span.kind };
    let fit = fit(parameter.role, kind)?;
    let mut near = nearness(question, parameter, &span.range);
    let is_number = matches!(span.kind, Kind::Number(_));
    let is_spelled = span.text.chars().all(char::is_alphabetic);
    let is_labelled = near > 1.0;
    let takes = is_labelled || near >= 0.5 && takes_numbers(parameter);
    if is_number && (!takes || is_sum(span) || is_spelled) {
        return None;
    }
    let is_telephone = question.text[..span.range.start].ends_with('+');
    let is_account = is_numbered(&span.text) && !takes_numbers(parameter);
    let is_city = place::is_city_or_state(question, span);
    if is_telephone && is_number || (is_account || is_city) && parameter.role == Role::Name {
        return None;
    }
    let stem = || words::stem(&span.text.to_lowercase()).into_owned();
    // The "URL" that says what follows, and the service that the method is for.
    let is_label = span.kind == Kind::Ticker
        && matches!(parameter.role, Role::Name | Role::Place)
        && parameters.names(&stem());
    let is_service =
        span.kind == Kind::Name && parameter.role == Role::Name && parameters.name.contains(&stem());
    // "My user_id is 'U2'".
    let is_key = span.kind == Kind::Identifier && question.text[span.range.end..].starts_with(" is ");
    if is_label
        || is_key
        || is_service
        || parameter.role == Role::Place && place::is_wider_than(parameter, &span.text)
    {
        return None;
    }
    if parameter.role == Role::Id && !may_identify(question, parameter, span) {
        return None;
    }
    if parameter.role == Role::Path {
        near += folder_fit(span, parameters);
    }
    // "Premier League" for `league`.
    let head = span.text.rsplit_once(' ').map(|(_, head)| words::stem(&head.to_lowercase()).into_owned());
    let says = |parameter: &Parameter| head.as_ref().is_some_and(|head| parameter.own.contains(head));
    if parameter.role == Role::Name && span.kind == Kind::Name && !says(parameter) {
        place::score_like_one(question, span, &mut near);
    }
    let mut score = fit + 0.35 * near + direction(question, parameter, &span.range);
    // What is quoted in letters alone names nobody, unless it stands beside the word for it.
    if parameter.role == Role::Id && span.kind == Kind::Quoted && is_spelled && near < 0.5 {
        score -= 0.3;
    }
    if parameter.role == Role::Place {
        score += place::bonus(question, &span.range);
        if !says(parameter) && parameters.list.iter().any(says) {
            score -= 0.3;
        }
    }
    if span.kind == Kind::Quoted && is_labelled_otherwise(question, parameter, span) {
        score -= 0.3;
    }
    if parameter.role == Role::Country {
        score += if standards::country(&span.text).is_some() { 0.25 } else { -0.1 };
    }
    let mut text = span.text.clone();
    if parameter.role == Role::Symbol {
        score += symbol_shape(parameter, span)? + symbol_place(question, parameters, span);
        text = text.to_uppercase();
    }
    if shouts(parameter) && text.chars().any(char::is_lowercase) && !matches!(span.kind, Kind::Quoted) {
        score -= 0.2;
    }
    Some(Candidate::said(Value::from(text), score, span.range.clone(), Family::Text))
}

/// Whether the word before what is quoted says that it is something else: "my access token 'abc'" is no class.
pub(super) fn is_labelled_otherwise(question: &Question, parameter: &Parameter, span: &Span) -> bool {
    let label = question
        .words_before(&span.range)
        .iter()
        .rev()
        .find(|word| !matches!(word.lower.as_str(), "is" | "of" | "as" | "named" | "called" | "saying"));
    label.is_some_and(|label| {
        LABELS.contains(&label.lower.as_str())
            && parameter.role != Role::Id
            && !parameter.own.contains(&label.stem)
            && !parameter.is_described_by(&label.stem)
    })
}

/// Words that say what is quoted behind them.
const LABELS: [&str; 13] = [
    "token",
    "password",
    "username",
    "id",
    "code",
    "key",
    "message",
    "title",
    "subject",
    "description",
    "card",
    "body",
    "number",
];

/// A file is no folder: a method that lists folders does not take `notes.txt`.
fn folder_fit(span: &Span, parameters: &Parameters) -> f64 {
    let named = |stems: &[&str]| parameters.name.iter().any(|stem| stems.contains(&stem.as_str()));
    let lists_folders = named(&["directori", "folder", "dir", "tree", "ls"]) && !named(&["file"]);
    let is_file =
        span.text.rsplit(['/', '\\']).next().is_some_and(|last| last.trim_start_matches('.').contains('.'));
    if lists_folders && is_file { -1.0 } else { 0.0 }
}

/// Whether a number is one of money, or of something that it counts.
fn is_sum(span: &Span) -> bool {
    let is_money = matches!(span.kind, Kind::Number(amount) if amount.currency.is_some());
    is_money || numeral::counts(&span.text).is_some()
}

/// Whether a text is a number in groups, as those of accounts and telephones are: "110-234-567890".
fn is_numbered(text: &str) -> bool {
    text.contains('-') && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
}

/// Whether a text may be a bare number: identifiers, house numbers, versions.
fn takes_numbers(parameter: &Parameter) -> bool {
    const NUMBERED: [&str; 24] = [
        "mobil", "tel", "contact", "isbn", "card", "serial", "number", "no", "code", "zip", "phone",
        "postal", "postcod", "version", "level", "chapter", "season", "episod", "edit", "grade", "size",
        "centuri", "room", "account",
    ];
    parameter.role == Role::Id || parameter.own.iter().any(|stem| NUMBERED.contains(&stem.as_str()))
}

fn fit(role: Role, kind: Kind) -> Option<f64> {
    let fit = match (role, kind) {
        (Role::Email, Kind::Email) | (Role::Url, Kind::Url) => 0.95,
        (Role::Path, Kind::Path) => 0.9,
        (Role::Id, Kind::Uuid) => 0.75,
        (Role::Symbol, Kind::Ticker) => 0.72,
        (Role::Place | Role::Country, Kind::Name) | (Role::Path, Kind::File) => 0.6,
        (Role::Symbol, Kind::Pair)
        | (Role::Id, Kind::Identifier)
        | (Role::Name, Kind::Quoted)
        | (Role::Secret, Kind::Quoted | Kind::Identifier) => 0.65,
        (Role::Name, Kind::Name) => 0.55,
        (Role::Symbol | Role::Id | Role::Place, Kind::Quoted)
        | (Role::Symbol, Kind::Identifier)
        | (Role::Url, Kind::File) => 0.5,
        (Role::Id | Role::Name, Kind::Number(_))
        | (Role::Name, Kind::Identifier | Kind::File)
        | (Role::Path, Kind::Quoted) => 0.4,
        (Role::Place | Role::Name, Kind::Ticker)
        | (Role::Name, Kind::Pair | Kind::Url | Kind::Email | Kind::Code | Kind::Path | Kind::Uuid) => 0.35,
        (Role::Id, Kind::Ticker) => 0.3,
        (Role::Symbol, Kind::Name) => 0.25,
        (Role::Country, Kind::Ticker | Kind::Quoted) => 0.45,
        _ => return None,
    };
    Some(fit)
}

/// Whether the examples of a parameter are all capitals: symbols, codes.
pub(super) fn shouts(parameter: &Parameter) -> bool {
    let mut texts = parameter.choices.iter().filter_map(|choice| choice.value.as_str()).peekable();
    texts.peek().is_some()
        && texts.all(|text| {
            text.len() <= 12 && text.chars().any(char::is_alphabetic) && !text.chars().any(char::is_lowercase)
        })
}

/// A company's name is no ticker where the examples are tickers; a pair is right where they are pairs.
fn symbol_shape(parameter: &Parameter, span: &Span) -> Option<f64> {
    let wants_pair = parameter.own.iter().any(|stem| stem == "pair")
        || parameter.choices.iter().any(|choice| choice.text.contains(['/', '-']));
    if span.kind == Kind::Name && (shouts(parameter) || parameter.notes.contains("ticker")) {
        return None;
    }
    Some(if span.kind == Kind::Pair && wants_pair { 0.2 } else { 0.0 })
}

/// "Apple Inc. (AAPL)" names its symbol; a measure that the method itself is about is none; a long code is a key.
fn symbol_place(question: &Question, parameters: &Parameters, span: &Span) -> f64 {
    let is_in_brackets = question.text[..span.range.start].ends_with('(');
    let is_own = span.kind == Kind::Ticker && parameters.knows(&span.text.to_lowercase());
    let is_long =
        span.kind == Kind::Identifier && span.text.len() > 6 && span.text.chars().any(char::is_uppercase);
    f64::from(u8::from(is_in_brackets)) * 0.15 - f64::from(u8::from(is_own)) * 0.4
        + f64::from(u8::from(is_long)) * 0.3
}

/// "weather in paris": a phrase in lower case after a preposition.
pub(super) fn phrased(question: &Question, parameter: &Parameter, phrase: &Phrase) -> Option<Candidate> {
    let text = &question.text[phrase.range.clone()];
    let near = nearness(question, parameter, &phrase.range);
    let preposition = topic::word_before(question, &phrase.range);
    let mut score = 0.28 + 0.35 * near + direction(question, parameter, &phrase.range);
    let first = question.words_in(&phrase.range).next();
    if first.is_some_and(|word| standards::number_word(&word.lower).is_some()) {
        return None;
    }
    if matches!(parameter.role, Role::Place | Role::Country) {
        score += match preposition {
            "in" | "at" | "near" | "around" => 0.2,
            "for" | "from" | "to" | "of" => 0.08,
            _ => return None,
        };
        if zone_of(text).is_some() {
            score += 0.15;
        }
    } else if parameter.role == Role::Symbol {
        let is_short = (2..=5).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if !is_short {
            return None;
        }
        let upper = Value::from(text.to_uppercase());
        return Some(Candidate::said(upper, score, phrase.range.clone(), Family::Text));
    } else if parameter.role == Role::Name {
        score += if matches!(preposition, "named" | "called" | "titled") { 0.35 } else { 0.0 };
        if shouts(parameter) {
            return None;
        }
    } else if !matches!(preposition, "named" | "called") {
        return None;
    }
    Some(Candidate::said(Value::from(text), score, phrase.range.clone(), Family::Text))
}

fn languages(question: &Question, parameter: &Parameter, parameters: &Parameters) -> Vec<Candidate> {
    let wants_code = ["iso 639", "code", "'en'", "\"en\"", "(en", "e.g. en", "e.g., en", "en-us"]
        .iter()
        .any(|mark| parameter.notes.contains(mark))
        || parameter.choices.iter().any(|choice| choice.text == "en");
    let mut found = code::coded(question, parameter, |text| {
        let code = standards::language(text)?;
        Some(if wants_code { code.to_owned() } else { text.to_owned() })
    });
    if found.is_empty() && parameter.is_required && !wants_code {
        found = label::beside(question, parameter, parameters);
    }
    found
}

/// SQL, code and formulas have to be written out.
fn formal(question: &Question) -> Vec<Candidate> {
    let mut found: Vec<Candidate> = question
        .spans
        .iter()
        .filter(|span| matches!(span.kind, Kind::Quoted | Kind::Code))
        .map(|span| Candidate::said(Value::from(span.text.as_str()), 0.8, span.range.clone(), Family::Text))
        .collect();
    let upper = ["SELECT ", "WITH ", "select "];
    if found.is_empty()
        && let Some(start) = upper
            .iter()
            .find_map(|word| question.text.find(word))
            .filter(|start| question.text[*start..].to_lowercase().contains(" from "))
    {
        let range = start..question.text.len();
        let text = question.text[range.clone()].trim_end_matches(['?', '.']);
        found.push(Candidate::said(Value::from(text), 0.9, range, Family::Text));
    }
    found
}
