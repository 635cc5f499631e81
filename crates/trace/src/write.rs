//! Writes recordings: a folder each, complete or not there.

mod page;
mod shares;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Write};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha2::{Digest, Sha256};

use crate::finished::{Ended, Finished};
use crate::format::{Line, RUN_FILE};
use crate::journal::{Entry, Opening};
use crate::redact::Redactor;
use page::Page;
use shares::{Policies, Shares};

/// Bytes of a buffer that is kept for the next recording.
const BUFFER_BYTES_KEPT: usize = 1 << 20;

/// Writes recordings into one directory. What many of them share is made once, and linked where that can be.
#[derive(Default)]
pub(crate) struct Writer {
    shares: Shares,
    written: BTreeMap<String, PathBuf>,
    /// What the last recording was put together in, for the next.
    buffers: (Vec<u8>, Vec<u8>),
}

/// A recording that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Written {
    pub(crate) name: String,
    pub(crate) bytes: u64,
}

impl Writer {
    /// Writes a recording below `directory`, under `name` or the name that says when the request began; in the `spare` folder,
    /// where there is one.
    pub(crate) fn write(
        &mut self,
        directory: &Path,
        name: Option<&str>,
        mut finished: Finished,
        spare: Option<Spare>,
    ) -> io::Result<Written> {
        let name = name.map_or_else(|| name_of(&finished.ended), str::to_owned);
        let folder = directory.join(&name);
        let fresh = || Spare { folder: draft(directory, &name), bodies: None };
        let draft = spare.unwrap_or_else(fresh);
        let policy = Arc::clone(&finished.ended.policy);
        let policies = self.shares.policies(&policy)?;
        let secrets = mem::take(&mut finished.ended.secrets);
        let redactor = Redactor::new(&policy.recording, &policies.sieve, secrets);
        let mut page = Page::over(redactor, mem::take(&mut self.buffers));
        let filled = fill(&mut page, &mut self.shares, &policies, finished);
        let written = filled.and_then(|()| self.put(&draft, &folder, &page));
        if page.text.capacity() <= BUFFER_BYTES_KEPT {
            self.buffers = (page.head, page.text);
        }
        match written {
            Ok(bytes) => Ok(Written { name, bytes: u64::try_from(bytes).unwrap_or(u64::MAX) }),
            Err(error) => {
                // A full disk is not to be kept full by halves; where even this fails, there is no more to be done.
                let _ = fs::remove_dir_all(&draft.folder);
                Err(error)
            }
        }
    }

    /// Writes everything beside its place, and puts it there once it is whole. Returns the bytes that it took.
    fn put(&mut self, draft: &Spare, folder: &Path, page: &Page<'_>) -> io::Result<usize> {
        draft.make(page)?;
        let draft_folder = &draft.folder;
        let mut bytes = page.head.len() + page.text.len();
        for (hash, text) in &page.shared {
            let name = format!("{hash}.json");
            if !draft.has(hash) {
                bytes += self.put_shared(&draft_folder.join(&name), (hash, text))?;
            }
            // The newest stays longest.
            self.written.insert(hash.clone(), folder.join(name));
        }
        let run = draft_folder.join(RUN_FILE);
        let mut run = File::options().create(true).write(true).truncate(false).open(run)?;
        run.write_all(&page.head)?;
        run.write_all(&page.text)?;
        drop(run);
        if fs::rename(draft_folder, folder).is_err() {
            // One of the same name was there.
            fs::remove_dir_all(folder)?;
            fs::rename(draft_folder, folder)?;
        }
        Ok(bytes)
    }

    /// Writes a body that recordings share, or links it to one that was written before.
    fn put_shared(&mut self, place: &Path, (hash, text): (&String, &Arc<str>)) -> io::Result<usize> {
        if self.written.get(hash).is_some_and(|known| fs::hard_link(known, place).is_ok()) {
            return Ok(0);
        }
        fs::write(place, text.as_bytes())?;
        self.written.retain(|_, known| known.exists());
        Ok(text.len())
    }
}

/// A folder that nobody takes for a recording, to write the next one in: one that is made anew each time costs more than
/// its bytes.
pub(crate) struct Spare {
    folder: PathBuf,
    /// The hashes of the bodies in it; none where there is no folder yet.
    bodies: Option<BTreeSet<String>>,
}

