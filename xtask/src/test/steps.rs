//! One step after the other: shown while it runs, timed, counted; a failure stops only what needs the step. Steps that only read run beside
//! the others and are shown when they are over.

use std::{
    io::{BufRead as _, BufReader, Read, Write},
    process::{Child, Command, ExitStatus, Stdio},
    sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError},
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

    /// How a step went, for people and for whoever runs it as a command.
    fn line(&self, name: &str, elapsed: Duration) -> String {
        let time = shell::seconds(elapsed);
        format!("== {name}: {} in {time} {}", self.totals, self.note)
    }

    /// What such a line says.
    fn in_line(output: &str, name: &str) -> Option<Self> {
        let start = format!("== {name}: ");
        let said = output
            .lines()
            .rev()
            .find_map(|line| line.strip_prefix(&start))?;
        let (totals, timed) = said.split_once(" in ")?;
        let (_, note) = timed.split_once(" s ")?;
        Some(Self {
            totals: Totals::read(totals)?,
            note: note.to_owned(),
        })
    }

    pub(crate) fn with_totals(mut self, totals: Totals) -> Self {
        self.totals = totals;
        self
    }

    pub(crate) fn with_note(mut self, note: String) -> Self {
        self.note = note;
        self
    }
}

/// A step that is over.
#[derive(Debug, Clone)]
pub(crate) struct Done {
    pub(crate) name: &'static str,
    pub(crate) elapsed: Duration,
    pub(crate) outcome: Outcome,
}

/// A run of the tests: what was run so far, and what later steps use of it.
#[derive(Debug)]
pub(crate) struct Run<'a> {
    pub(crate) project: &'a Project,
    /// What is over, in the order in which it ended.
    done: Mutex<Vec<Done>>,
    ended: Condvar,
    /// The steps of this run.
    wanted: Vec<&'static str>,
    /// Compiles the programs meanwhile.
    ahead: Mutex<Option<Child>>,
    /// The server that store tests use, for as long as the run lives.
    pub(crate) postgres: OnceLock<postgres::Server>,
}

impl<'a> Run<'a> {
    /// A run of these steps.
    pub(crate) fn new(project: &'a Project, steps: &[&Step]) -> Self {
        Self {
            project,
            done: Mutex::default(),
            ended: Condvar::new(),
            wanted: steps.iter().map(|step| step.name).collect(),
            ahead: Mutex::default(),
            postgres: OnceLock::new(),
        }
    }

    /// Runs all steps: those that may run beside others in a row of their own.
    pub(crate) fn all(&self, steps: &[&'static Step]) {
        let (beside, alone): (Vec<_>, Vec<_>) = steps.iter().partition(|step| step.is_beside);
        thread::scope(|scope| {
            scope.spawn(|| {
                for step in beside {
                    self.take(step, || self.act_beside(step));
                }
            });
            for step in alone {
                self.take(step, || {
                    println!("\n== {}", step.name);
                    (step.act)(self)
                });
            }
        });
    }

    /// Runs one step when what it waits for is over, unless a step that it needs has failed: then it would test the artefacts of an
    /// earlier run.
    fn take(&self, step: &Step, act: impl FnOnce() -> Result<Outcome>) {
        self.wait_for(step);
        let started = Instant::now();
        let outcome = match self.failed_need(step) {
            Some(need) => Outcome::failed(format!("not run, because `{need}` failed")),
            None => act().unwrap_or_else(|error| {
                println!("{error:#}");
                Outcome::failed("")
            }),
        };
        let elapsed = started.elapsed();
        println!("{}", outcome.line(step.name, elapsed));
        self.done_so_far().push(Done {
            name: step.name,
            elapsed,
            outcome,
        });
        self.ended.notify_all();
    }

    fn wait_for(&self, step: &Step) {
        let waits = |done: &mut Vec<Done>| {
            let mut first = step.waits_for().filter(|name| self.wanted.contains(name));
            first.any(|name| !done.iter().any(|done| done.name == name))
        };
        let guard = self.ended.wait_while(self.done_so_far(), waits);
        drop(guard.unwrap_or_else(PoisonError::into_inner));
    }

    fn failed_need(&self, step: &Step) -> Option<&'static str> {
        let done = self.done_so_far();
        let failed = |need: &&str| {
            let mut ended = done.iter().filter(|done| done.name == *need);
            ended.any(|done| done.outcome.totals.failed > 0)
        };
        step.needs.iter().copied().find(failed)
    }

