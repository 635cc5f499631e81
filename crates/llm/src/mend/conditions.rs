//! `a ? b : c`.

use super::token::{Kind, Token, inside_end, next};

/// Conditionals become `if a { b } else { c }`, the innermost first.
pub(super) fn conditionals(tokens: &mut Vec<Token>) -> bool {
    let mut is_changed = false;
    while let Some(mark) = tokens.iter().rposition(|token| token.is_sign("?")) {
        if !conditional(tokens, mark) {
            break;
        }
        is_changed = true;
    }
    is_changed
}

fn conditional(tokens: &mut Vec<Token>, mark: usize) -> bool {
    let from = start(tokens, mark);
    let Some(colon) = at_depth(tokens, mark + 1, |token| token.is_sign(":")) else { return false };
    let ends = |token: &Token| {
        (token.kind == Kind::Sign && matches!(token.text.as_str(), "," | ";" | ":"))
            || (token.is_space() && token.text.contains('\n'))
    };
    let Some(first) = next(tokens, colon + 1) else { return false };
    let to = at_depth(tokens, first, ends).unwrap_or_else(|| inside_end(tokens, first, |_| false));
    let part = |from: usize, to: usize| -> Vec<Token> {
        let inner: Vec<Token> = tokens[from..to].to_vec();
        let first = inner.iter().position(|token| !token.is_space()).unwrap_or(inner.len());
        let last = inner.iter().rposition(|token| !token.is_space()).map_or(first, |last| last + 1);
        inner[first..last].to_vec()
    };
    let (condition, yes, no) = (part(from, mark), part(mark + 1, colon), part(colon + 1, to));
    if condition.is_empty() || yes.is_empty() || no.is_empty() {
        return false;
    }
    let words = |text: &str| super::token::tokens(text);
    let written = [words("if "), condition, words(" { "), yes, words(" } else { "), no, words(" }")].concat();
    tokens.splice(from..to, written);
    true
}

/// Where the condition before a question mark begins.
fn start(tokens: &[Token], mark: usize) -> usize {
    let mut depth = 0_usize;
    for place in (0..mark).rev() {
        let token = &tokens[place];
        if token.closes() {
            // A block that has ended is no part of the condition.
            if depth == 0 && token.is_sign("}") {
                return first_word(tokens, place + 1);
            }
            depth += 1;
        } else if token.opens() {
            match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => return first_word(tokens, place + 1),
            }
        } else if depth == 0 && parts(token) {
            return first_word(tokens, place + 1);
        }
    }
    first_word(tokens, 0)
}

fn first_word(tokens: &[Token], from: usize) -> usize {
    next(tokens, from).unwrap_or(from)
}

/// What a condition cannot hold.
fn parts(token: &Token) -> bool {
    match token.kind {
        Kind::Sign => matches!(token.text.as_str(), "=" | "," | ";" | ":" | "?" | "+=" | "-=" | "|"),
        Kind::Word => matches!(token.text.as_str(), "return" | "in" | "else"),
        Kind::Space | Kind::Number | Kind::Text | Kind::Quoted | Kind::Template => false,
    }
}

/// The first token from `from` on that is wanted, outside of brackets; none where the brackets around it end first.
fn at_depth(tokens: &[Token], from: usize, wanted: impl Fn(&Token) -> bool) -> Option<usize> {
    let mut depth = 0_usize;
    for (place, token) in tokens.iter().enumerate().skip(from) {
        if depth == 0 && wanted(token) {
            return Some(place);
        }
        if token.opens() {
            depth += 1;
        } else if token.closes() {
            depth = depth.checked_sub(1)?;
        }
    }
    None
}
