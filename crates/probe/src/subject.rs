//! What a question is about: its words by what they do, with how much each counts, earlier turns of the conversation
//! included.

use std::ops::Range;
use std::sync::Arc;

use domain::{Speaker, Turn};
use reading::Question;
use reading::form;
use reading::spans::overlaps;
use reading::words::{self, Terms, Word};

use crate::lexicon::Lexicon;
use crate::signals::Signals;

mod generally;
mod request;
mod said;
mod shape;
mod story;
mod when;

use generally::parts;
pub(crate) use request::Request;
use said::continuation;
pub(crate) use said::{Said, asks_back};
use shape::{Built, is_unspaced};
use story::beside;
use when::{is_sought, refers_to_when};

/// What a question is about.
#[derive(Debug)]
pub(crate) struct Subject {
    /// Where the question begins in the whole of what was said.
    pub(crate) question_at: usize,
    /// Its words.
    pub(crate) words: Vec<SubjectWord>,
    /// The groups of what is asked to be done, the first asked first.
    pub(crate) actions: Vec<usize>,
    /// How far the question continues an earlier turn, from 0 to 1.
    pub(crate) continuation: f64,
    /// The terms of the last thing that was asked back.
    pub(crate) asked_back: Terms,
    /// How many things the question tells, one after the other.
    pub(crate) parts: usize,
    /// Whether its words are of another script, of which only pieces can be compared.
    pub(crate) is_unspaced: bool,
    /// How the question is built.
    pub(crate) shape: Signals,
    /// Whether it only asks to be told what there is.
    pub(crate) only_finds: bool,
    /// What is asked for, in order.
    pub(crate) requests: Vec<Request>,
    /// The word of the thing whose property is asked: "sea" of "how warm is the sea".
    pub(crate) bearer: Option<usize>,
}

/// One word of what a question is about.
#[derive(Debug)]
pub(crate) struct SubjectWord {
    /// Its stem, or its pairs of characters.
    pub(crate) terms: Vec<String>,
    /// The group of what is done, where it says that.
    pub(crate) action: Option<usize>,
    /// Stems that mean nearly the same.
    pub(crate) kin: Vec<Arc<str>>,
    /// Stems of its field.
    pub(crate) related: Vec<Arc<str>>,
    /// Where it stands in the whole of what was said.
    pub(crate) range: Range<usize>,
    /// What it does.
    pub(crate) kind: WordKind,
    /// Whether a thing may be looked up by it: it is of a name, or of a time that has not ended.
    pub(crate) is_sought: bool,
    /// Whether the question only may mean it: it counts where a method knows it.
    pub(crate) is_guess: bool,
    /// How much it counts, from 0 to 1.
    pub(crate) weight: f64,
    /// Whether it is part of when: "hours" of "in the last 24 hours".
    pub(crate) is_when: bool,
}

/// What a word does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WordKind {
    /// It says what the question is about.
    Topic,
    /// It says what is to be done.
    Action,
    /// It names, counts or dates something.
    Value,
}

/// What a word of an earlier turn counts where the question stands on its own.
const BACKGROUND: f64 = 0.15;

impl Subject {
    /// Whether the last turn asked something back.
    pub(crate) fn was_asked(&self) -> bool {
        self.continuation >= 1.0
    }

    /// What the question only may mean counts nothing where no method knows it.
    pub(crate) fn forget_guesses(&mut self, is_known: impl Fn(usize) -> bool) {
        for (at, word) in self.words.iter_mut().enumerate().filter(|(_, word)| word.is_guess) {
            if !is_known(at) {
                word.weight = 0.0;
            }
        }
    }

    /// Where words stand that neither a method nor the policy's word groups know, in bytes. `is_known` is told a word's place.
    pub(crate) fn unknown(&self, is_known: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
        let means_nothing = |(at, word): &(usize, &SubjectWord)| {
            let is_of_group = || word.action.is_some() || !word.kin.is_empty() || !word.related.is_empty();
            !word.range.is_empty() && !word.is_when && word.weight > LIGHT && !is_of_group() && !is_known(*at)
        };
        self.words.iter().enumerate().filter(means_nothing).map(|(_, word)| word.range.clone()).collect()
    }

