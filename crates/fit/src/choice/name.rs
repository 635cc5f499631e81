//! How much of a method's name the question says.

use reading::Question;
use reading::bind::Argument;

use super::{Choice, share};

/// How much of the method's name the question says; the verbs that every name has do not count.
pub(super) fn fit(choice: &Choice<'_>, question: &Question) -> f64 {
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
    let says_present = || PRESENT.iter().any(|stem| says(stem));
    let is_said = |stem: &&&String| says(stem) || PRESENT.contains(&stem.as_str()) && says_present();
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

/// 1 where the question says the method's own verb: "list", "compare".
pub(super) fn says_verb(choice: &Choice<'_>, question: &Question) -> f64 {
    let name = &choice.known.name;
    let says = |verb: &String| question.words.iter().any(|word| word.stem == *verb);
    if name.first().is_some_and(says) { 1.0 } else { 0.0 }
}

/// 1 for a method whose name is an action that the question does not ask for.
pub(super) fn unasked_action(choice: &Choice<'_>, question: &Question) -> f64 {
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
