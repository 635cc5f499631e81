//! `guardrails.toml`: the chat surface's limits, for callers without a key above all.

use std::net::IpAddr;

use domain::Usd;
use rust_decimal::Decimal;
use serde::Deserialize;

use crate::limits::Budgets;
use crate::range::{OutOfRange, at_least_one, within};
use crate::recovery::Recovery;

/// The chat surface's limits.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Guardrails {
    /// Who may ask without a key.
    pub anonymous: Anonymous,
    /// How sessions are kept.
    pub session: SessionCookie,
    /// How callers are told apart by address.
    pub address: Addresses,
    /// How long a message may be.
    pub input: InputLimits,
    /// How often messages may come.
    pub rate: Rates,
    /// How many messages a session has.
    pub quota: Quotas,
    /// How many runs there may be, and what is kept of them.
    pub runs: RunLimits,
    /// What a question without a key may spend.
    pub budgets: NarrowBudgets,
    /// What may be asked, and of whom.
    pub scope: ScopeRules,
    /// What is said again of a thread.
    pub history: HistoryLimits,
    /// How much of threads is kept.
    pub threads: ThreadRules,
    /// What a session has to show first.
    pub bot: BotRules,
}

/// Who may ask without a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Anonymous {
    /// Nobody.
    Never,
    /// Whoever reaches a server that wants no keys.
    Loopback,
    /// Everybody.
    Always,
}

/// How sessions are kept.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionCookie {
    /// Days that a browser keeps its session.
    pub cookie_days: u32,
    /// Whether the cookie is for HTTPS alone.
    pub secure_cookie: bool,
}

/// How callers are told apart by address.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Addresses {
    trusted_proxies: Vec<String>,
    /// Leading bits of an IPv4 address.
    pub ipv4_prefix_bits: u8,
    /// Leading bits of an IPv6 address.
    pub ipv6_prefix_bits: u8,
}

/// How long a message may be.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InputLimits {
    /// Characters.
    pub message_chars_max: usize,
    /// Bytes.
    pub message_bytes_max: usize,
    /// Parts.
    pub message_parts_max: usize,
    /// Words of an answer in own words to a clarification.
    pub value_words_max: usize,
}

/// How often messages may come.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rates {
    /// Within any minute.
    pub minute: Rate,
    /// Within any hour.
    pub hour: Rate,
    /// What is remembered of callers.
    pub memory: RateMemory,
}

/// Messages within a window of time.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rate {
    /// From one address prefix.
    pub per_address_max: u32,
    /// In one session.
    pub per_session_max: u32,
    /// Of everyone without a key.
    pub global_max: u32,
}

/// What is remembered of callers.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RateMemory {
    /// Addresses and sessions that are told apart at the same time.
    pub callers_max: usize,
}

/// How many messages a session has.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quotas {
    /// Altogether.
    pub messages_per_session_max: u64,
    /// On one day, in UTC.
    pub messages_per_day_max: u64,
}

/// How many runs there may be, and what is kept of them.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunLimits {
    /// Under way at once, of one session or caller.
    pub per_owner_max: usize,
    /// Under way at once, altogether.
    pub open_max: usize,
    /// Bytes of one run's stream.
    pub stream_bytes_max: usize,
    /// Seconds that a run is kept after its end.
    pub kept_seconds: u32,
    /// Runs that are kept.
    pub kept_max: usize,
    /// Seconds after which a run that nobody reads is stopped; never where it is 0.
    pub left_alone_seconds: u32,
}

/// What a question without a key may spend.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NarrowBudgets {
    /// Wall time, in milliseconds.
    pub deadline_ms_max: u64,
    /// Calls of MCP methods.
    pub calls_max: usize,
    /// Programs that may be planned.
    pub plans_max: usize,
    spend_usd_max: Decimal,
}

