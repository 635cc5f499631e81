//! The evidence of an answer about flows, held against what a case wants of it. Each fault begins with its shared label.

use contract::result::QueryResult;
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use crate::corpus::Outcome;
use crate::observed::Observed;
use crate::suite::{SuiteCase, WantedEvidence};

/// What of an answer's evidence is wrong; nothing where the case wants none.
pub(super) fn faults(case: &SuiteCase, observed: &Observed) -> Vec<String> {
    let Some(wanted) = &case.evidence else { return Vec::new() };
    match observed.outcome {
        Outcome::ClarificationRequired => return vec!["clarified_unnecessarily: it asked back".to_owned()],
        Outcome::CapabilityMiss => {
            return vec!["capability_miss_misfire: it said that it cannot".to_owned()];
        }
        Outcome::Answer => {}
    }
    let Some(result) = &observed.result else { return vec!["missing_evidence: no result".to_owned()] };
    let whole = serde_json::to_value(&**result).unwrap_or_default();
    let market = &whole["evidence"]["marketIntelligence"];
    if market.is_null() {
        return vec!["missing_evidence: no marketIntelligence".to_owned()];
    }
    let mut faults: Vec<String> = wanted
        .fields
        .iter()
        .filter(|path| !is_there(market, path))
        .map(|path| format!("missing_evidence: {path}"))
        .collect();
    faults.extend(shared(&whole, market));
    faults.extend(view(result, &whole, wanted));
    faults.extend(assets(market, wanted));
    faults.extend(age(&whole, wanted));
    faults.extend(catalysts(&whole, market, wanted));
    if !case.methods.is_empty() && !case.methods.iter().any(|method| observed.methods.contains(method)) {
        faults.push(format!("wrong_tool_path: none of {} was called", case.methods.join(", ")));
    }
    if whole["confidence"]["level"] == "low" {
        faults.push("executed_but_weak: low confidence".to_owned());
    }
    faults
}

/// Whether every value at a path is there: neither null nor an empty text or list.
fn is_there(value: &Value, path: &str) -> bool {
    let Some((first, rest)) = path.split_once('.') else { return is_something(step(value, path)) };
    if first == "*" {
        return value
            .as_array()
            .is_some_and(|items| !items.is_empty() && items.iter().all(|item| is_there(item, rest)));
    }
    step(value, first).is_some_and(|inner| is_there(inner, rest))
}

fn step<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    value.get(name)
}

fn is_something(value: Option<&Value>) -> bool {
    match value {
        None | Some(Value::Null) => false,
        Some(Value::String(text)) => !text.is_empty(),
        Some(Value::Array(items)) => !items.is_empty(),
        Some(Value::Bool(_) | Value::Number(_) | Value::Object(_)) => true,
    }
}

/// What every answer about flows has.
fn shared(whole: &Value, market: &Value) -> Vec<String> {
    let of_market = ["assets", "timeWindow", "asOf", "aggregateFlow.netFlowUsd", "venueBreakdown.*.venue"];
    let of_all = [
        "evidence.sourceRefs.*.provider",
        "evidence.sourceRefs.*.dataset",
        "evidence.sourceRefs.*.observedAt",
        "evidence.sourceRefs.*.artifactRef",
        "confidence.level",
        "confidence.reason",
        "view.columns",
        "view.rows",
    ];
    let market = of_market.into_iter().filter(|path| !is_there(market, path));
    market
        .chain(of_all.into_iter().filter(|path| !is_there(whole, path)))
        .map(|path| format!("missing_evidence: {path}"))
        .collect()
}

fn view(result: &QueryResult, whole: &Value, wanted: &WantedEvidence) -> Vec<String> {
    let mut faults = Vec::new();
    if whole["view"]["type"] != wanted.view.as_str() {
        faults.push(format!("executed_but_weak: the view is {}, not {}", whole["view"]["type"], wanted.view));
    }
    let is_even = result
        .view
        .as_ref()
        .is_some_and(|view| view.rows.iter().all(|row| row.cells.len() == view.columns.len()));
    if !is_even {
        faults.push("executed_but_weak: the rows do not fit the columns".to_owned());
    }
    faults
}

fn assets(market: &Value, wanted: &WantedEvidence) -> Vec<String> {
    let has = |asset: &&String| {
        market["assets"].as_array().is_some_and(|known| known.iter().any(|one| one == asset.as_str()))
    };
    let absent = wanted.assets.iter().filter(|asset| !has(asset));
    absent.map(|asset| format!("missing_evidence: nothing on {asset}")).collect()
}

