//! The marketplace over the real protocol: what it says about itself, what it answers, what it refuses.

#[cfg(test)]
mod answers;
#[cfg(test)]
mod client;
#[cfg(test)]
mod descriptions;
#[cfg(test)]
mod refusals;
