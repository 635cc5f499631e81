//! Nothing but the gate makes a `Cleared`.

fn forge(selected: domain::Selected) -> gate::Cleared {
    gate::Cleared { selected, chosen: None, assumption: None, unserved: Vec::new() }
}

fn main() {}
