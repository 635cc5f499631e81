//! A question, read: its words, spans, times and form, found once and shared by every method that is tried on it.

use std::ops::Range;

use jiff::Timestamp;
use serde_json::Value;

use crate::bind::{behind_prepositions, converts_money, names_pair, written_out};
use crate::form::{Form, Order, Threshold, Way};
use crate::spans::{Kind, Span, overlaps};
use crate::time::{Direction, Moment, Window};
use crate::words::Word;
use crate::{form, spans, standards, time, words};

mod addressed;
mod grain;

/// A question, read against a moment in time.
#[derive(Clone, Debug)]
pub struct Question {
    /// The question as asked.
    pub text: String,
    /// When it was asked, or the day that it says it is; relative dates count from here. Where it names a day and one place, by the
    /// clock of that place as if it were UTC.
    pub now: Timestamp,
    /// Its words, in order.
    pub words: Vec<Word>,
    /// Where words of it mean something together, in bytes, with the stem of what they stand for.
    pub(crate) idioms: Vec<(Range<usize>, String)>,
    /// Its typed spans, in order of their start.
    pub spans: Vec<Span>,
    /// Its dates, windows and times of day, in order.
    pub moments: Vec<Moment>,
    /// The phrases behind its prepositions that may name something, in order, in bytes.
    pub(crate) phrases: Vec<Range<usize>>,
    /// What its sentences say beside what they ask, in order, in bytes.
    pub(crate) asides: Vec<Range<usize>>,
    /// Stems of what it asks to be done without a word for it: "4 * 3", "$20 in yen", "EUR/USD".
    pub implied: Vec<String>,
    /// Stems of what it may speak of without a word for it: what its adjectives measure, and [`Self::may_imply`].
    pub hinted: Vec<String>,
    /// Lists and objects that it writes out as JSON, and where.
    pub literals: Vec<(Value, Range<usize>)>,
    /// What kind of answer it wants.
    pub form: Form,
}

impl Question {
    /// Reads a question that was asked at `now`.
    #[must_use]
    pub fn read(text: &str, now: Timestamp) -> Self {
        let mut words = words::words(text);
        words::misspelt::put_right(&mut words);
        let idioms = words::idiom::put(&mut words);
        for at in form::spelled_signs(&words).chain(form::auxiliaries(&words)).collect::<Vec<_>>() {
            words[at].is_stop = true;
        }
        let opener = words::opener(text, &words);
        words[..opener].iter_mut().for_each(|it| it.is_stop = true);
        let told = time::told_today(text, &words, now);
        let mut now = told.as_ref().map_or(now, |(_, told)| *told);
        let mut moments = time::moments(text, &words, now);
        if moments.iter().any(Moment::is_of_calendar)
            && told.is_none()
            && let Some(there) = time::local(text, &words, now)
        {
            (now, moments) = (there, time::moments(text, &words, there));
        }
        if let Some(at) = form::filler(text, &words, &moments) {
            words[at].is_stop = true;
        }
        let spans = spans::spans(text, &words, &moments);
        if let Some((said, _)) = told
            && moments.iter().any(|moment| !spans::overlaps(&moment.range, &said))
        {
            moments.retain(|moment| !spans::overlaps(&moment.range, &said));
            words
                .iter_mut()
                .filter(|word| spans::overlaps(&word.range, &said))
                .for_each(|it| it.is_stop = true);
        }
        let form = form::form(text, &words, &spans, &moments);
        if let Some(at) = form::holding(&words, &form.measures) {
            (words[at].stem, words[at].is_stop) = (form::HOLD.to_owned(), false);
        }
        let literals = written_out(text);
        let mut question = Self {
            text: text.to_owned(),
            now,
            idioms,
            spans,
            moments,
            phrases: Vec::new(),
            implied: Vec::new(),
            hinted: form::implied_by_adjective(&words),
            asides: form::asides(text, &words),
            words,
            literals,
            form,
        };
        question.phrases = behind_prepositions(&question);
        question.implied = question.implied_from(0);
        question.hinted.extend(question.may_imply(0).collect::<Vec<_>>());
        question
    }

    /// The words of a stretch of it, in bytes.
    pub fn words_in(&self, range: &Range<usize>) -> impl Iterator<Item = &Word> {
        self.words.iter().filter(|word| spans::overlaps(range, &word.range))
    }

