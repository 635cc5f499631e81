//! A turn about documents, told while its answer is written: the first try is taken back, the second one holds.

use contract::library::{
    Citation as Cited, ConflictDetail, ConflictSide, QuoteBody, ReasonMeta, Reasoned, Retrieval,
};
use library::Direction;
use proptest::prelude::{any, proptest};

use super::super::documents::{Moves, from_documents, said};
use super::*;
use crate::desk::explore::{Explored, Gain, Move, Seen};

fn cited(number: usize) -> Cited {
    let quote = format!("What passage {number} says.");
    Cited {
        chunk_id: format!("c_{number}"),
        document_id: "d_1".to_owned(),
        document_title: "Server guide".to_owned(),
        score: 1.0,
        ordinal: number,
        section_path: "Server guide > Sessions".to_owned(),
        quote: QuoteBody {
            start: 0,
            end: quote.len(),
            text: quote,
            sha256: String::new(),
            check_url: String::new(),
        },
        support: None,
        support_score: None,
        url: None,
        document_version: 1,
    }
}

fn explored(answer: &str, citations: Vec<Cited>) -> Explored {
    let side = |chunk: &str, value: &str| ConflictSide {
        chunk_id: chunk.to_owned(),
        document_id: "d_1".to_owned(),
        document_title: "Server guide".to_owned(),
        value: Some(value.to_owned()),
    };
    let conflict = ConflictDetail {
        kind: "number".to_owned(),
        subject: "how long a session lives".to_owned(),
        sides: vec![side("c_1", "30 minutes"), side("c_2", "60 minutes")],
    };
    let meta = ReasonMeta {
        chunks_gathered: 2,
        citations_dropped: 0,
        latency_ms: 12,
        abstained: None,
        retrieval: Retrieval::Lexical,
        coverage: 1.0,
        confidence: 1.0,
        evidence_tokens: 20,
        evidence_truncated: false,
        markers_stripped: 0,
        weak_citations: 0,
        model: None,
        tokens_in: 0,
        tokens_out: 0,
        cost_usd: "0".to_owned(),
    };
    let reasoned = Reasoned {
        answer: answer.to_owned(),
        citations,
        gaps: vec!["Nothing says whether it can be made longer.".to_owned()],
        conflicts: Vec::new(),
        meta,
        conflict_details: vec![conflict],
        sentences: Vec::new(),
    };
    Explored { reasoned, moves: 2, cost: Usd::ZERO }
}

impl Played {
    fn looks(mut self, seen: Vec<Seen<'_>>, moves: &mut Moves) -> Self {
        for seen in seen {
            let mut chunks = moves.tell(&seen);
            chunks.extend(said(&seen, &mut self.spoken));
            self.tell(chunks);
        }
        self
    }

    fn settles(mut self, explored: &Explored) -> Self {
        let ending = from_documents(
            explored,
            "When does a session expire?",
            &mut self.spoken,
            (None, None, Usd::ZERO),
        );
        self.end(ending)
    }
}

#[test]
fn answer_from_documents() {
    let (search, read) = (
        Move::Search { query: "When does a session expire?".to_owned() },
        Move::Expand { passage: 0, direction: Direction::Surrounding },
    );
    let gain = Some(Gain { found: 3, fresh: 2, bytes: 120 });
    let at = |second: i64| Timestamp::from_second(1_800_000_000 + second).unwrap();
    let seen = vec![
        Seen::Begun { made: &search, at: at(0) },
        Seen::Ended { done: &search, gain, at: at(1), ms: 2 },
        Seen::Begun { made: &read, at: at(2) },
        Seen::Ended { done: &read, gain: None, at: at(3), ms: 1 },
        Seen::Writing { at: at(4) },
        Seen::Said { text: "It never does [1].", cites: vec![cited(1)] },
        Seen::TakenBack,
        Seen::Said { text: "After 30 minutes [1], ", cites: vec![cited(2)] },
        Seen::Said { text: "or after 60 ", cites: Vec::new() },
        Seen::Written { ms: 5 },
    ];
    let settled = Cited { ordinal: 1, ..cited(2) };
    let other = Cited { ordinal: 2, ..cited(1) };
    Played::begin()
        .looks(seen, &mut Moves::default())
        .settles(&explored("After 30 minutes [1], or after 60 [2].", vec![settled, other]))
        .check("documents");
}

proptest! {
    /// Whatever was said and taken back, the last text of the message is the settled answer, with all that it cites.
    #[test]
    fn the_last_text_is_the_settled_answer_with_its_sources(
        said in proptest::collection::vec(("[a-z ]{0,12}", any::<bool>(), any::<bool>()), 0..6),
        cites in 1_usize..4, is_other in any::<bool>(),
    ) {
        let (mut lines, mut whole, mut number) = (Vec::new(), String::new(), 0);
        for (text, is_cited, is_taken_back) in said {
            if is_taken_back {
                (whole, number) = (String::new(), 0);
            }
            let is_new = is_cited && number < cites;
            number += usize::from(is_new);
            let told = if is_new { format!("{text}[{number}] ") } else { text };
            whole.push_str(&told);
            lines.push((is_taken_back, told, is_new.then_some(number)));
        }
        let mut seen = vec![Seen::Writing { at: Timestamp::UNIX_EPOCH }];
        for (is_taken_back, text, new) in &lines {
            seen.extend(is_taken_back.then_some(Seen::TakenBack));
            seen.push(Seen::Said { text, cites: new.iter().copied().map(cited).collect() });
        }
        if is_other {
            (whole, number) = ("another ".to_owned(), 0);
        }
        let rest: Vec<String> = (number + 1..=cites).map(|number| format!("x [{number}]. ")).collect();
        let answer = whole + &rest.concat() + "End.";
        let played = Played::begin()
            .looks(seen, &mut Moves::default())
            .settles(&explored(&answer, (1..=cites).map(cited).collect()));
        assert_eq!(played.message.text(), answer);
        let last = played.message.parts.iter().rfind(|part| part["type"] == "data-citations").unwrap();
        let listed = last["data"]["citations"].as_array().unwrap();
        let ordinals: Vec<u64> = listed.iter().map(|one| one["ordinal"].as_u64().unwrap()).collect();
        assert_eq!(ordinals, (1..=cites as u64).collect::<Vec<_>>());
        let known = |one: &Value| played.chunks.iter().any(|chunk| {
            let chunk = json!(chunk);
            chunk["type"] == "source-document" && chunk["sourceId"] == one["sourceId"]
        });
        assert!(listed.iter().all(known), "every source was told");
    }
}
