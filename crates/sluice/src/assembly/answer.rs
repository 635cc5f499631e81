//! Answers one question over the assembled parts, live, recorded or replayed.

use domain::Query;
use engine::{Ports, Run, Settled};
use llm::{Exchanges, Session};
use mcp::{Catalog, Tools};
use policy::Policy;
use telemetry::Watch;
use worker::Passes;

use crate::assembly::Assembly;
use crate::carry::{CarriedExchanges, CarryingTools};
use crate::outside::Outside;

impl Assembly {
    /// The models for what is done around a question.
    pub(crate) fn models(&self) -> Session<'_> {
        self.portfolio.session(None)
    }

    /// Answers one question: the only way in, for every surface.
    pub(crate) async fn answer(
        &self,
        query: Query,
        run: &Run,
        policy: &Policy,
        (outside, watch): (&Outside, Option<&Watch>),
    ) -> Settled {
        let answer_model = query.answer_model.clone();
        let answer_model = answer_model.as_deref();
        let journal = match outside {
            Outside::Replayed(tape) => {
                let session = self.portfolio.session_over(answer_model, &**tape);
                let programs = tape.programs(&self.programs);
                return self.serve(query, run, policy, (&**tape, &**tape, &programs, &session)).await;
            }
            Outside::Recorded(journal) => Some(&**journal),
            Outside::Live => None,
        };
        let shelved = self.catalog(run.caller()).await;
        let tools = CarryingTools { live: &shelved, watch };
        let exchanges = CarriedExchanges { inner: journal.map(|journal| journal as &dyn Exchanges), watch };
        let session = self.portfolio.session_over(answer_model, &exchanges);
        match journal {
            None => self.serve(query, run, policy, (&shelved, &tools, &self.programs, &session)).await,
            Some(journal) => {
                let (catalog, tools) = (journal.catalog(&shelved), journal.tools(&tools));
                let programs = journal.programs(&self.programs);
                self.serve(query, run, policy, (&catalog, &tools, &programs, &session)).await
            }
        }
    }

    async fn serve(
        &self,
        query: Query,
        run: &Run,
        policy: &Policy,
        (catalog, tools, programs, model): (&dyn Catalog, &dyn Tools, &dyn Passes, &Session<'_>),
    ) -> Settled {
        let ports = Ports {
            catalog,
            shelf: &self.shelf,
            tools,
            programs,
            model,
            token_key: &self.token_key,
            ledger: &self.ledger,
        };
        Box::pin(engine::serve(query, run, policy, ports)).await
    }
}
