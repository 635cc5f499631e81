//! Hands the platform on to the tests: cargo tells it to build scripts alone.

#![expect(clippy::disallowed_methods, reason = "how cargo and its build scripts talk")]

fn main() {
    let host = std::env::var("HOST").unwrap_or_default();
    println!("cargo::rustc-env=SLUICE_HOST={host}");
}
