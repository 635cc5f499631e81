//! The contract of a method: what it is called for, what it takes and what it gives, without the words around it.

use domain::Candidate;
use fit::Known;
use reading::words;

/// Stems that say how a name reads and not what: two names that differ in them alone mean one method.
const READS: [&str; 16] = [
    "all", "describ", "fetch", "find", "for", "get", "list", "load", "lookup", "of", "queri", "read",
    "retriev", "search", "show", "view",
];

const SUFFIX_MAX: usize = 3;

/// The fingerprint of a method's contract: of the nouns of its name, the shape of its arguments and of its result.
pub(super) fn fingerprint(candidate: &Candidate, known: &Known) -> u64 {
    known.contract.fingerprint(nouns(candidate, known))
}

/// The stems of the name that say what it is about, those of its listing left out; all of them where nothing else is left.
fn nouns<'k>(candidate: &Candidate, known: &'k Known) -> Vec<&'k str> {
    let told: Vec<&str> =
        known.name.iter().map(String::as_str).filter(|stem| READS.binary_search(stem).is_err()).collect();
    let listing = words::identifier_words(&candidate.listing.name);
    // A stem is nearly all of its word; stemming the listing's name for each method would cost more than it tells.
    let is_stem = |word: &str, stem: &str| word.starts_with(stem) && word.len() - stem.len() <= SUFFIX_MAX;
    let is_listing = |stem: &&str| listing.iter().any(|word| is_stem(word, stem));
    let own: Vec<&str> = told.iter().copied().filter(|stem| !is_listing(stem)).collect();
    if !own.is_empty() {
        own
    } else if !told.is_empty() {
        told
    } else {
        known.name.iter().map(String::as_str).collect()
    }
}
