//! Stemmed words that can be asked for one another.

/// Stemmed words, sorted, each once.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    sorted: Vec<String>,
    /// What each begins with: most of what is looked for is told apart without a look at the terms themselves.
    heads: Vec<u64>,
    /// The marks of all heads: one that is not among them is not among the heads.
    marks: u64,
}

/// The first bytes of a term, ordered as the terms are.
fn head(term: &str) -> u64 {
    let mut head = [0; size_of::<u64>()];
    head.iter_mut().zip(term.bytes()).for_each(|(own, byte)| *own = byte);
    u64::from_be_bytes(head)
}

/// One of the bits, the same for the same head and nearly as often each.
fn mark(head: u64) -> u64 {
    const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
    1 << (head.wrapping_mul(GOLDEN) >> (u64::BITS - u64::BITS.ilog2()))
}

/// Letters that two words of one family share at the least, and of the longer one the share.
const FAMILY_CHARS_MIN: usize = 5;
const FAMILY_SHARE_MIN: f64 = 0.65;
/// Those letters in a head.
const FAMILY: u64 = u64::MAX << (8 * (size_of::<u64>() - FAMILY_CHARS_MIN));

impl Terms {
    /// These terms, sorted.
    #[must_use]
    pub fn of(mut terms: Vec<String>) -> Self {
        terms.sort_unstable();
        terms.dedup();
        let heads: Vec<u64> = terms.iter().map(|term| head(term)).collect();
        let marks = heads.iter().fold(0, |marks, head| marks | mark(*head));
        Self { sorted: terms, heads, marks }
    }

    /// Whether the term is among them.
    #[must_use]
    pub fn has(&self, term: &str) -> bool {
        let wanted = head(term);
        if self.marks & mark(wanted) == 0 {
            return false;
        }
        let from = self.heads.partition_point(|head| *head < wanted);
        let alike = self.heads[from..].iter().take_while(|head| **head == wanted);
        alike.zip(&self.sorted[from..]).any(|(_, known)| known == term)
    }

    /// Whether a term of the same family is among them: "conversion" and "convert" begin alike.
    #[must_use]
    pub fn has_family(&self, term: &str) -> bool {
        if term.len() < FAMILY_CHARS_MIN || !term.is_ascii() {
            return false;
        }
        let wanted = head(term) & FAMILY;
        let from = self.heads.partition_point(|head| head & FAMILY < wanted);
        let alike = self.heads[from..].iter().take_while(|head| **head & FAMILY == wanted);
        alike.zip(&self.sorted[from..]).any(|(_, known)| is_family(known, term))
    }

    /// How many terms both have.
    #[must_use]
    pub fn shared(&self, other: &Self) -> usize {
        let (mut own, mut others, mut shared) = (0, 0, 0);
        while own < self.sorted.len() && others < other.sorted.len() {
            let order = self.heads[own].cmp(&other.heads[others]);
            let order = order.then_with(|| self.sorted[own].cmp(&other.sorted[others]));
            shared += usize::from(order.is_eq());
            own += usize::from(order.is_le());
            others += usize::from(order.is_ge());
        }
        shared
    }

    /// The terms.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.sorted.iter().map(String::as_str)
    }
}

/// Whether two words begin so much alike that one may be made of the other.
#[must_use]
pub fn is_family(one: &str, other: &str) -> bool {
    let shared = one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count();
    let longer = one.len().max(other.len());
    #[expect(clippy::cast_precision_loss, reason = "lengths of words")]
    let share = shared as f64 / longer.max(1) as f64;
    shared >= FAMILY_CHARS_MIN && share >= FAMILY_SHARE_MIN
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_term_is_there_where_it_was_put(
            terms in prop::collection::vec("[ab\\x00é]{0,12}", 0..20),
            others in prop::collection::vec("[ab\\x00é]{0,12}", 1..20),
        ) {
            let known = Terms::of(terms.clone());
            prop_assert!(terms.iter().all(|term| known.has(term)));
            for other in &others {
                prop_assert_eq!(known.has(other), terms.contains(other));
                let is_akin = |term: &String| other.is_ascii() && is_family(term, other);
                prop_assert_eq!(known.has_family(other), terms.iter().any(is_akin));
            }
            let others = Terms::of(others);
            prop_assert_eq!(known.shared(&others), known.iter().filter(|term| others.has(term)).count());
        }
    }

    #[test]
    fn families_begin_alike() {
        let terms = Terms::of(vec!["convert".to_owned(), "price".to_owned()]);
        assert!(terms.has_family("convers") && !terms.has("convers"));
        assert!(!terms.has_family("conv") && !terms.has_family("contract"));
    }
}
