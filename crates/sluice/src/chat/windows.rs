//! Sliding windows over messages: the last bucket counts by the share of it that the window still covers.
//!
//! A message is let in by every window or by none, and what is let in is counted in the same step, so however many ask at once
//! no limit is passed. What cannot be told apart any more is refused.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use policy::{Rate, Rates};

/// Whose messages are counted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Counted {
    Address(IpAddr),
    Session(String),
    Everyone,
}

/// A window that is full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Full {
    /// The policy's key.
    pub(crate) limit: &'static str,
    /// When there is room again.
    pub(crate) retry_after_seconds: u64,
}

/// The messages of the last hour.
#[derive(Debug)]
pub(crate) struct Windows {
    rates: Rates,
    seen: Mutex<BTreeMap<Counted, Seen>>,
}

const MINUTE_MS: i64 = 60_000;
const HOUR_MS: i64 = 3_600_000;

#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    minute: Buckets,
    hour: Buckets,
}

/// Messages of the bucket that began at `number` times the window's length, and of the one before.
#[derive(Clone, Copy, Debug, Default)]
struct Buckets {
    number: i64,
    now: u32,
    before: u32,
}

impl Windows {
    pub(crate) fn new(rates: Rates) -> Self {
        Self { rates, seen: Mutex::default() }
    }

    /// Lets a message in and counts it, or says what is full.
    pub(crate) fn take(&self, address: IpAddr, session: &str, at: Timestamp) -> Result<(), Full> {
        let at = at.as_millisecond();
        let keys = [Counted::Address(address), Counted::Session(session.to_owned()), Counted::Everyone];
        let mut seen = self.seen();
        self.make_room(&mut seen, &keys, at)?;
        let mut next = Vec::with_capacity(keys.len());
        for key in keys {
            let mut found = seen.get(&key).copied().unwrap_or_default();
            let (minute, hour) =
                (limit(&key, &self.rates.minute, true), limit(&key, &self.rates.hour, false));
            found.minute.take(at, MINUTE_MS, minute)?;
            found.hour.take(at, HOUR_MS, hour)?;
            next.push((key, found));
        }
        seen.extend(next);
        Ok(())
    }

    /// Forgets who was quiet for so long that nothing is counted of them; refuses where nobody was.
    fn make_room(&self, seen: &mut BTreeMap<Counted, Seen>, keys: &[Counted], at: i64) -> Result<(), Full> {
        let callers_max = self.rates.memory.callers_max.saturating_add(1);
        let unknown = keys.iter().filter(|key| !seen.contains_key(key)).count();
        if seen.len() + unknown <= callers_max {
            return Ok(());
        }
        seen.retain(|_, found| found.hour.number + 1 >= at.div_euclid(HOUR_MS));
        if seen.len() + unknown <= callers_max {
            return Ok(());
        }
        Err(Full { limit: "rate.memory.callers_max", retry_after_seconds: seconds(MINUTE_MS) })
    }

    fn seen(&self) -> MutexGuard<'_, BTreeMap<Counted, Seen>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn limit(key: &Counted, rate: &Rate, is_minute: bool) -> (&'static str, u32) {
    match (key, is_minute) {
        (Counted::Address(_), true) => ("rate.minute.per_address_max", rate.per_address_max),
        (Counted::Address(_), false) => ("rate.hour.per_address_max", rate.per_address_max),
        (Counted::Session(_), true) => ("rate.minute.per_session_max", rate.per_session_max),
        (Counted::Session(_), false) => ("rate.hour.per_session_max", rate.per_session_max),
        (Counted::Everyone, true) => ("rate.minute.global_max", rate.global_max),
        (Counted::Everyone, false) => ("rate.hour.global_max", rate.global_max),
    }
}

