//! `{a: 1}`, `{a, b}` and `[...a, ...b]`.

use super::token::{Kind, Token, before, closing, insert, next, parted};

/// Braces that hold keys become maps; a key without a value becomes one with the variable of its name.
pub(super) fn maps(tokens: &mut Vec<Token>) -> bool {
    let mut is_changed = false;
    let mut place = 0;
    while place < tokens.len() {
        if tokens[place].is_sign("{") && is_map(tokens, place) {
            tokens[place] = Token::sign("#{");
            name_shorthands(tokens, place);
            is_changed = true;
        }
        place += 1;
    }
    is_changed
}

fn is_map(tokens: &[Token], open: usize) -> bool {
    let Some(first) = next(tokens, open + 1) else { return false };
    let follows = next(tokens, first + 1);
    let is_followed_by = |sign: &str| follows.is_some_and(|at| tokens[at].is_sign(sign));
    let is_key = matches!(tokens[first].kind, Kind::Word | Kind::Text);
    if is_key && is_followed_by(":") {
        return true;
    }
    let is_value = before(tokens, open).is_some_and(|at| stands_before_a_value(&tokens[at]));
    let is_shorthand = tokens[first].kind == Kind::Word && (is_followed_by(",") || is_followed_by("}"));
    is_value && (tokens[first].is_sign("}") || tokens[first].is_sign("...") || is_shorthand)
}

fn stands_before_a_value(token: &Token) -> bool {
    match token.kind {
        Kind::Sign => matches!(token.text.as_str(), "(" | "[" | "," | "=" | ":" | "?" | "==" | "!="),
        Kind::Word => token.text == "return",
        Kind::Space | Kind::Number | Kind::Text | Kind::Quoted | Kind::Template => false,
    }
}

fn name_shorthands(tokens: &mut Vec<Token>, open: usize) {
    let Some(close) = closing(tokens, open) else { return };
    for (from, to) in parted(tokens, open + 1, close).into_iter().rev() {
        let Some(name) = next(&tokens[..to], from).filter(|name| tokens[*name].kind == Kind::Word) else {
            continue;
        };
        if next(&tokens[..to], name + 1).is_none() {
            let value = tokens[name].clone();
            insert(tokens, name + 1, [Token::sign(":"), Token::space(), value]);
        }
    }
}

/// `[...a, b]` becomes `(a + [b])`, and maps alike.
pub(super) fn spreads(tokens: &mut Vec<Token>) -> bool {
    let mut is_changed = false;
    while let Some(open) = (0..tokens.len()).rev().find(|place| has_spread(tokens, *place)) {
        if !without_spread(tokens, open) {
            break;
        }
        is_changed = true;
    }
    is_changed
}

fn has_spread(tokens: &[Token], open: usize) -> bool {
    let is_list = tokens[open].is_sign("[") || tokens[open].is_sign("#{");
    let Some(close) = closing(tokens, open).filter(|_| is_list) else { return false };
    parted(tokens, open + 1, close).iter().any(|part| spread(tokens, *part).is_some())
}

/// What a part spreads.
fn spread(tokens: &[Token], (from, to): (usize, usize)) -> Option<usize> {
    next(&tokens[..to], from).filter(|dots| tokens[*dots].is_sign("..."))
}

fn without_spread(tokens: &mut Vec<Token>, open: usize) -> bool {
    let Some(close) = closing(tokens, open) else { return false };
    let bracket = (tokens[open].clone(), tokens[close].clone());
    let mut sum: Vec<Token> = Vec::new();
    let mut own: Vec<Token> = Vec::new();
    let close_own = |own: &mut Vec<Token>, sum: &mut Vec<Token>| {
        if !own.is_empty() {
            plus(sum);
            sum.push(bracket.0.clone());
            sum.append(own);
            sum.push(bracket.1.clone());
        }
    };
    for (from, to) in parted(tokens, open + 1, close) {
        if let Some(dots) = spread(tokens, (from, to)) {
            close_own(&mut own, &mut sum);
            plus(&mut sum);
            sum.extend(tokens[dots + 1..to].iter().filter(|token| !token.is_space()).cloned());
        } else {
            if !own.is_empty() {
                own.extend([Token::sign(","), Token::space()]);
            }
            let first = next(&tokens[..to], from).unwrap_or(from);
            own.extend(tokens[first..to].iter().cloned());
        }
    }
    close_own(&mut own, &mut sum);
    sum.insert(0, Token::sign("("));
    sum.push(Token::sign(")"));
    tokens.splice(open..=close, sum);
    true
}

fn plus(sum: &mut Vec<Token>) {
    if !sum.is_empty() {
        sum.extend([Token::space(), Token::sign("+"), Token::space()]);
    }
}
