//! A process that is killed while it publishes.

use std::{cell::RefCell, future, time::Duration};

use hospital_proto::content::v1::{
    ListRecordVersionsRequest, RecordVersion, content_service_client::ContentServiceClient,
    record_service_client::RecordServiceClient,
};
use serde_json::json;
use svc_content::wire::records::to_body;
use test_kit::database::TestDatabase;
use tokio::{process::Command, time::timeout};

use super::desk::{DOCTOR, Desk, doctor, reason, until};
use crate::blogs::{Site, on_both_databases};

on_both_databases!(a_kill_in_the_middle_of_a_swap_loses_nothing,);

/// Moments of the kill after a publication: in the next save or check, and in its swap.
const MOMENTS_MS: [u64; 2] = [20, 150];

/// Versions and addresses of the publications that the service has confirmed.
type Confirmed = RefCell<Vec<(i32, String)>>;

async fn a_kill_in_the_middle_of_a_swap_loses_nothing(database: TestDatabase) {
    let mut desk = Desk::start(database).await;
    let seeded = desk.doctor(DOCTOR).await.expect("a doctor").slug;
    let confirmed = Confirmed::new(vec![(1, seeded)]);
    for moment in MOMENTS_MS {
        let before = confirmed.borrow().len();
        let id = desk.site.process.id();
        let killed = async {
            until("a publication", async || confirmed.borrow().len() > before).await;
            let moment = timeout(Duration::from_millis(moment), future::pending::<()>());
            assert!(moment.await.is_err());
            let sent = Command::new("kill").args(["-KILL", &id]).status().await;
            assert!(sent.expect("kill").success());
        };
        tokio::join!(publish_until_refused(&mut desk, &confirmed), killed);

        desk.site.process = Site::process(&desk.site.database, &desk.site.issuer).await;
        let url = desk.site.process.url();
        let client = ContentServiceClient::connect(url.clone()).await;
        desk.site.client = client.expect("a channel");
        let records = RecordServiceClient::connect(url).await;
        desk.records = records.expect("a channel");
        let known = confirmed.borrow().clone();
        reads_what_the_versions_say(&mut desk, &known).await;
    }
    desk.end().await;
}

/// Publishes a new address and text again and again, until the process is gone.
async fn publish_until_refused(desk: &mut Desk, confirmed: &Confirmed) {
    let mut record = desk.get("doctor", DOCTOR).await;
    loop {
        let slug = format!("dr-{}", record.version + 1);
        let change = json!({"slug": slug, "about": format!("As in {slug}.")});
        let Ok(draft) = desk.save(&record, change).await else {
            return;
        };
        let Ok(live) = desk.publish(&draft).await else {
            return;
        };
        confirmed.borrow_mut().push((live.live_version, slug));
        record = live;
    }
}

/// Checks that visitors read the live version, that it is none before the last confirmed one, and that every address
/// leads to it.
async fn reads_what_the_versions_say(desk: &mut Desk, confirmed: &[(i32, String)]) {
    let record = desk.get("doctor", DOCTOR).await;
    let (last, _) = confirmed.last().expect("a publication");
    assert!(
        record.live_version >= *last,
        "{} < {last}",
        record.live_version
    );
    let request = desk.signed(ListRecordVersionsRequest {
        kind: "doctor".to_owned(),
        record_id: DOCTOR.to_owned(),
        ..ListRecordVersionsRequest::default()
    });
    let versions = desk.records.list_record_versions(request).await;
    let versions: Vec<RecordVersion> = versions.expect("versions").into_inner().versions;
    let live = versions
        .into_iter()
        .find(|one| one.version == record.live_version);
    let body = live.expect("the live version").body.expect("a body");
    let body = to_body(body).expect("fields");
    let read = desk.doctor(DOCTOR).await.expect("a doctor");
    assert_eq!(
        (&json!(read.slug), &json!(read.about)),
        (&body["slug"], &body["about"])
    );
    for (_, slug) in confirmed {
        match doctor(&mut desk.site.client, slug).await {
            Ok(found) => assert_eq!(found.id, DOCTOR),
            Err(status) => {
                let location = reason(&status).1;
                assert_eq!(location, Some(format!("/doctor/{}", read.slug)), "{slug}");
            }
        }
    }
}
