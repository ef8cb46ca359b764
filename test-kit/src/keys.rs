//! Seal keys of test databases. They are not secret.

use std::{path::PathBuf, sync::OnceLock};

use store_kit::keys::Keys;
use tempfile::TempDir;

/// Key file: `k1` is the active key, `k0` an older one.
pub const FILE: &str = r#"
active = "k1"
index_key = "CQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQk="
[keys]
k0 = "AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI="
k1 = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE="
"#;

/// Returns the keys of [`FILE`].
pub fn keys() -> Keys {
    Keys::parse(FILE).expect("keys")
}

/// Returns the path of a file with [`FILE`], for a program. The file lasts as long as the test process.
pub fn path() -> PathBuf {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| tempfile::tempdir().expect("a folder"));
    let path = folder.path().join("keys.toml");
    if !path.exists() {
        // Written under a temporary name and renamed: tests of one process may run this concurrently.
        let number = std::thread::current().id();
        let beside = folder.path().join(format!("{number:?}"));
        std::fs::write(&beside, FILE).expect("a key file");
        std::fs::rename(&beside, &path).expect("a key file");
    }
    path
}
