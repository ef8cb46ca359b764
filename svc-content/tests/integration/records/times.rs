//! Times of publication.

use std::time::Duration;

use serde_json::json;
use test_kit::database::TestDatabase;
use tonic::Code;

use super::desk::{DOCTOR, Desk, new_doctor};
use crate::{blogs::on_both_databases, service::violated_fields};

on_both_databases!(cancels_each_time_alone,);

async fn cancels_each_time_alone(database: TestDatabase) {
    const DAY: Duration = Duration::from_hours(24);
    let mut desk = Desk::start(database).await;
    let live = desk.get("doctor", DOCTOR).await;
    let draft = desk.save(&live, json!({"about": "Later."})).await;
    let planned = desk
        .publish_at(&draft.expect("a draft"), Some(DAY), Some(2 * DAY))
        .await
        .expect("planned");
    let refused = desk.unschedule(&planned, false, false).await;
    assert_eq!(violated_fields(&refused.expect_err("nothing")), ["publish"]);
    let refused = desk.unschedule(&live, true, false).await;
    assert_eq!(refused.expect_err("stale").code(), Code::Aborted);

    let kept = desk.unschedule(&planned, true, false).await.expect("done");
    assert_eq!((kept.publish_version, kept.publish_time), (0, None));
    assert_eq!(kept.unpublish_time, planned.unpublish_time);
    assert_ne!(kept.etag, planned.etag);
    // What is not planned needs no cancellation.
    let same = desk.unschedule(&kept, true, false).await.expect("the same");
    assert_eq!(same.etag, kept.etag);
    let none = desk.unschedule(&kept, false, true).await.expect("done");
    assert_eq!((none.unpublish_time, none.state.as_str()), (None, "live"));

    let other = desk
        .publish_at(&none, Some(DAY), Some(2 * DAY))
        .await
        .expect("planned");
    let kept = desk.unschedule(&other, false, true).await.expect("done");
    assert_eq!(
        (kept.publish_version, kept.publish_time),
        (2, other.publish_time)
    );
    assert_eq!(kept.unpublish_time, None);

    // A draft that is not to be published can't leave the site.
    let (made, _) = desk
        .create("0123456789abcdef-1", "doctor", new_doctor("skin-1"))
        .await
        .expect("made");
    let planned = desk.publish_at(&made, Some(DAY), Some(2 * DAY)).await;
    let none = desk
        .unschedule(&planned.expect("planned"), true, false)
        .await;
    let none = none.expect("done");
    assert_eq!((none.publish_time, none.unpublish_time), (None, None));
    assert_eq!(none.state, "draft");
    desk.end().await;
}
