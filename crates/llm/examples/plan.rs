//! Reports how often the embedded planner takes the expected method, and how often every required argument is bound,
//! over the clear cases of a folder of decisions. `ranked` is the lexical ranking alone, `method` the planner's choice,
//! `bound` and `values` look at the expected method whatever was chosen, `program` counts planned programs. Prints why and stops where the folder is absent.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use domain::Candidate;
use domain::{Annotations, Listing, Method, MethodMeta, MethodName};
use futures::FutureExt;
use llm::{Embedded, Model, PlanBrief, PlanLimits, PlanReply};
use reading::words;
use serde_json::Value;

const SETS: [&str; 7] = [
    "bfcl_simple",
    "bfcl_multiple",
    "bfcl_live_simple",
    "bfcl_live_multiple",
    "acebench_normal",
    "toolalpaca",
    "bfcl_parallel",
];

#[allow(clippy::print_stdout, reason = "a report on the terminal is what it is for")]
fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/decisions");
    if !folder.is_dir() {
        println!("skipped: {} is absent", folder.display());
        return;
    }
    let shown = std::env::args().nth(1);
    println!(
        "{:<22}{:>6}{:>9}{:>9}{:>9}{:>9}{:>9}",
        "set", "cases", "ranked", "method", "bound", "program", "values"
    );
    for set in SETS {
        let path: PathBuf = folder.join(format!("{set}.jsonl"));
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let cases: Vec<Value> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let mut tally = Tally::default();
        for case in &cases {
            judge(case, &mut tally, shown.as_deref() == Some(set));
        }
        println!(
            "{set:<22}{:>6}{:>8.1}%{:>8.1}%{:>8.1}%{:>8.1}%{:>8.1}%",
            tally.cases,
            tally.share(tally.ranked),
            tally.share(tally.right),
            tally.share(tally.bound),
            tally.share(tally.programs),
            tally.share(tally.values),
        );
    }
}

#[derive(Default)]
struct Tally {
    cases: u32,
    ranked: u32,
    right: u32,
    bound: u32,
    programs: u32,
    values: u32,
}

impl Tally {
    fn share(&self, part: u32) -> f64 {
        100.0 * f64::from(part) / f64::from(self.cases.max(1))
    }
}

