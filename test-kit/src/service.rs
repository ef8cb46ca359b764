//! Process behaviour that every service must have, tested on the program as deployed.

use std::time::Duration;

use tonic::{Code, Response};

use crate::{
    database::TestDatabase,
    process::{Process, Program},
};

/// Interval between two polls of a database.
const POLL: Duration = Duration::from_millis(20);
/// Time limit for the end of a statement whose caller has gone.
const STOPS_WITHIN: Duration = Duration::from_millis(2200);

/// Whether the response to a create is a replay of an earlier request's result. The metadata key is the one that the
/// gateway reads.
pub fn is_replay<T>(reply: &Response<T>) -> bool {
    let said = reply.metadata().get("idempotent-replayed");
    said.is_some_and(|said| said == "true")
}

/// Declares the checks of this module as tests of a service. `$call` makes one writing call. It is an
/// `async fn(url: String) -> Result<(), tonic::Code>`.
#[macro_export]
macro_rules! service_keeps_its_promises {
    ($program:expr, $call:path) => {
        mod promises {
            use $crate::{database::TestDatabase, service};

            #[tokio::test]
            async fn is_not_ready_while_sqlite_is_locked() {
                service::is_not_ready_while_its_database_is_away(
                    $program,
                    TestDatabase::sqlite(),
                    $call,
                )
                .await;
            }

            #[tokio::test]
            async fn is_not_ready_while_postgres_is_unavailable() {
                let database = TestDatabase::postgres().await;
                service::is_not_ready_while_its_database_is_away($program, database, $call).await;
            }

            #[tokio::test]
            async fn cancels_abandoned_postgres_queries() {
                service::cancels_abandoned_queries($program, $call).await;
            }

            #[tokio::test]
            async fn listens_unready_while_postgres_is_unavailable() {
                service::listens_without_a_database($program, $call).await;
            }

            #[tokio::test]
            async fn is_not_ready_until_migrated_and_names_the_command() {
                service::needs_its_schema($program).await;
            }

            #[tokio::test]
            async fn refuses_bad_configuration_before_binding_a_port() {
                service::refuses_what_cannot_work($program).await;
            }

            #[tokio::test]
            async fn runs_its_commands_on_sqlite() {
                service::answers_commands($program, TestDatabase::sqlite()).await;
            }

            #[tokio::test]
            async fn runs_its_commands_on_postgres() {
                service::answers_commands($program, TestDatabase::postgres().await).await;
            }
        }
    };
}

/// Checks that the service is not ready and returns UNAVAILABLE while the database is away. It must recover without a
/// restart when the database is back.
pub async fn is_not_ready_while_its_database_is_away(
    program: Program,
    database: TestDatabase,
    call: impl AsyncFn(String) -> Result<(), Code>,
) {
    program.migrate(&database).await;
    let process = program.start(&database.url, &[]).await;
    process.wait_for("/readyz", 200).await;
    let disturbance = database.disturb().await;
    process.wait_for("/readyz", 503).await;
    process.wait_for("/healthz", 200).await;
    assert_eq!(call(process.url()).await, Err(Code::Unavailable));
    database.repair(disturbance).await;
    process.wait_for("/readyz", 200).await;
    assert_eq!(call(process.url()).await, Ok(()));
    process.stop().await;
    database.drop_if_exists().await;
}

/// Checks that PostgreSQL stops working on a statement when its caller disconnects. `call` must write a request key.
///
/// The statement waits for a lock. PostgreSQL's own lock timeout would end it after three seconds; here it must end
/// earlier.
pub async fn cancels_abandoned_queries(
    program: Program,
    call: impl AsyncFn(String) -> Result<(), Code>,
) {
    // Excludes the deletion of expired data at start, which waits for the lock too and has no caller that could
    // disconnect.
    const WAITING: &str = "SELECT count(*) FROM pg_stat_activity \
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query NOT LIKE 'DELETE%'";
    let database = TestDatabase::postgres().await;
    program.migrate(&database).await;
    let process = program.start(&database.url, &[]).await;
    process.wait_for("/readyz", 200).await;
    let lock = database.lock_table("request_keys").await;
    let until_waiting = async {
        while database.scalar(WAITING).await == 0 {
            tokio::time::sleep(POLL).await;
        }
    };
    tokio::select! {
        outcome = call(process.url()) => panic!("it did not wait: {outcome:?}"),
        () = until_waiting => {}
    }
    // The call has been dropped.
    let until_stopped = async {
        while database.scalar(WAITING).await > 0 {
            tokio::time::sleep(POLL).await;
        }
    };
    let stopped = tokio::time::timeout(STOPS_WITHIN, until_stopped).await;
    assert!(
        stopped.is_ok(),
        "the database still runs the abandoned statement"
    );
    drop(lock);
    assert_eq!(call(process.url()).await, Ok(()));
    process.stop().await;
    database.drop_if_exists().await;
}

