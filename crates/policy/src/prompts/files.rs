//! The shipped prompt files, in the order in which they are hashed, and the slots of each.

use super::template::{Slot, SlotKind};
use crate::models::ModelStage;

/// A file of a stage's prompt.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PromptFile {
    /// Whose it is.
    pub(crate) stage: ModelStage,
    /// Below the policies: `prompts/judge/user.md`.
    pub(crate) path: &'static str,
    /// The text in the binary.
    pub(crate) shipped: &'static str,
    /// What values there are for it.
    pub(crate) slots: &'static [Slot],
}

impl PromptFile {
    /// Its name within its stage.
    pub(crate) fn name(&self) -> &'static str {
        self.path.rsplit('/').next().unwrap_or(self.path)
    }
}

macro_rules! file {
    ($stage:ident, $path:literal, $slots:expr) => {
        PromptFile {
            stage: ModelStage::$stage,
            path: concat!("prompts/", $path),
            shipped: include_str!(concat!("../../../../policies/prompts/", $path)),
            slots: &$slots,
        }
    };
}

const fn data(name: &'static str) -> Slot {
    Slot { name, kind: SlotKind::Data }
}

const fn plain(name: &'static str) -> Slot {
    Slot { name, kind: SlotKind::Plain }
}

/// Every file of every prompt.
pub(crate) const ALL: [PromptFile; 33] = [
    file!(Judge, "judge/system.md", [plain("options_max")]),
    file!(
        Judge,
        "judge/user.md",
        [plain("clarification"), data("question"), data("options"), data("unavailable")]
    ),
    file!(Judge, "judge/again.md", [data("fault")]),
    file!(Judge, "judge/reply.schema.json", []),
    file!(Plan, "plan/system.md", [plain("dialect")]),
    file!(Plan, "plan/dialect.md", []),
    file!(
        Plan,
        "plan/user.md",
        [
            plain("now"),
            plain("calls_max"),
            plain("fan_out_max"),
            data("chosen"),
            data("unserved"),
            data("question"),
            data("history"),
            data("methods"),
            data("helpers"),
            data("avoid"),
        ]
    ),
    file!(Plan, "plan/again.md", [data("fault")]),
    file!(Plan, "plan/refused.md", [data("source"), data("notes")]),
    file!(Plan, "plan/fell_short.md", [data("source"), data("notes")]),
    file!(Plan, "plan/reply.schema.json", []),
    file!(Complete, "complete/system.md", []),
    file!(
        Complete,
        "complete/user.md",
        [data("question"), data("parts"), data("sources"), data("gaps"), data("methods")]
    ),
    file!(Complete, "complete/again.md", [data("fault")]),
    file!(Complete, "complete/reply.schema.json", []),
    file!(Summarize, "summarize/system.md", [plain("characters_max")]),
    file!(Summarize, "summarize/user.md", [data("question"), data("text")]),
    file!(Summarize, "summarize/again.md", [data("fault")]),
    file!(Summarize, "summarize/reply.schema.json", []),
    file!(Recap, "recap/system.md", [plain("characters_max")]),
    file!(Recap, "recap/user.md", [data("known"), data("said")]),
    file!(Recap, "recap/again.md", [data("fault")]),
    file!(Recap, "recap/reply.schema.json", []),
    file!(Explore, "explore/system.md", []),
    file!(
        Explore,
        "explore/user.md",
        [
            data("question"),
            data("history"),
            data("passages"),
            data("moves"),
            plain("moves_left"),
            plain("requests_left"),
        ]
    ),
    file!(Explore, "explore/again.md", [data("fault")]),
    file!(Explore, "explore/reply.schema.json", []),
    file!(Reason, "reason/system.md", []),
    file!(Reason, "reason/user.md", [data("question"), data("history"), data("sources"), plain("coverage")]),
    file!(Reason, "reason/again.md", [data("fault")]),
    file!(Reason, "reason/reply.schema.json", []),
    file!(Synthesize, "synthesize/system.md", []),
    file!(
        Synthesize,
        "synthesize/user.md",
        [data("question"), data("sources"), data("facts"), data("table"), data("assumptions"), data("gaps"),]
    ),
];
