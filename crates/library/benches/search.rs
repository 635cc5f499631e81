//! How long a search takes over a hundred thousand chunks, an answer besides its model, and taking in ten thousand documents.

#![expect(
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "a benchmark may stop, and its numbers are small"
)]

use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use jiff::Timestamp;
use library::{
    Evidence, Format, Given, Library, Question, ReasonLimits, Scope, SynthesisFault, Synthesizer, Written,
};
use store::{Settings, Store};

const SYLLABLES: [&str; 16] =
    ["ba", "ke", "ti", "mo", "ru", "sa", "ne", "li", "do", "fu", "ga", "pe", "vi", "zo", "ha", "wi"];
const DOCUMENTS: u64 = 2_500;
const SETTINGS: Settings = Settings {
    readers_max: 2,
    acquire_timeout: Duration::from_mins(1),
    busy_timeout: Duration::from_mins(1),
    blob_bytes_max: 1,
};

/// Words as rare as in a language: the first of a few thousand are common, the rest are not.
fn word(state: &mut u64) -> String {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    let rank = (8_000_f64.powf((*state % 10_000) as f64 / 10_000.0)) as usize;
    [rank % 16, rank / 16 % 16, rank / 256 % 16, rank / 4_096 % 16].map(|at| SYLLABLES[at]).concat()
}

async fn library() -> Library {
    let store = Store::in_memory(SETTINGS).await.unwrap();
    let library = Library::open(store, None, policy::Policy::shipped().unwrap().library, None).await.unwrap();
    let collection = library.collection("me", "docs", Timestamp::UNIX_EPOCH).await.unwrap().collection_id;
    let mut state = 7;
    for document in 0..DOCUMENTS {
        let mut text = format!("# {} {}\n\n", word(&mut state), word(&mut state));
        for _ in 0..13 {
            write!(text, "## {} {}\n\n", word(&mut state), word(&mut state)).unwrap();
            for _ in 0..24 {
                let sentence: Vec<String> = (0..16).map(|_| word(&mut state)).collect();
                write!(text, "{}. ", sentence.join(" ")).unwrap();
            }
            text.push_str("\n\n");
        }
        let source = document.to_string();
        let given = Given::new(&source, Format::Markdown, text.as_bytes());
        library.put("me", &collection, given, Timestamp::UNIX_EPOCH).await.unwrap();
    }
    library.catch_up().await.unwrap();
    library
}

/// A model that answers at once: a sentence of each source, with its citation.
struct Ready;

impl Synthesizer for Ready {
    async fn write(&self, evidence: &Evidence<'_>) -> Result<Written, SynthesisFault> {
        let said = evidence.sources.iter().enumerate().map(|(at, source)| {
            let sentence = source.content.split_inclusive(". ").next().unwrap_or_default();
            format!("{} [{}]. ", sentence.trim_end_matches([' ', '.']), at + 1)
        });
        Ok(Written { answer: said.collect(), is_sufficient: true, ..Written::default() })
    }
}

fn bench(criterion: &mut Criterion) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let library = runtime.block_on(library());
    let mut state = 99;
    let questions: Vec<String> =
        (0..64).map(|_| (0..6).map(|_| word(&mut state)).collect::<Vec<_>>().join(" ")).collect();
    let scope = Scope::of_caller("me");
    let mut next = questions.iter().cycle();
    criterion.bench_function("search over 100,000 chunks", |bencher| {
        bencher.iter(|| {
            let question = Question::alone(next.next().unwrap());
            black_box(runtime.block_on(library.search(&scope, question, None)).unwrap())
        });
    });
    criterion.bench_function("an answer, its model excluded", |bencher| {
        bencher.iter(|| {
            let question = Question::alone(next.next().unwrap());
            black_box(
                runtime.block_on(library.reason(&scope, question, ReasonLimits::default(), &Ready)).unwrap(),
            )
        });
    });
}

fn ingest(criterion: &mut Criterion) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let mut state = 3;
    let texts: Vec<String> = (0..INGESTED)
        .map(|_| {
            let words: Vec<String> = (0..250).map(|_| word(&mut state)).collect();
            format!("# {} {}\n\n{}.\n", words[0], words[1], words.join(" "))
        })
        .collect();
    let mut group = criterion.benchmark_group("documents");
    group.sample_size(10).warm_up_time(Duration::from_millis(1));
    group.bench_function("taking in 10,000 of 250 words", |bencher| {
        bencher.iter(|| runtime.block_on(taken_in(&texts)));
    });
    group.finish();
}

/// Documents of an ingest.
const INGESTED: usize = 10_000;

/// Takes texts into a library of its own, on disk as a server does.
async fn taken_in(texts: &[String]) -> usize {
    let home = tempfile::tempdir().unwrap();
    let store = Store::open(&home.path().join("store.sqlite"), SETTINGS).await.unwrap();
    let policy = policy::Policy::shipped().unwrap().library;
    let library = Library::open(store, Some(&home.path().join("index")), policy, None).await.unwrap();
    let collection = library.collection("me", "docs", Timestamp::UNIX_EPOCH).await.unwrap().collection_id;
    for (at, text) in texts.iter().enumerate() {
        let source = at.to_string();
        let given = Given::new(&source, Format::Markdown, text.as_bytes());
        library.put("me", &collection, given, Timestamp::UNIX_EPOCH).await.unwrap();
    }
    library.catch_up().await.unwrap()
}

criterion_group!(benches, bench, ingest);
criterion_main!(benches);
