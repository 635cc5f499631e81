//! The requests of a question: what it asks to be done, each with what it is to be done to.

use reading::Question;
use reading::words::Word;

use super::{SubjectWord, WordKind};
use crate::lexicon::Lexicon;

/// One thing that is asked for: places in the words of the subject.
#[derive(Debug)]
pub(crate) struct Request {
    /// What is to be done; none of a question word, nor where it only says that something is wanted.
    pub(crate) verb: Option<usize>,
    /// What it is to be done to, each with what it counts.
    pub(crate) objects: Vec<(usize, f64)>,
}

/// Where a request starts, and whether with a verb.
struct Start {
    at: usize,
    is_verb: bool,
}

/// What asks for the verb that follows.
const LEADS: [&[&str]; 33] = [
    &["please"],
    &["kindly"],
    &["can", "you"],
    &["could", "you"],
    &["would", "you"],
    &["will", "you"],
    &["you", "could"],
    &["you", "can"],
    &["you", "might"],
    &["you", "mind"],
    &["can", "i"],
    &["could", "i"],
    &["can", "we"],
    &["could", "we"],
    &["let", "s"],
    &["lets"],
    &["let", "us"],
    &["how", "about"],
    &["help", "me"],
    &["help", "us"],
    &["help", "in"],
    &["help", "with"],
    &["assist", "me", "in"],
    &["assist", "in"],
    &["want", "to"],
    &["want", "you", "to"],
    &["need", "to"],
    &["need", "you", "to"],
    &["like", "to"],
    &["like", "you", "to"],
    &["able", "to"],
    &["wish", "to"],
    &["love", "to"],
];

/// What stands between a lead and its verb.
const BETWEEN: &[&str] =
    &["please", "kindly", "also", "then", "just", "quickly", "be", "to", "me", "us", "we", "you", "perhaps"];

/// What stands before an instruction at the head of a clause.
const OPENERS: &[&str] = &[
    "please",
    "kindly",
    "also",
    "then",
    "just",
    "and",
    "next",
    "now",
    "subsequently",
    "additionally",
    "finally",
    "first",
    "afterwards",
    "or",
];

/// What joins a clause to the one before it.
const JOINING: &[&str] = &["and", "then", "also"];

/// What comes before what is wanted: "I need", "looking for".
const WANTING: &[&str] = &["want", "need", "require", "for"];
/// Who wants it.
const WANTERS: &[&str] = &["i", "we", "looking"];

/// What opens a question.
const QUESTIONS: &[&str] = &[
    "what", "whats", "which", "who", "when", "where", "how", "is", "are", "was", "were", "does", "do", "did",
];

/// Verbs that only ask to be told, to see that something is done, or that what they name is done.
const SUPPORTING: &[&str] = &[
    "tell",
    "show",
    "give",
    "get",
    "know",
    "see",
    "have",
    "provide",
    "let",
    "make",
    "ensure",
    "need",
    "want",
    "help",
    "like",
    "wonder",
    "assist",
    "proceed",
    "remember",
    "do",
    "be",
    "mind",
    "manage",
    "take",
    "try",
    "initiate",
    "perform",
    "conduct",
    "execute",
    "ascertain",
    "going",
    "go",
    "use",
];

/// Where what is asked ends, and why, when or for whom begins.
const BREAKS: &[&str] = &[
    "because", "since", "so", "while", "which", "who", "once", "before", "after", "if", "when", "unless",
    "as", "until",
];

/// What leads from the thing to what is only said of it.
const PREPOSITIONS: &[&str] = &[
    "with",
    "using",
    "by",
    "from",
    "under",
    "for",
    "at",
    "on",
    "in",
    "into",
    "named",
    "titled",
    "called",
    "to",
    "about",
    "within",
    "through",
    "via",
    "over",
    "during",
    "featuring",
    "between",
    "than",
    "inside",
];

/// Words at the head of a clause, before a noun, that are no instruction.
const NO_INSTRUCTIONS: &[&str] = &[
    "within",
    "upon",
    "after",
    "before",
    "with",
    "onto",
    "since",
    "because",
    "without",
    "concerning",
    "regarding",
    "given",
    "perhaps",
    "maybe",
    "thanks",
    "great",
    "hello",
    "hey",
    "online",
    "wonderful",
    "well",
    "besides",
    "about",
    "around",
    "like",
    "unless",
];

/// What stands before a noun, and so behind an instruction.
const DETERMINERS: &[&str] = &[
    "the", "a", "an", "my", "our", "this", "that", "these", "those", "it", "them", "me", "us", "all", "any",
    "some", "your", "their", "its", "each", "every",
];

/// Objects of a request that count.
const OBJECTS_MAX: usize = 6;

/// What a word counts that is only said of the thing.
const ASIDE: f64 = 0.35;

/// The requests of a question, in order.
pub(super) fn requests(
    whole: &Question,
    now: &[Word],
    words: &[SubjectWord],
    lexicon: &Lexicon,
) -> Vec<Request> {
    let starts = starts(&whole.text, now, lexicon);
    let ends = starts.iter().skip(1).map(|start| start.at).chain([now.len()]);
    let place = |word: &Word| {
        words.iter().position(|own| own.range == word.range || own.terms.first() == Some(&word.stem))
    };
    let request = |(start, end): (&Start, usize)| {
        let verb = now.get(start.at).filter(|word| start.is_verb && !is_in(SUPPORTING, word));
        let from = start.at + usize::from(start.is_verb);
        let mut objects: Vec<(usize, f64)> = Vec::new();
        let mut heft = 1.0;
        for at in from..end {
            let word = &now[at];
            if at > from && (ends_sentence(gap_before(&whole.text, now, at)) || is_in(BREAKS, word)) {
                break;
            }
            if is_in(PREPOSITIONS, word) {
                heft = if objects.is_empty() { 1.0 } else { ASIDE };
                continue;
            }
            let object = if word.is_stop { None } else { place(word) };
            let object = object.filter(|object| {
                words[*object].kind != WordKind::Value && objects.iter().all(|(known, _)| known != object)
            });
            objects.extend(object.map(|object| (object, heft)));
        }
        objects.truncate(OBJECTS_MAX);
        Request { verb: verb.and_then(place), objects }
    };
    let requests = starts.iter().zip(ends).map(request);
    requests.filter(|request| request.verb.is_some() || !request.objects.is_empty()).collect()
}

