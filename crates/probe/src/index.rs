//! Lexical ranking of methods against a question.
//!
//! BM25 over weighted fields (Robertson, Zaragoza and Taylor, "Simple BM25 extension to multiple weighted fields", 2004):
//! each field's term counts are normalized by the field's own length and weighted, their sum is saturated once. What a
//! term adds to a method's score does not depend on the question, so it is computed when the index is built, and a
//! search only adds up.

use std::collections::{BTreeMap, HashMap};

use domain::{Method, Snapshot};
use policy::Ranking;
use reading::words;
use serde_json::Value;

use crate::safety::{Unsafe, query_safe};

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
}

#[derive(Clone, Copy, Debug)]
struct Place {
    listing: usize,
    method: usize,
    refusal: Option<Unsafe>,
}

#[derive(Clone, Copy, Debug)]
struct Posting {
    document: u32,
    impact: f32,
}

impl Index {
    /// Indexes the methods of a snapshot.
    #[must_use]
    pub fn build(snapshot: &Snapshot, ranking: &Ranking) -> Self {
        let mut places = Vec::new();
        let mut documents = Vec::new();
        for (listing_place, listing) in snapshot.listings.iter().enumerate() {
            let listing_terms = words::terms(&format!("{} {}", listing.name, listing.description));
            for (method_place, method) in listing.methods.iter().enumerate() {
                places.push(Place {
                    listing: listing_place,
                    method: method_place,
                    refusal: query_safe(method).err(),
                });
                documents.push(fields_of(method, &listing_terms));
            }
        }
        Self { places, postings: postings_of(&documents, ranking) }
    }

    /// The methods that share one of `terms`, which are stemmed words, best first; equal scores in the snapshot's order.
    #[must_use]
    pub fn search(&self, mut terms: Vec<String>) -> Vec<Ranked> {
        terms.sort_unstable();
        terms.dedup();
        let mut scores = vec![0.0_f32; self.places.len()];
        for posting in terms.iter().filter_map(|term| self.postings.get(term)).flatten() {
            scores[posting.document as usize] += posting.impact;
        }
        let mut ranked: Vec<Ranked> = scores
            .into_iter()
            .zip(&self.places)
            .filter(|(score, _)| *score > 0.0)
            .map(|(score, &Place { listing, method, refusal })| Ranked {
                listing,
                method,
                score: f64::from(score),
                refusal,
            })
            .collect();
        ranked.sort_by(|one, other| {
            other
                .score
                .total_cmp(&one.score)
                .then((one.listing, one.method).cmp(&(other.listing, other.method)))
        });
        ranked
    }
}

const FIELDS: usize = 6;

/// The terms of one method, field by field, in the order of [`weights_of`].
type Fields = [Vec<String>; FIELDS];

fn weights_of(ranking: &Ranking) -> [f64; FIELDS] {
    let fields = &ranking.fields;
    [
        fields.method_name,
        fields.listing_name,
        fields.description,
        fields.argument_names,
        fields.argument_values,
        fields.output_keys,
    ]
}

fn fields_of(method: &Method, listing_terms: &[String]) -> Fields {
    let mut name_terms = words::identifier_terms(method.name.as_str());
    if let Some(title) = &method.title {
        name_terms.extend(words::terms(title));
    }
    let mut argument_names = Vec::new();
    let mut argument_values = Vec::new();
    collect_arguments(&method.input_schema, &mut argument_names, &mut argument_values);
    let mut output_keys = Vec::new();
    if let Some(schema) = &method.output_schema {
        collect_keys(schema, &mut output_keys);
    }
    [
        name_terms,
        listing_terms.to_vec(),
        words::terms(&method.description),
        argument_names,
        argument_values,
        output_keys,
    ]
}

fn collect_arguments(schema: &Value, names: &mut Vec<String>, values: &mut Vec<String>) {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return };
    for (name, property) in properties {
        names.extend(words::identifier_terms(name));
        if let Some(description) = property.get("description").and_then(Value::as_str) {
            names.extend(words::terms(description));
        }
        for key in ["enum", "examples"] {
            let listed = property.get(key).and_then(Value::as_array).into_iter().flatten();
            values.extend(listed.filter_map(Value::as_str).flat_map(words::terms));
        }
        if let Some(default) = property.get("default").and_then(Value::as_str) {
            values.extend(words::terms(default));
        }
        let items = property.get("items").unwrap_or(property);
        if items.get("properties").is_some() {
            collect_arguments(items, names, values);
        }
    }
}

fn collect_keys(schema: &Value, keys: &mut Vec<String>) {
    for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        keys.extend(words::identifier_terms(name));
        collect_keys(property.get("items").unwrap_or(property), keys);
    }
}

fn postings_of(documents: &[Fields], ranking: &Ranking) -> HashMap<String, Vec<Posting>> {
    let weights = weights_of(ranking);
    let averages = average_lengths(documents);
    let mut frequencies: HashMap<&str, Vec<(u32, f64)>> = HashMap::new();
    for (document, fields) in (0_u32..).zip(documents) {
        let mut weighted: BTreeMap<&str, f64> = BTreeMap::new();
        for ((terms, weight), average) in fields.iter().zip(weights).zip(averages) {
            let relative_length = length(terms) / average;
            let norm = 1.0 - ranking.length_normalization + ranking.length_normalization * relative_length;
            for term in terms {
                *weighted.entry(term).or_default() += weight / norm;
            }
        }
        for (term, frequency) in weighted {
            frequencies.entry(term).or_default().push((document, frequency));
        }
    }
    let total = length(documents);
    let impacts = |holders: Vec<(u32, f64)>| {
        let containing = length(&holders);
        let rarity = (1.0 + (total - containing + 0.5) / (containing + 0.5)).ln();
        let impact = |frequency: f64| rarity * frequency / (ranking.saturation + frequency);
        holders
            .into_iter()
            .map(|(document, frequency)| Posting { document, impact: narrow(impact(frequency)) })
            .collect()
    };
    frequencies.into_iter().map(|(term, holders)| (term.to_owned(), impacts(holders))).collect()
}

fn average_lengths(documents: &[Fields]) -> [f64; FIELDS] {
    std::array::from_fn(|field| {
        let total: f64 = documents.iter().map(|fields| length(&fields[field])).sum();
        (total / length(documents).max(1.0)).max(1.0)
    })
}

#[expect(clippy::cast_precision_loss, reason = "counts of words and methods are far below 2^52")]
fn length<T>(items: &[T]) -> f64 {
    items.len() as f64
}

#[expect(clippy::cast_possible_truncation, reason = "a score needs no more than single precision")]
fn narrow(score: f64) -> f32 {
    score as f32
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::{Annotations, Health, Listing, ListingId, MethodMeta, MethodName, Usd, alias_of};
    use policy::Policy;
    use serde_json::json;

    use super::*;

    fn snapshot(listings: &[(&str, &[(&str, &str)])]) -> Snapshot {
        let listing = |(name, methods): &(&str, &[(&str, &str)])| {
            Arc::new(Listing {
                id: ListingId::of_name(name),
                name: (*name).to_owned(),
                alias: alias_of(name),
                description: String::new(),
                category: None,
                price: Usd::ZERO,
                methods: methods
                    .iter()
                    .map(|(name, description)| Arc::new(method(name, description)))
                    .collect(),
                health: Health::Healthy,
                listed_at: None,
            })
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
