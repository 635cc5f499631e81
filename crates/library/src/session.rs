//! Sessions: searches that leave out what was shown.

use std::collections::{BTreeMap, BTreeSet};

use jiff::{SignedDuration, Timestamp};
use policy::SearchSessions;
use uuid::Uuid;

/// A session that was opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// Its identifier.
    pub session_id: String,
    /// When it was opened.
    pub created_at: Timestamp,
    /// When it is forgotten.
    pub expires_at: Timestamp,
}

/// The sessions that are open. They live in memory: one that is lost costs a repeated result.
#[derive(Debug)]
pub(crate) struct Sessions {
    limits: SearchSessions,
    open: BTreeMap<String, Open>,
}

#[derive(Debug)]
struct Open {
    caller: String,
    expires_at: Timestamp,
    shown: BTreeSet<i64>,
}

impl Sessions {
    pub(crate) fn new(limits: SearchSessions) -> Self {
        Self { limits, open: BTreeMap::new() }
    }

    pub(crate) fn open(&mut self, caller: &str, now: Timestamp) -> Session {
        self.open.retain(|_, open| open.expires_at > now);
        while self.open.len() >= self.limits.open_max {
            let oldest = self.open.iter().min_by_key(|(_, open)| open.expires_at).map(|(id, _)| id.clone());
            let Some(oldest) = oldest else { break };
            self.open.remove(&oldest);
        }
        let session_id = format!("s_{}", Uuid::new_v4().simple());
        let expires_at = now + SignedDuration::from_mins(i64::from(self.limits.minutes));
        let open = Open { caller: caller.to_owned(), expires_at, shown: BTreeSet::new() };
        self.open.insert(session_id.clone(), open);
        Session { session_id, created_at: now, expires_at }
    }

    /// The numbers of the chunks that a caller's session has shown; nothing where there is no such session.
    pub(crate) fn shown(&self, session_id: &str, caller: &str, now: Timestamp) -> Option<BTreeSet<i64>> {
        let open = self.open.get(session_id)?;
        (open.caller == caller && open.expires_at > now).then(|| open.shown.clone())
    }

    pub(crate) fn show(&mut self, session_id: &str, chunks: impl IntoIterator<Item = i64>) {
        if let Some(open) = self.open.get_mut(session_id) {
            let room = self.limits.chunks_max.saturating_sub(open.shown.len());
            open.shown.extend(chunks.into_iter().take(room));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(minutes: i64) -> Timestamp {
        Timestamp::UNIX_EPOCH + SignedDuration::from_mins(minutes)
    }

    #[test]
    fn a_session_is_its_callers_for_its_time() {
        let mut sessions = Sessions::new(SearchSessions { minutes: 60, open_max: 2, chunks_max: 3 });
        let session = sessions.open("a", at(0));
        assert_eq!(session.expires_at, at(60));
        sessions.show(&session.session_id, [1, 2, 3, 4]);
        assert_eq!(sessions.shown(&session.session_id, "a", at(59)), Some(BTreeSet::from([1, 2, 3])));
        assert_eq!(sessions.shown(&session.session_id, "b", at(59)), None);
        assert_eq!(sessions.shown(&session.session_id, "a", at(60)), None);
        sessions.open("a", at(1));
        sessions.open("a", at(2));
        assert_eq!(sessions.shown(&session.session_id, "a", at(3)), None, "the oldest made room");
    }
}
