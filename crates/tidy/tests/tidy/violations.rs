//! What breaks a rule, gathered so that all of it is seen at once.

use std::fmt::Display;

/// The places that break one rule.
pub(crate) struct Violations {
    rule: &'static str,
    found: Vec<String>,
}

impl Violations {
    pub(crate) fn of(rule: &'static str) -> Self {
        Self { rule, found: Vec::new() }
    }

    /// A line, counted from 1, that breaks the rule.
    pub(crate) fn at(&mut self, path: &str, line: usize, complaint: impl Display) {
        self.found.push(format!("{path}:{line}: {complaint}"));
    }

    /// A whole file that breaks the rule.
    pub(crate) fn in_file(&mut self, path: &str, complaint: impl Display) {
        self.at(path, 1, complaint);
    }

    pub(crate) fn must_be_none(self) {
        assert!(self.found.is_empty(), "\n{}\n  {}\n", self.rule, self.found.join("\n  "));
    }
}
