//! The words that give a question its form.

use super::{Order, turn, way};
use crate::words::Word;
use crate::{standards, time};

/// A superlative and what stands with it.
pub(super) struct Superlative {
    pub(super) order: Order,
    /// What it measures by itself: "warmest" is about temperature, "largest" about whatever follows.
    pub(super) implied: &'static [&'static str],
    pub(super) limit: Option<usize>,
    /// Where it stands.
    pub(super) at: usize,
    /// The word after it.
    pub(super) next: usize,
}

/// The first superlative; of two side by side the second, which says of what: "top 3 most traded", "top 3 exchanges with the most
/// trades". Either says how many: "biggest trades, top 20".
pub(super) fn superlative(words: &[Word]) -> Option<Superlative> {
    let mut found = (0..words.len()).filter_map(|at| superlative_at(words, at));
    let (first, second) = (found.next()?, found.next());
    let limit = first.limit.or(second.as_ref().and_then(|second| second.limit));
    let is_held =
        |second: &Superlative| (first.next..second.at).any(|at| holds_most(words, at) == Some(second.at));
    let beside = second.filter(|second| second.at == first.next || is_held(second));
    Some(Superlative { limit, ..beside.unwrap_or(first) })
}

/// The place of the superlative of what something has, by the word that says so: the "highest" of "with the highest fees", for the
/// "with".
pub(super) fn holds_most(words: &[Word], at: usize) -> Option<usize> {
    let is_superlative = |at: &usize| order_of(lower(words, *at)).is_some();
    let is_held = match lower(words, at) {
        "with" | "having" => true,
        "have" | "has" => at > 0 && matches!(lower(words, at - 1), "that" | "which"),
        // "Exchanges where fees are highest".
        "where" => return words.len().checked_sub(1).filter(is_superlative),
        _ => false,
    };
    let superlative = at + 1 + usize::from(lower(words, at + 1) == "the");
    Some(superlative).filter(is_superlative).filter(|_| is_held)
}

fn superlative_at(words: &[Word], at: usize) -> Option<Superlative> {
    let order = order_of(&words[at].lower)?;
    let next = lower(words, at + 1);
    // "most recent", "highest common factor" and "at least 3" rank nothing.
    if matches!(next, "recent" | "recently" | "likely") && words[at].lower == "most"
        || next == "common"
        || at.checked_sub(1).is_some_and(|before| words[before].lower == "at")
        || (words[at].lower == "best" && matches!(next, "way" | "practice" | "practices"))
    {
        return None;
    }
    let count_after = count(next);
    let limit = count_after.or_else(|| at.checked_sub(1).and_then(|before| count(lower(words, before))));
    Some(Superlative { order, implied: implied(words, at), limit, at, next: behind(words, at) })
}

/// The place of the word behind a superlative, the count beside it, and the participle that measures: what "most active" measures is no
/// activity.
pub(super) fn behind(words: &[Word], at: usize) -> usize {
    let next = at + 1 + usize::from(count(lower(words, at + 1)).is_some());
    next + usize::from(measures_most(words, next))
}

/// Whether a superlative says by itself what it measures: "windiest".
pub(super) fn measures_alone(words: &[Word], at: usize) -> bool {
    !implied(words, at).is_empty()
}

fn implied(words: &[Word], at: usize) -> &'static [&'static str] {
    match lower(words, at) {
        "warmest" | "hottest" | "coldest" | "coolest" => &["temperature"],
        "cheapest" | "priciest" | "costliest" | "dearest" => &["price", "cost"],
        "fastest" | "quickest" | "slowest" => &["speed", "duration"],
        "heaviest" | "lightest" => &["weight"],
        "tallest" => &["height"],
        "deepest" | "shallowest" => &["depth"],
        "richest" | "poorest" => &["wealth"],
        "windiest" => &["wind"],
        "rainiest" | "wettest" | "driest" => &["precipitation", "rain", "humidity"],
        "busiest" => &["volume", "traffic"],
        "least" if lower(words, at + 1) == "likely" => &["probability"],
        _ => implied_by_participle(words, at + 1),
    }
}

/// Whether the word at a place says by what the most or the least is told: the "expensive" of "most expensive".
pub(crate) fn measures_most(words: &[Word], at: usize) -> bool {
    let before = at.checked_sub(1).map_or("", |before| lower(words, before));
    matches!(before, "most" | "least") && !implied_by_participle(words, at).is_empty()
}

