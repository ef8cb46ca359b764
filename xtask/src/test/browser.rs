//! Runs the tests of the web and of the browser, and retries files with failed tests if they are few.
//!
//! Browsers, databases and ten processes share two cores, so a test may fail merely because it was too slow. A test
//! that passes when its file runs alone is reported as flaky and does not fail the run. A crash does fail the run: it
//! prints no failed test, so there is nothing to retry.

use std::collections::BTreeSet;

use anyhow::Result;

use super::{
    outcome::Outcome,
    steps::{Run, Scope},
    totals::{Reader, Totals, node_test, vitest},
};

/// Maximum number of files to retry. A slow machine does not explain more failures.
const FILES_MAX: usize = 3;

/// Test results, as parsed from the output of Node's runner.
#[derive(Debug, Default, PartialEq, Eq)]
struct Printed {
    passed: BTreeSet<String>,
    failed: BTreeSet<String>,
    /// Files of the failed tests, relative to the root. Tests of a browser's file share a site, so only files run alone.
    files: BTreeSet<String>,
    /// Whether a file crashed or could not be loaded. The runner lists it with its path as the name.
    has_crashed: bool,
}

/// A program that runs the tests of files.
struct Runner {
    /// Command for some files, whose paths follow.
    files: &'static str,
    reader: Reader,
    printed: fn(&str) -> Printed,
}

const NODE: Runner = Runner {
    files: "node --test --test-reporter=spec --test-concurrency=1",
    reader: Reader::Runner(node_test),
    printed,
};

const VITEST: Runner = Runner {
    files: "npm test -- --reporter=verbose",
    reader: Reader::Runner(vitest),
    printed: printed_by_vitest,
};

pub(super) fn browser(run: &Run<'_>) -> Result<Outcome> {
    NODE.test(run, &["npm", "test", "-w", "e2e"])
}

pub(super) fn web(run: &Run<'_>) -> Result<Outcome> {
    let mut line = vec!["npm", "test"];
    if let Scope::Changed(changes) = &run.scope {
        line.extend(["--", "--changed", &changes.base, "--passWithNoTests"]);
    }
    VITEST.test(run, &line)
}

impl Runner {
    fn test(&self, run: &Run<'_>, line: &[&str]) -> Result<Outcome> {
        let (first, printed) = self.attempt(run, line)?;
        if printed.has_crashed {
            return Ok(first.with_note("a file crashed".to_owned()));
        }
        if printed.files.is_empty() {
            return Ok(first);
        }
        let failed: Vec<&str> = printed.failed.iter().map(String::as_str).collect();
        let failed = failed.join(", ");
        if printed.files.len() > FILES_MAX {
            return Ok(first.with_note(failed));
        }
        println!("\nretry, by themselves: {failed}");
        let files = printed.files.iter().map(String::as_str);
        let line: Vec<&str> = self.files.split(' ').chain(files).collect();
        let (second, retried) = self.attempt(run, &line)?;
        if !second.totals.has_passed() || !retried.passed.is_superset(&printed.failed) {
            return Ok(first.with_note(failed));
        }
        let totals = Totals {
            passed: first.totals.passed + first.totals.failed,
            failed: 0,
            ..first.totals
        };
        let note = format!("flaky, passed by itself: {failed}");
        Ok(Outcome::passed().with_totals(totals).with_note(note))
    }

    fn attempt(&self, run: &Run<'_>, line: &[&str]) -> Result<(Outcome, Printed)> {
        let (outcome, output) = run.command_and_output(line, self.reader)?;
        Ok((outcome, (self.printed)(&output)))
    }
}

/// Parses the output of Node's runner. Each passed test has a line `✔ name (12.3ms)`. At the end, each failed test has
/// the lines `test at tests/booking.test.mjs:70:5` and `✖ name (15123.1ms)`.
fn printed(output: &str) -> Printed {
    let mut printed = Printed::default();
    let (tests, failures) = output
        .split_once("✖ failing tests:")
        .unwrap_or((output, ""));
    let passed = tests.lines().filter_map(|line| name(line, "✔ "));
    printed.passed = passed.map(str::to_owned).collect();
    let mut file = None;
    for line in failures.lines() {
        if let Some(place) = line.strip_prefix("test at ") {
            file = place.split_once(':').map(|(file, _)| format!("e2e/{file}"));
        } else if let (Some(name), Some(file)) = (name(line, "✖ "), file.take()) {
            printed.has_crashed |= name.ends_with(".test.mjs");
            printed.failed.insert(name.to_owned());
            printed.files.insert(file);
        }
    }
    printed
}

fn name<'a>(line: &'a str, mark: &str) -> Option<&'a str> {
    let (name, _time) = line.trim_start().strip_prefix(mark)?.rsplit_once(" (")?;
    Some(name)
}

/// Parses the output of vitest. With `--reporter=verbose`, each passed test has a line `✓ file > group > name 12ms`. At the end, each failed test has the line `FAIL  file > group > name`, and each file that
/// could not be loaded the line `FAIL  file [ file ]`.
fn printed_by_vitest(output: &str) -> Printed {
    let mut printed = Printed::default();
    for line in output.lines() {
        if let Some(test) = line.trim_start().strip_prefix("✓ ") {
            let name = match test.rsplit_once(' ') {
                Some((name, time)) if time.ends_with("ms") => name,
                _ => test,
            };
            printed.passed.insert(name.to_owned());
        } else if let Some(test) = line.trim_start().strip_prefix("FAIL ") {
            match test.split_once(" > ") {
                Some((file, _)) => {
                    printed.files.insert(file.trim().to_owned());
                    printed.failed.insert(test.trim().to_owned());
                }
                None => printed.has_crashed = true,
            }
        }
    }
    printed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_names_and_files() {
        let output = "✔ one (1.2ms)\n▶ group\n  ✔ inner (3.1ms)\n✖ failing tests:\n\n\
            test at tests/booking.test.mjs:70:5\n✖ by keyboard alone (15123.1ms)\n\
            test at tests/booking.test.mjs:30:1\n✖ booking on sqlite\n  (a detail) (2.0ms)\n";
        let read = printed(output);
        let set = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        assert_eq!(read.passed, set(&["one", "inner"]));
        assert_eq!(read.files, set(&["e2e/tests/booking.test.mjs"]));
        assert_eq!(read.failed, set(&["by keyboard alone"]));
        assert!(!read.has_crashed);
        let crashed = "✖ failing tests:\n\ntest at tests/b.test.mjs:1:1\n\
            ✖ /x/e2e/tests/b.test.mjs (201.2ms)\n";
        assert!(printed(crashed).has_crashed);
    }

    #[test]
    fn reads_names_and_files_of_vitest() {
        let output = " ✓ web-kit/a.test.ts > of 2 > is kept 12ms\n × web-kit/a.test.ts > of 2 > bad 5ms\n\
            \n FAIL  web-kit/a.test.ts > of 2 > bad\nAssertionError: expected 1 to be 2\n";
        let read = printed_by_vitest(output);
        let set = |name: &str| BTreeSet::from([name.to_owned()]);
        assert_eq!(read.passed, set("web-kit/a.test.ts > of 2 > is kept"));
        assert_eq!(read.failed, set("web-kit/a.test.ts > of 2 > bad"));
        assert_eq!(read.files, set("web-kit/a.test.ts"));
        assert!(!read.has_crashed);
        let crashed = " FAIL  web-kit/b.test.ts [ web-kit/b.test.ts ]\n";
        assert!(printed_by_vitest(crashed).has_crashed);
    }
}
