//! Every step of a test run with what it needs, in the order in which they run, and which of them are wanted.

use std::collections::BTreeSet;

use anyhow::{Result, bail};

use super::{
    alert_tools, deploy, new_team, observatory, postgres, previous_suite, released, skew,
    steps::{Outcome, Run},
    totals::{Reader, cargo_test, node_test, vitest},
};
use crate::{
    debian,
    fuzz_api::{self, Database},
    shell, tidy, web,
};

/// One step.
#[derive(Debug)]
pub(crate) struct Step {
    pub(crate) name: &'static str,
    /// Steps that it depends on: without them it would test something else, or nothing. `--only` includes them.
    needs: &'static [&'static str],
    pub(crate) act: fn(&mut Run<'_>) -> Result<Outcome>,
}

const PACKAGES: &[&str] = &["web install"];
const PAGES: &[&str] = &["web install", "web build"];

/// The step that compiles what the others start.
pub(crate) const PROGRAMS: &str = "programs";
const COMPILE: &str = "cargo build --workspace --bins --exclude xtask";

/// Rules, routes, dashboards and runbooks, with the tests of what checks them. That their metrics exist is tested by `e2e`.
const OBSERVABILITY: [&str; 2] = [
    "deploy/observability/check.test.mjs",
    "deploy/observability/alertmanager.test.mjs",
];

pub(crate) const STEPS: [Step; 33] = [
    Step {
        name: "tidy",
        needs: &[],
        act: |run| Ok(Outcome::clean_if_empty(&tidy::violations(run.project)?)),
    },
    Step {
        name: "format",
        needs: &[],
        act: |run| run.command(&["cargo", "fmt", "--all", "--check"], Reader::ExitCode),
    },
    Step {
        name: "protoc",
        needs: &[],
        act: |run| {
            debian::ensure(&debian::PROTOC)?;
            run.compile_ahead(&COMPILE.split(' ').collect::<Vec<_>>())?;
            Ok(Outcome::passed())
        },
    },
    Step {
        name: "web install",
        needs: &[],
        act: |run| {
            web::check_tools(run.project)?;
            web::install(run.project).map(|_| Outcome::passed())
        },
    },
    Step {
        name: "smtp server",
        needs: &[],
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
        act: |_| debian::ensure(&debian::REDIS).map(|()| Outcome::passed()),
    },
    Step {
        name: "postgresql",
        needs: &[],
        act: start_postgres,
    },
    Step {
        name: "chromium",
        needs: &[],
        act: |_| debian::ensure(&debian::CHROMIUM).map(|()| Outcome::passed()),
    },
    Step {
        name: "firefox",
        needs: &[],
        act: |_| debian::ensure(&debian::FIREFOX).map(|()| Outcome::passed()),
    },
    Step {
        name: "moved clock",
        needs: &[],
        act: |_| debian::ensure(&debian::MOVED_CLOCK).map(|()| Outcome::passed()),
    },
    Step {
        name: "observatory",
        needs: &[],
        act: observatory::install,
    },
    Step {
        name: "alert tools",
        needs: &[],
        act: alert_tools::unpack,
    },
    Step {
        name: "web format",
        needs: PACKAGES,
        act: |run| run.command(&["npm", "run", "lint:format"], Reader::ExitCode),
    },
    Step {
        name: "web lint",
        needs: PACKAGES,
        act: |run| run.command(&["npm", "run", "lint"], Reader::ExitCode),
    },
    Step {
        name: "web build",
        needs: PACKAGES,
        act: |run| web::build_and_publish(run.project).map(|_| Outcome::passed()),
    },
    Step {
        name: "web types",
        needs: PAGES,
        act: |run| run.command(&["npm", "run", "typecheck"], Reader::ExitCode),
    },
    Step {
        name: "web tests",
        needs: PAGES,
        act: |run| run.command(&["npm", "test"], Reader::Runner(vitest)),
    },
    Step {
        name: "clippy",
        needs: &["protoc"],
        act: |run| {
            let line = "cargo clippy --workspace --all-targets -- -D warnings";
            run.command(&line.split(' ').collect::<Vec<_>>(), Reader::ExitCode)
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
        ],
        act: |run| {
            let line = ["cargo", "test", "--workspace", "--no-fail-fast"];
            run.command(&line, Reader::Runner(cargo_test))
        },
    },
    Step {
        name: "buf lint",
        needs: PACKAGES,
        act: |run| {
            let line = ["npx", "--no-install", "buf", "lint", "proto"];
            run.command(&line, Reader::ExitCode)
        },
    },
    Step {
        name: "buf breaking",
        needs: PACKAGES,
        act: released::contracts,
    },
    Step {
        name: "page contract",
        needs: &[],
        act: released::page_contract,
    },
    Step {
        name: "cargo deny",
        needs: &[],
        act: cargo_deny,
    },
    Step {
        name: "npm audit",
        needs: &[],
        act: |run| run.audit(),
    },
    Step {
        name: "observability",
        needs: &["web install", "alert tools"],
        act: |run| {
            let mut line = vec!["node", "--test", "--test-reporter=spec"];
            line.extend(OBSERVABILITY);
            run.command(&line, Reader::Runner(node_test))
        },
    },
    Step {
        name: PROGRAMS,
        needs: &["protoc"],
        act: |run| run.command(&COMPILE.split(' ').collect::<Vec<_>>(), Reader::ExitCode),
    },
    Step {
        name: "e2e",
        needs: &[
            "web install",
            "web build",
            "protoc",
            "postgresql",
            "redis",
            "chromium",
            "firefox",
            "moved clock",
            "observatory",
            "alert tools",
            "programs",
        ],
        act: |run| {
            let line = ["npm", "test", "-w", "e2e"];
            run.command(&line, Reader::Runner(node_test))
        },
    },
    Step {
        name: "skew",
        // What is compiled for this tree is not compiled again for the last release.
        needs: &["web install", "web build", "protoc", "chromium", "programs"],
        act: skew::check,
    },
    Step {
        name: "previous suite",
        needs: &["protoc", "postgresql"],
        act: previous_suite::check,
    },
    Step {
        name: "deploy",
        // Their `--help` says which variables there are; backups are those of a service that works.
        needs: &["web install", "protoc", "postgresql", "programs"],
        act: deploy::check,
    },
    Step {
        name: "new team",
        // Programs of the neighbours say which variables there are.
        needs: &[
            "web install",
            "web build",
            "protoc",
            "postgresql",
            "alert tools",
            "programs",
        ],
        act: new_team::run,
    },
    Step {
        name: "fuzz sqlite",
        needs: &["protoc", "programs"],
        act: |run| fuzz(run, Database::Sqlite, "examples,coverage,fuzzing,stateful"),
    },
    Step {
        name: "fuzz postgres",
        needs: &["protoc", "postgresql", "programs"],
        // What is refused before a service is asked is the same on both.
        act: |run| fuzz(run, Database::Postgres, "fuzzing,stateful"),
    },
];

