//! Which method: retrieval, name, coverage of the question, arguments that can be had, and form, added up.

use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use domain::Candidate;
use reading::bind::{Argument, Binding, Role, Source};
use reading::form::FormKind;
use reading::time::{Direction, Window};
use reading::{Question, words};

use super::fan;
use crate::PlanBrief;
use crate::known::{Desk, Known};
use crate::outline::{Leaf, LeafKind};

mod about;

/// A method that may answer, with all that speaks for it.
#[derive(Debug)]
pub(crate) struct Choice<'a> {
    pub(crate) candidate: &'a Candidate,
    pub(crate) known: Arc<Known>,
    pub(crate) binding: Rc<Binding>,
    /// Whether its open argument is what the question asks over, and another method lists its values.
    pub(crate) is_listed: bool,
    pub(crate) score: f64,
}

/// The candidates, best first.
pub(crate) fn choices<'a>(desk: &Desk<'a>, question: &Question) -> Vec<Choice<'a>> {
    let brief = desk.brief;
    let best = brief.candidates.iter().map(|candidate| candidate.score).fold(f64::MIN_POSITIVE, f64::max);
    let mut choices: Vec<Choice<'a>> = brief
        .candidates
        .iter()
        .filter(|candidate| !is_avoided(brief, candidate))
        .map(|candidate| {
            let mut choice = read(desk, candidate, question);
            choice.is_listed = fan::over_items(desk, question, &choice).is_some();
            choice.score =
                score(&choice, &question.asked_of(&candidate.listing.name), candidate.score / best);
            choice
        })
        .filter(|choice| about::is_about(choice, question))
        .collect();
    choices.sort_by(|one, other| other.score.total_cmp(&one.score));
    choices
}

/// A method, read against the question.
pub(crate) fn read<'a>(desk: &Desk<'_>, candidate: &'a Candidate, question: &Question) -> Choice<'a> {
    let (known, binding) = desk.read(candidate, question);
    Choice { candidate, known, binding, is_listed: false, score: 0.0 }
}

pub(crate) fn is_avoided(brief: &PlanBrief, candidate: &Candidate) -> bool {
    brief.avoid.iter().any(|(method, _)| *method == candidate.method_ref())
}

impl Choice<'_> {
    /// Whether a stem is among the words of the method, its arguments or its results.
    fn knows(&self, stem: &str) -> bool {
        let in_leaf = |leaf: &Leaf| leaf.stems.iter().chain(&leaf.context).any(|known| known == stem);
        self.known.parameters.mentions(stem) || self.known.outline.leaves.iter().any(in_leaf)
    }

    /// Whether the question gives an argument that is neither free text nor a bare number.
    fn tied_by_value(&self) -> bool {
        self.binding.arguments.iter().any(|argument| {
            argument.is_said()
                && !matches!(argument.role, Role::Search | Role::Text)
                && argument.bound().is_some_and(|bound| !bound.value.is_number())
        })
    }

    /// The times that the question names and no argument takes: the result may be about another time.
    pub(crate) fn unplaced_times(&self, question: &Question) -> Vec<String> {
        let takes = |range: &Range<usize>| {
            self.binding.arguments.iter().filter_map(|argument| argument.bound()).any(|bound| {
                let (Source::Said { range: own } | Source::Window { range: own, .. }) = &bound.source else {
                    return false;
                };
                own.start < range.end && range.start < own.end
            })
        };
        let is_elsewhen = |window: &Window| {
            window.direction != Direction::Present
                && (window.end <= question.now || window.start > question.now)
        };
        let unplaced = question
            .moments
            .iter()
            .filter(|moment| moment.window().is_some_and(is_elsewhen) && !takes(&moment.range));
        unplaced.filter_map(|moment| question.text.get(moment.range.clone())).map(str::to_owned).collect()
    }

    /// What its arguments take for granted. The argument that a program fans out over is not among them.
    pub(crate) fn assumptions(&self, fanned: Option<&str>) -> Vec<String> {
        let mut assumptions = Vec::new();
        for argument in
            self.binding.arguments.iter().filter(|argument| Some(argument.name.as_str()) != fanned)
        {
            let Some(bound) = argument.bound() else { continue };
            match &bound.source {
                Source::Window { note: Some(note), .. } => assumptions.push(note.clone()),
                Source::Implied { why } => assumptions.push(why.clone()),
                Source::Default
                    if argument.is_required
                        || matches!(argument.role, Role::Window | Role::Zone | Role::Currency) =>
                {
                    let value = bound.value.as_str().map_or_else(|| bound.value.to_string(), str::to_owned);
                    assumptions.push(format!("`{}` is left at its default, {value}", argument.name));
                }
                Source::Window { note: None, .. } | Source::Said { .. } | Source::Default => {}
            }
        }
        assumptions
    }

    /// The key of its rows that holds the asked dimension.
    pub(crate) fn row_key(&self, question: &Question) -> Option<String> {
        let noun = question.form.dimension.as_ref()?;
        let head = noun.stems.last()?;
        let in_rows = || {
            self.known
                .outline
                .leaves
                .iter()
                .filter(|leaf| leaf.path.contains("[]") && leaf.kind == LeafKind::Text)
        };
        in_rows()
            .find(|leaf| leaf.stems.contains(head))
            .or_else(|| {
                in_rows().find(|leaf| {
                    matches!(leaf.key.as_str(), "name" | "title" | "symbol" | "ticker" | "label")
                })
            })
            .map(|leaf| leaf.key.clone())
    }
}

