//! The runs of conversations: each goes on without its connection, and keeps its chunks by number for whoever comes back.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use contract::chat::Chunk;
use jiff::{SignedDuration, Timestamp};
use policy::RunLimits;
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

/// The runs of one process.
pub(crate) struct Runs {
    limits: RunLimits,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The last run of each thread, by owner and thread.
    of_thread: BTreeMap<(String, String), Kept>,
    open_of_owner: BTreeMap<String, usize>,
    open: usize,
}

struct Kept {
    run: Arc<Run>,
    ended_at: Option<Timestamp>,
}

/// Why a run may not begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoRun {
    /// Another run works on the thread.
    Busy,
    /// There are as many as there may be.
    Full {
        /// The policy's key.
        limit: &'static str,
    },
}

impl Runs {
    pub(crate) fn new(limits: RunLimits) -> Self {
        Self { limits, state: Mutex::default() }
    }

    /// Begins the run of a thread. It is under way until what is given back is dropped.
    pub(crate) fn begin(
        self: &Arc<Self>,
        (owner, thread): (&str, &str),
        run: &Arc<Run>,
        now: Timestamp,
    ) -> Result<UnderWay, NoRun> {
        let key = (owner.to_owned(), thread.to_owned());
        let mut state = self.state();
        state.forget(now, &self.limits);
        if state.of_thread.get(&key).is_some_and(|kept| kept.ended_at.is_none()) {
            return Err(NoRun::Busy);
        }
        if state.open >= self.limits.open_max {
            return Err(NoRun::Full { limit: "runs.open_max" });
        }
        let of_owner = state.open_of_owner.entry(key.0.clone()).or_default();
        if *of_owner >= self.limits.per_owner_max {
            return Err(NoRun::Full { limit: "runs.per_owner_max" });
        }
        *of_owner += 1;
        state.open += 1;
        state.of_thread.insert(key.clone(), Kept { run: Arc::clone(run), ended_at: None });
        Ok(UnderWay { runs: Arc::clone(self), key, run: Arc::clone(run), ended_at: None })
    }

    /// The last run of a thread, and whether it is under way.
    pub(crate) fn of_thread(
        &self,
        (owner, thread): (&str, &str),
        now: Timestamp,
    ) -> Option<(Arc<Run>, bool)> {
        let mut state = self.state();
        state.forget(now, &self.limits);
        let kept = state.of_thread.get(&(owner.to_owned(), thread.to_owned()))?;
        Some((Arc::clone(&kept.run), kept.ended_at.is_none()))
    }

    /// Ends what works for an owner, on one thread or on all of them, and lets go of what is kept.
    pub(crate) fn drop_of(&self, owner: &str, thread: Option<&str>) {
        let mut state = self.state();
        state.of_thread.retain(|(whose, which), kept| {
            let is_meant = whose == owner && thread.is_none_or(|thread| thread == which);
            if is_meant {
                kept.run.cancel.cancel();
            }
            // One that is under way is let go of when it ends.
            !is_meant || kept.ended_at.is_none()
        });
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn forget(&mut self, now: Timestamp, limits: &RunLimits) {
        let kept_for = SignedDuration::from_secs(limits.kept_seconds.into());
        self.of_thread
            .retain(|_, kept| kept.ended_at.is_none_or(|ended| now.duration_since(ended) < kept_for));
        while self.of_thread.len() > limits.kept_max {
            let ended = self.of_thread.iter().filter_map(|(key, kept)| Some((kept.ended_at?, key.clone())));
            let Some((_, oldest)) = ended.min() else { break };
            self.of_thread.remove(&oldest);
        }
    }
}

/// A run that is under way.
pub(crate) struct UnderWay {
    runs: Arc<Runs>,
    key: (String, String),
    pub(crate) run: Arc<Run>,
    ended_at: Option<Timestamp>,
}

impl UnderWay {
    /// Lets the run go: it ended at this time.
    pub(crate) fn end(mut self, at: Timestamp) {
        self.ended_at = Some(at);
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.run.close();
        let mut state = self.runs.state();
        state.open = state.open.saturating_sub(1);
        if let Some(open) = state.open_of_owner.get_mut(&self.key.0) {
            *open = open.saturating_sub(1);
            if *open == 0 {
                state.open_of_owner.remove(&self.key.0);
            }
        }
        match self.ended_at {
            Some(at) => {
                if let Some(kept) = state.of_thread.get_mut(&self.key) {
                    kept.ended_at = Some(at);
                }
            }
            // It broke before it told anything that is worth keeping.
            None => {
                state.of_thread.remove(&self.key);
            }
        }
    }
}

/// One run and what it told.
pub(crate) struct Run {
    pub(crate) id: String,
    pub(crate) message_id: String,
    /// Stops the run.
    pub(crate) cancel: CancellationToken,
    bytes_max: usize,
    log: Mutex<Log>,
    told: watch::Sender<()>,
    readers: watch::Sender<usize>,
}

/// Somebody who reads a run, until it is dropped.
pub(crate) struct Reader(Arc<Run>);

impl Drop for Reader {
    fn drop(&mut self) {
        self.0.readers.send_modify(|readers| *readers = readers.saturating_sub(1));
    }
}

#[derive(Default)]
struct Log {
    chunks: Vec<Chunk>,
    bytes: usize,
    is_closed: bool,
}

/// Why a run's stream ends before the run does.
const TOO_LONG: &str =
    "the stream is too long (`runs.stream_bytes_max`); the answer is kept with the conversation";

impl Run {
    pub(crate) fn new(
        (id, message_id): (String, String),
        cancel: CancellationToken,
        limits: &RunLimits,
    ) -> Arc<Self> {
        Arc::new(Self {
            id,
            message_id,
            cancel,
            bytes_max: limits.stream_bytes_max,
            log: Mutex::default(),
            told: watch::Sender::new(()),
            readers: watch::Sender::new(0),
        })
    }

