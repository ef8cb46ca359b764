//! The files of SQLite: their permissions, what remains in them, and a full disk.

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::Command,
};

use futures::future::join_all;
use sqlx::{
    Connection as _, SqliteConnection,
    sqlite::{SqliteConnectOptions, SqliteJournalMode},
};
use store_kit::{
    database::{Database, Limits},
    error::StoreError,
    url::DatabaseUrl,
    values,
    work::Decision,
};
use test_kit::{database::TestDatabase, keys};
use tonic::{Code, Status};
use tonic_types::StatusExt as _;

use super::fixture::{SCHEMA, execute, open, unit, until, value};

fn path(database: &TestDatabase) -> PathBuf {
    match database.parsed_url() {
        DatabaseUrl::Sqlite(path) => path,
        DatabaseUrl::Postgres(_) => unreachable!("a test of SQLite"),
    }
}

/// Returns the paths of the database and its companion files.
fn files(path: &Path) -> [PathBuf; 3] {
    ["", "-wal", "-shm"].map(|suffix| {
        let mut file = path.as_os_str().to_owned();
        file.push(suffix);
        file.into()
    })
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("a file").permissions().mode() & 0o777
}

#[tokio::test]
async fn only_the_owner_may_read_the_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("new/deep/test.db");
    let url = DatabaseUrl::Sqlite(path.clone());
    let database = Database::open(&url, Limits::default(), SCHEMA, &keys::keys())
        .await
        .expect("a database");
    execute(
        &database,
        &["INSERT INTO seats (seat, holder) VALUES ('a', 'b')"],
    )
    .await
    .expect("a row");
    for file in files(&path) {
        assert_eq!(mode(&file), 0o600, "{}", file.display());
    }
    assert_eq!(mode(path.parent().expect("a folder")), 0o700);
    let entries = fs::read_dir(path.parent().expect("a folder")).expect("a folder");
    for entry in entries {
        let file = entry.expect("a file").path();
        assert_eq!(mode(&file), 0o600, "{}", file.display());
    }
}

#[tokio::test]
async fn permissions_of_existing_files_are_tightened() {
    let test = TestDatabase::sqlite();
    let path = path(&test);
    let options = SqliteConnectOptions::new()
        .filename(&path)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal);
    // Kept open, as after a crash, so its other files remain.
    let mut older = SqliteConnection::connect_with(&options)
        .await
        .expect("a file");
    sqlx::query("CREATE TABLE older (id INTEGER)")
        .execute(&mut older)
        .await
        .expect("a table");
    for file in files(&path) {
        fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).expect("a file");
    }
    let database = open(&test).await;
    for file in files(&path) {
        assert_eq!(mode(&file), 0o600, "{}", file.display());
    }
    database.close().await;
    older.close().await.expect("its end");
}

/// Erased data soon disappears from all files, even though the database stays open.
#[tokio::test]
async fn deleted_data_is_not_in_the_files() {
    const CANARY: &str = "canary of the coal mine";
    let test = TestDatabase::sqlite();
    let database = open(&test).await;
    let is_found = || {
        files(&path(&test)).iter().any(|file| {
            let bytes = fs::read(file).expect("a file");
            bytes
                .windows(CANARY.len())
                .any(|part| part == CANARY.as_bytes())
        })
    };
    // Many rows over many pages, so that whole pages and parts of pages are freed.
    let write = unit(|transaction| {
        Box::pin(async move {
            for id in 0..200_i64 {
                const INSERT: &str = "INSERT INTO every_value (id, a_text) VALUES ($1, $2)";
                let canaries = CANARY.repeat(usize::try_from(id % 40).expect("a small number"));
                transaction.execute(INSERT, values![id, canaries]).await?;
            }
            Ok(Decision::Commit(()))
        })
    });
    database.write("canary", write).await.expect("rows");
    assert!(is_found(), "a stored text can be found");
    execute(&database, &["DELETE FROM every_value WHERE id > 0"])
        .await
        .expect("removed");
    until("the canary is gone", async || !is_found()).await;
    let left: i64 = value(&database, "SELECT count(*) FROM every_value").await;
    assert_eq!(left, 1);
}

