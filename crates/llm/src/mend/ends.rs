//! Statements that end with their line.

use super::token::{Kind, Token, before, next};

/// A statement whose next one begins on a later line gets its semicolon.
pub(super) fn semicolons(tokens: &mut Vec<Token>) -> bool {
    let mut around: Vec<Around> = Vec::new();
    let mut ends = Vec::new();
    for place in 0..tokens.len() {
        let token = &tokens[place];
        let mut is_value = false;
        if token.opens() {
            around.push(if token.is_sign("{") { Around::Block } else { Around::Value });
        } else if token.closes() {
            is_value = around.pop() != Some(Around::Block);
        }
        let is_statement = matches!(around.last(), None | Some(Around::Block));
        if is_statement && (is_value || ends_a_value(token)) && is_followed_by_a_statement(tokens, place) {
            ends.push(place + 1);
        }
    }
    let is_changed = !ends.is_empty();
    for place in ends.into_iter().rev() {
        tokens.insert(place, Token::sign(";"));
    }
    is_changed
}

/// What a bracket is around.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Around {
    Block,
    Value,
}

fn ends_a_value(token: &Token) -> bool {
    match token.kind {
        Kind::Word => !NO_VALUES.contains(&token.text.as_str()),
        Kind::Number | Kind::Text | Kind::Quoted | Kind::Template => true,
        Kind::Sign => matches!(token.text.as_str(), "++" | "--"),
        Kind::Space => false,
    }
}

/// Words that something has to follow.
const NO_VALUES: [&str; 17] = [
    "let", "in", "if", "else", "else if", "for", "while", "loop", "do", "until", "fn", "try", "catch",
    "throw", "&&", "||", "!",
];

fn is_followed_by_a_statement(tokens: &[Token], place: usize) -> bool {
    let Some(following) = next(tokens, place + 1) else { return false };
    let is_later = tokens[place + 1..following].iter().any(|token| token.text.contains('\n'));
    let begins = match tokens[following].kind {
        Kind::Word => !CONTINUE.contains(&tokens[following].text.as_str()),
        Kind::Text | Kind::Template | Kind::Number => true,
        Kind::Sign => tokens[following].is_sign("#{"),
        Kind::Space | Kind::Quoted => false,
    };
    is_later && begins && !is_header(tokens, place)
}

/// Words that go on with what stands before them.
const CONTINUE: [&str; 8] = ["else", "else if", "in", "catch", "until", "while", "&&", "||"];

/// Whether the line is the head of a block whose brace stands on the next one; a condition in brackets, mostly.
fn is_header(tokens: &[Token], place: usize) -> bool {
    let Some(open) = super::token::opening(tokens, place).filter(|_| tokens[place].is_sign(")")) else {
        return false;
    };
    before(tokens, open)
        .is_some_and(|word| ["if", "while", "for", "catch"].iter().any(|it| tokens[word].is_word(it)))
}
