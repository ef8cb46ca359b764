//! The process from the operator's point of view.

use std::{
    io::{BufRead as _, BufReader},
    process::{Command, Output, Stdio},
    time::{Duration, Instant},
};

fn svc_booking() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_svc-booking"));
    command
        .env_clear()
        .env("SEAL_KEYS_FILE", test_kit::keys::path())
        .env("DEVELOPMENT", "true")
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
    assert!(stdout.is_empty(), "it must not report a listener");
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
    // U2: a booking includes its doctor's name, so a doctor without a name is refused.
    let text = "[[departments]]\nid = \"ent\"\nname = \"ENT\"\n[[sessions]]\nid = \"s\"\ndepartment = \"ent\"\n\
                doctor = \"doc-99\"\nweekdays = [\"Mon\"]\nfrom = \"9:00 AM\"\nuntil = \"1:00 PM\"\n";
    std::fs::write(&path, text).expect("written");
    let message = refused(&[&start[..], &["--resources", &path]].concat());
    let expected =
        format!("{path}:7: sessions[0].doctor: no entry of [[doctors]] has the id 'doc-99'");
    assert!(message.contains(&expected), "{message}");
    let missing = refused(&[&start[..], &["--resources", "/nowhere.toml"]].concat());
    assert!(missing.contains("/nowhere.toml"), "{missing}");
}

#[test]
fn the_program_migrates_serves_and_stops() {
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

#[test]
fn a_folder_without_room_for_day_lists_does_not_stop_the_program() {
    let folder = tempfile::tempdir().expect("a folder");
    let url = format!("sqlite:{}", folder.path().join("booking.db").display());
    let file = folder.path().join("file");
    std::fs::write(&file, "no folder").expect("written");
    let mut child = svc_booking()
        .args([
            "--listen",
            "127.0.0.1:0",
            "--operators-listen",
            "127.0.0.1:0",
        ])
        .args(["--database-url", &url])
        .env("DAY_LIST_DIR", file.join("lists"))
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    // The log ends if the program does.
    let mut log = BufReader::new(child.stderr.take().expect("a pipe")).lines();
    let is_why = |line: &std::io::Result<String>| {
        let line = line.as_ref().expect("text");
        line.contains("the day lists were not written")
    };
    assert!(log.any(|line| is_why(&line)), "it logs why");
    let ask = format!("kill -TERM {}", child.id());
    let asked = Command::new("sh").args(["-c", &ask]).status();
    assert!(asked.expect("it ran").success());
    assert!(child.wait().expect("it ended").success());
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "it polls for the condition with a limit, without a runtime"
)]
fn the_health_command_reports_readiness() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("booking.db");
    let url = format!("sqlite:{}", file.display());
    let health = |operators: &str| {
        let mut command = svc_booking();
        command.args(["--operators-listen", operators, "--database-url", &url]);
        command.arg("health").output().expect("it ran")
    };
    let error = String::from_utf8(health("127.0.0.1:0").stderr).expect("text");
    assert!(error.contains("OPERATORS_LISTEN"), "{error}");
    assert!(!file.exists(), "it must not open another process's files");
    let mut child = svc_booking()
        .args(["--listen=127.0.0.1:0", "--operators-listen=127.0.0.1:0"])
        .args(["--database-url", &url])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let operators = lines
        .map_while(Result::ok)
        .find_map(|line| Some(line.strip_prefix("operators on ")?.to_owned()))
        .expect("an address");
    let end = Instant::now() + Duration::from_secs(20);
    while !health(&operators).status.success() {
        assert!(Instant::now() < end, "{:?}", health(&operators));
        std::thread::sleep(Duration::from_millis(50));
    }
    child.kill().expect("it was running");
    child.wait().expect("it ended");
    let error = String::from_utf8(health(&operators).stderr).expect("text");
    assert!(error.contains("does not answer"), "{error}");
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "it polls for the condition with a limit, without a runtime"
)]
fn the_end_of_the_holiday_list_is_logged_at_every_start() {
    let folder = tempfile::tempdir().expect("a folder");
    let resources = folder.path().join("resources.toml");
    let text = "[[departments]]\nid = \"ent\"\nname = \"ENT\"\n\
                [[holidays]]\ndate = \"2026-01-26\"\nname = \"Republic Day\"\n";
    std::fs::write(&resources, text).expect("written");
    let url = format!("sqlite:{}", folder.path().join("booking.db").display());
    // The second start finds the roster in the database.
    for start in 1..=2 {
        let log = folder.path().join(format!("{start}.log"));
        let file = std::fs::File::create(&log).expect("a file");
        let mut child = svc_booking()
            .args([
                "--listen",
                "127.0.0.1:0",
                "--operators-listen",
                "127.0.0.1:0",
            ])
            .args(["--database-url", &url, "--resources"])
            .arg(&resources)
            .stdout(Stdio::null())
            .stderr(file)
            .spawn()
            .expect("it starts");
        let end = Instant::now() + Duration::from_secs(20);
        let is_said = loop {
            let said = std::fs::read_to_string(&log).expect("a log");
            if said.contains("the list of holidays ends within a year") || Instant::now() > end {
                break said.contains("the list of holidays ends within a year");
            }
            std::thread::sleep(Duration::from_millis(50));
        };
        child.kill().expect("it was running");
        child.wait().expect("it ended");
        assert!(
            is_said,
            "start {start}: {}",
            std::fs::read_to_string(&log).expect("a log")
        );
    }
}

#[tokio::test]
async fn metrics_identify_the_service_and_start_at_zero() {
    let program = test_kit::process::Program(env!("CARGO_BIN_EXE_svc-booking"));
    let database = test_kit::database::TestDatabase::sqlite();
    let process = program.start(&database.url, &[]).await;
    let text = process.says_what_it_is("svc-booking", "booking").await;
    for outcome in ["booked", "repeated", "slot_taken", "refused", "failed"] {
        let counter = format!("bookings_total{{outcome=\"{outcome}\"}} 0");
        assert!(text.lines().any(|line| line == counter), "{text}");
    }
    process.stop().await;
}
