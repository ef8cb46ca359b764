//! Notices that `remotes.json` moved and swaps the registry: all of the new one or nothing.

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

/// What tells one content of a file from the next.
#[derive(Debug, PartialEq, Eq)]
struct Mark {
    modified: SystemTime,
    bytes: Vec<u8>,
}

/// Reads and warms a registry and makes its resident pages; nothing that does not load gets out of here.
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

/// Polls until nobody holds `pages` any more. Polling, because a change must also be seen on network and overlay file
/// systems, which send no notices.
pub(super) async fn run(pages: Weak<Pages>, folder: PathBuf) {
    let path = folder.join("remotes.json");
    let mut seen: Option<Mark> = None;
    let mut ticks = tokio::time::interval(POLL_INTERVAL);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let mut generation = 1;
    loop {
        ticks.tick().await;
        let path = path.clone();
        let Ok(Ok(mark)) = tokio::task::spawn_blocking(move || mark(&path)).await else {
            // Between removing and renaming there may be no file for a moment; what is loaded goes on.
            continue;
        };
        let Some(pages) = pages.upgrade() else { return };
        if seen.as_ref() == Some(&mark) {
            continue;
        }
        let is_first = seen.is_none();
        let is_live = is_first && pages.registry.load().source == mark.bytes;
        seen = Some(mark);
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

fn mark(path: &Path) -> io::Result<Mark> {
    Ok(Mark {
        modified: fs::metadata(path)?.modified()?,
        bytes: fs::read(path)?,
    })
}
