//! A version that serves part of the documents, and the rollback when a version fails.

use std::{fs, time::Duration};

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::{
    isolation::point,
    site::{Site, publish_of},
};

const DOCUMENTS: u16 = 2_000;

async fn reported(site: &Site, what: &str, is_there: impl Fn(&Value) -> bool) -> Value {
    for _ in 0..400 {
        let report = site.remotes().await["remotes"]["clinic"].clone();
        if is_there(&report) {
            return report;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{what}: {}", site.remotes().await);
}

async fn start_canary(site: &Site, from: &str, to: &str, percent: u8) {
    site.publish("1.1.0", "server.js", from, to);
    let canary = json!({"version": "1.1.0", "percent": percent});
    point(
        site.folder.path(),
        &json!({"stable": "1.0.0", "canary": canary}),
    );
    reported(site, "a canary", |report| report["canary"].is_object()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn canary_serves_its_share_of_documents() {
    let site = Site::start().await;
    start_canary(&site, "'1.0.0'", "'1.1.0'", 20).await;
    let mut share = 0;
    for _ in 0..DOCUMENTS {
        let reply = site.get("/list").await;
        assert_eq!(reply.status, StatusCode::OK);
        assert_eq!(reply.header("cache-control"), "no-cache");
        let text = reply.text();
        let is_canary = text.contains("List 1.1.0");
        // All parts of a document come from one version, which the document names.
        let version = if is_canary { "1.1.0" } else { "1.0.0" };
        assert!(text.contains(&format!("List {version}")), "{text}");
        assert!(
            text.contains(&format!(r#"data-version="{version}""#)),
            "{text}"
        );
        share += u16::from(is_canary);
    }
    // Tolerance of five standard deviations: 2,000 samples at 20 % give 400 ± 18.
    assert!((310..=490).contains(&share), "{share} of {DOCUMENTS}");
    // The document names the scripts of its own version, and they are served.
    let book = loop {
        let reply = site.get("/book").await;
        if reply.text().contains(r#"data-version="1.1.0""#) {
            break reply;
        }
    };
    assert!(
        book.text().contains("/remotes/clinic/1.1.0/book.0001.js"),
        "{}",
        book.text()
    );
    assert!(
        !book.text().contains("/remotes/clinic/1.0.0/"),
        "{}",
        book.text()
    );
    let script = site.get("/remotes/clinic/1.1.0/book.0001.js").await;
    assert_eq!(script.status, StatusCode::OK);
    // Other teams' pages have one document, not two.
    let first = site.get("/robots.txt").await;
    assert_eq!(
        first.header("etag"),
        site.get("/robots.txt").await.header("etag")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn samples_each_revalidation_independently() {
    let site = Site::start().await;
    start_canary(&site, "'1.0.0'", "'1.1.0'", 50).await;
    let first = site.get("/items/x").await;
    let etag = first.header("etag").to_owned();
    let mut statuses = [0_u32; 2];
    for _ in 0..100 {
        let again = site.get_with("/items/x", &[("if-none-match", &etag)]).await;
        let is_known = again.status == StatusCode::NOT_MODIFIED;
        // Otherwise the response is a complete document of the other version.
        assert!(
            is_known || again.text().contains("data-version"),
            "{}",
            again.status
        );
        statuses[usize::from(is_known)] += 1;
    }
    assert!(statuses.iter().all(|&count| count > 10), "{statuses:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn routes_a_form_to_the_version_that_rendered_it() {
    let site = Site::start().await;
    let folder = site.folder.path();
    let bundle = fs::read_to_string(folder.join("ward/1.0.0/server.js")).unwrap();
    let marked = format!(
        "{bundle}\nconst whole = globalThis.hospitalRender;\n\
        globalThis.hospitalRender = (text) => whole(text).replace('\"html\":\"', '\"html\":\"<i>canary</i>');"
    );
    publish_of(
        folder,
        "ward",
        "1.1.0",
        "module.json",
        "\"name\": \"ward\"",
        "\"name\":  \"ward\"",
    );
    fs::write(folder.join("ward/1.1.0/server.js"), marked).unwrap();
    let pointers = json!({"contract": 2, "shell": {"stable": "1.0.0"}, "teams": {
        "clinic": {"stable": "1.0.0"},
        "ward": {"stable": "1.0.0", "canary": {"version": "1.1.0", "percent": 50}}}});
    fs::write(folder.join("remotes.json"), pointers.to_string()).unwrap();
    for _ in 0..400 {
        if site.remotes().await["remotes"]["ward"]["canary"].is_object() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let part = |text: &str| {
        let (_, rest) = text.split_once("ward:desk-form").expect("the part's id");
        rest.starts_with("@1.1.0")
    };
    let mut seen = [false; 2];
    for _ in 0..200 {
        let made = site.get("/desk").await;
        let is_canary = made.text().contains("<i>canary</i>");
        assert_eq!(part(made.text()), is_canary, "{}", made.text());
        seen[usize::from(is_canary)] = true;
        let id = if is_canary {
            "ward%3Adesk-form%401.1.0"
        } else {
            "ward%3Adesk-form"
        };
        let answer = site.post("/desk", &format!("part={id}&name=x")).await;
        assert_eq!(
            answer.text().contains("<i>canary</i>"),
            is_canary,
            "{}",
            answer.text()
        );
    }
    assert_eq!(seen, [true; 2]);
    // If the version is no longer live, the stable one handles the form.
    let old = site
        .post("/desk", "part=ward%3Adesk-form%400.9.0&name=x")
        .await;
    assert!(!old.text().contains("<i>canary</i>"), "{}", old.text());
    assert_ne!(old.status, StatusCode::BAD_REQUEST);
}

#[tokio::test(flavor = "multi_thread")]
async fn canaries_leave_documents_to_the_stable_versions() {
    let site = Site::start().await;
    let folder = site.folder.path();
    for team in ["clinic", "ward"] {
        let name = format!("\"name\": \"{team}\"");
        let spaced = name.replace(": ", ":  ");
        publish_of(folder, team, "1.1.0", "module.json", &name, &spaced);
    }
    let canary = |percent: u8| json!({"stable": "1.0.0", "canary": {"version": "1.1.0", "percent": percent}});
    let pointers = json!({"contract": 2, "shell": {"stable": "1.0.0"}, "teams": {
        "clinic": canary(60), "ward": canary(40)}});
    fs::write(folder.join("remotes.json"), pointers.to_string()).unwrap();
    reported(&site, "a canary", |report| report["canary"].is_object()).await;
    let ward = site.remotes().await["remotes"]["ward"].clone();
    assert!(ward["canary"].is_null(), "{ward}");
    assert_eq!(ward["refused"][0]["reason"], "share", "{ward}");
}

const THROWS: (&str, &str) = ("page(`<h1>List ${VERSION}", "nonsense(`<h1>List ${VERSION}");

#[tokio::test(flavor = "multi_thread")]
async fn rolls_back_only_a_throwing_canary() {
    let site = Site::start().await;
    start_canary(&site, THROWS.0, THROWS.1, 50).await;
    let report = loop {
        site.get("/list?q=x").await;
        let report = site.remotes().await["remotes"]["clinic"].clone();
        if report["canary"].is_null() {
            break report;
        }
    };
    assert_eq!(report["stable"], "1.0.0");
    assert_eq!(report["refused"][0]["reason"], "rolled_back", "{report}");
    let rollbacks = r#"remote_rollbacks_total{team="clinic"}"#;
    assert!(site.counted(rollbacks).await > Some(0));
    for _ in 0..50 {
        assert_eq!(site.get("/list").await.status, StatusCode::OK);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rolls_back_a_throwing_version_until_its_pointer_changes() {
    let site = Site::start().await;
    site.publish("1.1.0", "server.js", THROWS.0, THROWS.1);
    point(
        site.folder.path(),
        &json!({"stable": "1.1.0", "previous": "1.0.0"}),
    );
    reported(&site, "live", |report| report["stable"] == "1.1.0").await;
    let started = std::time::Instant::now();
    // A few failures do not cause a rollback.
    for _ in 0..5 {
        site.get("/items/a").await;
    }
    let mut number = 0;
    loop {
        number += 1;
        site.get(&format!("/list?q={number}")).await;
        if site.remotes().await["remotes"]["clinic"]["stable"] == "1.0.0" {
            break;
        }
        assert!(started.elapsed() < Duration::from_mins(1));
    }
    assert!(site.get("/list").await.text().contains("List 1.0.0"));
    // A pointer change of another team does not bring the version back.
    let report = reported(&site, "refused", |report| report["refused"][0].is_object()).await;
    assert_eq!(report["refused"][0]["reason"], "rolled_back", "{report}");
    assert_eq!(report["wanted"], "1.1.0", "{report}");
    publish_of(
        site.folder.path(),
        "ward",
        "1.1.0",
        "module.json",
        "\"name\": \"ward\"",
        "\"name\":  \"ward\"",
    );
    let pointers = json!({"contract": 2, "shell": {"stable": "1.0.0"}, "teams": {
        "clinic": {"stable": "1.1.0", "previous": "1.0.0"}, "ward": {"stable": "1.1.0"}}});
    fs::write(
        site.folder.path().join("remotes.json"),
        pointers.to_string(),
    )
    .unwrap();
    for _ in 0..400 {
        if site.remotes().await["remotes"]["ward"]["stable"] == "1.1.0" {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let report = site.remotes().await["remotes"]["clinic"].clone();
    assert_eq!(report["stable"], "1.0.0", "{report}");
    // Publishing the version again gives it another chance.
    point(
        site.folder.path(),
        &json!({"stable": "1.1.0", "previous": "1.0.0", "moves": 1}),
    );
    reported(&site, "taken again", |report| report["stable"] == "1.1.0").await;
}
