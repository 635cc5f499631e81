//! `sluice serve`: the HTTP surface, from its first connection to its last.

use std::fs;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::Path;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use jiff::{SignedDuration, Timestamp};
use store::Store;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::arguments::{Serve, Shared};
use crate::assembly::{self, Assembly};
use crate::command::{Ending, Fault};
use crate::http::{self, Api, Keys, PageSetup};
use telemetry::Telemetry;

/// Serves until the process is told to stop.
pub(crate) async fn run(
    arguments: Serve,
    shared: Shared,
    telemetry: Arc<Telemetry>,
) -> Result<Ending, Fault> {
    let keys = keys(&arguments)?;
    let policy = assembly::policy(&shared)?;
    let listener = bind(arguments.bind).await?;
    let address = listener.local_addr()?;
    let store = open(&arguments.data_dir, &policy.store).await?;
    let public_url = arguments.public_url.unwrap_or_else(|| format!("http://{address}"));
    let index = arguments.data_dir.join(assembly::INDEX_DIR);
    let public_url = public_url.trim_end_matches('/').to_owned();
    if !arguments.embed_origins.is_empty() && !policy.guardrails.session.secure_cookie {
        tracing::warn!(
            "the chat is shown on other sites, where a browser keeps its session over HTTPS and with `secure_cookie` alone"
        );
    }
    let assembly = Assembly::start(&shared, policy, (store, Some(&index)), public_url).await?;
    let assembly = Arc::new(match &arguments.record {
        Some(directory) => assembly.watched_by(telemetry).recording(directory, None),
        None => assembly.watched_by(telemetry),
    });
    let api = Api::new(Arc::clone(&assembly), keys);
    let pages = PageSetup { embed_origins: arguments.embed_origins, has_samples: !shared.no_samples };
    let served = serve(&api, &assembly, http::router(&api, pages), listener, address).await;
    assembly.close().await;
    served.map(|()| Ending::Done)
}

/// The keys that are let in. Without a file any is, but to nobody from outside this machine.
fn keys(arguments: &Serve) -> Result<Keys, Fault> {
    if let Some(file) = &arguments.api_keys_file {
        return Keys::read(file).map_err(|fault| Fault::Usage(fault.to_string()));
    }
    if !arguments.bind.ip().is_loopback() {
        let message = format!(
            "{} can be reached from other machines, so API keys are needed: name a file of them with --api-keys-file, \
             or listen on loopback",
            arguments.bind
        );
        return Err(Fault::Usage(message));
    }
    tracing::warn!("no API keys are configured: any key is let in, from this machine only");
    Ok(Keys::Any)
}

async fn bind(address: SocketAddr) -> Result<TcpListener, Fault> {
    TcpListener::bind(address).await.map_err(|error| {
        let is_in_use = error.kind() == io::ErrorKind::AddrInUse;
        let reason = if is_in_use {
            "the address is in use; choose another with --bind".to_owned()
        } else {
            error.to_string()
        };
        Fault::Failed(format!("cannot listen on {address}: {reason}"))
    })
}

pub(crate) async fn open(directory: &Path, policy: &policy::Store) -> Result<Store, Fault> {
    make_private(directory)
        .map_err(|error| Fault::Usage(format!("data directory {}: {error}", directory.display())))?;
    Ok(Store::open(&directory.join(assembly::STORE_FILE), assembly::store_settings(policy)).await?)
}

/// Makes the directory, for this user alone, where it is not there.
fn make_private(directory: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(directory)
}

