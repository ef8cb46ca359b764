//! Disk operations of the origin client.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, Write as _},
    path::{Path, PathBuf},
    time::SystemTime,
};

use bytes::Bytes;

/// Maximum size of all fetched versions in bytes. Beyond it, the oldest versions that no pointer names are removed.
const CACHE_BYTES_MAX: u64 = 1024 * 1024 * 1024;

/// Replaces a damaged folder by a complete one. The damaged one stays in place until the swap.
pub(super) fn swap(whole: &Path, place: &Path, damaged: &Path) -> io::Result<()> {
    if damaged.exists() {
        fs::remove_dir_all(damaged)?;
    }
    if place.exists() {
        fs::rename(place, damaged)?;
    }
    fs::rename(whole, place)?;
    if damaged.exists() {
        fs::remove_dir_all(damaged)?;
    }
    Ok(())
}

/// Replaces a file atomically.
pub(super) async fn replace(path: PathBuf, bytes: Bytes) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let unfinished = path.with_file_name(format!(".{name}.unfinished"));
    write(unfinished.clone(), bytes).await?;
    blocking(move || fs::rename(unfinished, path)).await
}

/// Writes a file durably, outside of the request threads because disks can be slow.
pub(super) async fn write(path: PathBuf, bytes: Bytes) -> io::Result<()> {
    blocking(move || {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let mut file = File::create(path)?;
        file.write_all(&bytes)?;
        file.sync_all()
    })
    .await
}

pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(io::Error::other)?
}

/// Removes the oldest versions that no pointer names until the total size is within the limit.
pub(super) fn make_room(folder: &Path, named: &[PathBuf]) -> io::Result<()> {
    let mut versions: BTreeMap<(SystemTime, PathBuf), u64> = BTreeMap::new();
    let mut bytes = 0;
    for team in fs::read_dir(folder)? {
        let team = team?;
        if !team.file_type()?.is_dir() {
            continue;
        }
        for version in fs::read_dir(team.path())? {
            let version = version?;
            let size = size(&version.path())?;
            bytes += size;
            if !named.contains(&version.path()) {
                let modified = version.metadata()?.modified()?;
                versions.insert((modified, version.path()), size);
            }
        }
    }
    for ((_, path), size) in versions {
        if bytes <= CACHE_BYTES_MAX {
            break;
        }
        fs::remove_dir_all(path)?;
        bytes = bytes.saturating_sub(size);
    }
    Ok(())
}

fn size(path: &Path) -> io::Result<u64> {
    let metadata = fs::symlink_metadata(path)?;
    if !metadata.is_dir() {
        return Ok(metadata.len());
    }
    let mut bytes = 0;
    for entry in fs::read_dir(path)? {
        bytes += size(&entry?.path())?;
    }
    Ok(bytes)
}
