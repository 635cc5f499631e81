//! The gate over real probes: what always holds, and what each reason means.

mod pools;
mod properties;
mod rulings;
mod universe;
