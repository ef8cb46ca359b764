//! Announced changes of the staff's lists.

use hospital_proto::{
    hospital::api::v1::WatchChangesRequest,
    messaging::v1::{GetMessageRequest, MessageStatus, SetMessageStatusRequest},
};
use test_kit::on_both_databases;

use crate::{
    Bench,
    serving::{Serving, enquiry},
};

on_both_databases!(test_kit::bench::empty:
    a_change_names_the_lists_and_no_message,
);

async fn a_change_names_the_lists_and_no_message(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let stream = serving
        .changes()
        .watch_changes(WatchChangesRequest {})
        .await;
    let mut stream = stream.expect("a stream").into_inner();
    let mut next = async || stream.message().await.expect("no error").expect("a change");
    let first = next().await;
    assert!(first.paths.is_empty());
    let created = serving.create(enquiry(1), None).await.expect("kept");
    let change = next().await;
    assert_ne!(change.revision, first.revision);
    assert_eq!(change.paths, ["/messages", "/deliveries"]);
    let message_id = created.message.expect("a message").id;
    let read = GetMessageRequest {
        message_id: message_id.clone(),
    };
    let read = serving.staff("messages:read", read);
    let found = serving.inbox().get_message(read).await.expect("found");
    let taken = SetMessageStatusRequest {
        message_id,
        status: MessageStatus::Taken.into(),
        etag: found.into_inner().message.expect("a message").etag,
        taken_by_name: "Asha Rao".to_owned(),
    };
    let taken = serving.staff("messages:write", taken);
    let set = serving.inbox().set_message_status(taken).await;
    set.expect("taken");
    // The read has announced nothing.
    assert_eq!(next().await.paths, ["/messages", "/deliveries"]);
    serving.create(enquiry(2), None).await.expect("kept");
    let last = next().await;
    serving.create(enquiry(3), None).await.expect("kept");
    assert_ne!(next().await.revision, last.revision);
    bench.end().await;
}
