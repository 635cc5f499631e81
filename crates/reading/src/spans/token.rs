//! Tokens that are no words: addresses, paths, identifiers, symbols.

use super::{Kind, Span};
use crate::standards;
use crate::words::{self, is_unspaced};

/// The tokens that a machine would understand, in order.
pub(super) fn tokens(text: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut start = None;
    for (at, character) in text.char_indices().chain([(text.len(), ' ')]) {
        let is_break = character.is_whitespace()
            || matches!(character, '"' | '`' | '“' | '”' | '(' | ')' | '<' | '>' | ';');
        match (is_break, start) {
            (false, None) => start = Some(at),
            (true, Some(from)) => {
                split_token(text, from, at, &mut spans);
                start = None;
            }
            _ => {}
        }
    }
    spans
}

fn split_token(text: &str, from: usize, end: usize, spans: &mut Vec<Span>) {
    let raw = &text[from..end];
    let is_address = raw.contains("://") || raw.contains('@');
    if is_address || !raw.contains(',') {
        push(text, from, end, spans);
        return;
    }
    let mut start = from;
    for part in raw.split(',') {
        push(text, start, start + part.len(), spans);
        start += part.len() + 1;
    }
}

fn push(text: &str, from: usize, end: usize, spans: &mut Vec<Span>) {
    let raw = &text[from..end];
    let left = raw.trim_start_matches(['\'', '‘', '[', '{', ':', '=']);
    let trimmed = left.trim_end_matches(['.', ',', '!', '?', ':', '\'', '’', ']', '}']);
    let trimmed = trimmed.strip_suffix("'s").or_else(|| trimmed.strip_suffix("’s")).unwrap_or(trimmed);
    let trimmed = without_particle(trimmed);
    if is_labelled_number(trimmed) {
        return;
    }
    if let Some(kind) = kind_of(trimmed) {
        let start = from + raw.len() - left.len();
        let shown =
            trimmed.strip_prefix(['$', '#']).filter(|_| matches!(kind, Kind::Ticker | Kind::Identifier));
        spans.push(Span {
            range: start..start + trimmed.len(),
            text: shown.unwrap_or(trimmed).to_owned(),
            kind,
        });
    }
}

/// "id:7434": a word and the number that it is glued to are no token.
fn is_labelled_number(token: &str) -> bool {
    token.split_once(':').is_some_and(|(label, number)| {
        let is_word = !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_alphabetic());
        is_word && !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// "lee@example.com으로": what follows in a script whose particles cling to words is none of the token.
fn without_particle(token: &str) -> &str {
    let bare = token.trim_end_matches(is_unspaced);
    if bare.is_ascii() && !bare.is_empty() { bare } else { token }
}

fn kind_of(token: &str) -> Option<Kind> {
    let is_url = ["http://", "https://", "www.", "ws://", "wss://", "ftp://", "ipfs://"];
    if is_url.iter().any(|start| token.starts_with(start) && token.len() > start.len()) {
        return Some(Kind::Url);
    }
    if let Some((user, host)) = token.split_once('@') {
        let is_email = !user.is_empty() && host.contains('.') && !host.starts_with('.');
        return is_email.then_some(Kind::Email);
    }
    if is_uuid(token) {
        return Some(Kind::Uuid);
    }
    if let Some(kind) = symbol(token) {
        return Some(kind);
    }
    if is_path(token) {
        return Some(Kind::Path);
    }
    if is_file(token) {
        return Some(Kind::File);
    }
    is_identifier(token).then_some(Kind::Identifier)
}

fn is_uuid(token: &str) -> bool {
    token.len() == 36
        && token.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

fn symbol(token: &str) -> Option<Kind> {
    let is_symbol = |part: &str, least: usize| {
        (least..=10).contains(&part.len())
            && part.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
            && part.bytes().any(|byte| byte.is_ascii_uppercase())
    };
    let is_currency = |part: &str| part.len() == 3 && standards::currency(part).is_some();
    if token.split_once('/').is_some_and(|(base, quote)| is_currency(base) && is_currency(quote)) {
        return Some(Kind::Pair);
    }
    if let Some((base, quote)) = token.split_once(['/', '-'])
        && is_symbol(base, 2)
        && is_symbol(quote, 2)
        && !token.bytes().any(|byte| byte.is_ascii_digit())
    {
        return Some(Kind::Pair);
    }
    let bare = token.strip_prefix('$').unwrap_or(token);
    if words::between_currencies(bare).is_some() {
        return Some(Kind::Pair);
    }
    let letters = bare.bytes().all(|byte| byte.is_ascii_uppercase());
    (letters && (2..=6).contains(&bare.len())).then_some(Kind::Ticker)
}

fn is_path(token: &str) -> bool {
    let has_letter = token.chars().any(char::is_alphabetic);
    let rooted = token.starts_with('/')
        || token.starts_with("~/")
        || token.starts_with("./")
        || token.starts_with("../");
    let drive = token.get(1..3).is_some_and(|part| part == ":\\" || part == ":/");
    let parts = token.split('/').filter(|part| !part.is_empty()).count();
    let ends_in_file = token.rsplit('/').next().is_some_and(is_file);
    (rooted && has_letter)
        || (token == "/" || token == "~" || token == ".")
        || drive
        || (token.contains('/') && has_letter && (parts > 2 || ends_in_file || token.ends_with('/')))
}

fn is_file(token: &str) -> bool {
    let Some((stem, extension)) = token.rsplit_once('.') else { return false };
    (1..=5).contains(&extension.len())
        && extension.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && extension.bytes().any(|byte| byte.is_ascii_lowercase())
        && stem.chars().count() >= 2
        && stem.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))
        && stem.chars().any(char::is_alphabetic)
        && !matches!(token, "e.g" | "i.e" | "vs" | "a.m" | "p.m")
}

fn is_identifier(token: &str) -> bool {
    let bare = token.strip_prefix('#').unwrap_or(token);
    let is_plain = bare.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '/'));
    if !is_plain || bare.chars().count() < 3 {
        return token.starts_with('#') && !bare.is_empty() && is_plain;
    }
    if is_hyphenated_number(bare) {
        return true;
    }
    let has_letter = bare.chars().any(char::is_alphabetic);
    let has_digit = bare.chars().any(|c| c.is_ascii_digit());
    let starts_with_number = bare.starts_with(|c: char| c.is_ascii_digit());
    // "24h", "5km" and "2.5k" are numbers with a unit; "1st" is an ordinal.
    let is_measure = starts_with_number
        && bare.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').chars().count() <= 4
        && bare.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').chars().all(char::is_alphabetic);
    let is_hyphenated_measure =
        starts_with_number && bare.contains('-') && !bare.chars().any(char::is_uppercase);
    (has_letter && has_digit && !is_measure && !is_hyphenated_measure) || (bare.contains('_') && has_letter)
}

/// Digits that a bank account, a telephone or a book goes by: `123-456-789`.
fn is_hyphenated_number(token: &str) -> bool {
    let digits = token.bytes().filter(u8::is_ascii_digit).count();
    let groups = token.split('-').filter(|group| !group.is_empty()).count();
    // "2020-2021" is a stretch of years.
    (groups > 2 && digits > 6 || groups > 1 && digits > 8) && digits + groups - 1 == token.len()
}