/// Generated calls of each operation in a test run; `cargo xtask fuzz-api` makes more.
const FUZZ_EXAMPLES: u32 = 3;

fn fuzz(run: &mut Run<'_>, database: Database, phases: &str) -> Result<Outcome> {
    fuzz_api::install(run.project)?;
    let line = fuzz_api::line(database, FUZZ_EXAMPLES);
    let mut line: Vec<&str> = line.iter().map(String::as_str).collect();
    line.extend(["--phases", phases]);
    run.command(&line, Reader::ExitCode)
}

/// Without PostgreSQL half of every store test could not run, so that is a failure.
fn start_postgres(run: &mut Run<'_>) -> Result<Outcome> {
    if std::env::var_os(postgres::URL_VARIABLE).is_some() {
        let note = format!("the server that {} names", postgres::URL_VARIABLE);
        return Ok(Outcome::passed().with_note(note));
    }
    debian::ensure(&debian::POSTGRESQL)?;
    let server = postgres::Server::start(run.project, postgres::Durability::None)?;
    run.postgres = Some(server);
    Ok(Outcome::passed())
}

fn cargo_deny(run: &mut Run<'_>) -> Result<Outcome> {
    let mut version = shell::command(&run.project.root, "cargo", ["deny", "--version"]);
    if shell::capture(&mut version).is_err() {
        let why = "cargo-deny is not installed (cargo install cargo-deny)";
        return Ok(Outcome::skipped(why));
    }
    run.command(&["cargo", "deny", "check"], Reader::ExitCode)
}

impl Step {
    /// The first step it needs that failed.
    pub(crate) fn failed_need(&self, failed: &BTreeSet<&'static str>) -> Option<&'static str> {
        self.needs
            .iter()
            .copied()
            .find(|need| failed.contains(need))
    }
}

/// The steps whose name starts with one of `only`, and what they need; all when nothing is asked for.
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
mod tests {
    use super::*;

    fn names(only: &[&str]) -> Vec<&'static str> {
        let only: Vec<_> = only.iter().map(|&name| name.to_owned()).collect();
        wanted(&only)
            .unwrap()
            .iter()
            .map(|step| step.name)
            .collect()
    }

    #[test]
    fn everything_is_wanted_unless_something_is_asked_for() {
        assert_eq!(names(&[]).len(), STEPS.len());
        assert_eq!(names(&["tidy", "format"]), ["tidy", "format"]);
    }

    #[test]
    fn what_a_step_needs_comes_before_it() {
        assert_eq!(
            names(&["rust"]),
            [
                "protoc",
                "web install",
                "smtp server",
                "redis",
                "postgresql",
                "web build",
                "rust tests"
            ]
        );
        assert!(names(&["e2e"]).contains(&"web build"));
        for (index, step) in STEPS.iter().enumerate() {
            let mut closure = BTreeSet::new();
            for need in step.needs {
                let found = STEPS[..index].iter().find(|step| step.name == *need);
                let found = found.unwrap_or_else(|| panic!("{} needs {need}", step.name));
                closure.extend(found.needs);
            }
            for need in closure {
                assert!(step.needs.contains(&need), "{} needs {need}", step.name);
            }
        }
    }

    #[test]
    fn the_linters_of_the_web_need_nothing_that_is_built() {
        assert_eq!(names(&["web lint"]), ["web install", "web lint"]);
        assert_eq!(names(&["web format"]), ["web install", "web format"]);
    }

    #[test]
    fn the_steps_are_those_that_the_daily_loop_names() {
        let text = include_str!("../../../CONTRIBUTING.md");
        let all: Vec<_> = STEPS.iter().map(|step| step.name).collect();
        assert!(text.contains(&format!("The steps: {} |", all.join(", "))));
    }

    #[test]
    fn an_unknown_step_is_an_error_that_names_the_known_ones() {
        let error = wanted(&["nonsense".to_owned()]).unwrap_err().to_string();
        for step in &STEPS {
            assert!(error.contains(step.name), "{error}");
        }
    }

    #[test]
    fn a_step_whose_need_failed_has_an_obstacle() {
        let step = |name| STEPS.iter().find(|step| step.name == name).unwrap();
        let failed = BTreeSet::from(["web build"]);
        assert_eq!(step("e2e").failed_need(&failed), Some("web build"));
        assert_eq!(step("clippy").failed_need(&failed), None);
    }
}
