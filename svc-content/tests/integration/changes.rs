//! The change stream, from the process that receives a write and from another process on the same database.

use std::time::Duration;

use hospital_proto::{
    content::v1::SearchRequest,
    hospital::api::v1::{
        WatchChangesRequest, WatchChangesResponse, change_service_client::ChangeServiceClient,
    },
};
use test_kit::{
    database::TestDatabase,
    process::{PATIENCE, Process},
};
use tonic::Streaming;

use crate::{
    blogs::{Site, on_both_databases, titled},
    service::client,
};

/// A changed post must be visible within a second. The test waits longer only to report the actual delay.
const PROMISED: Duration = Duration::from_secs(1);

on_both_databases!(every_process_announces_every_write,);

async fn watch(process: &Process) -> Streaming<WatchChangesResponse> {
    let mut client = ChangeServiceClient::connect(process.url())
        .await
        .expect("a channel");
    let stream = client.watch_changes(WatchChangesRequest {}).await;
    stream.expect("a stream").into_inner()
}

async fn next(stream: &mut Streaming<WatchChangesResponse>) -> WatchChangesResponse {
    let message = tokio::time::timeout(PATIENCE, stream.message()).await;
    message
        .expect("in time")
        .expect("a message")
        .expect("not the end")
}

async fn every_process_announces_every_write(database: TestDatabase) {
    let mut site = Site::start(database).await;
    let other = Site::process(&site.database, &site.issuer).await;
    let mut here = watch(&site.process).await;
    let mut there = watch(&other).await;
    let (first, same) = (next(&mut here).await, next(&mut there).await);
    assert_eq!(first, same);
    assert!(first.paths.is_empty() && !first.revision.is_empty());

    let started = tokio::time::Instant::now();
    let created = site
        .create("0123456789abcdef", titled("Quokkas"))
        .await
        .expect("a post");
    let paths = |names: &[&str]| {
        let mut paths: Vec<_> = names.iter().map(|name| format!("/blogs/{name}")).collect();
        paths.extend(["/blogs".to_owned(), "/search".to_owned()]);
        paths.sort();
        paths
    };
    for stream in [&mut here, &mut there] {
        let change = next(stream).await;
        assert_eq!(change.paths, paths(&[&created.id, "quokkas"]));
        assert_ne!(change.revision, first.revision);
    }
    let took = started.elapsed();
    assert!(took <= PROMISED * 5, "the others knew after {took:?}");
    let mut elsewhere = client(&other).await;
    let request = SearchRequest {
        q: "quokka".to_owned(),
        ..SearchRequest::default()
    };
    let found = elsewhere
        .search(request)
        .await
        .expect("results")
        .into_inner();
    assert_eq!(found.results[0].path, "/blogs/quokkas");

    let updated = site
        .update(&created.id, "", titled("Wombats"))
        .await
        .expect("a post");
    for stream in [&mut here, &mut there] {
        assert_eq!(
            next(stream).await.paths,
            paths(&[&created.id, "quokkas", "wombats"])
        );
    }
    site.delete(&updated.id, "").await.expect("it goes");
    let last = next(&mut here).await;
    assert_eq!(last.paths, paths(&[&created.id, "wombats"]));
    assert_eq!(next(&mut there).await, last);

    // A late watcher gets the same current revision. Open watchers must not delay the shutdown.
    let mut late = watch(&site.process).await;
    assert_eq!(next(&mut late).await.revision, last.revision);
    drop(elsewhere);
    other.stop().await;
    assert!(there.message().await.is_ok_and(|message| message.is_none()));
    site.end().await;
    assert!(late.message().await.is_ok_and(|message| message.is_none()));
}
