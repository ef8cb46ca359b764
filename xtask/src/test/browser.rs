//! Runs the browser tests, and retries files with failed tests if they are few.
//!
//! Browsers, databases and ten processes share two cores, so a test may fail merely because it was too slow. A test
//! that passes when its file runs alone is reported as flaky and does not fail the run. A crash does fail the run: it
//! prints no failed test, so there is nothing to retry.

use std::collections::BTreeSet;

use anyhow::Result;

use super::{
    outcome::Outcome,
    steps::Run,
    totals::{Reader, Totals, node_test},
};

/// Maximum number of files to retry. A slow machine does not explain more failures.
const FILES_MAX: usize = 3;

/// Test results, as parsed from the output of Node's runner.
#[derive(Debug, Default, PartialEq, Eq)]
struct Printed {
    passed: BTreeSet<String>,
    failed: BTreeSet<String>,
    /// Files of the failed tests, relative to the root. The tests of a file share a site, so only files can run alone.
    files: BTreeSet<String>,
    /// Whether a file crashed or could not be loaded. The runner lists it with its path as the name.
    has_crashed: bool,
}

pub(super) fn test(run: &Run<'_>) -> Result<Outcome> {
    let (first, printed) = attempt(run, &["npm", "test", "-w", "e2e"])?;
    if printed.has_crashed {
        return Ok(first.with_note("a file crashed".to_owned()));
    }
    if !(1..=FILES_MAX).contains(&printed.files.len()) {
        return Ok(first);
    }
    let failed: Vec<&str> = printed.failed.iter().map(String::as_str).collect();
    let failed = failed.join(", ");
    println!("\nretry, by themselves: {failed}");
    let options = "node --test --test-reporter=spec --test-concurrency=1".split(' ');
    let line: Vec<&str> = options
        .chain(printed.files.iter().map(String::as_str))
        .collect();
    let (second, retried) = attempt(run, &line)?;
    if !second.totals.has_passed() || !retried.passed.is_superset(&printed.failed) {
        return Ok(first);
    }
    let totals = Totals {
        passed: first.totals.passed + first.totals.failed,
        failed: 0,
        ..first.totals
    };
    let note = format!("flaky, passed by itself: {failed}");
    Ok(Outcome::passed().with_totals(totals).with_note(note))
}

fn attempt(run: &Run<'_>, line: &[&str]) -> Result<(Outcome, Printed)> {
    let (outcome, output) = run.command_and_output(line, Reader::Runner(node_test))?;
    Ok((outcome, printed(&output)))
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
}
