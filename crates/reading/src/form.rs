//! The form of a question: what kind of answer it wants, along what, in what order, and what it names.

use std::ops::Range;

use crate::spans::{Kind, Span, overlaps};
use crate::standards;
use crate::time::{Direction, Moment, Sense};
use crate::words::{self, Word};

mod aside;
mod bearer;
mod comparison;
mod kinds;
mod measured;
mod shape;
mod threshold;
pub(crate) mod turn;
mod way;

pub(crate) use aside::asides;
pub(crate) use bearer::{bearer, filler, is_measured};
pub(crate) use comparison::is_comparative;
pub(crate) use measured::{HOLD, holding};
pub use shape::counted;
pub(crate) use shape::measures_most;
pub(crate) use shape::{asks_to_show, count};
pub(crate) use threshold::side;
pub use threshold::{Side, Threshold};
pub use turn::Turn;
pub use way::{Way, is_change};

/// The form of a question.
#[derive(Clone, Debug, PartialEq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is asked for by itself, and any may hold beside any other"
)]
pub struct Form {
    /// What kind of answer it wants.
    pub kind: FormKind,
    /// The noun whose values it asks about: the "exchanges" of "which exchanges", "each exchange", "by exchange".
    pub dimension: Option<Noun>,
    /// How it wants rows ordered.
    pub order: Option<Order>,
    /// How many rows it wants.
    pub limit: Option<usize>,
    /// What it names: quoted, capitalised, symbols; in order.
    pub entities: Vec<Entity>,
    /// Stems of what is measured: for a ranking the words that follow the superlative, and where there are none its verb, else
    /// every content word that is neither named nor about time.
    pub measures: Vec<String>,
    /// Whether it asks about a course over time.
    pub is_series: bool,
    /// Whether it compares what it names.
    pub is_comparison: bool,
    /// Whether it wants to be asked which way to go: "let me choose".
    pub wants_choice: bool,
    /// Whether it asks if there is something on a topic: "is there a market on the Oscars".
    pub asks_if_any: bool,
    /// Whether it asks for a thing by each of its dimension: "liquidations per exchange".
    pub is_breakdown: bool,
    /// Whether it asks how much of something there is.
    pub asks_amount: bool,
    /// Stem of the noun that its superlative is of: the moves of "biggest price moves".
    pub head: Option<String>,
    /// The noun behind the "by" of a ranking: what rows are ordered by, or what there is a row for each of.
    pub by: Option<Noun>,
    /// The bounds that it sets for numbers: "over 10 million".
    pub thresholds: Vec<Threshold>,
    /// What comes first or last in time, where it asks for that.
    pub turn: Option<Turn>,
    /// Which way the changes go, where it ranks changes or sets a bound for them.
    pub way: Option<Way>,
}

/// What kind of answer a question wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormKind {
    /// One thing and what is known of it.
    Single,
    /// The values of a dimension for which something holds.
    Which,
    /// Rows in order of a measure.
    Ranking,
    /// The same measure for several things that are named.
    Comparison,
    /// A course over time.
    Series,
    /// How many there are.
    Count,
    /// All that there are.
    List,
    /// Whether something holds.
    YesNo,
}

/// The order of a ranking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The least first.
    Ascending,
    /// The most first.
    Descending,
}

/// A noun of the question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Noun {
    /// How the question writes it.
    pub text: String,
    /// The stems of its words, the head noun last.
    pub stems: Vec<String>,
    /// Whether it stands in the plural.
    pub is_plural: bool,
}

impl Noun {
    /// Whether its head is among some stems, or another word for it: an exchange is a venue.
    #[must_use]
    pub fn is_among(&self, stems: &[String]) -> bool {
        self.stems.last().is_some_and(|head| stems.iter().any(|stem| are_alike(head, stem)))
    }
}

/// Whether two stems are of nouns for the same kind of thing: an exchange is a venue.
#[must_use]
pub fn are_alike(one: &str, other: &str) -> bool {
    one == other || nouns_like(one).contains(&other)
}

