//! The repository's own rules. There is no code here: each rule is a test, in `tests/tidy`.
