//! The names of the signals, in the order in which the probe gives them.

use super::SignalNames;

/// The signals of a method, held against a question.
#[derive(Debug)]
pub enum OfMethod {}

impl SignalNames for OfMethod {
    const NAMES: &'static [&'static str] = &[
        "topic_any",
        "topic_best",
        "topic_own",
        "topic_name",
        "topic_taken",
        "topic_rare",
        "topic_left",
        "topic_unknown",
        "related",
        "related_best",
        "topic_none",
        "matched",
        "best_name",
        "best_own",
        "name_said",
        "name_whole",
        "name_said_long",
        "description_said",
        "rare",
        "rare_lead",
        "rare_share",
        "leads",
        "value_left",
        "value_share",
        "agrees",
        "first_agrees",
        "conflicts",
        "acts_instead",
        "another",
        "no_action",
        "score",
        "retrieved",
        "coverage",
        "name",
        "verb",
        "confidence",
        "open",
        "placed",
        "form",
        "unasked_action",
        "unplaced_time",
        "tense",
        "about",
        "asked",
        "asked_short",
        "alike",
        "alike_lead",
        "twin_tied",
        "twin_name_lead",
        "twin_name_unsaid",
        "serves",
        "serves_best",
        "all_served",
        "least_served",
        "requests",
        "unknown_verbs",
        "fits_best",
        "fits_behind",
        "generalist",
        "generalist_left",
        "unspaced_own",
        "unspaced_leads",
        "says_indefinite",
        "says_definite",
        "says_valued",
        "needed",
        "needs_nothing",
        "spans_short",
        "unsaid",
        "spans",
        "finder_beside",
        "undiscriminated",
        "called",
        "called_last",
    ];
}

/// The signals of a required argument.
#[derive(Debug)]
pub enum OfArgument {}

impl SignalNames for OfArgument {
    const NAMES: &'static [&'static str] = &[
        "open",
        "now",
        "before",
        "said",
        "default",
        "implied",
        "looked_up",
        "free_bound",
        "place",
        "time",
        "id",
        "secret",
        "symbol",
        "free",
        "address",
        "limit",
        "named_thing",
        "choice",
        "number",
        "flag",
        "list",
        "object",
        "examples",
        "explained",
        "mentioned",
        "asked_back",
        "asked_back_bound",
        "vague",
        "vague_bound",
        "leftover_each",
        "leftover_none",
        "values_each",
        "values_none",
        "first_turn",
        "pending_share",
        "pending",
        "only",
        "bound_leftover",
        "bound_values",
        "continues",
        "unspaced_leftover",
        "unspaced",
        "short_of_leftover",
        "length",
        "called_with",
        "called_alike",
        "refused",
    ];
}

/// The signals of a question with the methods that there are for it.
#[derive(Debug)]
pub enum OfCase {}

impl SignalNames for OfCase {
    const NAMES: &'static [&'static str] = &joined::<CASE>([OF_SITUATION, OfMethod::NAMES, OF_SHAPE]);
}

/// How the best method stands among the others.
const OF_SITUATION: &[&str] = &[
    "grounding",
    "grounding_odds",
    "grounding_second",
    "grounding_second_odds",
    "grounding_third",
    "grounding_lead",
    "grounding_all",
    "alone",
    "asks",
    "asks_odds",
    "asks_any",
    "asks_all",
    "asks_second",
    "asks_expected",
    "grounded_asks",
    "left_open",
    "second_open",
    "second_conflicts",
    "second_agrees",
    "second_name_lead",
    "second_own_lead",
];

/// How the question is built.
const OF_SHAPE: &[&str] = &[
    "values_now",
    "indefinite",
    "refers",
    "articles",
    "mine",
    "length",
    "content",
    "is_question",
    "continues",
    "has_history",
    "acts",
    "generally",
    "unspaced",
    "values_each_word",
    "after_calls",
];

const CASE: usize = OF_SITUATION.len() + OfMethod::NAMES.len() + OF_SHAPE.len();

const fn joined<const COUNT: usize>(parts: [&[&'static str]; 3]) -> [&'static str; COUNT] {
    let mut names = [""; COUNT];
    let (mut part, mut count) = (0, 0);
    while part < parts.len() {
        let mut place = 0;
        while place < parts[part].len() {
            names[count] = parts[part][place];
            place += 1;
            count += 1;
        }
        part += 1;
    }
    names
}