/// What may be asked, and of whom.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScopeRules {
    /// Names of the listings that may serve callers without a key; all of them where it names none.
    pub listings: Vec<String>,
    /// Whose documents may serve callers without a key; nobody's where it is empty.
    pub documents_of: String,
    /// Words in lower case that a question is turned away for.
    pub refused_phrases: Vec<String>,
    /// How many tools a reply names at the most.
    pub tools_named_max: usize,
    /// What asks for nothing.
    #[serde(default)]
    pub courtesies: Vec<Courtesy>,
}

/// Messages that ask for nothing, and what is replied to them.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Courtesy {
    /// The whole message, in lower case and without marks.
    pub said: Vec<String>,
    /// The reply; `{sources}` in it stands for what serves the thread.
    pub reply: String,
}

/// What is said again of a thread.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HistoryLimits {
    /// Pairs of question and answer.
    pub pairs_max: usize,
    /// Characters of one pair.
    pub pair_chars_max: usize,
    /// Characters of all of them.
    pub chars_max: usize,
    /// Characters of what a model makes of the pairs before them.
    pub recap_chars_max: usize,
    /// Pairs that it is made of at a time; the last of them may still be said again.
    pub recap_pairs: usize,
}

/// How much of threads is kept.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ThreadRules {
    /// Threads of one owner.
    pub threads_per_owner_max: u64,
    /// Messages of one thread.
    pub messages_per_thread_max: u64,
    /// Days after a thread last changed.
    pub kept_days: u32,
    /// Characters of a title.
    pub title_chars_max: usize,
    /// Threads of one page, where the caller says nothing.
    pub page_default: u32,
    /// Threads of one page.
    pub page_max: u32,
}

/// What a session has to show first.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BotRules {
    /// What.
    pub check: BotCheckKind,
    /// Minutes that a session which passed need not show it again.
    pub passed_minutes: u32,
    /// Zero bits of a proof of work.
    pub proof_bits: u32,
    /// Seconds that a challenge serves.
    pub challenge_seconds: u32,
    /// Used challenges that are remembered.
    pub spent_challenges_max: usize,
    /// The service's address.
    pub siteverify_url: String,
    /// The site's public key with the service.
    pub site_key: String,
    /// The environment variable with the secret.
    pub secret_env: String,
    /// How long the service may take, in milliseconds.
    pub siteverify_ms_max: u64,
}

/// What a session has to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BotCheckKind {
    /// Nothing.
    Off,
    /// Work on a challenge.
    ProofOfWork,
    /// A service's token.
    Siteverify,
}

impl Guardrails {
    /// Budgets and recovery narrowed to what a question without a key may spend.
    #[must_use]
    pub fn narrowed(&self, budgets: &Budgets, recovery: &Recovery) -> (Budgets, Recovery) {
        let narrow = &self.budgets;
        let mut budgets = budgets.clone();
        budgets.deadline_ms_max = budgets.deadline_ms_max.min(narrow.deadline_ms_max);
        budgets.answer_reserve_ms = budgets.answer_reserve_ms.min(budgets.deadline_ms_max / 2);
        budgets.calls_max = budgets.calls_max.min(narrow.calls_max);
        budgets.narrow_spend(narrow.spend_usd_max);
        let mut recovery = recovery.clone();
        recovery.plans_max = recovery.plans_max.min(narrow.plans_max);
        (budgets, recovery)
    }