    /// The words of what it names.
    pub fn named_words(&self) -> impl Iterator<Item = &Word> {
        self.form.entities.iter().flat_map(|entity| self.words_in(&entity.range))
    }

    /// The words before a stretch of it, in bytes.
    #[must_use]
    pub fn words_before(&self, range: &Range<usize>) -> &[Word] {
        &self.words[..self.words.partition_point(|word| word.range.end <= range.start)]
    }

    /// The words behind a stretch of it, in bytes.
    #[must_use]
    pub fn words_behind(&self, range: &Range<usize>) -> &[Word] {
        &self.words[self.words.partition_point(|word| word.range.start < range.end)..]
    }

    /// The terms that say what it is about. Paths, addresses and ids are values, not topics; "how big" is about size.
    #[must_use]
    pub fn topic(&self) -> Vec<String> {
        let mut text = self.text.clone();
        for span in &self.spans {
            if matches!(span.kind, Kind::Url | Kind::Email | Kind::Path | Kind::File | Kind::Uuid) {
                text.replace_range(span.range.clone(), &" ".repeat(span.range.len()));
            }
        }
        for (range, _) in &self.idioms {
            text.replace_range(range.clone(), &" ".repeat(range.len()));
        }
        let news = (0..self.words.len()).filter(|at| form::is_news(&self.words, *at));
        let filler = form::filler(&self.text, &self.words, &self.moments);
        for at in form::spelled_signs(&self.words).chain(news).chain(filler) {
            let range = self.words[at].range.clone();
            text.replace_range(range.clone(), &" ".repeat(range.len()));
        }
        for moment in &self.moments {
            let said = &self.text[moment.range.clone()];
            if said.bytes().any(|byte| byte.is_ascii_digit()) {
                text.replace_range(moment.range.clone(), &" ".repeat(moment.range.len()));
            }
        }
        let mut terms = words::terms(&text);
        terms.extend(self.idioms.iter().map(|(_, stem)| stem.clone()));
        terms.extend(self.implied.iter().chain(&self.hinted).cloned());
        let is_file = |span: &Span| matches!(span.kind, Kind::Path | Kind::File);
        if self.spans.iter().any(is_file) && !terms.iter().any(|term| term == FILE) {
            terms.push(FILE.to_owned());
        }
        terms
    }

    /// Whether it says the name of a city and nothing else: "Paris".
    #[must_use]
    pub fn names_only_a_place(&self) -> bool {
        let is_said = |word: &&Word| !word.is_stop;
        let (first, last) = (self.words.iter().find(is_said), self.words.iter().rfind(is_said));
        let said = first.zip(last).map(|(first, last)| &self.text[first.range.start..last.range.end]);
        said.is_some_and(time::is_city_of_a_zone)
    }

    /// Stems of what it asks to be done without a word for it, from a byte of the text on.
    #[must_use]
    pub fn implied_from(&self, from: usize) -> Vec<String> {
        let mut stems = form::implied_by_signs(&self.text[from..]);
        stems.extend(converts_money(self, from).then(|| words::stem("convert").into_owned()));
        stems.extend(names_pair(self, from).then(|| words::stem("rate").into_owned()));
        stems
    }

    /// The stems of what it may speak of without a word for it, from a byte of the text on: "will the Fed cut rates" and "the
    /// chance of a cut" are about the odds, where somebody gives odds, "above 20 degrees" is about the temperature, and "a fruit
    /// called mango" says its name, where something is found by its name.
    pub fn may_imply(&self, from: usize) -> impl Iterator<Item = String> {
        let words = &self.words[self.words.partition_point(|word| word.range.start < from)..];
        let is_named = |word: &Word| !word.is_stop || word.is_article() || word.lower == "there";
        let is_chance =
            |word: &Word| matches!(word.lower.as_str(), "chance" | "chances" | "likelihood" | "probability");
        let asks_odds = matches!(words, [will, subject, ..] if will.lower == "will" && is_named(subject))
            || words.iter().any(is_chance);
        let is_called =
            |pair: &[Word]| matches!(pair[0].lower.as_str(), "called" | "named") && !pair[1].is_stop;
        let says_name = words.windows(2).any(is_called);
        let counted = |pair: &[Word]| {
            let is_number = pair[0].lower.starts_with(|sign: char| sign.is_ascii_digit());
            form::counted_in(&pair[1].lower).filter(|_| is_number && pair[1].has_plural_ending())
        };
        let measure = words.windows(2).find_map(counted);
        let implied = [asks_odds.then_some("odds"), measure, says_name.then_some("name")];
        implied.into_iter().flatten().map(|word| words::stem(word).into_owned())
    }

