//! The sample book: which events there are, and what each outcome costs at any minute.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::moment::{DAY, Moment};
use crate::refusal::Refusal;
use crate::source::{Source, rounded};

/// By how much the prices of an event's outcomes add up to more than one, on average.
const OVERROUND: f64 = 0.025;
/// The least step of a price.
const TICK: f64 = 0.001;

/// What an event is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Category {
    Sports,
    Politics,
    Economics,
    Crypto,
    Culture,
    Science,
}

/// An event and its outcomes. An outcome's market is what its shares trade on: one dollar each if it comes
/// true.
#[derive(Debug)]
pub(super) struct Event {
    /// The number in its identifiers.
    number: u32,
    /// The question, for people.
    pub(super) title: &'static str,
    /// What it is about.
    pub(super) category: Category,
    /// How it is decided.
    pub(super) rules: &'static str,
    /// Whole days from now until it is decided.
    pub(super) days_open: i64,
    /// Its outcomes and about how likely each is, in percent.
    pub(super) outcomes: &'static [(&'static str, f64)],
}

impl Event {
    /// The identifier that methods take as `event_id`.
    pub(super) fn id(&self) -> String {
        format!("evt-{}", self.number)
    }

    /// The markets on its outcomes, in order.
    pub(super) fn markets(&'static self) -> impl Iterator<Item = Market> {
        (0..self.outcomes.len()).map(move |index| Market { event: self, index })
    }

    /// The minute it closes: the end of a day in UTC.
    pub(super) fn closes(&self, at: &Moment) -> i64 {
        (at.minute().div_euclid(DAY) + 1 + self.days_open) * DAY
    }

    /// The prices of its outcomes at a minute, in order, to the tick. They add up to a little over one.
    pub(super) fn prices(&self, at: &Moment, minute: i64) -> Vec<f64> {
        let source = self.source(at);
        let weight = |(name, percent): &(&str, f64)| percent * (0.45 * source.of(name).drift(minute)).exp();
        let weights: Vec<f64> = self.outcomes.iter().map(weight).collect();
        let total: f64 = weights.iter().sum();
        let overround = 1.0 + OVERROUND + 0.01 * source.of("overround").drift(minute);
        weights.iter().map(|weight| rounded(weight / total * overround, 3).clamp(TICK, 1.0 - TICK)).collect()
    }

    /// The source of what is true of the event.
    pub(super) fn source(&self, at: &Moment) -> Source {
        at.source("event").nth(i64::from(self.number))
    }
}

/// The market on one outcome of an event.
#[derive(Clone, Copy, Debug)]
pub(super) struct Market {
    /// The event.
    pub(super) event: &'static Event,
    index: usize,
}

impl Market {
    /// The identifier that methods take as `market_id`.
    pub(super) fn id(self) -> String {
        format!("mkt-{}-{:02}", self.event.number, self.index + 1)
    }

    /// The outcome it is on.
    pub(super) fn outcome(self) -> &'static str {
        self.event.outcomes.get(self.index).map_or("", |(name, _)| name)
    }

    /// The price of a share at a minute, in US dollars.
    pub(super) fn price(self, at: &Moment, minute: i64) -> f64 {
        self.event.prices(at, minute).get(self.index).copied().unwrap_or(TICK)
    }

    /// The source of what is true of the market.
    pub(super) fn source(self, at: &Moment) -> Source {
        self.event.source(at).of(self.outcome())
    }
}

/// The event with this identifier.
pub(super) fn event(id: &str) -> Result<&'static Event, Refusal> {
    EVENTS.iter().find(|event| event.id() == id).ok_or_else(|| {
        let reason =
            format!("there is no event `{id}`; take an eventId that search_events or list_events returns");
        Refusal::argument("event_id", reason)
    })
}

/// The market with this identifier, which `argument` gave.
pub(super) fn market(argument: &'static str, id: &str) -> Result<Market, Refusal> {
    EVENTS.iter().flat_map(Event::markets).find(|market| market.id() == id).ok_or_else(|| {
        let reason =
            format!("there is no market `{id}`; take a marketId that get_event or get_event_odds returns");
        Refusal::argument(argument, reason)
    })
}

