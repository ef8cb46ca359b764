//! The images of `containers`, built by podman from the Dockerfiles of production with a local base image.

use std::{
    collections::hash_map::DefaultHasher,
    fs,
    hash::{Hash as _, Hasher as _},
    path::{Path, PathBuf},
    time::Instant,
};

use anyhow::{Context as _, Result};

use super::{Containers, text};
use crate::{project::Project, release::Release, shell, site::GATEWAY, web};

/// Prefix of the images. podman resolves short names through registries, so it needs a host.
pub(super) const REGISTRY: &str = "localhost/hospital";
pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Label of every image and build stage of this command: of the base image, of which stages are made, and of the rest.
const LABEL: &str = "hospital.local=image";
/// Builds only the stage that compiles. Its image has a tag, so that `prune` keeps the layers for the next build.
const STAGE: [&str; 1] = ["--target=build"];
/// Tag of the release of one team's pages that the walk serves as a canary.
const NEXT: &str = "next";
const NEXT_TEAM: &str = "booking";
/// File of that team, a text in it, and its replacement, by which the walk recognises the release.
const NEXT_CHANGE: [&str; 3] = [
    "svc-booking/web/src/appointment.tsx",
    "<h1 className={styles.title}>",
    "<h1 className={styles.title} data-release=\"next\">",
];
const BASE_SCRIPTS: [&str; 2] = [
    "deploy/docker/local-base.sh",
    "deploy/docker/local-postgres.sh",
];
/// Settings of this machine's package clients, and where they are in a build. Absent ones are left out.
const CLIENTS: [(&str, &str); 2] = [
    (".cargo/config.toml", "/usr/local/cargo/config.toml"),
    ("/usr/etc/npmrc", "/usr/etc/npmrc"),
];

/// Returns the base image's name, which changes with the scripts that make it.
pub(super) fn base(project: &Project) -> String {
    let mut hasher = DefaultHasher::new();
    for script in BASE_SCRIPTS {
        fs::read(project.root.join(script)).ok().hash(&mut hasher);
    }
    format!("{REGISTRY}/base:{:016x}", hasher.finish())
}

/// Builds every image that is missing or outdated. Returns lines with their sizes and the duration.
pub(super) fn build(site: &Containers<'_>) -> Result<Vec<String>> {
    let started = Instant::now();
    remove_abandoned(site)?;
    ensure_base(site)?;
    let services = site.project.services.iter();
    let programs = [GATEWAY]
        .into_iter()
        .chain(services.map(|service| &*service.name));
    let mut images = Vec::new();
    for program in programs {
        images.push(format!("{REGISTRY}/{program}:{VERSION}"));
        let arguments = [
            ("RUST_IMAGE", base(site.project)),
            (
                "PACKAGES",
                "--workspace --exclude=xtask --exclude=ops-traces".to_owned(),
            ),
            ("PROFILE", site.profile.name().to_owned()),
            ("PROGRAM", program.to_owned()),
        ];
        let root = &site.project.root;
        // All programs have one first stage.
        if program == GATEWAY {
            let stage = format!("{REGISTRY}/stage-programs:latest");
            one(site, root, "program", &stage, &arguments, &STAGE)?;
        }
        let image = &images[images.len() - 1];
        one(site, root, "program", image, &arguments, &[])?;
    }
    for package in &site.pages {
        images.push(format!("{REGISTRY}/pages-{}:{VERSION}", package.name));
        pages(
            site,
            &site.project.root,
            &package.name,
            &images[images.len() - 1],
        )?;
    }
    if let Some(release) = &site.release {
        build_release(site, release)?;
    }
    if site.is_test {
        let image = format!("{REGISTRY}/pages-{NEXT_TEAM}:{NEXT}");
        pages(site, &next_source(site)?, NEXT_TEAM, &image)?;
    }
    prune(site)?;
    let mut lines = vec![format!(
        "images built in {}",
        shell::seconds(started.elapsed())
    )];
    for image in images {
        let mut inspect = site.podman(["image", "inspect", "--format", "{{.Size}}", &image]);
        let bytes: u64 = shell::capture(&mut inspect)?.trim().parse()?;
        lines.push(format!("{:>6} MB  {image}", bytes / 1_000_000));
    }
    Ok(lines)
}

