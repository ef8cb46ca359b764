//! Runs the test binaries of Cargo packages in two lanes, because many tests wait for a clock and leave half of the
//! machine idle. The output of each binary is printed when it ends.

use std::{
    collections::VecDeque,
    path::PathBuf,
    process::{Command, Stdio},
    sync::{Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};

use anyhow::{Context as _, Result, ensure};
use cargo_metadata::Message;

use super::{
    outcome::Outcome,
    steps::Run,
    totals::{Totals, cargo_test},
};
use crate::shell;

/// Number of binaries that run at the same time. Each runs as many tests at once as there are processors.
const LANES: usize = 2;

/// Maximum number of failed tests to retry. A slow machine does not explain more failures.
const RETRIES_MAX: usize = 3;

/// A compiled test binary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Binary {
    /// Name of the target, for example `api` of `gateway/tests/api.rs`.
    target: String,
    program: PathBuf,
    /// Folder of the package, where its tests run.
    folder: PathBuf,
}

/// Results of a test binary.
#[derive(Debug, Default)]
struct Results {
    totals: Totals,
    passed: Vec<String>,
    failed: Vec<String>,
    /// Whether the failed tests account for the exit code. If not, the binary crashed.
    is_complete: bool,
    durations: Vec<(String, Duration)>,
}

/// Compiles and runs the tests of `packages`, which are Cargo's arguments: `--workspace` or `--package` and names.
///
/// Failed tests run again by themselves if they are few and no binary crashed. A test that then passes is reported as
/// flaky and does not fail the run.
pub(super) fn test(run: &Run<'_>, packages: &[String]) -> Result<Outcome> {
    let mut compile = run.cargo(&["test", "--quiet"])?;
    compile.args(packages);
    test_with(run, &mut compile, None)
}

/// Like [`test`], with the binaries that a `cargo test` compiles, and without the tests whose name contains `skipped`.
pub(super) fn test_with(
    run: &Run<'_>,
    cargo_test: &mut Command,
    skipped: Option<&str>,
) -> Result<Outcome> {
    cargo_test.args(["--no-run", "--message-format=json-render-diagnostics"]);
    let messages = shell::capture(cargo_test)?;
    execute(run, binaries(&messages)?, skipped)
}

/// Parses the test binaries from Cargo's messages.
fn binaries(messages: &str) -> Result<Vec<Binary>> {
    let mut found = Vec::new();
    for message in Message::parse_stream(messages.as_bytes()) {
        let Message::CompilerArtifact(artifact) = message? else {
            continue;
        };
        let (true, Some(program)) = (artifact.profile.test, artifact.executable) else {
            continue;
        };
        let folder = artifact.manifest_path.parent();
        found.push(Binary {
            target: artifact.target.name,
            program: program.into(),
            folder: folder.context("a manifest has a folder")?.into(),
        });
    }
    ensure!(!found.is_empty(), "there is no test binary");
    Ok(found)
}

