//! Derivatives: perpetual futures and options on crypto assets.

use crate::listing::Listing;

mod desk;
mod funding;
mod interest;
mod liquidations;
mod positioning;

/// The listing.
pub(super) fn listing() -> Listing {
    let methods = [interest::methods(), liquidations::methods(), funding::methods(), positioning::methods()];
    Listing {
        name: "Derivatives",
        description: "Sample data: crypto derivatives. Open interest, liquidations of longs and shorts, \
                      funding rates, long/short ratio, futures basis and options put/call ratio, now and \
                      over time.",
        category: "Crypto",
        price: "0.10",
        methods: methods.into_iter().flatten().collect(),
    }
}
