//! One step after the other: shown while it runs, timed, counted; a failure stops only what needs the step.

use std::{
    collections::BTreeSet,
    io::{Read, Write},
    process::{Child, Command, ExitStatus, Stdio},
    sync::Mutex,
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result};

use super::{
    plan::{self, Step},
    postgres,
    totals::{Reader, Totals},
};
use crate::{project::Project, shell};

/// Outcome of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) totals: Totals,
    pub(crate) note: String,
}

impl Outcome {
    pub(crate) fn passed() -> Self {
        Self {
            totals: Totals::verdict(true),
            note: String::new(),
        }
    }

    fn failed(note: impl Into<String>) -> Self {
        Self {
            totals: Totals::verdict(false),
            note: note.into(),
        }
    }

    /// Skipped: named and counted in the last line, so that it is not mistaken for passed.
    pub(crate) fn skipped(why: &str) -> Self {
        let totals = Totals {
            skipped: 1,
            ..Totals::default()
        };
        println!("skipped: {why}");
        let note = why.to_owned();
        Self { totals, note }
    }

    /// A check of our own that lists what it finds.
    pub(crate) fn clean_if_empty(found: &[String]) -> Self {
        if found.is_empty() {
            return Self::passed();
        }
        println!("{}", found.join("\n"));
        Self::failed("")
    }

    pub(crate) fn with_note(mut self, note: String) -> Self {
        self.note = note;
        self
    }
}

/// A step that is over.
#[derive(Debug)]
pub(crate) struct Done {
    pub(crate) name: &'static str,
    pub(crate) elapsed: Duration,
    pub(crate) outcome: Outcome,
}

/// A run of the tests: what was run so far, and what later steps use of it.
#[derive(Debug)]
pub(crate) struct Run<'a> {
    pub(crate) project: &'a Project,
    pub(crate) done: Vec<Done>,
    failed: BTreeSet<&'static str>,
    /// Whether the step that compiles the programs will run.
    compiles: bool,
    /// Compiles the programs meanwhile.
    ahead: Option<Child>,
    /// The server that store tests use, for as long as the run lives.
    pub(crate) postgres: Option<postgres::Server>,
}

impl<'a> Run<'a> {
    /// A run of these steps.
    pub(crate) fn new(project: &'a Project, steps: &[&Step]) -> Self {
        Self {
            project,
            compiles: steps.iter().any(|step| step.name == plan::PROGRAMS),
            ahead: None,
            done: Vec::new(),
            failed: BTreeSet::new(),
            postgres: None,
        }
    }

    /// Runs one step, unless a step that it needs has failed: then it would test the artefacts of an earlier run.
    pub(crate) fn take(&mut self, step: &Step) {
        println!("\n== {}", step.name);
        let started = Instant::now();
        let outcome = match step.failed_need(&self.failed) {
            Some(need) => Outcome::failed(format!("not run, because `{need}` failed")),
            None => (step.act)(self).unwrap_or_else(|error| {
                println!("{error:#}");
                Outcome::failed("")
            }),
        };
        let elapsed = started.elapsed();
        if outcome.totals.failed > 0 {
            self.failed.insert(step.name);
        }
        let time = shell::seconds(elapsed);
        println!(
            "== {}: {} in {time} {}",
            step.name, outcome.totals, outcome.note
        );
        self.done.push(Done {
            name: step.name,
            elapsed,
            outcome,
        });
    }

    /// Starts what the step for the programs does anyhow, beside installing and bundling, which leave the machine half idle. It is
    /// silent: cargo makes whoever compiles meanwhile wait, and that step finds what it made, or fails with the compiler's words.
    pub(crate) fn compile_ahead(&mut self, line: &[&str]) -> Result<()> {
        if !self.compiles {
            return Ok(());
        }
        let mut command = shell::command(&self.project.root, line[0], &line[1..]);
        let quiet = command
            .arg("--quiet")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        println!("meanwhile: {}", shell::line(quiet));
        self.ahead = Some(quiet.spawn().context("cannot start cargo")?);
        Ok(())
    }

    /// Runs a command, shows its output as it comes, and reads from it what was tested.
    pub(crate) fn command(&self, line: &[&str], reader: Reader) -> Result<Outcome> {
        let mut command = shell::command(&self.project.root, line[0], &line[1..]);
        self.run(&mut command, reader)
    }

    /// The same for a command that is more than a line.
    pub(crate) fn run(&self, command: &mut Command, reader: Reader) -> Result<Outcome> {
        println!("{}", shell::line(command));
        command
            .env("NO_COLOR", "1")
            .env("CARGO_TERM_COLOR", "never")
            .env_remove("FORCE_COLOR");
        if let Some(server) = &self.postgres {
            command.env(postgres::URL_VARIABLE, server.url());
        }
        let (status, output) = tee(command)?;
        let (totals, note) = reader.read(&output, status.success(), &status.to_string());
        Ok(Outcome { totals, note })
    }

    /// Known vulnerabilities in what visitors get. Not every registry can be asked.
    pub(crate) fn audit(&self) -> Result<Outcome> {
        let arguments = ["audit", "--omit=dev", "--json"];
        let output = shell::command(&self.project.root, "npm", arguments).output();
        let output = output.context("cannot start npm")?;
        let count = serde_json::from_slice::<serde_json::Value>(&output.stdout)
            .ok()
            .and_then(|answer| answer["metadata"]["vulnerabilities"]["total"].as_u64());
        Ok(match count {
            Some(0) => Outcome::passed(),
            Some(count) => Outcome::failed(format!(
                "{count} vulnerable packages; see `npm audit --omit=dev`"
            )),
            None => Outcome::skipped("the package registry offers no audit"),
        })
    }

    pub(crate) fn totals(&self) -> Totals {
        let mut sum = Totals::default();
        for step in &self.done {
            sum += step.outcome.totals;
        }
        sum
    }
}

impl Drop for Run<'_> {
    /// It has ended long ago, unless the run broke off; then compilers only finish what they have begun.
    fn drop(&mut self) {
        if let Some(mut ahead) = self.ahead.take() {
            let ended = ahead.kill().and_then(|()| ahead.wait());
            if let Err(error) = ended {
                println!("the compiler that was started ahead did not end: {error}");
            }
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test::plan::STEPS;

    #[test]
    fn a_step_does_not_run_on_what_a_failed_one_left() {
        let project = Project::find().unwrap();
        let mut run = Run::new(&project, &[]);
        run.failed.insert("programs");
        let e2e = STEPS.iter().find(|step| step.name == "e2e").unwrap();
        run.take(e2e);
        let [done] = run.done.as_slice() else {
            panic!("{:?}", run.done);
        };
        assert_eq!(done.outcome.totals, Totals::verdict(false));
        assert!(
            done.outcome.note.contains("`programs` failed"),
            "{}",
            done.outcome.note
        );
    }

    #[test]
    fn a_skipped_step_is_counted_as_skipped_only() {
        let Totals {
            passed,
            failed,
            skipped,
        } = Outcome::skipped("no network").totals;
        assert_eq!((passed, failed, skipped), (0, 0, 1));
    }
}
