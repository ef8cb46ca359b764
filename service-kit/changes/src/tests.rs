//! The change stream of an announcer.

use tonic::Code;

use super::*;

const EVERYTHING: &[&str] = &["/lists", "/entries"];

fn rpcs() -> (Arc<Announcer>, ChangeRpcs<Announcer>, watch::Sender<bool>) {
    let source = Arc::new(Announcer::new(Uuid::from_u128(7), EVERYTHING));
    let (stop, stopping) = watch::channel(false);
    let rpcs = ChangeRpcs {
        source: Arc::clone(&source),
        places: Arc::new(Semaphore::new(WATCHERS_MAX)),
        stopping,
    };
    (source, rpcs, stop)
}

type Changes = Pin<Box<dyn Stream<Item = Result<WatchChangesResponse, Status>> + Send>>;

async fn watch(rpcs: &ChangeRpcs<Announcer>) -> Result<Changes, Status> {
    let stream = rpcs.watch_changes(Request::new(WatchChangesRequest {}));
    stream.await.map(Response::into_inner)
}

async fn next(stream: &mut Changes) -> WatchChangesResponse {
    stream.next().await.expect("a message").expect("a change")
}

#[tokio::test]
async fn every_watcher_gets_every_change_from_its_start_on() {
    let (source, rpcs, _stop) = rpcs();
    source.publish(["/before"]);
    let mut one = watch(&rpcs).await.expect("a stream");
    let mut other = watch(&rpcs).await.expect("a stream");
    let first = next(&mut one).await;
    assert!(first.paths.is_empty() && first.revision.ends_with("-1"));
    assert_eq!(next(&mut other).await, first);
    source.publish(["/lists".to_owned(), "/lists/7".to_owned()]);
    source.publish(["/entries"]);
    for stream in [&mut one, &mut other] {
        let change = next(stream).await;
        assert_eq!(change.paths, ["/lists", "/lists/7"]);
        assert!(change.revision.ends_with("-2"));
        assert_eq!(next(stream).await.paths, ["/entries"]);
    }
    let mut late = watch(&rpcs).await.expect("a stream");
    assert!(next(&mut late).await.revision.ends_with("-3"));
}

#[tokio::test]
async fn a_slow_watcher_gets_one_change_of_everything() {
    let (source, rpcs, _stop) = rpcs();
    let mut stream = watch(&rpcs).await.expect("a stream");
    next(&mut stream).await;
    for number in 0..1_000 {
        source.publish([format!("/entries/{number}")]);
    }
    let change = next(&mut stream).await;
    assert_eq!(change, source.everything());
    assert_eq!(change.paths, EVERYTHING);
    let later = next(&mut stream).await;
    assert_eq!(later.paths, [format!("/entries/{}", 1_000 - BEHIND_MAX)]);
}

#[tokio::test]
async fn watchers_are_limited_and_free_their_place() {
    let (_source, rpcs, _stop) = rpcs();
    let mut streams = Vec::new();
    for _ in 0..WATCHERS_MAX {
        streams.push(watch(&rpcs).await.expect("a stream"));
    }
    let refused = watch(&rpcs).await.err().expect("refused");
    assert_eq!(refused.code(), Code::ResourceExhausted);
    streams.pop();
    assert!(watch(&rpcs).await.is_ok());
}

#[tokio::test]
async fn streams_end_when_the_process_stops() {
    let (source, rpcs, stop) = rpcs();
    let mut stream = watch(&rpcs).await.expect("a stream");
    next(&mut stream).await;
    stop.send_replace(true);
    assert!(stream.next().await.is_none());
    source.publish(["/lists"]);
    let mut late = watch(&rpcs).await.expect("a stream");
    next(&mut late).await;
    assert!(late.next().await.is_none());
}