/// What "most traded" and "most heavily traded" measure.
fn implied_by_participle(words: &[Word], at: usize) -> &'static [&'static str] {
    let at = at + usize::from(lower(words, at).ends_with("ly"));
    match lower(words, at) {
        "active" | "traded" => &["volume"],
        "liquid" => &["liquidity"],
        "volatile" => &["volatility"],
        "costly" | "expensive" | "valuable" => &["price", "cost"],
        adjective => implied_by_adjective(adjective),
    }
}

/// What an adjective or its comparative measures, and what a chance is told by.
pub(super) fn implied_by_adjective(word: &str) -> &'static [&'static str] {
    match word {
        "hot" | "hotter" | "cold" | "colder" | "warm" | "warmer" | "cool" | "cooler" => &["temperature"],
        "expensive" | "cheap" | "cheaper" | "dear" => &["price"],
        "big" | "bigger" | "large" | "larger" | "small" | "smaller" => &["size"],
        "fast" | "faster" | "slow" | "slower" => &["speed"],
        "heavy" | "heavier" => &["weight"],
        "tall" | "taller" => &["height"],
        "far" | "farther" | "further" => &["distance"],
        "old" | "older" | "young" | "younger" => &["age"],
        "humid" => &["humidity"],
        "windy" | "windier" => &["wind"],
        "likely" | "likelier" | "probable" | "chance" | "chances" | "likelihood" | "probability" => &["odds"],
        _ => &[],
    }
}

pub(super) fn order_of(word: &str) -> Option<Order> {
    match word {
        "most" | "top" | "best" | "maximum" | "max" | "leading" | "biggest" | "largest" | "highest"
        | "greatest" | "hottest" | "longest" => Some(Order::Descending),
        "least" | "worst" | "bottom" | "minimum" | "min" | "lowest" | "smallest" | "fewest" | "cheapest"
        | "weakest" | "coldest" | "coolest" | "driest" | "poorest" | "shortest" | "slowest" | "youngest"
        | "nearest" | "closest" | "lightest" | "thinnest" | "narrowest" | "tightest" => {
            Some(Order::Ascending)
        }
        "latest" | "newest" | "earliest" | "oldest" | "soonest" | "interest" | "request" | "forest"
        | "honest" | "invest" | "harvest" | "protest" | "contest" | "manifest" | "digest" | "suggest"
        | "conquest" | "inquest" | "arrest" | "modest" | "tempest" | "southwest" | "northwest"
        | "midwest" | "budapest" | "bucharest" | "everest" | "reinvest" => None,
        _ => (word.len() > 5 && word.ends_with("est")).then_some(Order::Descending),
    }
}

/// "first 10 results", "5 results", "3 oldest", "3 tales about", "show 3 sea tales".
pub(super) fn leading_limit(words: &[Word]) -> Option<usize> {
    words.iter().enumerate().find_map(|(at, word)| {
        let counted = matches!(
            lower(words, at + 1),
            "results" | "items" | "rows" | "entries" | "articles" | "headlines" | "examples" | "records"
        );
        let is_time = words.get(at + 2).is_some_and(|word| time::is_unit(&word.lower));
        let is_turn = word.lower == "last" || turn::is_superlative(&word.lower);
        let counts_off = word.lower == "first" && lower(words, at + 1) == "one";
        if (word.lower == "first" || is_turn && !is_time) && !counts_off {
            return count(lower(words, at + 1));
        }
        let is_about = lower(words, at + 2) == "about" && is_plural_before(words, at + 2);
        if counted
            || is_about
            || is_which_of_most(words, at)
            || ends_in_what_is_asked(words, at)
            || turn::is_superlative(lower(words, at + 1))
        {
            count(&word.lower)
        } else {
            None
        }
    })
}

/// Whether a number at `at` is how many things are to be told that have the most or the least: "which 3 exchanges have the highest fees".
fn is_which_of_most(words: &[Word], at: usize) -> bool {
    let asks = at.checked_sub(1).is_some_and(|before| matches!(lower(words, before), "which" | "what"));
    let mut behind = words[at + 1..].iter().skip_while(|word| !word.has_plural_ending());
    asks && behind.any(|word| order_of(&word.lower).is_some())
}

/// Whether all that is said behind a number at `at` is of what so many are asked for: "give me 7 crypto news", "show 3 sea tales of
/// Rome".
fn ends_in_what_is_asked(words: &[Word], at: usize) -> bool {
    let requests = |word: &Word| asks_to_show(&word.lower) || matches!(word.lower.as_str(), "list" | "me");
    let says_of_what = |word: &Word| !word.is_stop && !time::is_unit(&word.lower);
    words[..at].last().is_some_and(requests)
        && until_told_apart(&words[at + 1..]).split_last().is_some_and(|(kind, of)| {
            (kind.lower == "news" || kind.has_plural_ending())
                && (1..=2).contains(&of.len())
                && of.iter().all(says_of_what)
        })
}

