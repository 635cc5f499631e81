//! `for (const x of y)`, `for x of y`, `for (const [i, x] of y.entries())` and `for (let i = 0; i < n; i++)`.

use super::token::{Kind, Token, closing, next, parted, text, tokens as cut};

/// Loops of other languages become `for x in y`.
pub(super) fn loops(tokens: &mut Vec<Token>) -> bool {
    let mut is_changed = false;
    let mut place = 0;
    while place < tokens.len() {
        if tokens[place].is_word("for") {
            is_changed |= in_brackets(tokens, place) || bare(tokens, place);
        }
        place += 1;
    }
    is_changed
}

/// `for x of y {`.
fn bare(tokens: &mut [Token], at: usize) -> bool {
    let name = next(tokens, at + 1).filter(|name| tokens[*name].kind == Kind::Word);
    let of = name.and_then(|name| next(tokens, name + 1)).filter(|of| tokens[*of].is_word("of"));
    if let Some(of) = of {
        tokens[of] = Token::word("in");
    }
    of.is_some()
}

/// `for (..) {`.
fn in_brackets(tokens: &mut Vec<Token>, at: usize) -> bool {
    let Some(open) = next(tokens, at + 1).filter(|open| tokens[*open].is_sign("(")) else { return false };
    let Some(close) = closing(tokens, open) else { return false };
    let Some(header) = counted(&tokens[open + 1..close]).or_else(|| over_items(&tokens[open + 1..close]))
    else {
        return false;
    };
    tokens.splice(open..=close, cut(&header));
    true
}

/// `let i = 0; i < n; i++`.
fn counted(inside: &[Token]) -> Option<String> {
    let words: Vec<&Token> = inside.iter().filter(|token| !token.is_space()).collect();
    let semicolon = words.iter().position(|token| token.is_sign(";"))?;
    let (first, rest) = (&words[..semicolon], &words[semicolon + 1..]);
    let [declaration, name, equals, start @ ..] = first else { return None };
    let second = rest.iter().position(|token| token.is_sign(";"))?;
    let ([left, comparison, bound @ ..], step) = (&rest[..second], &rest[second + 1..]) else { return None };
    let is_counter = is_declaration(declaration) && equals.is_sign("=") && left.text == name.text;
    let is_by_one = matches!(step, [one, two] if [one, two].iter().any(|token| token.is_sign("++")))
        || matches!(step, [_, plus, one] if plus.is_sign("+=") && one.text == "1");
    let range = match comparison.text.as_str() {
        "<" => "..",
        "<=" => "..=",
        _ => return None,
    };
    let written = |tokens: &[&Token]| tokens.iter().map(|token| token.text.as_str()).collect::<String>();
    (is_counter && is_by_one && !bound.is_empty())
        .then(|| format!("{} in {}{range}{}", name.text, written(start), written(bound)))
}

/// `const x of y`, `const [i, x] of y.entries()`.
fn over_items(inside: &[Token]) -> Option<String> {
    let declaration = next(inside, 0)?;
    let names =
        if is_declaration(&inside[declaration]) { next(inside, declaration + 1)? } else { declaration };
    let is_pair = inside[names].is_sign("[");
    let end = if is_pair { closing(inside, names)? } else { names };
    let of = next(inside, end + 1).filter(|of| inside[*of].is_word("of") || inside[*of].is_word("in"))?;
    if names == declaration && inside[of].is_word("in") {
        return None;
    }
    let items = text(&inside[of + 1..]);
    let items = items.trim();
    if !is_pair {
        return Some(format!("{} in {items}", inside[names].text));
    }
    let parts = parted(inside, names + 1, end);
    let [index, item] = parts.as_slice() else { return None };
    let name = |(from, to): &(usize, usize)| text(&inside[*from..*to]).trim().to_owned();
    Some(format!("({}, {}) in {}", name(item), name(index), items.strip_suffix(".entries()")?))
}

fn is_declaration(token: &Token) -> bool {
    ["let", "const", "var"].iter().any(|word| token.is_word(word))
}
