//! The ranges that values must lie in.

/// A value that is out of its range: the key and what it must be.
pub(crate) type OutOfRange = (&'static str, &'static str);

pub(crate) fn at_least_one<T: Copy + From<u8> + PartialOrd>(
    key: &'static str,
    value: T,
) -> Result<(), OutOfRange> {
    within(key, value >= T::from(1), "must be at least 1")
}

pub(crate) fn within(key: &'static str, holds: bool, requirement: &'static str) -> Result<(), OutOfRange> {
    if holds { Ok(()) } else { Err((key, requirement)) }
}
