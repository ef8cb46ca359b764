//! Paths of the working copy and what is built in it.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use service_list::Service;

/// Folders of the working copy.
#[derive(Debug, Clone)]
pub(crate) struct Project {
    /// The folder of the workspace's `Cargo.toml`.
    pub(crate) root: PathBuf,
    /// Cargo's target folder; everything the commands remember between runs lives in it.
    pub(crate) target: PathBuf,
    /// Where page modules are published: what gateways read.
    pub(crate) remotes: PathBuf,
    /// The services of the root manifest, in its order.
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

    /// The same, publishing into another folder if one is given.
    pub(crate) fn publishing_to(&self, remotes: Option<&Path>) -> Self {
        let mut project = self.clone();
        if let Some(remotes) = remotes {
            remotes.clone_into(&mut project.remotes);
        }
        project
    }

    /// A compiled program of the workspace.
    pub(crate) fn binary(&self, profile: Profile, name: &str) -> PathBuf {
        self.target.join(profile.folder()).join(name)
    }
}

/// How the programs are compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Profile {
    /// Quick to build.
    Dev,
    /// What is deployed and measured.
    Dist,
}

impl Profile {
    /// The name that `cargo build --profile` takes.
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
