//! Browser reports: which rollbacks they cause, and what strangers cannot do with them.

use std::time::Duration;

use axum::http::{Method, StatusCode};
use futures::future::join_all;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{
    isolation::{is, point, report_of},
    site::{Site, copy, publish, remotes},
};

const PROXY: &str = "--trusted-hops=1";
/// More than two polls of the watcher.
const LOOKS: Duration = Duration::from_millis(2_500);
const DAY_S: i64 = 24 * 3_600;

/// Publishes `clinic` as `version`, with 1.0.0 to roll back to; `published` is the time of publication.
fn published(version: &str, published: Option<i64>) -> TempDir {
    let folder = remotes();
    publish(
        folder.path(),
        version,
        "server.js",
        "'1.0.0'",
        &format!("'{version}'"),
    );
    let mut entry = json!({"stable": version, "previous": "1.0.0"});
    if let Some(published) = published {
        entry["published"] = json!({version: published});
    }
    point(folder.path(), &entry);
    folder
}

/// Returns the token of a `clinic` document sent to this address.
async fn token(site: &Site, address: &str) -> String {
    let document = site
        .get_with("/book", &[("x-forwarded-for", address)])
        .await;
    assert_eq!(document.status, StatusCode::OK);
    document.token()
}

/// Reports a failure from this address; returns the status of the response.
async fn report(site: &Site, address: &str, version: &str, token: &str) -> StatusCode {
    let failure = json!({"team": "clinic", "version": version, "module": "book", "kind": "load"});
    let body = json!({"failures": [failure], "token": token});
    let headers = [
        ("content-type", "application/json"),
        ("x-requested-with", "test"),
        ("x-forwarded-for", address),
    ];
    let body = body.to_string();
    let reply = site.send(Method::POST, "/telemetry", &headers, &body);
    reply.await.status
}

async fn stable(site: &Site) -> Value {
    tokio::time::sleep(LOOKS).await;
    site.remotes().await["remotes"]["clinic"]["stable"].clone()
}

