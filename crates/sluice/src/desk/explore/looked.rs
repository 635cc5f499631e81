//! What was looked at so far, and what a model is told of it.

use domain::{Speaker, Turn};
use library::{Direction, Found, Gathered, Retrieval, Source};
use llm::{ExploreBrief, ExploreKind, ExploreReply, ReasonSource};
use policy::{Exploration, Reasoning};
use serde::{Deserialize, Serialize};

use super::{Inquiry, direction};

/// A way to find passages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Move {
    /// Look for words.
    Search {
        /// They.
        query: String,
    },
    /// Read the section that a passage stands in.
    Read {
        /// Its place among the passages.
        passage: usize,
    },
    /// See what stands around a passage.
    Expand {
        /// Its place among the passages.
        passage: usize,
        /// Where to go.
        direction: Direction,
    },
}

/// What a move brought.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Gain {
    /// Passages.
    pub(crate) found: usize,
    /// Those that were not there before.
    pub(crate) fresh: usize,
    /// Their size.
    pub(crate) bytes: usize,
}

/// A passage that was found.
#[derive(Clone, Debug)]
pub(super) struct Passage {
    pub(super) source: Source,
    /// The section that it stands in.
    pub(super) parent: Option<String>,
    /// Its place among what its move found.
    rank: usize,
}

/// How sure a search makes it that the question can be answered.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Assurance {
    coverage: f64,
    confidence: f64,
    likeness: f64,
    retrieval: Retrieval,
}

impl Assurance {
    pub(super) fn of(found: &Found) -> Self {
        Self {
            coverage: found.coverage,
            confidence: found.confidence,
            likeness: found.results.iter().fold(0.0, |most, it| most.max(it.likeness)),
            retrieval: found.retrieval,
        }
    }
}

/// What was looked at so far.
#[derive(Clone, Debug)]
pub(super) struct Looked<'a> {
    pub(super) inquiry: &'a Inquiry,
    pub(super) limits: Exploration,
    reason: Reasoning,
    pub(super) passages: Vec<Passage>,
    pub(super) done: Vec<(Move, Gain)>,
    /// Requests to models for a move.
    pub(super) requests: usize,
    pub(super) coverage: f64,
    confidence: f64,
    likeness: f64,
    retrieval: Retrieval,
}

impl<'a> Looked<'a> {
    pub(super) fn at(inquiry: &'a Inquiry, limits: Exploration, reason: Reasoning) -> Self {
        Self {
            inquiry,
            limits,
            reason,
            passages: Vec::new(),
            done: Vec::new(),
            requests: 0,
            coverage: 0.0,
            confidence: 0.0,
            likeness: 0.0,
            retrieval: Retrieval::Lexical,
        }
    }

    /// What the caller said before.
    pub(super) fn previous(&self) -> Option<&'a str> {
        let last = self.inquiry.history.iter().rfind(|turn| turn.speaker == Speaker::User);
        last.map(|turn| turn.text.as_str())
    }

    /// How sure a search makes it that the question can be answered. Words of our own choice say nothing of that.
    pub(super) fn weigh(&mut self, query: &str, found: Assurance) {
        if query == self.inquiry.question || self.requests > 0 {
            self.coverage = self.coverage.max(found.coverage);
            self.confidence = self.confidence.max(found.confidence);
            self.likeness = self.likeness.max(found.likeness);
            self.retrieval = found.retrieval;
        }
    }

    /// Takes in what was found, each with the section that it stands in; what is there already stays where it is.
    pub(super) fn take(&mut self, found: Vec<(Option<String>, Source)>) -> Gain {
        let bytes = found.iter().map(|(_, source)| source.content.len()).sum();
        let mut gain = Gain { found: found.len(), fresh: 0, bytes };
        for (rank, (parent, source)) in found.into_iter().enumerate() {
            let is_known = self.passages.iter().any(|it| it.source.chunk_id == source.chunk_id);
            if !is_known && self.passages.len() < self.limits.passages_max {
                gain.fresh += 1;
                self.passages.push(Passage { source, parent, rank });
            }
        }
        gain
    }

    /// The best passages of every move, as many as fit: whole ones, the first of each move before any second.
    pub(super) fn gathered(&self) -> Gathered {
        let mut gathered = Gathered {
            sources: Vec::new(),
            coverage: self.coverage,
            confidence: self.confidence,
            likeness: self.likeness,
            retrieval: self.retrieval,
            tokens: 0,
            is_truncated: false,
        };
        let mut passages: Vec<&Passage> = self.passages.iter().collect();
        passages.sort_by_key(|passage| passage.rank);
        for passage in passages {
            let tokens = passage.source.content.chars().count().div_ceil(self.reason.chars_per_token);
            if gathered.tokens + tokens > self.reason.tokens_default {
                gathered.is_truncated = true;
                continue;
            }
            gathered.tokens += tokens;
            gathered.sources.push(passage.source.clone());
        }
        gathered
    }

    /// The move that a model named; none where it is done, names nothing that is there, or repeats itself.
    pub(super) fn read(&self, reply: &ExploreReply) -> Option<Move> {
        let passage = || {
            let place = usize::try_from(reply.passage).ok()?.checked_sub(1)?;
            (place < self.passages.len()).then_some(place)
        };
        let wanted = match reply.kind {
            ExploreKind::Answer => return None,
            ExploreKind::Search => {
                let query = reply.query.split_whitespace().collect::<Vec<_>>().join(" ");
                Some(Move::Search { query }).filter(|_| !reply.query.trim().is_empty())
            }
            ExploreKind::Read => passage().map(|passage| Move::Read { passage }),
            ExploreKind::Expand => {
                passage().map(|passage| Move::Expand { passage, direction: direction(&reply.direction) })
            }
        };
        wanted.filter(|wanted| !self.has_done(wanted))
    }

    pub(super) fn has_done(&self, wanted: &Move) -> bool {
        self.done.iter().any(|(done, _)| done == wanted)
    }

    /// What a model is told, built anew for every move.
    pub(super) fn told(&self) -> Brief<'_> {
        Brief {
            history: self.inquiry.history.iter().map(Turn::told).collect(),
            passages: self
                .passages
                .iter()
                .map(|passage| ReasonSource {
                    title: &passage.source.document_title,
                    path: &passage.source.path,
                    text: &passage.source.content,
                })
                .collect(),
            moves: self.done.iter().map(|(done, gain)| done.told(*gain)).collect(),
        }
    }
}

