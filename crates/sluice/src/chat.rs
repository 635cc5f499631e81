//! The conversation: who asks, how often, what is said again, and what a run tells those who come back to it. Asking itself
//! goes through `reply.rs`, like every surface.

pub(crate) mod bot;
pub(crate) mod runs;
pub(crate) mod session;
pub(crate) mod turn;
pub(crate) mod windows;

use std::sync::Arc;

use policy::Policy;
use store::Store;

use crate::chat::bot::{BotCheck, BotFault};
use crate::chat::runs::Runs;
use crate::chat::windows::Windows;

/// What the conversations of one process share.
pub(crate) struct Conversations {
    pub(crate) runs: Arc<Runs>,
    pub(crate) windows: Windows,
    pub(crate) bot: BotCheck,
    /// Signs sessions; kept with the durable state.
    pub(crate) session_key: Vec<u8>,
    /// The policy of callers without a key: its budgets are narrower.
    pub(crate) guarded: Arc<Policy>,
}

/// Why there can be no conversations.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoConversations {
    /// The bot check cannot be made.
    #[error("policy: {0}")]
    Bot(#[from] BotFault),
    /// The durable state failed.
    #[error("data directory: {0}")]
    Store(#[from] store::Error),
}

impl Conversations {
    /// What conversations need of a policy and the durable state. `environment` gives variables by name.
    pub(crate) async fn open(
        policy: &Policy,
        store: &Store,
        environment: &(dyn Fn(&str) -> Option<String> + Sync),
    ) -> Result<Self, NoConversations> {
        let rules = &policy.guardrails;
        Ok(Self {
            runs: Arc::new(Runs::new(rules.runs)),
            windows: Windows::new(rules.rate),
            bot: BotCheck::open(&rules.bot, store.secret("bot-check").await?, &environment)?,
            session_key: store.secret("session").await?,
            guarded: guarded(policy),
        })
    }
}

fn guarded(policy: &Policy) -> Arc<Policy> {
    let mut guarded = policy.clone();
    (guarded.budgets, guarded.recovery) = policy.guardrails.narrowed(&policy.budgets, &policy.recovery);
    Arc::new(guarded)
}
