//! The progress bar, on standard error, where that is a terminal.

use std::io::{self, IsTerminal};

use indicatif::{ProgressBar, ProgressStyle};

/// A bar over so many cases; without a number it only counts.
pub(super) fn over(cases: Option<usize>) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let (bar, template) = match cases {
        Some(cases) => {
            let length = u64::try_from(cases).unwrap_or(u64::MAX);
            (ProgressBar::new(length), "{bar:40} {pos} of {len} cases, {eta} to go")
        }
        None => (ProgressBar::new_spinner(), "{spinner} {pos} cases"),
    };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}
