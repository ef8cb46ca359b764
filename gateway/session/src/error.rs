//! Errors of the configuration.

use std::{io, path::PathBuf};

/// Why there is no staff area although it is configured. Every message names the setting; none repeats a secret.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// Settings of the staff area without its issuer.
    #[error("STAFF_ISSUER is not set, so these settings must not be set: {settings}")]
    WithoutIssuer {
        /// Names of the settings, separated by commas.
        settings: String,
    },
    /// An issuer without the other settings.
    #[error("STAFF_ISSUER is set, so these settings are required: {settings}")]
    Missing {
        /// Names of the settings, separated by commas.
        settings: String,
    },
    /// A value is not allowed.
    #[error("{setting} {problem}")]
    Invalid {
        /// Name of the setting.
        setting: &'static str,
        /// What is wrong, as the rest of a sentence.
        problem: String,
    },
    /// A file cannot be read or written.
    #[error("{setting}: cannot use the file {}", path.display())]
    Unreadable {
        /// Name of the setting.
        setting: &'static str,
        /// The file.
        path: PathBuf,
        /// Cause.
        source: io::Error,
    },
    /// The content of a file is not allowed.
    #[error("{setting}: {} {problem}", path.display())]
    Malformed {
        /// Name of the setting.
        setting: &'static str,
        /// The file.
        path: PathBuf,
        /// What is wrong, as the rest of a sentence.
        problem: String,
    },
    /// The machine's certificate authorities cannot be loaded.
    #[error("cannot load the certificate authorities of this machine")]
    Authorities(#[source] io::Error),
}