    /// Whether it asks of what has been: "how far did it fall".
    pub(crate) fn looks_back(&self) -> bool {
        time::looks_back(&self.words)
    }

    /// The bearer of the property that it asks for: the sea of "how warm is the sea off Tokyo".
    #[must_use]
    pub fn bearer(&self) -> Option<&Word> {
        form::bearer(&self.text, &self.words, &self.moments).map(|at| &self.words[at])
    }

    /// Whether it asks for the measure of what a word says: the UV of "UV index".
    #[must_use]
    pub fn is_measured(&self, word: &Word) -> bool {
        form::is_measured(&self.text, &self.words, word)
    }

    /// Whether a word is part of when: the "hours" of "in the last 24 hours".
    #[must_use]
    pub fn is_when(&self, word: &Word) -> bool {
        self.moments_of(word).next().is_some()
    }

    /// Whether a word is part of what says the moment of asking: "at the moment".
    #[must_use]
    pub fn is_now(&self, word: &Word) -> bool {
        let is_instant =
            |window: &Window| window.direction == Direction::Present && window.start == window.end;
        self.moments_of(word).find_map(Moment::window).is_some_and(is_instant)
    }

    /// Whether a word only says on which side of a number something is to be: the "above" of "above 20 degrees".
    #[must_use]
    pub fn leads_to_bound(&self, word: &Word) -> bool {
        let leads =
            |bound: &Threshold| overlaps(&bound.range, &word.range) && !overlaps(&bound.number, &word.range);
        self.form.thresholds.iter().any(leads)
    }

    /// Whether a word only says which end of an order is meant, of numbers or of times: "largest", "most expensive", the "first" of
    /// "closes first".
    #[must_use]
    pub fn is_of_order(&self, word: &Word) -> bool {
        form::is_superlative(&word.lower)
            || form::measures_most(&self.words, self.words_before(&word.range).len())
            || self.form.turn.as_ref().is_some_and(|turn| turn.range == word.range)
    }

    /// Whether a word is the verb by which a ranking or a bound measures: the "rose" of "which rose the most" and "which rose more than
    /// 2%".
    #[must_use]
    pub fn is_done_most(&self, word: &Word) -> bool {
        let [article, most, ..] = self.words_behind(&word.range) else { return false };
        let is_bounded = || Way::of(&word.stem).is_some() && self.is_of_bound(article);
        article.lower == "the"
            && matches!(most.lower.as_str(), "most" | "least")
            && self.form.measures.contains(&word.stem)
            || is_bounded()
    }

    /// Whether the word at a place says that each of the kind is meant that the question asks over: the "all" of "on all exchanges".
    #[must_use]
    pub fn says_each(&self, at: usize) -> bool {
        let is_kind = |next: &Word| {
            self.form.dimension.as_ref().is_some_and(|noun| noun.stems.first() == Some(&next.stem))
        };
        let is_each =
            |word: &Word| matches!(word.lower.as_str(), "across" | "all" | "each" | "every" | "per");
        self.words.get(at).is_some_and(is_each)
            && self.words.get(at + 1).is_some_and(|next| is_kind(next) || self.says_each(at + 1))
    }

    /// Whether it asks for something of each of the kind that it asks over: "by exchange", "in every city".
    #[must_use]
    pub fn asks_each(&self) -> bool {
        self.form.is_breakdown || (0..self.words.len()).any(|at| self.says_each(at))
    }

    /// The words that say what the things are to be, or to be about, that it asks for: the "sunny" of "which cities are sunny", the
    /// "rain" of "stories about rain".
    pub fn limiting_words(&self) -> impl Iterator<Item = &Word> {
        let is_of_kind = |word: &Word| {
            self.form.dimension.as_ref().is_some_and(|noun| noun.stems.last() == Some(&word.stem))
        };
        self.words_limiting(move |pair| match pair[1].lower.as_str() {
            "are" | "is" => is_of_kind(&pair[0]),
            "that" | "where" | "with" => pair[0].has_plural_ending(),
            _ => leads_topic(pair),
        })
    }

