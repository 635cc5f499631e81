//! Opens a store: lock, connections, migrations, a new life.

use std::ffi::OsString;
use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{SqlSafeStr, SqlitePool};

use crate::{Error, Store};

/// How a store may use its machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Connections that read.
    pub readers_max: u32,
    /// Waiting for a connection.
    pub acquire_timeout: Duration,
    /// Waiting for a lock that something outside this process holds.
    pub busy_timeout: Duration,
    /// Bytes of one blob.
    pub blob_bytes_max: usize,
}

impl Store {
    /// Opens the store in this file, which is made where it is not there; its directory must be. Claims that a dead
    /// process left behind are released.
    pub async fn open(path: &Path, settings: Settings) -> Result<Self, Error> {
        let lock = lock(path)?;
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(settings.busy_timeout);
        let writer = pool(1, settings).connect_with(options.clone()).await?;
        let readers = pool(settings.readers_max, settings).connect_with(options).await?;
        Self::begin_life(writer, readers, settings, Some(Arc::new(lock))).await
    }

    /// A store that is gone when it is closed.
    pub async fn in_memory(settings: Settings) -> Result<Self, Error> {
        let options = SqliteConnectOptions::new().in_memory(true).foreign_keys(true);
        let only = pool(1, settings).connect_with(options).await?;
        Self::begin_life(only.clone(), only, settings, None).await
    }

    async fn begin_life(
        writer: SqlitePool,
        readers: SqlitePool,
        settings: Settings,
        lock: Option<Arc<File>>,
    ) -> Result<Self, Error> {
        migrations().run(&writer).await.map_err(Error::Migrate)?;
        let life =
            sqlx::query_scalar("INSERT INTO lives DEFAULT VALUES RETURNING life").fetch_one(&writer).await?;
        sqlx::query("DELETE FROM claims WHERE settled_at IS NULL").execute(&writer).await?;
        Ok(Self { writer, readers, life, blob_bytes_max: settings.blob_bytes_max, _lock: lock })
    }
}

/// Takes the file's lock, which the system gives back when the process ends, however it ends.
fn lock(path: &Path) -> Result<File, Error> {
    let lock_path = lock_path(path);
    let open = OpenOptions::new().create(true).truncate(false).write(true).open(&lock_path);
    let file = open.map_err(|source| Error::Open { path: lock_path.clone(), source })?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(Error::InUse { path: path.to_owned() }),
        Err(TryLockError::Error(source)) => Err(Error::Open { path: lock_path, source }),
    }
}

fn lock_path(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(".lock");
    PathBuf::from(name)
}

/// Connections are never closed for their age: an in-memory store is gone with its connection. Nor are they tried before
/// use: a file that this process holds does not go away, and the trial is a way to the connection's thread and back.
fn pool(connections: u32, settings: Settings) -> SqlitePoolOptions {
    SqlitePoolOptions::new()
        .max_connections(connections)
        .min_connections(1)
        .acquire_timeout(settings.acquire_timeout)
        .idle_timeout(None)
        .max_lifetime(None)
        .test_before_acquire(false)
}

fn migrations() -> Migrator {
    let texts = MIGRATIONS.into_iter().enumerate();
    Migrator::with_migrations(texts.map(|(at, (name, text))| migration(at, name, text)).collect())
}

fn migration(at: usize, name: &'static str, text: &'static str) -> Migration {
    let version = i64::try_from(at).map_or(i64::MAX, |at| at + 1);
    Migration::new(version, name.into(), MigrationType::Simple, text.into_sql_str(), false)
}

/// In the order of their versions, from one.
const MIGRATIONS: [(&str, &str); 9] = [
    ("initial", include_str!("../migrations/0001_initial.sql")),
    ("gate", include_str!("../migrations/0002_gate.sql")),
    ("charges", include_str!("../migrations/0003_charges.sql")),
    ("library", include_str!("../migrations/0004_library.sql")),
    ("threads", include_str!("../migrations/0005_threads.sql")),
    ("searches", include_str!("../migrations/0006_searches.sql")),
    ("vectors", include_str!("../migrations/0007_vectors.sql")),
    ("tags", include_str!("../migrations/0008_tags.sql")),
    ("recaps", include_str!("../migrations/0009_recaps.sql")),
];

#[cfg(test)]
mod tests {
    use domain::{ListingId, RequestId, Usd};
    use jiff::Timestamp;

    use super::*;
    use crate::{Claim, ClaimKey};

    const SETTINGS: Settings = Settings {
        readers_max: 1,
        acquire_timeout: Duration::from_secs(5),
        busy_timeout: Duration::from_secs(5),
        blob_bytes_max: 1,
    };

    /// The file as the second version left it, brought up to date.
    #[tokio::test]
    async fn charges_of_earlier_versions_are_kept() {
        let directory = tempfile::TempDir::new().unwrap();
        let path = directory.path().join("store.sqlite");
        let options = SqliteConnectOptions::new().filename(&path).create_if_missing(true);
        let before = pool(1, SETTINGS).connect_with(options).await.unwrap();
        let earlier = MIGRATIONS.into_iter().take(2).enumerate();
        let earlier = earlier.map(|(at, (name, text))| migration(at, name, text)).collect();
        Migrator::with_migrations(earlier).run(&before).await.unwrap();
        let flows = ListingId::of_name("flows");
        sqlx::raw_sql("INSERT INTO settlements VALUES ('c', 'r', 'answer', 'fast', 7, '0', '3', 0)")
            .execute(&before)
            .await
            .unwrap();
        for (position, method) in ["first", "second"].into_iter().enumerate().rev() {
            sqlx::query("INSERT INTO charges VALUES ('c', 'r', ?1, ?2, ?3, '1.5', 'delivered')")
                .bind(i64::try_from(position).unwrap())
                .bind(flows.to_string())
                .bind(method)
                .execute(&before)
                .await
                .unwrap();
        }
        before.close().await;
        let store = Store::open(&path, SETTINGS).await.unwrap();
        let kept = store.settlement("c", &RequestId::new("r")).await.unwrap().unwrap();
        let methods: Vec<&str> = kept.charges.iter().map(|charge| charge.method.method.as_str()).collect();
        assert_eq!(methods, ["first", "second"]);
        assert_eq!(kept.tool_cost(), Usd::parse("3").unwrap());
    }

    /// Runs on a stopped clock, which jumps to the next timer as soon as nothing else can happen.
    #[tokio::test]
    async fn a_stalled_writer_makes_the_store_busy_and_not_hung() {
        let directory = tempfile::TempDir::new().unwrap();
        let store = Store::open(&directory.path().join("store.sqlite"), SETTINGS).await.unwrap();
        let key = ClaimKey { scope: "s", key: "k" };
        let stalled = store.begin().await.unwrap();
        tokio::time::pause();
        for _ in 0..3 {
            let claim = store.claim(key, &[0; 32], Timestamp::UNIX_EPOCH).await;
            assert!(matches!(claim, Err(Error::Busy(sqlx::Error::PoolTimedOut))), "{claim:?}");
        }
        tokio::time::resume();
        drop(stalled);
        assert_eq!(store.claim(key, &[0; 32], Timestamp::UNIX_EPOCH).await.unwrap(), Claim::Fresh);
    }
}
