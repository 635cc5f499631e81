//! The recorder of a process: takes finished recordings in without waiting, writes them one by one, and keeps to the
//! bounds of the policy. Whatever happens to its disk, no request hears of it.

use std::collections::VecDeque;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use domain::Clock;
use jiff::{SignedDuration, Timestamp};
use policy::Recording;
use sha2::{Digest, Sha256};
use tokio::sync::mpsc::{self, Receiver, Sender};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::finished::Finished;
use crate::read;
use crate::write::{Spare, Writer, Written};

/// Where finished recordings go.
pub struct Recorder {
    directory: PathBuf,
    policy: Recording,
    queue: Sender<Message>,
    fate: Arc<Fate>,
}

/// What the thread that writes is told.
enum Message {
    Finished(Box<Finished>),
    /// Whatever comes after this is left out.
    Stop,
}

/// How the writing goes.
#[derive(Default)]
struct Fate {
    is_failing: AtomicBool,
    failed: AtomicU64,
    left_out: AtomicU64,
    waiting: AtomicU64,
}

impl Recorder {
    /// A recorder that writes into a directory, each recording under the name that is given or one that says when its
    /// request began, on a thread of its own that `tracker` waits for, until `stop` trips and what was taken in is written.
    #[must_use]
    pub fn start(
        (directory, name): (PathBuf, Option<String>),
        policy: &Recording,
        clock: Arc<dyn Clock>,
        (tracker, stop): (&TaskTracker, CancellationToken),
    ) -> Self {
        let (queue, taken) = mpsc::channel(policy.queue_runs_max);
        let fate = Arc::new(Fate::default());
        let desk = Desk {
            directory: directory.clone(),
            name,
            policy: policy.clone(),
            clock,
            writer: Writer::default(),
            kept: None,
            spare: None,
            fate: Arc::clone(&fate),
        };
        let (told, over) = oneshot::channel();
        let work = move || {
            step_back();
            desk.work(taken);
            let _ = told.send(());
        };
        if let Err(error) = thread::Builder::new().name("recorder".to_owned()).spawn(work) {
            tracing::warn!(%error, "there is no thread to write recordings on");
        }
        let last = queue.clone();
        tracker.spawn(async move {
            stop.cancelled().await;
            let _ = last.send(Message::Stop).await;
            let _ = over.await;
        });
        Self { directory, policy: policy.clone(), queue, fate }
    }

    /// Where the recordings are.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Whether a request is among those that are recorded. The same request always is, or never.
    #[must_use]
    pub fn wants(&self, request: &str) -> bool {
        let hash: [u8; 32] = Sha256::digest(request.as_bytes()).into();
        let lead = u32::from_be_bytes([hash[0], hash[1], hash[2], hash[3]]);
        f64::from(lead) < self.policy.sample_share * (f64::from(u32::MAX) + 1.0)
    }

    /// Takes a recording in. Where too many wait already it is left out.
    pub fn keep(&self, finished: Finished) {
        self.fate.waiting.fetch_add(1, Ordering::Relaxed);
        if self.queue.try_send(Message::Finished(Box::new(finished))).is_ok() {
            return;
        }
        self.fate.waiting.fetch_sub(1, Ordering::Relaxed);
        if self.fate.left_out.fetch_add(1, Ordering::Relaxed) == 0 {
            tracing::warn!(
                "recordings come faster than they are written: some are left out (`queue_runs_max`)"
            );
        }
    }

    /// Recordings that are yet to be written.
    #[must_use]
    pub fn waiting(&self) -> u64 {
        self.fate.waiting.load(Ordering::Relaxed)
    }

    /// Recordings that were left out because too many waited, and that could not be written.
    #[must_use]
    pub fn lost(&self) -> (u64, u64) {
        (self.fate.left_out.load(Ordering::Relaxed), self.fate.failed.load(Ordering::Relaxed))
    }
}