    fn done_so_far(&self) -> MutexGuard<'_, Vec<Done>> {
        self.done.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs a step as a command of its own, with what the others leave of the machine, and shows its output when it is over.
    fn act_beside(&self, step: &Step) -> Result<Outcome> {
        // This very program, also when tests have compiled it anew meanwhile.
        let program = format!("/proc/{}/exe", std::process::id());
        let mut command = shell::command(&self.project.root, "nice", ["-n", "19"]);
        command.arg(program).args(["test", "--alone", step.name]);
        if let Some(server) = self.postgres.get() {
            command.env(postgres::URL_VARIABLE, server.url());
        }
        let ran = command.stdin(Stdio::null()).output();
        let ran = ran.with_context(|| format!("cannot start `{}`", shell::line(&command)))?;
        let text = [ran.stdout, ran.stderr].map(|part| String::from_utf8_lossy(&part).into_owned());
        let [shown, errors] = &text;
        // Its last line is said by whoever takes the step.
        let last = format!("== {}: ", step.name);
        let before = shown
            .rsplit_once(&last)
            .map_or(&**shown, |(before, _)| before);
        print!("\n{last}beside other steps\n{errors}{before}");
        let outcome = Outcome::in_line(shown, step.name);
        outcome.with_context(|| format!("it ended with {}", ran.status))
    }

    /// Runs one step and nothing else: what it needs is there.
    pub(crate) fn alone(&self, step: &Step) {
        self.take(step, || (step.act)(self));
    }

    /// Starts what the step for the programs does anyhow, beside installing and bundling, which leave the machine half idle. It is
    /// silent: cargo makes whoever compiles meanwhile wait, and that step finds what it made, or fails with the compiler's words.
    pub(crate) fn compile_ahead(&self, line: &[&str]) -> Result<()> {
        if !self.wanted.contains(&plan::PROGRAMS) {
            return Ok(());
        }
        let mut command = shell::command(&self.project.root, line[0], &line[1..]);
        let quiet = command
            .arg("--quiet")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        println!("meanwhile: {}", shell::line(quiet));
        let compiler = quiet.spawn().context("cannot start cargo")?;
        let mut ahead = self.ahead.lock().unwrap_or_else(PoisonError::into_inner);
        *ahead = Some(compiler);
        Ok(())
    }

    /// Runs a command, shows its output as it comes, and reads from it what was tested.
    pub(crate) fn command(&self, line: &[&str], reader: Reader) -> Result<Outcome> {
        let mut command = shell::command(&self.project.root, line[0], &line[1..]);
        self.run(&mut command, reader)
    }

    /// The same for a command that is more than a line.
    pub(crate) fn run(&self, command: &mut Command, reader: Reader) -> Result<Outcome> {
        self.run_and_print(command, reader)
            .map(|(outcome, _)| outcome)
    }

    /// The same, and all that it printed.
    pub(crate) fn run_and_print(
        &self,
        command: &mut Command,
        reader: Reader,
    ) -> Result<(Outcome, String)> {
        println!("{}", shell::line(command));
        command
            .env("NO_COLOR", "1")
            .env("CARGO_TERM_COLOR", "never")
            .env_remove("FORCE_COLOR");
        if let Some(server) = self.postgres.get() {
            command.env(postgres::URL_VARIABLE, server.url());
        }
        let (status, output) = tee(command)?;
        let (totals, note) = reader.read(&output, status.success(), &status.to_string());
        Ok((Outcome { totals, note }, output))
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
        for step in self.done_so_far().iter() {
            sum += step.outcome.totals;
        }
        sum
    }

