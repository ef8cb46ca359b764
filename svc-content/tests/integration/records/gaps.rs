//! What live records lack.

use std::time::Instant;

use hospital_proto::content::v1::{ListRecordGapsRequest, RecordGap};
use serde_json::json;
use test_kit::database::TestDatabase;
use tonic::Code;

use super::desk::{DOCTOR, Desk, PATIENCE};
use crate::{blogs::on_both_databases, service::violated_fields};

on_both_databases!(lists_what_records_lack,);

async fn lists_what_records_lack(database: TestDatabase) {
    let mut desk = Desk::start(database).await;
    let gaps = async |desk: &mut Desk, page_size: i32| {
        let mut all = Vec::new();
        let mut page_token = String::new();
        loop {
            let request = desk.signed(ListRecordGapsRequest {
                page_size,
                page_token,
            });
            let page = desk.records.list_record_gaps(request).await;
            let page = page.expect("a page").into_inner();
            assert!(page.gaps.len() <= usize::try_from(page_size).expect("small").min(100));
            all.extend(page.gaps);
            page_token = page.next_page_token;
            if page_token.is_empty() {
                break all;
            }
        }
    };
    let all = gaps(&mut desk, 7).await;
    assert_eq!(all, gaps(&mut desk, 1000).await);
    let of_doctor = |all: &[RecordGap]| {
        let own = all.iter().filter(|gap| gap.record_id == DOCTOR);
        // How many texts are translated changes with the catalogues.
        let own = own.filter(|gap| gap.language.is_empty());
        own.map(|gap| (gap.kind.clone(), gap.field.clone(), gap.reason.clone()))
            .collect::<Vec<_>>()
    };
    let drawing = ["doctor", "image", "NO_PHOTOGRAPH"].map(str::to_owned);
    assert_eq!(of_doctor(&all), [drawing.into()]);

    // A draft doesn't count; what is archived lacks nothing.
    let topic = desk.get("first-aid", &first(&all, "first-aid")).await;
    let draft = desk.save(&topic, json!({"reviewed": "2100-01-01"})).await;
    assert_eq!(gaps(&mut desk, 100).await, all);
    desk.publish(&draft.expect("a draft"))
        .await
        .expect("published");
    let mut fewer = gaps(&mut desk, 100).await;
    let end = Instant::now() + PATIENCE;
    // A publication waits for visitors only for a while.
    while fewer.len() == all.len() && Instant::now() < end {
        fewer = gaps(&mut desk, 100).await;
    }
    assert_eq!(fewer.len(), all.len() - 1);

    let refused = desk
        .records
        .list_record_gaps(ListRecordGapsRequest::default());
    assert_eq!(
        refused.await.expect_err("unsigned").code(),
        Code::Unauthenticated
    );
    let request = desk.signed(ListRecordGapsRequest {
        page_token: "x".to_owned(),
        ..ListRecordGapsRequest::default()
    });
    let refused = desk.records.list_record_gaps(request).await;
    assert_eq!(
        violated_fields(&refused.expect_err("no token")),
        ["pageToken"]
    );
    desk.end().await;
}

fn first(gaps: &[RecordGap], kind: &str) -> String {
    let of_kind = gaps.iter().find(|gap| gap.kind == kind);
    of_kind.expect("a gap").record_id.clone()
}
