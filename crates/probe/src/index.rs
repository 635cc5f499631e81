//! Lexical ranking of methods against a question.
//!
//! BM25 over weighted fields (Robertson, Zaragoza and Taylor, "Simple BM25 extension to multiple weighted fields", 2004):
//! each field's term counts are normalized by the field's own length and weighted, their sum is saturated once. Two
//! neighboring words are a term of their own, so that a phrase says more than its words (Metzler and Croft, "A Markov
//! random field model for term dependencies", 2005). What a term adds to a method's score does not depend on the
//! question, so it is computed when the index is built, and a search only adds up.

mod fields;
mod impacts;
mod typos;

use std::collections::HashMap;

use domain::Snapshot;
use policy::Ranking;
use reading::words;

use crate::safety::{Unsafe, query_safe};
use fields::Fields;
use impacts::Posting;
use typos::Typos;

/// A method's place in a snapshot, and its score against a question.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranked {
    /// The listing, as an index into the snapshot's listings.
    pub listing: usize,
    /// The method, as an index into the listing's methods.
    pub method: usize,
    /// The score; comparable within one search only.
    pub score: f64,
    /// Why the method may not be called to answer a question, where it may not.
    pub refusal: Option<Unsafe>,
}

/// Every method of a snapshot, by its words.
#[derive(Debug)]
pub struct Index {
    places: Vec<Place>,
    postings: HashMap<String, Vec<Posting>>,
    typos: Typos,
    typo_share: f32,
    names: usize,
    namesake_share: f32,
}

#[derive(Clone, Copy, Debug)]
struct Place {
    listing: usize,
    method: usize,
    refusal: Option<Unsafe>,
    /// Methods of one name, whosever they are, share this number.
    name: usize,
}

impl Index {
    /// Indexes the methods of a snapshot.
    #[must_use]
    pub fn build(snapshot: &Snapshot, ranking: &Ranking) -> Self {
        let mut places = Vec::new();
        let mut documents = Vec::new();
        let mut names: HashMap<&str, usize> = HashMap::new();
        for (listing_place, listing) in snapshot.listings.iter().enumerate() {
            let listing_terms = words::terms(&format!("{} {}", listing.name, listing.description));
            for (method_place, method) in listing.methods.iter().enumerate() {
                let next_name = names.len();
                places.push(Place {
                    listing: listing_place,
                    method: method_place,
                    refusal: query_safe(method).err().filter(|_| ranking.refuses_unsafe),
                    name: *names.entry(method.name.as_str()).or_insert(next_name),
                });
                documents.push(Fields::of(method, &listing_terms));
            }
        }
        let postings = impacts::postings(&documents, ranking);
        Self {
            places,
            typos: Typos::of(postings.keys(), ranking.typos.chars_min),
            typo_share: impacts::narrow(ranking.typos.share),
            postings,
            names: names.len(),
            namesake_share: impacts::narrow(ranking.namesake_share),
        }
    }

    /// The methods that may be called to answer a question, in the snapshot's order: their places as in [`Ranked`].
    pub fn query_safe(&self) -> impl Iterator<Item = (usize, usize)> {
        self.places.iter().filter(|place| place.refusal.is_none()).map(|place| (place.listing, place.method))
    }

    /// The methods that share one of `terms`, which are stemmed words in the order of the question, best first; equal
    /// scores in the snapshot's order.
    #[must_use]
    pub fn search(&self, mut terms: Vec<String>) -> Vec<Ranked> {
        self.take_apart(&mut terms);
        let pairs: Vec<String> = terms.windows(2).map(fields::pair).collect();
        terms.extend(pairs);
        terms.sort_unstable();
        terms.dedup();
        let mut scores = vec![0.0_f32; self.places.len()];
        for (postings, share) in terms.iter().filter_map(|term| self.postings_of(term)) {
            for posting in postings {
                scores[posting.document as usize] += posting.impact * share;
            }
        }
        let mut found: Vec<(f32, &Place)> =
            scores.into_iter().zip(&self.places).filter(|(score, _)| *score > 0.0).collect();
        sort(&mut found);
        if self.names < self.places.len() {
            self.make_room(&mut found);
        }
        let ranked = found.into_iter().map(|(score, &Place { listing, method, refusal, .. })| Ranked {
            listing,
            method,
            score: f64::from(score),
            refusal,
        });
        ranked.collect()
    }

    /// Writes an unknown word as the two neighbors that it runs together: "netflow" is the "net flow" of a method.
    fn take_apart(&self, terms: &mut Vec<String>) {
        for at in (0..terms.len()).rev() {
            let term = &terms[at];
            if self.postings.contains_key(term) || !term.is_ascii() {
                continue;
            }
            let halves = (PART_BYTES_MIN..(term.len() + 1).saturating_sub(PART_BYTES_MIN))
                .map(|middle| [term[..middle].to_owned(), term[middle..].to_owned()])
                .find(|halves| self.postings.contains_key(&fields::pair(halves)));
            if let Some(halves) = halves {
                terms.splice(at..=at, halves);
            }
        }
    }

    /// The methods that hold a term, and the share of their impact that counts: an unknown word may be a slip.
    fn postings_of(&self, term: &str) -> Option<(&[Posting], f32)> {
        if let Some(postings) = self.postings.get(term) {
            return Some((postings, 1.0));
        }
        let meant = self.typos.meant(term)?;
        self.postings.get(meant).map(|postings| (postings.as_slice(), self.typo_share))
    }

