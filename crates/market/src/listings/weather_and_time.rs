//! Weather and Time: the weather of cities, and what time it is where.

use crate::listing::Listing;

mod climate;
mod clock;
mod conditions;
mod days;
mod sun;

/// The listing.
pub(super) fn listing() -> Listing {
    let methods = [conditions::methods(), days::methods(), sun::methods(), clock::methods()];
    Listing {
        name: "Weather and Time",
        description: "Sample data: current weather, forecasts, past weather, air quality, alerts and sunrise \
                      of fourteen cities; and the current time in any timezone, with conversion between \
                      them.",
        category: "Weather",
        price: "0.02",
        methods: methods.into_iter().flatten().collect(),
    }
}
