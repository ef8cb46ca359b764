//! The steps of a test run with their dependencies, in execution order, and the selection of steps.

use std::collections::BTreeSet;

use anyhow::{Context as _, Result, bail};

use super::{
    alert_tools, benches, binaries, browser, deploy, new_team, observatory,
    outcome::Outcome,
    postgres, previous_suite, released, skew,
    steps::Run,
    totals::{Reader, node_test},
};
use crate::{
    debian,
    fuzz_api::{self, Database},
    shell, tidy, venv, web,
};

/// A step of a test run.
#[derive(Debug)]
pub(crate) struct Step {
    pub(crate) name: &'static str,
    /// Steps that this one depends on; without them it would test something else, or nothing. `--only` includes them.
    pub(crate) needs: &'static [&'static str],
    /// Whether the step only reads and does not disturb others. It then runs in parallel with other steps, at nice 19.
    pub(crate) is_beside: bool,
    pub(crate) act: fn(&Run<'_>) -> Result<Outcome>,
}

const PACKAGES: &[&str] = &["web install"];
const PAGES: &[&str] = &["web install", "web build"];

/// Step that compiles the programs started by other steps.
pub(crate) const PROGRAMS: &str = "programs";
const RUST_BUILD: &str = "rust build";
const DOC_TESTS: &str = "doc tests";
const E2E: &str = "e2e";
const COMPILE: &str = "build --workspace --bins --exclude xtask";

/// Issuer of other authors, at which staff of the browser tests sign in.
const SECOND_ISSUER: venv::Set = venv::Set {
    requirements: "e2e/second-issuer/requirements.txt",
    folder: "canaille",
    program: "canaille",
};

/// Checks of rules, routes, dashboards and runbooks, with tests of the checks. The step `e2e` tests that the metrics
/// exist.
const OBSERVABILITY: [&str; 2] = [
    "deploy/observability/check.test.mjs",
    "deploy/observability/alertmanager.test.mjs",
];

