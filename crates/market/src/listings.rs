//! The sample listings, one module each.
#![allow(clippy::unnecessary_wraps, reason = "handlers share one signature, whether they can refuse or not")]
#![allow(clippy::struct_field_names, reason = "the fields of a result are named as on the wire")]

use crate::listing::Listing;

mod currency_rates;
mod derivatives;
mod desk_notes;
mod exchange_flows;
mod news;
mod prediction_markets;
mod weather_and_time;

mod crypto;

/// Every listing, in the order of the marketplace.
pub(crate) fn all() -> Vec<Listing> {
    vec![
        prediction_markets::listing(),
        exchange_flows::listing(),
        derivatives::listing(),
        news::listing(),
        weather_and_time::listing(),
        currency_rates::listing(),
        desk_notes::listing(),
    ]
}