    /// `whole` is everything that was said, the question from `question_at` on.
    #[expect(clippy::too_many_lines, reason = "a list, one word after the other")]
    pub(crate) fn of(whole: &Question, question_at: usize, history: &[Turn], lexicon: &Lexicon) -> Self {
        let continuation = continuation(whole, question_at, history);
        let mut words: Vec<SubjectWord> = Vec::new();
        let mut actions = Vec::new();
        let mut values = 0.0;
        let beside = beside(&whole.text, question_at);
        let from = whole.words.partition_point(|word| word.range.start < question_at);
        let now = &whole.words[from..];
        let offer = form::of_offer(&whole.text, now);
        let bearer = whole.bearer();
        for (at, word) in whole.words.iter().enumerate().filter(|(_, word)| !word.is_stop) {
            let is_now = word.range.start >= question_at;
            let before = &whole.words[..at];
            // What is asked to be told asks nothing of its verb: "what's new", "which currencies can you convert". Nor does a
            // noun: "list the exchanges", "per exchange".
            let is_told = form::is_news(&whole.words, at)
                || is_modifier(whole, at)
                || word.has_plural_ending()
                || is_each(before)
                || offer.as_ref().is_some_and(|offer| offer.contains(&word.range.start));
            let group = if is_told {
                None
            } else if gets_bookable(&whole.words[at..]) {
                lexicon.action("book", "book")
            } else {
                lexicon.action(&word.lower, &word.stem)
            };
            let kind = match group {
                Some(_) => WordKind::Action,
                None if is_value(whole, &word.range) => WordKind::Value,
                None => WordKind::Topic,
            };
            if let Some(group) =
                group.filter(|group| (is_now || continuation > 0.5) && !actions.contains(group))
            {
                actions.push(group);
            }
            let is_beside = beside.iter().any(|range| range.contains(&word.range.start));
            // A question is about now that names no time.
            let is_apart = refers_to_when(before, word) || whole.leads_to_bound(word);
            if is_apart || whole.is_now(word) || whole.says_each(at) {
                continue;
            }
            let measures: Vec<String> = form::implied_by_adjective_at(&whole.words, at).collect();
            let is_light = form::is_superlative(&word.lower)
                || form::is_mean_word(&word.lower) && form::wants_mean(&whole.words, &whole.moments)
                || lexicon.is_light(&word.lower) && !is_counted(before);
            let heft = if is_light { LIGHT } else { 1.0 };
            let weight = heft
                * if is_beside { BESIDE } else { 1.0 }
                * if is_now { 1.0 } else { BACKGROUND + (1.0 - BACKGROUND) * continuation };
            let terms = match measures.first() {
                // "How large" is about the size, and not about what is large.
                Some(measure) if is_asked_how(before) => vec![measure.clone()],
                _ if word.stem.is_ascii() => vec![word.stem.clone()],
                _ => words::terms(&word.stem),
            };
            if let Some(known) = words.iter_mut().find(|known| known.terms == terms) {
                if weight > known.weight {
                    known.weight = weight;
                    known.range = word.range.clone();
                }
                continue;
            }
            let mut kin = lexicon.kin(&word.stem);
            kin.extend(measures.into_iter().map(Arc::from));
            if is_now && kind == WordKind::Value {
                values += weight;
            }
            let related = lexicon.related(&word.stem);
            words.push(SubjectWord {
                action: group,
                terms,
                kin,
                related,
                range: word.range.clone(),
                kind,
                is_sought: is_sought(whole, word),
                is_guess: false,
                weight,
                is_when: whole.is_when(word),
            });
        }
        let implied = whole.implied_from(question_at).into_iter().map(|stem| (stem, false));
        for (stem, is_guess) in implied.chain(whole.may_imply(question_at).map(|stem| (stem, true))) {
            let action = lexicon.action(&stem, &stem);
            let (kin, related) = (lexicon.kin(&stem), lexicon.related(&stem));
            actions.extend(action.filter(|group| !actions.contains(group)));
            words.push(SubjectWord {
                terms: vec![stem],
                action,
                kin,
                related,
                range: 0..0,
                kind: if action.is_none() { WordKind::Topic } else { WordKind::Action },
                is_sought: false,
                is_guess,
                weight: 1.0,
                is_when: false,
            });
        }
        let asked_back =
            history.iter().rev().find(|turn| turn.speaker == Speaker::Assistant && !turn.text.is_empty());
        let asked_back = Terms::of(asked_back.map(|turn| words::terms(&turn.text)).unwrap_or_default());
        let is_unspaced = is_unspaced(now);
        let parts = parts(&whole.text, now);
        let built = Built {
            values,
            continuation,
            actions: actions.len(),
            has_calls: history.iter().any(|turn| !turn.calls.is_empty()),
        };
        let shape = built.signals(whole, question_at, now);
        let requests = request::requests(whole, now, &words, lexicon);
        let only_finds = only_finds(&words);
        let bearer = bearer.and_then(|bearer| {
            let may_bear = |kind: WordKind| match kind {
                WordKind::Topic => true,
                WordKind::Value => whole.is_measured(bearer),
                WordKind::Action => false,
            };
            let is_it = |word: &SubjectWord| word.range == bearer.range && may_bear(word.kind);
            words.iter().position(is_it)
        });
        Self {
            question_at,
            words,
            actions,
            continuation,
            asked_back,
            parts,
            is_unspaced,
            shape,
            only_finds,
            requests,
            bearer,
        }
    }
}