    /// Tells more. What is over the bound ends the stream with an error.
    pub(crate) fn tell(&self, chunks: impl IntoIterator<Item = Chunk>) {
        {
            let mut log = self.log();
            for chunk in chunks {
                if log.is_closed {
                    break;
                }
                log.bytes += chunk.frame(0).len();
                if log.bytes > self.bytes_max {
                    log.close_open_text();
                    log.chunks.push(Chunk::Error { error_text: TOO_LONG.to_owned() });
                    log.is_closed = true;
                } else {
                    log.chunks.push(chunk);
                }
            }
        }
        self.told.send_replace(());
    }

    fn close(&self) {
        self.log().is_closed = true;
        self.told.send_replace(());
    }

    /// The frames after number `after`; the number of the last one; whether there will be no more. What was told long
    /// ago is told in fewer pieces when `joins`.
    pub(crate) fn frames(&self, after: u64, joins: bool) -> (String, u64, bool) {
        let log = self.log();
        let skipped = usize::try_from(after).unwrap_or(usize::MAX).min(log.chunks.len());
        let mut text = String::new();
        let mut waiting: Option<(String, String, u64)> = None;
        let mut number = after;
        for (place, chunk) in log.chunks.iter().enumerate().skip(skipped) {
            number = u64::try_from(place).unwrap_or(u64::MAX).saturating_add(1);
            if let (Chunk::TextDelta { id, delta }, Some((open, joined, last))) = (chunk, &mut waiting)
                && open == id
            {
                joined.push_str(delta);
                *last = number;
                continue;
            }
            flush(&mut waiting, &mut text);
            if let (Chunk::TextDelta { id, delta }, true) = (chunk, joins) {
                waiting = Some((id.clone(), delta.clone(), number));
            } else {
                text.push_str(&chunk.frame(number));
            }
        }
        flush(&mut waiting, &mut text);
        (text, number, log.is_closed)
    }

    /// Reads the run from now on.
    pub(crate) fn read(self: &Arc<Self>) -> Reader {
        self.readers.send_modify(|readers| *readers += 1);
        Reader(Arc::clone(self))
    }

    /// Waits until nobody has read the run for so long.
    pub(crate) async fn left_alone(&self, patience: Duration) {
        let mut readers = self.readers.subscribe();
        while readers.wait_for(|readers| *readers == 0).await.is_ok() {
            let is_back = timeout(patience, readers.wait_for(|readers| *readers > 0)).await;
            if is_back.is_err() {
                return;
            }
        }
    }

    /// Hears when there is more.
    pub(crate) fn listen(&self) -> watch::Receiver<()> {
        self.told.subscribe()
    }

