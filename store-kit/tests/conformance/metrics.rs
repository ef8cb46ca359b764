//! Metrics of real database calls.

use std::time::Duration;

use service_kit::deadline;
use store_kit::{error::StoreError, values, work::Decision};
use test_kit::database::TestDatabase;

use super::fixture::{endless, on_both, open, unit};

on_both!(calls_are_timed_by_operation_table_and_error);

on_both!(connections_of_the_pool_are_counted);

async fn connections_of_the_pool_are_counted(database: &TestDatabase) {
    let open = open(database).await;
    let work = unit(|_| Box::pin(async { Ok(Decision::Rollback(())) }));
    open.write("SELECT nothing", work)
        .await
        .expect("a connection");
    // Other tests of this process open databases of their own: the last one counts.
    let text = service_kit::metrics::encode();
    for name in [
        "db_client_connections{state=\"used\"} ",
        "db_client_connections{state=\"idle\"} ",
        "db_client_connections_max ",
    ] {
        let counts = text.lines().filter_map(|line| line.strip_prefix(name));
        assert_eq!(counts.count(), 1, "{name}");
    }
}

/// Returns the number of calls of this table with this error.
fn calls(database: &TestDatabase, operation: &str, table: &str, error: &str) -> u64 {
    let system = database.parsed_url().kind().system_name();
    let start = format!(
        "db_client_operation_duration_seconds_count{{operation=\"{operation}\",collection=\"{table}\",\
         db_system=\"{system}\",error_type=\"{error}\"}} "
    );
    let text = service_kit::metrics::encode();
    let count = text.lines().find_map(|line| line.strip_prefix(&start));
    count.map_or(0, |count| count.parse().expect("a count"))
}

async fn calls_are_timed_by_operation_table_and_error(database: &TestDatabase) {
    const INSERT: &str = "INSERT INTO seats (seat, holder) VALUES ('timed', 'a')";
    let open = open(database).await;
    let insert = async || {
        let work = unit(|transaction| {
            Box::pin(async move {
                transaction.execute(INSERT, values![]).await?;
                Ok(Decision::Commit(()))
            })
        });
        open.write("INSERT timed_seats", work).await
    };
    insert().await.expect("the first one");
    insert().await.expect_err("the seat is taken");
    let count = |operation, error| calls(database, operation, "timed_seats", error);
    assert_eq!((count("INSERT", ""), count("INSERT", "conflict")), (1, 1));

    // The call is dropped before its end, when it would have been slowest.
    let mut call = Box::pin(open.write("DELETE timed_seats", endless()));
    assert!(futures::poll!(&mut call).is_pending());
    drop(call);
    assert_eq!(count("DELETE", "cancelled"), 1);

    let late = open.write("UPDATE timed_seats", endless());
    let error = deadline::scope(Duration::from_millis(30), late).await;
    assert!(matches!(error, Err(StoreError::Deadline)), "{error:?}");
    assert_eq!(count("UPDATE", "timeout"), 1);
}
