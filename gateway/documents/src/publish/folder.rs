//! Reads published folders, within limits. Reads regular files only, because a symbolic link could point anywhere.

use std::{collections::BTreeMap, fs, io, path::Path};

use bytes::Bytes;

use crate::error::PagesError;

/// Limits of one folder; a team's pages with their images take a few hundred KiB.
pub(crate) const FOLDER_BYTES_MAX: u64 = 64 * 1024 * 1024;
pub(crate) const FOLDER_FILES_MAX: usize = 4_000;
/// Maximum size of each JSON file of a folder in bytes.
pub(crate) const JSON_BYTES_MAX: usize = 1024 * 1024;

/// Reads all files of a folder by their paths in it. Blocks.
pub(crate) fn read(folder: &Path) -> Result<BTreeMap<String, Bytes>, PagesError> {
    let mut contents = BTreeMap::new();
    let mut bytes_left = FOLDER_BYTES_MAX;
    collect(folder, "", &mut contents, &mut bytes_left)?;
    Ok(contents)
}

/// Reads a regular file. `None` if there is none. Blocks.
pub(crate) fn read_file(path: &Path, bytes_max: usize) -> io::Result<Option<Vec<u8>>> {
    let metadata = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        found => found?,
    };
    if metadata.len() > bytes_max as u64 {
        return Err(io::Error::other(format!("has more than {bytes_max} bytes")));
    }
    metadata.is_file().then(|| fs::read(path)).transpose()
}

fn collect(
    folder: &Path,
    prefix: &str,
    contents: &mut BTreeMap<String, Bytes>,
    bytes_left: &mut u64,
) -> Result<(), PagesError> {
    let read_error = |source| PagesError::Read {
        path: folder.to_owned(),
        source,
    };
    for entry in fs::read_dir(folder).map_err(read_error)? {
        let entry = entry.map_err(read_error)?;
        let path = entry.path();
        let read_error = |source| PagesError::Read {
            path: path.clone(),
            source,
        };
        let metadata = entry.metadata().map_err(read_error)?;
        let Some(name) = entry
            .file_name()
            .to_str()
            .map(|name| format!("{prefix}{name}"))
        else {
            continue;
        };
        if metadata.is_dir() {
            collect(&path, &format!("{name}/"), contents, bytes_left)?;
        } else if metadata.is_file() {
            let remaining = bytes_left.checked_sub(metadata.len());
            let Some(remaining) = remaining.filter(|_| contents.len() < FOLDER_FILES_MAX) else {
                let problem =
                    format!("holds more than {FOLDER_FILES_MAX} files or {FOLDER_BYTES_MAX} bytes");
                return Err(PagesError::invalid(folder.to_owned(), "", problem));
            };
            *bytes_left = remaining;
            contents.insert(name, Bytes::from(fs::read(&path).map_err(read_error)?));
        }
    }
    Ok(())
}
