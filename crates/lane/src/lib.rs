//! Fast or deep: the lane that a query takes, and why.
//!
//! Until the deep lane is in service every query takes the fast one. A query that asked for more carries that with it,
//! and the answer discloses it.

use domain::{Depth, Selected};
use policy::{LaneFlags, Lanes};

/// A query in the fast lane: straight to planning, by way of [the gate's waiver].
///
/// [the gate's waiver]: ../gate/fn.waive.html
#[derive(Debug)]
pub struct Fast {
    selected: Selected,
    flags: LaneFlags,
    reason: Reason,
}

/// A query in the deep lane: to be probed, judged and ruled on before planning.
#[derive(Debug)]
pub struct Deep {
    selected: Selected,
    flags: LaneFlags,
    reason: Reason,
}

/// Why a query takes its lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The caller asked for it.
    ExplicitOverride,
    /// The caller asked for a deeper look than is in service.
    DeepLaneNotInService,
}

impl Reason {
    /// The word for traces.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::ExplicitOverride => "explicit_override",
            Self::DeepLaneNotInService => "deep_lane_not_in_service",
        }
    }
}

/// Chooses the lane.
#[must_use]
pub fn choose(selected: Selected, lanes: &Lanes) -> Fast {
    let reason = match selected.query.depth {
        Depth::Fast => Reason::ExplicitOverride,
        Depth::Auto | Depth::Deep => Reason::DeepLaneNotInService,
    };
    Fast { selected, flags: lanes.fast.clone(), reason }
}

impl Fast {
    /// Why this lane.
    #[must_use]
    pub fn reason(&self) -> Reason {
        self.reason
    }

    /// What the lane may do.
    #[must_use]
    pub fn flags(&self) -> &LaneFlags {
        &self.flags
    }

    /// What the lane was chosen for.
    #[must_use]
    pub fn selected(&self) -> &Selected {
        &self.selected
    }

    /// What the lane was chosen for, spent.
    #[must_use]
    pub fn into_selected(self) -> Selected {
        self.selected
    }
}

impl Deep {
    /// Why this lane.
    #[must_use]
    pub fn reason(&self) -> Reason {
        self.reason
    }

    /// What the lane may do.
    #[must_use]
    pub fn flags(&self) -> &LaneFlags {
        &self.flags
    }

    /// What the lane was chosen for.
    #[must_use]
    pub fn selected(&self) -> &Selected {
        &self.selected
    }
}
