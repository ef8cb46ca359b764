//! Numbers of passed, failed and skipped tests, read from the output of each runner.

use std::{
    fmt::{Display, Formatter},
    ops::AddAssign,
};

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Totals {
    pub(crate) passed: u32,
    pub(crate) failed: u32,
    pub(crate) skipped: u32,
}

/// Method of reading the totals of a command.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Reader {
    /// Counts a check without a runner as one test, judged by its exit code.
    ExitCode,
    /// Counts a compiler with lints as one test, which a warning fails.
    Lints,
    /// Reads the totals from a runner's output; `None` if the runner did not get that far.
    Runner(fn(&str) -> Option<Totals>),
}

impl Reader {
    /// Returns the totals of a finished command, and a note for the report. A runner that ran no test has failed.
    pub(crate) fn read(self, output: &str, success: bool, status: &str) -> (Totals, String) {
        let failed = |note: String| (Totals::verdict(false), note);
        let verdict = |passed| (Totals::verdict(passed), String::new());
        let read = match self {
            Self::ExitCode => return verdict(success),
            Self::Lints => return verdict(success && !has_warning(output)),
            Self::Runner(read) => read,
        };
        match read(output) {
            Some(totals) if totals.failed == 0 && !success => (
                Totals {
                    failed: 1,
                    ..totals
                },
                format!("ended with {status}"),
            ),
            Some(totals) if totals == Totals::default() => failed("no test ran".to_owned()),
            Some(totals) => (totals, String::new()),
            None if success => failed("said nothing of its tests".to_owned()),
            None => failed(format!("ended with {status}")),
        }
    }
}

impl Totals {
    /// Returns the totals of a single test.
    pub(crate) fn verdict(passed: bool) -> Self {
        Self {
            passed: u32::from(passed),
            failed: u32::from(!passed),
            skipped: 0,
        }
    }

    /// Parses the last line of a run.
    pub(crate) fn read(line: &str) -> Option<Self> {
        let totals = Self {
            passed: count_before(line, "passed"),
            failed: count_before(line, "failed"),
            skipped: count_before(line, "skipped"),
        };
        (totals.to_string() == line).then_some(totals)
    }

    /// Returns whether at least one test passed and none failed.
    pub(crate) fn has_passed(self) -> bool {
        self.passed > 0 && self.failed == 0
    }
}

impl AddAssign for Totals {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

/// Formats the last line of `cargo xtask test`, which other programs parse.
impl Display for Totals {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let Self {
            passed,
            failed,
            skipped,
        } = self;
        write!(f, "{passed} passed, {failed} failed, {skipped} skipped")
    }
}

fn has_warning(output: &str) -> bool {
    let is_found = |line: &str| line.starts_with("warning") || line.starts_with("error");
    output.lines().any(is_found)
}

/// Sums the lines `test result: ok. 5 passed; 0 failed; 1 ignored; 0 measured; …`, one per test binary.
pub(crate) fn cargo_test(output: &str) -> Option<Totals> {
    sum(output.lines().filter_map(|line| {
        let (_, counts) = line.strip_prefix("test result: ")?.split_once(". ")?;
        let count = |word| count_before(counts, word);
        Some(Totals {
            passed: count("passed"),
            failed: count("failed"),
            skipped: count("ignored"),
        })
    }))
}

/// Sums the lines `Tests  1 failed | 12 passed | 2 skipped (15)`, one per run of vitest.
pub(crate) fn vitest(output: &str) -> Option<Totals> {
    sum(output.lines().filter_map(|line| {
        let counts = line.trim().strip_prefix("Tests ")?;
        let count = |word| count_before(counts, word);
        Some(Totals {
            passed: count("passed"),
            failed: count("failed"),
            skipped: count("skipped") + count("todo"),
        })
    }))
}

/// Sums lines such as `ℹ pass 5` or `# pass 5`, one of each kind per run of Node's runner.
pub(crate) fn node_test(output: &str) -> Option<Totals> {
    sum(output.lines().filter_map(|line| {
        let line = line
            .strip_prefix("ℹ ")
            .or_else(|| line.strip_prefix("# "))?;
        let (word, number) = line.trim().split_once(' ')?;
        let number = number.parse().ok()?;
        let mut totals = Totals::default();
        match word {
            "pass" => totals.passed = number,
            "fail" | "cancelled" => totals.failed = number,
            "skipped" | "todo" => totals.skipped = number,
            _ => return None,
        }
        Some(totals)
    }))
}

