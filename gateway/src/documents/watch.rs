//! Polls `remotes.json` and swaps the registry atomically: all of the new one or nothing.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::{Arc, Weak},
    time::{Duration, SystemTime},
};

use super::{
    Pages, PagesError, compose::Composer, metrics, registry::Registry, resident::Residents,
};

const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Identifies one content of a file.
#[derive(Debug, PartialEq, Eq)]
struct Fingerprint {
    modified: SystemTime,
    bytes: Vec<u8>,
}

/// Reads and warms a registry and renders its resident pages; a registry that does not load is refused.
pub(super) async fn load(
    folder: &Path,
    generation: u64,
    old: Option<Arc<Registry>>,
    composer: &Composer,
) -> Result<Registry, PagesError> {
    let folder: PathBuf = folder.to_owned();
    let read = move || Registry::read(&folder, generation, old.as_deref());
    let mut registry = tokio::task::spawn_blocking(read)
        .await
        .map_err(|_| PagesError::Panicked)??;
    for remote in &registry.remotes {
        let warmed = composer.pool.warm(&remote.program).await;
        warmed.map_err(|error| PagesError::Bundle {
            module: remote.name.clone(),
            version: remote.version.clone(),
            problem: error.to_string(),
        })?;
    }
    registry.residents = Residents::make(composer, &registry).await?;
    metrics::get()
        .registry_generation
        .set(i64::try_from(generation).unwrap_or(i64::MAX));
    Ok(registry)
}

/// Polls until `pages` is dropped. Polling, because network and overlay file systems send no change notifications.
pub(super) async fn run(pages: Weak<Pages>, folder: PathBuf) {
    let path = folder.join("remotes.json");
    let mut seen: Option<Fingerprint> = None;
    let mut ticks = tokio::time::interval(POLL_INTERVAL);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let mut generation = 1;
    loop {
        ticks.tick().await;
        let path = path.clone();
        let Ok(Ok(fingerprint)) = tokio::task::spawn_blocking(move || fingerprint(&path)).await
        else {
            // A publisher may remove the file before renaming the new one: what is loaded stays.
            continue;
        };
        let Some(pages) = pages.upgrade() else { return };
        if seen.as_ref() == Some(&fingerprint) {
            continue;
        }
        let is_first = seen.is_none();
        let is_live = is_first && pages.registry.load().source == fingerprint.bytes;
        seen = Some(fingerprint);
        if is_live {
            continue;
        }
        generation += 1;
        let old = pages.registry.load_full();
        match load(&folder, generation, Some(old), &pages.composer).await {
            Ok(registry) => {
                let versions: Vec<String> = registry
                    .remotes
                    .iter()
                    .map(|remote| format!("{}@{}", remote.name, remote.version))
                    .collect();
                pages.registry.store(Arc::new(registry));
                tracing::info!(
                    generation,
                    versions = versions.join(" "),
                    "page modules changed"
                );
            }
            Err(error) => {
                metrics::get().registry_refusals.inc();
                tracing::error!(%error, "new page modules refused, the old ones go on");
            }
        }
    }
}

fn fingerprint(path: &Path) -> io::Result<Fingerprint> {
    Ok(Fingerprint {
        modified: fs::metadata(path)?.modified()?,
        bytes: fs::read(path)?,
    })
}
