//! Selects the published files to serve: files of the live versions from memory, and of other versions from the folder,
//! for pages still open in browsers.

use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use bytes::Bytes;
use tokio::sync::Semaphore;

use super::{
    integrity::{MANIFEST, SIGNATURE, Trust},
    remote::{MODULE_JSON, Remote, checked, is_public},
    statics::StaticFile,
    versions::Versions,
};
use crate::error::PagesError;

/// Maximum other versions per name whose pages, still open in browsers, may report failures.
const OLD_VERSIONS_MAX: usize = 2;
/// Maximum memory in bytes for files that are read from disk because no version in memory has them.
const SHELF_BYTES_MAX: u64 = 32 * 1024 * 1024;
const SHELF_READS_MAX: usize = 8;
/// Maximum time that a request waits for such a read.
const SHELF_WAIT_MAX: Duration = Duration::from_secs(1);

/// Returns every public file of the live versions by path, and whether it belongs to the site's root.
pub(crate) fn files(
    live: &[Arc<Remote>],
    shell: &Arc<Remote>,
) -> Result<HashMap<String, (Arc<StaticFile>, bool)>, PagesError> {
    let all = live.iter().flat_map(|remote| remote.addresses());
    let mut files: HashMap<_, _> = all
        .map(|(address, file)| (address, (file, false)))
        .collect();
    for (path, name) in &shell.file.root {
        let invalid =
            |problem| PagesError::invalid(PathBuf::from("shell/module.json"), "root", problem);
        if !path.starts_with('/') || path.starts_with("/api/") || path.starts_with("/remotes/") {
            return Err(invalid(format!(
                "`{path}` is not a path at the site's root"
            )));
        }
        let file = shell
            .static_file(name)
            .ok_or_else(|| invalid(format!("`{name}` is missing")))?;
        files.insert(path.clone(), (Arc::clone(file), true));
    }
    Ok(files)
}

/// Returns names and versions of the newest folders other than the live ones.
pub(crate) fn beside(folder: &Path, live: &Versions) -> Vec<(String, String)> {
    let mut beside = Vec::new();
    for remote in live.all() {
        let Ok(entries) = fs::read_dir(folder.join(&remote.name)) else {
            continue;
        };
        let mut versions: Vec<_> = entries
            .filter_map(Result::ok)
            .filter_map(|entry| {
                let modified = entry.metadata().ok()?.modified().ok()?;
                Some((modified, entry.file_name().into_string().ok()?))
            })
            .filter(|(_, version)| *version != remote.version && !version.starts_with('.'))
            .collect();
        versions.sort_unstable_by(|one, other| other.cmp(one));
        let newest = versions.into_iter().take(OLD_VERSIONS_MAX);
        beside.extend(newest.map(|(_, version)| (remote.name.clone(), version)));
    }
    beside
}

/// Files of every version that is still in the folder, live or not. A document may come from another gateway with other
/// live versions.
#[derive(Debug)]
pub(crate) struct Shelf {
    folder: PathBuf,
    trust: Arc<Trust>,
    /// Files with [`Trust::edition`] at the time of their check.
    files: moka::sync::Cache<String, (u64, Arc<StaticFile>)>,
    /// Limits concurrent reads.
    places: Semaphore,
}

impl Shelf {
    pub(crate) fn new(folder: PathBuf, trust: Arc<Trust>) -> Self {
        let weigh = |_: &String, (_, file): &(u64, Arc<StaticFile>)| {
            u32::try_from(file.size()).unwrap_or(u32::MAX)
        };
        let files = moka::sync::Cache::builder();
        Self {
            folder,
            trust,
            files: files.max_capacity(SHELF_BYTES_MAX).weigher(weigh).build(),
            places: Semaphore::new(SHELF_READS_MAX),
        }
    }

    /// Finds the file for a raw path that no version in memory has. Also `None` when too many reads are in progress.
    pub(crate) async fn find(&self, path: &str) -> Option<Arc<StaticFile>> {
        let rest = path.strip_prefix("/remotes/")?;
        let edition = self.trust.edition();
        if let Some((checked, file)) = self.files.get(path)
            && checked == edition
        {
            return Some(file);
        }
        let place = tokio::time::timeout(SHELF_WAIT_MAX, self.places.acquire());
        let _place = place.await.ok()?.ok()?;
        let (folder, trust, rest) = (
            self.folder.clone(),
            Arc::clone(&self.trust),
            rest.to_owned(),
        );
        let read = tokio::task::spawn_blocking(move || read_file(&folder, &trust, &rest));
        let file = Arc::new(read.await.ok()??);
        self.files
            .insert(path.to_owned(), (edition, Arc::clone(&file)));
        Some(file)
    }
}

/// Reads a regular file that matches its integrity manifest. Blocks.
fn read_file(folder: &Path, trust: &Trust, path: &str) -> Option<StaticFile> {
    let mut parts = path.splitn(3, '/');
    let (team, version, name) = (parts.next()?, parts.next()?, parts.next()?);
    let components = [team, version].into_iter().chain(name.split('/'));
    for component in components {
        checked(component).ok()?;
    }
    let folder = folder.join(team).join(version);
    let read = |name: &str| {
        let path = folder.join(name);
        let metadata = fs::symlink_metadata(&path).ok()?;
        let is_file = metadata.is_file() && metadata.len() <= SHELF_BYTES_MAX / 4;
        // A folder in the path may be a symbolic link, too.
        let is_inside = || {
            Some(
                path.canonicalize()
                    .ok()?
                    .starts_with(folder.canonicalize().ok()?),
            )
        };
        (is_file && is_inside()?).then(|| fs::read(&path).ok())?
    };
    let base = name
        .strip_suffix(".br")
        .or_else(|| name.strip_suffix(".gz"));
    if !is_public(name) || base.is_some_and(|base| folder.join(base).exists()) {
        return None;
    }
    // An incomplete folder has no module.json.
    read(MODULE_JSON)?;
    let (manifest, signature) = (read(MANIFEST), read(SIGNATURE));
    let of_manifest = |name: &str| match name {
        MANIFEST => manifest.as_deref(),
        _ => signature.as_deref(),
    };
    let manifest = trust.manifest(team, &folder, None, of_manifest).ok()?;
    let whole = |name: &str| {
        let bytes = read(name)?;
        let is_whole = manifest
            .as_ref()
            .is_none_or(|manifest| manifest.has(name, &bytes));
        is_whole.then(|| Bytes::from(bytes))
    };
    let (gzip, brotli) = (whole(&format!("{name}.gz")), whole(&format!("{name}.br")));
    Some(StaticFile::new(name, whole(name)?, gzip, brotli))
}