impl Buckets {
    /// Counts a message at this time, in milliseconds, where the window leaves room for it.
    fn take(&mut self, at: i64, length: i64, (limit, max): (&'static str, u32)) -> Result<(), Full> {
        let number = at.div_euclid(length);
        if number > self.number {
            self.before = if number == self.number + 1 { self.now } else { 0 };
            self.now = 0;
            self.number = number;
        }
        // A clock that went back stays in the bucket that it was in.
        let into = (at - self.number * length).clamp(0, length);
        // In whole messages times the length, so that nothing is rounded.
        let used = i64::from(self.before) * (length - into) + i64::from(self.now) * length;
        if used + length <= i64::from(max) * length {
            self.now += 1;
            return Ok(());
        }
        Err(Full { limit, retry_after_seconds: seconds(self.wait(into, length, max)) })
    }

    /// Milliseconds until one more fits, if nobody else comes.
    fn wait(&self, into: i64, length: i64, max: u32) -> i64 {
        let room = i64::from(max) - 1;
        if room < 0 {
            return length;
        }
        let (before, now) = (i64::from(self.before), i64::from(self.now));
        if now <= room && before > 0 {
            // The share of the last bucket that still counts has to fall to what there is room for.
            return length - (room - now) * length / before - into;
        }
        (length - into) + (length - room * length / now.max(1)).max(0)
    }
}

fn seconds(ms: i64) -> u64 {
    u64::try_from(ms.max(1)).unwrap_or(1).div_ceil(1_000)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use policy::{Rate, RateMemory};
    use proptest::prelude::proptest;

    use super::*;

    fn windows(per_address_max: u32, per_session_max: u32, global_max: u32) -> Windows {
        let rate = Rate { per_address_max, per_session_max, global_max };
        let memory = RateMemory { callers_max: 1_000 };
        Windows::new(Rates { minute: rate, hour: rate, memory })
    }

    fn at(ms: i64) -> Timestamp {
        Timestamp::from_millisecond(HOUR_MS * 1_000 + ms).unwrap()
    }

    fn address(last: u8) -> IpAddr {
        IpAddr::from([192, 0, 2, last])
    }

    #[test]
    fn ten_thousand_attempts_of_fifty_clients_pass_no_limit_by_one() {
        for (per_address, per_session, global, due) in
            [(7, 100, 10_000, 50 * 7), (100, 7, 10_000, 50 * 7), (100, 100, 333, 333), (7, 3, 100, 100)]
        {
            let windows = windows(per_address, per_session, global);
            let (all, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
            thread::scope(|scope| {
                for client in 0..50_u8 {
                    let (windows, all, most) = (&windows, &all, &most);
                    scope.spawn(move || {
                        let own = (0..200).filter(|&turn| {
                            windows.take(address(client), &format!("s{client}"), at(turn)).is_ok()
                        });
                        let own = own.count();
                        all.fetch_add(own, Ordering::Relaxed);
                        most.fetch_max(own, Ordering::Relaxed);
                    });
                }
            });
            assert_eq!(all.load(Ordering::Relaxed), due);
            assert!(most.load(Ordering::Relaxed) <= per_address.min(per_session) as usize);
        }
    }

    #[test]
    fn a_refused_message_counts_nowhere() {
        let windows = windows(10, 1, 10);
        assert_eq!(windows.take(address(1), "a", at(0)), Ok(()));
        for _ in 0..50 {
            assert_eq!(
                windows.take(address(1), "a", at(1)).unwrap_err().limit,
                "rate.minute.per_session_max"
            );
        }
        for session in ["b", "c", "d", "e", "f", "g", "h", "i", "j"] {
            assert_eq!(windows.take(address(1), session, at(2)), Ok(()), "{session}");
        }
    }

    #[test]
    fn the_last_bucket_counts_by_its_share() {
        let rate = |max| Rate { per_address_max: max, per_session_max: max, global_max: max };
        let memory = RateMemory { callers_max: 10 };
        let windows = Windows::new(Rates { minute: rate(10), hour: rate(1_000), memory });
        let take = |ms| windows.take(address(1), "a", at(ms));
        for _ in 0..10 {
            assert_eq!(take(59_000), Ok(()));
        }
        // Half of the ten still count in the middle of the next minute.
        assert_eq!((0..10).filter(|_| take(90_000).is_ok()).count(), 5);
        let full = take(90_000).unwrap_err();
        assert_eq!(full.retry_after_seconds, 6);
        assert_eq!(take(90_000 + 1_000 * 6), Ok(()));
    }

    #[test]
    fn strangers_beyond_memory_are_refused_until_others_were_quiet() {
        let rate = Rate { per_address_max: 10, per_session_max: 10, global_max: 1_000 };
        let memory = RateMemory { callers_max: 4 };
        let windows = Windows::new(Rates { minute: rate, hour: rate, memory });
        assert_eq!(windows.take(address(1), "a", at(0)), Ok(()));
        assert_eq!(windows.take(address(2), "b", at(0)), Ok(()));
        assert_eq!(windows.take(address(3), "c", at(0)).unwrap_err().limit, "rate.memory.callers_max");
        assert_eq!(windows.take(address(1), "a", at(1)), Ok(()));
        assert_eq!(windows.take(address(3), "c", at(2 * HOUR_MS)), Ok(()));
    }

    proptest! {
        #[test]
        fn whoever_waits_as_told_is_let_in(gaps in proptest::collection::vec(0_i64..20_000, 1..60), max in 1_u32..8) {
            let windows = windows(1_000, max, 1_000);
            let mut now = 0;
            for gap in gaps {
                now += gap;
                if let Err(full) = windows.take(address(1), "a", at(now)) {
                    now += i64::try_from(full.retry_after_seconds).unwrap() * 1_000;
                    // The hour's window may still be full once the minute's is not.
                    let again = windows.take(address(1), "a", at(now));
                    assert!(again.is_ok() || again.unwrap_err().limit != full.limit, "{full:?}");
                }
            }
        }
    }
}
