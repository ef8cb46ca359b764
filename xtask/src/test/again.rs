//! A second attempt: the few tests that failed beside others are run once more by themselves.
//!
//! Two cores are shared by browsers, databases and ten processes, so a test may fail for want of time alone. One that passes by itself
//! is unsteady: the run names it, so that its cause is looked for, and does not fail. What fails twice has failed.

use std::collections::BTreeSet;

use anyhow::Result;

use super::{
    steps::{Outcome, Run},
    totals::{Reader, Totals, cargo_test, node_test},
};
use crate::shell;

/// More than this is no want of time.
const MAX: usize = 3;

/// How a runner's failed tests are found and run by themselves.
#[derive(Debug)]
pub(crate) struct Runner {
    totals: fn(&str) -> Option<Totals>,
    /// Names in what the runner printed.
    failed: fn(&str) -> BTreeSet<String>,
    /// The command that runs these alone.
    alone: fn(&BTreeSet<String>) -> Vec<&str>,
}

/// Tests by name.
pub(crate) const CARGO: Runner = Runner {
    totals: cargo_test,
    failed: failed_of_cargo,
    alone: |names| {
        let line = "cargo test --workspace --no-fail-fast -- --exact";
        line.split(' ')
            .chain(names.iter().map(String::as_str))
            .collect()
    },
};

/// Browser tests by file: those of one file share a site.
pub(crate) const E2E: Runner = Runner {
    totals: node_test,
    failed: failed_of_node,
    alone: |files| {
        let line = "node --test --test-reporter=spec --test-concurrency=1";
        line.split(' ')
            .chain(files.iter().map(String::as_str))
            .collect()
    },
};

/// Runs a command of tests and, if few of them failed, these again.
pub(crate) fn run(run: &Run<'_>, line: &[&str], runner: &Runner) -> Result<Outcome> {
    let reader = Reader::Runner(runner.totals);
    let mut command = shell::command(&run.project.root, line[0], &line[1..]);
    let (first, output) = run.run_and_print(&mut command, reader)?;
    let names = (runner.failed)(&output);
    if first.totals.failed == 0 || names.is_empty() || names.len() > MAX {
        return Ok(first);
    }
    println!("\nonce more, by itself: {}", listed(&names));
    let second = run.command(&(runner.alone)(&names), reader)?;
    Ok(judged(first, &second, &names))
}

fn judged(first: Outcome, second: &Outcome, names: &BTreeSet<String>) -> Outcome {
    if !second.totals.has_passed() {
        return first;
    }
    let totals = Totals {
        passed: first.totals.passed + first.totals.failed,
        failed: 0,
        ..first.totals
    };
    Outcome::passed()
        .with_totals(totals)
        .with_note(format!("unsteady, passed by itself: {}", listed(names)))
}

fn listed(names: &BTreeSet<String>) -> String {
    names
        .iter()
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join(", ")
}

/// `test module::name ... FAILED`.
fn failed_of_cargo(output: &str) -> BTreeSet<String> {
    let name = |line: &str| {
        let name = line.strip_prefix("test ")?.strip_suffix(" ... FAILED")?;
        Some(name.to_owned())
    };
    output.lines().filter_map(name).collect()
}

/// `test at tests/booking.test.mjs:70:5`, in the list at the end.
fn failed_of_node(output: &str) -> BTreeSet<String> {
    let file = |line: &str| {
        let place = line.strip_prefix("test at ")?;
        let (file, _) = place.split_once(':')?;
        Some(format!("e2e/{file}"))
    };
    output.lines().filter_map(file).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(passed: u32, failed: u32) -> Outcome {
        Outcome::passed().with_totals(Totals {
            passed,
            failed,
            skipped: 1,
        })
    }

    fn names(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn failed_tests_are_found_in_what_runners_print() {
        let cargo = "test limits::one ... ok\ntest limits::two ... FAILED\ntest three ... ignored\n\
            failures:\n    limits::two\n\ntest result: FAILED. 1 passed; 1 failed; 1 ignored\n";
        assert_eq!(failed_of_cargo(cargo), names(&["limits::two"]));
        let node = "✖ failing tests:\n\ntest at tests/booking.test.mjs:70:5\n✖ by keyboard alone (15123.1ms)\n\
            test at tests/booking.test.mjs:30:1\n✖ booking on sqlite\n";
        assert_eq!(failed_of_node(node), names(&["e2e/tests/booking.test.mjs"]));
    }

    #[test]
    fn what_failed_is_run_by_itself() {
        let line = (CARGO.alone)(&failed_of_cargo("test a::b ... FAILED")).join(" ");
        assert_eq!(
            line,
            "cargo test --workspace --no-fail-fast -- --exact a::b"
        );
        let line = (E2E.alone)(&failed_of_node("test at tests/a.test.mjs:1:1")).join(" ");
        assert!(
            line.ends_with("--test-concurrency=1 e2e/tests/a.test.mjs"),
            "{line}"
        );
    }

    #[test]
    fn one_that_passes_by_itself_is_named_and_one_that_fails_twice_has_failed() {
        let unsteady = names(&["a", "b"]);
        let good = judged(outcome(7, 2), &outcome(2, 0), &unsteady);
        assert_eq!(good, outcome(9, 0).with_note(good.note.clone()));
        assert!(good.note.ends_with(": a, b"), "{}", good.note);
        for second in [outcome(1, 1), outcome(0, 0)] {
            assert_eq!(judged(outcome(7, 2), &second, &unsteady), outcome(7, 2));
        }
    }
}
