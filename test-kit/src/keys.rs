//! Keys of a test's database. They are no secret.

use std::{path::PathBuf, sync::OnceLock};

use store_kit::keys::Keys;
use tempfile::TempDir;

/// `k1` seals; `k0` was there before.
pub const FILE: &str = r#"
active = "k1"
index_key = "CQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQk="
[keys]
k0 = "AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI="
k1 = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE="
"#;

/// The keys of [`FILE`].
pub fn keys() -> Keys {
    Keys::parse(FILE).expect("keys")
}

/// A file with them, for a program. It lasts as long as the process of the test.
pub fn path() -> PathBuf {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| tempfile::tempdir().expect("a folder"));
    let path = folder.path().join("keys.toml");
    if !path.exists() {
        // Written beside and moved: tests of one process may come here at once.
        let number = std::thread::current().id();
        let beside = folder.path().join(format!("{number:?}"));
        std::fs::write(&beside, FILE).expect("a key file");
        std::fs::rename(&beside, &path).expect("a key file");
    }
    path
}
