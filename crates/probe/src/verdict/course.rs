//! Methods that tell of the time that the question names: how something went then, or of that day.

use jiff::Unit;
use reading::Question;
use reading::bind::Role;
use reading::form::Way;
use reading::time::{Direction, Window};

use crate::evidence::Evidence;

impl Evidence {
    /// Whether it tells a course, and knows all but how that went, where another method of its listing has no place for the time or
    /// does not know how it went either: "did the open interest rise this week".
    pub(crate) fn tells_course_before(&self, other: &Self) -> bool {
        !other.known.outline.has_series()
            && self.has_course_for(other)
            && self.is_of_listing(other)
            && self.fit.coverage >= other.fit.coverage
            && self.binding.coverage.left.iter().all(|stem| says_how(stem))
    }

    /// Whether it tells how what another method finds for it, and tells of now, went over the time that the question names: the
    /// prices of an outcome for its odds last week.
    pub(crate) fn tells_course_of(&self, other: &Self, question: &Question) -> bool {
        let is_past = |window: &Window| window.start < question.now && window.direction != Direction::Present;
        question.window().is_some_and(is_past)
            && self.has_course_for(other)
            && self.means.contains(&other.candidate.method_ref())
            && self.known.outline.tells_number_of(&other.known.outline)
    }

    /// Whether it takes the day that the question names and that is over, where another method of its listing only takes how long ago
    /// that was: the rate of yesterday is no change over 24 hours.
    pub(crate) fn takes_day_before(&self, other: &Self, question: &Question) -> bool {
        let is_day =
            |window: &Window| window.first_day() == window.last_day() && window.is_over(question.now);
        question.window().is_some_and(is_day)
            && self.is_told(&DAYS)
            && other.is_told(&[Role::Window])
            && !other.is_told(&DAYS)
            && self.stands_in_for(other)
    }

    /// Whether it takes how many hours back the question asks for, where another method of its listing only takes days.
    pub(crate) fn takes_hours_before(&self, other: &Self, question: &Question) -> bool {
        let is_hours = |window: &Window| {
            window.direction == Direction::Past
                && window.length.is_some_and(|length| matches!(length.unit, Unit::Hour | Unit::Minute))
        };
        question.window().is_some_and(is_hours)
            && self.is_told(&[Role::Window])
            && other.is_told(&DAYS)
            && !other.is_told(&[Role::Window])
            && self.stands_in_for(other)
    }

    /// Whether the question gives it an argument of any of these roles.
    fn is_told(&self, roles: &[Role]) -> bool {
        self.binding.arguments.iter().any(|argument| roles.contains(&argument.role) && argument.is_said())
    }

    /// Whether it is of another one's listing, needs nothing more and leaves no more over.
    fn stands_in_for(&self, other: &Self) -> bool {
        let leaves = |stem: &String| other.binding.coverage.left.contains(stem);
        self.is_of_listing(other) && self.open.is_empty() && self.binding.coverage.left.iter().all(leaves)
    }

    /// Whether it tells a course, of the time if the question names one, where another method has no place for that time or does not
    /// know that something rose or fell.
    fn has_course_for(&self, other: &Self) -> bool {
        let leaves_how = || other.binding.coverage.left.iter().any(|stem| says_how(stem));
        (other.fit.unplaced_time > 0.0 || leaves_how())
            && self.known.outline.has_series()
            && self.open.is_empty()
            && self.fit.unplaced_time <= 0.0
    }
}

/// What takes a day.
const DAYS: [Role; 3] = [Role::Date, Role::Start, Role::End];

fn says_how(stem: &str) -> bool {
    Way::of(stem).is_some()
}
