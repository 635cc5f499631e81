//! What a stretch of the question could be for an argument: by the kind of value that it looks like, and by what stands around it.

use serde_json::Value;

use super::identity::may_identify;
use super::parameter::{Parameter, Parameters};
use super::place;
use super::proximity::{direction, nearness};
use super::role::Role;
use super::topic;
use super::{Candidate, Family};
use crate::Question;
use crate::spans::{Kind, Span, numeral};
use crate::standards;
use crate::words;

/// A stretch of the question as what an argument takes, where it may be that.
pub(super) fn spanned(
    question: &Question,
    (parameter, parameters): (&Parameter, &Parameters),
    span: &Span,
) -> Option<Candidate> {
    let kind = if is_email(span) { Kind::Email } else { span.kind };
    let is_address_of = kind == Kind::Email && parameter.notes.contains("email");
    let fit = if is_address_of { 0.7 } else { fit(parameter.role, kind)? };
    let mut near = nearness(question, parameter, &span.range);
    if is_something_else(question, (parameter, parameters), span, near) {
        return None;
    }
    if parameter.role == Role::Path {
        near += folder_fit(span, parameters);
    }
    // "Premier League" for `league`.
    let head = span.text.rsplit_once(' ').map(|(_, head)| words::stem(&head.to_lowercase()).into_owned());
    let says = |parameter: &Parameter| head.as_ref().is_some_and(|head| parameter.own.contains(head));
    if parameter.role == Role::Place && standards::currency(&span.text).is_some() {
        return None;
    }
    if parameter.role == Role::Name && span.kind == Kind::Name && !says(parameter) {
        place::score_like_one(question, span, &mut near);
    }
    let mut score = fit + 0.35 * near + direction(question, parameter, &span.range);
    // What is quoted in words alone, or in several, identifies nothing, unless it stands beside the word for it.
    let is_spelled = || {
        span.text.chars().all(|sign| sign.is_alphabetic() || sign == ' ') || span.text.split(' ').count() > 2
    };
    if parameter.role == Role::Id && span.kind == Kind::Quoted && near < 0.5 && is_spelled() {
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
        let is_country = standards::country(&span.text).is_some();
        score += if is_country { 0.25 } else { -0.1 };
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

/// Whether a stretch of a kind that an argument takes is something else by what it says and where it stands.
fn is_something_else(
    question: &Question,
    (parameter, parameters): (&Parameter, &Parameters),
    span: &Span,
    near: f64,
) -> bool {
    let is_number = matches!(span.kind, Kind::Number(_));
    let is_spelled = span.text.chars().all(char::is_alphabetic);
    let takes_it = near > 1.0 || near >= 0.5 && takes_numbers(parameter);
    let is_amount = is_number && (!takes_it || is_sum(span) || is_spelled);
    let is_telephone = is_number && question.text[..span.range.start].ends_with('+');
    let stem = || words::stem(&span.text.to_lowercase()).into_owned();
    // The "URL" that says what follows.
    let is_label = span.kind == Kind::Ticker
        && matches!(parameter.role, Role::Name | Role::Place)
        && parameters.names(&stem());
    // "My user_id is 'U2'".
    let is_key = span.kind == Kind::Identifier && question.text[span.range.end..].starts_with(" is ");
    let is_code = parameter.own.iter().any(|stem| CODES.contains(&stem.as_str()));
    let is_of = |role: Role| parameter.role == role;
    // The service that the method is for.
    let is_service = || span.kind == Kind::Name && parameters.name.contains(&stem());
    let is_account = || is_numbered(&span.text) && !takes_numbers(parameter);
    // "On Boxing Day": nothing is on a country.
    let is_day =
        || standards::country(&span.text).is_none() && topic::word_before(question, &span.range) == "on";
    is_amount
        || is_telephone
        || is_label
        || is_key
        || is_code && is_email(span)
        || is_of(Role::Name) && (is_service() || is_account() || place::is_city_or_state(question, span))
        || is_of(Role::Place)
            && (place::is_wider_than(parameter, &span.text) || place::is_coin(question, span))
        || is_of(Role::Id) && !may_identify(question, parameter, span)
        || is_of(Role::Secret) && near < SECRET_NEAR_MIN
        || is_of(Role::Country) && is_day()
}

/// Whether a stretch is an address, be it in quotes.
fn is_email(span: &Span) -> bool {
    span.kind == Kind::Email
        || span.kind == Kind::Quoted && span.text.contains('@') && !span.text.contains(' ')
}

/// What is secret is told as such: "my password is".
const SECRET_NEAR_MIN: f64 = 0.2;

/// What is no address, whatever it is.
const CODES: [&str; 6] = ["code", "token", "otp", "pin", "password", "key"];

/// Whether the word before what is quoted says that it is something else: "my access token 'abc'" is no class.
pub(super) fn is_labelled_otherwise(question: &Question, parameter: &Parameter, span: &Span) -> bool {
    let label = question
        .words_before(&span.range)
        .iter()
        .rev()
        .find(|word| !matches!(word.lower.as_str(), "is" | "of" | "as" | "named" | "called" | "saying"));
    label.is_some_and(|label| {
        LABELS.contains(&label.lower.as_str()) && parameter.role != Role::Id && !parameter.says(&label.stem)
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