/// Some words up to those that tell things apart that are of one kind: "sea tales" of "sea tales of Rome".
fn until_told_apart(words: &[Word]) -> &[Word] {
    let tells =
        |word: &Word| matches!(word.lower.as_str(), "about" | "by" | "for" | "from" | "in" | "of" | "on");
    let end = words.iter().position(tells).unwrap_or(words.len());
    &words[..end]
}

/// Whether a word in lower case asks to be shown what follows.
pub(crate) fn asks_to_show(lower: &str) -> bool {
    matches!(lower, "find" | "get" | "give" | "show")
}

/// Where a question that asks what is on offer says what with it: after "which currencies can you", "for what cities you can".
pub(super) fn offer(words: &[Word]) -> Option<usize> {
    let is_at = |at: usize, listed: &[&str]| listed.contains(&lower(words, at));
    let from = usize::from(is_at(0, &["about", "for", "from", "in", "of", "on"]));
    let asks = is_at(from, &["which", "what"]);
    let (may, who) = (["can", "could", "do"], ["you", "u", "we", "i"]);
    let is_offered =
        |at: usize| is_at(at, &may) && is_at(at + 1, &who) || is_at(at, &who) && is_at(at + 1, &may);
    (from + 2..(from + 4).min(words.len()))
        .find(|at| asks && is_offered(*at))
        .filter(|at| words[at - 1].lower.ends_with('s'))
        .map(|at| at + 2)
}

pub(super) fn is_sorted(words: &[Word]) -> bool {
    sorts(words).is_some() || words.iter().any(|word| matches!(word.stem.as_str(), "rank" | "leaderboard"))
}

/// The place of the verb by which a question asks to put things in order: "sort the cities by temperature".
pub(super) fn sorts(words: &[Word]) -> Option<usize> {
    let at = words.iter().position(|word| !word.is_stop)?;
    let is_verb = matches!(lower(words, at), "order" | "rank" | "sort");
    let by = words.iter().position(|word| word.lower == "by").filter(|by| is_verb && at < *by)?;
    (words[at + 1..by].iter().any(Word::has_plural_ending) && count(lower(words, at + 1)).is_none())
        .then_some(at)
}

pub(super) fn is_series(words: &[Word]) -> bool {
    let asks_how = lower(words, 0) == "how" && matches!(lower(words, 1), "did" | "has" | "have");
    let is_change = |word: &Word| word.stem == way::CHANGE;
    asks_how && words.iter().any(is_change)
        || words.iter().enumerate().any(|(at, word)| {
            matches!(
                word.stem.as_str(),
                "trend"
                    | "histori"
                    | "histor"
                    | "timelin"
                    | "evolut"
                    | "chart"
                    | "timeseri"
                    | "candl"
                    | "candlestick"
                    | "klin"
            ) || word.lower == "over" && lower(words, at + 1) == "time"
                || word.lower == "time" && lower(words, at + 1) == "series"
                || word.stem == "evolv"
        })
}

/// The things that a question counts: the markets of "how many markets".
#[must_use]
pub fn counted(words: &[Word]) -> Option<&Word> {
    words[how(words, "many")? + 2..].iter().find(|word| !word.is_stop)
}

/// Where a question asks how it is with what a word says: "how many".
fn how(words: &[Word], asked: &str) -> Option<usize> {
    words.windows(2).position(|pair| pair[0].lower == "how" && pair[1].lower == asked)
}

pub(super) fn is_count(words: &[Word]) -> bool {
    let counts = |(at, word): (usize, &Word)| {
        word.lower == "number" && lower(words, at + 1) == "of" && at < 4 || word.lower == "count" && at < 2
    };
    how(words, "many").is_some() || words.iter().enumerate().any(counts)
}

/// "How much flowed into exchanges".
pub(super) fn asks_amount(words: &[Word]) -> bool {
    how(words, "much").is_some()
}