/// The stems of nouns for the same kind of thing, this one among them; none where there is no other one.
pub(crate) fn nouns_like(stem: &str) -> &'static [&'static str] {
    const SAME: [&[&str]; 3] =
        [&["exchang", "venu", "platform"], &["coin", "asset", "token"], &["stori", "headlin", "articl"]];
    SAME.into_iter().find(|same| same.contains(&stem)).unwrap_or_default()
}

/// Something that the question names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entity {
    /// How the question writes it, without quotation marks.
    pub text: String,
    /// Where, in bytes.
    pub range: Range<usize>,
}

/// The form of a question, from its words, spans and moments.
#[must_use]
pub fn form(text: &str, words: &[Word], spans: &[Span], moments: &[Moment]) -> Form {
    let entities = entities(spans);
    let superlative = shape::superlative(words);
    let is_grained = moments.iter().any(|moment| matches!(moment.sense, Sense::Grain(_)));
    let is_series = wants_mean(words, moments) || is_grained || shape::is_series(words);
    let is_when = |word: &Word| moments.iter().any(|moment| moment.holds(word));
    let thresholds = threshold::thresholds(text, words, spans, moments);
    let is_bound = |word: &Word| thresholds.iter().any(|bound| overlaps(&bound.range, &word.range));
    let is_comparison = comparison::is_comparison(words, is_bound)
        && (entities.len() > 1 || comparison::sets_against(words, is_when));
    let restricted = kinds::restricted(text, words, is_bound, is_when);
    let asks_which = kinds::asks_which(words) || restricted.is_some();
    let (holders, held_by) = kinds::holders(text, words).unzip();
    let dimension = holders.or_else(|| kinds::dimension(text, words, is_when)).or(restricted);
    let asks_if_any = shape::asks_if_any(words, is_when);
    let is_breakdown = shape::is_breakdown(words, is_when) && dimension.is_some();
    let limit = superlative.as_ref().and_then(|found| found.limit).or(held_by.flatten());
    let limit = limit.or_else(|| shape::leading_limit(words));
    let kind = if superlative.is_some() || shape::is_sorted(words) {
        FormKind::Ranking
    } else if shape::is_count(words) {
        FormKind::Count
    } else if is_comparison {
        FormKind::Comparison
    } else if is_series {
        FormKind::Series
    } else if asks_which && dimension.is_some() && !shape::is_list(words) {
        FormKind::Which
    } else if shape::is_yes_no(words) && !asks_if_any {
        FormKind::YesNo
    } else if asks_if_any || shape::is_list(words) {
        FormKind::List
    } else {
        FormKind::Single
    };
    let way = way::way(words, superlative.as_ref(), dimension.as_ref());
    let way = way.or_else(|| thresholds.iter().find_map(Threshold::way));
    let sorted = shape::is_sorted(words).then_some(Order::Descending);
    let order = superlative.as_ref().map(|found| found.order).or(sorted);
    let after = superlative.as_ref().map_or(0, |found| found.next);
    let is_named = |word: &Word| {
        entities.iter().any(|entity| overlaps(&entity.range, &word.range))
            || standards::coin(&word.lower).is_some()
    };
    let is_apart = |word: &Word| is_when(word) || is_named(word) || is_bound(word);
    let measures = measured::measures(words, superlative.as_ref(), dimension.as_ref(), way, is_apart);
    let wants_choice = shape::wants_choice(words);
    Form {
        kind,
        dimension,
        order,
        limit,
        entities,
        measures,
        is_series,
        is_comparison,
        wants_choice,
        asks_if_any,
        is_breakdown,
        asks_amount: shape::asks_amount(words),
        head: order.and_then(|_| kinds::head(text, &kinds::until_when(words, after, is_when)[after..])),
        by: order.and_then(|_| kinds::by(text, words, is_when)),
        thresholds,
        turn: turn::turn(words, is_when),
        way,
    }
}

/// Whether a text begins as a question or an instruction does: "what is", "is it", "show me".
#[must_use]
pub fn opens_a_question(text: &str) -> bool {
    let words = words::words(text);
    let instructs = words.first().is_some_and(|word| {
        matches!(
            word.lower.as_str(),
            "what"
                | "who"
                | "which"
                | "when"
                | "where"
                | "why"
                | "how"
                | "whose"
                | "show"
                | "tell"
                | "give"
                | "list"
                | "find"
                | "get"
                | "compare"
                | "convert"
                | "explain"
        )
    });
    instructs || shape::is_yes_no(&words)
}