pub(crate) const STEPS: [Step; 38] = [
    Step {
        name: "tidy",
        needs: &[],
        is_beside: false,
        act: |run| Ok(Outcome::clean_if_empty(&tidy::violations(run.project)?)),
    },
    Step {
        name: "format",
        needs: &[],
        is_beside: false,
        act: |run| run.command(&["cargo", "fmt", "--all", "--check"], Reader::ExitCode),
    },
    Step {
        name: "protoc",
        needs: &[],
        is_beside: false,
        act: |run| {
            debian::ensure(&debian::PROTOC)?;
            run.compile_ahead(&COMPILE.split(' ').collect::<Vec<_>>())?;
            Ok(Outcome::passed())
        },
    },
    Step {
        name: "web install",
        needs: &[],
        is_beside: false,
        act: |run| {
            web::check_tools(run.project)?;
            web::install(run.project).map(|_| Outcome::passed())
        },
    },
    Step {
        name: "smtp server",
        needs: &[],
        is_beside: false,
        act: |_| {
            debian::ensure(&debian::SMTP_SERVER)?;
            debian::ensure(&debian::DKIM_VERIFIER)?;
            debian::ensure(&debian::ED25519_VERIFIER)?;
            Ok(Outcome::passed())
        },
    },
    Step {
        name: "redis",
        needs: &[],
        is_beside: false,
        act: |_| debian::ensure(&debian::REDIS).map(|()| Outcome::passed()),
    },
    Step {
        name: "postgresql",
        needs: &[],
        is_beside: false,
        act: start_postgres,
    },
    Step {
        name: "chromium",
        needs: &[],
        is_beside: false,
        act: |_| debian::ensure(&debian::CHROMIUM).map(|()| Outcome::passed()),
    },
    Step {
        name: "firefox",
        needs: &[],
        is_beside: false,
        act: |_| debian::ensure(&debian::FIREFOX).map(|()| Outcome::passed()),
    },
    Step {
        name: "moved clock",
        needs: &[],
        is_beside: false,
        act: |_| debian::ensure(&debian::MOVED_CLOCK).map(|()| Outcome::passed()),
    },
    Step {
        name: "sqlite",
        needs: &[],
        is_beside: false,
        act: |_| debian::ensure(&debian::SQLITE).map(|()| Outcome::passed()),
    },
    Step {
        name: "second issuer",
        needs: &[],
        is_beside: false,
        act: |run| {
            SECOND_ISSUER
                .install(run.project)
                .map(|()| Outcome::passed())
        },
    },
    Step {
        name: "observatory",
        needs: &[],
        is_beside: false,
        act: observatory::install,
    },
    Step {
        name: "alert tools",
        needs: &[],
        is_beside: false,
        act: alert_tools::unpack,
    },
    Step {
        name: "web build",
        needs: PACKAGES,
        is_beside: false,
        act: |run| web::build_and_publish(run.project).map(|_| Outcome::passed()),
    },
    Step {
        name: "web tests",
        needs: PAGES,
        is_beside: false,
        act: browser::web,
    },
    Step {
        name: RUST_BUILD,
        needs: &["protoc"],
        is_beside: false,
        act: |run| {
            let line = "test --workspace --all-targets --no-run --quiet";
            run.compile(line, Reader::ExitCode)
        },
    },
    Step {
        name: "clippy",
        needs: &["protoc"],
        is_beside: false,
        // After `rust build`, Cargo only repeats the warnings.
        act: |run| {
            let line = "test --all-targets --no-run --quiet";
            let packages = run.packages();
            let line = line.split(' ').chain(packages.iter().map(String::as_str));
            let mut command = run.cargo(&line.collect::<Vec<_>>())?;
            run.run(&mut command, Reader::Lints)
        },
    },
    Step {
        name: "rust tests",
        // Tests of the gateway render the published modules.
        needs: &[
            "web install",
            "web build",
            "protoc",
            "postgresql",
            "smtp server",
            "redis",
            "rust build",
        ],
        is_beside: false,
        act: |run| binaries::test(run, &run.packages()),
    },
    Step {
        name: DOC_TESTS,
        needs: &["protoc"],
        is_beside: true,
        act: |run| run.compile("test --workspace --doc --quiet", Reader::ExitCode),
    },
    Step {
        name: "web format",
        needs: PACKAGES,
        is_beside: true,
        act: |run| run.command(&["npm", "run", "lint:format"], Reader::ExitCode),
    },
    Step {
        name: "web lint",
        needs: PACKAGES,
        is_beside: true,
        act: |run| run.command(&["npm", "run", "lint"], Reader::ExitCode),
    },
    Step {
        name: "web types",
        needs: PAGES,
        is_beside: true,
        act: |run| run.command(&["npm", "run", "typecheck"], Reader::ExitCode),
    },
    Step {
        name: "buf lint",
        needs: PACKAGES,
        is_beside: true,
        act: |run| {
            let line = ["npx", "--no-install", "buf", "lint", "proto"];
            run.command(&line, Reader::ExitCode)
        },
    },
    Step {
        name: "buf breaking",
        needs: PACKAGES,
        is_beside: true,
        act: released::contracts,
    },
    Step {
        name: "page contract",
        needs: &[],
        is_beside: true,
        act: released::page_contract,
    },
    Step {
        name: "cargo deny",
        needs: &[],
        is_beside: true,
        act: cargo_deny,
    },
    Step {
        name: "npm audit",
        needs: &[],
        is_beside: true,
        act: |run| run.audit(),
    },
    Step {
        name: "observability",
        needs: &["web install", "alert tools"],
        is_beside: false,
        act: |run| {
            let mut line = vec!["node", "--test", "--test-reporter=spec"];
            line.extend(OBSERVABILITY);
            run.command(&line, Reader::Runner(node_test))
        },
    },
    Step {
        name: PROGRAMS,
        needs: &["protoc"],
        is_beside: false,
        act: |run| run.compile(COMPILE, Reader::ExitCode),
    },
    Step {
        name: "bench",
        // The short forms of the benches, with the programs of the tests: a bench that no test runs breaks unnoticed.
        // That of `bench pages` is part of the e2e tests.
        needs: &["protoc", "postgresql", "rust build", PROGRAMS],
        is_beside: false,
        act: benches::run,
    },
    Step {
        name: E2E,
        needs: &[
            "web install",
            "web build",
            "protoc",
            "postgresql",
            "redis",
            "chromium",
            "firefox",
            "moved clock",
            "sqlite",
            "second issuer",
            "observatory",
            "alert tools",
            "programs",
        ],
        is_beside: false,
        act: browser::browser,
    },
    Step {
        name: "skew",
        // Crates compiled for this tree are reused for the last release.
        needs: &["web install", "web build", "protoc", "chromium", "programs"],
        is_beside: false,
        act: skew::check,
    },
    Step {
        name: "previous suite",
        needs: &["protoc", "postgresql"],
        is_beside: false,
        act: previous_suite::check,
    },
    Step {
        name: "deploy",
        // The programs' `--help` lists their variables, and backups are taken from a running service.
        needs: &["web install", "protoc", "postgresql", "programs"],
        is_beside: false,
        act: deploy::check,
    },
    Step {
        name: "new team",
        // `--help` of the other teams' programs lists their variables.
        needs: &[
            "web install",
            "web build",
            "protoc",
            "postgresql",
            "alert tools",
            "programs",
        ],
        is_beside: false,
        act: new_team::run,
    },
    Step {
        name: "fuzz sqlite",
        needs: &["protoc", "programs"],
        is_beside: false,
        act: |run| fuzz(run, Database::Sqlite, "examples,coverage,fuzzing,stateful"),
    },
    Step {
        name: "fuzz postgres",
        needs: &["protoc", "postgresql", "programs"],
        // Fewer phases: calls refused before they reach a service behave the same on both databases.
        is_beside: false,
        act: |run| fuzz(run, Database::Postgres, "fuzzing,stateful"),
    },
];