#[allow(clippy::print_stdout, reason = "a report on the terminal is what it is for")]
fn judge(case: &Value, tally: &mut Tally, is_shown: bool) {
    let expected: Vec<&str> =
        case["expected"]["methods"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    if case["expected"]["outcome"] != "answer" || expected.is_empty() {
        return;
    }
    tally.cases += 1;
    let brief = brief(case);
    let Some(reply) = Embedded::default().plan(&brief).now_or_never() else { return };
    let question = case["query"].as_str().unwrap_or_default();
    let chosen = match &reply {
        PlanReply::Program(text) => Some(text.primary.method.as_str()),
        PlanReply::Missing(missing) => missing.first().map(|argument| argument.method.method.as_str()),
        PlanReply::NoMatch { .. } => None,
    };
    let is_right = chosen.is_some_and(|method| expected.contains(&method));
    tally.right += u32::from(is_right);
    let first = brief.candidates.first();
    tally.ranked += u32::from(first.is_some_and(|first| expected.contains(&first.method.name.as_str())));
    tally.programs += u32::from(matches!(reply, PlanReply::Program(_)));
    let target = brief.candidates.iter().find(|candidate| candidate.method.name.as_str() == expected[0]);
    let mut why = String::new();
    if let Some(target) = target {
        let now = brief.now;
        let read = reading::Question::read(question, now);
        let binding = reading::bind::bind(&read, &reading::bind::Parameters::of(&target.method));
        let is_bound = binding.missing().next().is_none();
        let calls = case["expected"]["calls"].as_array().cloned().unwrap_or_default();
        let agrees =
            calls.iter().any(|call| call["method"] == expected[0] && agrees(&binding.values(), call));
        tally.bound += u32::from(is_bound);
        tally.values += u32::from(agrees && is_bound);
        why = format!("{agrees} {} {}", Value::Object(binding.values()), case["expected"]["calls"]);
        if agrees && is_bound && is_right {
            return;
        }
    }
    if is_shown {
        println!("{}\n  {question}\n  expected {expected:?} chose {chosen:?}\n  {why}", case["id"]);
    }
}

/// Whether every argument of the expected call has an accepted value and no other is sent.
fn agrees(values: &serde_json::Map<String, Value>, call: &Value) -> bool {
    let same = |one: &Value, other: &Value| {
        one == other
            || one.as_f64().zip(other.as_f64()).is_some_and(|(one, other)| (one - other).abs() < 1e-9)
            || one.as_str().zip(other.as_str()).is_some_and(|(one, other)| {
                one.trim().trim_end_matches('.').eq_ignore_ascii_case(other.trim().trim_end_matches('.'))
            })
    };
    if let Some(any) = call["args_any"].as_object() {
        return any.iter().all(|(name, accepted)| {
            let accepted = accepted.as_array().cloned().unwrap_or_default();
            values.get(name).map_or_else(
                || accepted.iter().any(|value| value == ""),
                |value| accepted.iter().any(|other| same(value, other) || other == ""),
            )
        });
    }
    let Some(exact) = call["args"].as_object() else { return false };
    exact.iter().all(|(name, wanted)| values.get(name).is_some_and(|value| same(value, wanted)))
}

fn brief(case: &Value) -> PlanBrief {
    let question = case["query"].as_str().unwrap_or_default().to_owned();
    let methods: Vec<Arc<Method>> =
        case["tools"].as_array().into_iter().flatten().map(|tool| Arc::new(method(tool))).collect();
    let listing = Arc::new(Listing::new("cases", methods.clone()));
    let scores = scores(&question, &methods);
    let mut candidates: Vec<Candidate> = methods
        .into_iter()
        .zip(scores)
        .map(|(method, score)| Candidate { listing: Arc::clone(&listing), method, score })
        .collect();
    candidates.sort_by(|one, other| other.score.total_cmp(&one.score));
    let now = case["now"].as_str().and_then(|now| now.parse().ok());
    let now = now.or_else(|| "2026-03-18T14:30:00Z".parse().ok()).unwrap_or_default();
    PlanBrief {
        history: Vec::new(),
        question,
        now,
        candidates,
        helpers: Vec::new(),
        limits: PlanLimits {
            fan_out_max: 16,
            calls_max: 24,
            parts_max: 3,
            turns_max: 4,
            asked_rows_max: 1_000,
            stand_in_share_min: 0.7,
        },
        chosen: None,
        asked: Vec::new(),
        avoid: Vec::new(),
        by_the_book: None,
    }
}

/// BM25 over name and description, the stand-in of the selection stage.
fn scores(question: &str, methods: &[Arc<Method>]) -> Vec<f64> {
    let documents: Vec<Vec<String>> = methods
        .iter()
        .map(|method| {
            let mut terms = words::identifier_terms(method.name.as_str());
            terms.extend(terms.clone());
            terms.extend(words::terms(&method.description));
            terms.extend(words::terms(&method.input_schema["properties"].to_string()));
            terms
        })
        .collect();
    let count = f64::from(u32::try_from(documents.len()).unwrap_or(1).max(1));
    let size = |document: &Vec<String>| f64::from(u32::try_from(document.len()).unwrap_or(1));
    let mean = documents.iter().map(size).sum::<f64>() / count;
    let queries = words::terms(question);
    documents
        .iter()
        .map(|document| {
            queries
                .iter()
                .map(|term| {
                    let has = |document: &&Vec<String>| document.contains(term);
                    let found = f64::from(u32::try_from(documents.iter().filter(has).count()).unwrap_or(0));
                    let times = f64::from(
                        u32::try_from(document.iter().filter(|word| *word == term).count()).unwrap_or(0),
                    );
                    let rarity = (1.0 + (count - found + 0.5) / (found + 0.5)).ln();
                    rarity * times * 2.2 / (times + 1.2 * (0.4 + 0.6 * size(document) / mean))
                })
                .sum()
        })
        .collect()
}

fn method(tool: &Value) -> Method {
    Method {
        name: MethodName::new(tool["name"].as_str().unwrap_or_default()),
        title: None,
        description: tool["description"].as_str().unwrap_or_default().to_owned(),
        input_schema: tool["inputSchema"].clone(),
        output_schema: tool.get("outputSchema").cloned(),
        annotations: Annotations::default(),
        meta: MethodMeta::default(),
    }
}
