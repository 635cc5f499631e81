//! The beginning of a thread in short: made by a model where the policy names one, kept with the thread, and left out where
//! no model gives one that holds.

use std::sync::{Arc, Mutex};

use contract::chat::{Chunk, Part, Step, StepState};
use domain::Usd;
use llm::{Model, RecapBrief, StageReport, Usage};
use policy::ModelStage;
use store::{Recap, ThreadKey};

use super::perform::{Telling, lock};
use crate::chat::turn::{self, Beginning};
use crate::http::Api;
use crate::to_wire::time;

/// What is told of it while it is made.
const LABEL: &str = "Recalling what was said before";

/// Makes it and keeps it: none where it is not to be had; and what was spent on it.
pub(super) async fn of(
    api: &Api,
    (key, beginning): (ThreadKey<'_>, &Beginning),
    spend_max: Usd,
    telling: &Arc<Mutex<Telling>>,
) -> (Option<String>, Usd) {
    let assembly = &api.assembly;
    let session = assembly.models();
    if !session.asks(ModelStage::Recap) {
        return (None, Usd::ZERO);
    }
    session.allow(spend_max);
    let run = lock(telling).run();
    let since = assembly.clock.now();
    let step = |state: StepState, ms: Option<u64>| {
        let data = Step {
            stage: "recap".to_owned(),
            label: LABEL.to_owned(),
            state,
            detail: None,
            started_at: time(since),
            ms,
        };
        lock(telling).tell(vec![Chunk::Data(Part::Step { id: "step-recap".to_owned(), data })]);
    };
    step(StepState::Running, None);
    let said: Vec<String> = beginning.said.iter().map(domain::Turn::told).collect();
    let brief = RecapBrief { known: &beginning.known, said: &said, chars_max: beginning.chars_max };
    let text = tokio::select! {
        biased;
        () = run.cancel.cancelled() => None,
        text = session.recap(&brief) => text,
    };
    let text = text.map(|text| turn::cut(&text, beginning.chars_max));
    let ms = assembly.clock.now().duration_since(since).as_millis();
    step(if text.is_some() { StepState::Done } else { StepState::Failed }, u64::try_from(ms).ok());
    let reports = session.take_reports();
    let spent: Usage = reports.iter().map(StageReport::usage).sum();
    if let Some(text) = &text {
        let recap = Recap { through: beginning.through.clone(), text: text.clone() };
        if let Err(error) = assembly.store.keep_recap(key, &recap).await {
            tracing::error!(%error, "what was said before could not be kept in short");
        }
    }
    (text, spent.cost)
}
