//! The day list in a folder: its content, its renewal, and what may go wrong with files and other processes.

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, SystemTime},
};

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use service_kit::source::{Ids as _, RandomIds};
use store_kit::{
    error::StoreError,
    sql::Transaction,
    values,
    work::{Decision, UnitOfWork},
};
use svc_booking::{
    day_list::{DayListError, DayLists},
    domain::{change::Action, seats::Resource},
};
use tempfile::TempDir;
use test_kit::on_both_databases;
use tokio::task::JoinSet;

use crate::fixture::{Bench, Hospital, MONDAY, at, changed, created, done, request, unique};

on_both_databases!(test_kit::bench::empty:
    a_list_has_each_appointment_below_its_department_and_doctor,
    a_change_is_on_the_list_at_the_next_check,
    an_unchanged_list_is_made_again_after_an_hour,
    a_day_of_many_pages_has_each_appointment_once,
    lists_of_past_days_are_deleted,
    processes_that_share_a_folder_leave_one_whole_list,
    a_list_that_cannot_be_written_does_not_prevent_the_other,
    a_folder_is_private,
);

const MONDAYS: &str = "day-list-2026-11-23.html";
const SUNDAYS: &str = "day-list-2026-11-22.html";

/// Sunday, 22 November 2026, 3:00 PM IST: the day before [`MONDAY`].
fn sunday() -> DateTime<Utc> {
    "2026-11-22T09:30:00Z".parse().expect("a moment")
}

struct Lists {
    folder: TempDir,
    hospital: Hospital,
}

impl Lists {
    async fn of(bench: &Bench) -> Self {
        Self {
            folder: tempfile::tempdir().expect("a folder"),
            hospital: Hospital::of(bench).await,
        }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("lists")
    }

    fn day_lists(&self) -> DayLists {
        DayLists::new(self.path(), "Sampige & Hospital", Arc::new(RandomIds))
    }

    async fn try_update(&self, now: DateTime<Utc>) -> Result<u32, DayListError> {
        self.day_lists().update(&self.hospital.store, now).await
    }

    async fn update(&self, now: DateTime<Utc>) -> u32 {
        self.try_update(now).await.expect("written")
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).expect("a list")
    }

    fn names(&self) -> Vec<String> {
        names(&self.path())
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("an entry").file_name())
        .map(|name| name.into_string().expect("text"))
        .collect();
    names.sort();
    names
}

/// Asserts that the texts occur in this order.
fn assert_in_order(text: &str, wanted: &[&str]) {
    let mut rest = text;
    for one in wanted {
        let found = rest.find(one);
        let start = found.unwrap_or_else(|| panic!("{one} is missing or too early in\n{text}"));
        rest = &rest[start + one.len()..];
    }
}

async fn a_list_has_each_appointment_below_its_department_and_doctor(bench: Bench) {
    let lists = Lists::of(&bench).await;
    let hospital = &lists.hospital;
    let hostile = changed(&request("ent", "d1", "11:30 AM"), |body| {
        "Eve O'Neil".clone_into(&mut body.patient_name);
        "</td></table><script>alert(1)</script> & wheelchair".clone_into(&mut body.notes);
    });
    let late = created(hospital.book(&hostile).await);
    let early = hospital.booked("ent", "d1", "9:00 AM").await;
    let other = hospital.booked("ent", "d2", "9:30 AM").await;
    let clinic = hospital.booked("ent", "", "9:00 AM").await;
    let heart = hospital.booked("cardiology", "c1", "10:00 AM").await;
    let off = hospital.booked("ent", "d1", "10:00 AM").await;
    done(
        hospital
            .change_by_staff(&off, Action::Cancel { notify: false })
            .await,
    );
    let erased = hospital.booked("urology", "", "11:00 AM").await;
    bench
        .test
        .execute("DELETE FROM contacts WHERE id IN (SELECT id FROM appointments WHERE department_id = 'urology')")
        .await;

    assert_eq!(lists.update(sunday()).await, 2);
    assert_eq!(lists.names(), [SUNDAYS, MONDAYS]);
    let text = lists.read(MONDAYS);
    assert_in_order(
        &text,
        &[
            "<h1>Monday 23 November 2026</h1>",
            "as of <strong>22 November 2026, 3:00 PM IST</strong>",
            "Printed lists hold patients’ names: keep and destroy as paper records.",
            "<h2>Cardiology</h2>",
            "Dr. Chitra One",
            &heart.reference,
            "<h2>ENT</h2>",
            "ENT clinic",
            &clinic.reference,
            "Dr. Deepa One",
            "9:00 AM",
            &early.reference,
            "Booked",
            "10:00 AM",
            &off.reference,
            "Cancelled",
            "11:30 AM",
            "Eve O&#39;Neil",
            &late.reference,
            "&#60;/td&#62;",
            "Dr. Deepak Two",
            &other.reference,
            "<h2>Urology</h2>",
            "Erased patient",
            &erased.reference,
            "End of the list: 7 appointments, 1 of them cancelled.",
            "</html>",
        ],
    );
    for phone in [&early, &heart].map(|one| one.contact.as_ref().expect("a contact").phone.clone())
    {
        assert!(text.contains(&phone), "{phone}");
    }
    assert_eq!(
        text.matches("<table>").count(),
        text.matches("</table>").count()
    );
    for absent in ["<script", "src=", "href=", "@example.com"] {
        assert!(!text.contains(absent), "{absent}");
    }
    assert!(text.contains("Sampige &#38; Hospital"), "{text}");
    assert!(
        lists
            .read(SUNDAYS)
            .contains("There are no appointments on this day.")
    );
    bench.end().await;
}

