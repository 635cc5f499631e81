//! Words and operators of other languages, one for one.

use super::token::{Kind, Token, before, closing, insert, next};

/// `# so` becomes `// so`.
pub(super) fn comments(tokens: &mut Vec<Token>) -> bool {
    let mut is_changed = false;
    let mut place = 0;
    while place < tokens.len() {
        if tokens[place].is_sign("#") {
            let ends = |token: &Token| token.is_space() && token.text.contains('\n');
            let end = (place..tokens.len()).find(|at| ends(&tokens[*at])).unwrap_or(tokens.len());
            let text: String = tokens[place + 1..end].iter().map(|token| token.text.as_str()).collect();
            tokens.splice(place..end, [Token { kind: Kind::Space, text: format!("//{text}") }]);
            is_changed = true;
        }
        place += 1;
    }
    is_changed
}

/// `'so'` becomes `"so"`.
pub(super) fn quotes(tokens: &mut [Token]) -> bool {
    let mut is_changed = false;
    for token in tokens.iter_mut().filter(|token| token.kind == Kind::Quoted) {
        let inner = token.text.trim_start_matches('\'');
        let inner = inner.strip_suffix('\'').unwrap_or(inner).replace("\\'", "'");
        token.text = format!("\"{}\"", with_marks_escaped(&inner));
        token.kind = Kind::Text;
        is_changed = true;
    }
    is_changed
}

fn with_marks_escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut is_escaped = false;
    for character in text.chars() {
        if character == '"' && !is_escaped {
            escaped.push('\\');
        }
        is_escaped = character == '\\' && !is_escaped;
        escaped.push(character);
    }
    escaped
}

/// `await` and `async` go.
pub(super) fn waits(tokens: &mut Vec<Token>) -> bool {
    remove_words(tokens, &["await", "async"])
}

fn remove_words(tokens: &mut Vec<Token>, words: &[&str]) -> bool {
    let mut is_changed = false;
    let mut place = 0;
    while place < tokens.len() {
        let is_gone = words.iter().any(|word| tokens[place].is_word(word)) && !is_name(tokens, place);
        if is_gone {
            let end = next(tokens, place + 1).unwrap_or(tokens.len());
            tokens.drain(place..end);
            is_changed = true;
        } else {
            place += 1;
        }
    }
    is_changed
}

/// `console.log(..);` goes.
pub(super) fn prints(tokens: &mut Vec<Token>) -> bool {
    let mut is_changed = false;
    while let Some((start, end)) = (0..tokens.len()).find_map(|place| printed(tokens, place)) {
        tokens.drain(start..end);
        is_changed = true;
    }
    is_changed
}

fn printed(tokens: &[Token], place: usize) -> Option<(usize, usize)> {
    let open = if tokens[place].is_word("console") {
        let method = next(tokens, next(tokens, place + 1).filter(|dot| tokens[*dot].is_sign("."))? + 1)?;
        next(tokens, method + 1)?
    } else if ["print", "println"].iter().any(|word| tokens[place].is_word(word)) && !is_name(tokens, place) {
        next(tokens, place + 1)?
    } else {
        return None;
    };
    let close = closing(tokens, open).filter(|_| tokens[open].is_sign("("))?;
    let end =
        next(tokens, close + 1).filter(|end| tokens[*end].is_sign(";")).map_or(close + 1, |end| end + 1);
    Some((place, end))
}

/// `.length` becomes `.len()`, `JSON.stringify(x)` becomes `to_json(x)`, and so on.
pub(super) fn functions(tokens: &mut Vec<Token>) -> bool {
    let mut is_changed = false;
    let mut place = 0;
    while place < tokens.len() {
        is_changed |= property(tokens, place) || of_object(tokens, place) || free(tokens, place);
        place += 1;
    }
    is_changed
}

const METHODS: [(&str, &str); 12] = [
    ("toLowerCase", "to_lower"),
    ("toUpperCase", "to_upper"),
    ("lower", "to_lower"),
    ("upper", "to_upper"),
    ("includes", "contains"),
    ("startsWith", "starts_with"),
    ("endsWith", "ends_with"),
    ("startswith", "starts_with"),
    ("endswith", "ends_with"),
    ("toString", "to_string"),
    ("indexOf", "index_of"),
    ("every", "all"),
];

fn property(tokens: &mut Vec<Token>, place: usize) -> bool {
    let is_after_dot =
        before(tokens, place).is_some_and(|dot| tokens[dot].is_sign(".") || tokens[dot].is_sign("?."));
    if tokens[place].kind != Kind::Word || !is_after_dot {
        return false;
    }
    let is_called = next(tokens, place + 1).is_some_and(|open| tokens[open].is_sign("("));
    if tokens[place].text == "length" {
        "len".clone_into(&mut tokens[place].text);
        if !is_called {
            insert(tokens, place + 1, [Token::sign("("), Token::sign(")")]);
        }
        return true;
    }
    let method = METHODS.iter().find(|(theirs, _)| is_called && tokens[place].text == *theirs);
    if let Some((_, ours)) = method {
        (*ours).clone_into(&mut tokens[place].text);
    }
    method.is_some()
}

