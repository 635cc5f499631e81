//! What a method covers, read from its schema and its words: one thing, several that are named, or the whole.

use fit::Known;
use reading::bind::{Argument, Role};

/// What a method covers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Profile {
    /// How much of what there is one call looks at.
    pub scope: Scope,
    /// What kind of thing it looks at.
    pub granularity: Granularity,
    /// Whether it needs a thing that the question has to name.
    pub requires_named_entity: bool,
    /// How many things its result tells of.
    pub cardinality: Cardinality,
    /// How sure that is, from 0 to 1.
    pub confidence: f64,
}

/// How much of what there is one call looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// The whole: an event, a market, a venue, or all that there is.
    EventWide,
    /// Several things that are named.
    MultiTarget,
    /// One thing that is named.
    SingleTarget,
}

/// What kind of thing a method looks at, in the words of the contract; other fields borrow the nearest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Granularity {
    /// Something with several parts.
    Event,
    /// One thing that is traded, measured or looked up.
    Market,
    /// One part of an event.
    Outcome,
    /// A place or provider where things are.
    Venue,
}

/// How many things a result tells of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cardinality {
    /// Several, held against each other.
    Comparison,
    /// Several.
    Multiple,
    /// Several, in one number or one summary.
    Aggregate,
    /// One.
    Single,
}

impl Scope {
    /// The word of the wire.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::EventWide => "event-wide",
            Self::MultiTarget => "multi-target",
            Self::SingleTarget => "single-target",
        }
    }
}

impl Granularity {
    /// The word of the wire.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Event => "event",
            Self::Market => "market",
            Self::Outcome => "outcome",
            Self::Venue => "venue",
        }
    }
}

impl Cardinality {
    /// The word of the wire.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Comparison => "comparison",
            Self::Multiple => "multiple",
            Self::Aggregate => "aggregate",
            Self::Single => "single",
        }
    }
}

const OUTCOMES: [&str; 5] = ["candid", "competitor", "outcom", "runner", "selection"];
const MARKETS: [&str; 8] = ["asset", "coin", "contract", "instrument", "market", "pair", "symbol", "ticker"];
const EVENTS: [&str; 8] = ["elect", "event", "game", "leagu", "match", "race", "seri", "tournament"];
const VENUES: [&str; 6] = ["bookmak", "exchang", "platform", "provid", "sportsbook", "venu"];

const COMPARES: [&str; 12] = [
    "arbitrag",
    "best",
    "compar",
    "effici",
    "gainer",
    "leaderboard",
    "loser",
    "mover",
    "rank",
    "spread",
    "top",
    "versus",
];
const SUMS: [&str; 9] =
    ["aggreg", "averag", "count", "index", "overview", "stat", "statist", "summari", "total"];
const LISTS: [&str; 6] = ["all", "brows", "discov", "list", "search", "screen"];

impl Profile {
    /// What a method with these arguments covers.
    pub(super) fn of(known: &Known, arguments: &[Argument]) -> Self {
        let named = |stems: &[&str]| has(&known.name, stems) || has(&known.title, stems);
        let targets: Vec<&Argument> = arguments.iter().filter(|it| is_target(known, it)).collect();
        let by_argument = targets.iter().find_map(|it| granularity(known.parameters.stems(&it.name)));
        let by_name = granularity(&known.name).or_else(|| granularity(&known.title));
        let (cardinality, is_named) = if named(&COMPARES) {
            (Cardinality::Comparison, true)
        } else if named(&SUMS) {
            (Cardinality::Aggregate, true)
        } else if named(&LISTS) {
            (Cardinality::Multiple, true)
        } else if known.outline.arrays.is_empty() {
            (Cardinality::Single, !known.outline.leaves.is_empty())
        } else {
            (Cardinality::Multiple, true)
        };
        let requires_named_entity = !targets.is_empty();
        let fallback = if requires_named_entity { Granularity::Market } else { Granularity::Event };
        let granularity = by_argument.or(by_name);
        let signs = [is_named, granularity.is_some(), !known.outline.leaves.is_empty()];
        let granularity = granularity.unwrap_or(fallback);
        let takes_several = targets.iter().any(|it| known.parameters.is_list(&it.name)) || targets.len() > 1;
        Self {
            scope: scope(takes_several, requires_named_entity, granularity, cardinality),
            granularity,
            requires_named_entity,
            cardinality,
            confidence: signs.into_iter().fold(0.5, |sure, sign| if sign { sure + 0.15 } else { sure }),
        }
    }
}

fn scope(
    takes_several: bool,
    requires_named_entity: bool,
    granularity: Granularity,
    cardinality: Cardinality,
) -> Scope {
    let is_whole =
        matches!(granularity, Granularity::Event | Granularity::Venue) && cardinality != Cardinality::Single;
    if !requires_named_entity || is_whole {
        Scope::EventWide
    } else if takes_several || cardinality == Cardinality::Comparison {
        Scope::MultiTarget
    } else {
        Scope::SingleTarget
    }
}

/// Whether an argument must be given a thing that a question names: it lists no values of its own.
fn is_target(known: &Known, argument: &Argument) -> bool {
    let is_entity = match argument.role {
        Role::Id
        | Role::Symbol
        | Role::Place
        | Role::Name
        | Role::Country
        | Role::CountryCode
        | Role::Path
        | Role::Url
        | Role::Email => true,
        Role::Zone
        | Role::Start
        | Role::End
        | Role::Date
        | Role::Year
        | Role::Month
        | Role::Clock
        | Role::Window
        | Role::Grain
        | Role::Length(_)
        | Role::Limit
        | Role::Page
        | Role::Currency
        | Role::Language
        | Role::Search
        | Role::Text
        | Role::Formal
        | Role::Secret => false,
    };
    argument.is_required && is_entity && known.parameters.choices(&argument.name).is_empty()
}

fn granularity(stems: &[String]) -> Option<Granularity> {
    let kinds = [
        (&OUTCOMES[..], Granularity::Outcome),
        (&MARKETS[..], Granularity::Market),
        (&EVENTS[..], Granularity::Event),
        (&VENUES[..], Granularity::Venue),
    ];
    kinds.into_iter().find(|(words, _)| has(stems, words)).map(|(_, kind)| kind)
}

fn has(stems: &[String], wanted: &[&str]) -> bool {
    stems.iter().any(|stem| wanted.contains(&stem.as_str()))
}
