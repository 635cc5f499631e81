//! `sluice docs`: the documents of a data directory, without a server.

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use domain::Clock;
use engine::Shelf;
use indicatif::{ProgressBar, ProgressStyle};
use library::{Format, Given};
use policy::Policy;
use sha2::{Digest, Sha256};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::arguments::{Docs, DocsAction, Shared, Shelved};
use crate::assembly::{self, AssemblyFault};
use crate::clock::SystemClock;
use crate::command::{Ending, Fault, serve, tools};
use crate::desk::{DEFAULT_COLLECTION, Desk};

/// Whose documents are those of the command line.
const CALLER: &str = "command-line";

/// Adds, lists, removes or indexes anew.
pub(crate) async fn run(docs: Docs, shared: Shared) -> Result<Ending, Fault> {
    let desk = open(&docs.shelved, &shared).await?;
    let caller = caller(&docs.shelved);
    let ending = act(docs.action, &desk, &caller).await;
    desk.close().await;
    ending
}

/// The library of a data directory, which is made where it is not there.
pub(crate) async fn open(shelved: &Shelved, shared: &Shared) -> Result<Desk, Fault> {
    let policy = assembly::policy(shared)?;
    let store = serve::open(&shelved.data_dir, &policy.store).await?;
    let portfolio =
        Arc::new(assembly::portfolio(&policy, &Shelf::of(&policy.probe)).map_err(AssemblyFault::from)?);
    let (index, policy): (PathBuf, Arc<Policy>) =
        (shelved.data_dir.join(assembly::INDEX_DIR), Arc::new(policy));
    Ok(Desk::open(store, Some(&index), portfolio, policy, Arc::new(SystemClock))
        .await
        .map_err(AssemblyFault::from)?)
}

/// What waits for the recordings of what a desk was asked.
#[derive(Default)]
pub(crate) struct Recordings {
    tasks: TaskTracker,
    stop: CancellationToken,
}

impl Recordings {
    /// Records what a desk is asked below a directory, where one is given.
    pub(crate) fn of(desk: Desk, directory: Option<&Path>, name: Option<&str>) -> (Desk, Self) {
        let recordings = Self::default();
        let Some(directory) = directory else { return (desk, recordings) };
        let place = (directory.to_owned(), name.map(str::to_owned));
        (desk.recording(place, (&recordings.tasks, recordings.stop.clone())), recordings)
    }

    /// Waits until they are written.
    pub(crate) async fn end(self) {
        self.stop.cancel();
        self.tasks.close();
        self.tasks.wait().await;
    }
}

/// Whose documents they are: those of the API key that is named, or the command line's own.
pub(crate) fn caller(shelved: &Shelved) -> String {
    shelved.key.as_ref().map_or_else(|| CALLER.to_owned(), |key| hex::encode(Sha256::digest(key.trim())))
}

async fn act(action: DocsAction, desk: &Desk, caller: &str) -> Result<Ending, Fault> {
    match action {
        DocsAction::Add { paths, collection, tags } => {
            add(&paths, (collection.as_deref(), &tags), desk, caller).await
        }
        DocsAction::List { json } => list(json, desk, caller).await,
        DocsAction::Remove { ids } => {
            for id in ids {
                let is_removed = desk.library.remove(caller, &id).await.map_err(|error| failed(&error))?;
                if !is_removed {
                    return Err(Fault::Failed(format!(
                        "no document has the id {id}; see `sluice docs list`"
                    )));
                }
                writeln!(io::stdout().lock(), "removed {id}")?;
            }
            Ok(Ending::Done)
        }
        DocsAction::Reindex => {
            let documents = desk.library.reindex().await.map_err(|error| failed(&error))?;
            writeln!(io::stdout().lock(), "indexed {} anew", counted(documents))?;
            embed(desk).await
        }
    }
}