    /// The words that say what the things are to be about: those among them behind an "about", and a coin before the things, of
    /// "bitcoin headlines".
    pub fn topic_words(&self) -> impl Iterator<Item = &Word> {
        let is_before_things =
            |pair: &&[Word]| pair[1].has_plural_ending() && standards::coin(&pair[0].lower).is_some();
        let coins = self.words.windows(2).filter(is_before_things).map(|pair| &pair[0]);
        self.words_limiting(leads_topic).chain(coins)
    }

    /// The words behind the first pair that a limit begins with, but for those that say when, how much, or in which order.
    fn words_limiting(&self, begins: impl Fn(&[Word]) -> bool) -> impl Iterator<Item = &Word> {
        let from = self.words.windows(2).position(begins).map_or(self.words.len(), |at| at + 2);
        let is_bounded = |word: &Word| {
            self.is_of_bound(word)
                || form::counted_in(&word.lower).is_some()
                || self.form.thresholds.iter().any(|bound| bound.beside.contains(&word.stem))
        };
        let is_apart = move |word: &Word| {
            word.is_stop || self.is_when(word) || self.is_of_order(word) || is_bounded(word)
        };
        self.words[from..].iter().filter(move |word| !is_apart(word))
    }

    /// Whether a word is part of a bound that it sets for a number.
    #[must_use]
    pub fn is_of_bound(&self, word: &Word) -> bool {
        self.form.thresholds.iter().any(|bound| overlaps(&bound.range, &word.range))
    }

    /// The word before a time that says what is to be of it: the "closing" of "closing before January".
    #[must_use]
    pub fn dated_by(&self, moment: &Moment) -> Option<&Word> {
        let leads =
            |word: &Word| matches!(word.lower.as_str(), "before" | "after" | "by" | "until" | "since");
        let mut before = self.words_before(&moment.range).iter().rev();
        before.find(|word| !word.is_stop && !leads(word)).filter(|word| !self.is_when(word))
    }

    /// The times that a word is part of.
    pub fn moments_of(&self, word: &Word) -> impl Iterator<Item = &Moment> {
        self.moments.iter().filter(|moment| moment.holds(word))
    }

    /// The window of time that it asks about, where it names one.
    #[must_use]
    pub fn window(&self) -> Option<&Window> {
        self.window_said()?.window()
    }

    /// Where it names that window.
    #[must_use]
    pub fn window_said(&self) -> Option<&Moment> {
        self.moments.iter().find(|moment| moment.window().is_some())
    }
}

/// Whether a pair of words are things and a word that leads to what they are about: "stories about".
fn leads_topic(pair: &[Word]) -> bool {
    matches!(pair[1].lower.as_str(), "about" | "concerning" | "on" | "regarding")
        && pair[0].has_plural_ending()
}

/// What a path is about, where the question does not say so.
const FILE: &str = "file";

/// What an answer has to look like: the form that the question asks for, tied to a method's arguments and results.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// The form of the answer.
    pub form: Box<Form>,
    /// How rows are ordered, where the question ranks.
    pub order: Option<Order>,
    /// How many rows it asks for.
    pub limit: Option<usize>,
    /// Keys of the result that hold what is measured, as dotted paths with `[]` for array items, best first.
    pub measures: Vec<String>,
    /// The arguments or keys along which rows differ, the first one first.
    pub dimensions: Vec<String>,
    /// What the question names, as it names it.
    pub entities: Vec<String>,
    /// The window of time that it asks about.
    pub window: Option<Window>,
    /// The key of the rows' time that is to be within that window, where no argument takes it: when events close.
    pub dated: Option<String>,
    /// The key of the rows' time by which the first or last of them come first, where the question asks for those.
    pub turned: Option<String>,
    /// What of the question the plan leaves open, a sentence each.
    pub open: Vec<String>,
    /// The parts of a question that asks several things; empty for one thing.
    pub parts: Vec<Part>,
}

