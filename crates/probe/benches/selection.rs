//! Selection: one search over 10, 1,000 and 10,000 methods, with and without copies, and the index that it searches.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use domain::{Annotations, Listing, Method, MethodMeta, MethodName, Snapshot};
use policy::Policy;
use probe::Index;
use reading::words;
use serde_json::json;

const VERBS: [&str; 8] = ["get", "list", "search", "compare", "count", "find", "convert", "describe"];
const SUBJECTS: [&str; 25] = [
    "exchange", "flow", "weather", "rate", "city", "event", "market", "price", "article", "source", "order",
    "player", "match", "team", "flight", "hotel", "route", "recipe", "movie", "song", "book", "paper",
    "patent", "stock", "bond",
];
const ASPECTS: [&str; 16] = [
    "history",
    "summary",
    "ranking",
    "forecast",
    "volume",
    "balance",
    "status",
    "details",
    "statistics",
    "changes",
    "average",
    "largest",
    "recent",
    "daily",
    "regional",
    "archived",
];
const METHODS_PER_LISTING: usize = 20;
const QUESTION: &str = "Which exchanges saw the largest BTC inflows in the last 24 hours, by volume?";

/// So many methods, of which so many are no copies.
fn snapshot(methods: usize, distinct: usize) -> Snapshot {
    let all: Vec<Arc<Method>> = (0..methods).map(|place| Arc::new(method(place % distinct))).collect();
    let listings = all.chunks(METHODS_PER_LISTING).enumerate().map(|(place, methods)| {
        let name = format!("{} {place}", SUBJECTS[place % SUBJECTS.len()]);
        Arc::new(Listing {
            description: "Synthetic methods for a benchmark.".to_owned(),
            ..Listing::new(name, methods.to_vec())
        })
    });
    Snapshot { revision: 1, listings: listings.collect() }
}

fn method(place: usize) -> Method {
    let pick = |words: &[&'static str], stride: usize| words[(place / stride) % words.len()];
    let (verb, subject, aspect) = (pick(&VERBS, 1), pick(&SUBJECTS, 8), pick(&ASPECTS, 200));
    Method {
        name: MethodName::new(format!("{verb}_{subject}_{aspect}_{place}")),
        title: None,
        description: format!(
            "Use it to {verb} the {aspect} of one {subject} over a window, such as the last 24 hours."
        ),
        input_schema: json!({"type": "object", "properties": {
            subject: {"type": "string", "description": format!("The {subject} to look at.")},
            "window": {"type": "string", "enum": ["1h", "24h", "7d"], "default": "24h"},
        }, "required": [subject]}),
        output_schema: Some(json!({"type": "object", "properties": {
            aspect: {"type": "number"}, "observedAt": {"type": "string"},
        }})),
        annotations: Annotations::default(),
        meta: MethodMeta::default(),
    }
}

fn selection(criterion: &mut Criterion) {
    let ranking = Policy::shipped().expect("the shipped policies are sound").probe;
    let mut group = criterion.benchmark_group("selection");
    for (methods, distinct) in [(10, 10), (1_000, 1_000), (10_000, 10_000), (10_000, 2_500)] {
        let index = Index::build(&snapshot(methods, distinct), &ranking);
        let size = format!("{methods} methods, {distinct} distinct");
        group.bench_function(BenchmarkId::new("search", size), |bencher| {
            bencher.iter(|| black_box(index.search(words::terms(black_box(QUESTION)))));
        });
    }
    let snapshot = snapshot(1_000, 1_000);
    group.bench_function(BenchmarkId::new("index", 1_000), |bencher| {
        bencher.iter(|| black_box(Index::build(black_box(&snapshot), &ranking)));
    });
    group.finish();
}

criterion_group!(benches, selection);
criterion_main!(benches);
