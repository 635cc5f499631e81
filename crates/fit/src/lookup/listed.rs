//! Items that only the values which their properties list tell apart: the instruments of a list that gives asset, venue and kind of
//! each.

use reading::bind::Argument;
use reading::words::Word;
use reading::{Question, words};

use crate::choice::Choice;
use crate::outline::{Leaf, LeafKind};

/// How the items of a list are told apart.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Apart {
    /// By whatever their texts say.
    ByWords,
    /// By these words, in lower case, which one item alone has together.
    ByListed(Vec<String>),
    /// By a listed property that the question leaves open.
    Untold,
}

/// How the items among which a look-up finds an identifier are told apart by what a question says.
pub(super) fn apart(question: &Question, list: &Choice<'_>, identifier: &Leaf) -> Apart {
    let is_other = |leaf: &&Leaf| leaf.is_in_rows && leaf.path != identifier.path;
    let properties: Vec<&Leaf> = list.known.outline.leaves.iter().filter(is_other).collect();
    let is_listed = |leaf: &&Leaf| leaf.kind == LeafKind::Text && leaf.choices.len() > 1;
    if properties.len() < 2 || !properties.iter().all(is_listed) {
        return Apart::ByWords;
    }
    let told: Option<Vec<String>> = properties.iter().map(|leaf| told(question, list, leaf)).collect();
    told.map_or(Apart::Untold, Apart::ByListed)
}

/// Which of its values a property has, as the question says it or the list is told it, in lower case.
fn told(question: &Question, list: &Choice<'_>, leaf: &Leaf) -> Option<String> {
    let arguments = || list.binding.arguments.iter();
    // What is left at its default is not told.
    let is_told = |argument: &&Argument| argument.is_said() || argument.is_carried();
    let mut own = arguments().filter(|argument| list.known.parameters.stems(&argument.name) == leaf.stems);
    let bound = own.find(is_told).and_then(|argument| argument.bound()?.value.as_str());
    let said = |is_it: fn(&Word, &str) -> bool| {
        leaf.choices.iter().find(|value| question.words.iter().any(|word| is_it(word, value)))
    };
    bound.map(str::to_lowercase).or_else(|| said(is_value).or_else(|| said(is_short)).cloned())
}

/// Letters of a value for which it may be short: the "perp" of "perpetual".
const SHORT_CHARS_MIN: usize = 4;

/// Whether a word is a value, given in lower case.
fn is_value(word: &Word, value: &str) -> bool {
    word.lower == value || word.stem == words::stem(value)
}

/// Whether a word is short for a value, given in lower case.
fn is_short(word: &Word, value: &str) -> bool {
    word.lower.len() >= SHORT_CHARS_MIN && value.starts_with(word.lower.as_str())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::{Candidate, Listing, Method};
    use jiff::Timestamp;
    use serde_json::json;

    use super::*;
    use crate::choice::{self, tests::offer};
    use crate::known::{Desk, Knowledge};

    /// How the berths of a list that gives their harbour and their kind are told apart.
    fn apart_by(question: &str) -> Apart {
        let one_of = |values: &[&str]| json!({"type": "string", "enum": values});
        let berth = json!({"type": "object", "properties": {
            "berthId": {"type": "string"},
            "harbour": one_of(&["Bergenhus", "Cork"]),
            "kind": one_of(&["floating", "tidal"]),
        }});
        let output = json!({"type": "object", "properties": {"berths": {"type": "array", "items": berth}}});
        let input = json!({"type": "object", "properties": {"harbour": one_of(&["Bergenhus", "Cork"])}});
        let method = Arc::new(Method::new("list_berths", input, Some(output)));
        let listing = Arc::new(Listing::new("Harbours", vec![Arc::clone(&method)]));
        let candidates = [Candidate { listing, method, score: 1.0 }];
        let knowledge = Knowledge::default();
        let question = Question::read(question, Timestamp::UNIX_EPOCH);
        let list = choice::read(&Desk::new(offer(&candidates), &knowledge), &candidates[0], &question);
        let identifier = list.known.outline.leaves.iter().find(|leaf| leaf.key == "berthId").unwrap();
        apart(&question, &list, identifier)
    }

    #[test]
    fn an_item_is_told_by_all_of_its_listed_properties() {
        let told = || Apart::ByListed(vec!["cork".to_owned(), "floating".to_owned()]);
        assert_eq!(apart_by("the depth of the floating berth in Cork"), told());
        assert_eq!(apart_by("how deep is the float at cork"), told());
        assert_eq!(apart_by("how deep is the float at cork in bergen"), told());
        assert_eq!(apart_by("how deep is the berth in Cork"), Apart::Untold);
        assert_eq!(apart_by("how deep is the tidal berth"), Apart::Untold);
    }
}
