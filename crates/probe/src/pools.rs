//! What the deep lane's probe gives: the two pools, apart.

use domain::Candidate;
use lane::Deep;

/// A deep query with its metadata evidence. Consumed by the ruling.
#[derive(Debug)]
pub struct Probed {
    /// The query.
    pub deep: Deep,
    /// What may be executed.
    pub shortlist: ExecutionShortlist,
    /// What may be asked about.
    pub pool: AmbiguityPool,
}

/// The methods that a plan may call, best first.
#[derive(Debug)]
pub struct ExecutionShortlist(pub Vec<Candidate>);

/// The methods that the question could mean instead, chosen for difference in effect.
#[derive(Debug)]
pub struct AmbiguityPool(pub Vec<Candidate>);
