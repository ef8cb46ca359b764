//! A new team in a copy of the tree: what `new-team` writes is tidy, its tests pass, its API answers through a real gateway, and
//! `deploy/` runs and watches it.
//!
//! The copy stands in `target/new-team` and is made anew in each run, but a file that is as it was keeps its time, so that Cargo
//! compiles only what has changed. It shares the build folder of this tree: crates from outside are compiled once. Its own packages
//! have another version than those of this tree and therefore other names there; what comes out of a build goes to a folder of the copy.

mod copy;
mod site;

use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
    thread,
    time::Instant,
};

use anyhow::{Context, Result, ensure};

use super::{
    deploy, postgres,
    steps::{Outcome, Run},
    totals::{Reader, Totals, cargo_test, vitest},
};
use crate::{new_team, page_packages::PagePackage, project::Project, publish, shell, tidy};

const NAME: &str = "pharmacy";
const SERVICE: &str = "svc-pharmacy";
/// Of the packages of the copy: see above.
const VERSION: [&str; 2] = ["version = \"0.1.0\"\n", "version = \"0.1.0-copy\"\n"];

pub(super) fn run(run: &Run<'_>) -> Result<Outcome> {
    let copy = timed("the copy", || write(run.project))?;
    let found = tidy::violations(&copy)?;
    ensure!(found.is_empty(), "not tidy:\n{}", found.join("\n"));
    step(&mut cargo(run, &copy, "fmt --check -p svc-pharmacy"))?;
    step(&mut cargo(run, &copy, "build -p gateway -p svc-pharmacy"))?;
    // Two side by side and no more: the tests of the service give things seconds, and processors are few.
    let (service, page) = thread::scope(|scope| {
        let service = scope.spawn(|| {
            let totals = service(run, &copy)?;
            observability(run, &copy).map(|()| totals)
        });
        let page = page(run, &copy).and_then(|totals| {
            deployment(run, &copy)?;
            Ok(totals)
        });
        (service.join(), page)
    });
    let mut outcome = Outcome::passed();
    outcome.totals += service.ok().context("the lane of the service panicked")??;
    outcome.totals += page?;
    Ok(outcome)
}

/// Cargo in the copy.
fn cargo(run: &Run<'_>, copy: &Project, line: &str) -> Command {
    let mut command = shell::command(&copy.root, "cargo", line.split(' '));
    command
        .env("CARGO_TARGET_DIR", &copy.target)
        .env("CARGO_BUILD_BUILD_DIR", &run.project.target)
        .env("CARGO_TERM_COLOR", "never");
    if let Some(server) = run.postgres.get() {
        command.env(postgres::URL_VARIABLE, server.url());
    }
    command
}

/// Its tests, and the lints of its crate; the rest of the workspace is looked at by steps of its own.
fn service(run: &Run<'_>, copy: &Project) -> Result<Totals> {
    let mut tests = cargo(run, copy, "test -p svc-pharmacy");
    let tests = timed("its tests", || {
        run.run(&mut tests, Reader::Runner(cargo_test))
    })?;
    let clippy = "clippy -p svc-pharmacy --all-targets -- -D warnings";
    step(&mut cargo(run, copy, clippy))?;
    Ok(tests.totals)
}

