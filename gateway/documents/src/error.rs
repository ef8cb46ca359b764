//! Reasons why page modules cannot be served.

use std::{io, path::PathBuf, sync::Arc};

/// Reasons why documents cannot be served. Each names the offending file and field.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages describe the variants")]
pub enum PagesError {
    #[error("{} cannot be read: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{}: {}{problem}", path.display(), if field.is_empty() { String::new() } else { format!("{field}: ") })]
    Invalid {
        path: PathBuf,
        field: String,
        problem: String,
    },
    #[error("the server bundle of {module} {version} does not load: {problem}")]
    Bundle {
        module: String,
        version: String,
        problem: String,
    },
    #[error("{}: {problem}", path.display())]
    Integrity { path: PathBuf, problem: String },
    #[error("{}: {problem}", path.display())]
    Signature { path: PathBuf, problem: String },
    #[error("{}: requires: {problem}", path.display())]
    Requires { path: PathBuf, problem: String },
    #[error("the resident page {route} cannot be rendered: status {status}")]
    Resident { route: Arc<str>, status: u16 },
    #[error("render threads cannot be started: {0}")]
    Threads(io::Error),
    #[error("reading page modules panicked")]
    Panicked,
}

impl PagesError {
    /// Returns the metric label of the reason, out of a fixed set.
    pub(crate) fn reason(&self) -> &'static str {
        match self {
            Self::Read { .. } => "unreadable",
            Self::Invalid { .. } => "invalid",
            Self::Integrity { .. } => "integrity",
            Self::Signature { .. } => "signature",
            Self::Requires { .. } => "requires",
            Self::Bundle { .. } => "bundle",
            Self::Resident { .. } => "resident",
            Self::Threads(_) | Self::Panicked => "gateway",
        }
    }

    pub(crate) fn invalid(path: PathBuf, field: &str, problem: String) -> Self {
        Self::Invalid {
            path,
            field: field.to_owned(),
            problem,
        }
    }
}
