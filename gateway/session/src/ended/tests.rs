use std::path::PathBuf;

use chrono::TimeDelta;
use service_kit::source::FixedClock;

use super::*;

const NOW: i64 = 1_795_000_000;

fn at(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(NOW + seconds, 0).expect("a time")
}

struct Fixture {
    folder: tempfile::TempDir,
    clock: Arc<FixedClock>,
}

impl Fixture {
    fn new() -> Self {
        Self {
            folder: tempfile::tempdir().expect("a folder"),
            clock: Arc::new(FixedClock::new(at(0))),
        }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("ended")
    }

    /// Opens the file as another gateway would.
    fn open(&self) -> Ended {
        Ended::open(Some(&self.path()), Arc::clone(&self.clock) as _).expect("a file")
    }

    fn lines(&self) -> usize {
        fs::read_to_string(self.path())
            .expect("a file")
            .lines()
            .count()
    }
}

async fn end(ended: &Ended, id: &str) {
    let until = ended.clock.now() + TimeDelta::hours(8);
    ended.end(Target::Session(id), until, until).await;
}

fn has(ended: &Ended, id: &str) -> bool {
    has_target(ended, Target::Session(id), 0)
}

fn has_target(ended: &Ended, target: Target<'_>, issued: i64) -> bool {
    let now = ended.clock.now();
    ended.shared.refresh(now);
    let memory = ended.shared.memory.lock();
    let entry = memory.get(now.timestamp_millis(), target.mark());
    entry.is_some_and(|entry| at(issued).timestamp_millis() <= entry.value)
}

#[tokio::test]
async fn gateways_with_one_file_know_of_each_other() {
    let fixture = Fixture::new();
    let (one, other) = (fixture.open(), fixture.open());
    end(&one, "a").await;
    assert!(has(&one, "a") && has(&other, "a") && !has(&other, "b"));
    end(&other, "b").await;
    end(&one, "c").await;
    for gateway in [&one, &other, &fixture.open()] {
        assert!(has(gateway, "a") && has(gateway, "b") && has(gateway, "c"));
    }
    let text = fs::read_to_string(fixture.path()).expect("a file");
    assert_eq!(text.lines().count(), 4);
}

#[tokio::test]
async fn a_file_reveals_no_id_and_is_private() {
    use std::os::unix::fs::PermissionsExt as _;
    let fixture = Fixture::new();
    let ended = fixture.open();
    let until = at(0) + TimeDelta::hours(8);
    ended.end(Target::Person("asha.rao"), at(0), until).await;
    let text = fs::read_to_string(fixture.path()).expect("a file");
    assert!(!text.contains("asha"));
    let mode = fs::metadata(fixture.path()).expect("a file").permissions();
    assert_eq!(mode.mode() & 0o777, 0o600);
}

#[tokio::test]
async fn ends_a_person_s_sessions_until_then() {
    let ended = Ended::open(None, Arc::new(FixedClock::new(at(0)))).expect("memory");
    let until = at(0) + TimeDelta::hours(8);
    let person = Target::Person("asha");
    ended.end(person, at(0), until).await;
    assert!(has_target(&ended, person, -1) && has_target(&ended, person, 0));
    assert!(!has_target(&ended, person, 1));
    // An older end does not replace a newer one.
    ended.end(person, at(-10), until).await;
    assert!(has_target(&ended, person, 0));
}

#[tokio::test]
async fn expired_ends_leave_memory_and_file() {
    let fixture = Fixture::new();
    let (one, other) = (fixture.open(), fixture.open());
    for session in 0..1024 {
        end(&one, &session.to_string()).await;
    }
    assert!(has(&other, "1023"));
    assert_eq!(fixture.lines(), 1025);
    fixture.clock.set(at(8 * 3600));
    assert!(!has(&one, "1023"));
    end(&one, "later").await;
    assert_eq!(fixture.lines(), 2, "the file was replaced");
    end(&one, "last").await;
    for gateway in [&one, &other, &fixture.open()] {
        assert!(has(gateway, "later") && has(gateway, "last") && !has(gateway, "1023"));
    }
}

#[tokio::test]
async fn an_incomplete_line_is_repaired() {
    let fixture = Fixture::new();
    let one = fixture.open();
    end(&one, "a").await;
    end(&one, "b").await;
    let text = fs::read_to_string(fixture.path()).expect("a file");
    // A machine that stopped in the middle of a write.
    fs::write(fixture.path(), &text[..text.len() - 5]).expect("a file");
    let other = fixture.open();
    assert!(has(&other, "a") && !has(&other, "b"));
    end(&other, "c").await;
    for gateway in [&one, &other, &fixture.open()] {
        assert!(has(gateway, "a") && has(gateway, "c"));
    }
}

#[tokio::test]
async fn a_lost_or_damaged_file_is_written_again() {
    let fixture = Fixture::new();
    let ended = fixture.open();
    end(&ended, "a").await;
    for damage in [
        None,
        Some(""),
        Some("x"),
        Some("not a file of ended sessions, but of another program"),
    ] {
        match damage {
            Some(text) => fs::write(fixture.path(), text).expect("a file"),
            None => fs::remove_file(fixture.path()).expect("a file"),
        }
        assert!(has(&ended, "a"), "memory keeps it");
        end(&ended, "b").await;
        let other = fixture.open();
        assert!(has(&other, "a") && has(&other, "b"), "{damage:?}");
    }
}

#[tokio::test]
async fn refuses_a_file_of_another_program() {
    let fixture = Fixture::new();
    let open = || Ended::open(Some(&fixture.path()), Arc::clone(&fixture.clock) as _);
    let text = "[roles]\nfrontdesk = []\nanother = [] # long enough\n";
    fs::write(fixture.path(), text).expect("a file");
    let error = open().expect_err("refused").to_string();
    assert!(error.starts_with("STAFF_ENDED_FILE: cannot use"), "{error}");
    assert_eq!(fs::read_to_string(fixture.path()).expect("a file"), text);

    let file = fs::File::create(fixture.path()).expect("a file");
    file.set_len(16 * 1024 * 1024 + 1).expect("a length");
    assert!(open().is_err());
    let nowhere = fixture.folder.path().join("none/ended");
    assert!(Ended::open(Some(&nowhere), Arc::clone(&fixture.clock) as _).is_err());
}

#[tokio::test]
async fn waits_for_another_writer() {
    let fixture = Fixture::new();
    let (one, other) = (fixture.open(), fixture.open());
    let file = one.shared.file.as_ref().expect("a file");
    let lock = file.lock().await.expect("the lock");
    let waiting = tokio::spawn(async move {
        end(&other, "a").await;
        other
    });
    tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    assert!(!has(&one, "a"));
    drop(lock);
    waiting.await.expect("no panic");
    assert!(has(&one, "a"));
}