const OF_OBJECTS: [(&str, &str, &str); 10] = [
    ("JSON", "stringify", "to_json"),
    ("Object", "keys", "keys"),
    ("Object", "values", "values"),
    ("Math", "abs", "abs"),
    ("Math", "max", "max"),
    ("Math", "min", "min"),
    ("Math", "floor", "floor"),
    ("Math", "ceil", "ceiling"),
    ("Math", "sqrt", "sqrt"),
    ("Math", "round", "round"),
];

fn of_object(tokens: &mut Vec<Token>, place: usize) -> bool {
    if tokens[place].kind != Kind::Word || is_name(tokens, place) {
        return false;
    }
    let dot = next(tokens, place + 1).filter(|dot| tokens[*dot].is_sign("."));
    let Some(method) = dot.and_then(|dot| next(tokens, dot + 1)) else { return false };
    let found = OF_OBJECTS
        .iter()
        .find(|(object, name, _)| tokens[place].text == *object && tokens[method].is_word(name));
    let Some((.., ours)) = found else { return false };
    tokens.splice(place..=method, [Token::word(ours)]);
    true
}

const FREE: [(&str, &str); 6] = [
    ("Number", "parse_number"),
    ("parseFloat", "parse_float"),
    ("parseInt", "parse_int"),
    ("float", "parse_number"),
    ("String", "to_string"),
    ("str", "to_string"),
];

fn free(tokens: &mut [Token], place: usize) -> bool {
    let is_called = next(tokens, place + 1).is_some_and(|open| tokens[open].is_sign("("));
    if tokens[place].kind != Kind::Word || !is_called || is_name(tokens, place) {
        return false;
    }
    let found = FREE.iter().find(|(theirs, _)| tokens[place].text == *theirs);
    if let Some((_, ours)) = found {
        (*ours).clone_into(&mut tokens[place].text);
    }
    found.is_some()
}

/// `var` and `const` become `let`.
pub(super) fn declarations(tokens: &mut [Token]) -> bool {
    replace_words(tokens, &[("var", "let"), ("const", "let")])
}

/// `null` becomes `()`, `True` becomes `true`, `elif` becomes `else if`.
pub(super) fn literals(tokens: &mut [Token]) -> bool {
    replace_words(
        tokens,
        &[
            ("null", "()"),
            ("undefined", "()"),
            ("nil", "()"),
            ("None", "()"),
            ("True", "true"),
            ("False", "false"),
            ("elif", "else if"),
        ],
    )
}

/// `===` becomes `==`, `and` becomes `&&`.
pub(super) fn operators(tokens: &mut [Token]) -> bool {
    let mut is_changed = replace_words(tokens, &[("and", "&&"), ("or", "||"), ("not", "!")]);
    for token in tokens.iter_mut().filter(|token| token.kind == Kind::Sign) {
        let ours = match token.text.as_str() {
            "===" => "==",
            "!==" => "!=",
            _ => continue,
        };
        ours.clone_into(&mut token.text);
        is_changed = true;
    }
    is_changed
}

/// `i++` becomes `i += 1`.
pub(super) fn steps(tokens: &mut [Token]) -> bool {
    let mut is_changed = false;
    let mut place = 0;
    while place < tokens.len() {
        let sign = match tokens[place].text.as_str() {
            "++" if tokens[place].kind == Kind::Sign => " += 1",
            "--" if tokens[place].kind == Kind::Sign => " -= 1",
            _ => "",
        };
        let follows_name = before(tokens, place).is_some_and(|name| tokens[name].kind == Kind::Word);
        let ends = next(tokens, place + 1).is_none_or(|end| tokens[end].is_sign(";") || tokens[end].closes());
        if !sign.is_empty() && follows_name && ends {
            tokens[place] = Token::sign(sign);
            is_changed = true;
        }
        place += 1;
    }
    is_changed
}

fn replace_words(tokens: &mut [Token], words: &[(&str, &str)]) -> bool {
    let mut is_changed = false;
    for place in 0..tokens.len() {
        let found = words.iter().find(|(theirs, _)| tokens[place].is_word(theirs));
        if let Some((_, ours)) = found
            && !is_name(tokens, place)
        {
            tokens[place] = Token::word(ours);
            is_changed = true;
        }
    }
    is_changed
}

/// Whether a word is a property, or a key of a map.
fn is_name(tokens: &[Token], place: usize) -> bool {
    let is_property =
        before(tokens, place).is_some_and(|dot| tokens[dot].is_sign(".") || tokens[dot].is_sign("?."));
    let is_key = next(tokens, place + 1).is_some_and(|colon| tokens[colon].is_sign(":"))
        && before(tokens, place)
            .is_some_and(|open| [",", "{", "#{"].iter().any(|sign| tokens[open].is_sign(sign)));
    is_property || is_key
}