/// One of several things that a question asks.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The key of its result in the program's value.
    pub key: String,
    /// How the question asks for it.
    pub question: String,
    /// What its answer has to look like.
    pub reading: Reading,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Direction;

    fn read(text: &str) -> Question {
        Question::read(text, "2026-03-18T14:30:00Z".parse().unwrap())
    }

    #[test]
    fn a_place_is_all_that_a_question_says() {
        let is_place = |text: &str| read(text).names_only_a_place();
        assert!(["Oslo", "oslo?", "Mexico City", "new york please"].into_iter().all(is_place));
        assert!(!["", "Norway", "Oslo and Rome", "weather Oslo", "oslo tomorrow"].into_iter().any(is_place));
    }

    #[test]
    fn things_are_limited_by_what_they_are_to_be() {
        let limiting = |text: &str| -> Vec<String> {
            read(text).limiting_words().map(|word| word.lower.clone()).collect()
        };
        assert_eq!(limiting("Which cities are sunny today?"), ["sunny"]);
        assert_eq!(limiting("cities where it will snow"), ["snow"]);
        assert_eq!(limiting("any stories about rain today"), ["rain"]);
        assert_eq!(read("stories about rain that are long").topic_words().count(), 2);
        assert_eq!(read("which cities are sunny").topic_words().count(), 0);
        assert_eq!(read("bitcoin stories").topic_words().count(), 1);
        assert!(limiting("ships with more than 5 masts").is_empty());
        assert!(limiting("Is the largest city sunny?").is_empty());
    }

    #[test]
    fn a_word_may_only_say_which_end_of_an_order_is_meant() {
        let of_order = |text: &str| -> Vec<String> {
            let question = read(text);
            let words = question.words.iter().filter(|word| question.is_of_order(word));
            words.map(|word| word.lower.clone()).collect()
        };
        assert_eq!(of_order("the most expensive ship"), ["most", "expensive"]);
        assert!(of_order("an expensive ship").is_empty());
    }

    #[test]
    fn each_is_meant_by_the_word_before_a_kind() {
        assert!(read("weather in every city").asks_each() && read("rain across all cities").asks_each());
        assert!(!read("is that all").asks_each() && !read("all of the weather").asks_each());
    }

    #[test]
    fn what_is_of_a_time_stands_before_it() {
        let of_time = |text: &str| {
            let question = read(text);
            question.dated_by(question.window_said()?).map(|word| word.lower.clone())
        };
        assert_eq!(of_time("which barges arrive before 5 May").as_deref(), Some("arrive"));
        assert_eq!(of_time("barges arriving in the next week").as_deref(), Some("arriving"));
        assert_eq!(of_time("yesterday"), None);
    }

    #[test]
    fn what_may_come_is_about_the_odds() {
        let may = |text: &str| read(text).may_imply(0).collect::<Vec<_>>();
        for text in ["will the king resign", "Will Rome win?", "will there be a flood", "chance of a flood"] {
            assert_eq!(may(text), ["odd"], "{text}");
        }
        for text in ["will it rain", "will you help", "the will of the king", "will", "it is called", ""] {
            assert_eq!(may(text), [""; 0], "{text}");
        }
        assert_eq!(read("how likely is a flood").topic(), ["like", "flood", "odd"]);
    }

    #[test]
    fn what_is_called_so_is_found_by_its_name() {
        for text in ["a fruit called mango", "the file named \"Notes\""] {
            assert_eq!(read(text).may_imply(0).collect::<Vec<_>>(), ["name"], "{text}");
        }
    }

    #[test]
    fn within_a_year_is_to_come_where_the_odds_are_asked() {
        let direction = |text: &str| read(text).window().map(|window| window.direction);
        assert_eq!(direction("how likely is a flood within twelve months"), Some(Direction::Future));
        assert_eq!(direction("floods within twelve months"), Some(Direction::Past));
    }

    #[test]
    fn a_path_is_no_topic() {
        let topic = |text| Question::read(text, Timestamp::UNIX_EPOCH).topic();
        assert_eq!(topic("Which files are in /srv/weather/data?"), ["file"]);
        assert_eq!(topic("How big is /srv/a.json?"), ["big", "size", "file"]);
        assert_eq!(topic("443 * 349"), ["443", "349", "multipli"]);
        assert_eq!(topic("Volume in the last 24 hours"), ["volum"]);
        assert!(topic("").is_empty());
    }

    #[test]
    fn a_question_may_say_which_day_it_is() {
        for text in [
            "What is on tomorrow? Today is Tuesday, 2023.10.10",
            "Today's date: October 10, 2023. What is on tomorrow?",
            "what is on tomorrow, today is 10/10/2023",
        ] {
            let question = read(text);
            let [tomorrow] = &question.moments[..] else { panic!("{text}: {:?}", question.moments) };
            assert_eq!(tomorrow.window().unwrap().first_day().to_string(), "2023-10-11", "{text}");
        }
        let question = Question::read("Today is a good day for a walk", Timestamp::UNIX_EPOCH);
        assert_eq!(question.now, Timestamp::UNIX_EPOCH);
    }
}
