//! What a question names where a value would stand, and no argument takes: the "pepe" of "and the open interest for pepe".

use std::cell::LazyCell;

use super::parameter::{Parameter, Parameters};
use super::role::Role;
use super::{Argument, Binding, Refused, State, standard_codes};
use crate::Question;
use crate::spans::overlaps;
use crate::words::Word;

/// Words behind which it stands what something is asked of.
const LEADS: [&str; 8] = ["about", "at", "for", "from", "into", "of", "on", "to"];

/// What a question names behind one of those words that the method has nothing to do with, up to the next word that is no name.
///
/// `own` is what the question by itself gives to the method.
fn named(question: &Question, own: &Binding) -> Option<Refused> {
    let words = &question.words;
    // A method that knows of pesos may still take none.
    let codes = LazyCell::new(|| standard_codes(question, Role::Currency));
    let is_code = |word: &Word| codes.iter().any(|(_, range)| overlaps(range, &word.range));
    let is_name = |word: &&Word| {
        !word.is_stop
            && !question.is_when(word)
            && !word.lower.starts_with(|c: char| c.is_ascii_digit())
            && !own.uses(&word.range)
            && (own.coverage.left.contains(&word.stem) || is_code(word))
    };
    let named = |(at, _): (usize, &Word)| {
        let behind = &words[at + 1..];
        let from = usize::from(behind.first().is_some_and(|word| word.lower == "the"));
        let behind = &behind[from..];
        let len = behind.iter().take_while(is_name).count();
        // "For long-term investors", of which one word is known, is no name.
        let is_all = behind.get(len).is_none_or(|word| word.is_stop || question.is_when(word));
        let (first, last) = (behind[..len].first()?, behind[..len].last()?);
        is_all.then_some(first.range.start..last.range.end)
    };
    let leads = words.iter().enumerate().filter(|(_, word)| LEADS.contains(&word.lower.as_str()));
    let range = leads.filter_map(named).next_back()?;
    Some(Refused { said: question.text[range.clone()].to_owned(), range })
}

impl Binding {
    /// What the question names in vain, for an argument that it leaves open and that takes one of the values that it lists, or a
    /// symbol; this is what the question by itself gives.
    #[must_use]
    pub fn named_in_vain(&self, question: &Question, parameters: &Parameters, name: &str) -> Option<Refused> {
        let refused = || self.argument(name)?.refused().cloned();
        if self.leaves_name_open(parameters, name) {
            refused().or_else(|| named(question, self))
        } else {
            None
        }
    }

    /// Whether it requires an argument, leaves it open, and that takes one of the values that it lists, or a symbol.
    fn leaves_name_open(&self, parameters: &Parameters, name: &str) -> bool {
        let takes_names = |it: &Parameter| !it.choices.is_empty() || it.role == Role::Symbol;
        let is_open = |argument: &Argument| argument.is_required && !argument.is_said();
        parameters.list.iter().any(|parameter| parameter.name == name && takes_names(parameter))
            && self.argument(name).is_some_and(is_open)
    }

    /// The binding of all that was said, without the names that only stand before the question, which begins at this byte of it, where
    /// this names another one in vain; `own` is what the question by itself gives.
    #[must_use]
    pub fn without_names_before(
        mut self,
        (question, question_at): (&Question, usize),
        own: &Self,
        parameters: &Parameters,
    ) -> Self {
        let named = named(question, own);
        for argument in self.arguments.iter_mut().filter(|it| own.leaves_name_open(parameters, &it.name)) {
            let refused = own.argument(&argument.name).and_then(Argument::refused);
            let Some(mut refused) = refused.or(named.as_ref()).cloned() else { continue };
            refused.range = question_at + refused.range.start..question_at + refused.range.end;
            let why = format!("{} is none of what it takes", refused.said);
            argument.state = State::Unfilled { why, refused: Some(refused) };
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use serde_json::json;

    use super::super::bind;
    use super::*;

    #[test]
    fn what_is_named_and_not_taken_is_named_in_vain() {
        let schema = json!({"type": "object", "required": ["asset"], "properties": {
            "asset": {"type": "string", "enum": ["BTC", "ETH"], "description": "The asset."},
            "venue": {"type": "string", "enum": ["acme", "zenith"], "description": "The venue."}}});
        let method = domain::Method {
            description: "Open interest of an asset, long and short.".to_owned(),
            ..domain::Method::new("get_open_interest", schema, None)
        };
        let parameters = Parameters::of(&method);
        let named = |text: &str, argument: &str| {
            let question = Question::read(text, Timestamp::UNIX_EPOCH);
            let own = bind(&question, &parameters);
            own.named_in_vain(&question, &parameters, argument).map(|refused| refused.said)
        };
        assert_eq!(named("and the open interest for pepe", "asset").unwrap(), "pepe");
        assert_eq!(named("open interest of the grey whale", "asset").unwrap(), "grey whale");
        // A venue may stay unsaid.
        assert_eq!(named("and the open interest for pepe", "venue"), None);
        for text in ["and the open interest", "open interest of ETH for pepe", "open interest for a friend"] {
            assert_eq!(named(text, "asset"), None, "{text}");
        }
        for text in ["the open interest for 30 days", "the open interest for shorts", "on long-term notes"] {
            assert_eq!(named(text, "asset"), None, "{text}");
        }
    }

    #[test]
    fn only_what_the_question_says_again_stands_beside_it() {
        let schema = json!({"type": "object", "required": ["asset", "venue"], "properties": {
            "asset": {"type": "string", "enum": ["BTC", "ETH"], "description": "The asset."},
            "venue": {"type": "string", "enum": ["acme", "zenith"], "description": "The venue."}}});
        let parameters = Parameters::of(&domain::Method::new("get_flow", schema, None));
        let read = |text: &str| Question::read(text, Timestamp::UNIX_EPOCH);
        let (before, now) = ("flow of ETH at acme\n", "flow of ETH at borealis");
        let question = read(now);
        let own = bind(&question, &parameters);
        let whole = bind(&read(&format!("{before}{now}")), &parameters);
        let told = whole.without_names_before((&question, before.len()), &own, &parameters);
        let seen = told.seen_from(before.len(), &own);
        assert_eq!(seen.argument("asset").unwrap().said_at(), Some(&(8..11)));
        let refused = seen.argument("venue").unwrap().refused().unwrap();
        assert_eq!((refused.said.as_str(), &now[refused.range.clone()]), ("borealis", "borealis"));
    }
}