fn sum(parts: impl Iterator<Item = Totals>) -> Option<Totals> {
    let mut found = None;
    for part in parts {
        *found.get_or_insert_with(Totals::default) += part;
    }
    found
}

/// Returns the number in front of a word, or 0 if the word is absent.
fn count_before(counts: &str, word: &str) -> u32 {
    let words: Vec<_> = counts
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|part| !part.is_empty())
        .collect();
    words
        .windows(2)
        .find(|pair| pair[1] == word)
        .and_then(|pair| pair[0].parse().ok())
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn totals(passed: u32, failed: u32, skipped: u32) -> Totals {
        Totals {
            passed,
            failed,
            skipped,
        }
    }

    #[test]
    fn sums_results_of_cargo_over_binaries() {
        let output = "running 5 tests\ntest result: ok. 5 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s\n\
            test result: FAILED. 2 passed; 3 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s\n";
        assert_eq!(cargo_test(output), Some(totals(7, 3, 1)));
        assert_eq!(cargo_test("error: could not compile"), None);
    }

    #[test]
    fn a_warning_of_the_compiler_fails() {
        let judged = |output| Reader::Lints.read(output, true, "").0;
        assert_eq!(judged(""), totals(1, 0, 0));
        let output = "warning: length comparison to zero\n --> src/main.rs:2:52\n";
        assert_eq!(judged(output), totals(0, 1, 0));
    }

    #[test]
    fn parses_results_of_vitest() {
        let output =
            " Test Files  2 passed (2)\n      Tests  1 failed | 12 passed | 2 skipped (15)\n";
        assert_eq!(vitest(output), Some(totals(12, 1, 2)));
        assert_eq!(vitest("      Tests  3 passed (3)\n"), Some(totals(3, 0, 0)));
    }

    #[test]
    fn parses_both_forms_of_node_results() {
        let output = "ℹ tests 7\nℹ suites 0\nℹ pass 5\nℹ fail 1\nℹ cancelled 1\nℹ skipped 2\nℹ todo 0\nℹ duration_ms 9.3\n";
        assert_eq!(node_test(output), Some(totals(5, 2, 2)));
        assert_eq!(node_test("# pass 3\n# fail 0\n"), Some(totals(3, 0, 0)));
    }

    #[test]
    fn a_runner_without_tests_fails() {
        let read =
            |output, success| Reader::Runner(cargo_test).read(output, success, "exit status: 1");
        let none = "test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 7 filtered out\n";
        assert_eq!(
            read(none, true),
            (totals(0, 1, 0), "no test ran".to_owned())
        );
        assert_eq!(read("", true).0, totals(0, 1, 0));
        assert_eq!(read("", false).0, totals(0, 1, 0));
        let some = "test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n";
        assert_eq!(read(some, true), (totals(2, 0, 0), String::new()));
        assert_eq!(read(some, false).0, totals(2, 1, 0));
    }

    #[test]
    fn a_run_passes_if_a_test_passed_and_none_failed() {
        assert!(totals(1, 0, 1).has_passed());
        assert!(!totals(1, 1, 0).has_passed());
        assert!(!totals(0, 0, 3).has_passed());
    }

    #[test]
    fn a_check_without_a_runner_is_one_test() {
        assert_eq!(Reader::ExitCode.read("", true, "").0, totals(1, 0, 0));
        assert_eq!(Reader::ExitCode.read("", false, "").0, totals(0, 1, 0));
    }

    #[test]
    fn the_last_line_has_the_agreed_form() {
        let text = Totals {
            passed: 12,
            failed: 0,
            skipped: 1,
        }
        .to_string();
        assert_eq!(text, "12 passed, 0 failed, 1 skipped");
        assert_eq!(Totals::read(&text), Some(totals(12, 0, 1)));
        assert_eq!(Totals::read("12 passed"), None);
    }
}
