//! The misbehaving server as a program: quirks as arguments, JSON-RPC lines on the standard streams.

use std::io::{self, stdin, stdout};

use testkit::misbehaving::{Quirk, stdio};

fn main() -> io::Result<()> {
    let quirks: Result<Vec<Quirk>, _> = std::env::args().skip(1).map(|word| word.parse()).collect();
    let quirks =
        quirks.map_err(|_| io::Error::new(io::ErrorKind::InvalidInput, "an argument names no quirk"))?;
    stdio(&quirks, stdin().lock(), stdout().lock())
}