/// Whether all that the words ask to be done is to find what there is.
fn only_finds(words: &[SubjectWord]) -> bool {
    const FINDS: [&str; 9] =
        ["brows", "discov", "explor", "find", "list", "locat", "lookup", "retriev", "search"];
    let finds = |word: &SubjectWord| word.terms.iter().any(|term| FINDS.contains(&term.as_str()));
    let is_asked = |word: &&SubjectWord| word.kind == WordKind::Action && word.weight > LIGHT;
    let mut asked = words.iter().filter(is_asked).peekable();
    asked.peek().is_some() && asked.all(finds)
}

/// "Get two tickets": who gets what is booked books it.
fn gets_bookable(words: &[Word]) -> bool {
    let is_bookable = |word: &Word| matches!(word.stem.as_str(), "ticket" | "seat" | "reserv" | "appoint");
    words.first().is_some_and(|word| word.stem == "get")
        && words[1..].iter().take(GOT_WITHIN).any(is_bookable)
}

/// Words behind "get" within which it says what.
const GOT_WITHIN: usize = 3;

/// Whether it is asked how much there is of what follows.
fn is_asked_how(before: &[Word]) -> bool {
    before.last().is_some_and(|before| before.lower == "how")
}

/// Whether what follows is one of several things.
fn is_each(before: &[Word]) -> bool {
    before.last().is_some_and(|before| matches!(before.lower.as_str(), "per" | "each" | "every"))
}

/// Whether what follows is what is counted: "how many people", "the number of users".
fn is_counted(before: &[Word]) -> bool {
    let [.., one, other] = before else { return false };
    matches!((one.lower.as_str(), other.lower.as_str()), ("how", "many") | ("number", "of"))
}

/// Whether a noun made of a verb only says which one: the "prediction" of "prediction market" asks for no prediction.
fn is_modifier(question: &Question, at: usize) -> bool {
    let (word, Some(next)) = (&question.words[at], question.words.get(at + 1)) else { return false };
    let is_beside = question.text[word.range.end..next.range.start].trim().is_empty();
    word.lower.ends_with("ion")
        && is_beside
        && !next.is_stop
        && next.lower.bytes().all(|it| it.is_ascii_lowercase())
}

/// What a word counts that stands in a sentence beside the one that asks.
const BESIDE: f64 = 0.5;

/// Whether a stretch names, counts or dates something.
fn is_value(question: &Question, range: &Range<usize>) -> bool {
    question.spans.iter().any(|span| overlaps(&span.range, range))
        || question.moments.iter().any(|moment| overlaps(&moment.range, range))
        || question.text[range.clone()].bytes().any(|byte| byte.is_ascii_digit())
}

/// What a word counts that says how people ask.
pub(crate) const LIGHT: f64 = 0.25;

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::lexicon::tests::shipped;

    /// What a question of its own is about.
    pub(crate) fn subject(text: &str) -> Subject {
        let question = Question::read(text, "2026-03-18T14:30:00Z".parse().unwrap());
        Subject::of(&question, 0, &[], &shipped())
    }

    fn actions(text: &str) -> usize {
        subject(text).actions.len()
    }

    #[test]
    fn what_can_be_done_is_asked_of_until_the_sentence_ends() {
        assert_eq!(actions("Which currencies can you convert?"), 0);
        assert_eq!(actions("Which currencies can you convert? Convert 5 USD to EUR."), 1);
        assert_eq!(actions("Convert 5 USD to EUR."), 1);
        assert_eq!(actions("the exchanges of Rome"), 0);
        assert_eq!(actions("the rates per exchange"), 0);
    }

    #[test]
    fn a_noun_that_only_says_which_one_asks_for_no_deed() {
        assert_eq!(actions("the prediction market of Rome"), 0);
        assert_eq!(actions("a prediction for Rome"), 1);
    }

    #[test]
    fn now_is_no_word_of_what_is_asked() {
        let words = |text| subject(text).words.len();
        assert_eq!(words("clouds over Rome at the moment"), words("clouds over Rome"));
        assert_eq!(words("clouds over Rome tomorrow"), words("clouds over Rome") + 1);
    }

    #[test]
    fn what_may_be_meant_counts_where_it_is_known() {
        let mut odds = subject("will the king resign");
        let weight = |odds: &Subject| odds.words.iter().find(|word| word.is_guess).map(|word| word.weight);
        odds.forget_guesses(|_| true);
        assert_eq!(weight(&odds), Some(1.0));
        odds.forget_guesses(|_| false);
        assert_eq!(weight(&odds), Some(0.0));
    }

    #[test]
    fn an_adjective_that_is_asked_is_about_what_it_measures() {
        let terms = |text| subject(text).words.into_iter().flat_map(|word| word.terms).collect::<Vec<_>>();
        assert_eq!(terms("how warm are the reserves"), ["temperatur", "reserv"]);
        assert_eq!(terms("the warm reserves"), ["warm", "reserv"]);
    }
}
