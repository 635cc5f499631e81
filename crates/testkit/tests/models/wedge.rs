//! The questions on exchange flows with scripted models: the same evidence as by rules, and what a model forgets is gathered.

use engine::{Action, Answer, Outcome, Settled};
use serde_json::json;
use testkit::House;
use testkit::model_server::{Line, ModelServer};
use trace::Event;

use crate::house::{self, Settings};

const QUESTIONS: [&str; 6] = [
    "Is BTC flowing into or out of exchanges on Coinglass? Search for news explaining the flow.",
    "Which exchanges are seeing the largest BTC inflows and outflows over the last 24 hours? Give me a heatmap-style \
     ranking with magnitude and share of total flow.",
    "Where is stablecoin liquidity rotating today? Rank exchanges by USDT and USDC net inflow, then compare the move \
     with the prior 7-day baseline.",
    "Show me whether ETH exchange flows confirm or contradict current derivatives positioning. Compare net spot flows, \
     open interest direction, and liquidations, and call out any venue-specific divergence.",
    "Which venue shows the most abnormal exchange-flow event right now for BTC, ETH, or stablecoins? Quantify the \
     anomaly versus the 30-day baseline and cite the likely catalyst.",
    "Did BTC exchange flows flip from accumulation to distribution in the last 48 hours? Summarize the regime change, \
     the leading venues, and the evidence behind the shift.",
];

/// A plan over every exchange and asset is long.
const PLAN_CHARS_MAX: usize = 20_000;

async fn asked(lines: Vec<Line>, question: &str) -> (Settled, ModelServer) {
    let server = ModelServer::start(lines);
    let servers = [("scripted", server.base_url())];
    let policy = house::policy(&Settings { output_chars_max: PLAN_CHARS_MAX, ..Settings::of(&servers) });
    let house = House::under(policy, "2026-06-01T12:00:00Z".parse().unwrap(), Vec::new()).await;
    let settled = house.ask(question, Vec::new()).await;
    (settled, server)
}

fn answered(settled: &Settled) -> &Answer {
    let Ok(Outcome::Answer(answer)) = &settled.ending else { panic!("{:?}", settled.ending) };
    answer
}

/// The market evidence without the numbers of its sources, which depend on what was called before.
fn unsourced(answer: &Answer) -> domain::MarketIntelligence {
    let mut market = *answer.evidence.market.clone().unwrap();
    market.venue_breakdown.iter_mut().for_each(|venue| venue.source.clear());
    market
}

fn planned(source: &str) -> Line {
    let reply = json!({
        "outcome": "program", "source": source, "primary": "exchange_flows.get_exchange_flow", "dimension": null,
        "measures": [], "assumptions": [], "missing": [], "reason": ""
    });
    Line::Say(reply.to_string())
}

fn complete() -> Line {
    let reply = json!({
        "outcome": "complete", "missing_parts": [], "suggested_fix": "", "missing_capability": null, "reason": "All there."
    });
    Line::Say(reply.to_string())
}

#[tokio::test(flavor = "multi_thread")]
async fn every_question_has_the_same_evidence_with_scripted_models() {
    let now = "2026-06-01T12:00:00Z".parse().unwrap();
    let house = House::build(now, Vec::new()).await;
    for question in QUESTIONS {
        let by_rules = house.ask(question, Vec::new()).await;
        let source = by_rules.events.iter().find_map(|stamped| {
            let Event::ProgramWritten { source, .. } = &stamped.event else { return None };
            Some(source.clone())
        });
        let answer = Line::Say("The flow is told in the table [1]. It lost 987,654,321 dollars.".to_owned());
        let (settled, _server) = asked(vec![planned(&source.unwrap()), complete(), answer], question).await;
        let answer = answered(&settled);
        assert_eq!(unsourced(answer), unsourced(answered(&by_rules)), "{question}");
        assert_eq!(
            answer.text.trim(),
            "The flow is told in the table [1].",
            "a number of nobody is withheld"
        );
        assert!(answer.evidence.known_unknowns.iter().any(|text| text.contains("withheld")), "{question}");
        assert!(settled.spent.model_cost() > domain::Usd::ZERO);
    }
}

/// A program that no verifier lets pass.
fn refused(n: usize) -> Line {
    planned(&format!("call_tool(\"exchange_flows.no_such_method_{n}\", #{{}})"))
}

/// The last program that was written for a request.
fn source(settled: &Settled) -> String {
    let written = settled.events.iter().rev().find_map(|stamped| {
        let Event::ProgramWritten { source, .. } = &stamped.event else { return None };
        Some(source.clone())
    });
    written.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_planner_that_fails_leaves_the_question_to_the_playbook() {
    let now = "2026-06-01T12:00:00Z".parse().unwrap();
    let house = House::build(now, Vec::new()).await;
    let answer = Line::Say("The flow is told in the table [1].".to_owned());
    let stubborn = vec![refused(1), refused(2), refused(3), complete(), answer];
    let broken = vec![Line::Refuse { status: 500, retry_after: None }];
    for (lines, question) in
        [(stubborn, QUESTIONS[2]), (broken.clone(), QUESTIONS[0]), (broken, QUESTIONS[5])]
    {
        let by_rules = house.ask(question, Vec::new()).await;
        let (settled, _server) = asked(lines, question).await;
        assert_eq!(source(&settled), source(&by_rules), "{question}");
        assert_eq!(unsourced(answered(&settled)), unsourced(answered(&by_rules)), "{question}");
        assert_eq!(answered(&settled).actions, [], "{question}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_model_forgets_is_gathered_and_nothing_is_paid_twice() {
    let flows = "call_tool(\"exchange_flows.get_exchange_flow\", #{exchange: \"binance\", asset: \"ETH\", window: \"24h\"})";
    let answer = Line::Say("Flows and derivatives are told [1].".to_owned());
    let (settled, _server) = asked(vec![planned(flows), complete(), answer], QUESTIONS[3]).await;
    let answer = answered(&settled);
    let market = answer.evidence.market.as_ref().unwrap();
    let context = market.derivatives_context.as_ref().unwrap();
    assert!(!context.venues.is_empty(), "{context:?}");
    assert_eq!(answer.actions, [Action::PatchCurrentProgram]);
    let flows = settled.spent.calls.iter().filter(|call| call.method.method.as_str() == "get_exchange_flow");
    assert_eq!(flows.count(), 1);
}