pub(super) fn is_list(words: &[Word]) -> bool {
    words.iter().enumerate().any(|(at, word)| match word.lower.as_str() {
        "list" => at < 4 && !matches!(lower(words, 0), "which" | "what"),
        "all" | "every" | "available" => true,
        // "Stories about the flood": things first, and then what they are to be about.
        "about" => words[..at].iter().filter(|word| !word.is_stop).count() < 3 && is_plural_before(words, at),
        "what" | "which" => {
            let are = (1..4).find(|next| lower(words, *next) == "are").filter(|_| at == 0);
            are.is_some_and(|are| !is_doing(words, are)) || at < 2 && offer(words).is_some()
        }
        _ => false,
    })
}

fn is_plural_before(words: &[Word], at: usize) -> bool {
    at.checked_sub(1).is_some_and(|before| words[before].has_plural_ending())
}

/// Whether somebody does something, by the words from an "are" on: "what are people saying" lists nothing.
fn is_doing(words: &[Word], are: usize) -> bool {
    let is_somebody = |word: &Word| !word.is_article();
    words.get(are + 1).is_some_and(is_somebody) && lower(words, are + 2).ends_with("ing")
}

/// Whether a question asks if there is something on a topic: "are there any markets about", "do you have a note on". What is
/// asked of a time is not: "is there rain on Friday".
pub(super) fn asks_if_any(words: &[Word], is_when: impl Fn(&Word) -> bool) -> bool {
    const NOUN_WORDS_MAX: usize = 4;
    let asks = match (lower(words, 0), lower(words, 1), lower(words, 2)) {
        ("is" | "are", "there", _) => 2,
        ("do", "you", "have") | ("have", "you", "got") => 3,
        ("got", "any", _) => 1,
        _ => return false,
    };
    let named = &words[asks.min(words.len())..];
    let topic =
        named.iter().take(NOUN_WORDS_MAX).position(|word| matches!(word.lower.as_str(), "about" | "on"));
    topic.is_some_and(|at| {
        named[..at].iter().any(|word| !word.is_stop) && named.get(at + 1).is_some_and(|it| !is_when(it))
    })
}

/// Whether a question asks for something by each of a dimension: "per exchange", "broken down by city".
pub(super) fn is_breakdown(words: &[Word], is_when: impl Fn(&Word) -> bool) -> bool {
    words.iter().enumerate().any(|(at, word)| match word.lower.as_str() {
        "per" | "each" | "every" | "across" => true,
        "by" => at.checked_sub(1).is_some_and(|before| {
            let lead = words[before].lower.as_str();
            matches!(lead, "down" | "split" | "grouped" | "breakdown" | "divided")
                || !is_sorted(words) && ends_in_kind(&words[at + 1..], &is_when)
        }),
        _ => false,
    })
}

/// Whether the words behind "by" say a kind, and no more of it than a time or a coin: "by exchange", "by exchange for ETH today".
fn ends_in_kind(behind: &[Word], is_when: impl Fn(&Word) -> bool) -> bool {
    let is_beside = |word: &Word| {
        is_when(word) || word.is_stop && word.lower != "of" || standards::coin(&word.lower).is_some()
    };
    behind.split_first().is_some_and(|(kind, rest)| !is_when(kind) && rest.iter().all(is_beside))
}

pub(super) fn is_yes_no(words: &[Word]) -> bool {
    let first = lower(words, 0);
    matches!(
        first,
        "is" | "are" | "was" | "were" | "do" | "does" | "did" | "has" | "have" | "will" | "should" | "am"
    ) || (matches!(first, "can" | "could" | "would") && !matches!(lower(words, 1), "you" | "i" | "we"))
}

/// How many a word says that there are to be, up to a thousand.
pub(crate) fn count(word: &str) -> Option<usize> {
    word.parse()
        .ok()
        .or_else(|| standards::number_word(word).and_then(|value| usize::try_from(value).ok()))
        .filter(|count| (1..=1_000).contains(count))
}

pub(super) fn lower(words: &[Word], at: usize) -> &str {
    words.get(at).map_or("", |word| word.lower.as_str())
}

/// Whether the caller says that the choice is theirs: "ask me first", "let me pick", "I will decide".
pub(super) fn wants_choice(words: &[Word]) -> bool {
    let said = |at: usize| words.get(at).map_or("", |word| word.lower.as_str());
    let chooses = |at: usize| matches!(said(at), "choose" | "pick" | "decide" | "select");
    (0..words.len()).any(|at| match (said(at), said(at + 1)) {
        ("ask", "me") => matches!(said(at + 2), "before" | "first" | "which"),
        ("let", "me") | ("i", "will" | "ll") => chooses(at + 2),
        ("i", "want" | "like" | "would" | "d") => (at + 2..at + 5).any(chooses),
        _ => false,
    })
}
