//! The clear questions over the embedded marketplace: asked through the deep lane, each is answered and never asked about.

use std::path::Path;

use domain::{
    ClarificationPolicy, Depth, Include, ListingId, Query, ResponseShape, Snapshot, Speaker, ToolScope, Turn,
};
use gate::{Brief, Decision};
use jiff::Timestamp;
use lane::Lane;
use mcp::Catalog as _;
use policy::Policy;
use probe::{Index, Lexicon};
use serde::Deserialize;
use testkit::House;

#[derive(Debug, Deserialize)]
struct Sheet {
    question: Vec<Expectation>,
}

#[derive(Debug, Deserialize)]
struct Expectation {
    ask: String,
    /// What was asked before.
    #[serde(default)]
    after: Vec<String>,
    #[serde(default)]
    pin: Vec<String>,
    outcome: String,
}

#[tokio::test(flavor = "multi_thread")]
async fn clear_questions_are_answered() {
    let now: Timestamp = "2026-06-01T12:00:00Z".parse().unwrap();
    let house = House::build(now, Vec::new()).await;
    let snapshot = house.upstreams.snapshot();
    let policy = Policy::shipped().unwrap();
    let index = Index::build(&snapshot, &policy.probe);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/tests/questions");
    let mut complaints = Vec::new();
    let mut asked = 0;
    for (name, text) in testkit::files(&folder) {
        let sheet: Sheet = toml::from_str(&text).expect(&name);
        for expectation in sheet.question {
            if expectation.outcome != "answer" {
                continue;
            }
            asked += 1;
            let decision = decide(&expectation, now, (&snapshot, &index), &policy);
            let verdict = decision.verdict.word();
            if verdict != expectation.outcome {
                let best = decision
                    .summaries
                    .first()
                    .map(|summary| format!("{} {:.0}", summary.option, summary.points));
                complaints.push(format!(
                    "{:?}: {verdict}, not {} ({best:?}, {:?})",
                    expectation.ask, expectation.outcome, decision.judge.reason
                ));
            }
        }
    }
    assert!(complaints.is_empty(), "{} of {asked}:\n{}", complaints.len(), complaints.join("\n"));
}

#[expect(clippy::unwrap_used, clippy::panic, reason = "a test's helper")]
fn decide(
    expectation: &Expectation,
    now: Timestamp,
    (snapshot, index): (&Snapshot, &Index),
    policy: &Policy,
) -> Decision {
    let pinned: Vec<ListingId> = expectation.pin.iter().map(|name| ListingId::of_name(name)).collect();
    let query = Query {
        text: expectation.ask.clone(),
        tools: if pinned.is_empty() { ToolScope::Discover } else { ToolScope::Pinned(pinned) },
        depth: Depth::Deep,
        clarification: ClarificationPolicy::Return,
        shape: ResponseShape::Answer,
        answer_model: None,
        include: Include { data: false, data_url: false, developer_trace: false },
        lineage: None,
        history: expectation.after.iter().map(|text| Turn::said(Speaker::User, text)).collect(),
        choice: None,
    };
    let selected = probe::select(query, now, (snapshot, index), &policy.probe.selection).unwrap();
    let Lane::Deep(deep) = lane::choose(selected, &policy.lanes) else {
        panic!("a deep query went another way")
    };
    let lexicon = Lexicon::of(&policy.probe);
    let probed = probe::metadata(deep, &lexicon, &lexicon.knowledge(), policy);
    let gate = policy.ruling();
    let opinion = Ok(gate::judge(&Brief::of(&probed, &gate)));
    gate::rule(probed, &opinion, &gate).decision
}
