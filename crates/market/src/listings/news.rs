//! News: articles, headlines, sources, sentiment and the economic calendar.

use crate::listing::Listing;

mod articles;
mod calendar;
mod reading;
mod wire;

/// The listing.
pub(super) fn listing() -> Listing {
    let methods = [reading::methods(), articles::methods(), calendar::methods()];
    Listing {
        name: "News",
        description: "Sample data: a made-up news wire on crypto, economics, politics and sport. Search \
                      articles, read headlines and whole articles, and see sources, sentiment and the \
                      economic calendar.",
        category: "News",
        price: "0.05",
        methods: methods.into_iter().flatten().collect(),
    }
}
