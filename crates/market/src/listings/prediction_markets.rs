//! Prediction Markets: events, the markets on their outcomes, and orders.

use crate::listing::Listing;

mod book;
mod catalog;
mod depth;
mod odds;
mod orders;
mod prices;
mod volume;

/// The listing.
pub(super) fn listing() -> Listing {
    let methods = [
        catalog::methods(),
        odds::methods(),
        prices::methods(),
        depth::methods(),
        volume::methods(),
        orders::methods(),
    ];
    Listing {
        name: "Prediction Markets",
        description: "Sample data: prediction markets on sport, politics, economics, crypto and film. Find \
                      events, read the odds of their outcomes, prices, history, order books, volume, holders \
                      and mispricing, and place orders.",
        category: "Prediction Markets",
        price: "0.10",
        methods: methods.into_iter().flatten().collect(),
    }
}
