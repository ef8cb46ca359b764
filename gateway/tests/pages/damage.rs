//! Damaged and re-signed versions: what a gateway serves meanwhile, and how it recovers when it fetches from an origin.

use std::{
    fs,
    path::{Path, PathBuf},
};

use axum::http::{Method, StatusCode};
use ring::signature::Ed25519KeyPair;
use serde_json::json;
use tempfile::TempDir;

use crate::{
    isolation::{is, point, report_of, seal},
    origin::Store,
    signatures::{Keys, key_of, keys_of, signed_entry, write},
    site::{Reply, Site, copy, remotes},
};

const BUNDLE: &str = "clinic/1.0.0/server.js";

fn cut(file: &Path) {
    let whole = fs::read(file).unwrap();
    fs::write(file, &whole[..whole.len() / 2]).unwrap();
}

fn is_the_built_in_page(reply: &Reply) {
    assert_eq!(reply.status, StatusCode::OK);
    assert!(reply.header("content-type").starts_with("text/html"));
    let html = reply.text();
    assert!(
        html.contains("tel:+918000000108") && html.contains("Chest pain"),
        "{html}"
    );
    assert!(
        !html.contains("<script") && html.len() < 12 * 1024,
        "{html}"
    );
    assert_eq!(reply.header("cache-control"), "no-store");
}

#[tokio::test(flavor = "multi_thread")]
async fn x7_serves_the_built_in_emergency_page_if_a_version_is_damaged() {
    let folder = remotes();
    let declared = fs::read_to_string(folder.path().join("clinic/1.0.0/module.json")).unwrap();
    let ours = declared.replace("\"/urgent\"", "\"/emergency\"");
    fs::write(folder.path().join("clinic/1.0.0/module.json"), ours).unwrap();
    let digest = seal(&folder.path().join("clinic/1.0.0"), None);
    point(
        folder.path(),
        &json!({"stable": "1.0.0", "integrity": {"1.0.0": digest}}),
    );
    let whole = fs::read(folder.path().join(BUNDLE)).unwrap();
    cut(&folder.path().join(BUNDLE));
    let site = Site::start_in(folder, &[]).await;
    let report = site.remotes().await["remotes"]["clinic"].clone();
    assert_eq!(report["refused"][0]["reason"], "integrity", "{report}");
    is_the_built_in_page(&site.get("/emergency").await);
    let head = site.send(Method::HEAD, "/emergency", &[], "").await;
    assert_eq!(head.status, StatusCode::OK);
    let policy = head.header("content-security-policy");
    assert!(
        policy.starts_with("default-src 'none'; style-src 'sha256-"),
        "{policy}"
    );
    assert_eq!(site.get("/readyz").await.status, StatusCode::OK);
    // Once the version is complete, its own page takes over.
    fs::write(site.folder.path().join(BUNDLE), whole).unwrap();
    report_of(&site, "whole", is("clinic", "1.0.0")).await;
    let page = site.get("/emergency").await;
    assert!(page.text().contains("<h1>Urgent 1.0.0"), "{}", page.text());
}

/// Starts a store whose versions are all sealed, with their digests in the pointers.
async fn store() -> Store {
    let folder = remotes();
    let digest = |name: &str| seal(&folder.path().join(name), None);
    let entry = |name: &str| {
        let digest = digest(&format!("{name}/1.0.0"));
        json!({"stable": "1.0.0", "integrity": {"1.0.0": digest}})
    };
    let teams = json!({"clinic": entry("clinic"), "ward": entry("ward")});
    write(folder.path(), &entry("shell"), &teams);
    Store::of(folder).await
}

/// Copies the files that a gateway has fetched, for another gateway.
fn fetched(site: &Site) -> TempDir {
    let kept = tempfile::tempdir().unwrap();
    copy(site.folder.path(), kept.path());
    kept
}

