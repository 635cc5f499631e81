//! What the outcomes of an event cost together, and whether that makes sense.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::book::{self, Event, Market};
use super::catalog::EventOf;
use crate::method::Method;
use crate::moment::{DAY, Moment};
use crate::refusal::Refusal;
use crate::source::rounded;

/// From which share of the fair price on an outcome counts as mispriced.
const MISPRICED_FROM: f64 = 0.03;

pub(super) fn methods() -> Vec<Method> {
    vec![
        Method::read(
            "get_event_odds",
            "Odds of all outcomes",
            "The odds of every outcome of one event side by side, likeliest first, with the favourite: who \
             or what is expected to win. Prices as they are now; no history, no volume.",
            event_odds,
        )
        .bulk(),
        Method::read(
            "get_event_efficiency",
            "Mispricing of an event",
            "How efficient an event's pricing is: the sum of implied probabilities over all outcomes, the \
             overround, each outcome's fair probability and which outcomes look mispriced against their \
             one-day mean.",
            event_efficiency,
        )
        .fast()
        .priced("0.0040"),
        Method::read(
            "compare_outcomes",
            "Compare two outcomes",
            "Compares two outcomes by their markets: both prices, the difference, the ratio and which one is \
             likelier. The two may belong to different events.",
            compare_outcomes,
        ),
    ]
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct EventOdds {
    /// The identifier of the event.
    event_id: String,
    /// The question.
    title: &'static str,
    /// The likeliest outcome.
    favourite: &'static str,
    /// The odds of every outcome, likeliest first.
    outcomes: Vec<OutcomeOdds>,
    /// Sum of the prices of all outcomes; what is over one is the overround.
    sum_implied_probability: f64,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct OutcomeOdds {
    /// The identifier that other methods take as `market_id`.
    market_id: String,
    /// What would come true.
    outcome: &'static str,
    /// Price of a share that pays one US dollar.
    price: f64,
    /// The price as a probability from 0 to 1.
    implied_probability: f64,
    /// What a stake is multiplied by if it comes true.
    decimal_odds: f64,
}

fn event_odds(at: &Moment, ask: &EventOf) -> Result<EventOdds, Refusal> {
    let event = book::event(&ask.event_id)?;
    let mut priced = priced(at, event);
    let sum = priced.iter().map(|(_, price)| price).sum();
    priced.sort_by(|(_, left), (_, right)| right.total_cmp(left));
    let favourite = priced.first().map_or("", |(market, _)| market.outcome());
    let odds = |(market, price): (Market, f64)| OutcomeOdds {
        market_id: market.id(),
        outcome: market.outcome(),
        price,
        implied_probability: price,
        decimal_odds: rounded(1.0 / price, 2),
    };
    Ok(EventOdds {
        event_id: event.id(),
        title: event.title,
        favourite,
        outcomes: priced.into_iter().map(odds).collect(),
        sum_implied_probability: rounded(sum, 3),
    })
}

fn priced(at: &Moment, event: &'static Event) -> Vec<(Market, f64)> {
    event.markets().zip(event.prices(at, at.minute())).collect()
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Efficiency {
    /// The identifier of the event.
    event_id: String,
    /// The question.
    title: &'static str,
    /// Sum of the prices of all outcomes.
    sum_implied_probability: f64,
    /// The sum less one, in percent: what buying every outcome loses.
    overround_percent: f64,
    /// Whether buying every outcome would be a sure gain.
    is_arbitrage: bool,
    /// Every outcome against its fair probability.
    outcomes: Vec<Fairness>,
    /// The outcomes that look mispriced.
    mispriced_outcomes: Vec<&'static str>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Fairness {
    /// The identifier of the market.
    market_id: String,
    /// What would come true.
    outcome: &'static str,
    /// The price as a probability from 0 to 1.
    implied_probability: f64,
    /// The mean price of the last day, scaled so that the outcomes add up to one.
    fair_probability: f64,
    /// How far the scaled price now lies above the fair one, as a share of it.
    mispricing: f64,
}

fn event_efficiency(at: &Moment, ask: &EventOf) -> Result<Efficiency, Refusal> {
    let event = book::event(&ask.event_id)?;
    let priced = priced(at, event);
    let sum: f64 = priced.iter().map(|(_, price)| price).sum();
    let fair = fair_probabilities(at, event);
    let outcomes: Vec<_> = priced
        .into_iter()
        .zip(fair)
        .map(|((market, price), fair)| Fairness {
            market_id: market.id(),
            outcome: market.outcome(),
            implied_probability: price,
            fair_probability: rounded(fair, 4),
            mispricing: rounded((price / sum - fair) / fair, 4),
        })
        .collect();
    let is_mispriced = |outcome: &&Fairness| outcome.mispricing.abs() >= MISPRICED_FROM;
    Ok(Efficiency {
        event_id: event.id(),
        title: event.title,
        sum_implied_probability: rounded(sum, 3),
        overround_percent: rounded(100.0 * (sum - 1.0), 1),
        is_arbitrage: sum < 1.0,
        mispriced_outcomes: outcomes.iter().filter(is_mispriced).map(|outcome| outcome.outcome).collect(),
        outcomes,
    })
}

fn fair_probabilities(at: &Moment, event: &Event) -> Vec<f64> {
    let quarters = [0, 1, 2, 3].map(|quarter| event.prices(at, at.minute() - quarter * DAY / 4));
    let mut means = vec![0.0; event.outcomes.len()];
    for prices in &quarters {
        for (mean, price) in means.iter_mut().zip(prices) {
            *mean += price;
        }
    }
    let total: f64 = means.iter().sum();
    means.into_iter().map(|mean| mean / total).collect()
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Pair {
    /// The marketId of one outcome.
    #[schemars(example = &"mkt-1001-01")]
    market_id_a: String,
    /// The marketId of the other outcome.
    #[schemars(example = &"mkt-1001-03")]
    market_id_b: String,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Comparison {
    /// The outcome of the first market.
    outcome_a: &'static str,
    /// The price of the first market.
    price_a: f64,
    /// The outcome of the second market.
    outcome_b: &'static str,
    /// The price of the second market.
    price_b: f64,
    /// The first price less the second.
    difference: f64,
    /// The first price divided by the second.
    ratio: f64,
    /// The outcome with the higher price.
    likelier: &'static str,
}

fn compare_outcomes(at: &Moment, ask: &Pair) -> Result<Comparison, Refusal> {
    let first = book::market("market_id_a", &ask.market_id_a)?;
    let second = book::market("market_id_b", &ask.market_id_b)?;
    let (price_a, price_b) = (first.price(at, at.minute()), second.price(at, at.minute()));
    Ok(Comparison {
        outcome_a: first.outcome(),
        price_a,
        outcome_b: second.outcome(),
        price_b,
        difference: rounded(price_a - price_b, 3),
        ratio: rounded(price_a / price_b, 2),
        likelier: if price_a >= price_b { first.outcome() } else { second.outcome() },
    })
}
