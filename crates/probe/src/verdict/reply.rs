//! A question that replies to a turn which asked for something.

use crate::evidence::{Evidence, Open};
use crate::situation::value_of;

/// What a question tells of a method's arguments that it replies to a turn with which asked for them, or that it speaks of.
#[derive(Clone, Copy)]
pub(super) enum Reply {
    /// Fewer things than were asked for, or than it speaks of, or none where an identifier is needed.
    Short,
    /// As many, while something else is open.
    Partial,
    /// As many, and nothing else is open.
    Whole,
}

impl Reply {
    /// How surely it is asked back, where the model would ask it back as surely as this.
    pub(super) fn asks(self, asks: f64, rule: &policy::Reply) -> f64 {
        match self {
            Self::Short => asks.max(rule.short_asks_min),
            Self::Partial => asks,
            Self::Whole => asks.min(rule.whole_asks_max),
        }
    }

    /// The reply that the question is, where the last turn asked for arguments of this method or it speaks of one.
    pub(super) fn to(method: &Evidence) -> Option<Self> {
        let value = |name| value_of(&method.signals, name);
        let was_asked = |open: &Open| {
            method.required.iter().any(|required| required.was_asked && required.name == open.name)
        };
        if method.leaves_to_tell() || method.lacks_only_time() || method.lacks_only_identifier() {
            Some(Self::Short)
        } else if value("asked") <= 0.0 {
            None
        } else if value("asked_short") > 0.0 {
            Some(Self::Short)
        } else if method.open.iter().all(was_asked) {
            Some(Self::Whole)
        } else {
            Some(Self::Partial)
        }
    }
}
