//! Pacing: how often, how many at once, how far apart.

use std::collections::VecDeque;
use std::time::Duration;

use domain::RateLimit;
use tokio::sync::{Mutex, Semaphore, SemaphorePermit};
use tokio::time::{Instant, sleep_until};

/// What a rate limit is counted over.
const WINDOW: Duration = Duration::from_mins(1);

/// The pacing that one method asks for.
pub(crate) struct Pace {
    at_once: Option<Semaphore>,
    starts: Option<Starts>,
}

impl Pace {
    pub(crate) fn new(limit: &RateLimit) -> Self {
        let per_window = limit.requests_per_minute_max;
        let apart = limit.cooldown_ms.map(Duration::from_millis);
        let paced = per_window.is_some() || apart.is_some();
        Self {
            at_once: limit.concurrency_max.map(|most| Semaphore::new(most as usize)),
            starts: paced.then(|| Starts::new(per_window, apart.unwrap_or_default())),
        }
    }

    /// Waits for a turn, first come first served; the turn lasts until the permit is dropped.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future gives the place in the queue up and counts for nothing.
    pub(crate) async fn turn(&self) -> Option<SemaphorePermit<'_>> {
        let permit = match &self.at_once {
            Some(semaphore) => semaphore.acquire().await.ok(),
            None => None,
        };
        if let Some(starts) = &self.starts {
            starts.next().await;
        }
        permit
    }
}

/// When something was started lately: never more often than allowed within any window, and never closer together.
pub(crate) struct Starts {
    per_window: Option<usize>,
    apart: Duration,
    // Held while the first in the queue waits, so that the lock is the queue.
    recent: Mutex<VecDeque<Instant>>,
}

impl Starts {
    pub(crate) fn new(per_window: Option<u32>, apart: Duration) -> Self {
        Self { per_window: per_window.map(|most| most as usize), apart, recent: Mutex::default() }
    }

    /// Waits until one more may start.
    pub(crate) async fn next(&self) {
        let mut recent = self.recent.lock().await;
        let spaced = recent.back().and_then(|last| last.checked_add(self.apart));
        let most = self.per_window.unwrap_or(1);
        let roomy = if self.per_window.is_some() && recent.len() >= most {
            recent.front().map(|first| *first + WINDOW)
        } else {
            None
        };
        if let Some(due) = spaced.max(roomy) {
            sleep_until(due).await;
        }
        while recent.len() >= most {
            recent.pop_front();
        }
        recent.push_back(Instant::now());
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use futures::FutureExt;

    use super::*;

    fn limit(per_minute: Option<u32>, at_once: Option<u32>, cooldown_ms: Option<u64>) -> RateLimit {
        RateLimit {
            requests_per_minute_max: per_minute,
            concurrency_max: at_once,
            cooldown_ms,
            ..RateLimit::default()
        }
    }

    async fn starts_of(pace: &Pace, count: usize) -> Vec<u128> {
        let begin = Instant::now();
        let mut starts = Vec::new();
        for _ in 0..count {
            pace.turn().await;
            starts.push(begin.elapsed().as_millis());
        }
        starts
    }

    #[tokio::test(start_paused = true)]
    async fn an_unpaced_method_never_waits() {
        assert_eq!(starts_of(&Pace::new(&RateLimit::default()), 100).await, vec![0; 100]);
    }

    #[tokio::test(start_paused = true)]
    async fn calls_keep_apart() {
        assert_eq!(starts_of(&Pace::new(&limit(None, None, Some(200))), 4).await, [0, 200, 400, 600]);
    }

    #[tokio::test(start_paused = true)]
    async fn no_minute_has_more_calls_than_allowed() {
        let starts = starts_of(&Pace::new(&limit(Some(3), None, Some(1_000))), 8).await;
        assert_eq!(starts, [0, 1_000, 2_000, 60_000, 61_000, 62_000, 120_000, 121_000]);
    }

    #[tokio::test(start_paused = true)]
    async fn only_so_many_run_at_once() {
        let pace = Pace::new(&limit(None, Some(2), None));
        let first = pace.turn().await;
        let _second = pace.turn().await;
        assert!(pace.turn().now_or_never().is_none());
        drop(first);
        assert!(pace.turn().now_or_never().is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn a_turn_that_is_given_up_counts_for_nothing() {
        let pace = Arc::new(Pace::new(&limit(None, None, Some(1_000))));
        pace.turn().await;
        let begin = Instant::now();
        assert!(tokio::time::timeout(Duration::from_millis(500), pace.turn()).await.is_err());
        pace.turn().await;
        assert_eq!(begin.elapsed().as_millis(), 1_000);
    }
}
