//! Retries of failed tests: if only a few tests fail, they are run again in isolation.
//!
//! Browsers, databases and ten processes share two cores, so a test may fail merely because it was too slow. A test
//! that passes in isolation is reported as flaky and does not fail the run. A crash does fail the run: it prints no
//! failed test, so there is nothing to retry.

use std::collections::BTreeMap;

use anyhow::Result;

use super::{
    steps::{Outcome, Run},
    totals::{Reader, Totals, cargo_test, node_test},
};
use crate::shell;

/// Maximum number of failed tests, or of files with failed tests, to retry. A slow machine does not explain more
/// failures.
const UNITS_MAX: usize = 3;

/// Number of tests by name: two test binaries may each have a test of the same name.
type Names = BTreeMap<String, usize>;

/// A test runner: how its output is read, and how it runs single tests.
#[derive(Debug)]
pub(crate) struct Runner {
    totals: fn(&str) -> Option<Totals>,
    read: fn(&str) -> Printed,
    /// Returns the command that runs only these failed tests.
    alone: fn(&Printed) -> Vec<String>,
}

/// Test results, as parsed from a runner's output.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Printed {
    passed: Names,
    failed: Names,
    /// Files of the failed tests, if a file is the smallest unit that can be run.
    files: Vec<String>,
    /// Failures that no failed test accounts for: processes that crashed or were killed, lines that could not be read.
    unexplained: usize,
}

impl Printed {
    /// Returns whether the failed tests account for the whole failure and are few.
    fn can_be_repeated(&self) -> bool {
        let units = if self.files.is_empty() {
            self.failed.values().sum()
        } else {
            self.files.len()
        };
        self.unexplained == 0 && (1..=UNITS_MAX).contains(&units)
    }

    /// Returns whether every test that failed in `first` has passed here, without any new failure.
    fn repaired(&self, first: &Self) -> bool {
        let has_passed = |(name, count): (&String, &usize)| {
            let passed = self.passed.get(name).copied().unwrap_or_default();
            passed >= *count
        };
        self.unexplained == 0 && self.failed.is_empty() && first.failed.iter().all(has_passed)
    }
}

/// Runner of Rust tests. Retries tests by name.
pub(crate) const CARGO: Runner = Runner {
    totals: cargo_test,
    read: printed_by_cargo,
    alone: |first| {
        let line = "cargo test --workspace --no-fail-fast -- --exact";
        let names = first.failed.keys().cloned();
        line.split(' ').map(str::to_owned).chain(names).collect()
    },
};

/// Runner of browser tests. Retries whole files, because the tests of a file share a site.
pub(crate) const E2E: Runner = Runner {
    totals: node_test,
    read: printed_by_node,
    alone: |first| {
        let line = "node --test --test-reporter=spec --test-concurrency=1";
        let files = first.files.iter().cloned();
        line.split(' ').map(str::to_owned).chain(files).collect()
    },
};

/// Runs a test command, and retries the failed tests if they are few.
pub(crate) fn run(run: &Run<'_>, line: &[&str], runner: &Runner) -> Result<Outcome> {
    let (first, printed) = attempt(run, line, runner)?;
    if printed.unexplained > 0 {
        let note = format!(
            "{} failures without a failed test: a crash?",
            printed.unexplained
        );
        return Ok(first.with_note(note));
    }
    if !printed.can_be_repeated() {
        return Ok(first);
    }
    println!("\nonce more, by itself: {}", listed(&printed.failed));
    let line = (runner.alone)(&printed);
    let line: Vec<&str> = line.iter().map(String::as_str).collect();
    let (second, repeated) = attempt(run, &line, runner)?;
    Ok(judged(first, &printed, &second, &repeated))
}

fn attempt(run: &Run<'_>, line: &[&str], runner: &Runner) -> Result<(Outcome, Printed)> {
    let mut command = shell::command(&run.project.root, line[0], &line[1..]);
    let reader = Reader::Runner(runner.totals);
    let (outcome, output) = run.run_and_print(&mut command, reader)?;
    Ok((outcome, (runner.read)(&output)))
}

fn judged(first: Outcome, failed: &Printed, second: &Outcome, repeated: &Printed) -> Outcome {
    if !second.totals.has_passed() || !repeated.repaired(failed) {
        return first;
    }
    let totals = Totals {
        passed: first.totals.passed + first.totals.failed,
        failed: 0,
        ..first.totals
    };
    Outcome::passed().with_totals(totals).with_note(format!(
        "flaky, passed by itself: {}",
        listed(&failed.failed)
    ))
}

fn listed(names: &Names) -> String {
    names
        .keys()
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join(", ")
}

fn count(names: &mut Names, name: &str) {
    *names.entry(name.to_owned()).or_default() += 1;
}

/// Parses cargo's output. Each process has a line `Running tests/api.rs (…)` or `Doc-tests gateway`, each test a line
/// `test module::name ... FAILED`, and each process that did not crash ends with a line `test result: …`.
fn printed_by_cargo(output: &str) -> Printed {
    let mut printed = Printed::default();
    let (mut processes, mut results) = (0_usize, 0);
    for line in output.lines() {
        let header = line.trim_start();
        if header.starts_with("Running ") || header.starts_with("Doc-tests ") {
            processes += 1;
        } else if line.starts_with("test result: ") {
            results += 1;
        } else if let Some((name, result)) = test_of_cargo(line) {
            match result {
                "ok" => count(&mut printed.passed, name),
                "FAILED" => count(&mut printed.failed, name),
                _ => {}
            }
        }
    }
    let counted = cargo_test(output).map_or(0, |totals| totals.failed as usize);
    let named: usize = printed.failed.values().sum();
    printed.unexplained = processes.abs_diff(results) + counted.abs_diff(named);
    printed
}

fn test_of_cargo(line: &str) -> Option<(&str, &str)> {
    let (name, result) = line.strip_prefix("test ")?.rsplit_once(" ... ")?;
    Some((name, result))
}

/// Parses the output of Node's runner. Each passed test has a line `✔ name (12.3ms)`. At the end, each failed test has
/// the lines `test at tests/booking.test.mjs:70:5` and `✖ name (15123.1ms)`. A file that crashed or could not be loaded
/// is listed with its path as the name.
fn printed_by_node(output: &str) -> Printed {
    let mut printed = Printed::default();
    let (tests, failures) = output
        .split_once("✖ failing tests:")
        .unwrap_or((output, ""));
    for name in tests.lines().filter_map(|line| test_of_node(line, "✔ ")) {
        count(&mut printed.passed, name);
    }
    let mut file = None;
    for line in failures.lines() {
        if let Some(place) = line.strip_prefix("test at ") {
            file = place.split_once(':').map(|(file, _)| format!("e2e/{file}"));
        } else if let (Some(name), Some(file)) = (test_of_node(line, "✖ "), file.take()) {
            if name.ends_with(".test.mjs") {
                printed.unexplained += 1;
                continue;
            }
            count(&mut printed.failed, name);
            if !printed.files.contains(&file) {
                printed.files.push(file);
            }
        }
    }
    printed
}

fn test_of_node<'a>(line: &'a str, mark: &str) -> Option<&'a str> {
    let (name, _time) = line.trim_start().strip_prefix(mark)?.rsplit_once(" (")?;
    Some(name)
}

#[cfg(test)]
mod tests;
