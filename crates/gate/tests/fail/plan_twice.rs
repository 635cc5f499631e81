//! A cleared query is spent once.

fn twice(cleared: gate::Cleared) {
    let _first = cleared.into_parts();
    let _second = cleared.into_parts();
}

fn main() {}
