//! The next move without a model: the question first, then the words of it that nothing found speaks of, then what stands
//! around the best passage.

use std::collections::BTreeSet;

use library::Direction;
use reading::words;

use super::looked::{Looked, Move};

/// The next move; none where rules know of none.
pub(super) fn next(looked: &Looked<'_>) -> Option<Move> {
    let question = Move::Search { query: looked.inquiry.question.clone() };
    let around = Move::Expand { passage: 0, direction: Direction::Surrounding };
    let lacking = || lacking(looked).map(|query| Move::Search { query });
    let mut wanted = Some(question).into_iter().chain(lacking()).chain(Some(around));
    wanted.find(|wanted| !looked.has_done(wanted) && looked.can(wanted))
}

/// The words of the question that no passage speaks of; none where enough of it is covered, or nothing at all.
fn lacking(looked: &Looked<'_>) -> Option<String> {
    let found: BTreeSet<String> = looked
        .passages
        .iter()
        .flat_map(|it| {
            words::terms(&it.source.content).into_iter().chain(words::terms(&it.source.path.join(" ")))
        })
        .collect();
    let question = &looked.inquiry.question;
    let (all, lacking): (Vec<_>, Vec<_>) = {
        let words: Vec<_> = words::words(question).into_iter().filter(|word| !word.is_stop).collect();
        let lacking = words.iter().filter(|word| !found.contains(&word.stem)).cloned().collect();
        (words, lacking)
    };
    if lacking.is_empty() || lacking.len() == all.len() || looked.coverage >= looked.limits.coverage_enough {
        return None;
    }
    let query: Vec<&str> = lacking.iter().map(|word| &question[word.range.clone()]).collect();
    Some(query.join(" "))
}

impl Looked<'_> {
    fn can(&self, wanted: &Move) -> bool {
        match wanted {
            Move::Search { .. } => true,
            Move::Read { passage } | Move::Expand { passage, .. } => *passage < self.passages.len(),
        }
    }
}

#[cfg(test)]
pub(super) mod fixture {
    //! What was looked at, for the tests.

    use library::Source;

    use super::super::Inquiry;
    use super::*;

    pub(in super::super) fn inquiry(question: &str) -> Inquiry {
        Inquiry { question: question.to_owned(), history: Vec::new(), collection_id: None, document_id: None }
    }

    pub(in super::super) fn looked(inquiry: &Inquiry) -> Looked<'_> {
        let policy = policy::Policy::shipped().unwrap().library;
        Looked::at(inquiry, policy.explore, policy.reason)
    }

    pub(in super::super) fn source(id: &str, content: &str) -> Source {
        Source {
            chunk_id: id.to_owned(),
            document_id: "d".to_owned(),
            document_title: "Guide".to_owned(),
            document_url: None,
            document_version: 1,
            path: Vec::new(),
            range: 0..content.len(),
            sha256: String::new(),
            content: content.to_owned(),
            score: 1.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::looked::Gain;
    use super::fixture::{inquiry, looked, source};
    use super::*;

    #[test]
    fn the_question_then_what_it_lacks_then_what_stands_around() {
        let inquiry = inquiry("When does a session expire on Mars?");
        let mut looked = looked(&inquiry);
        let mut moves = Vec::new();
        while let Some(wanted) = next(&looked) {
            if moves.is_empty() {
                looked.take(vec![(None, source("c1", "A session expires after an hour."))]);
            }
            moves.push(wanted.clone());
            looked.done.push((wanted, Gain::default()));
        }
        let search = |query: &str| Move::Search { query: query.to_owned() };
        let around = Move::Expand { passage: 0, direction: Direction::Surrounding };
        assert_eq!(moves, [search("When does a session expire on Mars?"), search("Mars"), around]);
    }

    #[test]
    fn where_nothing_is_found_nothing_more_is_looked_for() {
        let inquiry = inquiry("When does a session expire?");
        let mut looked = looked(&inquiry);
        let first = next(&looked).unwrap();
        looked.done.push((first, Gain::default()));
        assert_eq!(next(&looked), None);
    }

    #[test]
    fn enough_is_enough() {
        let inquiry = inquiry("When does a session expire on Mars?");
        let mut looked = looked(&inquiry);
        looked.take(vec![(None, source("c1", "A session expires after an hour."))]);
        looked.coverage = 1.0;
        assert_eq!(lacking(&looked), None);
    }
}