fn score(choice: &Choice<'_>, question: &Question, retrieved: f64) -> f64 {
    let is_looked_up = is_looked_up(choice, question);
    let open: f64 = choice
        .binding
        .missing()
        .map(|argument| {
            let is_fanned = choice.is_listed || can_fan(choice, question, &argument.name);
            if is_fanned {
                0.0
            } else if is_looked_up {
                0.2
            } else {
                1.0
            }
        })
        .sum();
    let needs_nothing = choice.binding.arguments.iter().all(|argument| !argument.is_required);
    let confidence = if needs_nothing || is_looked_up { 0.7 } else { choice.binding.confidence() };
    let placed = if is_looked_up { 0.8 } else { entities_placed(choice, question) };
    retrieved
        + 0.8 * choice.binding.coverage.share
        + 0.7 * name_fit(choice, question)
        + 0.15 * verb_fit(choice, question)
        + 0.4 * confidence
        - 0.35 * open
        + 0.5 * placed
        + 0.5 * form_fit(choice, question)
        - 0.25 * unasked_action(choice, question)
        - if choice.unplaced_times(question).is_empty() { 0.0 } else { 0.25 }
}

/// Whether only an identifier is open, and the question names what it may be looked up by.
fn is_looked_up(choice: &Choice<'_>, question: &Question) -> bool {
    let mut missing = choice.binding.missing();
    missing.next().is_some_and(|argument| argument.role == Role::Id)
        && missing.next().is_none()
        && !question.form.entities.is_empty()
}

/// 1 where the question says the method's own verb: "list", "compare".
fn verb_fit(choice: &Choice<'_>, question: &Question) -> f64 {
    let name = &choice.known.name;
    let says = |verb: &String| question.words.iter().any(|word| word.stem == *verb);
    if name.first().is_some_and(says) { 1.0 } else { 0.0 }
}

/// 1 for a method whose name is an action that the question does not ask for.
fn unasked_action(choice: &Choice<'_>, question: &Question) -> f64 {
    const ACTIONS: [&str; 28] = [
        "add", "book", "buy", "cancel", "creat", "delet", "download", "edit", "execut", "insert", "modifi",
        "order", "place", "play", "post", "publish", "regist", "remov", "report", "reserv", "send", "set",
        "start", "stop", "submit", "updat", "upload", "verifi",
    ];
    let name = &choice.known.name;
    let is_unasked = |stem: &String| {
        ACTIONS.contains(&stem.as_str()) && !question.words.iter().any(|word| word.stem == *stem)
    };
    if name.iter().any(is_unasked) { 1.0 } else { 0.0 }
}

/// Whether an open argument is what the question asks over: it names the dimension and lists its values.
fn can_fan(choice: &Choice<'_>, question: &Question, argument: &str) -> bool {
    let names_it = question.form.dimension.as_ref().is_some_and(|noun| {
        noun.stems.iter().any(|stem| choice.known.parameters.stems(argument).contains(stem))
    });
    (names_it || question.form.kind == FormKind::Ranking)
        && !choice.known.parameters.choices(argument).is_empty()
}