fn networks(version: &str) -> String {
    format!(r#"remote_reporting_networks_total{{team="clinic",version="{version}"}}"#)
}

fn failures(version: &str) -> String {
    format!(
        r#"browser_module_failures_total{{team="clinic",version="{version}",module="book",kind="load"}}"#
    )
}

/// Returns addresses in `count` different networks.
fn addresses(count: u8) -> impl Iterator<Item = String> {
    (0..count).map(|n| format!("198.51.{n}.7"))
}

#[tokio::test(flavor = "multi_thread")]
async fn browser_failures_of_ten_networks_roll_back_a_version() {
    let site = Site::start_in(published("1.1.0", None), &[PROXY]).await;
    for address in addresses(9) {
        let token = token(&site, &address).await;
        // Repeated reports of one visitor's broken browser count once.
        for _ in 0..3 {
            let status = report(&site, &address, "1.1.0", &token).await;
            assert_eq!(status, StatusCode::ACCEPTED);
        }
    }
    assert_eq!(stable(&site).await, "1.1.0");
    let last = "2001:db8:9::7";
    let token = token(&site, last).await;
    assert_eq!(
        report(&site, last, "1.1.0", &token).await,
        StatusCode::ACCEPTED
    );
    let report = report_of(&site, "back", is("clinic", "1.0.0")).await;
    assert_eq!(report["clinic"]["refused"][0]["reason"], "rolled_back");
}

#[tokio::test(flavor = "multi_thread")]
async fn x3_anonymous_reports_of_one_network_roll_back_nothing() {
    let site = Site::start_in(published("1.1.1", None), &[PROXY]).await;
    let of_one = |last: u8| format!("203.0.113.{last}");
    // Eleven addresses of one /24 that fetched no page.
    for last in 1..=11 {
        for token in ["", "x", &"A".repeat(120)] {
            let status = report(&site, &of_one(last), "1.1.1", token).await;
            assert_eq!(status, StatusCode::FORBIDDEN);
        }
    }
    assert_eq!(site.counted(&failures("1.1.1")).await, None);
    assert_eq!(site.counted(&networks("1.1.1")).await, Some(0));
    // The same addresses after fetching a page: they count as one network.
    for last in 1..=11 {
        let token = token(&site, &of_one(last)).await;
        let status = report(&site, &of_one(last), "1.1.1", &token).await;
        assert_eq!(status, StatusCode::ACCEPTED);
    }
    assert_eq!(site.counted(&networks("1.1.1")).await, Some(1));
    // All addresses of a /48 count as one network, too.
    for subnet in 0..16 {
        let address = format!("2001:db8:1:{subnet:x}::1");
        let token = token(&site, &address).await;
        let status = report(&site, &address, "1.1.1", &token).await;
        assert_eq!(status, StatusCode::ACCEPTED);
    }
    assert_eq!(site.counted(&networks("1.1.1")).await, Some(2));
    assert_eq!(stable(&site).await, "1.1.1");
}

#[tokio::test(flavor = "multi_thread")]
async fn x3_accepts_a_token_for_one_report_of_one_network_about_its_versions() {
    let site = Site::start_in(published("1.1.2", None), &[PROXY]).await;
    let home = "192.0.2.7";
    let one = token(&site, home).await;
    // Ten networks use the token of one document.
    for address in addresses(10) {
        let status = report(&site, &address, "1.1.2", &one).await;
        assert_eq!(status, StatusCode::FORBIDDEN, "{address}");
    }
    // A page of another team contains no module of `clinic`.
    let other = site.get_with("/entry", &[("x-forwarded-for", home)]).await;
    let status = report(&site, home, "1.1.2", &other.token()).await;
    assert_eq!(status, StatusCode::FORBIDDEN);
    // A version that is served but not live cannot be reported.
    let status = report(&site, home, "1.0.0", &one).await;
    assert_eq!(status, StatusCode::FORBIDDEN);
    for _ in 0..20 {
        let status = report(&site, home, "1.1.2", &one).await;
        assert_eq!(status, StatusCode::ACCEPTED);
    }
    assert_eq!(site.counted(&failures("1.1.2")).await, Some(1));
    // Each response has a token of its own, even a 304.
    let first = site.get_with("/book", &[("x-forwarded-for", home)]).await;
    let known = [
        ("x-forwarded-for", home),
        ("if-none-match", first.header("etag")),
    ];
    let again = site.get_with("/book", &known).await;
    assert_eq!(again.status, StatusCode::NOT_MODIFIED);
    assert_ne!(again.token(), first.token());
    let status = report(&site, home, "1.1.2", &again.token()).await;
    assert_eq!(status, StatusCode::ACCEPTED);
    assert_eq!(site.counted(&failures("1.1.2")).await, Some(2));
    assert_eq!(stable(&site).await, "1.1.2");
}

#[tokio::test(flavor = "multi_thread")]
async fn g4_anonymous_reports_trigger_no_alert() {
    let site = Site::start_in(published("1.1.3", None), &[PROXY]).await;
    let one = "203.0.113.9";
    for _ in 0..50 {
        let token = token(&site, one).await;
        let status = report(&site, one, "1.1.3", &token).await;
        assert_eq!(status, StatusCode::ACCEPTED);
    }
    assert_eq!(site.counted(&failures("1.1.3")).await, Some(50));
    // The alert counts networks, each at most once a minute.
    assert_eq!(site.counted(&networks("1.1.3")).await, Some(1));
}

/// Starts another gateway on a copy of this one's folder.
async fn restarted(site: &Site) -> Site {
    let kept = tempfile::tempdir().unwrap();
    copy(site.folder.path(), kept.path());
    Site::start_in(kept, &[PROXY]).await
}

async fn all_report(site: &Site, version: &str) {
    let reports = addresses(12).map(|address| async move {
        let token = token(site, &address).await;
        let status = report(site, &address, version, &token).await;
        assert_eq!(status, StatusCode::ACCEPTED);
    });
    join_all(reports).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn g3_rollback_survives_a_restart() {
    let site = Site::start_in(published("1.1.4", None), &[PROXY]).await;
    all_report(&site, "1.1.4").await;
    report_of(&site, "back", is("clinic", "1.0.0")).await;
    tokio::time::sleep(LOOKS).await;
    let again = restarted(&site).await;
    let report = report_of(&again, "still back", is("clinic", "1.0.0")).await;
    let refused = &report["clinic"]["refused"][0];
    assert_eq!(refused["reason"], "rolled_back", "{report}");
    let detail = refused["detail"].as_str().unwrap();
    assert!(detail.contains("12 networks"), "{detail}");
    assert!(again.get("/list").await.text().contains("List 1.0.0"));
    // Publishing the version again gives it another chance.
    let entry = json!({"stable": "1.1.4", "previous": "1.0.0", "moves": 1});
    point(again.folder.path(), &entry);
    report_of(&again, "taken again", is("clinic", "1.1.4")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn g3_a_restart_puts_no_trusted_version_on_trial() {
    use service_kit::source::{Clock as _, SystemClock};
    let now = SystemClock.now().timestamp();
    // A gateway that has never seen this version and thus has no record of it.
    let site = Site::start_in(published("1.1.5", Some(now - 2 * DAY_S)), &[PROXY]).await;
    all_report(&site, "1.1.5").await;
    assert_eq!(stable(&site).await, "1.1.5");
    let young = Site::start_in(published("1.1.6", Some(now - 60)), &[PROXY]).await;
    all_report(&young, "1.1.6").await;
    report_of(&young, "on trial", is("clinic", "1.0.0")).await;
}
