//! One recorded request as lines for a terminal: its stages, its calls side by side, its models, and what it spent.

use jiff::Timestamp;
use policy::{Budgets, Policy};
use serde_json::Value;
use trace::{Summary, ToldEvent, Trace};

use crate::command::Fault;

/// Columns of the picture's time scale.
const COLUMNS: u64 = 48;

/// The lines.
pub(super) fn of(trace: &Trace) -> Result<Vec<String>, Fault> {
    let header = &trace.header;
    let summary = &header.summary;
    // Policies of another version bound it too, but not in words that are known here.
    let policy = Policy::of_files(&trace.policies()?).ok();
    let scale = Scale { began: header.started_at, whole_ms: summary.duration_ms.max(1) };
    let mut lines = vec![
        format!("{}  {}", header.started_at, header.question),
        format!(
            "{} in {} ms, {}; policies {}",
            summary.outcome,
            summary.duration_ms,
            lane(summary),
            &header.policy_hash[..header.policy_hash.len().min(12)]
        ),
        String::new(),
    ];
    let mut wave = Waves::default();
    for event in trace.events() {
        lines.extend(wave.line(&event, &scale));
    }
    let of = |most: &dyn Fn(&Budgets) -> String| match &policy {
        Some(policy) => most(&policy.budgets),
        None => "an unknown number".to_owned(),
    };
    let calls_max = of(&|budgets| budgets.calls_max.to_string());
    let (spend_max, deadline) = (
        of(&|budgets| format!("${}", budgets.spend_max())),
        of(&|budgets| budgets.deadline_ms_max.to_string()),
    );
    lines.push(String::new());
    lines.push(format!("calls {} of {calls_max}, {} failed", summary.calls, summary.failed_calls));
    lines.push(format!("models {} requests", summary.model_requests));
    lines.push(format!("cost ${}, calls up to {spend_max}", summary.cost_usd));
    lines.push(format!("time {} of {deadline} ms", summary.duration_ms));
    if summary.is_cancelled {
        lines.push("given up before its end".to_owned());
    }
    for (what, times) in trace.redacted() {
        lines.push(format!("not written: {what}, {times} times"));
    }
    Ok(lines)
}

/// The lane that it took, and why; a question about documents takes none.
fn lane(summary: &Summary) -> String {
    if summary.lane.is_empty() {
        return "no lane".to_owned();
    }
    format!("{} lane, {}", summary.lane, summary.reason)
}

/// The time scale.
struct Scale {
    began: Timestamp,
    whole_ms: u64,
}

impl Scale {
    /// A bar that ends at `at` and is `duration_ms` long.
    fn bar(&self, at: Timestamp, duration_ms: u64) -> String {
        let end = u64::try_from(at.duration_since(self.began).as_millis()).unwrap_or(0).min(self.whole_ms);
        let column = |ms: u64| ms * COLUMNS / self.whole_ms;
        let begin = column(end.saturating_sub(duration_ms)).min(COLUMNS - 1);
        let width = column(end).saturating_sub(begin).max(1);
        let rest = COLUMNS.saturating_sub(begin + width);
        let cells = |count: u64, cell: &str| cell.repeat(usize::try_from(count).unwrap_or(0));
        format!("│{}{}{}│", cells(begin, " "), cells(width, "█"), cells(rest, " "))
    }

    fn line(&self, at: Timestamp, duration_ms: u64, words: &str) -> String {
        format!("{} {duration_ms:>7} ms  {words}", self.bar(at, duration_ms))
    }

    /// A line of something that took no time.
    fn moment(words: &str) -> String {
        let column = usize::try_from(COLUMNS).unwrap_or(0);
        format!(" {:column$}  {:>10}  {words}", "", "")
    }
}

/// Tells which calls were under way together.
#[derive(Default)]
struct Waves {
    count: usize,
    open: usize,
}

impl Waves {
    fn line(&mut self, event: &ToldEvent, scale: &Scale) -> Option<String> {
        let told = &event.told;
        let word = |name: &str| told[name].as_str().unwrap_or_default().to_owned();
        let duration_ms = told["duration_ms"].as_u64().unwrap_or(0);
        if event.name == "call-started" {
            self.count += usize::from(self.open == 0);
            self.open += 1;
        } else if event.name == "call-ended" {
            self.open = self.open.saturating_sub(1);
        }
        match event.name.as_str() {
            "stage-ended" => Some(scale.line(event.at, duration_ms, &word("stage"))),
            "documents-looked" => {
                let words = format!("  {} -> {} found, {} new", word("told"), told["found"], told["fresh"]);
                Some(scale.line(event.at, duration_ms, &words))
            }
            "call-ended" => {
                let words =
                    format!("  wave {} {}.{} {}", self.count, word("tool"), word("method"), outcome(told));
                Some(scale.line(event.at, duration_ms, &words))
            }
            "model-asked" => Some(Scale::moment(&models(told))),
            "depth-decision" => Some(Scale::moment(&format!("{} lane: {}", word("lane"), word("reason")))),
            "clarification-decision" => {
                Some(Scale::moment(&format!("gate: {}, {}", word("verdict"), word("reason"))))
            }
            "planner-generated-code" => Some(Scale::moment(&format!("  plan {}", told["attempt"]))),
            "planner-rejected-code" => {
                Some(Scale::moment(&format!("  plan {} refused: {}", told["attempt"], told["notes"])))
            }
            "completeness-evaluation" => {
                Some(Scale::moment(&format!("  plan {}: {}", told["attempt"], word("verdict"))))
            }
            "completeness-repair" => {
                let words = format!("  plan {}: {}, {}", told["attempt"], word("outcome"), word("summary"));
                Some(Scale::moment(&words))
            }
            "bounded-rediscovery" if told["executed"] == true => {
                Some(Scale::moment(&format!("  other methods looked for: {}", word("query"))))
            }
            _ => None,
        }
    }
}

fn outcome(told: &Value) -> String {
    match told["outcome"]["fault"].as_str() {
        Some(fault) => format!("✗ {fault}"),
        None => format!("{} bytes", told["outcome"]["bytes"]),
    }
}

fn models(told: &Value) -> String {
    let attempts = told["attempts"].as_array().map_or(0, Vec::len);
    let fallback = told["fallback"].as_str().map(|reason| format!(", since {reason}")).unwrap_or_default();
    format!(
        "  model {} for {}: answered by {}{fallback}; {attempts} requests, {} + {} tokens, ${}",
        told["first"].as_str().unwrap_or_default(),
        told["stage"].as_str().unwrap_or_default(),
        told["answered_by"].as_str().unwrap_or_default(),
        told["input_tokens"],
        told["output_tokens"],
        told["cost_usd"].as_str().unwrap_or_default(),
    )
}
