//! The query-safe filter: what may be called to answer a question.
//!
//! A query reads. Published metadata says who may call a method and whether it changes anything, but it is often absent
//! and sometimes wrong: real listings publish order-placing methods as fit for queries. So a method that looks like a
//! writer by its own name stays out, whatever its metadata says.

use std::ops::Range;

use domain::{LatencyClass, Method, Surface};
use reading::words;

/// Why a method may not be called to answer a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unsafe {
    /// It is published for direct execution only.
    ExecuteOnly,
    /// It is published as not for queries.
    NotEligible,
    /// Its results never end.
    Streaming,
    /// It needs data of a user who has linked none.
    NeedsUserContext,
    /// Its annotations say that it changes something.
    DeclaredWrite,
    /// Its name says that it changes something.
    LooksLikeWrite,
}

impl Unsafe {
    /// The reason, for people.
    #[must_use]
    pub fn why(self) -> &'static str {
        match self {
            Self::ExecuteOnly => "it is published for direct execution only",
            Self::NotEligible => "it is published as not for queries",
            Self::Streaming => "its results never end",
            Self::NeedsUserContext => "it needs account data that no one has linked",
            Self::DeclaredWrite => "it is published as changing something",
            Self::LooksLikeWrite => "its name says that it changes something",
        }
    }
}

/// Whether a method may be called to answer a question.
pub fn query_safe(method: &Method) -> Result<(), Unsafe> {
    let meta = &method.meta;
    let refusals = [
        (meta.surface == Surface::Execute, Unsafe::ExecuteOnly),
        (!meta.query_eligible, Unsafe::NotEligible),
        (meta.latency == LatencyClass::Streaming, Unsafe::Streaming),
        (!meta.context_requirements.is_empty(), Unsafe::NeedsUserContext),
        (declares_write(method), Unsafe::DeclaredWrite),
        (looks_like_write(method), Unsafe::LooksLikeWrite),
    ];
    match refusals.into_iter().find(|(refused, _)| *refused) {
        Some((_, reason)) => Err(reason),
        None => Ok(()),
    }
}

fn declares_write(method: &Method) -> bool {
    method.annotations.read_only == Some(false)
        || (method.annotations.read_only.is_none() && method.annotations.destructive == Some(true))
}

/// Words that change something wherever they lead a name.
const WRITING: [&str; 60] = [
    "add",
    "append",
    "approve",
    "archive",
    "assign",
    "book",
    "buy",
    "cancel",
    "checkout",
    "close",
    "commit",
    "create",
    "delete",
    "deploy",
    "deposit",
    "disable",
    "drop",
    "edit",
    "enable",
    "erase",
    "execute",
    "insert",
    "install",
    "invite",
    "kill",
    "merge",
    "modify",
    "move",
    "mutate",
    "overwrite",
    "patch",
    "pay",
    "place",
    "post",
    "publish",
    "purge",
    "push",
    "put",
    "remove",
    "rename",
    "reply",
    "reset",
    "restart",
    "restore",
    "revoke",
    "save",
    "schedule",
    "sell",
    "send",
    "set",
    "sign",
    "stop",
    "submit",
    "transfer",
    "unassign",
    "update",
    "upload",
    "upsert",
    "withdraw",
    "write",
];

/// Words that read wherever they lead a name, so that a writing word behind them is a noun: `get_place`, `list_orders`.
const READING: [&str; 40] = [
    "analyze",
    "browse",
    "calculate",
    "check",
    "compare",
    "compute",
    "convert",
    "count",
    "describe",
    "detect",
    "diff",
    "discover",
    "estimate",
    "explain",
    "fetch",
    "filter",
    "find",
    "forecast",
    "get",
    "has",
    "inspect",
    "is",
    "list",
    "load",
    "lookup",
    "measure",
    "open",
    "peek",
    "preview",
    "query",
    "read",
    "resolve",
    "retrieve",
    "scan",
    "search",
    "show",
    "simulate",
    "summarize",
    "validate",
    "view",
];

/// Whether the name leads with a writing word, looking past a namespace in front of it (`git_commit`,
/// `orders.place_order`) but not past a reading word (`get_post`, `list_commit_files`).
fn looks_like_write(method: &Method) -> bool {
    let says_read_only = method.annotations.read_only == Some(true);
    // Behind a namespace the word may be a noun; there the server's own word is believed.
    leading_word(method).is_some_and(|(position, reads)| !reads && (position == 0 || !says_read_only))
}

/// Whether a method only reads, by its name.
pub(crate) fn reads_by_name(method: &Method) -> bool {
    leading_word(method).is_some_and(|(_, reads)| reads)
}

/// Whether a method changes something, by its name.
pub(crate) fn writes_by_name(method: &Method) -> bool {
    leading_word(method).is_some_and(|(_, reads)| !reads)
}

