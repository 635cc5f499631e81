//! How many messages an owner sent: over all, and on one day.

use jiff::Timestamp;

use crate::instant::to_ms;
use crate::{Error, Store};

/// A message that is about to be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MessageCount<'a> {
    /// Who sends it.
    pub owner: &'a str,
    /// The day, as `YYYY-MM-DD` in UTC.
    pub day: &'a str,
    /// Messages at the most, over all.
    pub total_max: u64,
    /// Messages at the most, on one day.
    pub day_max: u64,
}

/// Messages so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// Over all.
    pub total: u64,
    /// On the day.
    pub day: u64,
}

/// The day that stands for all of them.
const ALL_DAYS: &str = "";

impl Store {
    /// Counts a message, where both limits leave room for it. The count so far, the message included, or without it where
    /// it was not let in.
    pub async fn count_message(
        &self,
        count: MessageCount<'_>,
        now: Timestamp,
    ) -> Result<Result<Counted, Counted>, Error> {
        let mut work = self.begin().await?;
        let mut counted = Counted::default();
        for (day, max) in [(ALL_DAYS, count.total_max), (count.day, count.day_max)] {
            let used: Option<i64> = sqlx::query_scalar(
                "INSERT INTO message_counts (owner, day, used, updated_at)
                 SELECT ?1, ?2, 1, ?4 WHERE ?3 > 0
                 ON CONFLICT (owner, day) DO UPDATE SET used = used + 1, updated_at = excluded.updated_at
                 WHERE used < ?3 RETURNING used",
            )
            .bind(count.owner)
            .bind(day)
            .bind(i64::try_from(max).unwrap_or(i64::MAX))
            .bind(to_ms(now))
            .fetch_optional(&mut *work)
            .await?;
            let Some(used) = used else {
                work.rollback().await?;
                return Ok(Err(self.counted(count.owner, count.day).await?));
            };
            let used = u64::try_from(used).unwrap_or(0);
            if day == ALL_DAYS { counted.total = used } else { counted.day = used }
        }
        work.commit().await?;
        Ok(Ok(counted))
    }

    /// How many messages an owner sent.
    pub async fn counted(&self, owner: &str, day: &str) -> Result<Counted, Error> {
        let rows: Vec<(String, i64)> =
            sqlx::query_as("SELECT day, used FROM message_counts WHERE owner = ?1 AND day IN (?2, ?3)")
                .bind(owner)
                .bind(ALL_DAYS)
                .bind(day)
                .fetch_all(&self.readers)
                .await?;
        let of = |wanted: &str| {
            let found = rows.iter().find(|(day, _)| day == wanted);
            found.map_or(0, |(_, used)| u64::try_from(*used).unwrap_or(0))
        };
        Ok(Counted { total: of(ALL_DAYS), day: of(day) })
    }
}
