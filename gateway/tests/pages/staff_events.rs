//! Live lists of the staff area: the stream of changes of what a person's pages show.

use std::{
    fs,
    time::{Duration, Instant},
};

use axum::{
    body::Body,
    http::{Method, StatusCode},
};
use http_body_util::BodyExt as _;
use tempfile::TempDir;

use crate::{
    site::Site,
    staff_site::{FROM_HERE, StaffSite, is_private, remotes_with_staff},
};

/// Time limit of every expected event.
const PATIENCE: Duration = Duration::from_secs(20);
/// Longer than the time between two events: a heartbeat means that no event is held back.
const HEARTBEAT: &str = "--stream-heartbeat-ms=1500";
const EVENTS: &str = "/staff/events";

/// An open stream.
struct Stream {
    body: Body,
    received: String,
    /// Id of the last message that had one.
    id: String,
}

impl Stream {
    async fn open(site: &StaffSite, cookie: &str, more: &[(&str, &str)], path: &str) -> Self {
        let headers = [&[("cookie", cookie)], more].concat();
        let response = site.open(path, &headers).await;
        assert_eq!(response.status(), StatusCode::OK);
        let mut stream = Self {
            body: response.into_body(),
            received: String::new(),
            id: String::new(),
        };
        let first = stream.next().await.expect("a first message");
        assert!(first.contains("retry: "), "{first}");
        stream
    }

    /// Returns the next message, without the empty line that ends it; `None` at the end.
    async fn next(&mut self) -> Option<String> {
        loop {
            if let Some((message, rest)) = self.received.split_once("\n\n") {
                let (message, rest) = (message.to_owned(), rest.to_owned());
                self.received = rest;
                let id = message.lines().find_map(|line| line.strip_prefix("id: "));
                self.id = id.map_or_else(|| self.id.clone(), str::to_owned);
                return Some(message);
            }
            let frame = tokio::time::timeout(PATIENCE, self.body.frame()).await;
            let frame = frame.expect("silence")?.expect("no error");
            let data = frame.into_data().expect("data");
            self.received
                .push_str(std::str::from_utf8(&data).expect("UTF-8"));
        }
    }

    /// Returns the data of the next event. Panics at a heartbeat.
    async fn event(&mut self) -> String {
        let message = self.next().await.expect("an open stream");
        let (_, rest) = message.split_once("event: change\n").expect("an event");
        rest.strip_prefix("data: ").expect("data").to_owned()
    }

    /// Waits for a heartbeat: nothing has changed for a while.
    async fn heartbeat(&mut self) {
        while self.next().await.expect("an open stream") != ":" {}
    }

    /// Asserts that the stream ends with the pause before a new connection.
    async fn ends(&mut self) {
        let mut last = String::new();
        while let Some(message) = self.next().await {
            last = message;
        }
        assert!(last.starts_with("retry: "), "{last}");
    }
}

/// Starts a site that follows the changes of its upstream.
async fn following(more: &[&str]) -> StaffSite {
    following_in(remotes_with_staff(), more).await
}

async fn following_in(folder: TempDir, more: &[&str]) -> StaffSite {
    let site = StaffSite::start_in(folder, &[&[HEARTBEAT], more].concat()).await;
    let started = Instant::now();
    while site.upstream.announcer.streams() < 1 {
        assert!(started.elapsed() < PATIENCE, "changes are not followed");
        tokio::task::yield_now().await;
    }
    site
}

#[tokio::test(flavor = "multi_thread")]
async fn streams_need_a_session_and_a_page_of_this_site() {
    let site = StaffSite::start().await;
    let unsigned = site.get(EVENTS).await;
    assert_eq!(unsigned.status, StatusCode::UNAUTHORIZED);
    assert_eq!(unsigned.header("content-type"), "application/problem+json");
    assert!(unsigned.text().contains("SIGN_IN_REQUIRED"));
    assert!(is_private(&unsigned), "{:?}", unsigned.headers);
    let session = site.sign_in("Asha Rao", &["frontdesk"]).await;
    for from in ["cross-site", "same-site"] {
        let headers = [("cookie", &*session), ("sec-fetch-site", from)];
        let foreign = site.get_with(EVENTS, &headers).await;
        assert_eq!(foreign.status, StatusCode::FORBIDDEN, "{from}");
    }
    for method in [Method::POST, Method::HEAD, Method::PUT] {
        let headers = [("cookie", &*session), FROM_HERE];
        let reply = site.send(method.clone(), EVENTS, &headers, "").await;
        assert_eq!(reply.status, StatusCode::METHOD_NOT_ALLOWED, "{method}");
    }
    let without_issuer = Site::start_in(remotes_with_staff(), &[]).await;
    let absent = without_issuer.get(EVENTS).await;
    assert_eq!(absent.status, StatusCode::NOT_FOUND);
}