async fn a_change_is_on_the_list_at_the_next_check(bench: Bench) {
    let lists = Lists::of(&bench).await;
    let hospital = &lists.hospital;
    assert_eq!(lists.update(sunday()).await, 2);
    assert_eq!(lists.update(sunday()).await, 0);
    let booked = hospital.booked("ent", "d1", "9:00 AM").await;
    assert_eq!(lists.update(sunday()).await, 1);
    assert!(lists.read(MONDAYS).contains(&booked.reference));
    done(
        hospital
            .change_by_staff(&booked, Action::Cancel { notify: false })
            .await,
    );
    assert_eq!(lists.update(sunday()).await, 1);
    assert!(lists.read(MONDAYS).contains("Cancelled"));
    assert!(lists.read(MONDAYS).contains("Asha Rao"));
    bench.test.execute("DELETE FROM contacts").await;
    assert_eq!(lists.update(sunday()).await, 1);
    assert!(!lists.read(MONDAYS).contains("Asha Rao"), "an erasure");
    // The roster names those on leave, so both lists may have changed.
    let other = hospital.booked("ent", "d2", "9:00 AM").await;
    assert_eq!(lists.update(sunday()).await, 1);
    hospital.leave(Resource::doctor("d2"), MONDAY).await;
    assert_eq!(lists.update(sunday()).await, 2);
    assert_in_order(
        &lists.read(MONDAYS),
        &[&other.reference, "No doctor or clinic works at this time."],
    );
    bench.end().await;
}

async fn an_unchanged_list_is_made_again_after_an_hour(bench: Bench) {
    let lists = Lists::of(&bench).await;
    assert_eq!(lists.update(sunday()).await, 2);
    assert_eq!(lists.update(sunday() + TimeDelta::minutes(59)).await, 0);
    assert_eq!(lists.update(sunday() + TimeDelta::minutes(61)).await, 2);
    assert!(
        lists
            .read(MONDAYS)
            .contains("22 November 2026, 4:01 PM IST")
    );
    // A clock that was set back.
    assert_eq!(lists.update(sunday()).await, 2);
    // A list that was deleted, cut off, or overwritten by a slower process.
    fs::remove_file(lists.path().join(MONDAYS)).expect("removed");
    fs::write(lists.path().join(SUNDAYS), "<!doctype html>\n<!-- ").expect("written");
    assert_eq!(lists.update(sunday()).await, 2);
    bench.end().await;
}

/// Inserts appointments of erased persons for Monday.
struct Many(usize);

#[async_trait]
impl UnitOfWork for Many {
    type Outcome = ();

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<()>, StoreError> {
        const INSERT: &str = "\
INSERT INTO appointments (id, reference, department_id, doctor_id, starts_at, status, version, secret_generation, create_time, update_time)
VALUES ($1, $2, $3, $4, $5, 'booked', 1, 0, $6, $6)";
        for number in 0..self.0 {
            let (department, doctor) =
                [("ent", "d1"), ("ent", "d2"), ("cardiology", "c1")][number % 3];
            let time = ["9:00 AM", "10:30 AM", "4:30 PM"][number / 3 % 3];
            let values = values![
                RandomIds.uuid(),
                format!("SH-TEST-{number:04}"),
                department,
                doctor,
                at(MONDAY, time),
                sunday()
            ];
            transaction.execute(INSERT, values).await?;
        }
        Ok(Decision::Commit(()))
    }
}