async fn serve(
    api: &Arc<Api>,
    assembly: &Arc<Assembly>,
    router: Router,
    listener: TcpListener,
    address: SocketAddr,
) -> Result<(), Fault> {
    http::recover_jobs(api).await?;
    let (settling, settled) = (Arc::clone(assembly), Arc::clone(api));
    assembly.tasks.spawn(assembly.stop.clone().run_until_cancelled_owned(async move {
        settling.upstreams.settled().await;
        settled.settle();
    }));
    assembly.tasks.spawn(assembly.stop.clone().run_until_cancelled_owned(forget(Arc::clone(assembly))));
    let library = assembly.desk.library.clone();
    assembly
        .tasks
        .spawn(assembly.stop.clone().run_until_cancelled_owned(async move { library.keep_embedded().await }));

    let hang_up = CancellationToken::new();
    let service = router.into_make_service_with_connect_info::<SocketAddr>();
    let serving = axum::serve(listener, service).with_graceful_shutdown(hang_up.clone().cancelled_owned());
    let mut serving = pin!(serving.into_future());
    announce(address);
    tokio::select! {
        ended = &mut serving => return Ok(ended?),
        asked = told_to_stop() => asked?,
    }
    tracing::info!("stopping: the runs under way are waited for");
    let policy = &assembly.policy.server;
    let close = Duration::from_millis(policy.close_ms);
    let leave = async {
        leave(api, Duration::from_millis(policy.drain_ms), close).await?;
        hang_up.cancel();
        Ok::<(), Fault>(())
    };
    // Connections are served on while the runs end.
    tokio::select! {
        ended = &mut serving => return Ok(ended?),
        left = leave => left?,
    }
    if tokio::time::timeout(close, serving).await.is_err() {
        tracing::warn!("connections were cut off (`close_ms`)");
    }
    Ok(())
}

/// Waits for the runs under way; stops them when that takes too long, or when told to stop again.
async fn leave(api: &Api, drain: Duration, close: Duration) -> Result<(), Fault> {
    tokio::select! {
        () = api.drain() => return Ok(()),
        () = tokio::time::sleep(drain) => tracing::warn!("runs were stopped (`drain_ms`)"),
        asked = told_to_stop() => {
            asked?;
            tracing::warn!("runs were stopped on request");
        }
    }
    api.stop_runs();
    if tokio::time::timeout(close, api.drain()).await.is_err() {
        tracing::error!("runs did not settle in time (`close_ms`)");
    }
    Ok(())
}

/// Says that the server is there, to people and to whoever started it.
fn announce(address: SocketAddr) {
    tracing::info!("listening on http://{address}");
    let mut out = io::stdout().lock();
    // Where standard output is closed there is nobody to tell.
    let _ = writeln!(out, "sluice: listening on http://{address}").and_then(|()| out.flush());
}

/// Waits until the process is interrupted or told to terminate.
#[cfg(unix)]
async fn told_to_stop() -> io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
    Ok(())
}

/// Waits until the process is interrupted.
#[cfg(not(unix))]
async fn told_to_stop() -> io::Result<()> {
    tokio::signal::ctrl_c().await
}

/// Forgets what is no longer kept, now and then.
async fn forget(assembly: Arc<Assembly>) {
    let between = Duration::from_secs(60 * u64::from(assembly.policy.server.purge_minutes));
    let mut due = tokio::time::interval(between);
    loop {
        due.tick().await;
        if let Err(error) = forget_once(&assembly).await {
            tracing::error!(%error, "what is no longer kept was not removed");
        }
    }
}

async fn forget_once(assembly: &Assembly) -> Result<(), store::Error> {
    let (store, policy, now) = (&assembly.store, &assembly.policy.server, assembly.clock.now());
    let before =
        |hours: u32| now.checked_sub(SignedDuration::from_hours(hours.into())).unwrap_or(Timestamp::MIN);
    let jobs = store.purge_jobs(before(policy.jobs_kept_hours)).await?;
    let claims = store.purge_claims(before(policy.idempotency_kept_hours)).await?;
    let blobs = store.purge_blobs(before(policy.blobs_kept_hours)).await?;
    let days = assembly.policy.guardrails.threads.kept_days;
    let threads = store.purge_threads(before(days.saturating_mul(24))).await?;
    if jobs + claims + blobs + threads > 0 {
        tracing::info!(jobs, claims, blobs, threads, "removed what is no longer kept");
    }
    Ok(())
}