/// The parts of what a model is told.
pub(super) struct Brief<'a> {
    history: Vec<String>,
    passages: Vec<ReasonSource<'a>>,
    moves: Vec<String>,
}

impl Brief<'_> {
    pub(super) fn brief<'a>(&'a self, looked: &'a Looked<'_>) -> ExploreBrief<'a> {
        ExploreBrief {
            question: &looked.inquiry.question,
            history: &self.history,
            passages: &self.passages,
            moves: &self.moves,
            moves_left: looked.limits.moves_max.saturating_sub(looked.done.len()),
            requests_left: looked.limits.model_requests_max.saturating_sub(looked.requests),
        }
    }
}

impl Move {
    /// The tool that it is.
    pub(crate) fn tool(&self) -> &'static str {
        match self {
            Self::Search { .. } => "deep_search",
            Self::Read { .. } => "deep_read",
            Self::Expand { .. } => "deep_expand",
        }
    }

    /// What it is, in words.
    pub(super) fn words(&self) -> String {
        match self {
            Self::Search { query } => format!("search: {query}"),
            Self::Read { passage } => format!("read: {}", passage + 1),
            Self::Expand { passage, direction } => format!("expand: {} {direction:?}", passage + 1),
        }
    }

    fn told(&self, gain: Gain) -> String {
        format!("{} -> {} found, {} of them new", self.words(), gain.found, gain.fresh)
    }
}

#[cfg(test)]
mod tests {
    use super::super::rules::fixture::{inquiry, looked, source};
    use super::*;

    fn reply(kind: ExploreKind, query: &str, passage: i64) -> ExploreReply {
        ExploreReply { kind, query: query.to_owned(), passage, direction: "next".to_owned() }
    }

    #[test]
    fn what_is_named_must_be_there_and_be_new() {
        let inquiry = inquiry("Why?");
        let mut looked = looked(&inquiry);
        looked.take(vec![(None, source("c1", "Because."))]);
        let search = Move::Search { query: "the reason".to_owned() };
        assert_eq!(looked.read(&reply(ExploreKind::Search, " the  reason ", 0)), Some(search.clone()));
        looked.done.push((search, Gain::default()));
        let expand = Move::Expand { passage: 0, direction: Direction::Next };
        assert_eq!(looked.read(&reply(ExploreKind::Expand, "", 1)), Some(expand));
        for refused in [
            reply(ExploreKind::Search, "the reason", 0),
            reply(ExploreKind::Search, " ", 0),
            reply(ExploreKind::Read, "", 0),
            reply(ExploreKind::Read, "", 2),
            reply(ExploreKind::Expand, "", -1),
            reply(ExploreKind::Answer, "", 1),
        ] {
            assert_eq!(looked.read(&refused), None, "{refused:?}");
        }
    }

    #[test]
    fn what_is_found_twice_is_there_once() {
        let inquiry = inquiry("Why?");
        let mut looked = looked(&inquiry);
        let of = |ids: &[&str]| ids.iter().map(|id| (None, source(id, "Because."))).collect::<Vec<_>>();
        assert_eq!(looked.take(of(&["a", "b"])), Gain { found: 2, fresh: 2, bytes: 16 });
        assert_eq!(looked.take(of(&["b", "c"])), Gain { found: 2, fresh: 1, bytes: 16 });
        // The first of each move stands before the second of any.
        let ids = |gathered: Gathered| gathered.sources.into_iter().map(|it| it.chunk_id).collect::<Vec<_>>();
        assert_eq!(ids(looked.gathered()), ["a", "b", "c"]);
        looked.limits.passages_max = 3;
        assert_eq!(looked.take(of(&["d"])).fresh, 0);
        looked.reason.tokens_default = 4;
        let gathered = looked.gathered();
        assert!(gathered.is_truncated && gathered.sources.len() == 2);
    }

    #[test]
    fn a_brief_counts_what_is_left() {
        let inquiry = inquiry("Why?");
        let mut looked = looked(&inquiry);
        (looked.limits.moves_max, looked.limits.model_requests_max) = (3, 4);
        looked.done.push((Move::Read { passage: 0 }, Gain { found: 1, fresh: 1, bytes: 1 }));
        // The request that the brief is for is counted already, and not left.
        looked.requests = 1;
        let told = looked.told();
        let brief = told.brief(&looked);
        assert_eq!((brief.moves_left, brief.requests_left), (2, 3));
        assert_eq!(brief.moves, ["read: 1 -> 1 found, 1 of them new"]);
    }
}
