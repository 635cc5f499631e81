//! What replies say, beyond their form: names that exist, numbers that stand in the text, addresses that stand in a source.

use gate::{Brief, Opinion};
use serde_json::Value;

use crate::assess::{Completeness, Summary};
use crate::recap::Recap;
use crate::report::FallbackReason;

mod plan;
mod screen;

pub(super) use plan::plan;
pub(super) use screen::Screen;

/// A judge's opinion, of options that there are.
pub(super) fn opinion(value: &Value, brief: &Brief) -> Result<Opinion, FallbackReason> {
    let opinion =
        Opinion::read(&value.to_string()).map_err(|fault| FallbackReason::Unusable(fault.to_string()))?;
    let mut named = opinion.options.iter().chain(&opinion.recommended);
    if named.any(|id| brief.option(id).is_none()) {
        return Err(FallbackReason::Unusable(
            "`options` and `recommended` name an option that is not listed".to_owned(),
        ));
    }
    Ok(opinion)
}

/// Whether what was found answers the question.
pub(super) fn completeness(value: Value) -> Result<Completeness, FallbackReason> {
    let completeness: Completeness = typed(value)?;
    let is_complete = completeness.outcome == crate::CompletenessOutcome::Complete;
    if is_complete != completeness.missing_parts.is_empty() {
        return Err(FallbackReason::Unusable(
            "`missing_parts` and `outcome` contradict each other".to_owned(),
        ));
    }
    Ok(completeness)
}

/// A shorter form of a text, with no number that is not in it and no address at all.
pub(super) fn summary(value: Value, text: &str) -> Result<Summary, FallbackReason> {
    let summary: Summary = typed(value)?;
    shortened(&summary.summary, text)?;
    Ok(summary)
}

/// A conversation's beginning in short, held to the same.
pub(super) fn recap(value: Value, text: &str) -> Result<String, FallbackReason> {
    let recap: Recap = typed(value)?;
    shortened(&recap.summary, text)?;
    Ok(recap.summary.trim().to_owned())
}

fn shortened(summary: &str, text: &str) -> Result<(), FallbackReason> {
    if summary.trim().is_empty() {
        return Err(FallbackReason::Unusable("`summary` is empty".to_owned()));
    }
    if numbers(summary).any(|number| !text.contains(number)) {
        return Err(FallbackReason::Unusable("`summary` has a number that is not in the text".to_owned()));
    }
    Screen::over([]).check(summary)
}

/// A reply whose form says all of it.
pub(super) fn typed<T: serde::de::DeserializeOwned>(value: Value) -> Result<T, FallbackReason> {
    serde_json::from_value(value).map_err(|error| FallbackReason::Unusable(error.to_string()))
}

/// Runs of digits with what parts them, as they stand.
fn numbers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| !(character.is_ascii_digit() || matches!(character, '.' | ',')))
        .map(|run| run.trim_matches(['.', ',']))
        .filter(|run| !run.is_empty())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_summary_has_no_number_of_its_own() {
        let of = |summary: &str| summary_of(summary, "Net flow was -1,234.5 on 2026-06-01 (sample).");
        assert!(of("Net flow -1,234.5 on 2026-06-01.").is_ok());
        assert!(matches!(of("Net flow 1235."), Err(FallbackReason::Unusable(_))));
    }

    fn summary_of(summary: &str, text: &str) -> Result<Summary, FallbackReason> {
        super::summary(json!({"summary": summary, "left_out": ""}), text)
    }

    #[test]
    fn an_outcome_fits_its_parts() {
        let of = |outcome: &str, parts: &[&str]| {
            completeness(json!({
                "outcome": outcome, "missing_parts": parts, "suggested_fix": "", "missing_capability": null, "reason": ""
            }))
        };
        assert!(of("complete", &[]).is_ok());
        assert!(of("complete", &["ETH"]).is_err());
        assert!(of("retry_same_tools", &[]).is_err());
        assert!(of("needs_different_tools", &["ETH"]).is_ok());
    }
}