/// Whether a question wants the mean over a time: "the average rate in October".
#[must_use]
pub fn wants_mean(words: &[Word], moments: &[Moment]) -> bool {
    words.iter().any(|word| is_mean_word(&word.lower)) && moments.iter().any(is_stretch)
}

/// Whether a word asks for the mean of what follows.
#[must_use]
pub fn is_mean_word(lower: &str) -> bool {
    matches!(lower, "average" | "averaged" | "avg" | "mean")
}

/// Whether a moment is a stretch of time of which there is more than one value.
fn is_stretch(moment: &Moment) -> bool {
    moment.window().is_some_and(|it| it.direction != Direction::Present && it.first_day() < it.last_day())
}

/// Whether a lower-case word is a superlative or its like: "largest", "most", "top".
#[must_use]
pub fn is_superlative(lower: &str) -> bool {
    shape::order_of(lower).is_some()
}

/// Whether a word is the verb by which a question asks to put things in order: "sort the cities by temperature".
pub(crate) fn is_sorting(words: &[Word], word: &Word) -> bool {
    shape::sorts(words).is_some_and(|verb| words[verb].range == word.range)
}

/// Whether a question compares by which is less: "which is colder".
#[must_use]
pub fn asks_for_less(question: &str) -> bool {
    words::words(question).iter().any(|word| threshold::compared(&word.lower) == Some(Side::Below))
}

/// Where the words of a question, in bytes, say what can be done with what it asks the offer of: the "convert" of "which
/// currencies can you convert? Convert 5 USD to EUR".
#[must_use]
pub fn of_offer(text: &str, words: &[Word]) -> Option<Range<usize>> {
    let from = words.get(shape::offer(words)?)?.range.start;
    let sentence = text[from..].find(['.', '?', '!', ';', '\n']).unwrap_or(text.len() - from);
    Some(from..from + sentence)
}

/// Whether the word at a place is the "new" of "what's new" and its like: of "is New York" it is not.
#[must_use]
pub fn is_news(words: &[Word], at: usize) -> bool {
    let before = at.checked_sub(1).map_or("", |before| words[before].lower.as_str());
    let is_asked = matches!(before, "s" | "is" | "anything" | "something" | "nothing");
    let is_alone = words.get(at + 1).is_none_or(|next| {
        next.is_stop || matches!(next.lower.as_str(), "today" | "tonight" | "lately" | "recently")
    });
    words[at].lower == "new" && is_asked && is_alone
}

/// Stems of what the adjectives of a question measure: "how hot", "is it hot", "hotter" are about temperature.
#[must_use]
pub fn implied_by_adjective(words: &[Word]) -> Vec<String> {
    (0..words.len()).flat_map(|at| implied_by_adjective_at(words, at)).collect()
}

/// Stems of what the adjective at a place measures; what is new is news.
pub fn implied_by_adjective_at(words: &[Word], at: usize) -> impl Iterator<Item = String> + use<> {
    let lower = words[at].lower.as_str();
    let is_asked = at > 0
        && matches!(words[at - 1].lower.as_str(), "how" | "it" | "be" | "feel" | "feels" | "feeling")
        || lower.ends_with("er");
    let nouns: &[&str] = if is_news(words, at) {
        &["news"]
    } else if is_asked && !words[at].is_stop {
        shape::implied_by_adjective(lower)
    } else {
        &[]
    };
    nouns.iter().map(|noun| words::stem(noun).into_owned())
}

/// What is counted in a unit that a question names: degrees are of a temperature.
pub(crate) fn counted_in(lower: &str) -> Option<&'static str> {
    matches!(lower, "degree" | "degrees").then_some("temperature")
}

/// Stems of what is measured in the units among some terms: what is in "celsius" is a temperature.
pub fn measured_in(terms: &[String]) -> impl Iterator<Item = String> + '_ {
    let nouns = terms.iter().filter_map(|term| match term.as_str() {
        "celsius" | "fahrenheit" => Some("temperature"),
        "kmh" | "kph" | "mph" => Some("speed"),
        "mm" => Some("precipitation"),
        _ => None,
    });
    nouns.map(|noun| words::stem(noun).into_owned())
}

