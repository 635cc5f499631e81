//! The judge's brief as the values of its prompt.

use domain::ClarificationPolicy;
use gate::{Brief, BriefOption, Unavailable};
use policy::PromptLimits;
use serde_json::{Map, Value, json};

use super::{Values, items};
use crate::fence::cut;

/// The values of the judge's prompt.
pub(crate) fn judge(brief: &Brief, limits: &PromptLimits) -> Values {
    let options = brief.options.iter().map(|option| told(option).to_string());
    let unavailable = brief.unavailable.iter().map(|unavailable| match unavailable {
        Unavailable::LeftOut { method, why } => format!("{}: {why}", method.method),
        Unavailable::Venue(venue) => format!("{venue}: no method serves it"),
        Unavailable::Time(said) => format!("{said}: no method serves it"),
        Unavailable::Value { named, argument, listed } => {
            format!("{named}: not among `{argument}`: {}", listed.join(", "))
        }
    });
    Values::from([
        ("options_max", brief.policy.options_max.to_string()),
        ("clarification", word(brief.clarification).to_owned()),
        ("question", cut(&brief.question, limits.item_chars_max)),
        ("options", items(options, limits)),
        ("unavailable", items(unavailable, limits)),
    ])
}

fn told(option: &BriefOption) -> Value {
    let open: Vec<Value> = option
        .open
        .iter()
        .map(|open| {
            json!({
                "argument": open.name, "description": open.description, "why": open.why,
                "only_the_caller": hundredths(open.is_the_callers)
            })
        })
        .collect();
    let said: Map<String, Value> =
        option.said.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
    let mut told = json!({
        "id": option.id.0, "title": option.title, "listing": option.listing_name,
        "description": option.description,
        "grounding": hundredths(option.grounding), "points": option.points.round(),
        "said": said, "open": open
    });
    if !option.open_values.is_empty() {
        told["open_values"] = json!(option.open_values);
    }
    if let Some(slot) = &option.slot {
        told["reads_the_name_as"] = json!(slot);
    }
    told
}

fn hundredths(share: f64) -> f64 {
    (share * 100.0).round() / 100.0
}

fn word(policy: ClarificationPolicy) -> &'static str {
    match policy {
        ClarificationPolicy::Auto => "auto",
        ClarificationPolicy::Return => "return",
        ClarificationPolicy::Error => "error",
    }
}
