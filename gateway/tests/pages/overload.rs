//! A gateway with an overloaded renderer still follows its pointers: live versions stay, new ones go live.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use axum::http::StatusCode;
use serde_json::json;
use tokio::task::JoinSet;

use crate::{
    isolation::{is, report_of},
    site::{Site, point_teams_to, publish_of},
};

/// Number of concurrent requests, for a render queue of eight.
const CROWD: usize = 48;

/// Requests uncached pages without a pause. Both the render thread and its queue stay full.
fn crowd(site: &Site) -> JoinSet<()> {
    let number = Arc::new(AtomicU64::new(0));
    let mut crowd = JoinSet::new();
    for _ in 0..CROWD {
        let (address, number) = (site.address(), Arc::clone(&number));
        crowd.spawn(async move {
            let client =
                hyper_util::client::legacy::Client::builder(hyper_util::rt::TokioExecutor::new())
                    .build_http::<http_body_util::Empty<bytes::Bytes>>();
            loop {
                let number = number.fetch_add(1, Ordering::Relaxed);
                let address = format!("http://{address}/slow/n{number}");
                let _ = client.get(address.parse().expect("an address")).await;
            }
        });
    }
    crowd
}

#[tokio::test(flavor = "multi_thread")]
async fn g2_follows_pointers_while_the_renderer_is_full() {
    let site = Site::start_with(&["--render-threads=1", "--render-queue-max=8"]).await;
    let refused = async || {
        let report = site.remotes().await["remotes"].clone();
        let teams = report.as_object().expect("teams").values();
        let refused = teams.map(|team| team["refused"].as_array().map_or(0, Vec::len));
        (refused.sum::<usize>(), report)
    };
    let shed = r#"remote_renders_total{team="ward",version="1.0.0",outcome="shed"}"#;
    let before = site.counted(shed).await.unwrap_or(0);
    let crowd = crowd(&site);
    while site.counted(shed).await.unwrap_or(0) < before + 50 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let folder = site.folder.path();
    site.publish("1.1.0", "server.js", "'1.0.0'", "'1.1.0'");
    let same = ("\"name\": \"ward\"", "\"name\":  \"ward\"");
    publish_of(folder, "ward", "1.1.0", "module.json", same.0, same.1);
    for (what, clinic, ward) in [
        ("a pointer moves", "1.1.0", "1.0.0"),
        ("another team publishes", "1.1.0", "1.1.0"),
        ("a team rolls back", "1.0.0", "1.1.0"),
    ] {
        point_teams_to(folder, clinic, ward);
        let clinic_is = is("clinic", clinic);
        let ward_is = is("ward", ward);
        report_of(&site, what, |report| {
            // No team disappears at any moment.
            assert!(report["clinic"]["stable"].is_string(), "{what}: {report}");
            assert!(report["ward"]["stable"].is_string(), "{what}: {report}");
            clinic_is(report) && ward_is(report)
        })
        .await;
        assert_eq!(refused().await.0, 0, "{what}: {}", refused().await.1);
        // The resident page is rendered by the new version, too.
        let urgent = site.get("/urgent").await;
        assert_eq!(urgent.status, StatusCode::OK);
        assert!(
            urgent.text().contains(&format!("Urgent {clinic}")),
            "{what}"
        );
    }
    // A version that does not load is still refused, without affecting others.
    site.publish("1.2.0", "server.js", "const VERSION", "const const");
    point_teams_to(folder, "1.2.0", "1.1.0");
    let report = report_of(&site, "refused", |report| {
        report["clinic"]["refused"][0]["reason"] == "bundle"
    })
    .await;
    assert_eq!(report["clinic"]["stable"], "1.0.0", "{report}");
    assert_eq!(report["ward"]["refused"], json!([]), "{report}");
    assert!(
        site.counted(shed).await > Some(before + 50),
        "still crowded"
    );
    drop(crowd);
}
