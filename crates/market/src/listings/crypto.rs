//! Crypto assets and their prices, as every listing sees them.

use crate::moment::Moment;

/// The price of an asset in this minute, in US dollars: `base` and so much movement around it.
pub(super) fn price(at: &Moment, symbol: &str, minute: i64) -> f64 {
    let (base, movement) = match symbol {
        "BTC" => (98_400.0, 0.12),
        "ETH" => (3_650.0, 0.16),
        "SOL" => (182.0, 0.2),
        _ => return 1.0,
    };
    let drift = at.source("price").of(symbol).drift(minute);
    base * (movement * drift).exp()
}