/// Inserts a row that spans several pages.
async fn fill(database: &Database, kibibytes: usize) -> Result<(), StoreError> {
    let write = unit(move |transaction| {
        Box::pin(async move {
            const INSERT: &str = "INSERT INTO every_value (a_bytes) VALUES ($1)";
            let bytes = vec![7_u8; kibibytes * 1024];
            transaction.execute(INSERT, values![bytes]).await?;
            Ok(Decision::Commit(()))
        })
    });
    database.write("fill", write).await
}

fn assert_full(error: StoreError) {
    let StoreError::Database(cause) = &error else {
        panic!("{error:?}");
    };
    let code = cause
        .as_database_error()
        .and_then(sqlx::error::DatabaseError::code);
    assert_eq!(code.as_deref(), Some("13"), "{cause:?}");
    assert_storage_full(&Status::from(error));
}

/// X8: the gateway must distinguish a full disk from an unavailable service.
pub(crate) fn assert_storage_full(status: &Status) {
    assert_eq!(status.code(), Code::Unavailable);
    let details = status.get_error_details();
    let reason = details.error_info().map(|info| info.reason.as_str());
    assert_eq!(reason, Some("STORAGE_FULL"));
}

/// Writes until every write fails, frees space, and writes again. Every acknowledged row must exist, and every error
/// must be the full disk.
async fn acknowledged_rows_are_kept(database: &Database, make_room: impl AsyncFnOnce()) {
    let mut acknowledged = 0;
    let mut refused = 0;
    for _ in 0..40 {
        // Small and large rows share a transaction.
        for outcome in join_all([1, 200, 1, 40].map(|size| fill(database, size))).await {
            match outcome {
                Ok(()) => acknowledged += 1,
                Err(error) => {
                    refused += 1;
                    assert_full(error);
                }
            }
        }
    }
    assert!(acknowledged > 0 && refused > 0, "{acknowledged} {refused}");
    database.ready().await.expect("what is there can be read");
    let rows: i64 = value(database, "SELECT count(*) FROM every_value").await;
    assert_eq!(rows, acknowledged, "reads go on");
    make_room().await;
    fill(database, 200).await.expect("room");
    let rows: i64 = value(database, "SELECT count(*) FROM every_value").await;
    assert_eq!(rows, acknowledged + 1);
}

#[tokio::test]
async fn a_full_database_reports_a_full_storage() {
    let test = TestDatabase::sqlite();
    let database = open(&test).await;
    // The writer's connection keeps this limit until the first failure, after which it reconnects.
    execute(&database, &["PRAGMA max_page_count = 100"])
        .await
        .expect("a limit");
    let outcomes = join_all([1, 1000, 1].map(|size| fill(&database, size))).await;
    let kept = outcomes.iter().filter(|outcome| outcome.is_ok()).count();
    assert!(kept < 3);
    for error in outcomes.into_iter().filter_map(Result::err) {
        assert_full(error);
    }
    let rows: i64 = value(&database, "SELECT count(*) FROM every_value").await;
    assert_eq!(usize::try_from(rows).expect("a count"), kept);
}

/// Needs a real file system of 4 MiB, which requires a mount namespace: the test restarts itself in one.
#[tokio::test]
async fn a_full_disk_is_reported_and_recovers() {
    const NAME: &str = "conformance::files::a_full_disk_is_reported_and_recovers";
    const FOLDER: &str = "FULL_DISK_FOLDER";
    if let Some(folder) = std::env::var_os(FOLDER) {
        return on_a_small_disk(Path::new(&folder)).await;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let script = format!(
        "mount -t tmpfs -o size=4m tmpfs \"${FOLDER}\" && exec \"$0\" --exact {NAME} --nocapture"
    );
    let output = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "sh", "-c", &script])
        .arg(std::env::current_exe().expect("this program"))
        .env(FOLDER, folder.path())
        .output()
        .expect("unshare (util-linux), and a kernel that lets users have mount namespaces");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && said.contains("1 passed"),
        "{said}{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

async fn on_a_small_disk(folder: &Path) {
    let ballast = folder.join("ballast");
    fs::write(&ballast, vec![1_u8; 2 * 1024 * 1024]).expect("room for ballast");
    let url = DatabaseUrl::Sqlite(folder.join("test.db"));
    let database = Database::open(&url, Limits::default(), SCHEMA, &keys::keys())
        .await
        .expect("a database");
    acknowledged_rows_are_kept(&database, async || {
        fs::remove_file(&ballast).expect("the ballast");
    })
    .await;
    database.close().await;
}