async fn a_day_of_many_pages_has_each_appointment_once(bench: Bench) {
    let lists = Lists::of(&bench).await;
    bench
        .database
        .write("test", Many(110))
        .await
        .expect("written");
    assert_eq!(lists.update(sunday()).await, 2);
    let text = lists.read(MONDAYS);
    for number in 0..110 {
        let reference = format!("SH-TEST-{number:04}");
        assert_eq!(text.matches(&reference).count(), 1, "{reference}");
    }
    assert_eq!(text.matches("<h2>").count(), 2);
    assert_eq!(text.matches("<thead>").count(), 3);
    assert_eq!(text.matches("</table>").count(), 3);
    assert!(text.contains("End of the list: 110 appointments."));
    bench.end().await;
}

async fn lists_of_past_days_are_deleted(bench: Bench) {
    let lists = Lists::of(&bench).await;
    let late: DateTime<Utc> = "2026-11-22T18:29:00Z".parse().expect("11:59 PM IST");
    assert_eq!(lists.update(late).await, 2);
    let unfinished = |day: &str| format!(".day-list-{day}.{}.tmp", unique());
    let (abandoned, present) = (unfinished("2026-11-22"), unfinished("2026-11-23"));
    for name in [
        "day-list-2026-11-21.html",
        "day-list-2020-01-01.html",
        "day-list-2026-11-21.html.bak",
        "notes.txt",
        &abandoned,
        &present,
    ] {
        fs::write(lists.path().join(name), "x").expect("written");
    }
    let modify = |name: &str, time: DateTime<Utc>| {
        let file = fs::File::options()
            .write(true)
            .open(lists.path().join(name));
        let seconds = u64::try_from(time.timestamp()).expect("after 1970");
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        file.expect("a file").set_modified(time).expect("set");
    };
    modify(&abandoned, late - TimeDelta::hours(2));
    modify(&present, late);
    let past_midnight = late + TimeDelta::minutes(2);
    assert_eq!(lists.update(past_midnight).await, 1, "Tuesday's");
    assert_eq!(
        lists.names(),
        [
            &present,
            MONDAYS,
            "day-list-2026-11-21.html.bak",
            "day-list-2026-11-24.html",
            "notes.txt"
        ]
        .map(str::to_owned)
        .into_iter()
        .collect::<std::collections::BTreeSet<_>>()
        .into_iter()
        .collect::<Vec<_>>()
    );
    bench.end().await;
}

async fn processes_that_share_a_folder_leave_one_whole_list(bench: Bench) {
    let lists = Lists::of(&bench).await;
    bench
        .database
        .write("test", Many(120))
        .await
        .expect("written");
    let mut processes = JoinSet::new();
    for _ in 0..8 {
        let (store, day_lists) = (lists.hospital.store.clone(), lists.day_lists());
        processes.spawn(async move { day_lists.update(&store, sunday()).await });
    }
    for updated in processes.join_all().await {
        updated.expect("written or skipped");
    }
    assert_eq!(lists.names(), [SUNDAYS, MONDAYS]);
    let text = lists.read(MONDAYS);
    assert_eq!(text.matches("SH-TEST-").count(), 120);
    assert!(text.ends_with("</html>"), "{text}");
    assert_eq!(lists.update(sunday()).await, 0);
    bench.end().await;
}

async fn a_list_that_cannot_be_written_does_not_prevent_the_other(bench: Bench) {
    let lists = Lists::of(&bench).await;
    let booked = lists.hospital.booked("ent", "d1", "9:00 AM").await;
    // A folder of that name, which no file replaces.
    fs::create_dir_all(lists.path().join(SUNDAYS)).expect("made");
    let failed = lists.try_update(sunday()).await;
    assert!(matches!(failed, Err(DayListError::Write(_))), "{failed:?}");
    assert!(lists.read(MONDAYS).contains(&booked.reference));
    assert_eq!(lists.names(), [SUNDAYS, MONDAYS], "nothing unfinished");
    // A folder that cannot be made.
    fs::remove_dir_all(lists.path()).expect("removed");
    fs::write(lists.path(), "a file").expect("written");
    let failed = lists.try_update(sunday()).await;
    let message = format!("{failed:?}");
    assert!(matches!(failed, Err(DayListError::Folder(_))), "{message}");
    assert!(!message.contains("Asha"), "{message}");
    bench.end().await;
}

async fn a_folder_is_private(bench: Bench) {
    let lists = Lists::of(&bench).await;
    fs::create_dir(lists.path()).expect("made");
    let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
    fs::set_permissions(lists.path(), fs::Permissions::from_mode(0o755)).expect("set");
    assert_eq!(lists.update(sunday()).await, 2);
    assert_eq!(mode(&lists.path()), 0o700);
    for name in lists.names() {
        assert_eq!(mode(&lists.path().join(&name)), 0o600, "{name}");
    }
    fs::remove_dir_all(lists.path()).expect("removed");
    assert_eq!(lists.update(sunday()).await, 2);
    assert_eq!(mode(&lists.path()), 0o700, "a new one");
    bench.end().await;
}