/// When the question was asked, by the clock of who answered it; by the newest observation where no trace says so.
fn asked_at(whole: &Value) -> Option<Timestamp> {
    let began = whole["developerTrace"]["timeline"][0]["timestampMs"].as_i64();
    began.and_then(|at| Timestamp::from_millisecond(at).ok()).or_else(|| observed(whole).into_iter().max())
}

/// When its sources were observed.
fn observed(whole: &Value) -> Vec<Timestamp> {
    let stamps = whole["evidence"]["sourceRefs"].as_array().into_iter().flatten();
    stamps.filter_map(|source| source["observedAt"].as_str()?.parse().ok()).collect()
}

/// Whether everything was observed within the window before the question was asked.
fn age(whole: &Value, wanted: &WantedEvidence) -> Option<String> {
    let oldest = observed(whole).into_iter().min()?;
    let is_old = asked_at(whole)?.duration_since(oldest) > SignedDuration::from_mins(wanted.fresh_minutes);
    let says_so = whole["confidence"]["gapSignals"]
        .as_array()
        .is_some_and(|gaps| gaps.iter().any(|gap| gap["code"] == "stale_data"));
    (is_old || says_so).then(|| format!("stale_answer: older than {} minutes", wanted.fresh_minutes))
}

/// A second source, fresh and with its link to the flow; or that there is none, said.
fn catalysts(whole: &Value, market: &Value, wanted: &WantedEvidence) -> Vec<String> {
    let Some(minutes) = wanted.catalyst_minutes else { return Vec::new() };
    let found = market["catalystRefs"].as_array().cloned().unwrap_or_default();
    if found.is_empty() {
        let says_none = whole["evidence"]["knownUnknowns"].as_array().is_some_and(|unknown| {
            unknown.iter().any(|one| one.as_str().is_some_and(|text| text.contains("No catalyst was found")))
        });
        let fault = "missing_evidence: no catalyst, and nothing says that there is none".to_owned();
        return if says_none { Vec::new() } else { vec![fault] };
    }
    let asked_at = asked_at(whole);
    let mut faults = Vec::new();
    for one in &found {
        for field in ["source", "publishedAt", "claim", "relationToFlow"] {
            if !is_something(one.get(field)) {
                faults.push(format!("unsupported_causal_claim: a catalyst without {field}"));
            }
        }
        let at: Option<Timestamp> = one["publishedAt"].as_str().and_then(|text| text.parse().ok());
        let is_old = asked_at
            .zip(at)
            .is_some_and(|(now, at)| now.duration_since(at) > SignedDuration::from_mins(minutes));
        if is_old {
            faults.push(format!("stale_answer: a catalyst is older than {minutes} minutes"));
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{age, is_there};
    use crate::suite::WantedEvidence;

    #[test]
    fn age_goes_by_the_clock_of_the_request_and_not_by_the_newest_source() {
        let wanted = WantedEvidence {
            fields: Vec::new(),
            view: "table".to_owned(),
            assets: Vec::new(),
            fresh_minutes: 15,
            catalyst_minutes: None,
        };
        let whole = |observed: [&str; 2]| {
            let sources = observed.map(|at| json!({"observedAt": at}));
            // Noon.
            json!({
                "evidence": {"sourceRefs": sources}, "confidence": {"gapSignals": []},
                "developerTrace": {"timeline": [{"timestampMs": 1_780_315_200_000_i64}]}
            })
        };
        assert!(age(&whole(["2026-06-01T11:50:00Z", "2026-06-01T11:46:00Z"]), &wanted).is_none());
        assert!(age(&whole(["2026-06-01T11:30:00Z", "2026-06-01T11:30:00Z"]), &wanted).is_some());
        assert!(age(&whole(["2026-06-01T11:59:00Z", "2026-06-01T11:44:00Z"]), &wanted).is_some());
    }

    #[test]
    fn every_item_of_a_list_has_to_have_the_field() {
        let value = json!({"a": [{"b": 1}, {"b": 0}], "c": [{"b": 1}, {}], "d": [], "e": {"f": ""}});
        assert!(is_there(&value, "a.*.b"));
        assert!(!is_there(&value, "c.*.b"));
        assert!(!is_there(&value, "d.*.b"));
        assert!(!is_there(&value, "e.f"));
        assert!(!is_there(&value, "g"));
    }
}