impl Spare {
    /// The folder of a recording that is kept no longer. Nothing is left of it but what others have too.
    pub(crate) fn of(directory: &Path, name: &str) -> io::Result<Self> {
        let folder = draft(directory, name);
        fs::rename(directory.join(name), &folder)?;
        match emptied(&folder) {
            Ok(bodies) => Ok(Self { folder, bodies: Some(bodies) }),
            Err(error) => {
                let _ = fs::remove_dir_all(folder);
                Err(error)
            }
        }
    }

    /// Throws it away.
    pub(crate) fn remove(self) {
        // Where this fails, what is left of it is nobody's trouble.
        let _ = fs::remove_dir_all(self.folder);
    }

    fn has(&self, hash: &str) -> bool {
        self.bodies.as_ref().is_some_and(|bodies| bodies.contains(hash))
    }

    /// Makes the folder, with nothing in it that this recording does not refer to.
    fn make(&self, page: &Page<'_>) -> io::Result<()> {
        if let Some(bodies) = &self.bodies {
            for hash in bodies.iter().filter(|hash| !page.shared.contains_key(*hash)) {
                fs::remove_file(self.folder.join(format!("{hash}.json")))?;
            }
            return Ok(());
        }
        match fs::create_dir(&self.folder) {
            // What an earlier process left half done.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                fs::remove_dir_all(&self.folder)?;
                fs::create_dir(&self.folder)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => fs::create_dir_all(&self.folder),
            made => made,
        }
    }
}

/// Leaves nothing in a folder but bodies that others may have too. Returns their hashes.
fn emptied(folder: &Path) -> io::Result<BTreeSet<String>> {
    let mut bodies = BTreeSet::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        match name.to_str().and_then(|name| name.strip_suffix(".json")) {
            _ if entry.file_type()?.is_dir() => fs::remove_dir_all(entry.path())?,
            Some(hash) => drop(bodies.insert(hash.to_owned())),
            // The brace that every recording begins with is left: a file of no bytes is waited for when it is closed (ext4).
            None if name == RUN_FILE => File::options().write(true).open(entry.path())?.set_len(1)?,
            None => fs::remove_file(entry.path())?,
        }
    }
    Ok(bodies)
}

/// Where a recording stands until it is whole.
fn draft(directory: &Path, name: &str) -> PathBuf {
    directory.join(format!(".{name}.part"))
}

/// Puts a recording together.
fn fill(
    page: &mut Page<'_>,
    shares: &mut Shares,
    policies: &Policies,
    mut finished: Finished,
) -> io::Result<()> {
    for (_, entry) in &finished.kept.entries {
        learn(&mut page.redactor, entry);
    }
    page.line(&match &finished.kept.asked {
        Opening::Query(asked) => Line::Asked(asked.clone()),
        Opening::Documents(asked) => Line::AskedOfDocuments(asked.clone()),
    })?;
    page.share(&policies.files);
    page.line(&Line::Policies { body: policies.files.hash.clone() })?;
    if finished.kept.is_whole {
        for noted in mem::take(&mut finished.kept.entries) {
            page.noted(shares, noted)?;
        }
    }
    for stamped in finished.ended.events.iter() {
        page.event(stamped)?;
    }
    let decided = page.decided();
    page.head(&finished.header(decided))?;
    let response = (finished.ended.response)();
    let body = page.own(|text| {
        text.extend_from_slice(response.as_bytes());
        Ok(())
    })?;
    page.line(&Line::Response { body })?;
    page.line(&Line::End { redacted: page.redactor.counts().clone() })
}

fn learn(redactor: &mut Redactor<'_>, entry: &Entry) {
    match entry {
        Entry::Call { call, .. } => redactor.learn_members(&call.arguments),
        Entry::Reply { reply: Ok(delivered), .. } => redactor.learn(&delivered.value),
        Entry::Looked { found, .. } => redactor.learn(found),
        Entry::Reply { reply: Err(_), .. }
        | Entry::Clock(_)
        | Entry::Catalog(_)
        | Entry::Made { .. }
        | Entry::Model { .. }
        | Entry::ModelReply { .. }
        | Entry::Pass { .. }
        | Entry::Cancelled { .. }
        | Entry::LetGo { .. } => {}
    }
}

pub(crate) fn hash_of(text: &[u8]) -> String {
    hex::encode(Sha256::digest(text))
}

/// A name that says when the request began, and tells it from others of the same moment.
fn name_of(ended: &Ended) -> String {
    let at = ended.started_at.strftime("%Y%m%dT%H%M%S%3f").to_string();
    let hash = hash_of(format!("{}\u{0}{}", ended.caller, ended.request).as_bytes());
    format!("{at}-{}", &hash[..12])
}
