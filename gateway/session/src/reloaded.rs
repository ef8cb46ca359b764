//! Files that are reloaded when they change.

use std::{
    fmt, fs, io,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
    sync::Arc,
    time::SystemTime,
};

use parking_lot::RwLock;

use super::error::SessionError;

/// Maximum size of a file, in bytes.
const FILE_BYTES_MAX: u64 = 64 * 1024;

/// Parses a file's content. The problem completes a sentence that begins with the file's name, and repeats no secret.
pub(crate) type Parse<T> = fn(&[u8]) -> Result<T, String>;

/// The content of a file.
pub(crate) struct Reloaded<T> {
    setting: &'static str,
    path: PathBuf,
    parse: Parse<T>,
    loaded: RwLock<Loaded<T>>,
}

struct Loaded<T> {
    content: Arc<T>,
    version: Option<FileVersion>,
}

/// Metadata that identifies a version of a file: time of change, length, inode.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct FileVersion(SystemTime, u64, u64);

impl FileVersion {
    /// Returns the version; `None` if there is no such file.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let metadata = fs::metadata(path).ok()?;
        Some(Self(
            metadata.modified().ok()?,
            metadata.len(),
            metadata.ino(),
        ))
    }
}

impl<T> Reloaded<T> {
    /// Reads the file for the first time.
    pub(crate) fn open(
        setting: &'static str,
        path: &Path,
        parse: Parse<T>,
    ) -> Result<Self, SessionError> {
        let version = FileVersion::of(path);
        let content = Arc::new(read(setting, path, parse)?);
        Ok(Self {
            setting,
            path: path.to_owned(),
            parse,
            loaded: RwLock::new(Loaded { content, version }),
        })
    }

    /// Returns the content of the file's current version. An unusable version is logged once and leaves the earlier
    /// content valid.
    ///
    /// Stats the file on every call: a few microseconds, for calls of staff only.
    pub(crate) fn current(&self) -> Arc<T> {
        let version = FileVersion::of(&self.path);
        {
            let loaded = self.loaded.read();
            if loaded.version == version {
                return Arc::clone(&loaded.content);
            }
        }
        let mut loaded = self.loaded.write();
        if loaded.version != version {
            match read(self.setting, &self.path, self.parse) {
                Ok(content) => {
                    loaded.content = Arc::new(content);
                    tracing::info!(setting = self.setting, "file reloaded");
                }
                Err(error) => tracing::error!(
                    error = &error as &(dyn std::error::Error + 'static),
                    "a changed file could not be reloaded; keeping the previous content"
                ),
            }
            loaded.version = version;
        }
        Arc::clone(&loaded.content)
    }
}

fn read<T>(setting: &'static str, path: &Path, parse: Parse<T>) -> Result<T, SessionError> {
    let unreadable = |source: io::Error| SessionError::Unreadable {
        setting,
        path: path.to_owned(),
        source,
    };
    let malformed = |problem: String| SessionError::Malformed {
        setting,
        path: path.to_owned(),
        problem,
    };
    let length = fs::metadata(path).map_err(unreadable)?.len();
    if length > FILE_BYTES_MAX {
        return Err(malformed(format!("has more than {FILE_BYTES_MAX} bytes")));
    }
    let bytes = fs::read(path).map_err(unreadable)?;
    parse(&bytes).map_err(malformed)
}

impl<T> fmt::Debug for Reloaded<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Reloaded")
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digit(text: &[u8]) -> Result<u8, String> {
        match text {
            [digit] => Ok(*digit),
            _ => Err("is not one byte".to_owned()),
        }
    }

    #[test]
    fn follows_changes_and_keeps_the_last_good_content() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        let open = || Reloaded::open("SETTING", &path, digit);
        assert!(matches!(open(), Err(SessionError::Unreadable { .. })));
        fs::write(&path, " ".repeat(64 * 1024 + 1)).expect("a file");
        let refused = open().expect_err("too long").to_string();
        assert!(refused.starts_with("SETTING: ") && refused.contains("65536 bytes"));

        fs::write(&path, "1").expect("a file");
        let file = open().expect("a digit");
        assert_eq!(*file.current(), b'1');
        fs::write(&path, "bad").expect("a file");
        assert_eq!(*file.current(), b'1');
        // Replaced by another file of the same length, as secrets are.
        let new = folder.path().join("new");
        fs::write(&new, "two").expect("a file");
        fs::rename(&new, &path).expect("a file");
        assert_eq!(*file.current(), b'1');
        fs::write(&path, "2").expect("a file");
        assert_eq!(*file.current(), b'2');
        fs::remove_file(&path).expect("no file");
        assert_eq!(*file.current(), b'2');
    }
}
