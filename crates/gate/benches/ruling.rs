//! What the deep lane adds: selection, probe, embedded judge and ruling over 10, 1,000 and 10,000 methods.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{BatchSize, BenchmarkId, Criterion, criterion_group, criterion_main};
use domain::{
    ClarificationPolicy, Depth, Include, Listing, Method, Query, ResponseShape, Snapshot, ToolScope,
};
use gate::Brief;
use jiff::Timestamp;
use lane::Lane;
use policy::Policy;
use probe::{Index, Lexicon};
use serde_json::json;

/// As the binary has it.
#[global_allocator]
static ALLOCATOR: program::CountingAllocator = program::CountingAllocator;

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

fn snapshot(methods: usize) -> Snapshot {
    let all: Vec<Arc<Method>> = (0..methods).map(|place| Arc::new(method(place))).collect();
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
    let input = json!({"type": "object", "properties": {
        subject: {"type": "string", "description": format!("The {subject} to look at.")},
        "window": {"type": "string", "enum": ["1h", "24h", "7d"], "default": "24h"},
    }, "required": [subject]});
    let output = json!({"type": "object", "properties": {
        aspect: {"type": "number"}, "observedAt": {"type": "string"},
    }});
    let mut method = Method::new(format!("{verb}_{subject}_{aspect}_{place}"), input, Some(output));
    method.description =
        format!("Use it to {verb} the {aspect} of one {subject} over a window, such as the last 24 hours.");
    method
}

fn query() -> Query {
    Query {
        text: QUESTION.to_owned(),
        tools: ToolScope::Discover,
        depth: Depth::Deep,
        clarification: ClarificationPolicy::Return,
        shape: ResponseShape::Answer,
        answer_model: None,
        include: Include { data: false, data_url: false, developer_trace: false },
        lineage: None,
        history: Vec::new(),
        choice: None,
    }
}

fn ruling(criterion: &mut Criterion) {
    let policy = Policy::shipped().expect("the shipped policies are sound");
    let lexicon = Lexicon::of(&policy.probe);
    let mut group = criterion.benchmark_group("ruling");
    for methods in [10, 1_000, 10_000] {
        let snapshot = snapshot(methods);
        let index = Index::build(&snapshot, &policy.probe);
        let knowledge = lexicon.knowledge();
        let selected = |query| {
            probe::select(query, Timestamp::UNIX_EPOCH, (&snapshot, &index), &policy.probe.selection)
                .expect("nothing is pinned")
        };
        let deep = |query| match lane::choose(selected(query), &policy.lanes) {
            Lane::Deep(deep) => deep,
            Lane::Fast(_) => unreachable!("deep is asked for"),
        };
        let probed = |deep| probe::metadata(deep, &lexicon, &knowledge, &policy);
        let ruled = |probed| {
            let opinion = Ok(gate::judge(&Brief::of(&probed, &policy.gate)));
            gate::rule(probed, &opinion, &policy.gate)
        };
        group.bench_function(BenchmarkId::new("select, probe, judge, rule", methods), |bencher| {
            bencher.iter_batched(query, |query| black_box(ruled(probed(deep(query)))), BatchSize::SmallInput);
        });
        group.bench_function(BenchmarkId::new("probe, judge, rule", methods), |bencher| {
            bencher.iter_batched(
                || deep(query()),
                |deep| black_box(ruled(probed(deep))),
                BatchSize::SmallInput,
            );
        });
        group.bench_function(BenchmarkId::new("judge, rule", methods), |bencher| {
            bencher.iter_batched(
                || probed(deep(query())),
                |probed| black_box(ruled(probed)),
                BatchSize::SmallInput,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, ruling);
criterion_main!(benches);
