//! The artifacts of a version, built from the tag's sources and not from the working copy.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, Result, ensure};
use chrono::{DateTime, Utc};

use super::{Release, pages, programs, seal};
use crate::{
    page_packages::{PagePackage, read_json},
    project::{Profile, Project},
    shell,
    site::GATEWAY,
    web,
};

/// Cargo's tools of a release, which are installed into `target/release-tools`: the first embeds the list of linked
/// crates in a program, the second writes that list as CycloneDX.
const TOOLS: [&str; 2] = ["cargo-auditable@0.7.5", "auditable2cdx@0.1.0"];
/// The lock file by which the packages of the working copy, which build the pages, are installed.
const LOCK: &str = "package-lock.json";
/// Prefix of the images of `cargo xtask containers`.
const IMAGES: &str = "localhost/hospital";
const REVISION: &str = "org.opencontainers.image.revision";
/// Fixed owners, order and times: equal folders make equal archives.
const TAR: [&str; 7] = [
    "--create",
    "--sort=name",
    "--mtime=@0",
    "--owner=0",
    "--group=0",
    "--numeric-owner",
    "--use-compress-program=gzip -n",
];

/// What to build.
#[derive(Debug)]
pub(super) struct Wanted<'a> {
    pub(super) version: &'a str,
    pub(super) profile: Profile,
    pub(super) has_images: bool,
    pub(super) started: DateTime<Utc>,
}

impl Wanted<'_> {
    /// Returns the folder of the artifacts.
    pub(super) fn folder(&self, project: &Project) -> PathBuf {
        project.target.join(format!("dist-{}", self.version))
    }
}

/// Builds and signs all artifacts, and returns their folder. The folder appears when it is complete.
pub(super) fn build(project: &Project, wanted: &Wanted<'_>, key: &Path) -> Result<PathBuf> {
    let folder = wanted.folder(project);
    ensure!(
        !folder.exists(),
        "{} exists: remove it to build again",
        folder.display()
    );
    let release = tagged(project, wanted.version)?;
    let name = format!("dist-{}.unfinished", wanted.version);
    let unfinished = project.target.join(name);
    if unfinished.exists() {
        fs::remove_dir_all(&unfinished)?;
    }
    for part in ["programs", "pages", "sbom"] {
        fs::create_dir_all(unfinished.join(part))?;
    }
    release.check_out(project)?;
    ensure!(
        fs::read(project.root.join(LOCK))? == fs::read(release.source().join(LOCK))?,
        "{LOCK} differs from the tag's, whose packages build the pages: check out the tag, and build there"
    );
    let tools = install_tools(project)?;
    add_programs(project, &release, wanted.profile, &tools, &unfinished)?;
    add_pages(project, &release, &unfinished)?;
    if wanted.has_images {
        add_images(project, &release, &unfinished)?;
    }
    let archive = unfinished.join("source.tar.gz");
    let prefix = format!("--prefix=hospital-{}/", wanted.version);
    let mut pack = shell::command(&project.root, "git", ["archive", &prefix, "--output"]);
    shell::run(pack.arg(archive).arg(&release.commit))?;
    seal::seal(&unfinished, &release, wanted, key)?;
    fs::rename(&unfinished, &folder)?;
    Ok(folder)
}

/// Returns the release that a tag of this clone names.
fn tagged(project: &Project, version: &str) -> Result<Release> {
    let tag = format!("refs/tags/v{version}^{{commit}}");
    let mut find = shell::command(&project.root, "git", ["rev-parse", "--verify", &tag]);
    let commit = shell::capture(&mut find).with_context(|| format!("no tag v{version}"))?;
    let text = format!("version = \"{version}\"\ncommit = \"{}\"", commit.trim());
    Release::parse(&text, &project.target)
}