/// Every event.
pub(super) static EVENTS: [Event; 9] = [
    Event {
        number: 1001,
        title: "FIFA World Cup 2026 winner",
        category: Category::Sports,
        rules: "Pays on the national team that wins the final of the FIFA World Cup 2026.",
        days_open: 45,
        outcomes: &[
            ("Spain", 17.0),
            ("France", 14.0),
            ("England", 13.0),
            ("Brazil", 11.0),
            ("Argentina", 10.5),
            ("Germany", 7.0),
            ("Portugal", 7.0),
            ("Netherlands", 4.5),
            ("Italy", 3.0),
            ("Norway", 2.5),
            ("United States", 1.5),
            ("Any other team", 9.0),
        ],
    },
    Event {
        number: 1002,
        title: "US presidential election 2028: winning party",
        category: Category::Politics,
        rules: "Pays on the party whose candidate wins the presidential election of the United States in \
                2028.",
        days_open: 700,
        outcomes: &[("Democratic", 52.0), ("Republican", 45.0), ("Any other party", 3.0)],
    },
    Event {
        number: 1003,
        title: "Federal Reserve interest rate decision at the next meeting",
        category: Category::Economics,
        rules: "Pays on the change of the upper bound of the federal funds target range at the next FOMC \
                meeting.",
        days_open: 18,
        outcomes: &[
            ("No change", 61.0),
            ("Cut of 25 basis points", 32.0),
            ("Cut of 50 basis points or more", 4.0),
            ("Hike of 25 basis points or more", 3.0),
        ],
    },
    Event {
        number: 1004,
        title: "Bitcoin (BTC) price at year end",
        category: Category::Crypto,
        rules: "Pays on the range that the BTC price in US dollars lies in at the last minute of the year in \
                UTC.",
        days_open: 90,
        outcomes: &[
            ("Above 150,000 USD", 8.0),
            ("125,000 to 150,000 USD", 17.0),
            ("100,000 to 125,000 USD", 34.0),
            ("75,000 to 100,000 USD", 31.0),
            ("Below 75,000 USD", 10.0),
        ],
    },
    Event {
        number: 1005,
        title: "Academy Award for Best Picture at the next Oscars",
        category: Category::Culture,
        rules: "Pays on the film that wins the Academy Award for Best Picture at the next ceremony. The \
                films are made up.",
        days_open: 120,
        outcomes: &[
            ("The Long Harbor", 33.0),
            ("Paper Lanterns", 24.0),
            ("A Winter in Trieste", 17.0),
            ("The Cartographer", 11.0),
            ("Salt and Iron", 8.0),
            ("Any other film", 7.0),
        ],
    },
    Event {
        number: 1006,
        title: "UEFA Champions League winner this season",
        category: Category::Sports,
        rules: "Pays on the club that wins this season's final of the UEFA Champions League.",
        days_open: 160,
        outcomes: &[
            ("Arsenal", 19.0),
            ("Bayern Munich", 17.0),
            ("Paris Saint-Germain", 15.0),
            ("Barcelona", 13.0),
            ("Real Madrid", 12.0),
            ("Manchester City", 11.0),
            ("Any other club", 13.0),
        ],
    },
    Event {
        number: 1007,
        title: "US recession within twelve months",
        category: Category::Economics,
        rules: "Pays yes if two consecutive quarters of falling real GDP of the United States are reported \
                in time.",
        days_open: 365,
        outcomes: &[("Yes", 27.0), ("No", 73.0)],
    },
    Event {
        number: 1008,
        title: "Crewed landing on the Moon before 2030",
        category: Category::Science,
        rules: "Pays yes if people land on the Moon and live to tell before 1 January 2030 in UTC.",
        days_open: 900,
        outcomes: &[("Yes", 36.0), ("No", 64.0)],
    },
    Event {
        number: 1009,
        title: "Ethereum (ETH) above 5,000 USD this quarter",
        category: Category::Crypto,
        rules: "Pays yes if the ETH price in US dollars is above 5,000 at any minute of the quarter.",
        days_open: 60,
        outcomes: &[("Yes", 22.0), ("No", 78.0)],
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moment::timestamp;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn prices_add_up_to_a_little_over_one(seed: u64, minute in 20_000_000_i64..40_000_000) {
            let at = Moment::new(timestamp(minute), Source::new(seed));
            for event in &EVENTS {
                let sum: f64 = event.prices(&at, minute).iter().sum();
                prop_assert!((1.005..1.045).contains(&sum), "{}: {sum}", event.title);
            }
        }
    }

    #[test]
    fn identifiers_lead_back_to_what_they_name() {
        for event in &EVENTS {
            assert_eq!(super::event(&event.id()).unwrap().title, event.title);
            for each in event.markets() {
                assert_eq!(market("market_id", &each.id()).unwrap().outcome(), each.outcome());
            }
        }
        assert!(super::event("evt-1").unwrap_err().to_string().contains("search_events"));
        assert!(market("market_id_a", "mkt-1001-99").unwrap_err().to_string().contains("market_id_a"));
    }
}
