use std::{fs, path::Path};

use super::*;
use crate::project::Project;

fn names(names: &[&str]) -> Names {
    names.iter().map(|&name| (name.to_owned(), 1)).collect()
}

fn outcome(passed: u32, failed: u32) -> Outcome {
    Outcome::passed().with_totals(Totals {
        passed,
        failed,
        skipped: 1,
    })
}

/// Runs the tests of a separate package, as `cargo xtask test` runs the workspace's.
fn ran(folder: &Path) -> Outcome {
    let project = Project {
        root: folder.to_owned(),
        ..Project::find().unwrap()
    };
    let line = [
        "cargo",
        "test",
        "--offline",
        "--workspace",
        "--no-fail-fast",
    ];
    run(&Run::new(&project, &[]), &line, &CARGO).unwrap()
}

fn package(folder: &Path, tests: &[(&str, &str)]) {
    let manifest = "[package]\nname = \"flaky\"\nedition = \"2024\"\n[workspace]\n";
    fs::create_dir_all(folder.join("tests")).unwrap();
    fs::create_dir_all(folder.join("src")).unwrap();
    fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    fs::write(folder.join("src/lib.rs"), "").unwrap();
    for (name, source) in tests {
        fs::write(folder.join("tests").join(name), source).unwrap();
    }
}

/// A test that fails on its first run only.
const FLAKY: &str = "#[test]\nfn flaky() {\n\
    let mark = concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/ran\");\n\
    let ran = std::path::Path::new(mark).exists();\n\
    std::fs::write(mark, \"\").unwrap();\n\
    assert!(ran);\n}\n";

#[test]
fn o1_a_crashed_test_process_fails_the_run_although_what_failed_beside_it_passes_by_itself() {
    let folder = tempfile::tempdir().unwrap();
    package(folder.path(), &[("flaky.rs", FLAKY)]);
    let good = ran(folder.path());
    assert_eq!((good.totals.passed, good.totals.failed), (1, 0), "{good:?}");
    assert_eq!(good.note, "flaky, passed by itself: flaky");

    fs::remove_file(folder.path().join("ran")).unwrap();
    let crash = "#[test]\nfn crashes() { std::process::abort() }\n";
    package(folder.path(), &[("crash.rs", crash)]);
    let bad = ran(folder.path());
    assert!(bad.totals.failed > 0, "{bad:?}");
    assert!(bad.note.contains("crash"), "{bad:?}");
}

#[test]
fn o1_what_is_repeated_is_compared_with_what_failed() {
    let failed = Printed {
        failed: names(&["a", "b"]),
        ..Printed::default()
    };
    let repeated = |passed: &[&str]| Printed {
        passed: names(passed),
        ..Printed::default()
    };
    let good = judged(
        outcome(7, 2),
        &failed,
        &outcome(2, 0),
        &repeated(&["a", "b"]),
    );
    assert_eq!(good, outcome(9, 0).with_note(good.note.clone()));
    assert!(good.note.ends_with(": a, b"), "{}", good.note);
    // Other tests passed, or not all of them.
    for passed in [&["a", "c"][..], &["a"]] {
        let bad = judged(outcome(7, 2), &failed, &outcome(2, 0), &repeated(passed));
        assert_eq!(bad, outcome(7, 2));
    }
    for second in [outcome(1, 1), outcome(0, 0)] {
        let bad = judged(outcome(7, 2), &failed, &second, &repeated(&["a", "b"]));
        assert_eq!(bad, outcome(7, 2));
    }
}

#[test]
fn tests_of_cargo_are_read() {
    let output = "     Running unittests src/lib.rs (target/debug/deps/a-1)\n\
        test limits::one ... ok\ntest limits::two ... FAILED\ntest three ... ignored\n\
        failures:\n    limits::two\n\ntest result: FAILED. 1 passed; 1 failed; 1 ignored\n";
    let read = printed_by_cargo(output);
    assert_eq!(read.failed, names(&["limits::two"]));
    assert_eq!(read.passed, names(&["limits::one"]));
    assert!(read.can_be_repeated());
    assert_eq!(
        (CARGO.alone)(&read).join(" "),
        "cargo test --workspace --no-fail-fast -- --exact limits::two"
    );
    let crashed = format!("{output}     Running tests/b.rs (target/debug/deps/b-1)\n");
    assert!(!printed_by_cargo(&crashed).can_be_repeated());
    let unnamed = output.replace("limits::two ... FAILED", "limits::two ... FAI");
    assert!(!printed_by_cargo(&unnamed).can_be_repeated());
}

#[test]
fn tests_of_node_are_read() {
    let output = "✔ one (1.2ms)\n▶ group\n  ✔ inner (3.1ms)\n✖ failing tests:\n\n\
        test at tests/booking.test.mjs:70:5\n✖ by keyboard alone (15123.1ms)\n\
        test at tests/booking.test.mjs:30:1\n✖ booking on sqlite\n  (a detail) (2.0ms)\n";
    let read = printed_by_node(output);
    assert_eq!(read.passed, names(&["one", "inner"]));
    assert_eq!(read.files, ["e2e/tests/booking.test.mjs"]);
    assert!(read.failed.contains_key("by keyboard alone"));
    let line = (E2E.alone)(&read).join(" ");
    assert!(
        line.ends_with("--test-concurrency=1 e2e/tests/booking.test.mjs"),
        "{line}"
    );
    let crashed =
        "✖ failing tests:\n\ntest at tests/b.test.mjs:1:1\n✖ /x/e2e/tests/b.test.mjs (201.2ms)\n";
    assert!(!printed_by_node(crashed).can_be_repeated());
}