/// The words that stand for a sign between two numbers: "17 times 23" is about no time.
pub(crate) fn spelled_signs(words: &[Word]) -> impl Iterator<Item = usize> {
    let is_number = |word: &Word| word.lower.starts_with(|c: char| c.is_ascii_digit());
    let is_sign = move |it: &[Word]| {
        is_number(&it[0]) && matches!(it[1].lower.as_str(), "times" | "plus" | "minus") && is_number(&it[2])
    };
    words.windows(3).enumerate().filter(move |(_, it)| is_sign(it)).map(|(at, _)| at + 1)
}

/// Words that only say that something is to come, or whose word it is, or that anything is asked for: "is it going to rain according to
/// the radio", "anything to bet on".
pub(crate) fn auxiliaries(words: &[Word]) -> impl Iterator<Item = usize> {
    let is_it = |pair: &[Word]| match pair[0].lower.as_str() {
        "going" | "according" => pair[1].lower == "to",
        "anything" | "something" | "gonna" => true,
        _ => false,
    };
    words.windows(2).enumerate().filter(move |(_, pair)| is_it(pair)).map(|(at, _)| at)
}

/// Stems of what is done to numbers by the signs between them: "443 * 349" asks to multiply.
#[must_use]
pub fn implied_by_signs(text: &str) -> Vec<String> {
    let is_number = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit());
    let said: Vec<&str> = text.split_whitespace().collect();
    let signs = said.windows(3).filter(|it| is_number(&it[0]) && is_number(&it[2])).map(|it| it[1]);
    let verbs = signs.filter_map(|sign| match sign {
        "*" | "×" | "x" | "times" => Some("multiply"),
        "+" | "plus" => Some("add"),
        "-" | "−" | "minus" => Some("subtract"),
        "/" | "÷" => Some("divide"),
        "^" | "**" => Some("power"),
        _ => None,
    });
    verbs.map(|verb| words::stem(verb).into_owned()).collect()
}

fn entities(spans: &[Span]) -> Vec<Entity> {
    let mut entities: Vec<Entity> = Vec::new();
    for span in spans {
        let names = match span.kind {
            Kind::Quoted | Kind::Pair | Kind::Ticker | Kind::Name | Kind::Identifier | Kind::Uuid => true,
            Kind::Code | Kind::Url | Kind::Email | Kind::Path | Kind::File | Kind::Number(_) => false,
        };
        let is_new =
            !entities.iter().any(|entity| entity.text == span.text || span.range.start < entity.range.end);
        if names && is_new {
            entities.push(Entity { text: span.text.clone(), range: span.range.clone() });
        }
    }
    entities
}

#[cfg(test)]
mod tests {
    use crate::Question;
    use crate::form::{FormKind, Order, Way, asks_for_less};

    fn read(text: &str) -> Question {
        Question::read(text, "2026-03-18T14:30:00Z".parse().unwrap())
    }

    #[test]
    fn things_within_a_limit_are_asked_for_as_which_they_are() {
        let which = |text: &str| {
            let form = read(text).form;
            form.dimension.filter(|_| form.kind == FormKind::Which).map(|noun| noun.text)
        };
        for text in [
            "Cities warmer than 20 degrees",
            "cities with less than 10 mm",
            "show me cities below 5 degrees",
            "cities that saw 30 degrees yesterday",
            "cities celebrating this week",
        ] {
            assert_eq!(which(text).as_deref().map(str::to_lowercase), Some("cities".to_owned()), "{text}");
        }
        for text in ["ETH outflows over the last month", "cities with a zoo", "two cities below a hill"] {
            assert_eq!(which(text), None, "{text}");
        }
    }

    #[test]
    fn a_superlative_is_of_the_last_of_the_words_behind_it() {
        let head = |text: &str| read(text).form.head;
        assert_eq!(head("biggest price moves of the day").as_deref(), Some("move"));
        assert_eq!(head("largest inflow").as_deref(), Some("inflow"));
        assert_eq!(head("biggest price moves today").as_deref(), Some("move"));
        let by = read("biggest market by volume today").form.by;
        assert_eq!(by.map(|noun| noun.text).as_deref(), Some("volume"));
        assert_eq!(head("which one is the largest"), None);
        assert_eq!(head("price moves"), None);
    }

