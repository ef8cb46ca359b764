//! Which published files are served: those of the live versions, and of the newest ones beside them for pages that are
//! still open in browsers.

use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{PagesError, remote::Remote, statics::StaticFile};

/// Versions of a name that are still served beside the live one, for pages that are open in browsers.
const OLD_VERSIONS_MAX: usize = 2;
/// Old versions are only served while all files together are smaller.
const FILES_BYTES_MAX: usize = 256 * 1024 * 1024;

/// Every file that browsers may ask for, by path, and whether it lies at the site's root.
pub(super) fn files(
    old: &[Arc<Remote>],
    live: &[Arc<Remote>],
    shell: &Arc<Remote>,
) -> Result<HashMap<String, (Arc<StaticFile>, bool)>, PagesError> {
    let all = old.iter().chain(live).flat_map(|remote| remote.addresses());
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

/// The newest folders beside the live ones. What cannot be read is left out: nothing live depends on it.
pub(super) fn old_versions(
    folder: &Path,
    live: &[Arc<Remote>],
    known: impl Fn(&str, &str) -> Option<Arc<Remote>>,
) -> Vec<Arc<Remote>> {
    let mut bytes: usize = live.iter().map(|remote| remote.size()).sum();
    let mut old = Vec::new();
    for remote in live {
        let Ok(entries) = fs::read_dir(folder.join(&remote.name)) else {
            continue;
        };
        let mut versions: Vec<_> = entries
            .filter_map(Result::ok)
            .filter_map(|entry| {
                let modified = entry.metadata().ok()?.modified().ok()?;
                Some((modified, entry.file_name().into_string().ok()?))
            })
            .filter(|(_, version)| *version != remote.version)
            .collect();
        versions.sort_unstable_by(|one, other| other.cmp(one));
        for (_, version) in versions.into_iter().take(OLD_VERSIONS_MAX) {
            let found = known(&remote.name, &version).map_or_else(
                || Remote::read(folder, &remote.name, &version).map(Arc::new),
                Ok,
            );
            match found {
                Ok(found) if bytes + found.size() <= FILES_BYTES_MAX => {
                    bytes += found.size();
                    old.push(found);
                }
                Ok(_) => break,
                Err(error) => {
                    tracing::warn!(module = remote.name, version, %error, "old version is not served");
                }
            }
        }
    }
    old
}