    /// Each namesake of a better method steps back, so that many copies of one method leave room for others.
    fn make_room(&self, found: &mut [(f32, &Place)]) {
        let mut shares = vec![1.0_f32; self.names];
        for (score, place) in found.iter_mut() {
            let share = &mut shares[place.name];
            *score *= *share;
            *share = (*share * self.namesake_share).max(f32::EPSILON);
        }
        sort(found);
    }
}

/// Bytes of the shorter half of a word that runs two together.
const PART_BYTES_MIN: usize = 3;

fn sort(found: &mut [(f32, &Place)]) {
    found.sort_by(|(one_score, one), (other_score, other)| {
        let places = (one.listing, one.method).cmp(&(other.listing, other.method));
        other_score.total_cmp(one_score).then(places)
    });
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::{Annotations, Listing, Method, MethodMeta, MethodName};
    use policy::Policy;
    use serde_json::json;

    use super::*;

    fn snapshot(listings: &[(&str, &[(&str, &str)])]) -> Snapshot {
        let listing = |(name, methods): &(&str, &[(&str, &str)])| {
            let methods = methods.iter().map(|(name, description)| Arc::new(method(name, description)));
            Arc::new(Listing::new(*name, methods.collect()))
        };
        Snapshot { revision: 1, listings: listings.iter().map(listing).collect() }
    }

    fn method(name: &str, description: &str) -> Method {
        Method {
            name: MethodName::new(name),
            title: None,
            description: description.to_owned(),
            input_schema: json!({"type": "object", "properties": {"asset": {"type": "string", "enum": ["BTC", "ETH"]}}}),
            output_schema: None,
            annotations: Annotations::default(),
            meta: MethodMeta::default(),
        }
    }

    fn found(snapshot: &Snapshot, question: &str) -> Vec<(String, Option<Unsafe>)> {
        let ranking = Policy::shipped().unwrap().probe;
        let name =
            |ranked: &Ranked| snapshot.listings[ranked.listing].methods[ranked.method].name.to_string();
        Index::build(snapshot, &ranking)
            .search(words::terms(question))
            .iter()
            .map(|it| (name(it), it.refusal))
            .collect()
    }

    #[test]
    fn the_method_that_is_meant_comes_first() {
        let market = snapshot(&[
            (
                "Flows",
                &[
                    ("get_flow", "The net inflow of an asset to an exchange."),
                    ("list_exchanges", "The exchanges."),
                ],
            ),
            ("Weather", &[("get_forecast", "The weather of the next days.")]),
        ]);
        assert_eq!(found(&market, "What is the BTC inflow?")[0].0, "get_flow");
        assert_eq!(found(&market, "weather forecast for Rome")[0].0, "get_forecast");
        assert!(found(&market, "zebra").is_empty());
    }

    #[test]
    fn writers_are_found_and_marked() {
        let market =
            snapshot(&[("Orders", &[("place_order", "Places an order."), ("list_orders", "Lists orders.")])]);
        let orders = found(&market, "place an order");
        assert_eq!(orders[0], ("place_order".to_owned(), Some(Unsafe::LooksLikeWrite)));
        assert_eq!(orders[1], ("list_orders".to_owned(), None));
    }

    #[test]
    fn kin_words_find_each_other_and_phrases_beat_their_words() {
        let market = snapshot(&[
            ("Films", &[("search_movies", "Movies by title."), ("list_venues", "Where things are on.")]),
            ("Trade", &[("net_flow", "The net flow of a year."), ("flow_net", "Flow, before it is net.")]),
        ]);
        assert_eq!(found(&market, "a good film")[0].0, "search_movies");
        assert_eq!(found(&market, "the net flow")[0].0, "net_flow");
        assert_eq!(found(&market, "flow net")[0].0, "flow_net");
    }

    #[test]
    fn a_slip_finds_what_is_meant() {
        let market =
            snapshot(&[("Sky", &[("get_forecast", "The weather of a city."), ("get_moon", "The moon.")])]);
        assert_eq!(found(&market, "the wether")[0].0, "get_forecast");
        assert_eq!(found(&market, "weahter")[0].0, "get_forecast");
        assert!(found(&market, "feather").is_empty());
    }

    #[test]
    fn words_that_run_together_are_taken_apart() {
        let snapshot = snapshot(&[(
            "Flows",
            &[("get_net_flow", "The net flow of an asset."), ("get_price", "A price.")],
        )]);
        assert_eq!(found(&snapshot, "netflow of BTC")[0].0, "get_net_flow");
        assert!(found(&snapshot, "pricelist").is_empty());
    }

    #[test]
    fn copies_leave_room_for_others() {
        let copies = ("get_rain", "The rain of a city.");
        let market = snapshot(&[
            ("One", &[copies]),
            ("Two", &[copies]),
            ("Three", &[copies]),
            ("Four", &[("get_rain_storms", "The rain of a city, and its storms.")]),
        ]);
        let names: Vec<String> =
            found(&market, "rain in the city").into_iter().map(|(name, _)| name).collect();
        assert_eq!(names[0], "get_rain");
        assert!(names[1..3].contains(&"get_rain_storms".to_owned()), "{names:?}");
        assert_eq!(names.len(), 4);
    }

    proptest::proptest! {
        #[test]
        fn a_search_is_total_ordered_and_repeatable(question in "\\PC{0,80}") {
            let market = snapshot(&[("Flows", &[("get_flow", "Net inflow."), ("get_price", "The price of an asset.")])]);
            let ranking = Policy::shipped().unwrap().probe;
            let index = Index::build(&market, &ranking);
            let ranked = index.search(words::terms(&question));
            proptest::prop_assert!(ranked.is_sorted_by(|one, other| one.score >= other.score));
            proptest::prop_assert_eq!(ranked, index.search(words::terms(&question)));
        }
    }
}
