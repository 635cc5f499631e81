//! Nothing but the gate makes a `Cleared`.

fn forge(selected: domain::Selected) -> gate::Cleared {
    gate::Cleared { selected, chosen: None, assumption: None, asked: Vec::new() }
}

fn main() {}
