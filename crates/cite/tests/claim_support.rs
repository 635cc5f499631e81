//! How often a citation of the wrong passage is found, on claims of people with the passages that support them.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use cite::{Passage, Strength, support};
use policy::{Policy, SupportWeights};
use reading::words;
use serde_json::Value;

struct Case {
    origin: String,
    claim: Passage,
    passage: Passage,
}

fn data() -> Option<Vec<Value>> {
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/docs/claim-support");
    let mut values = Vec::new();
    for entry in fs::read_dir(beside).ok()? {
        let text = fs::read_to_string(entry.ok()?.path()).ok()?;
        values.extend(text.lines().map(|line| serde_json::from_str::<Value>(line).expect("a line of JSON")));
    }
    Some(values)
}

fn passage_of(value: &Value) -> String {
    let lines = value["evidence"].as_array().into_iter().flatten().filter_map(Value::as_str);
    lines.collect::<Vec<_>>().join("\n")
}

/// How much a term tells among all passages.
fn rarities(values: &[Value]) -> impl Fn(&str) -> f64 + use<> {
    let mut holders: BTreeMap<String, f64> = BTreeMap::new();
    for value in values {
        let mut terms: Vec<String> =
            words::words(&passage_of(value)).into_iter().map(|word| word.stem).collect();
        terms.sort();
        terms.dedup();
        for term in terms {
            *holders.entry(term).or_default() += 1.0;
        }
    }
    #[expect(clippy::cast_precision_loss, reason = "a thousand passages")]
    let all = values.len() as f64;
    move |term| {
        let holding = holders.get(term).copied().unwrap_or(0.0);
        (1.0 + (all - holding + 0.5) / (holding + 0.5)).ln()
    }
}

fn is_weak(
    claim: &Passage,
    passage: &Passage,
    rarity: &impl Fn(&str) -> f64,
    weights: &SupportWeights,
) -> bool {
    support(claim, passage, rarity, weights).strength == Strength::Weak
}

#[test]
fn citations_of_the_wrong_passage_are_flagged() {
    let Some(values) = data() else {
        println!("skipped: the claims are not beside this checkout");
        return;
    };
    let weights = Policy::shipped().unwrap().library.support;
    let rarity = rarities(&values);
    let cases: Vec<Case> = values
        .iter()
        .filter(|value| value["label"] == "supported")
        .map(|value| Case {
            origin: value["meta"]["claim_title"].as_str().unwrap_or_default().to_owned(),
            claim: Passage::of(value["claim"].as_str().unwrap_or_default()),
            passage: Passage::of(&passage_of(value)),
        })
        .collect();

    let alarms = cases.iter().filter(|case| is_weak(&case.claim, &case.passage, &rarity, &weights)).count();
    let (mut swapped, mut found) = (0, 0);
    for shift in [1, 7, 31, 101, 211] {
        for (at, case) in cases.iter().enumerate() {
            let other = &cases[(at + shift) % cases.len()];
            if other.claim != case.claim && other.passage != case.passage && other.origin != case.origin {
                swapped += 1;
                found += usize::from(is_weak(&case.claim, &other.passage, &rarity, &weights));
            }
        }
    }
    println!("{found} of {swapped} swapped flagged; {alarms} false alarms of {}", cases.len());
    assert!(found * 100 >= swapped * 95, "{found} of {swapped} swapped passages were flagged");
    assert!(alarms * 100 <= cases.len() * 3, "{alarms} false alarms of {}", cases.len());
}
