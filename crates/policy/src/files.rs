//! The shipped policy files, in the order in which they are hashed.

/// A file's name and its shipped text.
pub(crate) type Shipped = (&'static str, &'static str);

macro_rules! shipped {
    ($name:literal) => {
        ($name, include_str!(concat!("../../../policies/", $name)))
    };
}

pub(crate) const LANES: Shipped = shipped!("lanes.toml");
pub(crate) const PROBE: Shipped = shipped!("probe.toml");
pub(crate) const LEARNED: Shipped = shipped!("learned.toml");
pub(crate) const GATE: Shipped = shipped!("gate.toml");
pub(crate) const RECOVERY: Shipped = shipped!("recovery.toml");
pub(crate) const EVIDENCE: Shipped = shipped!("evidence.toml");
pub(crate) const BUDGETS: Shipped = shipped!("budgets.toml");
pub(crate) const SANDBOX: Shipped = shipped!("sandbox.toml");
pub(crate) const MODELS: Shipped = shipped!("models.toml");
pub(crate) const UPSTREAMS: Shipped = shipped!("upstreams.toml");
pub(crate) const STORE: Shipped = shipped!("store.toml");
pub(crate) const SERVER: Shipped = shipped!("server.toml");
pub(crate) const LIBRARY: Shipped = shipped!("library.toml");
pub(crate) const GUARDRAILS: Shipped = shipped!("guardrails.toml");
pub(crate) const RECORDING: Shipped = shipped!("recording.toml");

/// Every file of a bundle.
pub(crate) const ALL: [Shipped; 15] = [
    LANES, PROBE, LEARNED, GATE, RECOVERY, EVIDENCE, BUDGETS, SANDBOX, MODELS, UPSTREAMS, STORE, SERVER,
    LIBRARY, GUARDRAILS, RECORDING,
];