    #[test]
    fn one_is_compared_with_another_and_not_with_a_number() {
        let kind = |text: &str| read(text).form.kind;
        assert_eq!(kind("Is Paris warmer than London?"), FormKind::Comparison);
        assert_eq!(kind("Is it warmer in Paris than in London?"), FormKind::Comparison);
        assert_eq!(kind("rain in paris vs london"), FormKind::Comparison);
        assert_eq!(kind("the level of the lake now versus a week ago"), FormKind::Single);
        assert_eq!(kind("Did Acme send Bolt more than 50 million?"), FormKind::YesNo);
        assert!(asks_for_less("Weather: which is colder, Paris or London?"));
        assert!(!asks_for_less("Is Paris warmer than London?"));
    }

    #[test]
    fn a_superlative_is_of_a_kind_of_things() {
        let kinds = |text: &str| read(text).form.dimension.map(|noun| noun.text);
        assert_eq!(kinds("coldest three cities").as_deref(), Some("cities"));
        assert_eq!(kinds("where did most of the trades go"), None);
        assert_eq!(kinds("the coldest city"), None);
    }

    #[test]
    fn what_somebody_does_is_no_list() {
        let kind = |text: &str| read(text).form.kind;
        assert_eq!(kind("What are people saying about rain?"), FormKind::Single);
        assert_eq!(kind("What are the upcoming events?"), FormKind::List);
        assert_eq!(kind("What are your exchanges?"), FormKind::List);
    }

    #[test]
    fn a_ranking_may_say_by_what() {
        let by = |text: &str| read(text).form.by.map(|noun| noun.text);
        assert_eq!(by("biggest market by volume").as_deref(), Some("volume"));
        assert_eq!(by("volume by market"), None);
        assert_eq!(by("biggest market"), None);
    }

    #[test]
    fn signs_in_words_are_no_topics() {
        let topic = |text: &str| read(text).topic();
        assert_eq!(topic("What is 17 times 23?"), ["17", "23", "multipli"]);
        assert!(topic("departure times of trains").contains(&"time".to_owned()));
        assert!(topic("Is it hot in Rome?").contains(&"temperatur".to_owned()));
    }

    #[test]
    fn a_question_is_known_by_how_it_opens() {
        for text in ["what's the weather in Tokyo", "is it hot", "show me the odds"] {
            assert!(crate::form::opens_a_question(text), "{text}");
        }
        for text in ["BTC", "to euros", "in Tokyo", "the second one", ""] {
            assert!(!crate::form::opens_a_question(text), "{text}");
        }
    }

    #[test]
    fn what_is_on_offer_is_a_list() {
        let kind = |text: &str| read(text).form.kind;
        assert_eq!(kind("Which currencies can you convert?"), FormKind::List);
        assert_eq!(kind("What cities do you cover"), FormKind::List);
        assert_eq!(kind("for which cities do you know the rent"), FormKind::List);
        assert_eq!(kind("For what cities you can tell me the rent?"), FormKind::List);
        assert_eq!(kind("Find the highest common factor of 36 and 24"), FormKind::Single);
        assert_ne!(kind("Which city can you recommend?"), FormKind::List);
        assert_eq!(read("What's new in Rome?").topic(), ["rome", "news"]);
        assert_eq!(read("What is New York time?").topic(), ["new", "york", "time"]);
    }

    #[test]
    fn whether_there_is_something_on_a_topic_asks_to_find_it() {
        let asks = |text: &str| read(text).form.asks_if_any;
        for text in [
            "is there a market on the Oscars",
            "Are there any notes about Rome?",
            "do you have any news on gold",
        ] {
            assert!(asks(text), "{text}");
            assert_eq!(read(text).form.kind, FormKind::List, "{text}");
        }
        for text in
            ["is there rain on Friday in Rome", "is there a storm", "do you have it on", "is there on Rome"]
        {
            assert!(!asks(text), "{text}");
        }
    }

