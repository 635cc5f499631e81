//! `sluice replay`: recorded requests once more, with no network behind them.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use domain::{RequestId, Usd};
use engine::Failure;
use policy::{Policy, PolicyError};
use serde::Deserialize;
use serde_json::Value;
use tokio_util::sync::CancellationToken;
use trace::{
    Event, Keeping, Listener, Mismatch, Parting, RUN_FILE, Stamped, Still, Summary, Tape, ToldEvent, Trace,
};

use crate::arguments::{Replay, Shared};
use crate::assembly::Assembly;
use crate::command::{Ending, Fault};
use crate::desk::sitting::{Around, Asked};
use crate::outside::{self, Outside};
use crate::reply::{self, Admitted, Lines, NoReply};
use crate::to_wire::chat::Narration;

/// What a replay came to.
struct Replayed {
    response: String,
    recorded: String,
    /// Where the decisions part; none where they do not.
    parting: Option<Parting>,
    /// The first event that is another one than was recorded; none where they are the same.
    event: Option<String>,
    summary: Summary,
    /// What the recording did not have.
    misses: Vec<String>,
}

/// Replays, or compares two recordings.
pub(crate) async fn run(replay: Replay, shared: Shared) -> Result<Ending, Fault> {
    if replay.diff {
        if shared.policies.is_some() {
            return Err(Fault::Usage(
                "--diff compares what was recorded, whatever --policies says".to_owned(),
            ));
        }
        return diff(&replay.recordings);
    }
    let other = shared.policies.as_deref().map(Policy::load).transpose()?;
    tokio::time::pause();
    let _still = Still::stand();
    let mut differ = 0;
    for folder in folders(&replay.recordings)? {
        let is_same = one(&folder, other.as_ref(), replay.print).await?;
        differ += usize::from(!is_same);
    }
    Ok(if differ == 0 { Ending::Done } else { Ending::GateFailed })
}

