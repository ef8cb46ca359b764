//! Tests against releases in a repository that the test creates.

use std::path::PathBuf;

use super::*;
use crate::test::totals::Totals;

const PROTO: &str =
    "syntax = \"proto3\";\npackage hospital.test.v1;\n\nmessage Bed {\n  string ward = 1;\n}\n";

/// Creates a repository with a contract of each kind, whose only commit is not released.
fn repository() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let own = Project::find().unwrap();
    for file in [
        "proto/buf.yaml",
        "web-kit/page/contract.json",
        "web-kit/page/tokens.json",
        "web-kit/page/src/contract.ts",
    ] {
        let target = folder.path().join(file);
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        fs::copy(own.root.join(file), target).unwrap();
    }
    put(folder.path(), PROTO);
    git(folder.path(), &["init", "--quiet"]);
    commit(folder.path());
    folder
}

fn put(root: &Path, proto: &str) {
    let folder = root.join("proto/hospital/test/v1");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("test.proto"), proto).unwrap();
}

fn git(root: &Path, line: &[&str]) {
    let identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
    let mut git = shell::command(root, "git", identity);
    shell::capture(git.args(line)).unwrap();
}

fn commit(root: &Path) {
    git(root, &["add", "--all"]);
    git(root, &["commit", "--quiet", "--message", "t"]);
}

/// Returns the repository as a project whose last release is the current commit.
fn released(root: &Path) -> Project {
    let head = shell::capture(&mut shell::command(root, "git", ["rev-parse", "HEAD"]));
    named(root, head.unwrap().trim())
}

fn named(root: &Path, commit: &str) -> Project {
    let text = format!("version = \"1.0.0\"\ncommit = \"{commit}\"\n");
    fs::write(root.join("released.toml"), text).unwrap();
    Project {
        root: root.to_path_buf(),
        target: root.join("target"),
        remotes: root.join("remotes"),
        services: Vec::new(),
    }
}

fn source(project: &Project) -> PathBuf {
    let release = Release::of(project).unwrap();
    release.check_out(project).unwrap();
    release.source()
}

fn contracts_of(project: &Project) -> Outcome {
    let buf = Project::find().unwrap().root.join("node_modules/.bin/buf");
    judge(project, |release| {
        broken_contracts(&buf, &project.root, release)
    })
    .unwrap()
}

#[test]
fn is_skipped_with_a_reason_without_the_release_commit() {
    let folder = repository();
    let commit = "0".repeat(40);
    let outcome = contracts_of(&named(folder.path(), &commit));
    assert_eq!((outcome.totals.skipped, outcome.totals.passed), (1, 0));
    assert!(outcome.note.contains(&commit), "{}", outcome.note);
}

#[test]
fn a_contract_may_grow_but_not_break() {
    let folder = repository();
    let root = folder.path();
    let project = released(root);
    let grown = PROTO.replace("ward = 1;", "ward = 1;\n  string room = 2;");
    put(root, &grown);
    let outcome = contracts_of(&project);
    assert_eq!(outcome.totals, Totals::verdict(true));
    assert_eq!(outcome.note, "against 1.0.0");
    for broken in [
        PROTO.replace("string ward = 1;", "int32 ward = 1;"),
        PROTO.replace("ward = 1;", "hall = 1;"),
        PROTO.replace("  string ward = 1;\n", ""),
    ] {
        put(root, &broken);
        assert_eq!(contracts_of(&project).totals, Totals::verdict(false));
    }
}

#[test]
fn a_contract_that_buf_cannot_parse_fails() {
    let folder = repository();
    let root = folder.path();
    let project = released(root);
    put(root, "this is no contract");
    let buf = Project::find().unwrap().root.join("node_modules/.bin/buf");
    let release = source(&project);
    let said = broken_contracts(&buf, root, &release);
    // Older versions of buf report this by a separate exit code, newer ones as a finding.
    assert!(said.is_err() || !said.unwrap().is_empty());
}

#[test]
fn the_page_contract_of_this_tree_is_compared_with_its_release() {
    let folder = repository();
    let root = folder.path();
    let release = source(&released(root));
    let old = page_of(&release).unwrap();
    assert_eq!(old.broken_by(&page_of(root).unwrap()), [""; 0]);
    let file = root.join("web-kit/page/src/contract.ts");
    let source = fs::read_to_string(&file).unwrap();
    let changed = source.replace("canonicalPath: string;", "canonicalPath?: string;");
    assert_ne!(source, changed);
    fs::write(&file, changed).unwrap();
    let found = old.broken_by(&page_of(root).unwrap()).join("\n");
    assert!(found.contains("lost `canonicalPath: string;`"), "{found}");
}