    #[test]
    fn by_each_of_a_kind_is_a_breakdown() {
        let is_one = |text: &str| read(text).form.is_breakdown;
        assert!(is_one("gold reserves per city") && is_one("gold reserves broken down by city"));
        assert!(is_one("gold reserves by city") && !is_one("gold reserves by city of Rome"));
        assert!(is_one("gold reserves by city today") && is_one("reserves by city for ether last week"));
        assert!(!is_one("gold reserves by city walls"));
        assert!(!is_one("gold reserves by Friday") && !is_one("rank cities by rent") && !is_one("per"));
    }

    #[test]
    fn a_verb_is_measured_where_nothing_stands_behind_the_most() {
        let form = |text: &str| read(text).form;
        let holds = form("which harbour holds the most GOLD");
        assert_eq!(holds.measures, ["hold"]);
        assert_eq!(holds.dimension.map(|noun| noun.text), Some("harbour".to_owned()));
        assert_eq!(form("which harbour has the most rain").measures, ["rain"]);
        assert_eq!(form("which price fell the most").way, Some(Way::Down));
        assert_eq!(form("which price moved the most").way, Some(Way::Either));
        assert_eq!(form("which price rose the most").way, Some(Way::Up));
        assert_eq!(form("top 3 gainers").way, Some(Way::Up));
        assert_eq!((form("which shift has the most hours").way, form("did it fall").way), (None, None));
    }

    #[test]
    fn what_flows_into_a_place_is_its_inflow() {
        let measures = |text: &str| read(text).form.measures;
        assert_eq!(measures("How much gold flowed into Rome?")[0], "inflow");
        assert_eq!(measures("How much gold flows out of Rome?")[0], "outflow");
        assert!(
            !measures("How much gold flowed into and flowed out of Rome?").contains(&"inflow".to_owned())
        );
        assert!(measures("What is the net flow in Rome?").contains(&"flow".to_owned()));
    }

    #[test]
    fn a_noun_is_known_by_another_word_for_it() {
        let which = |text: &str, key: &str| {
            let noun = read(text).form.dimension.unwrap();
            noun.is_among(&[key.to_owned()])
        };
        assert!(which("Which exchange saw the largest inflows?", "venu"));
        assert!(which("Which cities saw the largest inflows?", "citi"));
        assert!(!which("Which cities saw the largest inflows?", "venu"));
    }

    #[test]
    fn forms_of_questions() {
        let kind = |text: &str| read(text).form.kind;
        assert_eq!(
            kind("Which exchanges saw the largest BTC inflows in the last 24 hours?"),
            FormKind::Ranking
        );
        assert_eq!(kind("Which exchanges list SOL?"), FormKind::Which);
        assert_eq!(kind("cities that are above 20 degrees"), FormKind::Which);
        assert_eq!(kind("odds that gold is above 20 at year end"), FormKind::Single);
        assert_eq!(kind("Compare the weather in Paris and Rome"), FormKind::Comparison);
        assert_eq!(kind("How many open markets are there?"), FormKind::Count);
        assert_eq!(kind("How has the load changed this week?"), FormKind::Series);
        assert_eq!(kind("Has the load changed?"), FormKind::YesNo);
        assert_eq!(kind("Show the price history of gold"), FormKind::Series);
        assert_eq!(kind("Is BTC flowing into exchanges?"), FormKind::YesNo);
        assert_eq!(kind("List the files under /tmp"), FormKind::List);
        assert_eq!(kind("play songs which suit my mood"), FormKind::Single);
        assert_eq!(kind("tell me which song suits my mood"), FormKind::Which);
        assert_eq!(kind("show me three stories about the flood"), FormKind::List);
        assert_eq!(read("show me three stories about the flood").form.limit, Some(3));
        assert_eq!(read("give me 7 crypto news").form.limit, Some(7));
        assert_eq!(read("list 3 sea tales of Rome").form.limit, Some(3));
        assert_eq!(read("show 15 sea tale events").form.limit, Some(15));
        assert_eq!(read("show 24 hour flows").form.limit, None);
        assert_eq!(read("show 24").form.limit, None);
        assert_ne!(kind("tell me about the flood"), FormKind::List);
        assert_eq!(kind("What is the capital of France?"), FormKind::Single);
        assert_eq!(kind("What is the latest news about Apple?"), FormKind::Single);
        assert_eq!(kind("Can you tell me the time in Tokyo?"), FormKind::Single);
    }

