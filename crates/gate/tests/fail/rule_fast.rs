//! What was not probed is not ruled on.

fn rule(deep: lane::Deep, policy: &policy::Gate) -> gate::Ruled {
    gate::rule(deep, &Err(gate::JudgeFault::NotAsked), policy)
}

fn main() {}
