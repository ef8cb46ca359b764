//! Paths of the working copy and its build results.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use service_list::Service;

/// Folders of the working copy.
#[derive(Debug, Clone)]
pub(crate) struct Project {
    /// The folder of the workspace's `Cargo.toml`.
    pub(crate) root: PathBuf,
    /// Cargo's target folder, which also holds all state that the commands keep between runs.
    pub(crate) target: PathBuf,
    /// Folder where page modules are published and from which gateways read them.
    pub(crate) remotes: PathBuf,
    /// Services listed in the root manifest, in its order.
    pub(crate) services: Vec<Service>,
}

impl Project {
    /// Finds the project that this program was built from.
    pub(crate) fn find() -> Result<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"))
            .parent()
            .context("xtask lives in a folder of the project")?
            .to_path_buf();
        let target = std::env::var_os("CARGO_TARGET_DIR")
            .map_or_else(|| root.join("target"), |folder| root.join(folder));
        let services = service_list::read(&root.join("Cargo.toml"))?;
        Ok(Self {
            remotes: root.join("remotes"),
            root,
            target,
            services,
        })
    }

    /// Returns a copy that publishes into another folder, if one is given.
    pub(crate) fn publishing_to(&self, remotes: Option<&Path>) -> Self {
        let mut project = self.clone();
        if let Some(remotes) = remotes {
            remotes.clone_into(&mut project.remotes);
        }
        project
    }

    /// Returns the path of a compiled program of the workspace.
    pub(crate) fn binary(&self, profile: Profile, name: &str) -> PathBuf {
        self.target.join(profile.folder()).join(name)
    }
}

/// How the programs are compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Profile {
    /// Quick to build.
    Dev,
    /// As deployed and measured.
    Dist,
}

impl Profile {
    /// Returns the name to pass to `cargo build --profile`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Dev => "dev",
            Self::Dist => "dist",
        }
    }

    fn folder(self) -> &'static str {
        match self {
            Self::Dev => "debug",
            Self::Dist => "dist",
        }
    }
}
