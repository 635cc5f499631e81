//! Whether a question and a method speak of the same time: of now, of what comes, of what was.

use fit::Known;
use jiff::SignedDuration;
use reading::Question;
use reading::time::{self, Direction, Moment};
use reading::words::Word;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tense {
    Past,
    Present,
    Future,
}

impl Tense {
    /// The time that a stem of a method's name, or of the opening of its description, stands for.
    fn of_stem(stem: &str) -> Option<Self> {
        match stem {
            "current" | "now" | "live" | "latest" | "realtim" => Some(Self::Present),
            "past" | "histori" | "histor" | "archiv" | "previou" => Some(Self::Past),
            _ => time::is_of_future(stem).then_some(Self::Future),
        }
    }

    /// The time that a word of a question stands for.
    fn of_word(lower: &str) -> Option<Self> {
        match lower {
            "is" | "are" | "does" | "now" | "currently" | "current" | "right" => Some(Self::Present),
            "will" | "gonna" | "tomorrow" => Some(Self::Future),
            "did" | "was" | "were" | "had" | "yesterday" => Some(Self::Past),
            _ => None,
        }
    }
}

/// What a method for another time than now is worth where the question names no time and has no verb: "rain in Tokyo".
const UNMARKED: f64 = -0.5;

/// 1 where the method is for the time of which the question speaks, -1 where it is for another one and the question does not
/// ask for that in so many words, else 0.
pub(super) fn agreement(question: &Question, known: &Known) -> f64 {
    // Few methods are for one time; the question is only asked beside those.
    let Some(own) = of_method(known) else { return 0.0 };
    let is_of_a_time = |word: &Word| {
        let mut windows = question.moments_of(word).filter_map(Moment::window);
        windows.any(|window| window.direction != Direction::Present)
    };
    let is_asked_for = || {
        // "Three months from now" is not asked of now.
        let mut stated = question.words.iter().filter(|word| !is_of_a_time(word));
        stated.any(|word| Tense::of_stem(&word.stem) == Some(own))
    };
    match of_question(question) {
        Some(asked) if asked == own => 1.0,
        _ if is_asked_for() => 0.0,
        Some(_) => -1.0,
        None if own != Tense::Present && !question.form.is_series => UNMARKED,
        None => 0.0,
    }
}

/// Whether a method is for now.
pub(crate) fn is_of_now(known: &Known) -> bool {
    of_method(known) == Some(Tense::Present)
}

/// Whether a method says so of itself in plain words: what is live may be of any time.
pub(crate) fn is_said_of_now(known: &Known) -> bool {
    let mut stems = known.name.iter().chain(known.opening.iter().map(|(_, stem)| stem));
    is_of_now(known) && stems.any(|stem| matches!(stem.as_str(), "current" | "now" | "latest"))
}

/// The time of which a question speaks: of what it names, else of its verb. A course over time is of none.
fn of_question(question: &Question) -> Option<Tense> {
    if question.form.is_series {
        return None;
    }
    let named = question.window().map(|window| {
        if window.start > question.now || window.direction == Direction::Future {
            Tense::Future
        } else if window.end <= question.now && (window.end > window.start || window.is_over(question.now)) {
            Tense::Past
        } else {
            Tense::Present
        }
    });
    let is_under_way = || {
        let began = question.window().map(|window| window.start);
        began.is_some_and(|began| question.now.duration_since(began) > SignedDuration::from_hours(24))
    };
    let may_be = |tense| match tense {
        Tense::Future => true,
        Tense::Past => is_under_way(),
        Tense::Present => false,
    };
    let of_word = |at: usize| {
        let is_verb = question.words[at].lower == "s"
            && at.checked_sub(1).is_some_and(|it| is_asking(&question.words[it]));
        if is_verb { Some(Tense::Present) } else { Tense::of_word(&question.words[at].lower) }
    };
    let of_words = || (0..question.words.len()).find_map(of_word);
    match named {
        // "Will it rain this week": the rest of it is meant, and of "did it rain this week" what is over.
        Some(Tense::Present) => of_words().filter(|it| may_be(*it)).or(named),
        named => named.or_else(of_words),
    }
}

/// Whether an "is" after the word may be short: "what's", "how's".
fn is_asking(word: &Word) -> bool {
    matches!(word.lower.as_str(), "what" | "how" | "where" | "who" | "there" | "it")
}

/// The one time that a method is for.
fn of_method(known: &Known) -> Option<Tense> {
    let stems = known.name.iter().chain(known.opening.iter().map(|(_, stem)| stem));
    let mut tenses = stems.filter_map(|stem| Tense::of_stem(stem));
    let first = tenses.next()?;
    tenses.all(|tense| tense == first).then_some(first)
}
