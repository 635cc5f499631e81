//! `x => y`, `(a, b) => y`, `function (x) {}` and `function name(x) {}`.

use super::token::{Kind, Token, before, next, opening};

/// Arrow functions become closures, and functions become `fn` or closures.
pub(super) fn closures(tokens: &mut Vec<Token>) -> bool {
    let mut is_changed = false;
    while let Some(arrow) = tokens.iter().position(|token| token.is_sign("=>")) {
        if !arrow_function(tokens, arrow) {
            break;
        }
        is_changed = true;
    }
    let mut place = 0;
    while place < tokens.len() {
        if ["function", "def"].iter().any(|word| tokens[place].is_word(word)) {
            is_changed |= function(tokens, place);
        }
        place += 1;
    }
    is_changed
}

fn arrow_function(tokens: &mut Vec<Token>, arrow: usize) -> bool {
    let Some(last) = before(tokens, arrow) else { return false };
    let first = if tokens[last].is_sign(")") { opening(tokens, last) } else { Some(last) };
    let Some(first) = first.filter(|_| tokens[last].is_sign(")") || tokens[last].kind == Kind::Word) else {
        return false;
    };
    let names = if first == last { &tokens[first..=last] } else { &tokens[first + 1..last] };
    let closure: Vec<Token> =
        [Token::sign("|")].into_iter().chain(names.iter().cloned()).chain([Token::sign("|")]).collect();
    tokens.splice(first..=arrow, closure);
    true
}

fn function(tokens: &mut Vec<Token>, place: usize) -> bool {
    let Some(after) = next(tokens, place + 1) else { return false };
    if tokens[after].kind == Kind::Word {
        tokens[place] = Token::word("fn");
        return true;
    }
    let Some(close) = super::token::closing(tokens, after).filter(|_| tokens[after].is_sign("(")) else {
        return false;
    };
    tokens[close] = Token::sign("|");
    tokens.splice(place..=after, [Token::sign("|")]);
    true
}
