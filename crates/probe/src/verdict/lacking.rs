//! What a method lacks of what it needs, and whether only the caller can give it.

use fit::choice::PLACES_NOTHING;
use reading::bind::{Argument, Role};

use crate::evidence::{Evidence, Open};
use crate::situation::{SAYS_ALL_MIN, value_of};

impl Evidence {
    /// Whether it knows each word of the question and takes what it names, in capitals or in small letters, so that it lacks nothing
    /// or what only the caller can give: "btc inflows", or "convert 100 USD", of something that converts to another currency.
    pub(super) fn lacks_a_value_at_most(&self) -> bool {
        let agrees = self.knows_topic() || value_of(&self.signals, "agrees") > 0.0;
        let is_value = |it: &Argument| {
            it.is_said() && (self.places_all() || !matches!(it.role, Role::Search | Role::Text))
        };
        agrees
            && self.fit.coverage >= SAYS_ALL_MIN
            && self.fit.placed >= PLACES_NOTHING
            && self.binding.arguments.iter().any(is_value)
    }

    /// Whether the question says all of its name and nothing else but names, by which the one thing that it has to be told is not known.
    pub(super) fn is_asked_of_things(&self) -> bool {
        let own = |name| value_of(&self.signals, name);
        self.fit.name >= SAYS_ALL_MIN
            && self.open.len() == 1
            && own("topic_left") <= 0.0
            && own("best_name") > 0.0
    }

    /// Whether it is for the time of which the question speaks, knows what that is about and takes what it names, and lacks only
    /// which day: "what was the weather in Rome back then".
    pub(super) fn lacks_only_time(&self) -> bool {
        let is_time = |open: &Open| matches!(open.role, Role::Date | Role::Start | Role::Year | Role::Month);
        !self.open.is_empty()
            && self.open.iter().all(is_time)
            && value_of(&self.signals, "tense") > 0.0
            && self.knows_topic()
            && self.places_all()
    }

    /// Whether it is named, knows what the question is about, and lacks only identifiers that nothing finds, of a question that names
    /// nothing: no value could be made up for "read me the full article".
    pub(super) fn lacks_only_identifier(&self) -> bool {
        !self.open.is_empty()
            && self.open.iter().all(|open| open.role == Role::Id)
            && self.means.is_empty()
            && self.fit.name >= SAYS_ALL_MIN
            && (self.fit.placed - PLACES_NOTHING).abs() < f64::EPSILON
            && self.knows_topic()
            && !self.binding.arguments.iter().any(Argument::is_said)
    }

    /// Whether only the caller can give an argument that it lacks.
    pub(crate) fn lacks_value(&self, open_min: f64) -> bool {
        self.open.iter().any(|open| open.is_the_callers >= open_min)
    }
}
