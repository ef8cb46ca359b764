//! `test`: every test of the project, in one command, with one line that says how it went.

pub(crate) mod postgres;
mod steps;
mod totals;

use std::{
    fmt::Write as _,
    process::ExitCode,
    time::{Duration, Instant},
};

use anyhow::bail;

use crate::{debian, project::Project, shell, tidy, web};
use steps::Report;
use totals::{Totals, cargo_test, node_test, vitest};

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Run only the steps whose name starts with one of these, for example `tidy` or `e2e`.
    #[arg(long = "only", value_name = "STEP")]
    only: Vec<String>,
}

/// Runs every step; the exit code says whether all passed.
pub(crate) fn run(project: &Project, options: &Options) -> ExitCode {
    let started = Instant::now();
    let mut report = Report::new(project, &options.only);
    report.check("tidy", || Ok(tidy::violations(project)?.join("\n")));
    report.command("format", &["cargo", "fmt", "--all", "--check"], totals::one);
    web_packages(&mut report, project);
    rust(&mut report, project);
    contracts(&mut report);
    dependencies(&mut report, project);
    browser(&mut report, project);
    let totals = report.totals();
    println!("\n{}", table(&report, started.elapsed()));
    println!("{totals}");
    ExitCode::from(u8::from(totals.failed > 0))
}

/// Early, because tests of the gateway render the published modules.
fn web_packages(report: &mut Report, project: &Project) {
    report.check("web install", || {
        web::check_tools(project)?;
        web::install(project).map(|_| String::new())
    });
    report.check("web build", || {
        web::build_and_publish(project).map(|_| String::new())
    });
    report.command("web types", &["npm", "run", "typecheck"], totals::one);
    report.command("web tests", &["npm", "test"], vitest);
}

fn rust(report: &mut Report, project: &Project) {
    report.check("protoc", || {
        debian::ensure(&debian::PROTOC).map(|()| String::new())
    });
    let clippy = [
        "cargo",
        "clippy",
        "--workspace",
        "--all-targets",
        "--",
        "-D",
        "warnings",
    ];
    report.command("clippy", &clippy, totals::one);
    start_postgres(report, project);
    report.command(
        "rust tests",
        &["cargo", "test", "--workspace", "--no-fail-fast"],
        cargo_test,
    );
}

/// Without PostgreSQL half of every store test would be silent, so that is a failure.
fn start_postgres(report: &mut Report, project: &Project) {
    if !report.wants("rust tests") && !report.wants("e2e") {
        return;
    }
    let mut server = None;
    report.check("postgresql", || {
        debian::ensure(&debian::POSTGRESQL)?;
        server = Some(postgres::Server::start(
            project,
            postgres::Durability::None,
        )?);
        Ok(String::new())
    });
    report.postgres = server;
}

fn contracts(report: &mut Report) {
    report.command(
        "buf lint",
        &["npx", "--no-install", "buf", "lint", "proto"],
        totals::one,
    );
}

fn dependencies(report: &mut Report, project: &Project) {
    let mut deny = shell::command(&project.root, "cargo", ["deny", "--version"]);
    if shell::capture(&mut deny).is_ok() {
        report.command("cargo deny", &["cargo", "deny", "check"], totals::one);
    } else {
        report.skip(
            "cargo deny",
            "cargo-deny is not installed (cargo install cargo-deny)",
        );
    }
    report.audit("npm audit");
}

fn browser(report: &mut Report, project: &Project) {
    if !report.wants("e2e") {
        return;
    }
    report.check("chromium", || {
        debian::ensure(&debian::CHROMIUM)?;
        Ok(String::new())
    });
    let mut programs = vec![
        "cargo",
        "build",
        "--workspace",
        "--bins",
        "--exclude",
        "xtask",
    ];
    if (debian::PROTOC.present)() {
        report.command("e2e programs", &programs, totals::one);
    } else {
        programs.extend(["--exclude", "ops-traces"]);
        report.command("e2e programs", &programs, totals::one);
    }
    if project.root.join("e2e/package.json").exists() {
        report.command("e2e", &["npm", "test", "-w", "e2e"], node_test);
    } else {
        report.check("e2e", || bail!("e2e/package.json is missing"));
    }
}

fn table(report: &Report, elapsed: Duration) -> String {
    let mut text = String::new();
    // Writing to a String cannot fail.
    let mut row = |cells: [&str; 5], note: &str| {
        let [name, time, passed, failed, skipped] = cells;
        let _ = writeln!(
            text,
            "{name:<14} {time:>9} {passed:>7} {failed:>7} {skipped:>8}  {note}"
        );
    };
    row(["step", "time", "passed", "failed", "skipped"], "");
    for step in &report.steps {
        let Totals {
            passed,
            failed,
            skipped,
        } = step.totals;
        let [passed, failed, skipped] = [passed, failed, skipped].map(|count| count.to_string());
        let time = shell::seconds(step.elapsed);
        row([step.name, &time, &passed, &failed, &skipped], &step.note);
    }
    row(["all", &shell::seconds(elapsed), "", "", ""], "");
    text
}
