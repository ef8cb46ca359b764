//! Durations of steps and tests: `target/test-times.json`, and the slowest tests in the table at the end.

use std::{fs, path::PathBuf, time::Duration};

use anyhow::Result;
use serde_json::json;

use super::steps::Run;

/// Number of slowest tests that are listed.
const SLOWEST: usize = 20;

/// Parses the durations of single tests from the output of Node's runner: lines `✔ name (12.3ms)`. Groups, which have a
/// line `▶ name` too, are left out.
pub(super) fn of_node(output: &str) -> Vec<(String, Duration)> {
    let mut groups = Vec::new();
    let mut found = Vec::new();
    for line in output.lines().map(str::trim_start) {
        if let Some(group) = line.strip_prefix("▶ ") {
            groups.push(group);
        } else if let Some((name, time)) = timed(line) {
            match groups.last() {
                Some(&group) if group == name => drop(groups.pop()),
                _ => found.push((name.to_owned(), time)),
            }
        }
    }
    found
}

fn timed(line: &str) -> Option<(&str, Duration)> {
    let (name, time) = line.strip_prefix("✔ ")?.rsplit_once(" (")?;
    let milliseconds: f64 = time.strip_suffix("ms)")?.parse().ok()?;
    Some((name, Duration::from_secs_f64(milliseconds / 1_000.0)))
}

/// Returns the slowest tests of a run, the slowest first.
pub(super) fn slowest(run: &Run<'_>) -> Vec<(String, Duration)> {
    let mut all = run.durations();
    all.sort_by_key(|(_, time)| std::cmp::Reverse(*time));
    all.truncate(SLOWEST);
    all
}

/// Writes `target/test-times.json` with the steps and the slowest tests, in seconds, and returns its path.
pub(super) fn write(run: &Run<'_>, elapsed: Duration) -> Result<PathBuf> {
    let steps = run.report().into_iter().map(|done| {
        let totals = done.outcome.totals;
        json!({
            "name": done.name, "seconds": done.elapsed.as_secs_f64(), "passed": totals.passed,
            "failed": totals.failed, "skipped": totals.skipped, "note": done.outcome.note,
        })
    });
    let tests = slowest(run)
        .into_iter()
        .map(|(name, time)| json!({ "name": name, "seconds": time.as_secs_f64() }));
    let text = json!({
        "seconds": elapsed.as_secs_f64(),
        "steps": steps.collect::<Vec<_>>(),
        "slowestTests": tests.collect::<Vec<_>>(),
    });
    let file = run.project.target.join("test-times.json");
    fs::create_dir_all(&run.project.target)?;
    fs::write(&file, format!("{text:#}\n"))?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_durations_of_tests_and_not_of_groups() {
        let output = "▶ booking\n  ▶ by phone\n    ✔ saves (1500.0ms)\n  ✔ by phone (1600ms)\n\
            ✔ booking (1700ms)\n✔ alone (2.5ms)\n✖ fails (3ms)\n";
        let found = of_node(output);
        let expected = [("saves", 1_500_000), ("alone", 2_500)];
        let expected =
            expected.map(|(name, micros)| (name.to_owned(), Duration::from_micros(micros)));
        assert_eq!(found, expected);
    }
}
