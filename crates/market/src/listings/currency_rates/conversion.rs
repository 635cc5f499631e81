//! Rates and amounts as they are now.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::table::{self, CURRENCIES, Currency};
use crate::method::Method;
use crate::moment::Moment;
use crate::refusal::Refusal;
use crate::source::rounded;
use crate::vocabulary::{Nothing, Positive};

pub(super) fn methods() -> Vec<Method> {
    vec![
        Method::read(
            "convert_currency",
            "Convert an amount",
            "Converts an amount of money from one currency to another at the current rate.",
            convert_currency,
        )
        .priced("0.0005"),
        Method::read(
            "get_rate",
            "Rate of one pair",
            "The current exchange rate of one currency pair: how many units of the quote currency one unit \
             of the base currency costs.",
            get_rate,
        )
        .priced("0.0005")
        .batched_by("get_rates"),
        Method::read(
            "get_rates",
            "Rates of several currencies",
            "The current exchange rates of one base currency against several others in one call.",
            get_rates,
        )
        .bulk(),
        Method::read(
            "list_currencies",
            "Currencies",
            "The currencies covered, by ISO 4217 code and name.",
            list_currencies,
        )
        .priced("0.0005"),
    ]
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Conversion {
    /// How much to convert.
    #[serde(default = "one")]
    #[schemars(example = 250)]
    amount: Positive,
    /// ISO 4217 code of the currency that the amount is in.
    #[schemars(example = Currency::Usd)]
    from: Currency,
    /// ISO 4217 code of the currency wanted.
    #[schemars(example = Currency::Eur)]
    to: Currency,
}

fn one() -> Positive {
    Positive::ONE
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Converted {
    /// The amount given.
    amount: f64,
    /// The currency that it is in.
    from: Currency,
    /// The currency wanted.
    to: Currency,
    /// The rate used.
    rate: f64,
    /// The amount in the currency wanted, to its smallest coin.
    converted_amount: f64,
}

fn convert_currency(at: &Moment, ask: &Conversion) -> Result<Converted, Refusal> {
    let rate = table::rate(at, ask.from, ask.to, at.minute());
    Ok(Converted {
        amount: ask.amount.get(),
        from: ask.from,
        to: ask.to,
        rate,
        converted_amount: rounded(ask.amount.get() * rate, ask.to.places()),
    })
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PairOf {
    /// ISO 4217 code of the base currency.
    #[schemars(example = Currency::Eur)]
    base: Currency,
    /// ISO 4217 code of the quote currency.
    #[schemars(example = Currency::Usd)]
    quote: Currency,
}

#[derive(Serialize, JsonSchema)]
struct Rate {
    /// The base currency.
    base: Currency,
    /// The quote currency.
    quote: Currency,
    /// Units of the quote currency for one unit of the base currency.
    rate: f64,
}

fn get_rate(at: &Moment, ask: &PairOf) -> Result<Rate, Refusal> {
    let PairOf { base, quote } = *ask;
    Ok(Rate { base, quote, rate: table::rate(at, base, quote, at.minute()) })
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RatesOf {
    /// ISO 4217 code of the base currency.
    #[schemars(example = Currency::Usd)]
    base: Currency,
    /// ISO 4217 codes of the quote currencies.
    #[serde(default = "majors")]
    #[schemars(example = [Currency::Eur, Currency::Gbp, Currency::Jpy], length(min = 1, max = 12))]
    symbols: Vec<Currency>,
}

fn majors() -> Vec<Currency> {
    vec![Currency::Eur, Currency::Gbp, Currency::Jpy, Currency::Chf]
}

#[derive(Serialize, JsonSchema)]
struct Rates {
    /// The base currency.
    base: Currency,
    /// The rates, in the order asked for.
    rates: Vec<Quote>,
}

#[derive(Serialize, JsonSchema)]
struct Quote {
    /// The quote currency.
    quote: Currency,
    /// Units of it for one unit of the base currency.
    rate: f64,
}

fn get_rates(at: &Moment, ask: &RatesOf) -> Result<Rates, Refusal> {
    if ask.symbols.is_empty() {
        return Err(Refusal::argument("symbols", "give at least one currency"));
    }
    let quote =
        |quote: &Currency| Quote { quote: *quote, rate: table::rate(at, ask.base, *quote, at.minute()) };
    Ok(Rates { base: ask.base, rates: ask.symbols.iter().map(quote).collect() })
}

#[derive(Serialize, JsonSchema)]
struct Currencies {
    /// The currencies.
    currencies: Vec<Listed>,
}

#[derive(Serialize, JsonSchema)]
struct Listed {
    /// ISO 4217 code.
    code: Currency,
    /// The name for people.
    name: &'static str,
}

fn list_currencies(_: &Moment, _: &Nothing) -> Result<Currencies, Refusal> {
    let listed = |code: Currency| Listed { code, name: code.title() };
    Ok(Currencies { currencies: CURRENCIES.map(listed).into() })
}
