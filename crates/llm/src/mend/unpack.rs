//! `let {a, b: c} = d;` and `let [a, b] = d;`.

use std::fmt::Write;

use super::token::{Kind, Token, closing, inside_end, next, parted, text, tokens as cut};

/// One declaration that takes a value apart becomes one for each name.
pub(super) fn destructuring(tokens: &mut Vec<Token>) -> bool {
    let mut count = 0;
    let mut place = 0;
    while place < tokens.len() {
        if tokens[place].is_word("let")
            && let Some((end, text)) = apart(tokens, place, count)
        {
            tokens.splice(place..end, cut(&text));
            count += 1;
        }
        place += 1;
    }
    count > 0
}

/// Where the declaration ends, and what takes its place.
fn apart(tokens: &[Token], at: usize, count: usize) -> Option<(usize, String)> {
    let open = next(tokens, at + 1)?;
    let is_map = tokens[open].is_sign("{") || tokens[open].is_sign("#{");
    if !is_map && !tokens[open].is_sign("[") {
        return None;
    }
    let close = closing(tokens, open)?;
    let equals = next(tokens, close + 1).filter(|equals| tokens[*equals].is_sign("="))?;
    let end = statement_end(tokens, equals + 1);
    let whole = if count == 0 { "whole".to_owned() } else { format!("whole_{}", count + 1) };
    let mut text_out = format!("let {whole} = {};", text(&tokens[equals + 1..end]).trim());
    for (place, (from, to)) in parted(tokens, open + 1, close).into_iter().enumerate() {
        let names: Vec<&Token> = tokens[from..to].iter().filter(|token| !token.is_space()).collect();
        let _ = match names.as_slice() {
            [name] if is_map && name.kind == Kind::Word => {
                write!(text_out, " let {0} = {whole}.{0};", name.text)
            }
            [key, colon, name] if is_map && colon.is_sign(":") => {
                write!(text_out, " let {} = {whole}.{};", name.text, key.text)
            }
            [name] if name.kind == Kind::Word => write!(text_out, " let {} = {whole}[{place}];", name.text),
            _ => return None,
        };
    }
    let after = if tokens.get(end).is_some_and(|token| token.is_sign(";")) { end + 1 } else { end };
    Some((after, text_out))
}

/// The semicolon or the line's end that ends a statement, outside of brackets.
fn statement_end(tokens: &[Token], from: usize) -> usize {
    inside_end(tokens, from, |token| token.is_sign(";") || (token.is_space() && token.text.contains('\n')))
}
