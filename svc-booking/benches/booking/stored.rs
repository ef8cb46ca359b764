//! Data of a hospital after years of use: past appointments, inserted in bulk.

use sqlx::{AssertSqlSafe, Connection as _, PgConnection, SqliteConnection};

use crate::{Result, process::Database};

const APPOINTMENTS: &str = "\
INSERT INTO appointments (id, reference, department_id, doctor_id, starts_at, status, version, secret_hash, create_time, update_time,
                          secret_generation)";
const CONTACTS: &str = "\
INSERT INTO contacts (id, key_id, patient_name, email, phone, reason, notes, email_index, phone_index, create_time)";
const SEATS: &str =
    "INSERT INTO seats (resource, starts_at, seat, holder_kind, holder_id, expire_time)";
const EVENTS: &str =
    "INSERT INTO events (appointment_id, version, kind, actor, detail, create_time)";

/// Returns one statement per table. `numbers` yields n from 1, `id` converts n to an id, and `time` is a moment some
/// minutes ago.
fn statements(numbers: &str, id: &str, bytes: &str, time: &str) -> [String; 4] {
    // Starts half an hour apart within each department, so no two appointments share a seat.
    let starts = time.replace("MINUTES", "(30 * (n / 200) + 1440)");
    [
        format!(
            "{APPOINTMENTS} SELECT {id}, 'SH-' || n, 'bench-' || (n % 200), NULL, {starts}, 'completed', 3, {bytes}, {starts}, {starts}, 1 FROM {numbers}"
        ),
        format!(
            "{CONTACTS} SELECT {id}, 'k1', {bytes}, {bytes}, {bytes}, {bytes}, {bytes}, {bytes}, {bytes}, {starts} FROM {numbers}"
        ),
        format!(
            "{SEATS} SELECT 'clinic:bench-' || (n % 200), {starts}, 1, 'appointment', {id}, NULL FROM {numbers}"
        ),
        format!(
            "{EVENTS} SELECT {id}, 1, 'appointment.booked', 'patient', '{{}}', {starts} FROM {numbers}"
        ),
    ]
}

/// Inserts this many appointments with their related rows.
pub(crate) async fn fill(database: &Database, rows: usize) -> Result<()> {
    if rows == 0 {
        return Ok(());
    }
    if database.url.starts_with("sqlite:") {
        let numbers = format!(
            "(WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {rows}) SELECT n FROM numbers)"
        );
        let time = "strftime('%Y-%m-%dT%H:%M:00+00:00', 'now', '-' || MINUTES || ' minutes')";
        let mut connection = SqliteConnection::connect(&database.url).await?;
        sqlx::raw_sql("PRAGMA synchronous = OFF; PRAGMA cache_size = -262144; BEGIN")
            .execute(&mut connection)
            .await?;
        for sql in statements(
            &numbers,
            "CAST(printf('bench%011d', n) AS BLOB)",
            "randomblob(48)",
            time,
        ) {
            sqlx::raw_sql(AssertSqlSafe(sql))
                .execute(&mut connection)
                .await?;
        }
        sqlx::raw_sql("COMMIT; ANALYZE; PRAGMA wal_checkpoint(TRUNCATE)")
            .execute(&mut connection)
            .await?;
        return Ok(connection.close().await?);
    }
    let numbers = format!("generate_series(1, {rows}) AS numbers(n)");
    let time = "date_trunc('minute', now()) - make_interval(mins => MINUTES)";
    let mut connection = PgConnection::connect(&database.url).await?;
    for sql in statements(
        &numbers,
        "lpad(to_hex(n), 32, '0')::uuid",
        "decode(md5(random()::text) || md5(random()::text), 'hex')",
        time,
    ) {
        sqlx::raw_sql(AssertSqlSafe(sql))
            .execute(&mut connection)
            .await?;
    }
    sqlx::raw_sql("ANALYZE; CHECKPOINT")
        .execute(&mut connection)
        .await?;
    Ok(connection.close().await?)
}