    fn log(&self) -> MutexGuard<'_, Log> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Log {
    fn close_open_text(&mut self) {
        let last = self.chunks.iter().rev().find_map(|chunk| {
            if let Chunk::TextStart { id } = chunk {
                return Some(Some(id.clone()));
            }
            matches!(chunk, Chunk::TextEnd { .. }).then_some(None)
        });
        if let Some(Some(id)) = last {
            self.chunks.push(Chunk::TextEnd { id });
        }
    }
}

fn flush(waiting: &mut Option<(String, String, u64)>, text: &mut String) {
    if let Some((id, delta, number)) = waiting.take() {
        text.push_str(&Chunk::TextDelta { id, delta }.frame(number));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: RunLimits = RunLimits {
        per_owner_max: 2,
        open_max: 3,
        stream_bytes_max: 1_000,
        kept_seconds: 60,
        kept_max: 2,
        left_alone_seconds: 0,
    };

    fn run() -> Arc<Run> {
        Run::new(("run_1".to_owned(), "msg_1".to_owned()), CancellationToken::new(), &LIMITS)
    }

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_second(seconds).unwrap()
    }

    fn delta(delta: &str) -> Chunk {
        Chunk::TextDelta { id: "t".to_owned(), delta: delta.to_owned() }
    }

    #[test]
    fn there_are_only_so_many_at_once() {
        let runs = Arc::new(Runs::new(LIMITS));
        let first = runs.begin(("a", "1"), &run(), at(0)).map_err(|_| ()).unwrap();
        assert_eq!(runs.begin(("a", "1"), &run(), at(0)).err(), Some(NoRun::Busy));
        let _second = runs.begin(("a", "2"), &run(), at(0)).map_err(|_| ()).unwrap();
        let full = |limit| Some(NoRun::Full { limit });
        assert_eq!(runs.begin(("a", "3"), &run(), at(0)).err(), full("runs.per_owner_max"));
        let _third = runs.begin(("b", "1"), &run(), at(0)).map_err(|_| ()).unwrap();
        assert_eq!(runs.begin(("c", "1"), &run(), at(0)).err(), full("runs.open_max"));
        first.end(at(1));
        assert!(runs.begin(("c", "1"), &run(), at(1)).is_ok());
    }

    #[test]
    fn a_run_is_kept_for_a_while_after_its_end() {
        let runs = Arc::new(Runs::new(LIMITS));
        let under_way = runs.begin(("a", "1"), &run(), at(0)).map_err(|_| ()).unwrap();
        assert!(runs.of_thread(("a", "1"), at(1_000)).is_some_and(|(_, is_open)| is_open));
        under_way.end(at(1_000));
        assert!(runs.of_thread(("a", "1"), at(1_059)).is_some_and(|(_, is_open)| !is_open));
        assert!(runs.of_thread(("b", "1"), at(1_059)).is_none());
        assert!(runs.of_thread(("a", "1"), at(1_060)).is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn a_run_is_alone_when_nobody_has_read_it_for_a_while() {
        let run = run();
        let first = run.read();
        let alone = run.left_alone(Duration::from_secs(5));
        tokio::pin!(alone);
        assert!(timeout(Duration::from_mins(1), &mut alone).await.is_err());
        drop(first);
        assert!(timeout(Duration::from_secs(4), &mut alone).await.is_err());
        let again = run.read();
        assert!(timeout(Duration::from_mins(1), &mut alone).await.is_err());
        drop(again);
        assert!(timeout(Duration::from_secs(6), &mut alone).await.is_ok());
    }

    #[test]
    fn what_was_told_is_told_again_from_any_number() {
        let run = run();
        run.tell([Chunk::TextStart { id: "t".to_owned() }, delta("one "), delta("two"), Chunk::Abort]);
        let (all, last, is_over) = run.frames(0, false);
        assert_eq!((all.matches("id: ").count(), last, is_over), (4, 4, false));
        let (joined, last, _) = run.frames(0, true);
        assert!(
            joined.contains("id: 3\ndata: {\"type\":\"text-delta\",\"id\":\"t\",\"delta\":\"one two\"}"),
            "{joined}"
        );
        assert_eq!((joined.matches("id: ").count(), last), (3, 4));
        let (tail, _, _) = run.frames(2, true);
        assert!(tail.starts_with("id: 3\n") && tail.contains("\"two\""), "{tail}");
        assert_eq!(run.frames(9, true).0, "");
        run.close();
        assert!(run.frames(4, true).2);
    }

    #[test]
    fn a_stream_that_is_too_long_ends_with_an_error() {
        let run = run();
        run.tell([Chunk::TextStart { id: "t".to_owned() }, delta(&"x".repeat(2_000)), delta("more")]);
        let (text, _, is_over) = run.frames(0, false);
        assert!(is_over && text.contains("\"text-end\"") && text.contains("stream_bytes_max"), "{text}");
        assert!(!text.contains("more"));
    }
}