fn execute(run: &Run<'_>, binaries: Vec<Binary>, skipped: Option<&str>) -> Result<Outcome> {
    let skip: Vec<&str> = skipped.iter().flat_map(|name| ["--skip", name]).collect();
    let waiting = Mutex::new(VecDeque::from(binaries));
    let finished = Mutex::new(Vec::new());
    let next = || lock(&waiting).pop_front();
    thread::scope(|scope| -> Result<()> {
        let lane = || -> Result<()> {
            while let Some(binary) = next() {
                let results = attempt(run, &binary, &skip)?;
                lock(&finished).push((binary, results));
            }
            Ok(())
        };
        let lanes: Vec<_> = (0..LANES).map(|_| scope.spawn(lane)).collect();
        for lane in lanes {
            lane.join().ok().context("a lane panicked")??;
        }
        Ok(())
    })?;
    let finished = finished
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    retried(run, &finished)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sums the results, after a retry of failed tests if they are few.
fn retried(run: &Run<'_>, finished: &[(Binary, Results)]) -> Result<Outcome> {
    let mut totals = Totals::default();
    let (mut failed, mut crashed) = (Vec::new(), Vec::new());
    for (binary, results) in finished {
        totals += results.totals;
        failed.extend(results.failed.iter().map(String::as_str));
        if !results.is_complete {
            crashed.push(binary.target.as_str());
        }
        let named = |(name, time): &(String, _)| (format!("{}: {name}", binary.target), *time);
        run.record(results.durations.iter().map(named));
    }
    let outcome = Outcome::passed().with_totals(totals);
    if !crashed.is_empty() {
        let note = format!("crashed: {}", crashed.join(", "));
        return Ok(outcome.with_note(note));
    }
    if failed.is_empty() || failed.len() > RETRIES_MAX {
        return Ok(outcome);
    }
    println!("\nretry, by themselves: {}", failed.join(", "));
    for (binary, first) in finished
        .iter()
        .filter(|(_, first)| !first.failed.is_empty())
    {
        let names = first.failed.iter().map(String::as_str);
        let only: Vec<&str> = ["--exact"].into_iter().chain(names).collect();
        let second = attempt(run, binary, &only)?;
        let is_repaired = first.failed.iter().all(|name| second.passed.contains(name));
        if !is_repaired || !second.is_complete || second.totals.failed > 0 {
            return Ok(outcome);
        }
    }
    let all = Totals {
        passed: totals.passed + totals.failed,
        failed: 0,
        ..totals
    };
    let note = format!("flaky, passed by itself: {}", failed.join(", "));
    Ok(outcome.with_totals(all).with_note(note))
}

/// Runs the tests of a binary that `filter` selects; the test runner's arguments.
fn attempt(run: &Run<'_>, binary: &Binary, filter: &[&str]) -> Result<Results> {
    let mut command = Command::new(&binary.program);
    command
        .current_dir(&binary.folder)
        .env("CARGO_MANIFEST_DIR", &binary.folder)
        // The only way to a test's duration with a stable compiler.
        .env("RUSTC_BOOTSTRAP", "1")
        .args(["-Zunstable-options", "--report-time"])
        .args(filter)
        .stdin(Stdio::null());
    run.set_variables(&mut command);
    let output = command.output();
    let output = output.with_context(|| format!("cannot start {}", binary.program.display()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    print!(
        "\n-- {} ({})\n{text}{}",
        binary.target,
        binary.folder.display(),
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(results(&text, output.status.success()))
}

/// Parses the output of a test binary. Each test has a line `test module::name ... ok <0.012s>`. A binary that did not
/// crash ends with a line `test result: …`.
fn results(output: &str, has_succeeded: bool) -> Results {
    let mut results = Results::default();
    for line in output.lines() {
        let Some((name, verdict)) = line
            .strip_prefix("test ")
            .and_then(|line| line.rsplit_once(" ... "))
        else {
            continue;
        };
        let (verdict, time) = verdict.split_once(" <").unwrap_or((verdict, ""));
        match verdict {
            "ok" => results.passed.push(name.to_owned()),
            "FAILED" => results.failed.push(name.to_owned()),
            _ => continue,
        }
        if let Some(Ok(seconds)) = time.strip_suffix("s>").map(str::parse) {
            results
                .durations
                .push((name.to_owned(), Duration::from_secs_f64(seconds)));
        }
    }
    let totals = cargo_test(output);
    results.is_complete = totals.is_some_and(|totals| {
        totals.failed as usize == results.failed.len() && has_succeeded == (totals.failed == 0)
    });
    results.totals = totals.unwrap_or_default();
    if !results.is_complete {
        results.totals.failed = results.totals.failed.max(1);
    }
    results
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::*;
    use crate::{project::Project, test::steps::Scope};

    /// Compiles and runs the tests of a separate package.
    fn ran(folder: &Path) -> Outcome {
        let project = Project {
            root: folder.to_owned(),
            ..Project::find().unwrap()
        };
        test(
            &Run::new(&project, &[], Scope::Short),
            &["--offline".to_owned()],
        )
        .unwrap()
    }

    fn package(folder: &Path, name: &str, source: &str) {
        let manifest = "[package]\nname = \"flaky\"\nedition = \"2024\"\n[workspace]\n";
        fs::create_dir_all(folder.join("tests")).unwrap();
        fs::write(folder.join("Cargo.toml"), manifest).unwrap();
        fs::write(folder.join("tests").join(name), source).unwrap();
    }

    /// A test that fails on its first run only, and another test.
    const FLAKY: &str = "#[test]\nfn flaky() {\n\
        let mark = concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/ran\");\n\
        let ran = std::path::Path::new(mark).exists();\n\
        std::fs::write(mark, \"\").unwrap();\n\
        assert!(ran);\n}\n#[test]\nfn steady() {}\n";

    #[test]
    fn a_crashed_binary_fails_the_run_although_other_failures_pass_when_retried() {
        let folder = tempfile::tempdir().unwrap();
        package(folder.path(), "flaky.rs", FLAKY);
        let flaky = ran(folder.path());
        assert_eq!((flaky.totals.passed, flaky.totals.failed), (2, 0));
        assert_eq!(flaky.note, "flaky, passed by itself: flaky");

        fs::remove_file(folder.path().join("ran")).unwrap();
        let crash = "#[test]\nfn crashes() { std::process::abort() }\n";
        package(folder.path(), "crash.rs", crash);
        let crashed = ran(folder.path());
        assert!(crashed.totals.failed > 0, "{crashed:?}");
        assert_eq!(crashed.note, "crashed: crash");
    }

    #[test]
    fn a_test_that_fails_again_fails_the_run() {
        let folder = tempfile::tempdir().unwrap();
        package(folder.path(), "bad.rs", "#[test]\nfn bad() { panic!() }\n");
        let bad = ran(folder.path());
        assert_eq!((bad.totals.passed, bad.totals.failed), (0, 1));
        assert_eq!(bad.note, "");
    }

    #[test]
    fn reads_verdicts_and_durations() {
        let output = "running 3 tests\ntest limits::one ... ok <0.250s>\n\
            test limits::two ... FAILED <1.000s>\ntest three ... ignored\n\n\
            test result: FAILED. 1 passed; 1 failed; 1 ignored; 0 measured\n";
        let read = results(output, false);
        assert!(read.is_complete);
        assert_eq!(read.passed, ["limits::one"]);
        assert_eq!(read.failed, ["limits::two"]);
        let first = ("limits::one".to_owned(), Duration::from_millis(250));
        assert_eq!(read.durations[0], first);
        // An exit code that no failed test accounts for.
        let fine = output
            .replace("FAILED", "ok")
            .replace("1 failed", "0 failed");
        assert!(results(&fine, true).is_complete);
        assert!(!results(&fine, false).is_complete);
        assert!(!results("running 3 tests\n", false).is_complete);
    }
}