/// Lets everybody else go first, where the system lets one thread do so.
fn step_back() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(None, NICE) {
        tracing::debug!(%error, "recordings are written at the priority of requests");
    }
}

/// The niceness of the thread that writes.
#[cfg(target_os = "linux")]
const NICE: i32 = 10;

/// How long a recording waits for others to be written along with it.
const GATHERING: Duration = Duration::from_millis(5);

struct Desk {
    directory: PathBuf,
    name: Option<String>,
    policy: Recording,
    clock: Arc<dyn Clock>,
    writer: Writer,
    /// What is kept, oldest first, with its bytes; none before the directory was looked at.
    kept: Option<VecDeque<(Written, Timestamp)>>,
    spare: Option<Spare>,
    fate: Arc<Fate>,
}

impl Desk {
    fn work(mut self, mut taken: Receiver<Message>) {
        while let Some(next) = taken.blocking_recv() {
            if taken.is_empty() {
                // What comes meanwhile needs nobody to be woken.
                thread::sleep(GATHERING);
            }
            match next {
                Message::Finished(finished) => {
                    self.keep(*finished);
                    self.fate.waiting.fetch_sub(1, Ordering::Relaxed);
                }
                Message::Stop => taken.close(),
            }
        }
        if let Some(spare) = self.spare {
            spare.remove();
        }
    }

    fn keep(&mut self, finished: Finished) {
        let spare = self.spare.take();
        let written = self.writer.write(&self.directory, self.name.as_deref(), finished, spare);
        let has_own_name = self.name.is_some();
        let now = self.clock.now();
        let made_room =
            written.and_then(|written| if has_own_name { Ok(()) } else { self.make_room(written, now) });
        match made_room {
            Ok(()) => {
                if self.fate.is_failing.swap(false, Ordering::Relaxed) {
                    tracing::info!("recordings are written again");
                }
            }
            Err(error) => {
                self.fate.failed.fetch_add(1, Ordering::Relaxed);
                if !self.fate.is_failing.swap(true, Ordering::Relaxed) {
                    tracing::warn!(%error, "a recording was not written; requests are answered all the same");
                }
            }
        }
    }

