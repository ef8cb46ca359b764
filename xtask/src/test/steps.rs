//! Runs steps one after another, with live output, durations and totals. A failure stops only the steps that need the
//! failed one. Steps that only read run in parallel with the others, and their output is shown when they end.

use std::{
    ffi::OsStr,
    io::{BufRead as _, BufReader, Read, Write},
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};

use super::{
    changes::Changes,
    outcome::Outcome,
    plan::{self, Step},
    postgres, times,
    totals::{Reader, Totals},
};
use crate::{project::Project, shell};

/// A finished step.
#[derive(Debug, Clone)]
pub(crate) struct Done {
    pub(crate) name: &'static str,
    pub(crate) elapsed: Duration,
    pub(crate) outcome: Outcome,
}

/// A test run: the finished steps, and the state that later steps use.
#[derive(Debug)]
pub(crate) struct Run<'a> {
    pub(crate) project: &'a Project,
    /// Finished steps, in the order in which they ended.
    done: Mutex<Vec<Done>>,
    ended: Condvar,
    /// Names of this run's steps, in plan order.
    wanted: Vec<&'static str>,
    /// Compiler of the programs, started early (see [`Self::compile_ahead`]).
    ahead: Mutex<Option<Child>>,
    /// Server that the store tests use, stopped when the run is dropped.
    pub(crate) postgres: OnceLock<postgres::Server>,
    /// Durations of single tests.
    durations: Mutex<Vec<(String, Duration)>>,
    pub(crate) scope: Scope,
}

/// Part of the tests that a run includes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Scope {
    /// Everything, with the short forms of the longest steps.
    Short,
    /// Everything in its longest form.
    Full,
    /// What a change concerns.
    Changed(Changes),
}

impl<'a> Run<'a> {
    /// Creates a run of these steps.
    pub(crate) fn new(project: &'a Project, steps: &[&Step], scope: Scope) -> Self {
        Self {
            project,
            scope,
            durations: Mutex::default(),
            done: Mutex::default(),
            ended: Condvar::new(),
            wanted: steps.iter().map(|step| step.name).collect(),
            ahead: Mutex::default(),
            postgres: OnceLock::new(),
        }
    }