/// Installs cargo's tools unless they are installed, and returns the `PATH` with them.
fn install_tools(project: &Project) -> Result<String> {
    let folder = project.target.join("release-tools");
    let mut install = shell::command(&project.root, "cargo", ["install", "--quiet", "--locked"]);
    // Cargo skips a version that is installed.
    install.arg("--root").arg(&folder).args(TOOLS);
    shell::run(&mut install)?;
    let others = env::var("PATH")?;
    Ok(format!("{}/bin:{others}", folder.display()))
}

fn add_programs(
    project: &Project,
    release: &Release,
    profile: Profile,
    path: &str,
    folder: &Path,
) -> Result<()> {
    let arguments = ["auditable", "build", "--profile", profile.name()];
    let mut build = programs::command(release, project, &arguments)?;
    shell::run(build.env("PATH", path))?;
    let there = Project {
        target: release.target(),
        ..project.clone()
    };
    let services = project.services.iter().map(|service| &*service.name);
    for name in [GATEWAY].into_iter().chain(services) {
        let program = folder.join("programs").join(name);
        fs::copy(there.binary(profile, name), &program).with_context(|| name.to_owned())?;
        let stated = shell::capture(&mut shell::command(folder, &program, ["--version"]))?;
        ensure!(
            stated.trim().ends_with(&format!(" {}", release.version)),
            "{name} states another version: {stated}"
        );
        let mut list = shell::command(folder, "auditable2cdx", [&program]);
        write_sbom(list.env("PATH", path), folder, name)?;
    }
    Ok(())
}

fn add_pages(project: &Project, release: &Release, folder: &Path) -> Result<()> {
    web::install(project)?;
    pages::build_own(release, project)?;
    let there = Project {
        root: release.source(),
        ..project.clone()
    };
    let mut list = web::sbom(&release.source());
    for package in PagePackage::all(&there)? {
        let declared = read_json(&package.dist().join("module.json"))?;
        let version = declared["version"]
            .as_str()
            .context("module.json has no version")?;
        let archive = format!("pages/{}-{version}.tar.gz", package.name);
        let mut pack = shell::command(&package.dist(), "tar", TAR);
        pack.arg("--file").arg(folder.join(archive)).arg(".");
        shell::run(&mut pack)?;
        list.arg("--workspace").arg(&package.folder);
    }
    write_sbom(&mut list, folder, seal::PAGES)
}

/// Writes what a command prints, if that is a list of components.
fn write_sbom(command: &mut Command, folder: &Path, name: &str) -> Result<()> {
    let file = folder.join(seal::sbom_of(name));
    fs::write(&file, shell::capture(command)?)?;
    let list = read_json(&file)?;
    let has_any = list["components"]
        .as_array()
        .is_some_and(|all| !all.is_empty());
    ensure!(
        list["bomFormat"] == "CycloneDX" && has_any,
        "`{}` lists no components",
        shell::line(command)
    );
    Ok(())
}

/// Saves the images that `cargo xtask containers` built from the tagged commit.
fn add_images(project: &Project, release: &Release, folder: &Path) -> Result<()> {
    fs::create_dir_all(folder.join("images"))?;
    let pages = PagePackage::all(project)?.into_iter();
    let pages = pages.map(|package| format!("pages-{}", package.name));
    let services = project.services.iter().map(|service| service.name.clone());
    let all: Vec<_> = [GATEWAY.to_owned()]
        .into_iter()
        .chain(services)
        .chain(pages)
        .collect();
    for name in all {
        let image = format!("{IMAGES}/{name}:{}", release.version);
        let format = format!("{{{{index .Labels \"{REVISION}\"}}}}");
        let arguments = ["image", "inspect", "--format", &format, &image];
        let revision = shell::capture(&mut shell::command(folder, "podman", arguments))?;
        ensure!(
            revision.trim() == release.commit,
            "{image} is built from {}, not from the tag: check out the tag, and run `cargo xtask containers` there",
            revision.trim()
        );
        let file = format!("images/{name}.tar");
        let arguments = [
            "save",
            "--quiet",
            "--format=docker-archive",
            "--output",
            &file,
            &image,
        ];
        shell::run(&mut shell::command(folder, "podman", arguments))?;
    }
    Ok(())
}
