//! What the next move may be: a short list of pure steps over what was looked at, in the order they are taken.

use super::looked::Looked;

/// What may come next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Next {
    /// Whether anything may be looked at; else the answer is written from what is there.
    pub(super) may_move: bool,
    /// Whether a model chooses.
    pub(super) asks_model: bool,
}

type Step = fn(Next, &Looked<'_>) -> Next;

/// The steps.
pub(super) const STEPS: [Step; 3] = [tool_budget, model_budget, wrap_up];

/// What may come next, where the policy names models for it or does not.
pub(super) fn of(looked: &Looked<'_>, has_model: bool) -> Next {
    let next = Next { may_move: true, asks_model: has_model };
    let next = STEPS.iter().fold(next, |next, step| step(next, looked));
    Next { asks_model: next.may_move && next.asks_model, ..next }
}

/// There are only so many moves.
fn tool_budget(next: Next, looked: &Looked<'_>) -> Next {
    Next { may_move: next.may_move && looked.done.len() < looked.limits.moves_max, ..next }
}

/// There are only so many requests to models, and the last of them writes the answer.
fn model_budget(next: Next, looked: &Looked<'_>) -> Next {
    let is_left = looked.requests + 1 < looked.limits.model_requests_max;
    // Who began to choose by a model does not go on by rules: it has seen what there is.
    let is_over = next.asks_model && !is_left && looked.requests > 0;
    Next { asks_model: next.asks_model && is_left, may_move: next.may_move && !is_over }
}

/// Two moves in a row that brought nothing new are the end: the answer is written from what is there.
fn wrap_up(next: Next, looked: &Looked<'_>) -> Next {
    let last = looked.done.iter().rev().take(2);
    let in_vain = last.filter(|(_, gain)| gain.fresh == 0).count();
    Next { may_move: next.may_move && in_vain < 2, ..next }
}

#[cfg(test)]
mod tests {
    use super::super::looked::{Gain, Move};
    use super::super::rules::fixture::{inquiry, looked};
    use super::*;

    const MOVES: Next = Next { may_move: true, asks_model: true };

    fn search(fresh: usize) -> (Move, Gain) {
        (Move::Search { query: "q".to_owned() }, Gain { found: fresh, fresh, bytes: 0 })
    }

    #[test]
    fn moves_are_counted() {
        let inquiry = inquiry("Why?");
        let mut looked = looked(&inquiry);
        looked.limits.moves_max = 2;
        assert!(tool_budget(MOVES, &looked).may_move);
        looked.done = vec![search(1), search(1)];
        assert!(!tool_budget(MOVES, &looked).may_move);
        looked.limits.moves_max = 0;
        assert!(!of(&looked, false).may_move);
    }

    #[test]
    fn the_last_request_has_no_moves() {
        let inquiry = inquiry("Why?");
        let mut looked = looked(&inquiry);
        looked.limits.model_requests_max = 3;
        for (requests, due) in [(0, true), (1, true), (2, false), (9, false)] {
            looked.requests = requests;
            let next = model_budget(MOVES, &looked);
            assert_eq!((next.asks_model, next.may_move), (due, due), "{requests}");
        }
        // Where one request is all there is, rules look and the model writes.
        (looked.requests, looked.limits.model_requests_max) = (0, 1);
        assert_eq!(of(&looked, true), Next { may_move: true, asks_model: false });
        assert_eq!(of(&looked, false), Next { may_move: true, asks_model: false });
    }

    #[test]
    fn what_brings_nothing_new_ends() {
        let inquiry = inquiry("Why?");
        let mut looked = looked(&inquiry);
        looked.done = vec![search(0), search(2), search(0)];
        assert!(wrap_up(MOVES, &looked).may_move);
        looked.done.push(search(0));
        assert!(!wrap_up(MOVES, &looked).may_move);
    }
}
