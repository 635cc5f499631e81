//! Looks into something outside that are recorded whole: what was found, or why nothing could be.

use std::future::Future;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::Outside;

/// A look that failed when it was recorded, or that was not recorded.
#[derive(Debug)]
pub(crate) struct NotFound(pub(crate) String);

impl Outside {
    /// What `live` finds, noted where the request is recorded; where it is replayed, what was found. `given` tells one look
    /// from another.
    pub(crate) async fn look<T, E>(
        &self,
        what: &'static str,
        given: Value,
        live: impl Future<Output = Result<T, E>>,
    ) -> Result<T, E>
    where
        T: Serialize + DeserializeOwned,
        E: ToString + From<NotFound>,
    {
        let tape = match self {
            Self::Live => return live.await,
            Self::Recorded(journal) => {
                let found = live.await;
                let told = match &found {
                    Ok(found) => json!({ "found": found }),
                    Err(fault) => json!({ "fault": fault.to_string() }),
                };
                journal.looked(what, given, told);
                return found;
            }
            Self::Replayed(tape) => tape,
        };
        // Never polled: nothing is read.
        drop(live);
        let missing = || NotFound(format!("a look into `{what}` is not in the recording"));
        let mut told = tape.looked(what, &given).await.ok_or_else(missing)?;
        if let Some(fault) = told["fault"].as_str() {
            return Err(NotFound(fault.to_owned()).into());
        }
        serde_json::from_value(told["found"].take()).map_err(|error| {
            NotFound(format!("a recorded look into `{what}` cannot be read: {error}")).into()
        })
    }
}
