//! Logs and spans contain nothing of a session, of a sign-in or of a page's data.

use std::{
    io::{self, Write},
    sync::Arc,
};

use axum::http::StatusCode;
use parking_lot::Mutex;
use tracing_subscriber::{filter::LevelFilter, fmt::format::FmtSpan};

use crate::staff_site::{StaffSite, claims, shown};

/// All log lines and spans, at the most verbose level.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Write for Written {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.0.lock().extend_from_slice(text);
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn logs_and_spans_contain_no_session_and_no_data() {
    let written = Written::default();
    let writer = written.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(LevelFilter::TRACE)
        .with_span_events(FmtSpan::FULL)
        .with_writer(move || writer.clone())
        .finish();
    // The gateway runs on this thread, so it writes here.
    let _here = tracing::subscriber::set_default(subscriber);
    // With a single dispatcher, a callsite first hit by another test's thread would be disabled for all threads.
    let _second = tracing::Dispatch::new(tracing_subscriber::registry());
    let site = StaffSite::start().await;
    let (pending, query) = site.begin("/staff/today?q=zebrafinch").await;
    let session = site.sign_in("Asha Rao", &["frontdesk"]).await;
    let page = site.get_as(&session, "/staff/today?q=zebrafinch").await;
    assert_eq!(page.status, StatusCode::OK);
    let authorization = shown(&page)["data"]["caller"]["body"]["metadata"]["authorization"].clone();
    assert_eq!(claims(&authorization)["sub"], "asha.rao");
    assert_eq!(
        site.get_as(&session, "/staff/records/patient-7")
            .await
            .status,
        StatusCode::OK
    );
    let broken = site.get_as(&session, "/staff/broken").await;
    assert_eq!(broken.status, StatusCode::INTERNAL_SERVER_ERROR);
    let sent = site.post_as(&session, "/staff/note", "name=ocelot").await;
    assert_eq!(sent.status, StatusCode::OK);
    let forged = format!("/staff/callback?{query}x");
    site.get_with(&forged, &[("cookie", &pending)]).await;
    site.upstream.stop().await;
    site.get_as(&session, "/staff/today?q=zebrafinch").await;
    site.post_as(&session, "/staff/sign-out", "").await;

    let text = String::from_utf8(written.0.lock().clone()).expect("UTF-8");
    for expected in [
        r#""/staff/today""#,
        "/staff/records/{id}",
        "page module failed",
        "a sign-in failed",
    ] {
        assert!(text.contains(expected), "no {expected}");
    }
    let value = |pair: &str| pair.split_once('=').expect("a pair").1.to_owned();
    let (code, state) = query.split_once('&').expect("two parameters");
    let token = authorization
        .as_str()
        .expect("a text")
        .replace("Bearer ", "");
    let private = [
        value(&session),
        value(&pending),
        value(code),
        value(state),
        token,
        "asha.rao".to_owned(),
        "Asha".to_owned(),
        "zebrafinch".to_owned(),
        "patient-7".to_owned(),
        "ocelot".to_owned(),
    ];
    for line in text.lines() {
        for private in &private {
            assert!(!line.contains(private), "{private}: {line}");
        }
    }
}