/// Maximum number of generated calls per operation in a test run; `cargo xtask fuzz-api` makes more.
const FUZZ_EXAMPLES: u32 = 3;

fn fuzz(run: &Run<'_>, database: Database, phases: &str) -> Result<Outcome> {
    fuzz_api::install(run.project)?;
    let line = fuzz_api::line(database, FUZZ_EXAMPLES);
    let mut line: Vec<&str> = line.iter().map(String::as_str).collect();
    line.extend(["--phases", phases]);
    run.command(&line, Reader::ExitCode)
}

/// Starts PostgreSQL, unless a variable names a server. Fails if that is not possible, because every store test also
/// runs on PostgreSQL.
fn start_postgres(run: &Run<'_>) -> Result<Outcome> {
    if std::env::var_os(postgres::URL_VARIABLE).is_some() {
        let note = format!("the server that {} names", postgres::URL_VARIABLE);
        return Ok(Outcome::passed().with_note(note));
    }
    debian::ensure(&debian::POSTGRESQL)?;
    let server = postgres::Server::start(run.project, postgres::Durability::None)?;
    let first = run.postgres.set(server);
    first.ok().context("a server runs already")?;
    Ok(Outcome::passed())
}

fn cargo_deny(run: &Run<'_>) -> Result<Outcome> {
    let mut version = shell::command(&run.project.root, "cargo", ["deny", "--version"]);
    if shell::capture(&mut version).is_err() {
        let why = "cargo-deny is not installed (cargo install cargo-deny)";
        return Ok(Outcome::skipped(why));
    }
    run.command(&["cargo", "deny", "check"], Reader::ExitCode)
}

impl Step {
    /// Returns the steps that must end before this one begins: those that it needs, and two more. Parallel steps wait
    /// for the Rust build, because compilers use the whole machine, whereas Rust tests leave half of it idle. Browser
    /// tests wait for the doc tests, the last compiler, which would disturb them. So they come first among the parallel
    /// steps.
    pub(crate) fn waits_for(&self) -> impl Iterator<Item = &'static str> {
        let compiled = self.is_beside.then_some(RUST_BUILD);
        let quiet = (self.name == E2E).then_some(DOC_TESTS);
        self.needs.iter().copied().chain(compiled).chain(quiet)
    }
}

/// Returns the step with exactly this name.
pub(crate) fn named(name: &str) -> Result<&'static Step> {
    let found = STEPS.iter().find(|step| step.name == name);
    found.with_context(|| format!("there is no step `{name}`"))
}

/// Returns the steps of exactly these names, in execution order.
pub(crate) fn exactly(names: &[&str]) -> Result<Vec<&'static Step>> {
    for name in names {
        named(name)?;
    }
    let is_wanted = |step: &&Step| names.contains(&step.name);
    Ok(STEPS.iter().filter(is_wanted).collect())
}

/// Returns the steps whose names start with one of `only`, and the steps that they need; all steps if `only` is empty.
pub(crate) fn wanted(only: &[String]) -> Result<Vec<&'static Step>> {
    let mut names = BTreeSet::new();
    for start in only {
        let found: Vec<_> = STEPS
            .iter()
            .filter(|step| step.name.starts_with(start.as_str()))
            .collect();
        if found.is_empty() {
            let all: Vec<_> = STEPS.iter().map(|step| step.name).collect();
            bail!(
                "no step's name starts with `{start}`; the steps are: {}",
                all.join(", ")
            );
        }
        for step in found {
            names.insert(step.name);
            names.extend(step.needs);
        }
    }
    let wanted = |step: &&Step| only.is_empty() || names.contains(step.name);
    Ok(STEPS.iter().filter(wanted).collect())
}

#[cfg(test)]
mod tests;