    pub(crate) fn check(&self) -> Result<(), OutOfRange> {
        at_least_one("session.cookie_days", self.session.cookie_days)?;
        self.address.check()?;
        at_least_one("input.message_chars_max", self.input.message_chars_max)?;
        at_least_one("input.message_bytes_max", self.input.message_bytes_max)?;
        at_least_one("input.message_parts_max", self.input.message_parts_max)?;
        at_least_one("rate.memory.callers_max", self.rate.memory.callers_max)?;
        at_least_one("runs.per_owner_max", self.runs.per_owner_max)?;
        at_least_one("runs.open_max", self.runs.open_max)?;
        within("runs.stream_bytes_max", self.runs.stream_bytes_max >= 65_536, "must be at least 65,536")?;
        at_least_one("runs.kept_max", self.runs.kept_max)?;
        at_least_one("budgets.deadline_ms_max", self.budgets.deadline_ms_max)?;
        at_least_one("budgets.calls_max", self.budgets.calls_max)?;
        at_least_one("budgets.plans_max", self.budgets.plans_max)?;
        let spend = self.budgets.spend_usd_max;
        within("budgets.spend_usd_max", !spend.is_sign_negative(), "must not be negative")?;
        let is_lower = |phrase: &String| !phrase.is_empty() && *phrase == phrase.to_lowercase();
        within(
            "scope.refused_phrases",
            self.scope.refused_phrases.iter().all(is_lower),
            "must be in lower case and not empty",
        )?;
        within(
            "scope.courtesies",
            self.scope.courtesies.iter().all(|it| it.said.iter().all(is_lower) && !it.reply.is_empty()),
            "must be said in lower case, and have a reply",
        )?;
        at_least_one("scope.tools_named_max", self.scope.tools_named_max)?;
        at_least_one("threads.threads_per_owner_max", self.threads.threads_per_owner_max)?;
        within(
            "threads.messages_per_thread_max",
            self.threads.messages_per_thread_max >= 2,
            "must be at least 2",
        )?;
        at_least_one("threads.kept_days", self.threads.kept_days)?;
        at_least_one("history.recap_chars_max", self.history.recap_chars_max)?;
        at_least_one("history.recap_pairs", self.history.recap_pairs)?;
        at_least_one("threads.title_chars_max", self.threads.title_chars_max)?;
        at_least_one("threads.page_default", self.threads.page_default)?;
        within(
            "threads.page_max",
            self.threads.page_max >= self.threads.page_default,
            "must be at least `threads.page_default`",
        )?;
        self.bot.check()
    }
}

impl NarrowBudgets {
    /// Dollars for calls.
    #[must_use]
    pub fn spend_max(&self) -> Usd {
        Usd::from(self.spend_usd_max)
    }
}

impl Addresses {
    fn check(&self) -> Result<(), OutOfRange> {
        within("address.ipv4_prefix_bits", self.ipv4_prefix_bits <= 32, "must be at most 32")?;
        within("address.ipv6_prefix_bits", self.ipv6_prefix_bits <= 128, "must be at most 128")?;
        within(
            "address.trusted_proxies",
            self.trusted_proxies.iter().all(|text| prefix(text).is_some()),
            "must be addresses or prefixes",
        )
    }

    /// Whether what this address says of whom it forwards for is believed.
    #[must_use]
    pub fn trusts(&self, address: IpAddr) -> bool {
        let trusted = self.trusted_proxies.iter().filter_map(|text| prefix(text));
        trusted.into_iter().any(|(known, bits)| {
            known.is_ipv4() == address.is_ipv4() && masked(known, bits) == masked(address, bits)
        })
    }

    /// The part of an address that callers are told apart by.
    #[must_use]
    pub fn prefix(&self, address: IpAddr) -> IpAddr {
        let address = address.to_canonical();
        masked(address, if address.is_ipv4() { self.ipv4_prefix_bits } else { self.ipv6_prefix_bits })
    }
}

fn prefix(text: &str) -> Option<(IpAddr, u8)> {
    let (address, bits) = match text.split_once('/') {
        Some((address, bits)) => (address.parse::<IpAddr>().ok()?, Some(bits.parse::<u8>().ok()?)),
        None => (text.parse::<IpAddr>().ok()?, None),
    };
    let bits_max = if address.is_ipv4() { 32 } else { 128 };
    let bits = bits.unwrap_or(bits_max);
    (bits <= bits_max).then_some((address, bits))
}

fn masked(address: IpAddr, bits: u8) -> IpAddr {
    match address {
        IpAddr::V4(address) => {
            let mask = u32::MAX.checked_shl(32 - u32::from(bits.min(32))).unwrap_or(0);
            IpAddr::V4((u32::from(address) & mask).into())
        }
        IpAddr::V6(address) => {
            let mask = u128::MAX.checked_shl(128 - u32::from(bits.min(128))).unwrap_or(0);
            IpAddr::V6((u128::from(address) & mask).into())
        }
    }
}

