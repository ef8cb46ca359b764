//! A team's broken version does not block other teams; it is retried, and the report gives the reason.

use std::{fs, path::Path, time::Duration};

use axum::http::StatusCode;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use ring::signature::Ed25519KeyPair;
use serde_json::{Map, Value, json};
use service_kit::source::{Clock as _, SystemClock};
use sha2::{Digest as _, Sha256};

use crate::site::{Site, point_teams_to, publish_of, remotes};

fn publish_ward(site: &Site, version: &str, from: &str, to: &str) {
    publish_of(site.folder.path(), "ward", version, "server.js", from, to);
}

/// Polls the operators' report until `is_there` holds; returns the report.
pub(crate) async fn report_of(site: &Site, what: &str, is_there: impl Fn(&Value) -> bool) -> Value {
    for _ in 0..200 {
        let report = site.remotes().await;
        if is_there(&report["remotes"]) {
            return report["remotes"].clone();
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{what}: {}", site.remotes().await);
}

pub(crate) fn is(team: &str, version: &str) -> impl Fn(&Value) -> bool {
    let (team, version) = (team.to_owned(), version.to_owned());
    move |report| report[&team]["stable"] == *version
}

#[tokio::test(flavor = "multi_thread")]
async fn broken_version_affects_only_its_team() {
    let site = Site::start().await;
    let began = SystemClock.now().timestamp();
    site.publish("1.1.0", "server.js", "const VERSION", "const const");
    publish_of(
        site.folder.path(),
        "ward",
        "1.2.7",
        "module.json",
        "\"name\": \"ward\"",
        "\"name\":  \"ward\"",
    );
    point_teams_to(site.folder.path(), "1.1.0", "1.2.7");
    let report = report_of(&site, "ward goes on", is("ward", "1.2.7")).await;
    assert_eq!(report["clinic"]["stable"], "1.0.0", "{report}");
    assert_eq!(report["clinic"]["wanted"], "1.1.0", "{report}");
    let since = report["ward"]["since"].as_i64().unwrap();
    assert!((began..=began + 60).contains(&since), "{since} {began}");
    assert_eq!(
        report["clinic"]["refused"][0]["reason"], "bundle",
        "{report}"
    );
    assert!(site.get("/list").await.text().contains("List 1.0.0"));
    for series in [
        r#"remote_refusals_total{team="clinic",reason="bundle"}"#,
        r#"remote_version_info{team="ward",version="1.2.7",role="stable"}"#,
    ] {
        assert!(site.counted(series).await > Some(0), "{series}");
    }
    // A document from another gateway may name these scripts.
    let script = site.get("/remotes/clinic/1.1.0/book.0001.js").await;
    assert_eq!(script.status, StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread")]
async fn accepts_a_refused_version_once_it_is_repaired() {
    let site = Site::start().await;
    site.publish("1.1.0", "server.js", "'1.0.0'", "'1.1.0'");
    let bundle = site.folder.path().join("clinic/1.1.0/server.js");
    let whole = fs::read_to_string(&bundle).unwrap();
    fs::write(&bundle, &whole[..whole.len() / 2]).unwrap();
    site.point_to("1.1.0");
    report_of(&site, "refused", |report| {
        report["clinic"]["refused"][0].is_object()
    })
    .await;
    fs::write(&bundle, whole).unwrap();
    let report = report_of(&site, "tried again", is("clinic", "1.1.0")).await;
    assert_eq!(report["clinic"]["refused"], json!([]));
    assert!(site.get("/list").await.text().contains("List 1.1.0"));
}

#[tokio::test(flavor = "multi_thread")]
async fn broken_pointer_affects_only_its_team() {
    let site = Site::start().await;
    publish_ward(&site, "1.1.0", "globalThis", "globalThis");
    let pointers = json!({"contract": 2, "shell": {"stable": "1.0.0"},
        "teams": {"clinic": {"stable": 7}, "ward": {"stable": "1.1.0"}}});
    fs::write(
        site.folder.path().join("remotes.json"),
        pointers.to_string(),
    )
    .unwrap();
    let report = report_of(&site, "ward goes on", is("ward", "1.1.0")).await;
    assert_eq!(report["clinic"]["stable"], "1.0.0", "{report}");
    assert_eq!(
        report["clinic"]["refused"][0]["reason"], "pointer",
        "{report}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn refuses_another_teams_route() {
    let site = Site::start().await;
    // `clinic` sorts before `ward`, but `ward` had its routes first.
    let ward: Value = serde_json::from_slice(
        &fs::read(site.folder.path().join("ward/1.0.0/module.json")).unwrap(),
    )
    .unwrap();
    let taken = ward["pages"][0]["route"].as_str().unwrap().to_owned();
    site.publish(
        "1.1.0",
        "module.json",
        "\"/plain\"",
        &format!("\"{taken}\""),
    );
    site.point_to("1.1.0");
    let refused = |report: &Value| report["clinic"]["refused"][0].is_object();
    let report = report_of(&site, "refused", refused).await;
    assert_eq!(report["ward"]["stable"], "1.0.0", "{report}");
    assert_eq!(report["ward"]["refused"], json!([]), "{report}");
}

#[tokio::test(flavor = "multi_thread")]
async fn starting_gateway_falls_back_to_the_previous_version() {
    let folder = remotes();
    publish_of(
        folder.path(),
        "clinic",
        "1.1.0",
        "server.js",
        "const VERSION",
        "const const",
    );
    point(
        folder.path(),
        &json!({"stable": "1.1.0", "previous": "1.0.0"}),
    );
    let site = Site::start_in(folder, &[]).await;
    let report = report_of(&site, "the one before", is("clinic", "1.0.0")).await;
    assert_eq!(report["clinic"]["wanted"], "1.1.0", "{report}");
}

#[tokio::test(flavor = "multi_thread")]
async fn refuses_a_version_with_unmet_requirements() {
    let site = Site::start().await;
    let requires = |what: &str| format!("\"requires\": {what}, \"modules\"");
    site.publish(
        "1.1.0",
        "module.json",
        "\"modules\"",
        &requires(r#"{"api": ["/nothing/{id}"]}"#),
    );
    site.point_to("1.1.0");
    let refused = |report: &Value| report["clinic"]["refused"][0]["reason"] == "requires";
    let report = report_of(&site, "refused", refused).await;
    let detail = report["clinic"]["refused"][0]["detail"].as_str().unwrap();
    assert!(
        detail.contains("`/nothing/{id}` does not exist"),
        "{detail}"
    );
    site.publish(
        "1.2.0",
        "module.json",
        "\"modules\"",
        &requires(r#"{"shell": 2}"#),
    );
    site.point_to("1.2.0");
    let refused = |report: &Value| {
        let detail = report["clinic"]["refused"][0]["detail"].as_str();
        detail.is_some_and(|detail| detail.contains("the shell has 1"))
    };
    report_of(&site, "refused", refused).await;
    site.publish(
        "1.3.0",
        "module.json",
        "\"modules\"",
        &requires(r#"{"shell": 1, "api": ["/health-check"]}"#),
    );
    site.point_to("1.3.0");
    report_of(&site, "taken", is("clinic", "1.3.0")).await;
}

/// Writes `remotes.json` with this entry of `clinic`.
pub(crate) fn point(folder: &Path, clinic: &Value) {
    let pointers = json!({"contract": 2, "shell": {"stable": "1.0.0"},
        "teams": {"clinic": clinic, "ward": {"stable": "1.0.0"}}});
    let new = folder.join("remotes.json.new");
    fs::write(&new, pointers.to_string()).unwrap();
    fs::rename(new, folder.join("remotes.json")).unwrap();
}

/// Writes the integrity manifest of a flat folder, signed if `key` is given. Returns the manifest's digest.
pub(crate) fn seal(folder: &Path, key: Option<&Ed25519KeyPair>) -> String {
    let digest = |bytes: &[u8]| format!("sha256-{}", STANDARD.encode(Sha256::digest(bytes)));
    let mut files = Map::new();
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if !name.starts_with("integrity.") {
            files.insert(name, digest(&fs::read(entry.path()).unwrap()).into());
        }
    }
    let manifest = json!({ "files": files }).to_string();
    fs::write(folder.join("integrity.json"), &manifest).unwrap();
    if let Some(key) = key {
        let signed = format!("hospital page modules, integrity 1\n{manifest}");
        let signature = STANDARD.encode(key.sign(signed.as_bytes()));
        fs::write(folder.join("integrity.sig"), signature).unwrap();
    }
    digest(manifest.as_bytes())
}

#[tokio::test(flavor = "multi_thread")]
async fn refuses_a_partial_folder_and_accepts_it_once_complete() {
    let site = Site::start().await;
    site.publish("1.1.0", "server.js", "'1.0.0'", "'1.1.0'");
    let folder = site.folder.path().join("clinic/1.1.0");
    let digest = seal(&folder, None);
    let entry = json!({"stable": "1.1.0", "integrity": {"1.1.0": digest}});
    // The manifest is still missing; without it the folder would look complete.
    let away = site.folder.path().join("away.json");
    fs::rename(folder.join("integrity.json"), &away).unwrap();
    point(site.folder.path(), &entry);
    let refused = |report: &Value| report["clinic"]["refused"][0]["reason"] == "integrity";
    report_of(&site, "refused", refused).await;
    fs::rename(&away, folder.join("integrity.json")).unwrap();
    report_of(&site, "taken", is("clinic", "1.1.0")).await;
    let script = site.get("/remotes/clinic/1.1.0/book.0001.js").await;
    assert_eq!(script.status, StatusCode::OK);
    for private in ["integrity.json", "module.json", "server.js"] {
        let path = format!("/remotes/clinic/1.1.0/{private}");
        assert_eq!(
            site.get(&path).await.status,
            StatusCode::NOT_FOUND,
            "{path}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn neither_runs_nor_sends_modified_files() {
    let site = Site::start().await;
    site.publish("1.1.0", "server.js", "'1.0.0'", "'1.1.0'");
    let folder = site.folder.path().join("clinic/1.1.0");
    seal(&folder, None);
    fs::write(folder.join("book.0001.js"), "steal()").unwrap();
    for sibling in ["book.0001.js.br", "book.0001.js.gz"] {
        fs::remove_file(folder.join(sibling)).unwrap();
    }
    site.point_to("1.1.0");
    let refused = |report: &Value| report["clinic"]["refused"][0]["reason"] == "integrity";
    report_of(&site, "refused", refused).await;
    let changed = site.get("/remotes/clinic/1.1.0/book.0001.js").await;
    assert_eq!(changed.status, StatusCode::NOT_FOUND);
    let whole = site.get("/remotes/clinic/1.1.0/remoteEntry.0001.js").await;
    assert_eq!(whole.status, StatusCode::OK);
}
