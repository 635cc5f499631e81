//! Nothing but the gate makes a `Cleared`.

fn forge(selected: domain::Selected) -> gate::Cleared {
    gate::Cleared { selected, assumptions: Vec::new() }
}

fn main() {}
