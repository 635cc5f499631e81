//! Cases as the models see them, in folds that keep what belongs together.

use std::collections::BTreeMap;
use std::path::Path;

use evals::corpus::{self, Case, Outcome};
use evals::production::Decider;
use evals::{DecisionInput, EvalFault, NaiveGate, universe};
use policy::Policy;
use probe::Probed;

/// Folds of the cross-validation.
pub(crate) const FOLDS: usize = 5;

/// How often the folds are drawn.
pub(crate) const DRAWS: usize = 3;

/// Parts of what is learned from, each judged by models that have not seen it.
pub(crate) const PARTS: usize = 4;

/// A larger universe is a catalogue: questions about it are told apart by their words alone.
const UNIVERSE_MAX: usize = 40;

/// How far the outcomes count alike, however many cases have them: 0 not at all, 1 wholly.
const OUTCOME_BALANCE: f64 = 0.9;

/// What a question to be answered counts beside the others: answering silently does more harm than asking once too often.
const ANSWER_SHARE: f64 = 0.9;

/// What a case over the methods that the product ships counts beside the others.
const OWN: f64 = 2.0;

/// What the first row counts beside the others.
const FIRST_ROW: f64 = 3.0;

/// Everything that is learned from.
pub(crate) struct Corpus {
    /// The cases, each once.
    pub(crate) cases: Vec<Seen>,
}

