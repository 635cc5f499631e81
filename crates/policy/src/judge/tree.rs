//! One decision tree, and its line in a file.
//!
//! A line is the tree in prefix order: a number is a leaf; a signal's name is a split, followed by the most that goes left,
//! the left tree and the right one. `near 0.5 1 far 2 -1 -2` says 1 where `near` is at most 0.5, else -1 where `far` is at
//! most 2, else -2.

use std::fmt::Write as _;
use std::str::SplitWhitespace;

/// A decision tree over numbered signals.
#[derive(Clone, Debug, PartialEq)]
pub enum Tree {
    /// What it says.
    Leaf(f64),
    /// One signal decides which half goes on.
    Split {
        /// The signal's place among the names.
        signal: usize,
        /// The most that goes left.
        most: f64,
        /// What is said of those up to it, and of the others.
        halves: Box<[Tree; 2]>,
    },
}

/// Splits on the way to a leaf.
const DEPTH_MAX: usize = 8;

impl Tree {
    /// Reads a line; `names` are the signals in their order.
    pub fn parse(line: &str, names: &[&str]) -> Result<Self, String> {
        let mut words = line.split_whitespace();
        let tree = next(&mut words, names, 0)?;
        match words.next() {
            Some(word) => Err(format!("`{word}` stands behind the end of a tree")),
            None => Ok(tree),
        }
    }

    /// Its line, numbers with four decimals.
    #[must_use]
    pub fn line(&self, names: &[&str]) -> String {
        let mut line = String::new();
        self.write(names, &mut line);
        line
    }

    fn write(&self, names: &[&str], line: &mut String) {
        match self {
            Self::Leaf(value) => {
                let _ = write!(line, "{}", rounded(*value));
            }
            Self::Split { signal, most, halves } => {
                let name = names.get(*signal).copied().unwrap_or_default();
                let _ = write!(line, "{name} {}", rounded(*most));
                for half in halves.iter() {
                    line.push(' ');
                    half.write(names, line);
                }
            }
        }
    }

    /// What it says of signals, which `of` gives by their place.
    pub fn value(&self, of: &impl Fn(usize) -> f64) -> f64 {
        match self {
            Self::Leaf(value) => *value,
            Self::Split { signal, most, halves } => {
                let [left, right] = halves.as_ref();
                if of(*signal) <= *most { left.value(of) } else { right.value(of) }
            }
        }
    }

    /// Hands the signal of every split to `see`.
    pub fn each_split(&self, see: &mut impl FnMut(usize)) {
        if let Self::Split { signal, halves, .. } = self {
            see(*signal);
            for half in halves.iter() {
                half.each_split(see);
            }
        }
    }

    pub(super) fn is_finite(&self) -> bool {
        match self {
            Self::Leaf(value) => value.is_finite(),
            Self::Split { most, halves, .. } => most.is_finite() && halves.iter().all(Self::is_finite),
        }
    }
}

/// Four decimals; no negative zero.
fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4 + 0.0
}

fn next(words: &mut SplitWhitespace<'_>, names: &[&str], depth: usize) -> Result<Tree, String> {
    let word = words.next().ok_or("a tree ends too early")?;
    if let Ok(value) = word.parse() {
        return Ok(Tree::Leaf(value));
    }
    if depth == DEPTH_MAX {
        return Err(format!("a tree has more than {DEPTH_MAX} splits in a row"));
    }
    let signal =
        names.iter().position(|name| *name == word).ok_or_else(|| format!("there is no signal `{word}`"))?;
    let most = words.next().and_then(|word| word.parse().ok());
    let most = most.ok_or_else(|| format!("a number is missing behind `{word}`"))?;
    let halves = Box::new([next(words, names, depth + 1)?, next(words, names, depth + 1)?]);
    Ok(Tree::Split { signal, most, halves })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const NAMES: [&str; 3] = ["near", "far", "wide"];

    #[test]
    fn a_broken_line_says_what_is_wrong() {
        let fault = |line: &str| Tree::parse(line, &NAMES).unwrap_err();
        assert_eq!(fault(""), "a tree ends too early");
        assert_eq!(fault("near 1 2"), "a tree ends too early");
        assert_eq!(fault("near far 1 2"), "a number is missing behind `near`");
        assert_eq!(fault("deep 1 2 3"), "there is no signal `deep`");
        assert_eq!(fault("1 2"), "`2` stands behind the end of a tree");
        assert!(fault(&"near 1 ".repeat(20)).contains("more than 8 splits"));
    }

    fn tree() -> impl Strategy<Value = Tree> {
        let number = || (-10_000..10_000).prop_map(|value| f64::from(value) / 1e4);
        number().prop_map(Tree::Leaf).prop_recursive(6, 40, 2, move |inner| {
            (0..NAMES.len(), number(), inner.clone(), inner).prop_map(|(signal, most, left, right)| {
                Tree::Split { signal, most, halves: Box::new([left, right]) }
            })
        })
    }

    proptest! {
        #[test]
        fn a_line_is_read_as_it_was_written(tree in tree()) {
            prop_assert_eq!(Tree::parse(&tree.line(&NAMES), &NAMES), Ok(tree));
        }
    }
}
