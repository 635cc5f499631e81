//! Methods that take any question.

use fit::Choice;
use reading::bind::Role;

/// Whether a method takes free words and looks for them in everything: the web, an encyclopedia, an assistant.
pub(super) fn is_one(choice: &Choice<'_>) -> bool {
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
    let vocabulary = &choice.known.vocabulary;
    let takes_words = choice.binding.arguments.iter().any(|argument| {
        matches!(argument.role, Role::Search | Role::Text | Role::Name)
            && (argument.is_required || choice.binding.arguments.len() == 1)
    });
    takes_words && EVERYTHING.iter().any(|term| vocabulary.description.has(term) || vocabulary.name.has(term))
}
