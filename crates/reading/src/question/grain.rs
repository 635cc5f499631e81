//! How finely a question asks for what it asks.

use jiff::Unit;

use super::Question;
use crate::time::{Length, Moment, Sense};

impl Question {
    /// Whether it asks for parts of a day: "hourly", "hour by hour".
    #[must_use]
    pub fn asks_within_days(&self) -> bool {
        let day = Length { count: 1, unit: Unit::Day };
        let is_finer = |moment: &Moment| match moment.sense {
            Sense::Grain(length) => length.seconds() < day.seconds(),
            Sense::Window(_) | Sense::Clock(_) => false,
        };
        let mut idioms = self.idioms.iter().map(|(range, _)| &self.text[range.clone()]);
        self.moments.iter().any(is_finer) || idioms.any(|said| said.eq_ignore_ascii_case("hour by hour"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hours_are_parts_of_a_day() {
        let asks = |text: &str| Question::read(text, jiff::Timestamp::UNIX_EPOCH).asks_within_days();
        assert!(asks("rain in Oslo hour by hour") && asks("hourly rain") && asks("rain every 10 minutes"));
        assert!(!asks("daily rain") && !asks("rain day by day") && !asks("rain in the last 3 hours"));
    }
}