async fn add(
    paths: &[PathBuf],
    (collection, tags): (Option<&str>, &[String]),
    desk: &Desk,
    caller: &str,
) -> Result<Ending, Fault> {
    let mut files = Vec::new();
    for path in paths {
        let found = path.canonicalize().and_then(|path| gather(&path, &mut files));
        found.map_err(|error| Fault::Usage(format!("{}: {error}", path.display())))?;
    }
    if files.is_empty() {
        return Err(Fault::Usage("no Markdown, HTML, text or PDF file is there".to_owned()));
    }
    let now = SystemClock.now();
    let name = collection.unwrap_or(DEFAULT_COLLECTION);
    let collection = desk.library.collection(caller, name, now).await.map_err(|error| failed(&error))?;
    let bar = bar(files.len());
    let (mut added, mut unchanged, mut refused) = (0, 0, 0);
    for (file, format) in &files {
        bar.set_message(file.file_name().unwrap_or_default().to_string_lossy().into_owned());
        let source = file.display().to_string();
        let given = Given { tags, ..Given::new(&source, *format, &[]) };
        match put(desk, (caller, &collection.collection_id), given, file).await {
            Ok(true) => unchanged += 1,
            Ok(false) => added += 1,
            Err(reason) => {
                refused += 1;
                bar.suspend(|| writeln!(io::stderr(), "not taken in: {source}: {reason}"))?;
            }
        }
        bar.inc(1);
    }
    bar.set_message("indexing");
    desk.library.catch_up().await.map_err(|error| failed(&error))?;
    bar.finish_and_clear();
    embed(desk).await?;
    writeln!(
        io::stdout().lock(),
        "{} taken into `{name}`, {unchanged} already there, {refused} unreadable",
        counted(added)
    )?;
    Ok(if refused == 0 { Ending::Done } else { Ending::GateFailed })
}

/// Makes the vectors that are missing, where a model is configured. Without them words alone are searched.
async fn embed(desk: &Desk) -> Result<Ending, Fault> {
    let embedded = desk.library.embed().await.map_err(|error| failed(&error))?;
    if let Some(fault) = embedded.fault {
        writeln!(io::stderr(), "searched by words alone until they have vectors: {fault}")?;
    }
    Ok(Ending::Done)
}

/// Puts one file in. Says whether it was there already.
async fn put(
    desk: &Desk,
    (caller, collection_id): (&str, &str),
    given: Given<'_>,
    file: &Path,
) -> Result<bool, String> {
    let bytes = fs::read(file).map_err(|error| error.to_string())?;
    let given = Given { bytes: &bytes, ..given };
    let put = desk.library.put(caller, collection_id, given, SystemClock.now()).await;
    put.map(|added| added.is_unchanged).map_err(|error| error.to_string())
}

/// The files below a path that can be read, in the order of their paths; hidden ones and links are left out.
fn gather(path: &Path, files: &mut Vec<(PathBuf, Format)>) -> io::Result<()> {
    if !path.is_dir() {
        let format = path.file_name().and_then(|name| Format::of_name(&name.to_string_lossy()));
        files.extend(format.map(|format| (path.to_owned(), format)));
        return Ok(());
    }
    let mut entries: Vec<_> = fs::read_dir(path)?.collect::<io::Result<_>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
        if !is_hidden && !entry.file_type()?.is_symlink() {
            gather(&entry.path(), files)?;
        }
    }
    Ok(())
}

async fn list(json: bool, desk: &Desk, caller: &str) -> Result<Ending, Fault> {
    let reader = desk.of(caller);
    let mut documents = Vec::new();
    let mut cursor: Option<String> = None;
    loop {
        let page = reader.documents(None, Some(usize::MAX >> 1), cursor.as_deref()).await;
        let page = page.map_err(|fault| Fault::Failed(fault.to_string()))?;
        documents.extend(page.data);
        cursor = page.pagination.map(|page| page.cursor);
        if cursor.is_none() {
            break;
        }
    }
    if json {
        return tools::print_json(&documents);
    }
    let mut out = io::stdout().lock();
    for document in &documents {
        let (id, title, source) = (&document.id, &document.title, &document.source);
        writeln!(
            out,
            "{id}  {title}  ({}, {} chunks, {source})",
            document.source_type, document.chunk_count
        )?;
    }
    writeln!(out, "{}", counted(documents.len()))?;
    Ok(Ending::Done)
}

/// A bar over so many files on standard error, where that is a terminal.
fn bar(files: usize) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(u64::try_from(files).unwrap_or(u64::MAX));
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos} of {len}, {eta} to go  {msg}") {
        bar.set_style(style);
    }
    bar
}

fn failed(error: &library::Error) -> Fault {
    Fault::Failed(error.to_string())
}

fn counted(documents: usize) -> String {
    if documents == 1 { "1 document".to_owned() } else { format!("{documents} documents") }
}
