//! Two questions in one: the clear cases of a suite, each joined with another one. Whoever asks two things wants both told.

use super::{Asked, Suite, SuiteCase};
use crate::corpus::Outcome;

impl Suite {
    /// A suite of two questions in one, for each clear case of this one that names its methods and pins no listing: behind
    /// it, joined by `words`, stands the first one from the middle of the suite on that calls none of its methods.
    #[must_use]
    pub fn joined(&self, words: &str) -> Self {
        let clear: Vec<&SuiteCase> = self.cases.iter().filter(|case| is_clear(case)).collect();
        let from = |at: usize| clear.iter().cycle().skip(at + clear.len() / 2).take(clear.len());
        let both = |(at, first): (usize, &&SuiteCase)| {
            let second = from(at).find(|second| are_apart(first, second))?;
            Some(join(first, words, second))
        };
        let cases = clear.iter().enumerate().filter_map(both).collect();
        Self { name: format!("{}, joined", self.name), cases }
    }
}

/// Whether a case is a question that is answered as it stands, by methods that its label names, wherever it is asked.
fn is_clear(case: &SuiteCase) -> bool {
    let is_plain = case.policy == Asked::Return && case.pin.is_empty() && case.rollout.is_none();
    is_plain && case.expected == [Outcome::Answer] && !case.methods.is_empty() && case.also.is_empty()
}

fn are_apart(first: &SuiteCase, second: &SuiteCase) -> bool {
    !first.methods.iter().any(|method| second.methods.contains(method))
}

fn join(first: &SuiteCase, words: &str, second: &SuiteCase) -> SuiteCase {
    let ends = |mark: char| mark.is_whitespace() || matches!(mark, '.' | '?' | '!');
    let opening = first.query.trim_end_matches(ends);
    SuiteCase {
        id: format!("{}+{}", first.id, second.id),
        query: format!("{opening}{words}{}", going_on(&second.query)),
        also: second.methods.clone(),
        missing: Vec::new(),
        reason: None,
        pair: None,
        note: None,
        ..first.clone()
    }
}

/// A question as it is written behind another one: the capital that it begins with is that of a sentence, but in front of
/// another one.
fn going_on(query: &str) -> String {
    let mut marks = query.chars();
    match (marks.next(), marks.clone().next()) {
        (Some(first), Some(next)) if first.is_uppercase() && !next.is_uppercase() => {
            first.to_lowercase().chain(marks).collect()
        }
        _ => query.to_owned(),
    }
}
