//! One request on one screen.

use domain::Query;
use gate::Ruling;
use lane::Lane;
use policy::Policy;
use trace::{Event, Stage};

use crate::assess::{self, Attempt};
use crate::failure::Failure;
use crate::outcome::{Outcome, Settled};
use crate::ports::Ports;
use crate::run::Run;
use crate::{judge, select, settle, synthesize, told};

/// Answers a query. Whatever the ending, it is settled once, here.
pub async fn serve(query: Query, run: &Run, policy: &Policy, ports: Ports<'_>) -> Settled {
    run.note(Event::QueryStarted { depth: query.depth });
    let ending = answer(query, run, policy, ports).await;
    settle::ending(ending, run, ports).await
}

async fn answer(query: Query, run: &Run, policy: &Policy, ports: Ports<'_>) -> Result<Outcome, Failure> {
    let selected = run.timed(Stage::Selection, || select::tools(query, run, &policy.probe, ports))?;

    let cleared = match told::lane(lane::choose(selected, &policy.lanes), run) {
        Lane::Fast(fast) => gate::waive(fast),
        Lane::Deep(deep) => {
            let probed = told::probed(run.timed(Stage::Probe, || select::probe(deep, policy, ports)), run);
            let token = (ports.token_key, run.started_at());
            let opinion = judge::opinion(&probed, policy, ports.model, token);
            let opinion = run.asking(Stage::Judge, ports.model, opinion).await?;
            let opinion = told::opinion(opinion, run);
            let judged = (policy, ports.model.is_hosted_judge());
            match told::ruling(judge::rule(probed, &opinion, judged, token), run) {
                Ruling::Proceed(cleared) => cleared,
                Ruling::Clarify(card) => return Ok(Outcome::Clarify(card)),
                Ruling::Miss(miss) => return Ok(Outcome::Miss(miss)),
            }
        }
    };

    let assessed = match assess::until_complete(cleared, run, policy, ports).await? {
        Attempt::Assessed(assessed) => assessed,
        Attempt::Missed(miss) => return Ok(Outcome::Miss(miss)),
    };
    if assessed.is_evidence_only() {
        return Ok(Outcome::Evidence(assessed.into_evidence()));
    }
    let answer = synthesize::answer(assessed, run, policy, ports.model);
    Ok(Outcome::Answer(run.asking(Stage::Synthesis, ports.model, answer).await??))
}
