//! Currency Rates: foreign exchange rates now and on past days.

use crate::listing::Listing;

mod conversion;
mod history;
mod table;

/// The listing.
pub(super) fn listing() -> Listing {
    let methods = [conversion::methods(), history::methods()];
    Listing {
        name: "Currency Rates",
        description: "Sample data: foreign exchange rates of twelve currencies. Convert amounts and read \
                      rates now, on past days and how they changed.",
        category: "Finance",
        price: "0.02",
        methods: methods.into_iter().flatten().collect(),
    }
}