fn starts(text: &str, now: &[Word], lexicon: &Lexicon) -> Vec<Start> {
    let mut starts: Vec<Start> = Vec::new();
    let mut at = 0;
    let mut is_asked = false;
    while at < now.len() {
        let gap = gap_before(text, now, at);
        let opens = at == 0 || ends_sentence(gap);
        is_asked &= !opens;
        let verb = behind_leads(now, at);
        let head = at + now[at..].iter().take_while(|word| is_in(OPENERS, word)).count();
        let is_head = opens || gap.contains(',') || is_in(JOINING, &now[at - 1]);
        let start = if verb > at {
            Some(Start { at: verb, is_verb: true })
        } else if is_head && now.get(head).is_some_and(|word| is_in(QUESTIONS, word)) {
            Some(Start { at: head + 1, is_verb: false })
        } else if is_head && (opens || is_asked) && is_instruction(now, head, lexicon) {
            Some(Start { at: head, is_verb: true })
        } else {
            let is_wanted = at > 0 && is_in(WANTING, &now[at]) && is_in(WANTERS, &now[at - 1]);
            is_wanted.then_some(Start { at: at + 1, is_verb: false })
        };
        at = start.as_ref().map_or(at + 1, |start| start.at + usize::from(start.is_verb));
        is_asked |= start.is_some();
        starts.extend(start.filter(|start| start.at < now.len()));
    }
    starts
}

/// The word behind all that only asks for it; `at` itself where nothing does.
fn behind_leads(now: &[Word], at: usize) -> usize {
    let mut verb = at;
    let begins = |lead: &[&str], words: &[Word]| {
        words.len() >= lead.len() && lead.iter().zip(words).all(|(part, word)| word.lower == *part)
    };
    while let Some(lead) =
        LEADS.iter().filter(|lead| begins(lead, &now[verb..])).max_by_key(|lead| lead.len())
    {
        verb += lead.len();
        verb += now[verb..].iter().take_while(|word| is_in(BETWEEN, word)).count();
    }
    verb
}

/// Whether a word at the head of a clause is an instruction: a verb as it is looked up, not one that tells.
fn is_instruction(now: &[Word], at: usize, lexicon: &Lexicon) -> bool {
    let Some(word) = now.get(at).filter(|word| word.lower.is_ascii()) else { return false };
    let is_bare = !["ing", "ed", "ly", "s"].iter().any(|ending| word.lower.ends_with(ending));
    let takes = now.get(at + 1).is_some_and(|next| is_in(DETERMINERS, next));
    is_bare && !is_in(NO_INSTRUCTIONS, word) && (takes || lexicon.action(&word.lower, &word.stem).is_some())
}

fn is_in(listed: &[&str], word: &Word) -> bool {
    listed.contains(&word.lower.as_str())
}

fn gap_before<'t>(text: &'t str, now: &[Word], at: usize) -> &'t str {
    at.checked_sub(1).map_or("", |before| &text[now[before].range.end..now[at].range.start])
}

fn ends_sentence(gap: &str) -> bool {
    gap.contains(['.', '?', '!', ';', '\n'])
}

#[cfg(test)]
mod tests {
    use crate::subject::tests::subject;

    /// Each request of a question: its verb, then what it is to be done to, the things that are only aside in brackets.
    fn read(text: &str) -> Vec<String> {
        let subject = subject(text);
        let word = |place: usize| &text[subject.words[place].range.clone()];
        let shown = |(object, heft): &(usize, f64)| {
            if *heft < 1.0 { format!("({})", word(*object)) } else { word(*object).to_owned() }
        };
        let requests = subject.requests.iter().map(|request| {
            let verb = request.verb.map(|verb| word(verb).to_owned());
            let objects = request.objects.iter().map(shown);
            verb.into_iter().chain(objects).collect::<Vec<_>>().join(" ")
        });
        requests.collect()
    }

    #[test]
    fn each_thing_that_is_asked_for_is_a_request() {
        assert_eq!(read("Lock the doors and start the engine."), ["Lock doors", "start engine"]);
        assert_eq!(
            read("I love trains. Could you please book a seat for my sister?"),
            ["book seat (sister)"]
        );
        assert_eq!(
            read("I'd like you to sort the files, then print a report"),
            ["sort files", "print report"]
        );
        assert_eq!(read("What would the flight cost?"), ["flight cost"]);
        assert_eq!(read("I need a quiet hotel with a pool"), ["quiet hotel (pool)"]);
        assert_eq!(read("Tell me the price of gold because I am curious"), ["price gold"]);
    }

    #[test]
    fn what_is_only_told_is_no_request() {
        for text in ["I was in Rome.", "After dinner we walked home.", "비트코인 시세"] {
            assert_eq!(read(text), [""; 0], "{text}");
        }
    }
}