/// Where the first word of a method's name stands that reads or writes, and whether it reads.
fn leading_word(method: &Method) -> Option<(usize, bool)> {
    let name_words = words::identifier_words(method.name.as_str());
    name_words.iter().map(String::as_str).enumerate().find_map(|(position, word)| {
        let reads = READING.binary_search(&word).is_ok();
        (reads || WRITING.binary_search(&word).is_ok()).then_some((position, reads))
    })
}

/// Words that may stand before what a question asks to be done.
const POLITE: [&str; 24] = [
    "a", "alright", "can", "could", "d", "fine", "i", "just", "kindly", "like", "me", "need", "now", "ok",
    "okay", "please", "pls", "plz", "then", "to", "want", "we", "would", "you",
];

/// Whether a question asks for the change that a method makes: it leads with a writing word ("Place an order ...") and the
/// method's name has that word.
#[must_use]
pub fn asks_for_change(question: &str, method: &Method) -> bool {
    let is_its_own = |(verb, _)| words::identifier_words(method.name.as_str()).contains(&verb);
    change(question).is_some_and(is_its_own)
}

/// The words of a question from what it asks to be done on, in lower case, and where they stand.
fn asked(question: &str) -> impl Iterator<Item = (Range<usize>, String)> {
    let is_polite = |(_, word): &(Range<usize>, String)| POLITE.binary_search(&word.as_str()).is_ok();
    words::spelled(question).into_iter().skip_while(is_polite)
}

/// Whether a question tells of what somebody means to do, and asks in a later sentence for something to be read: "I need to book
/// a flight. Find me the cheapest."
fn only_means_to(question: &str) -> bool {
    let mut sentences = question.split(['.', '?', '!']);
    let is_told = sentences.next().is_some_and(|it| {
        let lower = it.trim_start().to_lowercase();
        ["i ", "we ", "i'd ", "we'd "].iter().any(|who| lower.starts_with(who))
    });
    let reads = |sentence: &str| {
        asked(sentence).next().is_some_and(|(_, word)| READING.binary_search(&word.as_str()).is_ok())
    };
    is_told && sentences.any(reads)
}

/// The writing word that a question leads with, and the word or the identifier behind it.
fn change(question: &str) -> Option<(String, Option<String>)> {
    if only_means_to(question) {
        return None;
    }
    let mut words = asked(question);
    let (place, led_by) = words.next()?;
    let mut behind = words.map(|(_, word)| word).peekable();
    // "Buy me 10" is done for somebody, "send me 10" tells them.
    if matches!(led_by.as_str(), "book" | "buy" | "order" | "sell") {
        behind.next_if(|word| matches!(word.as_str(), "me" | "us"));
    }
    let next = behind.next();
    // "The put to call ratio", "a set of".
    let is_noun = match next.as_deref() {
        Some("of") => true,
        Some("call") => led_by == "put",
        Some("to") => behind.nth(1).is_some_and(|word| word == "ratio"),
        _ => false,
    };
    let is_compound = is_noun || question[place.end..].starts_with(['/', '-', '&']);
    // "Put Acme next to Other" compares them.
    let compares = led_by == "put" && COMPARING.iter().any(|beside| question.contains(beside));
    let writes = WRITING.binary_search(&led_by.as_str()).is_ok();
    // "Cancel order-17" says which one.
    let told = question[place.end..].split_whitespace().next().filter(|it| words::is_numbered(it));
    (writes && !is_compound && !compares).then_some((led_by, told.map(str::to_owned).or(next)))
}

/// What things are put that are to be compared.
const COMPARING: [&str; 5] = [" against ", " alongside ", " beside ", " next to ", " side by side"];

/// Whether a question leads with asking for a message to who asks it.
fn is_message(question: &str) -> bool {
    let mut words = asked(question).map(|(_, word)| word);
    let mut led_by = words.next().unwrap_or_default();
    if led_by == "e" {
        led_by = words.next().unwrap_or_default();
    }
    BRINGING.binary_search(&led_by.as_str()).is_ok()
        && words.next().is_some_and(|it| matches!(it.as_str(), "me" | "us"))
}

/// How plainly a question asks for a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// It leads with a writing word, which may be a noun: "transfer fees".
    Perhaps,
    /// What the word does it to follows, with its article, owner or number: "transfer 2 coins".
    Outright,
    /// Somebody is to be told of it elsewhere or later: "remind me when", "email me every morning".
    Message,
}

/// What brings somebody a message.
const BRINGING: [&str; 8] = ["alert", "email", "mail", "notify", "ping", "remind", "text", "wake"];

/// What stands before what a change is done to.
const DETERMINERS: [&str; 18] = [
    "a",
    "all",
    "an",
    "another",
    "any",
    "both",
    "every",
    "everything",
    "it",
    "my",
    "our",
    "some",
    "that",
    "the",
    "these",
    "this",
    "those",
    "your",
];

impl Change {
    /// The change that a question asks for.
    pub(crate) fn asked_by(question: &str) -> Option<Self> {
        if is_message(question) {
            return Some(Self::Message);
        }
        let (_, next) = change(question)?;
        let tells_what = |word: &str| {
            DETERMINERS.binary_search(&word).is_ok() || word.contains(|sign: char| sign.is_ascii_digit())
        };
        Some(if next.as_deref().is_some_and(tells_what) { Self::Outright } else { Self::Perhaps })
    }
}

