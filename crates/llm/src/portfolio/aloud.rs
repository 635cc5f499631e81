//! An answer said while it is written: whole words only, each looked at before it leaves, and taken back where the rest fails.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::model::{AnswerListener, Spoken};
use crate::report::FallbackReason;

use super::member::Member;
use super::reply::Screen;

/// An answer on its way to a listener.
pub(super) struct Aloud<'a> {
    listener: Option<&'a AnswerListener<'a>>,
    screen: &'a Screen,
    /// The member of a JSON object that is said; none where the whole reply is.
    member: Option<&'static str>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// What was read of the object so far.
    object: Option<Member>,
    /// The word that is not over yet.
    held: String,
    has_spoken: bool,
}

impl<'a> Aloud<'a> {
    /// Nothing is said yet; to nobody where there is no listener.
    pub(super) fn new(listener: Option<&'a AnswerListener<'a>>, screen: &'a Screen) -> Self {
        Self { listener, screen, member: None, state: Mutex::default() }
    }

    /// The same where the reply is a JSON object, of which this member is said.
    pub(super) fn of_member(
        member: &'static str,
        listener: Option<&'a AnswerListener<'a>>,
        screen: &'a Screen,
    ) -> Self {
        Self { member: Some(member), ..Self::new(listener, screen) }
    }

    /// Takes the next piece in; says as much of it as is whole words.
    pub(super) fn hear(&self, piece: &str) -> Result<(), FallbackReason> {
        let mut state = self.state();
        match self.member {
            Some(member) => {
                let more = state.object.get_or_insert_with(|| Member::of(member)).push(piece);
                state.held.push_str(&more);
            }
            None => state.held.push_str(piece),
        }
        let Some((end, space)) = state.held.char_indices().rev().find(|(_, one)| one.is_whitespace()) else {
            return Ok(());
        };
        let rest = state.held.split_off(end + space.len_utf8());
        let ready = std::mem::replace(&mut state.held, rest);
        self.say(&mut state, &ready)
    }

    /// Says the last word.
    pub(super) fn end(&self) -> Result<(), FallbackReason> {
        let mut state = self.state();
        let rest = std::mem::take(&mut state.held);
        self.say(&mut state, &rest)
    }

    /// What was said does not hold.
    pub(super) fn take_back(&self) {
        let mut state = self.state();
        state.held.clear();
        state.object = None;
        if std::mem::take(&mut state.has_spoken)
            && let Some(listener) = self.listener
        {
            listener(Spoken::Restart);
        }
    }

    /// Says a whole text of our own.
    pub(super) fn say_whole(&self, text: &str) {
        if let Some(listener) = self.listener {
            listener(Spoken::Text(text));
        }
    }

    fn say(&self, state: &mut State, text: &str) -> Result<(), FallbackReason> {
        self.screen.check(text)?;
        if let Some(listener) = self.listener.filter(|_| !text.is_empty()) {
            state.has_spoken = true;
            listener(Spoken::Text(text));
        }
        Ok(())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop_assert_eq, proptest};

    use super::*;

    fn spoken(pieces: &[&str]) -> (Result<(), FallbackReason>, String) {
        let heard = Mutex::new(String::new());
        let listener = |said: Spoken<'_>| match said {
            Spoken::Text(text) => heard.lock().unwrap().push_str(text),
            Spoken::Restart => heard.lock().unwrap().push('#'),
        };
        let screen = Screen::over(["see https://example.com/a for more".to_owned()]);
        let aloud = Aloud::new(Some(&listener), &screen);
        let outcome = pieces.iter().try_for_each(|piece| aloud.hear(piece)).and_then(|()| aloud.end());
        if outcome.is_err() {
            aloud.take_back();
        }
        drop(aloud);
        (outcome, heard.into_inner().unwrap())
    }

    #[test]
    fn an_address_that_is_in_no_source_is_never_said() {
        let (outcome, heard) = spoken(&["See ht", "tps://evil.exam", "ple/x?q=1 now"]);
        assert!(matches!(outcome, Err(FallbackReason::Unusable(_))));
        assert_eq!(heard, "See #", "what was said before it is taken back");
        let (outcome, heard) = spoken(&["One. ", "See https://evil.example/x "]);
        assert_eq!((outcome.is_err(), heard.as_str()), (true, "One. #"));
        let (outcome, heard) = spoken(&["See https://exa", "mple.com/a."]);
        assert_eq!((outcome, heard.as_str()), (Ok(()), "See https://example.com/a."));
    }

    #[test]
    fn of_an_object_one_member_is_said_and_each_try_begins_anew() {
        let heard = Mutex::new(String::new());
        let listener = |said: Spoken<'_>| match said {
            Spoken::Text(text) => heard.lock().unwrap().push_str(text),
            Spoken::Restart => heard.lock().unwrap().push('#'),
        };
        let screen = Screen::over([]);
        let aloud = Aloud::of_member("answer", Some(&listener), &screen);
        aloud.hear("{\"answer\": \"It is hi").unwrap();
        aloud.take_back();
        for piece in ["{\"answer\": \"It is ", "low [1].\", \"gaps\": [\"no tide\"]}"] {
            aloud.hear(piece).unwrap();
        }
        aloud.end().unwrap();
        drop(aloud);
        assert_eq!(heard.into_inner().unwrap(), "It is #It is low [1].");
    }

    proptest! {
        #[test]
        fn any_split_says_the_same(text in "[a-z \n]{0,40}", at in 0_usize..40) {
            let at = at.min(text.len());
            let (outcome, heard) = spoken(&[&text[..at], &text[at..]]);
            prop_assert_eq!(outcome, Ok(()));
            prop_assert_eq!(heard, text);
        }
    }
}
