//! A selection is no cleared query.

fn plan(cleared: &gate::Cleared) -> usize {
    cleared.selected().candidates.len()
}

fn skip(selected: domain::Selected) -> usize {
    plan(&selected)
}

fn main() {}
