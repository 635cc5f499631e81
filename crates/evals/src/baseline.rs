//! The ranking to beat: BM25 over one field of stemmed words (Robertson and Zaragoza, 2009).

use std::collections::{BTreeMap, BTreeSet, HashMap};

use reading::words;
use serde_json::Value;

use crate::corpus::Tool;
use crate::metrics::number;

/// The constants that the literature starts from.
const SATURATION: f64 = 1.2;
const LENGTH_NORMALIZATION: f64 = 0.75;

/// Tools by the words of their names, descriptions and parameters, all in one field.
#[derive(Debug)]
pub struct Bm25 {
    lengths: Vec<f64>,
    average_length: f64,
    postings: HashMap<String, Vec<(usize, f64)>>,
}

impl Bm25 {
    /// Indexes tools.
    #[must_use]
    pub fn build(tools: &[Tool]) -> Self {
        let mut postings: HashMap<String, Vec<(usize, f64)>> = HashMap::new();
        let mut lengths = Vec::with_capacity(tools.len());
        for (place, tool) in tools.iter().enumerate() {
            let terms = terms_of(tool);
            lengths.push(number(terms.len()));
            let mut frequencies: BTreeMap<String, f64> = BTreeMap::new();
            for term in terms {
                *frequencies.entry(term).or_default() += 1.0;
            }
            for (term, frequency) in frequencies {
                postings.entry(term).or_default().push((place, frequency));
            }
        }
        let average_length = (lengths.iter().sum::<f64>() / number(tools.len().max(1))).max(1.0);
        Self { lengths, average_length, postings }
    }

    /// The tools that share a word with the question and their scores, best first, equal ones in their own order.
    #[must_use]
    pub fn search(&self, question: &str) -> Vec<(usize, f64)> {
        let mut scores = vec![0.0; self.lengths.len()];
        for term in words::terms(question).into_iter().collect::<BTreeSet<_>>() {
            let Some(holders) = self.postings.get(&term) else { continue };
            let (total, containing) = (number(self.lengths.len()), number(holders.len()));
            let rarity = (1.0 + (total - containing + 0.5) / (containing + 0.5)).ln();
            for &(place, frequency) in holders {
                let relative_length = self.lengths[place] / self.average_length;
                let norm = 1.0 - LENGTH_NORMALIZATION + LENGTH_NORMALIZATION * relative_length;
                scores[place] += rarity * frequency * (SATURATION + 1.0) / (frequency + SATURATION * norm);
            }
        }
        let mut ranked: Vec<(usize, f64)> =
            scores.into_iter().enumerate().filter(|(_, score)| *score > 0.0).collect();
        ranked.sort_by(|one, other| other.1.total_cmp(&one.1));
        ranked
    }
}

fn terms_of(tool: &Tool) -> Vec<String> {
    let mut terms = words::terms(&tool.name);
    terms.extend(words::terms(&tool.description));
    let properties = tool.input_schema.get("properties").and_then(Value::as_object);
    for (name, property) in properties.into_iter().flatten() {
        terms.extend(words::terms(name));
        let description = property.get("description").and_then(Value::as_str);
        terms.extend(description.into_iter().flat_map(words::terms));
    }
    terms
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn scores_are_those_of_the_formula() {
        let tools: Vec<Tool> = serde_json::from_value(json!([
            {"name": "getRain", "description": "Rain falling", "inputSchema": {"properties": {"city": {}}}},
            {"name": "wind", "description": "gusts"},
        ]))
        .unwrap();
        let found = Bm25::build(&tools).search("rains, rain in Rome");
        // Terms: get rain rain fall city, and wind gust; the average length is 3.5.
        let norm = 0.25 + 0.75 * 5.0 / 3.5;
        let expected = 2.0_f64.ln() * 2.0 * 2.2 / (2.0 + 1.2 * norm);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].0, 0);
        assert!((found[0].1 - expected).abs() < 1e-9, "{} is not {expected}", found[0].1);
        assert!(Bm25::build(&[]).search("rain").is_empty());
    }
}