#[tokio::test(flavor = "multi_thread")]
async fn g5_refetches_damaged_folders_including_the_shell() {
    let store = store().await;
    let flag = format!("--remotes-url={}", store.url);
    let first = Site::start_in(tempfile::tempdir().unwrap(), &[&flag]).await;
    for damaged in [BUNDLE, "shell/1.0.0/server.js", "ward/1.0.0/module.json"] {
        let kept = fetched(&first);
        cut(&kept.path().join(damaged));
        let site = Site::start_in(kept, &[&flag]).await;
        let report = site.remotes().await["remotes"].clone();
        for name in ["shell", "clinic", "ward"] {
            assert_eq!(report[name]["stable"], "1.0.0", "{damaged}: {report}");
            assert_eq!(report[name]["refused"], json!([]), "{damaged}: {report}");
        }
        let healed = fs::read(site.folder.path().join(damaged)).unwrap();
        let whole = fs::read(store.folder.path().join(damaged)).unwrap();
        assert!(healed == whole, "{damaged}");
        assert!(site.get("/list").await.text().contains("List 1.0.0"));
    }
    // A missing file and an unpublished extra file.
    let kept = fetched(&first);
    fs::remove_file(kept.path().join("clinic/1.0.0/book.0001.js")).unwrap();
    fs::write(kept.path().join("ward/1.0.0/more.js"), "steal()").unwrap();
    let site = Site::start_in(kept, &[&flag]).await;
    let folder = site.folder.path();
    assert!(folder.join("clinic/1.0.0/book.0001.js").exists());
    assert!(!folder.join("ward/1.0.0/more.js").exists());
}

/// Signs the shell and both teams with `key`, with `moves` as the pointers' move count.
fn sign_all(folder: &Path, key: &Ed25519KeyPair, moves: u64) {
    let entry = |name: &str| {
        let digest = seal(&folder.join(name).join("1.0.0"), Some(key));
        let entry = json!({"stable": "1.0.0", "moves": moves, "integrity": {"1.0.0": digest}});
        signed_entry(name, entry, key)
    };
    let teams = json!({"clinic": entry("clinic"), "ward": entry("ward")});
    write(folder, &entry("shell"), &teams);
}

fn signature(folder: &Path, name: &str) -> PathBuf {
    folder.join(name).join("1.0.0/integrity.sig")
}

#[tokio::test(flavor = "multi_thread")]
async fn g5_re_signed_versions_reach_a_gateway_and_the_old_key_can_go() {
    let (old, new) = (key_of(21), key_of(22));
    let keys = Keys::new();
    keys_of(&keys.file(), &[&old, &new]);
    let folder = remotes();
    sign_all(folder.path(), &old, 1);
    let store = Store::of(folder).await;
    let url = format!("--remotes-url={}", store.url);
    let flags = [&*keys.flag, &url];
    let site = Site::start_in(tempfile::tempdir().unwrap(), &flags).await;
    report_of(&site, "fetched", is("clinic", "1.0.0")).await;
    let by_old = fs::read(signature(site.folder.path(), "shell")).unwrap();

    sign_all(store.folder.path(), &new, 2);
    let names = ["shell", "clinic", "ward"];
    for _ in 0..400 {
        let is_new = |name: &&str| {
            // The gateway moves a folder away before it moves the next into its place.
            let here = fs::read(signature(site.folder.path(), name));
            let there = fs::read(signature(store.folder.path(), name)).unwrap();
            here.is_ok_and(|here| here == there)
        };
        if names.iter().all(is_new) {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    let by_new = fs::read(signature(site.folder.path(), "shell")).unwrap();
    assert_ne!(by_old, by_new, "the new signature has not come");

    // Without the old key a restart works. A gateway that has only the old signatures fetches the new ones.
    keys_of(&keys.file(), &[&new]);
    let stale = fetched(&site);
    for name in names {
        fs::write(signature(stale.path(), name), &by_old).unwrap();
    }
    for folder in [fetched(&site), stale] {
        let again = Site::start_in(folder, &flags).await;
        let report = again.remotes().await["remotes"].clone();
        for name in names {
            assert_eq!(report[name]["stable"], "1.0.0", "{report}");
            assert_eq!(report[name]["refused"], json!([]), "{report}");
        }
    }
    // Visitors of the first gateway were not affected.
    let report = site.remotes().await["remotes"].clone();
    assert_eq!(report["clinic"]["refused"], json!([]), "{report}");
    assert!(site.get("/list").await.text().contains("List 1.0.0"));
}