/// The client for its API, its page, and all of it together.
fn page(run: &Run<'_>, copy: &Project) -> Result<Totals> {
    let root = &copy.root;
    let gateway = copy.target.join("debug/gateway");
    let description = shell::capture(&mut shell::command(root, &gateway, ["openapi"]))?;
    let file = copy.target.join("openapi.json");
    fs::write(&file, description)?;
    let generate = ["run", "--silent", "generate:api", "--"];
    step(shell::command(root, "npm", generate).arg(&file))?;
    for line in [
        "prettier --check svc-pharmacy/web deploy/compose deploy/k8s deploy/observability",
        "eslint svc-pharmacy/web",
        "stylelint svc-pharmacy/**/*.css",
        "buf lint proto",
        "tsc --noEmit",
    ] {
        step(&mut program(root, line))?;
    }
    let mut tests = program(root, "vitest run svc-pharmacy");
    let tests = run.run(&mut tests, Reader::Runner(vitest))?;
    let package = PagePackage::named(copy, NAME)?;
    let build = root.join("node_modules/.bin/hospital-build");
    step(&mut shell::command(&package.folder, build, [""; 0]))?;
    timed("publishing", || {
        publish::publish_built(copy, &package, &gateway)?;
        // The shell is that of this tree, as the step `web build` left it.
        let shell = PagePackage::named(run.project, "shell")?;
        publish::publish_built(copy, &shell, &gateway)
    })?;
    timed("the site", || site::answers(copy))?;
    Ok(tests.totals)
}

/// A program of the npm packages.
fn program(root: &Path, line: &str) -> Command {
    let mut words = line.split(' ');
    let name = words.next().unwrap_or_default();
    shell::command(root, root.join("node_modules/.bin").join(name), words)
}

/// How all teams are run is still sound with one more.
fn deployment(run: &Run<'_>, copy: &Project) -> Result<()> {
    deploy::ensure_tools(run.project)?;
    let mut check = shell::command(&copy.root, "node", ["deploy/check.mjs"]);
    check
        .env("CARGO_TARGET_DIR", &run.project.target)
        .env("PROGRAMS_DIR", programs(run.project, copy)?);
    step(&mut check)
}

/// The same of targets, alerts and their routes.
fn observability(run: &Run<'_>, copy: &Project) -> Result<()> {
    let own = std::env::var_os("PATH").unwrap_or_default();
    let unpacked = [run.project.target.join("debian/usr/bin")];
    let path = std::env::join_paths(std::env::split_paths(&own).chain(unpacked))?;
    let check = ["deploy/observability/check.mjs"];
    step(shell::command(&copy.root, "node", check).env("PATH", path))
}

/// A folder with every program: those of the neighbours are this tree's.
fn programs(project: &Project, copy: &Project) -> Result<PathBuf> {
    let folder = copy.target.join("programs");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    let services = copy.services.iter().map(|service| service.name.as_str());
    for name in services.chain(["gateway", "ops-traces"]) {
        let built = [copy, project].map(|tree| tree.target.join("debug").join(name));
        let program = built.iter().find(|program| program.is_file());
        symlink(
            program.with_context(|| format!("{name} is built"))?,
            folder.join(name),
        )?;
    }
    Ok(folder)
}

fn step(command: &mut Command) -> Result<()> {
    let line = shell::line(command);
    timed(&line, || shell::run(command))
}

/// Says how long it took, as this step is one of the longest.
fn timed<T>(what: &str, act: impl FnOnce() -> Result<T>) -> Result<T> {
    let started = Instant::now();
    let done = act();
    println!("{}: {what}", shell::seconds(started.elapsed()));
    done
}

/// The copy, with the new team in it.
fn write(project: &Project) -> Result<Project> {
    let root = project.target.join("new-team/tree");
    let before = copy::remembered(&root)?;
    copy::tree(&project.root, &root)?;
    let manifest = root.join("Cargo.toml");
    let text = fs::read_to_string(&manifest)?;
    ensure!(
        text.matches(VERSION[0]).count() == 1,
        "Cargo.toml states the version of the packages once"
    );
    fs::write(&manifest, text.replace(VERSION[0], VERSION[1]))?;
    let mut copy = Project {
        services: project.services.clone(),
        target: project.target.join("new-team/target"),
        remotes: root.join("remotes"),
        root,
    };
    new_team::run(&copy, &new_team::Options::of(NAME)?)?;
    copy.services = service_list::read(&manifest)?;
    ensure!(
        copy.services.iter().any(|service| service.name == SERVICE),
        "the list names the new service"
    );
    copy::commit(&copy.root)?;
    copy::keep_times(&before).context("the times of unchanged files")?;
    Ok(copy)
}