#[tokio::test(flavor = "multi_thread")]
async fn stream_is_neither_stored_nor_buffered_nor_compressed() {
    let site = following(&[]).await;
    let session = site.sign_in("Asha Rao", &["frontdesk"]).await;
    let headers = [
        ("cookie", &*session),
        ("accept", "text/event-stream"),
        ("accept-encoding", "br, gzip"),
        ("sec-fetch-site", "same-origin"),
    ];
    let response = site.open(EVENTS, &headers).await;
    let of = |name: &str| {
        let value = response.headers().get(name);
        value.map_or("", |value| value.to_str().expect("ASCII"))
    };
    assert_eq!(of("content-type"), "text/event-stream");
    assert_eq!(of("cache-control"), "no-store");
    assert_eq!(of("x-accel-buffering"), "no");
    assert_eq!((of("content-encoding"), of("set-cookie")), ("", ""));
    assert!(site.counted("staff_event_streams").await >= Some(1));
}

#[tokio::test(flavor = "multi_thread")]
async fn event_names_the_lists_that_the_person_sees() {
    let site = following(&[]).await;
    let reader = site.sign_in("Asha Rao", &["reader"]).await;
    let other = site.sign_in("Ravi Iyer", &["unknown"]).await;
    let mut of_reader = Stream::open(&site, &reader, &[], EVENTS).await;
    let mut of_other = Stream::open(&site, &other, &[], EVENTS).await;
    for (path, name) in [
        ("/entries", "entries"),
        ("/entries/7", "entries"),
        ("/caller?a=1", "caller"),
    ] {
        of_reader.heartbeat().await;
        site.upstream.announcer.announce("2", &[path]);
        assert_eq!(of_reader.event().await, name, "{path}");
    }
    // No page shows these.
    of_reader.heartbeat().await;
    let announcer = &site.upstream.announcer;
    announcer.announce("3", &["/health-check", "/nothing", "/callers"]);
    assert_eq!(of_reader.next().await.as_deref(), Some(":"));
    for _ in 0..4 {
        assert_eq!(of_other.next().await.as_deref(), Some(":"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn event_needs_the_scope_of_the_contract_too() {
    let folder = remotes_with_staff();
    let file = folder.path().join("rota/1.0.0/module.json");
    let declared = fs::read_to_string(&file).expect("a fixture");
    let (from, to) = (
        r#""module": "./broken","#,
        r#""module": "./broken", "data": { "caller": "/caller", "entries": "/entries" },"#,
    );
    assert!(declared.contains(from), "{declared}");
    fs::write(&file, declared.replace(from, to)).expect("writable");
    let site = following_in(folder, &[]).await;
    // The page needs no scope, `/entries` is public, and `/caller` needs `entries:read`.
    let session = site.sign_in("Ravi Iyer", &["unknown"]).await;
    let mut stream = Stream::open(&site, &session, &[], EVENTS).await;
    stream.heartbeat().await;
    site.upstream.announcer.announce("2", &["/caller"]);
    assert_eq!(stream.next().await.as_deref(), Some(":"));
    site.upstream
        .announcer
        .announce("3", &["/caller", "/entries"]);
    assert_eq!(stream.event().await, "entries");
}

#[tokio::test(flavor = "multi_thread")]
async fn many_changes_are_one_event_a_second() {
    let site = following(&[]).await;
    let session = site.sign_in("Asha Rao", &["reader"]).await;
    let mut stream = Stream::open(&site, &session, &[], EVENTS).await;
    stream.heartbeat().await;
    let first = Instant::now();
    for revision in 2..30 {
        let revision = format!("{revision}");
        let paths = ["/entries", "/caller"];
        site.upstream.announcer.announce(&revision, &paths);
    }
    let mut events = 0;
    while let Some(message) = stream.next().await.filter(|message| message != ":") {
        assert!(message.contains("event: change"), "{message}");
        events += 1;
    }
    let seconds = first.elapsed().as_secs();
    assert!(
        (1..=1 + seconds).contains(&events),
        "{events} in {seconds} s"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn returning_browser_gets_one_event_for_what_it_missed() {
    let site = following(&[]).await;
    let session = site.sign_in("Asha Rao", &["reader"]).await;
    let mut stream = Stream::open(&site, &session, &[], EVENTS).await;
    stream.heartbeat().await;
    site.upstream.announcer.announce("2", &["/entries"]);
    assert_eq!(stream.event().await, "entries");
    stream.heartbeat().await;
    let page = site.get_as(&session, "/staff/today").await;
    let since = attribute(page.text(), "since");
    let last = since.clone();
    drop(stream);
    let returns = |last: String| {
        let (site, session) = (&site, &session);
        async move { Stream::open(site, session, &[("last-event-id", &last)], EVENTS).await }
    };
    let mut unchanged = returns(last.clone()).await;
    assert_eq!(unchanged.next().await.as_deref(), Some(":"));
    for revision in ["3", "4", "5"] {
        site.upstream.announcer.announce(revision, &["/caller"]);
    }
    assert_eq!(unchanged.event().await, "caller");
    unchanged.heartbeat().await;
    let mut returned = returns(last).await;
    assert_eq!(returned.event().await, "caller");
    assert_eq!(returned.next().await.as_deref(), Some(":"));
    // A document that was read before the change.
    let path = format!("{EVENTS}?since={since}");
    let mut first = Stream::open(&site, &session, &[], &path).await;
    assert_eq!(first.event().await, "caller");
    // The event's id precedes that of the address, which stays the same when a browser connects again.
    let headers = [("last-event-id", &*first.id)];
    let mut again = Stream::open(&site, &session, &headers, &path).await;
    assert_eq!(again.next().await.as_deref(), Some(":"));
    for unknown in ["", "x", "0-1", "0000000000000000-0"] {
        let mut of_other_process = returns(unknown.to_owned()).await;
        assert_eq!(
            of_other_process.event().await,
            "caller entries",
            "{unknown}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn streams_are_limited_per_person_and_in_all() {
    let site = following(&["--person-streams-max=2", "--staff-streams-max=3"]).await;
    let asha = site.sign_in("Asha Rao", &["reader"]).await;
    let ravi = site.sign_in("Ravi Iyer", &["reader"]).await;
    let first = Stream::open(&site, &asha, &[], EVENTS).await;
    let _second = Stream::open(&site, &asha, &[], EVENTS).await;
    let refused = site.get_as(&asha, EVENTS).await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(refused.header("content-type"), "application/problem+json");
    assert!(!refused.header("retry-after").is_empty());
    let _third = Stream::open(&site, &ravi, &[], EVENTS).await;
    let refused = site.get_as(&ravi, EVENTS).await;
    assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(!refused.header("retry-after").is_empty());
    drop(first);
    let started = Instant::now();
    while site.open(EVENTS, &[("cookie", &ravi)]).await.status() != StatusCode::OK {
        assert!(started.elapsed() < PATIENCE, "the place stays taken");
        tokio::task::yield_now().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn stream_ends_with_its_session() {
    let site = following(&[]).await;
    let asha = site.sign_in("Asha Rao", &["reader"]).await;
    let ravi = site.sign_in("Ravi Iyer", &["reader"]).await;
    let mut of_asha = Stream::open(&site, &asha, &[], EVENTS).await;
    let mut of_ravi = Stream::open(&site, &ravi, &[], EVENTS).await;
    let out = site.post_as(&asha, "/staff/sign-out", "").await;
    assert_eq!(out.status, StatusCode::OK);
    of_asha.ends().await;
    of_ravi.heartbeat().await;
    assert_eq!(
        site.get_as(&asha, EVENTS).await.status,
        StatusCode::UNAUTHORIZED
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn streams_end_at_once_when_the_gateway_stops() {
    let mut site = following(&[]).await;
    let session = site.sign_in("Asha Rao", &["reader"]).await;
    let mut streams = Vec::new();
    for _ in 0..5 {
        streams.push(Stream::open(&site, &session, &[], EVENTS).await);
    }
    site.stopping.cancel();
    for stream in &mut streams {
        stream.ends().await;
    }
    site.finished().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn documents_name_their_lists_to_the_script_of_the_staff_area() {
    let site = StaffSite::start().await;
    let session = site.sign_in("Asha Rao", &["frontdesk"]).await;
    let today = site.get_as(&session, "/staff/today").await;
    assert_eq!(attribute(today.text(), "lists"), "caller entries");
    let script = "document.body.dataset.desk";
    assert!(today.text().contains(script), "{}", today.text());
    let without_lists = site.get_as(&session, "/staff").await;
    assert!(!without_lists.text().contains("data-since"));
    assert!(without_lists.text().contains(script));
    let public = site.get_as(&session, "/rota").await;
    assert!(!public.text().contains("data-since") && !public.text().contains(script));
}

#[tokio::test(flavor = "multi_thread")]
async fn request_of_a_script_never_leads_to_the_sign_in() {
    let site = StaffSite::start().await;
    let headers = [("x-background", "1")];
    let reply = site.get_with("/staff/today", &headers).await;
    assert_eq!(reply.status, StatusCode::UNAUTHORIZED);
    assert!(is_private(&reply), "{:?}", reply.headers);
    let session = site.sign_in("Asha Rao", &["frontdesk"]).await;
    let headers = [("x-background", "1"), ("cookie", &*session)];
    let reply = site.get_with("/staff/today", &headers).await;
    assert_eq!(reply.status, StatusCode::OK);
}

/// Returns a data attribute of the body.
fn attribute(html: &str, name: &str) -> String {
    let start = format!(" data-{name}=\"");
    let (_, rest) = html.split_once(&start).expect("the attribute");
    rest.split('"').next().expect("a value").to_owned()
}