/// Returns the tag of the release's images, which differs from that of this tree even before its version is raised.
pub(super) fn released(release: &Release) -> String {
    format!("released-{}", release.version)
}

/// Builds the images of the last release from its programs and pages, which are compiled outside: the last stage of each
/// Dockerfile takes them instead of the result of its first stage.
fn build_release(site: &Containers<'_>, release: &Release) -> Result<()> {
    release.check_out(site.project)?;
    release.build_programs(site.project)?;
    release.build_pages(site.project)?;
    let stage = site.folder.join("released");
    if stage.exists() {
        fs::remove_dir_all(&stage)?;
    }
    let services = site.project.services.iter();
    let programs = [GATEWAY]
        .into_iter()
        .chain(services.map(|service| &*service.name));
    for name in programs {
        let program = text(&release.target().join("debug").join(name));
        let root = text(&stage.join("rootfs").join(name));
        let arguments = ["deploy/docker/rootfs.sh", &program, &root];
        shell::run(&mut shell::command(&site.project.root, "sh", arguments))?;
        let argument = format!("PROGRAM={name}");
        from_stage(site, release, "program", name, &stage, &[argument])?;
    }
    fs::remove_dir_all(&stage)?;
    for package in &site.pages {
        fs::create_dir_all(stage.join("src/node_modules"))?;
        let copy = |from: &Path, to: &str| {
            let mut copy = shell::command(&site.project.root, "cp", ["--recursive"]);
            shell::run(copy.arg(from).arg(stage.join(to)))
        };
        let folder = package_of(&package.name);
        copy(&release.source().join(&folder).join("dist"), "pages")?;
        let mut list = web::sbom(&release.source());
        let list = shell::capture(list.arg("--workspace").arg(&folder))?;
        fs::write(stage.join("sbom.cdx.json"), list)?;
        let client = "node_modules/aws4fetch";
        copy(&site.project.root.join(client), &format!("src/{client}"))?;
        let seal = site.project.root.join("xtask/src/publish/seal.mjs");
        shell::run(&mut shell::command(&stage.join("pages"), "node", [seal]))?;
        let arguments = [
            format!("NODE_IMAGE={}", base(site.project)),
            format!("PAGES={}", package.name),
        ];
        let image = format!("pages-{}", package.name);
        from_stage(site, release, "pages", &image, &stage, &arguments)?;
        fs::remove_dir_all(&stage)?;
    }
    Ok(())
}

/// Builds one image of the last release from a folder that stands for the Dockerfile's stage `build`.
fn from_stage(
    site: &Containers<'_>,
    release: &Release,
    file: &str,
    name: &str,
    stage: &Path,
    arguments: &[String],
) -> Result<()> {
    let image = format!("{REGISTRY}/{name}:{}", released(release));
    println!("building {image}");
    let root = &site.project.root;
    let mut build = site.podman(["build", "--quiet", "--format=docker", "--label", LABEL]);
    build
        .arg(format!("--build-context=build={}", text(stage)))
        .arg(format!("--build-arg=VERSION={}", release.version))
        .arg(format!("--build-arg=REVISION={}", release.commit))
        .args(arguments.iter().map(|one| format!("--build-arg={one}")))
        .arg(format!(
            "--file={}",
            text(&root.join(format!("deploy/docker/{file}.Dockerfile")))
        ))
        .args(["--tag", &image, &text(root)]);
    shell::run(&mut build)
}

/// Removes the working containers of killed builds, whose images could not be pruned. Such a container has the name of
/// its image, or the start of the image's id, before `-working-container`.
fn remove_abandoned(site: &Containers<'_>) -> Result<()> {
    let format = "--format={{.ID}} {{.Image}} {{.Names}}";
    let found = shell::capture(&mut site.podman(["ps", "--all", "--external", format]))?;
    for line in found.lines() {
        let mut words = line.split(' ');
        let (Some(id), Some(image), Some(name)) = (words.next(), words.next(), words.next()) else {
            continue;
        };
        let Some((of, _)) = name.split_once("-working-container") else {
            continue;
        };
        let labels = ["image", "inspect", "--format={{.Labels}}", of];
        let is_ours = || {
            shell::capture(&mut site.podman(labels))
                .is_ok_and(|found| found.contains(&LABEL.replace('=', ":")))
        };
        if image.starts_with(REGISTRY) || is_ours() {
            shell::capture(&mut site.podman(["rm", "--force", id]))?;
        }
    }
    Ok(())
}

