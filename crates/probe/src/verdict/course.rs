//! Methods that tell how something went.

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
            && (other.fit.unplaced_time > 0.0 || other.leaves_how_it_went())
            && self.known.outline.has_series()
            && self.is_of_listing(other)
            && self.open.is_empty()
            && self.fit.unplaced_time <= 0.0
            && self.fit.coverage >= other.fit.coverage
            && self.binding.coverage.left.iter().all(|stem| says_how(stem))
    }

    /// Whether it tells how what another method finds for it, and tells of now, went over the time that the question names: the
    /// prices of an outcome for its odds last week.
    pub(crate) fn tells_course_of(&self, other: &Self, question: &Question) -> bool {
        let is_past = |window: &Window| window.start < question.now && window.direction != Direction::Present;
        question.window().is_some_and(is_past)
            && (self.takes_time_before(other) || other.leaves_how_it_went())
            && self.means.contains(&other.candidate.method_ref())
            && self.open.is_empty()
            && self.fit.unplaced_time <= 0.0
            && self.known.outline.has_series()
            && self.known.outline.tells_number_of(&other.known.outline)
    }

    /// Whether it takes the day that the question names and that is over, where another method of its listing only takes how long ago
    /// that was: the rate of yesterday is no change over 24 hours.
    pub(crate) fn takes_day_before(&self, other: &Self, question: &Question) -> bool {
        let is_day =
            |window: &Window| window.first_day() == window.last_day() && window.is_over(question.now);
        let takes = |it: &Self, roles: &[Role]| {
            it.binding.arguments.iter().any(|argument| roles.contains(&argument.role) && argument.is_said())
        };
        let days = [Role::Date, Role::Start, Role::End];
        question.window().is_some_and(is_day)
            && self.is_of_listing(other)
            && takes(self, &days)
            && takes(other, &[Role::Window])
            && !takes(other, &days)
            && self.open.is_empty()
            && self.binding.coverage.left.iter().all(|stem| other.binding.coverage.left.contains(stem))
    }

    /// Whether the question says of something that it rose or fell, which it does not know.
    fn leaves_how_it_went(&self) -> bool {
        self.binding.coverage.left.iter().any(|stem| says_how(stem))
    }
}

fn says_how(stem: &str) -> bool {
    Way::of(stem).is_some()
}
