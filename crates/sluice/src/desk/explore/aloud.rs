//! An answer on its way to its reader while a model writes it: markers are read as they come, and no word leaves before the
//! first one that leads to a source, since an answer without any is none.

use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};

use cite::{Delta, Markers, Sources, Style};
use contract::library::Citation;
use library::Source;
use llm::Spoken;

use super::{Seen, SeenBy};
use crate::desk::answer;

/// Hears an answer as it is written, and tells what of it holds.
pub(in crate::desk) struct Aloud<'a> {
    seen: SeenBy<'a>,
    hold_bytes_max: usize,
    quote_chars_max: usize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// None until the sources are known.
    markers: Option<Markers>,
    /// What was read so far, from where its last sentence begins, and where in the whole that is.
    tail: String,
    tail_at: usize,
    /// What waits for the first marker.
    held: String,
    /// Sources that were cited.
    numbered: usize,
    has_left: bool,
}

impl<'a> Aloud<'a> {
    /// Nothing was said yet.
    pub(super) fn new(seen: SeenBy<'a>, policy: &policy::Library) -> Self {
        Self {
            seen,
            hold_bytes_max: policy.markers.hold_bytes_max,
            quote_chars_max: policy.reason.quote_chars_max,
            state: Mutex::default(),
        }
    }

    /// Takes the next piece in.
    pub(in crate::desk) fn hear(&self, spoken: Spoken<'_>, sources: &[Source]) {
        let mut state = self.state();
        match spoken {
            Spoken::Text(text) => {
                let markers = state.markers.get_or_insert_with(|| self.markers(sources));
                let delta = markers.push(text);
                self.leave(&mut state, &delta, sources);
            }
            Spoken::Restart => {
                let before = mem::take(&mut *state);
                if before.has_left {
                    (self.seen)(Seen::TakenBack);
                }
            }
        }
    }

    fn leave(&self, state: &mut State, delta: &Delta, sources: &[Source]) {
        if delta.text.is_empty() {
            return;
        }
        state.held.push_str(&delta.text);
        state.tail.push_str(&delta.text);
        let sentences = cite::sentences(&state.tail);
        let mut cites = Vec::new();
        for placed in delta.placed.iter().filter(|placed| placed.number > state.numbered) {
            let Some(source) = placed.ordinal.checked_sub(1).and_then(|at| sources.get(at)) else { continue };
            let at = placed.range.start.saturating_sub(state.tail_at);
            let sentence = sentences.iter().find(|range| range.contains(&at)).cloned();
            cites.push(self.citation(placed.number, source, sentence.map_or("", |range| &state.tail[range])));
        }
        state.numbered += cites.len();
        if let Some(last) = sentences.last() {
            state.tail_at += last.start;
            state.tail.drain(..last.start);
        }
        if state.numbered > 0 {
            state.has_left = true;
            (self.seen)(Seen::Said { text: &mem::take(&mut state.held), cites });
        }
    }

    /// A source, with what of it carries the sentence that cites it.
    fn citation(&self, number: usize, source: &Source, sentence: &str) -> Citation {
        let quote = source.quote(sentence, self.quote_chars_max);
        Citation { quote: answer::quote(&quote), ..answer::gathered_source(number, source) }
    }

    fn markers(&self, sources: &[Source]) -> Markers {
        let known: Sources = sources.iter().map(|source| source.chunk_id.as_str()).collect();
        Markers::new(known, Style::Numbers, self.hold_bytes_max)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop_assert_eq, proptest};

    use super::super::rules::fixture::source;
    use super::*;

    /// What leaves of pieces: texts, with the numbers that they cite first, and `<` where all of it is taken back.
    fn told(pieces: &[Spoken<'_>]) -> Vec<(String, Vec<usize>)> {
        let sources = [source("a", "It is high. A tide of 3 m."), source("b", "It is low.")];
        let heard = Mutex::new(Vec::new());
        let seen = |seen: Seen<'_>| {
            let one = match seen {
                Seen::Said { text, cites } => {
                    (text.to_owned(), cites.iter().map(|citation| citation.ordinal).collect())
                }
                Seen::TakenBack => ("<".to_owned(), Vec::new()),
                Seen::Begun { .. } | Seen::Ended { .. } | Seen::Writing { .. } | Seen::Written { .. } => {
                    unreachable!()
                }
            };
            heard.lock().unwrap().push(one);
        };
        let aloud = Aloud::new(&seen, &policy::Policy::shipped().unwrap().library);
        for piece in pieces {
            aloud.hear(*piece, &sources);
        }
        drop(aloud);
        heard.into_inner().unwrap()
    }

    #[test]
    fn no_word_leaves_before_the_first_marker_that_holds() {
        let pieces = ["It is ", "high [7] ", "and low [", "2]. And", " more."].map(Spoken::Text);
        let told = told(&pieces);
        let texts: String = told.iter().map(|(text, _)| text.as_str()).collect();
        assert!(told[0].0.starts_with("It is high and low [1].") && told[0].1 == [1], "{told:?}");
        assert_eq!(texts, "It is high and low [1]. And more.");
        assert!(self::told(&["It is high [9]. And", " so on."].map(Spoken::Text)).is_empty());
    }

    #[test]
    fn what_has_left_is_taken_back_once() {
        let pieces = [
            Spoken::Restart,
            Spoken::Text("High [1]. "),
            Spoken::Restart,
            Spoken::Restart,
            Spoken::Text("Low [2]. "),
        ];
        let texts: Vec<String> = told(&pieces).into_iter().map(|(text, _)| text).collect();
        assert_eq!(texts.first().map(String::as_str).map(str::trim), Some("High [1]."));
        assert_eq!(texts.iter().filter(|text| *text == "<").count(), 1);
        assert_eq!(texts.last().map(|text| text.trim()), Some("Low [1]."));
    }

    proptest! {
        /// What leaves is the beginning of what the whole comes to, wherever it is cut.
        #[test]
        fn what_leaves_is_the_beginning_of_the_answer(
            text in r"([a-z .]|\[[0-9]\]|\[|\]|`|\n){0,60}", at in 0_usize..90,
        ) {
            let at = at.min(text.len());
            let said: String =
                told(&[&text[..at], &text[at..]].map(Spoken::Text)).into_iter().map(|(text, _)| text).collect();
            let known: Sources = ["a", "b"].into_iter().collect();
            let whole = cite::cite(&text, &known, Style::Numbers, 1_024);
            prop_assert_eq!(&whole.text[..said.len()], said);
        }
    }
}