    /// What has run, in the order of the plan.
    pub(crate) fn report(&self) -> Vec<Done> {
        let done = self.done_so_far();
        let of = |name: &&str| done.iter().find(|done| done.name == *name).cloned();
        self.wanted.iter().filter_map(of).collect()
    }
}

impl Drop for Run<'_> {
    /// It has ended long ago, unless the run broke off; then compilers only finish what they have begun.
    fn drop(&mut self) {
        let ahead = self.ahead.get_mut();
        if let Some(mut ahead) = ahead.unwrap_or_else(PoisonError::into_inner).take() {
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

/// Copies to this terminal and into `kept`, a whole line at a time: what two pipes bring must not meet within a line.
fn copy(from: impl Read, kept: &Mutex<Vec<u8>>) {
    let mut from = BufReader::new(from);
    let mut line = Vec::new();
    while let Ok(1..) = from.read_until(b'\n', &mut line) {
        let mut kept = kept
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        kept.extend_from_slice(&line);
        echo(&line);
        line.clear();
    }
}

/// In a unit test the harness captures it: results of a package that the test runs are not results of this run.
fn echo(line: &[u8]) {
    if cfg!(test) {
        print!("{}", String::from_utf8_lossy(line));
    } else {
        // A closed terminal must not end the tests.
        let _ = std::io::stdout().write_all(line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test::plan::STEPS;

    #[test]
    fn a_step_does_not_run_on_what_a_failed_one_left() {
        let project = Project::find().unwrap();
        let step = |name| STEPS.iter().find(|step| step.name == name).unwrap();
        let (programs, e2e) = (step("programs"), step("e2e"));
        let run = Run::new(&project, &[programs, e2e]);
        run.take(programs, || Ok(Outcome::failed("")));
        run.take(e2e, || panic!("it runs"));
        let [_, done] = &run.report()[..] else {
            panic!("{:?}", run.report());
        };
        assert_eq!(done.outcome.totals, Totals::verdict(false));
        assert!(
            done.outcome.note.contains("`programs` failed"),
            "{}",
            done.outcome.note
        );
    }

    #[test]
    fn a_step_waits_for_those_that_run_beside_it() {
        let project = Project::find().unwrap();
        let step = |name| STEPS.iter().find(|step| step.name == name).unwrap();
        let (clippy, e2e) = (step("clippy"), step("e2e"));
        assert!(clippy.is_beside && e2e.waits_for().any(|name| name == "clippy"));
        let run = Run::new(&project, &[clippy, e2e]);
        thread::scope(|scope| {
            let waiting = scope.spawn(|| run.take(e2e, || Ok(Outcome::passed())));
            run.take(clippy, || {
                assert!(!waiting.is_finished());
                Ok(Outcome::failed(""))
            });
        });
        let order: Vec<_> = run.done_so_far().iter().map(|done| done.name).collect();
        assert_eq!(order, ["clippy", "e2e"]);
        assert_eq!(
            run.totals(),
            Totals {
                passed: 1,
                failed: 1,
                skipped: 0
            }
        );
    }

    #[test]
    fn what_a_command_says_of_its_step_is_read() {
        let outcome = Outcome::skipped("no network");
        let line = outcome.line("npm audit", Duration::from_millis(1_250));
        let output = format!("much in 3.0 s\n{line}\n1 skipped");
        assert_eq!(Outcome::in_line(&output, "npm audit"), Some(outcome));
        assert_eq!(Outcome::in_line(&output, "npm"), None);
        let failed = Outcome::failed("").line("clippy", Duration::ZERO);
        assert_eq!(
            Outcome::in_line(&failed, "clippy"),
            Some(Outcome::failed(""))
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