/// The recordings that paths name: themselves, or those below them.
fn folders(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Fault> {
    let mut folders = Vec::new();
    for path in paths {
        if path.join(RUN_FILE).is_file() {
            folders.push(path.clone());
            continue;
        }
        let unreadable = |error| Fault::Usage(format!("{}: {error}", path.display()));
        let mut below = Vec::new();
        for entry in std::fs::read_dir(path).map_err(unreadable)? {
            let folder = entry.map_err(unreadable)?.path();
            if folder.join(RUN_FILE).is_file() {
                below.push(folder);
            }
        }
        if below.is_empty() {
            return Err(Fault::Usage(format!("{}: there is no recording", path.display())));
        }
        below.sort();
        folders.extend(below);
    }
    Ok(folders)
}

/// Replays one recording and says how it went; whether it came to the same.
async fn one(folder: &Path, other: Option<&Policy>, prints: bool) -> Result<bool, Fault> {
    let trace = Trace::open(folder)?;
    let name = folder.display();
    let replayed = match other {
        None => {
            let policy = Policy::of_files(&trace.policies()?).map_err(|error| older(folder, &error))?;
            replayed(&trace, policy, Keeping::Strict).await?
        }
        Some(policy) => replayed(&trace, policy.clone(), Keeping::Free).await?,
    };
    let mut out = io::stdout().lock();
    let replayed = match replayed {
        Ok(replayed) => replayed,
        Err(_) if trace.header.major == 1 && trace.header.summary.is_cancelled => {
            writeln!(out, "{name}: given up when it was recorded, and not replayed to its end")?;
            return Ok(true);
        }
        Err(mismatch) => {
            writeln!(out, "{name}: not the same: {mismatch}")?;
            return Ok(false);
        }
    };
    if prints {
        writeln!(out, "{}", replayed.response)?;
    }
    if other.is_some() {
        // What is tried again is missed again.
        let misses: BTreeSet<&String> = replayed.misses.iter().collect();
        for miss in misses {
            writeln!(out, "{name}: {miss}")?;
        }
        write!(out, "{name}: ")?;
        told(&mut out, replayed.parting.as_ref(), (&trace.header.summary, &replayed.summary))?;
        return Ok(replayed.parting.is_none());
    }
    let parting = differing(&replayed.recorded, &replayed.response).or(replayed.event);
    match &parting {
        None if prints => {}
        None => {
            let given_up = if trace.header.summary.is_cancelled { ", given up where it was" } else { "" };
            writeln!(out, "{name}: the same {} bytes{given_up}", replayed.response.len())?;
        }
        Some(at) => writeln!(out, "{name}: not the same: {at}")?,
    }
    Ok(parting.is_none())
}

/// Says what to do about a recording whose policies are not those of this version: a key was added or taken away since.
fn older(folder: &Path, error: &PolicyError) -> Fault {
    let name = folder.display();
    Fault::Usage(format!(
        "{name}: its policies are those of another version of sluice ({error}); take that version, ask it under other \
         policies (`sluice replay {name} --policies DIR`), or record it anew (`sluice trace again {name}`)"
    ))
}

/// Runs a recorded request over its tape.
async fn replayed(
    trace: &Trace,
    policy: Policy,
    keeping: Keeping,
) -> Result<Result<Replayed, Mismatch>, Fault> {
    let tape = trace.tape(keeping)?;
    if is_untold(trace, &tape) {
        return Ok(Err(Mismatch("nothing says when it was given up".to_owned())));
    }
    let heard = Heard::default();
    let ended = match trace.asked_of_documents() {
        Some((question, _)) => documents(trace, question, policy, (&tape, &heard)).await?,
        None => query(trace, policy, (&tape, &heard)).await?,
    };
    let (response, cost) = match ended {
        Ok(ended) => ended,
        Err(mismatch) => return Ok(Err(mismatch)),
    };
    if let Some(rest) = tape.rest() {
        return Ok(Err(Mismatch(rest)));
    }
    let events = heard.take();
    Ok(Ok(Replayed {
        response,
        recorded: trace.response()?,
        parting: trace::parting(&trace.decisions(), &trace::decisions_of(&events)),
        event: other_event(trace, &events),
        summary: trace::summary(&events, &cost),
        misses: tape.misses(),
    }))
}

/// Whether it was given up and does not say when, as recordings of version 1 may.
fn is_untold(trace: &Trace, tape: &Tape) -> bool {
    tape.is_strict() && trace.header.summary.is_cancelled && !tape.tells_when_given_up()
}

/// The bytes of a reply, and its cost in dollars; or where the run parts from its recording.
type Ended = Result<(String, String), Mismatch>;

async fn query(trace: &Trace, policy: Policy, (tape, heard): (&Arc<Tape>, &Heard)) -> Result<Ended, Fault> {
    let (query, around) = trace.asked()?;
    let public_url = around.get("public_url").cloned().unwrap_or_default();
    let assembly = Box::pin(Assembly::replaying(policy, public_url)).await?;
    let admitted = Admitted {
        request: RequestId::new(trace.header.request.clone()),
        caller: trace.header.caller.clone(),
        query,
        lines: Lines::read(around),
        is_guarded: around.contains_key(outside::GUARDED),
        spent_before: around
            .get(outside::SPENT_BEFORE)
            .and_then(|text| Usd::parse(text))
            .unwrap_or(Usd::ZERO),
    };
    let cancel = CancellationToken::new();
    let outside = Outside::Replayed(Arc::clone(tape));
    let run = reply::over(&assembly, admitted, (&outside, cancel.clone()), Some(heard.listener()));
    let driven = Box::pin(tape.drive(&cancel, run)).await;
    assembly.close().await;
    let reply = match driven {
        Ok(reply) => reply,
        Err(mismatch) => return Ok(Err(mismatch)),
    };
    let (reply, cost): (Result<_, Failure>, _) = match reply {
        Ok(result) => {
            let cost = result.cost.total_cost_usd.clone();
            (Ok(result), cost)
        }
        Err(NoReply::Failed(failure)) => (Err(failure), String::new()),
        Err(other) => return Err(Fault::Failed(other.to_string())),
    };
    Ok(Ok((outside::response(&reply)(), cost)))
}

async fn documents(
    trace: &Trace,
    question: &Value,
    policy: Policy,
    (tape, heard): (&Arc<Tape>, &Heard),
) -> Result<Ended, Fault> {
    let unknown = |error| Fault::Usage(format!("what was asked of documents is not known here: {error}"));
    let asked = Asked::deserialize(question).map_err(unknown)?;
    let assembly = Box::pin(Assembly::replaying(policy, String::new())).await?;
    let cancel = CancellationToken::new();
    let around = Around {
        outside: Outside::Replayed(Arc::clone(tape)),
        cancel: cancel.clone(),
        listener: Some(heard.listener()),
    };
    let driven = {
        let reader = assembly.desk.of(&trace.header.caller);
        let (question, wants) = (asked.question().to_owned(), asked.wants().cloned());
        let kept = (assembly.policy.server.delta_chars_max, true);
        let narration = Narration::new(&question, wants, kept, &|_| {});
        let again = reader.ask_again(asked, trace.header.request.clone(), around, &narration);
        tape.drive(&cancel, again).await
    };
    assembly.close().await;
    Ok(driven.map(|response| (response, trace.header.summary.cost_usd.clone())))
}

/// The events of a run.
#[derive(Default)]
struct Heard(Arc<Mutex<Vec<Stamped>>>);

impl Heard {
    fn listener(&self) -> Listener {
        let heard = Arc::clone(&self.0);
        Arc::new(move |stamped| heard.lock().unwrap_or_else(PoisonError::into_inner).push(stamped.clone()))
    }

    fn take(&self) -> Vec<Stamped> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The first event that is another one than was recorded. Streams are told from events, so theirs are the same where these
/// are.
fn other_event(trace: &Trace, events: &[Stamped]) -> Option<String> {
    // Words on their way are heard and not kept: they stand in the answer.
    let kept = events.iter().filter(|stamped| !matches!(stamped.event, Event::AnswerSpoken { .. }));
    let mut again = kept.map(|stamped| ToldEvent {
        at: stamped.at,
        name: stamped.event.name().to_owned(),
        told: stamped.event.told(),
    });
    let mut recorded = trace.events();
    let told = |event: Option<ToldEvent>| {
        event.map_or("its end".to_owned(), |event| format!("{} {} at {}", event.name, event.told, event.at))
    };
    loop {
        match (recorded.next(), again.next()) {
            (None, None) => return None,
            (one, other) if one == other => {}
            (one, other) => {
                return Some(format!(
                    "an event is another one\n  recorded: {}\n  replayed: {}",
                    told(one),
                    told(other)
                ));
            }
        }
    }
}

/// Where two replies part; none where they are the same bytes.
fn differing(recorded: &str, replayed: &str) -> Option<String> {
    if recorded == replayed {
        return None;
    }
    let at = recorded.bytes().zip(replayed.bytes()).take_while(|(one, other)| one == other).count();
    let around = |text: &str| {
        let bytes = text.as_bytes();
        let (begin, end) = (at.saturating_sub(40).min(bytes.len()), (at + 60).min(bytes.len()));
        String::from_utf8_lossy(&bytes[begin..end]).into_owned()
    };
    Some(format!(
        "the replies part at byte {at}\n  recorded: …{}…\n  replayed: …{}…",
        around(recorded),
        around(replayed)
    ))
}

/// Says where two recordings part.
fn diff(recordings: &[PathBuf]) -> Result<Ending, Fault> {
    let [one, other] = recordings else {
        return Err(Fault::Usage("--diff takes two recordings".to_owned()));
    };
    let (one, other) = (Trace::open(one)?, Trace::open(other)?);
    let parting = trace::parting(&one.decisions(), &other.decisions());
    let mut out = io::stdout().lock();
    told(&mut out, parting.as_ref(), (&one.header.summary, &other.header.summary))?;
    Ok(if parting.is_none() { Ending::Done } else { Ending::GateFailed })
}

fn told(
    out: &mut impl Write,
    parting: Option<&Parting>,
    (one, other): (&Summary, &Summary),
) -> io::Result<()> {
    match parting {
        None => writeln!(out, "the same decisions")?,
        Some(parting) => {
            writeln!(out, "{} decisions are the same; then they part", parting.same)?;
            let mut decided = |who: &str, decision: Option<&trace::Decision>| match decision {
                None => writeln!(out, "  {who}: it had ended"),
                Some(decision) => writeln!(out, "  {who}: {} {}", decision.name, decision.told),
            };
            if let Some(before) = &parting.before {
                decided("after", Some(before))?;
            }
            decided("one", parting.one.as_ref())?;
            decided("other", parting.other.as_ref())?;
            for (path, one, other) in parting.differences() {
                writeln!(out, "  differs: {path}: {one} / {other}")?;
            }
        }
    }
    writeln!(out, "  outcome: {} / {}", one.outcome, other.outcome)?;
    writeln!(out, "  reason:  {} / {}", one.reason, other.reason)?;
    writeln!(out, "  calls:   {} / {}", one.calls, other.calls)?;
    writeln!(out, "  models:  {} / {} requests", one.model_requests, other.model_requests)?;
    let difference = difference(&one.cost_usd, &other.cost_usd);
    writeln!(out, "  cost:    ${} / ${}{difference}", one.cost_usd, other.cost_usd)?;
    writeln!(out, "  time:    {} ms / {} ms", one.duration_ms, other.duration_ms)
}

/// How much more or less the other one cost, in dollars; nothing where they cost the same.
fn difference(one: &str, other: &str) -> String {
    let [one, other] = [one, other].map(|text| Usd::parse(text).unwrap_or(Usd::ZERO));
    match one.cmp(&other) {
        Ordering::Less => format!(", ${} more", other.saturating_sub(one)),
        Ordering::Greater => format!(", ${} less", one.saturating_sub(other)),
        Ordering::Equal => String::new(),
    }
}