#[cfg(test)]
mod tests {
    use domain::{Annotations, MethodMeta, MethodName};
    use serde_json::json;

    use super::*;

    fn method(name: &str) -> Method {
        Method {
            name: MethodName::new(name),
            title: None,
            description: String::new(),
            input_schema: json!({"type": "object"}),
            output_schema: None,
            annotations: Annotations::default(),
            meta: MethodMeta::default(),
        }
    }

    #[test]
    fn the_word_lists_can_be_searched() {
        assert!(WRITING.is_sorted() && READING.is_sorted() && POLITE.is_sorted() && DETERMINERS.is_sorted());
        assert!(BRINGING.is_sorted());
    }

    #[test]
    fn a_change_is_ordered_by_its_verb_and_what_it_is_done_to() {
        let change = Change::asked_by;
        for text in [
            "transfer 1 coin to Bob",
            "Please sell all my shares",
            "could you place an order",
            "ok buy me 10 calls then",
            "pls cancel order-17",
            "sell everything I hold of it",
        ] {
            assert_eq!(change(text), Some(Change::Outright), "{text}");
        }
        for text in [
            "send me 10 headlines",
            "transfer fees of banks",
            "sell",
            "book flights to Rome",
            "update me on Rome",
        ] {
            assert_eq!(change(text), Some(Change::Perhaps), "{text}");
        }
        for text in ["remind me when it rains", "Please e-mail us the odds", "could you notify me daily"] {
            assert_eq!(change(text), Some(Change::Message), "{text}");
        }
        for text in [
            "I need to book a flight. Find me the cheapest",
            "text of the law",
            "mail from Rome",
            "the set of rules",
            "put to call ratio",
            "put call ratio of gold",
            "show my orders",
            "put Acme next to Other at the latest prices",
            "",
        ] {
            assert_eq!(change(text), None, "{text}");
        }
    }

    #[test]
    fn a_reader_is_known_by_its_name() {
        for name in ["list_large_transfers", "git_show_commit", "getPost"] {
            assert!(reads_by_name(&method(name)), "{name}");
        }
        for name in ["transfer_coins", "send_list", "weather", ""] {
            assert!(!reads_by_name(&method(name)), "{name}");
            assert_eq!(writes_by_name(&method(name)), name.contains('_'), "{name}");
        }
    }

    #[test]
    fn writers_stay_out_by_name() {
        for name in [
            "place_order",
            "write_file",
            "git_commit",
            "write_query",
            "createEntities",
            "delete-record",
            "orders.cancelOrder",
            "move_file",
            "edit_file",
            "add_observations",
            "git_checkout",
            "create_directory",
        ] {
            assert_eq!(query_safe(&method(name)), Err(Unsafe::LooksLikeWrite), "{name}");
        }
    }

    #[test]
    fn readers_stay_in_by_name() {
        for name in [
            "get_place",
            "list_orders",
            "read_file",
            "git_log",
            "search_nodes",
            "get_current_time",
            "echo",
            "get-sum",
            "git_diff_staged",
            "read_graph",
            "convert_time",
            "describe_table",
            "get_post",
            "weather",
            "open_interest",
        ] {
            assert_eq!(query_safe(&method(name)), Ok(()), "{name}");
        }
    }

    #[test]
    fn a_question_that_asks_for_a_change_is_known() {
        assert!(asks_for_change("Please place an order for 3 contracts", &method("place_order")));
        assert!(!asks_for_change("Show the commit log", &method("git_commit")));
        assert!(!asks_for_change("Which orders did they place?", &method("place_order")));
        assert!(!asks_for_change("Add 19 and 23", &method("get_sum")));
        assert!(!asks_for_change("put/call ratio of an option", &method("put")));
        assert!(!asks_for_change("put to call ratio of bitcoin options", &method("put")));
        assert!(!asks_for_change("set of the day", &method("set")));
        assert!(asks_for_change("put it on the shelf", &method("put")));
    }

    #[test]
    fn a_lying_annotation_does_not_let_a_writer_in() {
        let mut lying = method("place_order");
        lying.annotations.read_only = Some(true);
        lying.meta.surface = Surface::Answer;
        assert_eq!(query_safe(&lying), Err(Unsafe::LooksLikeWrite));
    }

    #[test]
    fn published_metadata_is_believed_when_it_refuses() {
        let mut execute_only = method("get_price");
        execute_only.meta.surface = Surface::Execute;
        assert_eq!(query_safe(&execute_only), Err(Unsafe::ExecuteOnly));
        let mut streaming = method("get_price");
        streaming.meta.latency = LatencyClass::Streaming;
        assert_eq!(query_safe(&streaming), Err(Unsafe::Streaming));
        let mut writes = method("get_price");
        writes.annotations.read_only = Some(false);
        assert_eq!(query_safe(&writes), Err(Unsafe::DeclaredWrite));
    }
}
