//! What a method is called: the terms of its name, and what stands for some of them.

use super::identifier_terms;

/// What a method is called for short, each with the stems of its name that it stands for: "oi" of `get_open_interest`. What it does,
/// which the first of them says, is no part of it.
pub fn short_names(name: &[String]) -> impl Iterator<Item = (String, &[String])> {
    let told = name.get(1..).unwrap_or_default();
    let parts = (2..=told.len()).flat_map(|count| told.windows(count));
    parts.map(|stems| (stems.iter().filter_map(|stem| stem.chars().next()).collect(), stems))
}

/// The terms that a method is known by: those of its name, and what it is called for short.
#[must_use]
pub fn name_terms(name: &str) -> Vec<String> {
    let mut terms = identifier_terms(name);
    let short: Vec<String> = short_names(&terms).map(|(short, _)| short).collect();
    terms.extend(short);
    terms
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_short_ones() {
        let short = |name| short_names(&identifier_terms(name)).map(|(short, _)| short).collect::<Vec<_>>();
        assert_eq!(short("get_open_interest"), ["oi"]);
        assert_eq!(short("list_pull_requests"), ["pr"]);
        assert_eq!(short("list_air_quality_alerts"), ["aq", "qa", "aqa"]);
        assert!(short("get_rate").is_empty() && short("lookup").is_empty() && short("").is_empty());
    }
}
