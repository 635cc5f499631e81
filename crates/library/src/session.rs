//! Sessions: searches that leave out what was shown.

use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use crate::search::{Found, Question};
use crate::{Error, Library, Scope};

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

impl Library {
    /// Opens a session, whose searches leave out what was shown.
    pub async fn open_session(&self, caller: &str, now: Timestamp) -> Result<Session, Error> {
        let limits = self.policy.sessions;
        let session_id = format!("s_{}", Uuid::new_v4().simple());
        let expires_at = now + SignedDuration::from_mins(i64::from(limits.minutes));
        self.store.open_search_session(&session_id, caller, (now, expires_at), limits.open_max).await?;
        Ok(Session { session_id, created_at: now, expires_at })
    }

    /// Searches a scope, without what a session has shown, and remembers what is shown now.
    /// [`Error::UnknownSession`] where the caller has no such session.
    pub async fn search_in_session(
        &self,
        scope: &Scope,
        question: Question<'_>,
        limit: Option<usize>,
        session_id: &str,
        now: Timestamp,
    ) -> Result<Found, Error> {
        let shown = self.store.shown_chunks(session_id, scope.caller(), now).await?;
        let found = self.search_without(scope, question, limit, shown.ok_or(Error::UnknownSession)?).await?;
        let chunk_ids: Vec<&str> =
            found.results.iter().map(|result| result.chunk.chunk_id.as_str()).collect();
        self.store.show_chunks(session_id, &chunk_ids, self.policy.sessions.chunks_max).await?;
        Ok(found)
    }
}
