//! The command `retain` of the program as deployed.

use test_kit::{database::TestDatabase, process::Program};

const PROGRAM: Program = Program(env!("CARGO_BIN_EXE_svc-booking"));

async fn reports_expired_rows(database: TestDatabase) {
    PROGRAM.migrate(&database).await;
    // Older than any period; SQLite stores times as this text.
    let old = "INSERT INTO consultations (id, reference, date, status, version, create_time, update_time, key_id, patient_name) \
               VALUES ('00000000-0000-0000-0000-000000000007', 'VC-AAAA-AAAA', '2001-01-01', 'requested', 1, \
                       '2001-01-01T00:00:00+00:00', '2001-01-01T00:00:00+00:00', 'k1', '\\x00')";
    let old_in_sqlite = "INSERT INTO consultations (id, reference, date, status, version, create_time, update_time, key_id, patient_name) \
                         VALUES (x'00000000000000000000000000000007', 'VC-AAAA-AAAA', '2001-01-01', 'requested', 1, \
                                 '2001-01-01T00:00:00+00:00', '2001-01-01T00:00:00+00:00', 'k1', x'00')";
    let insert = if database.is_sqlite() {
        old_in_sqlite
    } else {
        old
    };
    database.execute(insert).await;
    let run = async |arguments: &[&str]| {
        let address = ["--database-url", &database.url];
        let output = PROGRAM.command(&[&address, arguments].concat()).output();
        let output = output.await.expect("it ran");
        let log = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{log}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let rows = "SELECT count(*) FROM consultations";
    let said = run(&["retain", "--dry-run"]).await;
    assert!(said.contains("consultations: 1 expired\n"), "{said}");
    assert_eq!(database.scalar(rows).await, 1);
    let said = run(&["retain"]).await;
    assert!(said.contains("consultations: 1 removed\n"), "{said}");
    assert!(
        said.contains("contacts of appointments: 0 removed\n"),
        "{said}"
    );
    assert_eq!(database.scalar(rows).await, 0);
    let said = run(&["retain", "--dry-run"]).await;
    assert!(said.contains("consultations: 0 expired\n"), "{said}");
    database.drop_if_exists().await;
}

#[tokio::test]
async fn reports_expired_rows_on_sqlite() {
    reports_expired_rows(TestDatabase::sqlite()).await;
}

#[tokio::test]
async fn reports_expired_rows_on_postgres() {
    reports_expired_rows(TestDatabase::postgres().await).await;
}