    #[test]
    fn a_caller_may_want_to_choose() {
        let wants = |text: &str| read(text).form.wants_choice;
        assert!(wants("Funding over 30 days: let me pick between the cheap and the quick way"));
        assert!(wants("Did it pay off? Ask me before you run anything slow."));
        assert!(wants("Either the backtest or the history, I will choose."));
        assert!(!wants("Which asset would you choose?") && !wants("Ask me a riddle"));
    }

    #[test]
    fn what_has_the_most_is_asked_over_and_counted() {
        let asked = |text: &str| {
            let form = read(text).form;
            let kind = form.dimension.map(|noun| noun.text).unwrap_or_default();
            (form.kind, form.order, kind, form.limit, form.measures)
        };
        let ranks = |order: Order, kind: &str, limit: Option<usize>, measure: &str| {
            (FormKind::Ranking, Some(order), kind.to_owned(), limit, vec![measure.to_owned()])
        };
        let (most, least) = (Order::Descending, Order::Ascending);
        assert_eq!(asked("3 harbours with the most traffic"), ranks(most, "harbours", Some(3), "traffic"));
        assert_eq!(asked("What is the harbour with the lowest fee?"), ranks(least, "harbour", None, "fee"));
        assert_eq!(
            asked("top 5 harbours that have the highest fees"),
            ranks(most, "harbours", Some(5), "fee")
        );
        assert_eq!(asked("harbours with the most traffic, top 4").3, Some(4));
        assert_eq!(asked("harbours where fees are lowest"), ranks(least, "harbours", None, "fee"));
        assert_eq!(
            asked("Which 2 harbours have the most traffic?"),
            ranks(most, "harbours", Some(2), "traffic")
        );
        assert_eq!(asked("what harbour has the most traffic"), ranks(most, "harbour", None, "traffic"));
        assert_eq!(asked("the 3 most humid harbours"), ranks(most, "harbours", Some(3), "humid"));
        assert_eq!(asked("sort the harbours by fee"), ranks(most, "harbours", None, "fee"));
        assert_eq!(asked("order 2 boats by phone").0, FormKind::Single);
        assert_eq!(asked("order a boat").0, FormKind::Single);
        assert_eq!(asked("what time is it in the harbour with ships").0, FormKind::Single);
        assert_eq!(asked("Which 24 hour flows are there?").3, None);
    }

    #[test]
    fn rankings_have_an_order_a_limit_and_a_dimension() {
        let form = read("What are the top 5 cities by lowest rent?").form;
        assert_eq!((form.order, form.limit), (Some(Order::Descending), Some(5)));
        let form = read("Which exchanges saw the largest BTC inflows in the last 24 hours?").form;
        assert_eq!(form.order, Some(Order::Descending));
        assert_eq!(form.limit, None);
        assert_eq!(form.dimension.unwrap().text, "exchanges");
        assert_eq!(form.measures, ["inflow"]);
        assert_eq!(read("Which city is warmest right now?").form.measures, ["temperatur"]);
        assert_eq!(read("How hot is it in Rome?").form.measures, ["temperatur", "hot"]);
        let form = read("Rank cities by rent").form;
        assert_eq!(
            (form.order, form.dimension.unwrap().text),
            (Some(Order::Descending), "cities".to_owned())
        );
        assert_eq!(read("Show the last 2 commits").form.limit, Some(2));
        assert_eq!(read("3 oldest commits").form.limit, Some(3));
        let form = read("top 3 most traded ships").form;
        assert_eq!((form.limit, &form.measures[..1]), (Some(3), &["volum".to_owned()][..]));
        assert_eq!(read("the oldest two commits").form.limit, Some(2));
        assert_eq!(read("Show the last 2 weeks").form.limit, None);
        let form = read("the three cheapest flights per airline").form;
        assert_eq!((form.order, form.limit), (Some(Order::Ascending), Some(3)));
        assert_eq!(form.dimension.unwrap().text, "airline");
    }
}
