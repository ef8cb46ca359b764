//! `release`: cuts a version, builds its artifacts, and verifies a folder of artifacts.

use std::{path::PathBuf, time::SystemTime};

use anyhow::{Context as _, Result, ensure};
use chrono::{DateTime, Utc};

use super::{artifacts, cut::Cut, seal};
use crate::project::{Profile, Project};

#[derive(Debug, clap::Args)]
#[group(id = "ReleaseOptions")]
pub(crate) struct Options {
    /// Version to release, such as 1.4.0. Above the last one, without build metadata.
    #[arg(required_unless_present = "verify", conflicts_with = "verify")]
    version: Option<String>,
    /// Print what would be changed and built, and do nothing.
    #[arg(long, conflicts_with = "verify")]
    dry_run: bool,
    /// Build the artifacts of an existing tag, and cut nothing. Continues after an interrupted build.
    #[arg(long, conflicts_with = "verify")]
    build: bool,
    /// Ed25519 key (PKCS#8, PEM) that signs the artifacts' checksums.
    #[arg(long, required_unless_present_any = ["verify", "dry_run"])]
    key: Option<PathBuf>,
    /// Build profile of the programs. `dev` is for trying the command only.
    #[arg(long, value_enum, default_value = "dist")]
    profile: Profile,
    /// Add the images that `cargo xtask containers` built from the tag.
    #[arg(long, conflicts_with = "verify")]
    images: bool,
    /// Verify this folder of artifacts, and name what is wrong with it.
    #[arg(long, value_name = "FOLDER", requires = "public_key")]
    verify: Option<PathBuf>,
    /// Public key of the signature: 32 bytes in base64, as in the file `REMOTES_KEYS`.
    #[arg(long, requires = "verify")]
    public_key: Option<String>,
}

pub(crate) fn run(project: &Project, options: &Options) -> Result<()> {
    if let (Some(folder), Some(key)) = (&options.verify, &options.public_key) {
        return verify(project, folder, key);
    }
    let version = options.version.as_deref().context("no version")?;
    let key = options.key.as_deref();
    let key = key.map(|key| {
        let absolute = key.canonicalize();
        absolute.with_context(|| format!("cannot read --key {}", key.display()))
    });
    let key = key.transpose()?;
    if let Some(key) = &key {
        // Not after the build.
        seal::sign(key, Vec::new())?;
    }
    let now = now();
    if !options.build {
        let cut = Cut::plan(project, version, &now.format("%Y-%m-%d").to_string())?;
        println!("{}", cut.summary());
        if !options.dry_run {
            cut.carry_out(project)?;
            println!("tagged v{version}; nothing is pushed");
        }
    }
    let wanted = artifacts::Wanted {
        version,
        profile: options.profile,
        has_images: options.images,
        started: now,
    };
    let Some(key) = key.filter(|_| !options.dry_run) else {
        println!("builds {}", wanted.folder(project).display());
        return Ok(());
    };
    let folder = artifacts::build(project, &wanted, &key).with_context(|| {
        format!("v{version} is not built; continue with `cargo xtask release {version} --build`")
    })?;
    println!("artifacts are in {}", folder.display());
    Ok(())
}

fn verify(project: &Project, folder: &std::path::Path, key: &str) -> Result<()> {
    let report = seal::verify(project, folder, key)?;
    for note in &report.notes {
        println!("{note}");
    }
    let place = folder.display();
    ensure!(
        report.problems.is_empty(),
        "{place} is not as released:\n{}",
        report.problems.join("\n")
    );
    println!("{place} is as released");
    Ok(())
}

#[expect(
    clippy::disallowed_methods,
    reason = "the day of a release on the developer's machine; nothing of the domain"
)]
pub(super) fn now() -> DateTime<Utc> {
    SystemTime::now().into()
}