    /// Lets go of what is over the bounds. Only now, that the newest is whole: whatever the disk does to the next one, what
    /// is kept stays.
    fn make_room(&mut self, written: Written, now: Timestamp) -> io::Result<()> {
        if self.kept.is_none() {
            self.kept = Some(found(&self.directory, &written.name)?);
        }
        let Some(kept) = &mut self.kept else { return Ok(()) };
        kept.push_back((written, now));
        let oldest = now
            .checked_sub(SignedDuration::from_hours(self.policy.hours_kept.into()))
            .unwrap_or(Timestamp::MIN);
        let mut bytes: u64 = kept.iter().map(|(written, _)| written.bytes).sum();
        while let Some((first, at)) = kept.front() {
            let is_over = kept.len() > self.policy.runs_kept_max || bytes > self.policy.bytes_kept_max;
            if !is_over && *at >= oldest {
                break;
            }
            bytes -= first.bytes;
            let name = first.name.clone();
            kept.pop_front();
            if self.spare.is_none()
                && let Ok(spare) = Spare::of(&self.directory, &name)
            {
                self.spare = Some(spare);
                continue;
            }
            match fs::remove_dir_all(self.directory.join(name)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }
}

/// What earlier processes left in the directory, but for the recording that was just written.
fn found(directory: &Path, but: &str) -> io::Result<VecDeque<(Written, Timestamp)>> {
    let mut kept = VecDeque::new();
    for (name, header) in read::list(directory)? {
        if name != but {
            let bytes = size(&directory.join(&name))?;
            kept.push_back((Written { name, bytes }, header.started_at));
        }
    }
    Ok(kept)
}

fn size(folder: &Path) -> io::Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let metadata = entry.metadata()?;
        bytes += if metadata.is_dir() { size(&entry.path())? } else { metadata.len() };
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use policy::Policy;
    use serde_json::json;

    use super::*;
    use crate::finished::Ended;
    use crate::journal::Journal;
    use crate::read::Trace;

    struct StandingClock;

    impl Clock for StandingClock {
        fn now(&self) -> Timestamp {
            "2026-06-01T12:00:00Z".parse().unwrap()
        }
    }

    fn desk(directory: &Path, policy: &Policy) -> Desk {
        Desk {
            directory: directory.to_owned(),
            name: None,
            policy: policy.recording.clone(),
            clock: Arc::new(StandingClock),
            writer: Writer::default(),
            kept: None,
            spare: None,
            fate: Arc::default(),
        }
    }

    fn finished(policy: &Policy, second: i64) -> Finished {
        let ends = (Arc::new(StandingClock) as Arc<dyn Clock>, CancellationToken::new());
        let question = json!({"question": "x".repeat(usize::try_from(second).unwrap() * 100)});
        let journal =
            Journal::of_documents(question, [("attempt".to_owned(), "1".to_owned())].into(), ends, 1 << 20);
        let ended = Ended {
            policy: Arc::new(policy.clone()),
            caller: "tests".to_owned(),
            request: second.to_string(),
            question: second.to_string(),
            started_at: StandingClock.now() + SignedDuration::from_secs(second),
            events: Arc::default(),
            cost_usd: "0".to_owned(),
            is_cancelled: false,
            response: Box::new(|| "null".to_owned()),
            secrets: Vec::new(),
        };
        Finished::of(&journal, ended)
    }

    /// The questions of the recordings in a directory, each of which is whole.
    fn questions(directory: &Path) -> Vec<String> {
        let listed = read::list(directory).unwrap();
        listed
            .into_iter()
            .map(|(name, header)| {
                let trace = Trace::open(&directory.join(name)).unwrap();
                assert_eq!(
                    (trace.response().unwrap(), trace.policies().unwrap().is_empty()),
                    ("null".to_owned(), false)
                );
                header.question
            })
            .collect()
    }

    #[test]
    fn what_is_kept_stays_while_the_disk_fails_the_next() {
        let mut policy = Policy::shipped().unwrap();
        policy.recording.runs_kept_max = 2;
        let directory = tempfile::tempdir().unwrap();
        let directory = directory.path();
        let mut desk = desk(directory, &policy);
        // The later ones are shorter than those whose folders they take.
        for second in (4..=9).rev() {
            desk.keep(finished(&policy, second));
        }
        assert_eq!(questions(directory), ["4", "5"]);
        let hidden = fs::read_dir(directory).unwrap().flatten();
        let hidden: Vec<_> = hidden.filter(|it| it.file_name().to_string_lossy().starts_with('.')).collect();
        assert_eq!(hidden.len(), 1);
        assert_eq!(fs::read_to_string(hidden[0].path().join(crate::RUN_FILE)).unwrap(), "{");

        // What stands in the next one's place is no folder.
        let next = finished(&policy, 3);
        let name = Writer::default()
            .write(&directory.join("elsewhere"), None, finished(&policy, 3), None)
            .unwrap()
            .name;
        fs::remove_dir_all(directory.join("elsewhere")).unwrap();
        fs::write(directory.join(&name), "").unwrap();
        desk.keep(next);
        assert_eq!(
            (questions(directory).as_slice(), desk.fate.failed.load(Ordering::Relaxed)),
            (["4", "5"].map(str::to_owned).as_slice(), 1)
        );
        desk.keep(finished(&policy, 2));
        assert_eq!(questions(directory), ["2", "4"]);

        fs::remove_file(directory.join(name)).unwrap();
        desk.keep(finished(&policy, 1));
        assert_eq!(questions(directory), ["1", "2"]);
        let (queue, taken) = mpsc::channel(1);
        drop(queue);
        desk.work(taken);
        assert_eq!(fs::read_dir(directory).unwrap().count(), 2);
    }
}