/// How much of the method's name the question says; the verbs that every name has do not count.
fn name_fit(choice: &Choice<'_>, question: &Question) -> f64 {
    let is_verb = |stem: &str| {
        matches!(
            stem,
            "get"
                | "list"
                | "fetch"
                | "read"
                | "find"
                | "search"
                | "retriev"
                | "show"
                | "describ"
                | "check"
                | "calcul"
                | "comput"
                | "convert"
                | "compar"
                | "detect"
                | "analyz"
                | "lookup"
                | "open"
                | "run"
                | "view"
                | "return"
                | "query"
                | "queri"
                | "by"
                | "all"
                | "for"
                | "of"
                | "the"
                | "to"
                | "in"
                | "and"
                | "info"
                | "inform"
                | "detail"
                | "data"
                | "api"
                | "v1"
                | "v2"
        )
    };
    let is_said_argument = |stem: &str| {
        let own =
            |argument: &Argument| choice.known.parameters.stems(&argument.name).iter().any(|own| own == stem);
        choice.binding.arguments.iter().any(|argument| argument.is_said() && own(argument))
    };
    let says = |stem: &str| question.words.iter().any(|word| word.stem == *stem) || is_said_argument(stem);
    let says_present = PRESENT.iter().any(|stem| says(stem));
    let is_said = |stem: &&&String| says(stem) || (says_present && PRESENT.contains(&stem.as_str()));
    // Where no time is asked for, the present is meant.
    let is_implied = |stem: &str| question.moments.is_empty() && PRESENT.contains(&stem);
    let named = |name: &[String]| {
        let nouns: Vec<&String> = name.iter().filter(|stem| !is_verb(stem) && !is_implied(stem)).collect();
        if nouns.is_empty() {
            return 0.3;
        }
        share(nouns.iter().filter(is_said).count(), nouns.len())
    };
    let title = if choice.known.title.is_empty() { 0.0 } else { named(&choice.known.title) };
    named(&choice.known.name).max(title)
}

/// Stems that say the present, one like the other: "right now" asks for the `current` one.
const PRESENT: [&str; 5] = ["current", "latest", "live", "now", "today"];

/// How many of the named things found a place in an argument.
fn entities_placed(choice: &Choice<'_>, question: &Question) -> f64 {
    let entities = &question.form.entities;
    if entities.is_empty() {
        return 0.5;
    }
    let left = &choice.binding.coverage.left;
    let placed = entities
        .iter()
        .filter(|entity| words::words(&entity.text).iter().any(|word| !left.contains(&word.stem)))
        .count();
    share(placed, entities.len())
}

/// How well the shape of the result fits the form of the question.
fn form_fit(choice: &Choice<'_>, question: &Question) -> f64 {
    let name = &choice.known.name;
    let named = |stems: &[&str]| name.iter().any(|stem| stems.contains(&stem.as_str()));
    let is_series = choice.known.outline.has_series() && !choice.known.outline.arrays.is_empty()
        || named(&["histori", "histor", "trend", "timeseri", "candl", "candlestick", "klin", "chart"]);
    let has_rows = !choice.known.outline.arrays.is_empty()
        || named(&["list", "search", "all", "top", "rank", "screen", "scan"]);
    match question.form.kind {
        FormKind::Series => {
            if is_series {
                1.0
            } else {
                0.0
            }
        }
        FormKind::Ranking | FormKind::Which => ranking_fit(choice, question, has_rows),
        FormKind::List | FormKind::Count => {
            if named(&["info", "inform", "detail", "metadata"]) {
                -0.6
            } else if named(&["list"]) {
                1.4
            } else if has_rows {
                1.0
            } else {
                0.2
            }
        }
        FormKind::Single | FormKind::YesNo | FormKind::Comparison => {
            if named(&["histori", "histor", "candl", "candlestick", "klin"]) { 0.2 } else { 0.6 }
        }
    }
}

fn ranking_fit(choice: &Choice<'_>, question: &Question, has_rows: bool) -> f64 {
    let Some(noun) = &question.form.dimension else { return if has_rows { 0.8 } else { 0.3 } };
    let has_dimension = |stems: &[String]| noun.stems.last().is_some_and(|head| stems.contains(head));
    let in_rows = choice.known.outline.arrays.iter().any(|array| has_dimension(&array.stems))
        || choice
            .known
            .outline
            .leaves
            .iter()
            .any(|leaf| leaf.path.contains("[]") && has_dimension(&leaf.stems));
    let wanted = &question.form.measures;
    let has_measure = choice.known.outline.leaves.iter().any(|leaf| {
        leaf.kind == LeafKind::Number
            && leaf.stems.iter().chain(&leaf.context).any(|stem| wanted.contains(stem))
    });
    if choice.known.outline.leaves.is_empty()
        && !choice.binding.arguments.iter().any(|argument| can_fan(choice, question, &argument.name))
    {
        return if has_rows { 0.6 } else { 0.2 };
    }
    let can_fan = choice.is_listed
        || choice.binding.arguments.iter().any(|argument| {
            !argument.is_said()
                && can_fan(choice, question, &argument.name)
                && has_dimension(choice.known.parameters.stems(&argument.name))
        });
    match (in_rows, can_fan, has_measure) {
        (true, _, true) => 1.0,
        (_, true, true) => 0.95,
        (_, true, false) => 0.6,
        (true, false, false) => 0.5,
        (false, false, _) => {
            if has_rows {
                0.3
            } else {
                0.1
            }
        }
    }
}

fn share(part: usize, whole: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "counts of words")]
    let share = part as f64 / whole.max(1) as f64;
    share
}
