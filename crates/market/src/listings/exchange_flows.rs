//! Exchange Flows: what moves into and out of exchanges, one venue and asset at a time.

use crate::listing::Listing;

mod baseline;
mod flow;
mod ledger;
mod reserves;
mod transfers;

/// The listing.
pub(super) fn listing() -> Listing {
    let methods = [flow::methods(), baseline::methods(), reserves::methods(), transfers::methods()];
    Listing {
        name: "Exchange Flows",
        description: "Sample data: on-chain inflows and outflows of crypto exchanges by asset and window, \
                      with aggregates, history, baselines, anomalies, reserves, large transfers and the flow \
                      regime. Stands in for Coinglass.",
        category: "Crypto",
        price: "0.10",
        methods: methods.into_iter().flatten().collect(),
    }
}
