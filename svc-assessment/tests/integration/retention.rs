//! Data that is removed when it expires.

use chrono::TimeDelta;
use hospital_proto::assessment::v1::GetAssessmentSummaryRequest;
use store_kit::audit::{self, Verdict};
use svc_assessment::{
    domain::retention::{Over, Retention},
    store::Store,
};
use test_kit::{database::TestDatabase, on_both_databases};

use crate::{
    Bench, PROGRAM,
    serving::{READ, Serving, answered, at},
};

on_both_databases!(test_kit::bench::empty:
    removes_expired_rows,
    removes_expired_rows_at_start,
    removes_request_keys_of_older_builds,
);

/// 21 November in India.
const NOW: &str = "2026-11-21T09:30:00Z";
const ROWS: &str = "SELECT count(*) FROM assessments";

async fn filled(bench: &Bench) -> Serving {
    let mut serving = Serving::start(bench, at(NOW)).await;
    for number in [0, 1] {
        serving.clock.set(at(NOW) + TimeDelta::days(number));
        let request = answered(&format!("0123456789abcdef-{number}"));
        let kept = serving.client.create_assessment(request).await;
        kept.expect("kept");
    }
    serving
}

async fn removes_expired_rows(bench: Bench) {
    let mut serving = filled(&bench).await;
    let request = GetAssessmentSummaryRequest {
        month: "2026-10".to_owned(),
    };
    let request = serving.staff(READ, request);
    let counted = serving.client.get_assessment_summary(request).await;
    counted.expect("counted");
    let store = Store::new(bench.database.clone(), bench.keys.clone());
    let periods = Retention::default();
    let nothing = Over::default();
    for (days, over) in [
        (1, nothing),
        // A retry is recognised for at least a day.
        (
            2,
            Over {
                request_keys: 1,
                ..nothing
            },
        ),
        (
            3,
            Over {
                request_keys: 1,
                ..nothing
            },
        ),
        (730, nothing),
        (
            731,
            Over {
                assessments: 1,
                ..nothing
            },
        ),
        (
            732,
            Over {
                assessments: 1,
                audit_entries: 1,
                ..nothing
            },
        ),
    ] {
        let now = at(NOW) + TimeDelta::days(days);
        let counted = store.over(&periods, now).await.expect("counted");
        assert_eq!(counted, over, "after {days} days");
        let removed = store.retain(&periods, now).await.expect("removed");
        assert_eq!(removed, over, "after {days} days");
        let counted = store.over(&periods, now).await.expect("counted");
        assert!(counted.removed().is_empty(), "{counted:?}");
    }
    assert_eq!(bench.test.scalar(ROWS).await, 0);
    let noted = "SELECT count(*) FROM audit_entries WHERE actor = 'retention' AND action = 'retention.removed' \
                 AND subject = '' AND detail = '1 assessments'";
    assert_eq!(bench.test.scalar(noted).await, 2);
    match audit::verify(&bench.database, &bench.keys).await {
        Ok(Verdict::Intact { .. }) => {}
        broken => panic!("{broken:?}"),
    }
    serving.stop().await;
    bench.end().await;
}

async fn removes_expired_rows_at_start(bench: Bench) {
    filled(&bench).await.stop().await;
    let bench = bench.reopen().await;
    let serving = Serving::start(&bench, at(NOW) + TimeDelta::days(731)).await;
    let removed = async {
        while bench.test.scalar(ROWS).await != 1 {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    };
    let patience = test_kit::process::PATIENCE;
    tokio::time::timeout(patience, removed)
        .await
        .expect("removed");
    serving.stop().await;
    bench.end().await;
}

/// Their expiry time is 30 days ahead.
async fn removes_request_keys_of_older_builds(bench: Bench) {
    let serving = filled(&bench).await;
    let later = if bench.test.is_sqlite() {
        "UPDATE request_keys SET expire_time = '2026-12-21T00:00:00+00:00'"
    } else {
        "UPDATE request_keys SET expire_time = '2026-12-21T00:00:00Z'"
    };
    assert_eq!(bench.test.execute(later).await, 2);
    let store = Store::new(bench.database.clone(), bench.keys.clone());
    let now = at(NOW) + TimeDelta::days(3);
    let removed = store.retain(&Retention::default(), now).await;
    assert_eq!(removed.expect("removed").request_keys, 2);
    serving.stop().await;
    bench.end().await;
}

async fn reports_expired_rows(database: TestDatabase) {
    PROGRAM.migrate(&database).await;
    // Long before any retention period; SQLite stores the time as this text.
    let insert = if database.is_sqlite() {
        "INSERT INTO assessments (id, coping_strategies, diabetes_risk, stress_level, overall_level, create_time) \
         VALUES (x'00000000000000000000000000000007', '[]', 'Low Risk', 'Low Stress', 'Low', '2001-01-01T00:00:00+00:00')"
    } else {
        "INSERT INTO assessments (id, coping_strategies, diabetes_risk, stress_level, overall_level, create_time) \
         VALUES ('00000000-0000-0000-0000-000000000007', '[]', 'Low Risk', 'Low Stress', 'Low', '2001-01-01T00:00:00Z')"
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
    let said = run(&["retain", "--dry-run"]).await;
    assert!(said.contains("assessments: 1 expired\n"), "{said}");
    assert_eq!(database.scalar(ROWS).await, 1);
    let said = run(&["retain"]).await;
    assert!(said.contains("assessments: 1 removed\n"), "{said}");
    assert!(said.contains("request keys: 0 removed\n"), "{said}");
    assert_eq!(database.scalar(ROWS).await, 0);
    let refused = PROGRAM.refusal(&database.url, &["--assessment-retention-days", "0"]);
    let refused = refused.await;
    assert!(refused.contains("--assessment-retention-days"), "{refused}");
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
