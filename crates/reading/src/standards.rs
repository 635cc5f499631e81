//! Published standards that everybody may assume: country, currency and language codes, zones of large places, and
//! number words. Nothing of any one provider belongs here.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

/// A country.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Country {
    /// ISO 3166-1 alpha-2.
    pub alpha2: &'static str,
    /// ISO 3166-1 alpha-3.
    pub alpha3: &'static str,
    /// Its main zone.
    pub zone: Option<&'static str>,
}

/// The country of this name.
#[must_use]
pub fn country(name: &str) -> Option<Country> {
    static COUNTRIES: OnceLock<HashMap<String, Country>> = OnceLock::new();
    let countries = COUNTRIES.get_or_init(|| {
        let mut countries = HashMap::new();
        for line in lines(include_str!("../data/countries.tsv")) {
            if let [names, alpha2, alpha3, zone] = line.as_slice() {
                for name in names.split('|') {
                    countries.insert(name.to_lowercase(), Country { alpha2, alpha3, zone: Some(zone) });
                }
            }
        }
        countries
    });
    countries.get(&name.trim().to_lowercase()).copied()
}

/// Whether a text is the name or the postal code of a state of the USA. "LA" is the city to most.
#[must_use]
pub fn is_us_state(name: &str) -> bool {
    static STATES: OnceLock<HashSet<String>> = OnceLock::new();
    let states = STATES.get_or_init(|| {
        let names = lines(include_str!("../data/us_states.tsv")).flatten();
        names.filter(|name| !name.is_empty() && *name != "LA").map(str::to_lowercase).collect()
    });
    let is_code = name.len() == 2;
    (!is_code || name.bytes().all(|byte| byte.is_ascii_uppercase())) && states.contains(&name.to_lowercase())
}

/// The ticker of one of the large crypto assets, by its ticker or its name, however it is written.
#[must_use]
pub fn coin(name: &str) -> Option<&'static str> {
    static COINS: OnceLock<HashMap<String, &'static str>> = OnceLock::new();
    let coins = COINS.get_or_init(|| {
        let rows = lines(include_str!("../data/coins.tsv"));
        let named = |row: Vec<&'static str>| {
            let ticker = row[0];
            let names = row.into_iter().flat_map(|names| names.split('|')).filter(|name| !name.is_empty());
            names.map(|name| (name.to_lowercase(), ticker)).collect::<Vec<_>>()
        };
        rows.flat_map(named).collect()
    });
    coins.get(&name.to_lowercase()).copied()
}

/// The ISO 4217 code of a currency's name, sign or code.
#[must_use]
pub fn currency(name: &str) -> Option<&'static str> {
    static CURRENCIES: OnceLock<HashMap<String, &'static str>> = OnceLock::new();
    let currencies = CURRENCIES.get_or_init(|| {
        let mut currencies = HashMap::new();
        for line in lines(include_str!("../data/currencies.tsv")) {
            if let [code, sign, names] = line.as_slice() {
                for name in names.split('|').chain([*code, *sign]).filter(|name| !name.is_empty()) {
                    currencies.insert(name.to_lowercase(), *code);
                }
            }
        }
        currencies
    });
    currencies.get(&name.trim().to_lowercase()).copied()
}

/// The ISO 639-1 code of a language's English name.
#[must_use]
pub fn language(name: &str) -> Option<&'static str> {
    static LANGUAGES: OnceLock<HashMap<String, &'static str>> = OnceLock::new();
    let languages = LANGUAGES.get_or_init(|| {
        let mut languages = HashMap::new();
        for line in lines(include_str!("../data/languages.tsv")) {
            if let [name, code] = line.as_slice() {
                languages.insert(name.to_lowercase(), *code);
            }
        }
        languages
    });
    languages.get(&name.trim().to_lowercase()).copied()
}

/// Large places that have no zone of their own name, in lower case, with the zone that they keep.
pub(crate) fn places() -> impl Iterator<Item = (String, &'static str)> {
    lines(include_str!("../data/places.tsv")).flat_map(|line| {
        let zone = line.first().copied().unwrap_or_default();
        let places = line.get(1).copied().unwrap_or_default();
        places.split('|').map(move |place| (place.to_lowercase(), zone)).collect::<Vec<_>>()
    })
}

/// The number that a lower-case English word says.
#[must_use]
pub fn number_word(word: &str) -> Option<i64> {
    const UNITS: [&str; 21] = [
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
        "twenty",
    ];
    const TENS: [(&str, i64); 9] = [
        ("thirty", 30),
        ("forty", 40),
        ("fifty", 50),
        ("sixty", 60),
        ("seventy", 70),
        ("eighty", 80),
        ("ninety", 90),
        ("hundred", 100),
        ("dozen", 12),
    ];
    UNITS
        .iter()
        .position(|unit| *unit == word)
        .and_then(|value| i64::try_from(value).ok())
        .or_else(|| TENS.iter().find(|(name, _)| *name == word).map(|(_, value)| *value))
}

fn lines(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    table
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(|line| line.split('\t').collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_the_standards() {
        assert_eq!(country("united states").map(|country| country.alpha2), Some("US"));
        assert_eq!(country("Japan").map(|country| country.alpha3), Some("JPN"));
        assert_eq!(country("Atlantis"), None);
        assert!(is_us_state("CA") && is_us_state("california"));
        assert!(!["LA", "ca", "New York", "Paris", "in"].iter().any(|place| is_us_state(place)));
        assert_eq!(currency("euros"), Some("EUR"));
        assert_eq!(currency("€"), Some("EUR"));
        assert_eq!(currency("usd"), Some("USD"));
        assert_eq!(coin("Tether"), Some("USDT"));
        assert_eq!(coin("usdt"), Some("USDT"));
        assert_eq!(coin("gold"), None);
        assert_eq!(language("French"), Some("fr"));
        assert_eq!(number_word("twelve"), Some(12));
    }
}
