//! The gate is waived for fast queries only.

fn waive(deep: lane::Deep) -> gate::Cleared {
    gate::waive(deep)
}

fn main() {}
