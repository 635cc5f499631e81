//! Slips of planners who know other languages better than Rhai, mended by rules before a program is verified.
//!
//! The text is cut into tokens, so that nothing inside a string or a comment is touched, and each rule rewrites tokens. A
//! rule changes only what would not parse or is not in the dialect: a program without slips stays as it is.

use std::collections::BTreeSet;

mod closures;
mod conditions;
mod ends;
mod loops;
mod maps;
mod token;
mod unpack;
mod words;

use token::{Kind, Token};

/// A program with its slips mended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mended {
    /// The program.
    pub source: String,
    /// What was mended; empty where nothing was.
    pub slips: BTreeSet<Slip>,
}

/// A slip: what was written as another language has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Slip {
    /// A code fence around the program.
    CodeFence,
    /// A comment behind `#`.
    Comment,
    /// Text in single quotation marks.
    Quotes,
    /// `===`, `and`, `++` and the like.
    Operator,
    /// `null`, `undefined`, `True` and the like.
    Literal,
    /// `var`, `const`.
    Declaration,
    /// `async`, `await`.
    Await,
    /// `.length`, `.includes`, `JSON.stringify` and the like.
    Function,
    /// `console.log(..)`.
    Print,
    /// `{a: 1}`.
    Map,
    /// `[...a, ...b]`.
    Spread,
    /// `let {a, b} = c`.
    Destructuring,
    /// `x => y`, `function (x) {}`.
    Closure,
    /// `for (const x of y)`.
    Loop,
    /// `a ? b : c`.
    Conditional,
    /// A statement without its semicolon.
    Semicolon,
}

/// The program with its slips mended.
#[must_use]
pub fn mended(source: &str) -> Mended {
    let mut slips = BTreeSet::new();
    let bare = without_fence(source);
    if bare != source {
        slips.insert(Slip::CodeFence);
    }
    let mut tokens = token::tokens(bare);
    mend(&mut tokens, &mut slips, 0);
    Mended { source: token::text(&tokens), slips }
}

/// Rewrites tokens; whether it did.
type Rule = fn(&mut Vec<Token>) -> bool;

/// The rules, in an order in which none has to know of the next, for what stands within so many templates.
fn mend(tokens: &mut Vec<Token>, slips: &mut BTreeSet<Slip>, depth: usize) {
    let rules: [(Slip, Rule); 16] = [
        (Slip::Comment, words::comments),
        (Slip::Quotes, |tokens| words::quotes(tokens)),
        (Slip::Await, words::waits),
        (Slip::Print, words::prints),
        (Slip::Function, words::functions),
        (Slip::Closure, closures::closures),
        (Slip::Loop, loops::loops),
        (Slip::Declaration, |tokens| words::declarations(tokens)),
        (Slip::Literal, |tokens| words::literals(tokens)),
        (Slip::Operator, |tokens| words::operators(tokens)),
        (Slip::Destructuring, unpack::destructuring),
        (Slip::Map, maps::maps),
        (Slip::Spread, maps::spreads),
        (Slip::Conditional, conditions::conditionals),
        (Slip::Semicolon, ends::semicolons),
        (Slip::Operator, |tokens| words::steps(tokens)),
    ];
    for (slip, rule) in rules {
        if rule(tokens) {
            slips.insert(slip);
        }
    }
    let is_read = |token: &&mut Token| token.kind == Kind::Template && depth < token::NESTED_MAX;
    for token in tokens.iter_mut().filter(is_read) {
        token.text = interpolations(&token.text, slips, depth + 1);
    }
}

/// A template with the expressions in it mended, each of which stands within so many templates.
fn interpolations(template: &str, slips: &mut BTreeSet<Slip>, depth: usize) -> String {
    let mut text = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("${") {
        let end = token::closing_brace(after);
        let mut inner = token::tokens(&after[..end]);
        mend(&mut inner, slips, depth);
        text.push_str(before);
        text.push_str("${");
        text.push_str(&token::text(&inner));
        rest = &after[end..];
    }
    text.push_str(rest);
    text
}

/// The program without the code fence around it.
fn without_fence(source: &str) -> &str {
    let inner = source.trim().strip_prefix("```").and_then(|inner| inner.strip_suffix("```"));
    let body = inner.and_then(|inner| inner.split_once('\n')).filter(|(tag, _)| !tag.contains(' '));
    body.map_or(source, |(_, body)| body)
}

#[cfg(test)]
mod tests;
