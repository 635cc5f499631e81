//! Stemmed words that can be asked for one another.

/// Stemmed words, sorted, each once.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    terms: Vec<String>,
    /// What each begins with: most of what is looked for is told apart without a look at the terms themselves.
    heads: Vec<u64>,
}

/// The first bytes of a term, ordered as the terms are.
fn head(term: &str) -> u64 {
    let mut head = [0; size_of::<u64>()];
    let bytes = term.as_bytes();
    let length = bytes.len().min(head.len());
    head[..length].copy_from_slice(&bytes[..length]);
    u64::from_be_bytes(head)
}

/// Letters that two words of one family share at the least, and of the longer one the share.
const FAMILY_CHARS_MIN: usize = 5;
const FAMILY_SHARE_MIN: f64 = 0.65;

impl Terms {
    /// These terms, sorted.
    #[must_use]
    pub fn of(mut terms: Vec<String>) -> Self {
        terms.sort_unstable();
        terms.dedup();
        let heads = terms.iter().map(|term| head(term)).collect();
        Self { terms, heads }
    }

    /// Whether the term is among them.
    #[must_use]
    pub fn has(&self, term: &str) -> bool {
        let wanted = head(term);
        let from = self.heads.partition_point(|head| *head < wanted);
        let alike = self.heads[from..].iter().take_while(|head| **head == wanted);
        alike.zip(&self.terms[from..]).any(|(_, known)| known == term)
    }

    /// Whether a term of the same family is among them: "conversion" and "convert" begin alike.
    #[must_use]
    pub fn has_family(&self, term: &str) -> bool {
        let Some(head) = term.get(..FAMILY_CHARS_MIN).filter(|_| term.is_ascii()) else { return false };
        let from = self.terms.partition_point(|known| known.as_str() < head);
        self.terms[from..]
            .iter()
            .take_while(|known| known.starts_with(head))
            .any(|known| is_family(known, term))
    }

    /// How many terms both have.
    #[must_use]
    pub fn shared(&self, other: &Self) -> usize {
        let (mut own, mut others) = (self.terms.as_slice(), other.terms.as_slice());
        let mut shared = 0;
        while let ([one, own_rest @ ..], [other, others_rest @ ..]) = (own, others) {
            let order = one.cmp(other);
            shared += usize::from(order.is_eq());
            if order.is_le() {
                own = own_rest;
            }
            if order.is_ge() {
                others = others_rest;
            }
        }
        shared
    }

    /// The terms.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.terms.iter().map(String::as_str)
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
        fn a_term_is_there_where_it_was_put(terms in prop::collection::vec("[ab\\x00é]{0,12}", 0..20), other in "[ab\\x00é]{0,12}") {
            let known = Terms::of(terms.clone());
            prop_assert!(terms.iter().all(|term| known.has(term)));
            prop_assert_eq!(known.has(&other), terms.contains(&other));
        }
    }

    #[test]
    fn families_begin_alike() {
        let terms = Terms::of(vec!["convert".to_owned(), "price".to_owned()]);
        assert!(terms.has_family("convers") && !terms.has("convers"));
        assert!(!terms.has_family("conv") && !terms.has_family("contract"));
    }
}