/// Removes the images and layers that this build replaced, and those that killed builds left behind.
fn prune(site: &Containers<'_>) -> Result<()> {
    let filter = format!("--filter=label={LABEL}");
    shell::capture(&mut site.podman(["image", "prune", "--force", &filter])).map(drop)
}

/// Builds the base image unless it was built from these scripts before.
fn ensure_base(site: &Containers<'_>) -> Result<()> {
    let image = base(site.project);
    if shell::capture(&mut site.podman(["image", "exists", &image])).is_ok() {
        return Ok(());
    }
    let mut script = shell::command(&site.project.root, "sh", [BASE_SCRIPTS[0], &image]);
    site.set_variables(&mut script);
    shell::run(&mut script)
}

/// Returns the folder of a team's pages, or of the shell's.
fn package_of(name: &str) -> String {
    match name {
        "shell" => "web-shell".to_owned(),
        team => format!("svc-{team}/web"),
    }
}

fn pages(site: &Containers<'_>, source: &Path, name: &str, image: &str) -> Result<()> {
    let arguments = [
        ("NODE_IMAGE", base(site.project)),
        ("GATEWAY_IMAGE", format!("{REGISTRY}/{GATEWAY}:{VERSION}")),
        ("PAGES", name.to_owned()),
        ("PACKAGE", package_of(name)),
    ];
    let stage = format!("{REGISTRY}/stage-pages-{name}:latest");
    one(site, source, "pages", &stage, &arguments, &STAGE)?;
    one(site, source, "pages", image, &arguments, &[])
}

/// Builds one image. The compiler and the settings of the package clients are mounted, so no layer has them.
fn one(
    site: &Containers<'_>,
    source: &Path,
    file: &str,
    image: &str,
    arguments: &[(&str, String)],
    more: &[&str],
) -> Result<()> {
    // The format of Docker, because OCI's has no health check.
    let mut command = site.podman(["build", "--quiet", "--format=docker", "--network=host"]);
    let mut mount = |from: &Path, to: &str| {
        if from.exists() {
            command.arg(format!("--volume={}:{to}:ro", text(from)));
        }
    };
    let mut sysroot = shell::command(&site.project.root, "rustc", ["--print", "sysroot"]);
    mount(Path::new(shell::capture(&mut sysroot)?.trim()), "/opt/rust");
    mount(Path::new("/etc/ssl/certs"), "/etc/ssl/certs");
    let home = PathBuf::from(std::env::var_os("HOME").context("HOME is not set")?);
    for (from, to) in CLIENTS {
        mount(&home.join(from), to);
    }
    let mut revision = shell::command(&site.project.root, "git", ["rev-parse", "HEAD"]);
    let revision = shell::capture(&mut revision)?.trim().to_owned();
    let labels = [("VERSION", VERSION.to_owned()), ("REVISION", revision)];
    for (name, value) in arguments.iter().chain(&labels) {
        command.arg(format!("--build-arg={name}={value}"));
    }
    command.arg(format!("--file=deploy/docker/{file}.Dockerfile"));
    command.args(["--label", LABEL, "--tag", image]).args(more);
    command.arg(".").current_dir(source);
    println!("building {image}");
    shell::run(&mut command)
}

/// Copies the tracked files and changes one text on a team's page.
fn next_source(site: &Containers<'_>) -> Result<PathBuf> {
    let folder = site.folder.join("next");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    let copy = "git ls-files -z --cached --others --exclude-standard \
                | xargs -0 cp --parents --preserve=timestamps --target-directory=\"$0\"";
    let folder_text = text(&folder);
    shell::run(&mut shell::command(
        &site.project.root,
        "sh",
        ["-c", copy, &folder_text],
    ))?;
    let [file, from, to] = NEXT_CHANGE;
    let file = folder.join(file);
    let old = fs::read_to_string(&file)?;
    anyhow::ensure!(old.contains(from), "{} has no {from}", file.display());
    fs::write(file, old.replace(from, to))?;
    Ok(folder)
}
