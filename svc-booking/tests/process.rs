//! The process as whoever operates it sees it.

use std::{
    io::{BufRead as _, BufReader},
    process::{Command, Output, Stdio},
};

fn svc_booking() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_svc-booking"));
    command
        .env_clear()
        .env("SEAL_KEYS_FILE", test_kit::keys::path())
        .stdin(Stdio::null());
    command
}

fn refused(arguments: &[&str]) -> String {
    let Output {
        status,
        stdout,
        stderr,
    } = svc_booking().args(arguments).output().expect("it ran");
    assert!(!status.success());
    assert!(stdout.is_empty(), "it must not say that it listens");
    String::from_utf8(stderr).expect("text")
}

#[test]
fn a_bad_resources_file_is_named_with_line_and_field() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("resources.toml");
    let text = "[[departments]]\nid = \"ent\"\nname = \"Ears\"\n";
    std::fs::write(&path, text).expect("written");
    let path = path.display().to_string();
    let url = format!("sqlite:{}", folder.path().join("booking.db").display());
    let start = ["--listen", "127.0.0.1:0", "--database-url", &url];
    let message = refused(&[&start[..], &["--resources", &path]].concat());
    let expected = format!("{path}:2: departments[0].id: the id of 'Ears' is 'ears'");
    assert!(message.contains(&expected), "{message}");
    let missing = refused(&[&start[..], &["--resources", "/nowhere.toml"]].concat());
    assert!(missing.contains("/nowhere.toml"), "{missing}");
}

#[test]
fn it_migrates_serves_and_stops_when_asked() {
    let folder = tempfile::tempdir().expect("a folder");
    let url = format!("sqlite:{}", folder.path().join("booking.db").display());
    for _ in 0..2 {
        let migrated = svc_booking()
            .args(["migrate", "--database-url", &url])
            .status();
        assert!(migrated.expect("it ran").success());
    }
    let mut child = svc_booking()
        .args([
            "--listen",
            "127.0.0.1:0",
            "--operators-listen",
            "127.0.0.1:0",
        ])
        .args(["--database-url", &url])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("a pipe"))
        .read_line(&mut line)
        .expect("a line");
    assert!(line.starts_with("listening on 127.0.0.1:"), "{line}");
    let ask = format!("kill -TERM {}", child.id());
    let asked = Command::new("sh").args(["-c", &ask]).status();
    assert!(asked.expect("it ran").success());
    assert!(
        child.wait().expect("it ended").success(),
        "a stop that was asked for is no failure"
    );
}
