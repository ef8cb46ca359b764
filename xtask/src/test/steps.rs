//! One step after the other: shown while it runs, timed, counted; a failure does not stop the rest.

use std::{
    io::{Read, Write},
    process::{Command, ExitStatus, Stdio},
    sync::Mutex,
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};

use super::{
    postgres,
    totals::{Reader, Totals},
};
use crate::{project::Project, shell};

#[derive(Debug)]
pub(crate) struct Step {
    pub(crate) name: &'static str,
    pub(crate) elapsed: Duration,
    pub(crate) totals: Totals,
    pub(crate) note: String,
}

/// What was run so far.
#[derive(Debug)]
pub(crate) struct Report<'a> {
    project: &'a Project,
    only: &'a [String],
    pub(crate) steps: Vec<Step>,
    /// The server that store tests use, for as long as the report lives.
    pub(crate) postgres: Option<postgres::Server>,
}

impl<'a> Report<'a> {
    pub(crate) fn new(project: &'a Project, only: &'a [String]) -> Self {
        Self {
            project,
            only,
            steps: Vec::new(),
            postgres: None,
        }
    }

    /// Whether the step was asked for.
    pub(crate) fn wants(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| name.starts_with(only.as_str()))
    }

    /// A check of our own: passes when it finds nothing to say.
    pub(crate) fn check(&mut self, name: &'static str, check: impl FnOnce() -> Result<String>) {
        // Preparations of a wanted step are always run; they are not asked for by name.
        let preparation = ["postgresql", "chromium"].contains(&name);
        if !preparation && !self.wants(name) {
            return;
        }
        println!("\n== {name}");
        let started = Instant::now();
        let problem = match check() {
            Ok(found) => found,
            Err(error) => format!("{error:#}"),
        };
        let failed = !problem.is_empty();
        if failed {
            println!("{problem}");
        }
        self.push(name, started, verdict(!failed), String::new());
    }

    /// A command: its exit code decides, its output gives the totals if `reader` knows them.
    pub(crate) fn command(&mut self, name: &'static str, line: &[&str], reader: Reader) {
        if !self.wants(name) {
            return;
        }
        println!("\n== {name}: {}", line.join(" "));
        let started = Instant::now();
        let (totals, note) = match self.show(line) {
            Ok((status, output)) => {
                let mut totals = reader(&output).unwrap_or_else(|| verdict(status.success()));
                let mut note = String::new();
                if !status.success() && totals.failed == 0 {
                    totals.failed = 1;
                    note = format!("ended with {status}");
                }
                (totals, note)
            }
            Err(error) => (verdict(false), format!("{error:#}")),
        };
        self.push(name, started, totals, note);
    }

    pub(crate) fn skip(&mut self, name: &'static str, why: &str) {
        if self.wants(name) {
            println!("\n== {name}\nskipped: {why}");
            let totals = Totals {
                skipped: 1,
                ..Totals::default()
            };
            self.push(name, Instant::now(), totals, why.to_owned());
        }
    }

    /// Known vulnerabilities in what visitors get. Not every registry can be asked.
    pub(crate) fn audit(&mut self, name: &'static str) {
        if !self.wants(name) {
            return;
        }
        let arguments = ["audit", "--omit=dev", "--json"];
        let output = shell::command(&self.project.root, "npm", arguments).output();
        let answer = output
            .ok()
            .and_then(|output| serde_json::from_slice::<serde_json::Value>(&output.stdout).ok());
        match answer
            .as_ref()
            .and_then(|answer| answer["metadata"]["vulnerabilities"]["total"].as_u64())
        {
            Some(0) => self.check(name, || Ok(String::new())),
            Some(count) => self.check(name, || {
                bail!("{count} vulnerable packages; see `npm audit --omit=dev`")
            }),
            None => self.skip(name, "the package registry offers no audit"),
        }
    }

    pub(crate) fn totals(&self) -> Totals {
        let mut sum = Totals::default();
        for step in &self.steps {
            sum += step.totals;
        }
        sum
    }

    fn push(&mut self, name: &'static str, started: Instant, totals: Totals, note: String) {
        let elapsed = started.elapsed();
        println!("== {name}: {totals} in {}", shell::seconds(elapsed));
        self.steps.push(Step {
            name,
            elapsed,
            totals,
            note,
        });
    }

    /// Runs a command, shows its output as it comes and keeps it.
    fn show(&self, line: &[&str]) -> Result<(ExitStatus, String)> {
        let mut command = shell::command(&self.project.root, line[0], &line[1..]);
        command
            .env("NO_COLOR", "1")
            .env("CARGO_TERM_COLOR", "never")
            .env_remove("FORCE_COLOR");
        if let Some(server) = &self.postgres {
            command.env("TEST_POSTGRES_URL", server.url());
        }
        tee(&mut command)
    }
}

fn verdict(passed: bool) -> Totals {
    Totals {
        passed: u32::from(passed),
        failed: u32::from(!passed),
        skipped: 0,
    }
}

fn tee(command: &mut Command) -> Result<(ExitStatus, String)> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start `{}`", shell::line(command)))?;
    let output = child.stdout.take().context("stdout is piped")?;
    let errors = child.stderr.take().context("stderr is piped")?;
    let kept = Mutex::new(Vec::new());
    thread::scope(|scope| {
        scope.spawn(|| copy(output, &kept));
        scope.spawn(|| copy(errors, &kept));
    });
    let status = child.wait()?;
    let bytes = kept
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    Ok((status, String::from_utf8_lossy(&bytes).into_owned()))
}

/// Copies to this terminal and into `kept`, whole lines at a time as far as the program writes such.
fn copy(mut from: impl Read, kept: &Mutex<Vec<u8>>) {
    let mut buffer = [0; 16 * 1024];
    while let Ok(count @ 1..) = from.read(&mut buffer) {
        let mut kept = kept
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        kept.extend_from_slice(&buffer[..count]);
        // A closed terminal must not end the tests.
        let _ = std::io::stdout().write_all(&buffer[..count]);
    }
}
