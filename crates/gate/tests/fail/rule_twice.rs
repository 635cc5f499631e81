//! A probed query is ruled on once.

fn twice(probed: probe::Probed, policy: &policy::Gate) {
    let unasked = Err(gate::JudgeFault::NotAsked);
    let _first = gate::rule(probed, &unasked, policy);
    let _second = gate::rule(probed, &unasked, policy);
}

fn main() {}
