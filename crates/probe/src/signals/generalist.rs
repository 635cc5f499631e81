//! Methods that take any question.

use fit::{Choice, Known};
use reading::bind::Role;

/// Stems of where a method looks that looks in everything.
const EVERYTHING: [&str; 14] = [
    "web",
    "internet",
    "googl",
    "bing",
    "duckduckgo",
    "duck",
    "wikipedia",
    "encyclopedia",
    "wolfram",
    "anyth",
    "knowledg",
    "chatgpt",
    "question",
    "browser",
];

/// Whether a method takes free words and looks for them in everything: the web, an encyclopedia, an assistant.
pub(super) fn is_one(choice: &Choice<'_>) -> bool {
    let vocabulary = &choice.known.vocabulary;
    let takes_words = choice.binding.arguments.iter().any(|argument| {
        matches!(argument.role, Role::Search | Role::Text | Role::Name)
            && (argument.is_required || choice.binding.arguments.len() == 1)
    });
    takes_words && EVERYTHING.iter().any(|term| vocabulary.description.has(term) || vocabulary.name.has(term))
}

/// Whether a method says that it answers, and of no field: "get a short answer from Wolfram Alpha", "answers any question".
pub(crate) fn answers_anything(known: &Known) -> bool {
    /// Stems of words that name no field.
    const FIELDLESS: [&str; 14] = [
        "answer", "ask", "ani", "get", "give", "general", "natur", "languag", "queri", "repli", "respons",
        "return", "short", "text",
    ];
    /// The name of who answers.
    const NAME_TERMS_MAX: usize = 1;
    let description = &known.vocabulary.description;
    let tells_field = |term: &&str| !EVERYTHING.iter().chain(&FIELDLESS).any(|listed| listed == term);
    description.has("answer")
        && EVERYTHING.iter().any(|term| description.has(term))
        && description.iter().filter(tells_field).count() <= NAME_TERMS_MAX
}

#[cfg(test)]
mod tests {
    use domain::Method;
    use reading::words::Groups;
    use serde_json::json;

    use super::*;

    fn says(description: &str) -> bool {
        let mut method = Method::new("ask", json!({"type": "object"}), None);
        method.description = description.to_owned();
        answers_anything(&Known::of(&method, &Groups::default()))
    }

    #[test]
    fn who_answers_of_no_field_answers_anything() {
        assert!(says("Get a short answer from Wolfram Alpha."));
        assert!(says("Answers any question."));
        assert!(!says("Answers questions on the rules of chess tournaments."));
        assert!(!says("Search the web."));
    }
}