    /// Runs all steps. Those that may run in parallel with others form a second sequence, except in a run of a change,
    /// which is short.
    pub(crate) fn all(&self, steps: &[&'static Step]) {
        let is_short = matches!(self.scope, Scope::Changed(_));
        let (beside, alone): (Vec<_>, Vec<_>) =
            steps.iter().partition(|step| step.is_beside && !is_short);
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

    /// Runs a step once the steps that it waits for have ended. If a step that it needs has failed, the step is not
    /// run, because it would test the artefacts of an earlier run.
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

    /// Runs a step as a separate process at nice 19, and shows its output when it ends.
    fn act_beside(&self, step: &Step) -> Result<Outcome> {
        // The running binary, even if tests have recompiled xtask in the meantime.
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
        // The result line is cut off, because `take` prints it.
        let last = format!("== {}: ", step.name);
        let before = shown
            .rsplit_once(&last)
            .map_or(&**shown, |(before, _)| before);
        print!("\n{last}beside other steps\n{errors}{before}");
        let outcome = Outcome::in_line(shown, step.name);
        outcome.with_context(|| format!("it ended with {}", ran.status))
    }

    /// Runs one step only, on existing results of the steps that it needs.
    pub(crate) fn alone(&self, step: &Step) {
        self.take(step, || (step.act)(self));
    }

    /// Starts compiling the programs early, in parallel with installing and bundling, which leave the machine half
    /// idle. The output is discarded. Cargo's lock makes other compilations wait. The step for the programs finds the
    /// results, or fails with the compiler's messages.
    pub(crate) fn compile_ahead(&self, line: &[&str]) -> Result<()> {
        if !self.wanted.contains(&plan::PROGRAMS) {
            return Ok(());
        }
        let mut command = self.cargo(line)?;
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

    /// Returns a command that compiles this tree's packages with Cargo, and lints them meanwhile: the compiler of
    /// Clippy in place of Rust's, so that `cargo clippy` need not check everything a second time. Cargo repeats the
    /// warnings of compiled packages.
    pub(crate) fn cargo<A: AsRef<OsStr>>(&self, arguments: &[A]) -> Result<Command> {
        let mut command = shell::command(&self.project.root, "cargo", arguments);
        let mut rustc = shell::command(&self.project.root, "rustc", ["--print", "sysroot"]);
        let linter = Path::new(shell::capture(&mut rustc)?.trim()).join("bin/clippy-driver");
        ensure!(
            linter.exists(),
            "Clippy is missing (rustup component add clippy)"
        );
        command.env("RUSTC_WORKSPACE_WRAPPER", linter);
        Ok(command)
    }

    /// Runs Cargo as [`Self::cargo`] does, with live output.
    pub(crate) fn compile(&self, line: &str, reader: Reader) -> Result<Outcome> {
        let words: Vec<_> = line.split(' ').collect();
        self.run(&mut self.cargo(&words)?, reader)
    }

    /// Runs a command with live output, and reads the totals from the output.
    pub(crate) fn command(&self, line: &[&str], reader: Reader) -> Result<Outcome> {
        let mut command = shell::command(&self.project.root, line[0], &line[1..]);
        self.run(&mut command, reader)
    }

    /// Like [`Self::command`], for a command with its own settings.
    pub(crate) fn run(&self, command: &mut Command, reader: Reader) -> Result<Outcome> {
        self.run_and_output(command, reader)
            .map(|(outcome, _)| outcome)
    }

    /// Like [`Self::command`], and also returns the output.
    pub(crate) fn command_and_output(
        &self,
        line: &[&str],
        reader: Reader,
    ) -> Result<(Outcome, String)> {
        let mut command = shell::command(&self.project.root, line[0], &line[1..]);
        self.run_and_output(&mut command, reader)
    }

    /// Like [`Self::run`], and also returns the output.
    fn run_and_output(&self, command: &mut Command, reader: Reader) -> Result<(Outcome, String)> {
        println!("{}", shell::line(command));
        self.set_variables(command);
        let (status, output) = tee(command)?;
        self.record(times::of_node(&output));
        let (totals, note) = reader.read(&output, status.success(), &status.to_string());
        Ok((Outcome { totals, note }, output))
    }

    /// Sets the environment variables of every command of a run: no colours, and the address of PostgreSQL.
    pub(crate) fn set_variables(&self, command: &mut Command) {
        command
            .env("NO_COLOR", "1")
            .env("CARGO_TERM_COLOR", "never")
            .env_remove("FORCE_COLOR");
        if let Some(server) = self.postgres.get() {
            command.env(postgres::URL_VARIABLE, server.url());
        }
    }

    /// Stores the durations of single tests for the list of the slowest.
    pub(crate) fn record(&self, tests: impl IntoIterator<Item = (String, Duration)>) {
        let durations = self.durations.lock();
        durations
            .unwrap_or_else(PoisonError::into_inner)
            .extend(tests);
    }

    pub(crate) fn durations(&self) -> Vec<(String, Duration)> {
        let durations = self.durations.lock();
        durations.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Checks the npm packages that reach visitors for known vulnerabilities. Skipped if the registry offers no audit.
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

    /// Returns Cargo's arguments for the packages to test.
    pub(crate) fn packages(&self) -> Vec<String> {
        let Scope::Changed(changes) = &self.scope else {
            return vec!["--workspace".to_owned()];
        };
        let packages = changes.packages.iter();
        packages.map(|name| format!("--package={name}")).collect()
    }

    pub(crate) fn totals(&self) -> Totals {
        let mut sum = Totals::default();
        for step in self.done_so_far().iter() {
            sum += step.outcome.totals;
        }
        sum
    }

    /// Returns the finished steps in plan order.
    pub(crate) fn report(&self) -> Vec<Done> {
        let done = self.done_so_far();
        let of = |name: &&str| done.iter().find(|done| done.name == *name).cloned();
        self.wanted.iter().filter_map(of).collect()
    }
}

impl Drop for Run<'_> {
    /// Kills the early compiler. It has ended long ago unless the run was aborted; then running compiler processes
    /// finish their current crates.
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

/// Copies to this terminal and into `kept`, one whole line at a time: output from two pipes must not mix within a line.
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

/// Prints a line. In a unit test the harness must capture it: results of a package run by the test do not count in this
/// run.
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
    fn a_step_is_not_run_after_a_needed_step_failed() {
        let project = Project::find().unwrap();
        let step = |name| STEPS.iter().find(|step| step.name == name).unwrap();
        let (programs, e2e) = (step("programs"), step("e2e"));
        let run = Run::new(&project, &[programs, e2e], Scope::Short);
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
    fn a_step_waits_for_parallel_steps() {
        let project = Project::find().unwrap();
        let step = |name| STEPS.iter().find(|step| step.name == name).unwrap();
        let (docs, e2e) = (step("doc tests"), step("e2e"));
        assert!(docs.is_beside && e2e.waits_for().any(|name| name == "doc tests"));
        let run = Run::new(&project, &[docs, e2e], Scope::Short);
        thread::scope(|scope| {
            let waiting = scope.spawn(|| run.take(e2e, || Ok(Outcome::passed())));
            run.take(docs, || {
                assert!(!waiting.is_finished());
                Ok(Outcome::failed(""))
            });
        });
        let order: Vec<_> = run.done_so_far().iter().map(|done| done.name).collect();
        assert_eq!(order, ["doc tests", "e2e"]);
        assert_eq!(
            run.totals(),
            Totals {
                passed: 1,
                failed: 1,
                skipped: 0
            }
        );
    }
}
