//! Look-ups by what was named before a question.

use std::cell::OnceCell;

use domain::Speaker;
use reading::bind::{Argument, Role};
use reading::{Question, told_by, words};

use super::{Lookup, find};
use crate::choice::{self, Choice};
use crate::known::Desk;
use crate::only;

/// A question with each thing that was named before it, the last one first.
pub struct NamedBefore<'d, 'a> {
    desk: &'d Desk<'a>,
    question: &'d Question,
    asked: OnceCell<Vec<(Question, Desk<'a>)>>,
}

impl<'d, 'a> NamedBefore<'d, 'a> {
    /// Nothing has been read yet.
    #[must_use]
    pub fn new(desk: &'d Desk<'a>, question: &'d Question) -> Self {
        Self { desk, question, asked: OnceCell::new() }
    }

    /// The look-ups for the one identifier that a question leaves open, by a thing that was named before it, in what the answer before
    /// was about: the France of "who are the top holders?" after the odds of France.
    #[must_use]
    pub fn of_the_only_open(&self, choice: &Choice<'_>) -> Option<Vec<Lookup<'a>>> {
        let open = only(choice.binding.missing()).filter(|open| open.role == Role::Id)?;
        self.asked.get_or_init(|| self.read()).iter().find_map(|(asked, desk)| {
            let choice = choice::read(desk, choice.candidate, asked);
            let lookups = find(desk, asked, &choice, &open.name)?;
            lookups.first()?.choice.binding.arguments.iter().any(Argument::is_carried).then_some(lookups)
        })
    }

    fn read(&self) -> Vec<(Question, Desk<'a>)> {
        let (before, now) = (self.desk.offer.before, self.question.now);
        if domain::answered(before).next().is_none() {
            return Vec::new();
        }
        let turns = before.iter().rev().filter(|turn| turn.speaker == Speaker::User);
        let named = turns.flat_map(|turn| told_by(&turn.text, None, now));
        let asked = words::unended(&self.question.text);
        named.map(|thing| (Question::read(&format!("{asked} {thing}"), now), self.desk.anew())).collect()
    }
}