/// Checks that a service starts while its database is unreachable, is not ready, and logs no password.
pub async fn listens_without_a_database(
    program: Program,
    call: impl AsyncFn(String) -> Result<(), Code>,
) {
    // Nothing listens on port 1.
    let url = "postgres://desk:secret-word@127.0.0.1:1/hospital";
    let process = program.start(url, &[]).await;
    process.wait_for("/healthz", 200).await;
    process.wait_for("/readyz", 503).await;
    assert_eq!(call(process.url()).await, Err(Code::Unavailable));
    let log = process.stop().await;
    assert!(log.contains("not ready"), "{log}");
    assert!(!log.contains("secret-word"), "the password is in the log");
}

/// Checks that a service on PostgreSQL is not ready before its `migrate` command has run, and that the log names that
/// command.
pub async fn needs_its_schema(program: Program) {
    let database = TestDatabase::postgres().await;
    let process: Process = program.start(&database.url, &[]).await;
    process.wait_for("/readyz", 503).await;
    program.migrate(&database).await;
    process.wait_for("/readyz", 200).await;
    let log = process.stop().await;
    assert!(
        log.contains("run the `migrate` command of this service"),
        "{log}"
    );
    database.drop_if_exists().await;
}

/// Checks that a folder as database file, missing keys and out-of-range flags end the process before it listens.
pub async fn refuses_what_cannot_work(program: Program) {
    let folder = tempfile::tempdir().expect("a folder");
    let url = format!("sqlite:{}", folder.path().display());
    let log = program.refusal(&url, &[]).await;
    assert!(log.contains("cannot make"), "{log}");

    let database = TestDatabase::sqlite();
    let mut without_keys = program.serving(&database.url, &[]);
    let output = without_keys.env_remove("SEAL_KEYS_FILE").output().await;
    let output = output.expect("it ran");
    assert!(!output.status.success());
    assert!(output.stdout.is_empty(), "it never listened");
    let log = String::from_utf8_lossy(&output.stderr);
    assert!(log.contains("SEAL_KEYS_FILE"), "{log}");

    for flag in [
        ["--seal-keys-file", "/nowhere.toml"],
        ["--database-connections-max", "0"],
        ["--database-connections-max", "1001"],
        ["--write-queue-max", "0"],
        ["--write-batch-max", "many"],
        ["--rpc-timeout-ms-max", "0"],
    ] {
        let log = program.refusal(&database.url, &flag).await;
        assert!(
            log.contains(flag[0]) || log.contains(flag[1]),
            "{flag:?}: {log}"
        );
    }
}

/// Checks the operators' commands that the program offers besides serving.
pub async fn answers_commands(program: Program, database: TestDatabase) {
    program.migrate(&database).await;
    let run = async |arguments: &[&str]| {
        let address = ["--database-url", &database.url];
        let output = program.command(&[&address, arguments].concat()).output();
        let output = output.await.expect("it ran");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        (output.status.success(), said)
    };
    let (done, said) = run(&["verify-audit"]).await;
    assert!(done && said.contains("head 0:"), "{said}");
    let (done, _) = run(&["verify-audit", "--expect", "7:00"]).await;
    assert!(!done, "the log does not end there");
    assert_eq!(run(&["outbox", "dead"]).await, (true, String::new()));
    let (done, said) = run(&["outbox", "resend"]).await;
    assert_eq!(
        (done, said.as_str()),
        (true, "0 messages will be sent again\n")
    );
    let (done, said) = run(&["retain", "--dry-run"]).await;
    assert!(done && !said.contains("removed"), "{said}");
    let (done, said) = run(&["retain"]).await;
    assert!(done, "{said}");
    let (done, said) = run(&["rotate-keys"]).await;
    assert!(done, "{said}");
    database.drop_if_exists().await;
}