impl BotRules {
    fn check(&self) -> Result<(), OutOfRange> {
        within("bot.proof_bits", (1..=32).contains(&self.proof_bits), "must be from 1 to 32")?;
        at_least_one("bot.passed_minutes", self.passed_minutes)?;
        at_least_one("bot.challenge_seconds", self.challenge_seconds)?;
        at_least_one("bot.spent_challenges_max", self.spent_challenges_max)?;
        at_least_one("bot.siteverify_ms_max", self.siteverify_ms_max)?;
        let is_named =
            [&self.siteverify_url, &self.site_key, &self.secret_env].iter().all(|it| !it.is_empty());
        within(
            "bot.siteverify_url",
            self.check != BotCheckKind::Siteverify || is_named,
            "must stand beside `site_key` and `secret_env` where `check` is \"siteverify\"",
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Policy;

    fn shipped() -> Guardrails {
        Policy::shipped().unwrap().guardrails
    }

    fn changed(line: &str, by: &str) -> Result<Policy, crate::PolicyError> {
        let text = include_str!("../../../policies/guardrails.toml");
        assert!(text.contains(line), "{line}");
        Policy::with_file("guardrails.toml", &text.replace(line, by))
    }

    #[test]
    fn addresses_are_told_apart_by_prefix() {
        let addresses = shipped().address;
        let prefix = |text: &str| addresses.prefix(text.parse().unwrap()).to_string();
        assert_eq!(prefix("192.0.2.7"), "192.0.2.7");
        assert_eq!(prefix("::ffff:192.0.2.7"), "192.0.2.7");
        assert_eq!(prefix("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
        assert_eq!(masked("10.1.2.3".parse().unwrap(), 0).to_string(), "0.0.0.0");
    }

    #[test]
    fn only_named_proxies_are_trusted() {
        let trusts = |policy: &Policy, text: &str| policy.guardrails.address.trusts(text.parse().unwrap());
        assert!(!trusts(&Policy::shipped().unwrap(), "127.0.0.1"));
        let named = changed("trusted_proxies = []", "trusted_proxies = [\"10.0.0.0/8\", \"::1\"]").unwrap();
        assert!(trusts(&named, "10.9.8.7") && trusts(&named, "::1"));
        assert!(!trusts(&named, "11.0.0.1") && !trusts(&named, "::2"));
    }

    #[test]
    fn budgets_only_get_narrower() {
        let policy = Policy::shipped().unwrap();
        let (budgets, recovery) = policy.guardrails.narrowed(&policy.budgets, &policy.recovery);
        assert_eq!((budgets.deadline_ms_max, budgets.calls_max), (60_000, 40));
        assert_eq!(budgets.spend_max(), Usd::parse("0.10").unwrap());
        assert!(recovery.plans_max <= policy.recovery.plans_max);
        let wide = changed("calls_max = 40", "calls_max = 100000").unwrap();
        let (budgets, _) = wide.guardrails.narrowed(&wide.budgets, &wide.recovery);
        assert_eq!(budgets.calls_max, wide.budgets.calls_max);
    }

    #[test]
    fn what_cannot_be_is_refused() {
        for (line, by) in [
            ("trusted_proxies = []", "trusted_proxies = [\"localhost\"]"),
            ("trusted_proxies = []", "trusted_proxies = [\"10.0.0.0/33\"]"),
            ("ipv4_prefix_bits = 32", "ipv4_prefix_bits = 33"),
            ("page_max = 100", "page_max = 1"),
            ("\"your api key\",", "\"Your API key\","),
            ("check = \"off\"", "check = \"siteverify\""),
            ("anonymous = \"loopback\"", "anonymous = \"sometimes\""),
        ] {
            assert!(changed(line, by).is_err(), "{by}");
        }
    }
}
