//! How much of a method's name the question says.

use reading::Question;
use reading::time::Direction;

use super::share;
use crate::known::Known;

/// How much of the method's name the question says, by itself or by what it gives to an argument of that name; the verbs
/// that every name has do not count.
pub(super) fn fit(known: &Known, question: &Question, says_argument: impl Fn(&str) -> bool) -> f64 {
    let is_of_now = question.window().is_none_or(|window| window.direction == Direction::Present);
    let implied: &[String] = if is_of_now { &question.implied } else { &[] };
    let unsaid = || implied.iter().chain(&question.hinted);
    let said = || question.words.iter().map(|word| &word.stem).chain(unsaid()).map(String::as_str);
    let shortened: Vec<&str> = known.shortened(said()).collect();
    let says =
        |stem: &str| said().any(|said| said == stem) || shortened.contains(&stem) || says_argument(stem);
    let says_present = || PRESENT.iter().any(|stem| says(stem));
    let is_said = |stem: &&&String| says(stem) || PRESENT.contains(&stem.as_str()) && says_present();
    // Where no time is asked for, the present is meant.
    let is_implied = |stem: &str| question.moments.is_empty() && PRESENT.contains(&stem);
    let named = |nouns: &[String]| {
        let nouns: Vec<&String> = nouns.iter().filter(|stem| !is_implied(stem)).collect();
        if nouns.is_empty() {
            return 0.3;
        }
        share(nouns.iter().filter(is_said).count(), nouns.len())
    };
    let title = if known.title.is_empty() { 0.0 } else { named(&known.title_nouns) };
    named(&known.nouns).max(title)
}

/// The stems of a name without the words that any name may have.
pub(crate) fn nouns(stems: &[String]) -> Vec<String> {
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
    stems.iter().filter(|stem| !is_verb(stem)).cloned().collect()
}

/// Stems that say the present, one like the other: "right now" asks for the `current` one.
const PRESENT: [&str; 5] = ["current", "latest", "live", "now", "today"];

/// 1 where the question says the method's own verb: "list", "compare".
pub(super) fn says_verb(known: &Known, question: &Question) -> f64 {
    let says = |verb: &String| question.words.iter().any(|word| word.stem == *verb);
    if known.name.first().is_some_and(says) { 1.0 } else { 0.0 }
}

/// 1 for a method whose name is an action that the question does not ask for.
pub(super) fn unasked_action(known: &Known, question: &Question) -> f64 {
    const ACTIONS: [&str; 28] = [
        "add", "book", "buy", "cancel", "creat", "delet", "download", "edit", "execut", "insert", "modifi",
        "order", "place", "play", "post", "publish", "regist", "remov", "report", "reserv", "send", "set",
        "start", "stop", "submit", "updat", "upload", "verifi",
    ];
    let is_unasked = |stem: &String| {
        ACTIONS.contains(&stem.as_str()) && !question.words.iter().any(|word| word.stem == *stem)
    };
    if known.name.iter().any(is_unasked) { 1.0 } else { 0.0 }
}