/// One case with its signals.
pub(crate) struct Seen {
    /// The rows of the report that it belongs to.
    pub(crate) rows: Vec<usize>,
    /// What should come of it, as an index into [`Outcome::ALL`].
    pub(crate) expected: usize,
    /// What the naive gate makes of it.
    pub(crate) naive: usize,
    /// The case itself.
    pub(crate) case: Case,
    /// Its methods.
    pub(crate) methods: Vec<Method>,
    /// What the planner's fit counts in the order of its methods.
    pub(crate) fit_weight: f64,
    /// How the question is built.
    pub(crate) shape: Vec<(&'static str, f64)>,
    /// What it counts.
    pub(crate) weight: f64,
    /// Its fold in each draw.
    pub(crate) folds: [usize; DRAWS],
    /// Its part, for signals that a model gives to another one.
    pub(crate) part: usize,
    /// Whether the source says which arguments are missing.
    pub(crate) names_missing: bool,
}

/// One method of a case.
pub(crate) struct Method {
    /// Its signals.
    pub(crate) signals: Vec<(&'static str, f64)>,
    /// Whether it should be called or asked about.
    pub(crate) is_expected: bool,
    /// Its required arguments.
    pub(crate) required: Vec<Argument>,
}

/// One required argument.
pub(crate) struct Argument {
    /// Its signals.
    pub(crate) signals: Vec<(&'static str, f64)>,
    /// Whether something fills it.
    pub(crate) is_filled: bool,
    /// Whether the source says that it is missing.
    pub(crate) is_missing: bool,
}

/// Reads the rows of files, probes each case, and puts what belongs together into one fold.
/// A question is learned from as a whole: which of several things in it the gate rules on hangs on the trees that it has.
pub(crate) fn read(rows: &[String], own: &[String], policy: &Policy) -> Result<Corpus, EvalFault> {
    let mut whole = policy.clone();
    whole.probe.pools.parts_max = 1;
    let decider = Decider::new(&whole);
    let mut cases: Vec<Seen> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let mut kinds: Vec<(String, usize)> = Vec::new();
    let mut groups = Groups::default();
    for (row, files) in rows.iter().enumerate() {
        for file in files.split(',') {
            for case in corpus::cases(Path::new(file))? {
                let case = case?;
                if let Some(place) = places.get(&case.id) {
                    cases[*place].rows.push(row);
                    file.clone_into(&mut kinds[*place].0);
                    continue;
                }
                places.insert(case.id.clone(), cases.len());
                groups.add(&case);
                let seen = seen(&decider, case, row);
                kinds.push((file.to_owned(), seen.expected));
                cases.push(seen);
            }
        }
    }
    for (place, case) in cases.iter_mut().enumerate() {
        case.folds = std::array::from_fn(|draw| groups.hash(place, draw) % FOLDS);
        case.part = (groups.hash(place, 0) / FOLDS) % PARTS;
    }
    weigh(&mut cases, &kinds, own);
    Ok(Corpus { cases })
}

fn seen(decider: &Decider, case: Case, row: usize) -> Seen {
    let snapshot = universe(&case.tools);
    let input = DecisionInput::of(&case, &snapshot);
    let probed = decider.probe(&input);
    Seen {
        rows: vec![row],
        expected: index(case.expected.outcome),
        naive: index(NaiveGate::TUNED.decide(&input).outcome),
        methods: probed.iter().flat_map(|probed| methods(probed, &case)).collect(),
        fit_weight: decider.policy().probe.pools.fit_weight,
        shape: probed.as_ref().map(|probed| probed.shape().to_vec()).unwrap_or_default(),
        weight: 1.0,
        folds: [0; DRAWS],
        part: 0,
        names_missing: !case.expected.missing_params.is_empty(),
        case,
    }
}

fn index(outcome: Outcome) -> usize {
    Outcome::ALL.iter().position(|other| *other == outcome).unwrap_or_default()
}

impl Seen {
    /// What the gate makes of it under these policies, as an index into [`Outcome::ALL`].
    pub(crate) fn decided(&self, decider: &Decider) -> usize {
        let snapshot = universe(&self.case.tools);
        index(decider.decide(&DecisionInput::of(&self.case, &snapshot)).outcome)
    }
}

fn methods(probed: &Probed, case: &Case) -> Vec<Method> {
    let method = |evidence: &probe::Evidence| Method {
        signals: evidence.signals.clone(),
        is_expected: case.expected.methods.iter().any(|name| name == evidence.candidate.method.name.as_str()),
        required: evidence
            .required
            .iter()
            .map(|required| Argument {
                signals: required.signals.clone(),
                is_filled: required.is_filled,
                is_missing: case.expected.missing_params.contains(&required.name),
            })
            .collect(),
    };
    // In an order that does not hang on what was learned before: rows are drawn by their places.
    let mut evidence: Vec<&probe::Evidence> = probed.ranked().iter().collect();
    evidence.sort_by_cached_key(|evidence| evidence.candidate.method_ref());
    evidence.into_iter().map(method).collect()
}

/// Files and outcomes with many cases count less for each. `own` are the files over the methods that the product ships.
fn weigh(cases: &mut [Seen], kinds: &[(String, usize)], own: &[String]) {
    let mut counts: BTreeMap<&(String, usize), f64> = BTreeMap::new();
    for kind in kinds {
        *counts.entry(kind).or_default() += 1.0;
    }
    for (case, kind) in cases.iter_mut().zip(kinds) {
        let bonus = if case.rows.contains(&0) { FIRST_ROW } else { 1.0 };
        case.weight = bonus / counts.get(kind).copied().unwrap_or(1.0).sqrt();
    }
    let mut totals = [0.0; 3];
    for case in cases.iter() {
        totals[case.expected] += case.weight;
    }
    let mean = totals.iter().sum::<f64>() / 3.0;
    for case in cases.iter_mut() {
        case.weight *= (mean / totals[case.expected]).powf(OUTCOME_BALANCE);
    }
    for (case, (file, _)) in cases.iter_mut().zip(kinds) {
        if own.contains(file) {
            case.weight *= OWN;
        } else if case.expected == index(Outcome::Answer) {
            case.weight *= ANSWER_SHARE;
        }
    }
    let all: f64 = cases.iter().map(|case| case.weight).sum();
    #[expect(clippy::cast_precision_loss, reason = "counts of cases")]
    let number = cases.len() as f64;
    for case in cases.iter_mut() {
        case.weight *= number / all;
    }
}

/// Cases that belong together, by a forest of parents.
#[derive(Default)]
struct Groups {
    parents: Vec<usize>,
    keys: BTreeMap<String, usize>,
    first_keys: Vec<String>,
}

impl Groups {
    fn add(&mut self, case: &Case) {
        let own = self.parents.len();
        self.parents.push(own);
        let family = case.id.split('/').next().unwrap_or_default();
        let number: String =
            case.id.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
        let mut tools: Vec<&str> = case.tools.iter().map(|tool| tool.description.as_str()).collect();
        tools.sort_unstable();
        let mut keys =
            vec![format!("number {family} {number}"), format!("words {}", case.query.to_lowercase())];
        if tools.len() <= UNIVERSE_MAX {
            keys.push(format!("tools {}", tools.join("\n")));
        }
        self.first_keys.push(keys[0].clone());
        for key in keys {
            if let Some(other) = self.keys.get(&key).copied() {
                let (one, other) = (self.root(own), self.root(other));
                self.parents[one.max(other)] = one.min(other);
            } else {
                self.keys.insert(key, own);
            }
        }
    }

    fn root(&self, mut place: usize) -> usize {
        while self.parents[place] != place {
            place = self.parents[place];
        }
        place
    }

    /// A number of the group, another one in each draw (FNV-1a).
    fn hash(&self, place: usize, draw: usize) -> usize {
        let key = &self.first_keys[self.root(place)];
        let drawn = draw.to_string();
        let salt = drawn.bytes().filter(|_| draw > 0);
        let hash = key
            .bytes()
            .chain(salt)
            .fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
        (hash >> 3) as usize
    }
}
