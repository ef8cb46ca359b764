//! Creates a new team in a copy of the tree. The files that `new-team` writes must be tidy, their tests must pass, and
//! the API must respond through a real gateway. In the full form, lints and the checks of `deploy/` must pass with the
//! new team.
//!
//! Each run recreates the copy in `target/new-team`. Unchanged files keep their modification times, so Cargo compiles
//! only what has changed. The copy shares the build folder of this tree, so third-party crates are compiled once. The
//! copy's own packages have a different version, which gives them different names in that folder. Final build results
//! go to a folder of the copy.

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
    deploy,
    outcome::Outcome,
    postgres,
    steps::{Run, Scope},
    totals::{Reader, Totals, cargo_test, vitest},
};
use crate::{new_team, page_packages::PagePackage, project::Project, publish, shell, tidy};

const NAME: &str = "pharmacy";
const SERVICE: &str = "svc-pharmacy";
/// Version line of this tree's packages, and its replacement in the copy (see above).
const VERSION: [&str; 2] = [
    concat!("version = \"", env!("CARGO_PKG_VERSION"), "\"\n"),
    concat!("version = \"", env!("CARGO_PKG_VERSION"), "-copy\"\n"),
];

pub(super) fn run(run: &Run<'_>) -> Result<Outcome> {
    let copy = timed("the copy", || write(run.project))?;
    let found = tidy::violations(&copy)?;
    ensure!(found.is_empty(), "not tidy:\n{}", found.join("\n"));
    step(&mut cargo(run, &copy, "fmt --check -p svc-pharmacy"))?;
    step(&mut cargo(run, &copy, "build -p gateway -p svc-pharmacy"))?;
    let is_full = run.scope == Scope::Full;
    // Only two lanes in parallel: the service's tests have time limits of seconds, and there are few processors.
    let (service, page) = thread::scope(|scope| {
        let service = scope.spawn(|| -> Result<Totals> {
            let totals = service(run, &copy)?;
            if is_full {
                observability(run, &copy)?;
            }
            Ok(totals)
        });
        let page = page(run, &copy).and_then(|totals| {
            if is_full {
                deployment(run, &copy)?;
            }
            Ok(totals)
        });
        (service.join(), page)
    });
    let mut outcome = Outcome::passed();
    outcome.totals += service.ok().context("the lane of the service panicked")??;
    outcome.totals += page?;
    if !is_full {
        outcome = outcome.with_note(
            "short: no lints, no checks of its deployment; `--full` has them".to_owned(),
        );
    }
    Ok(outcome)
}

/// Returns a cargo command that runs in the copy.
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

/// Runs the new service's tests and lints. Other steps check the rest of the workspace.
fn service(run: &Run<'_>, copy: &Project) -> Result<Totals> {
    let mut tests = cargo(run, copy, "test -p svc-pharmacy");
    let tests = timed("its tests", || {
        run.run(&mut tests, Reader::Runner(cargo_test))
    })?;
    if run.scope == Scope::Full {
        let clippy = "clippy -p svc-pharmacy --all-targets -- -D warnings";
        step(&mut cargo(run, copy, clippy))?;
    }
    Ok(tests.totals)
}

/// Generates the client of the new API, checks, tests and publishes the page, and tests the running site.
fn page(run: &Run<'_>, copy: &Project) -> Result<Totals> {
    let root = &copy.root;
    let gateway = copy.target.join("debug/gateway");
    let description = shell::capture(&mut shell::command(root, &gateway, ["openapi"]))?;
    let file = copy.target.join("openapi.json");
    fs::write(&file, description)?;
    let generate = ["run", "--silent", "generate:api", "--"];
    step(shell::command(root, "npm", generate).arg(&file))?;
    let lints = [
        "prettier --check svc-pharmacy/web deploy/compose deploy/k8s deploy/observability",
        "eslint svc-pharmacy/web",
        "stylelint svc-pharmacy/**/*.css",
        "buf lint proto",
    ];
    let lints = lints.iter().filter(|_| run.scope == Scope::Full);
    for line in lints.chain(&["tsc --noEmit"]) {
        step(&mut program(root, line))?;
    }
    let mut tests = program(root, "vitest run svc-pharmacy");
    let tests = run.run(&mut tests, Reader::Runner(vitest))?;
    let package = PagePackage::named(copy, NAME)?;
    let build = root.join("node_modules/.bin/hospital-build");
    step(&mut shell::command(&package.folder, build, [""; 0]))?;
    timed("publishing", || {
        publish::publish_built(copy, &package, &gateway)?;
        // The shell is this tree's, as built by the step `web build`.
        let shell = PagePackage::named(run.project, "shell")?;
        publish::publish_built(copy, &shell, &gateway)
    })?;
    timed("the site", || site::answers(copy))?;
    Ok(tests.totals)
}

/// Returns a command for a program of the npm packages.
fn program(root: &Path, line: &str) -> Command {
    let mut words = line.split(' ');
    let name = words.next().unwrap_or_default();
    shell::command(root, root.join("node_modules/.bin").join(name), words)
}

/// Checks that the deployment of all teams is still valid with the new one.
fn deployment(run: &Run<'_>, copy: &Project) -> Result<()> {
    deploy::ensure_tools(run.project)?;
    let mut check = shell::command(&copy.root, "node", ["deploy/check.mjs"]);
    check
        .env("CARGO_TARGET_DIR", &run.project.target)
        .env("PROGRAMS_DIR", programs(run.project, copy)?);
    step(&mut check)
}

/// Checks that monitoring targets, alerts and their routes are still valid with the new team.
fn observability(run: &Run<'_>, copy: &Project) -> Result<()> {
    let own = std::env::var_os("PATH").unwrap_or_default();
    let unpacked = [run.project.target.join("debian/usr/bin")];
    let path = std::env::join_paths(std::env::split_paths(&own).chain(unpacked))?;
    let check = ["deploy/observability/check.mjs"];
    step(shell::command(&copy.root, "node", check).env("PATH", path))
}

/// Returns a folder with links to all programs. Those not built in the copy are this tree's.
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

/// Runs an action and prints its duration, because this step is one of the longest.
fn timed<T>(what: &str, act: impl FnOnce() -> Result<T>) -> Result<T> {
    let started = Instant::now();
    let done = act();
    println!("{}: {what}", shell::seconds(started.elapsed()));
    done
}

/// Creates the copy, with the new team in it.
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
