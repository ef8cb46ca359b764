//! The query for the metrics, every 15 s.

use sqlx::{AssertSqlSafe, Connection as _, PgConnection, SqliteConnection};
use store_kit::{
    outbox::{COUNTED_MAX, DEFAULT_LANE, DEPTH, Depth},
    sql::{Sql, Statement},
    values,
};
use test_kit::database::TestDatabase;

use super::{
    super::fixture::{at, on_both, open},
    depth, message, run, send,
};

on_both!(the_depth_reads_a_bounded_part_of_indexes);

/// Three in four are delivered, one in four is a reminder due weeks later.
const MANY: Sql = Sql::differing(
    "INSERT INTO outbox_messages (id, kind, subject, payload, not_before, due_time, create_time, delivered_time) \
WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 10000) \
SELECT randomblob(16), 'k', 's', '{}', $1, $1, $1, CASE WHEN n % 4 > 0 THEN $1 END FROM numbers",
    "INSERT INTO outbox_messages (id, kind, subject, payload, not_before, due_time, create_time, delivered_time) \
SELECT gen_random_uuid(), 'k', 's', '{}', $1, $1, $1, CASE WHEN n % 4 > 0 THEN $1 END FROM generate_series(1, 10000) AS numbers (n)",
);

/// B8: the metrics are read every 15 s, beside hundreds of thousands of reminders.
async fn the_depth_reads_a_bounded_part_of_indexes(test: &TestDatabase) {
    let database = open(test).await;
    // In statements that each finish in time on a busy machine.
    for _ in 0..8 {
        let some = Statement::new(MANY, values![at(1_000_000)]);
        run(&database, vec![some]).await;
    }
    send(&database, [message(1, at(-60)), message(2, at(0))]).await;
    let expected = Depth {
        waiting: 10_000,
        due: 2,
        dead: 0,
        oldest_due: Some(at(-60)),
    };
    assert_eq!(depth(&database, 0).await, expected);
    if test.is_sqlite() {
        let plan = sqlite_plan(test).await;
        let scans: Vec<&String> = plan
            .iter()
            .filter(|line| line.contains("outbox_messages"))
            .collect();
        assert_eq!(scans.len(), 4, "{plan:?}");
        for scan in scans {
            assert!(
                scan.contains("USING COVERING INDEX outbox_messages_"),
                "{scan}"
            );
        }
        return;
    }
    test.execute("VACUUM ANALYZE outbox_messages").await;
    let mut read = Vec::new();
    scans(&postgres_plan(test).await, &mut read);
    assert!(!read.is_empty());
    for (node, rows) in read {
        assert!(
            node.starts_with("Index Only Scan using outbox_messages_"),
            "{node}"
        );
        assert!(rows <= 10_000, "{node} reads {rows} rows");
    }
}

async fn sqlite_plan(test: &TestDatabase) -> Vec<String> {
    let mut connection = SqliteConnection::connect(&test.url)
        .await
        .expect("the file");
    let explain = AssertSqlSafe(format!("EXPLAIN QUERY PLAN {DEPTH}"));
    let rows: Vec<(i64, i64, i64, String)> = sqlx::query_as(explain)
        .bind(at(0))
        .bind(COUNTED_MAX)
        .bind(DEFAULT_LANE)
        .fetch_all(&mut connection)
        .await
        .expect("a plan");
    rows.into_iter().map(|row| row.3).collect()
}

async fn postgres_plan(test: &TestDatabase) -> serde_json::Value {
    let mut connection = PgConnection::connect(&test.url).await.expect("the server");
    let explain = AssertSqlSafe(format!("EXPLAIN (ANALYZE, FORMAT JSON) {DEPTH}"));
    let (plan,): (serde_json::Value,) = sqlx::query_as(explain)
        .bind(at(0))
        .bind(COUNTED_MAX)
        .bind(DEFAULT_LANE)
        .fetch_one(&mut connection)
        .await
        .expect("a plan");
    plan
}

/// Collects the plan nodes that read the outbox, each with its number of rows read.
fn scans(plan: &serde_json::Value, found: &mut Vec<(String, i64)>) {
    if plan["Relation Name"] == "outbox_messages" {
        let text = |name: &str| plan[name].as_str().unwrap_or_default().to_owned();
        let rows = |name: &str| plan[name].as_f64().unwrap_or_default();
        let node = format!("{} using {}", text("Node Type"), text("Index Name"));
        #[expect(clippy::cast_possible_truncation, reason = "a count of rows")]
        let read = (rows("Actual Rows") + rows("Rows Removed by Filter")) as i64;
        found.push((node, read));
    }
    let parts = plan.as_array().into_iter().flatten();
    let of_object = plan
        .as_object()
        .into_iter()
        .flat_map(|object| object.values());
    for part in parts
        .chain(of_object)
        .filter(|part| part.is_array() || part.is_object())
    {
        scans(part, found);
    }
}
