//! Changes of team keys while gateways run.

use std::{fs, path::Path, time::Duration};

use axum::http::StatusCode;
use ring::signature::Ed25519KeyPair;
use serde_json::{Value, json};

use crate::{
    isolation::{report_of, seal},
    signatures::{Keys, clinic_as, is_good, key_of, refused},
    site::{Site, publish_of},
};

const SCRIPT_OF_FIRST: &str = "/remotes/clinic/1.0.0/book.0001.js";

/// Publishes a version of `clinic`, signed with `key`.
fn add_version(folder: &Path, version: &str, key: &Ed25519KeyPair) {
    let ours = format!("'{version}'");
    publish_of(folder, "clinic", version, "server.js", "'1.0.0'", &ours);
    seal(&folder.join("clinic").join(version), Some(key));
}

async fn is_away(site: &Site, path: &str) {
    for _ in 0..200 {
        if site.get(path).await.status == StatusCode::NOT_FOUND {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{path} is still served");
}

#[tokio::test(flavor = "multi_thread")]
async fn applies_an_added_key_without_a_restart() {
    let keys = Keys::new();
    let site = Site::start_in(keys.published("1.0.0"), &[&keys.flag]).await;
    let (folder, new) = (site.folder.path(), key_of(10));
    add_version(folder, "1.2.0", &new);
    keys.point(folder, &clinic_as("1.2.0", 3, &new));
    let foreign = refused("clinic", "signature", "of `signed` by a key of `clinic`");
    let report = report_of(&site, "not yet", foreign).await;
    assert_eq!(report["clinic"]["stable"], "1.0.0", "{report}");
    keys.list(&[&keys.clinic, &new]);
    report_of(&site, "taken", is_good("clinic", "1.2.0")).await;
    // The old key is still valid for what it signs.
    keys.point(folder, &keys.clinic("1.1.0", 4));
    report_of(&site, "back", is_good("clinic", "1.1.0")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn removed_key_keeps_only_live_versions() {
    let keys = Keys::new();
    let site = Site::start_in(keys.published("1.1.0"), &[&keys.flag]).await;
    let (folder, new) = (site.folder.path(), key_of(10));
    // One version is in memory since the start; the other was read on request.
    add_version(folder, "1.0.9", &keys.clinic);
    let scripts = [SCRIPT_OF_FIRST, "/remotes/clinic/1.0.9/book.0001.js"];
    for script in scripts {
        assert_eq!(site.get(script).await.status, StatusCode::OK, "{script}");
    }
    keys.list(&[&new]);
    // Visitors keep the live page. Versions that are not live are no longer served.
    for script in scripts {
        is_away(&site, script).await;
    }
    let foreign = || refused("clinic", "signature", "of `signed` by a key of `clinic`");
    let report = report_of(&site, "refused", foreign()).await;
    assert_eq!(report["clinic"]["stable"], "1.1.0", "{report}");
    assert!(site.get("/list").await.text().contains("List 1.1.0"));
    keys.point(folder, &keys.clinic("1.0.0", 3));
    let report = report_of(&site, "not followed", foreign()).await;
    assert_eq!(report["clinic"]["stable"], "1.1.0", "{report}");

    add_version(folder, "1.2.0", &new);
    keys.point(folder, &clinic_as("1.2.0", 4, &new));
    report_of(&site, "moved on", is_good("clinic", "1.2.0")).await;
    is_away(&site, "/remotes/clinic/1.1.0/book.0001.js").await;
    // A valid pointer does not bring back a version without a new signature.
    keys.point(folder, &clinic_as("1.1.0", 5, &new));
    let unsigned = refused("clinic", "signature", "integrity.sig");
    let report = report_of(&site, "not signed anew", unsigned).await;
    assert_eq!(report["clinic"]["stable"], "1.2.0", "{report}");
    seal(&folder.join("clinic/1.1.0"), Some(&new));
    report_of(&site, "signed anew", is_good("clinic", "1.1.0")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn keeps_the_previous_keys_while_the_file_is_unreadable() {
    let keys = Keys::new();
    let site = Site::start_in(keys.published("1.0.0"), &[&keys.flag]).await;
    let keys_problem = async |what: &str, is_there: &dyn Fn(&Value) -> bool| {
        for _ in 0..200 {
            if is_there(&site.remotes().await["keys_problem"]) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("{what}: {}", site.remotes().await);
    };
    let says = |part: &'static str| {
        move |problem: &Value| problem.as_str().is_some_and(|text| text.contains(part))
    };
    let short = json!({"clinic": ["AAAA"]}).to_string();
    let long = format!("{}{{}}", " ".repeat(1024 * 1024));
    let mut moves = 2;
    for (text, reason, part) in [
        ("{\"clinic\"", "invalid", "EOF"),
        (&short, "invalid", "clinic: is not 32 bytes in base64"),
        (&long, "invalid", "has more than 1048576 bytes"),
        ("", "unreadable", "cannot be read"),
    ] {
        let series = format!(r#"remote_refusals_total{{team="REMOTES_KEYS",reason="{reason}"}}"#);
        let before = site.counted(&series).await.unwrap_or(0);
        if reason == "unreadable" {
            fs::remove_file(keys.file()).unwrap();
        } else {
            fs::write(keys.file(), text).unwrap();
        }
        keys_problem(part, &says(part)).await;
        assert!(site.counted(&series).await > Some(before), "{part}");
        moves += 1;
        let stable = ["1.0.0", "1.1.0"][moves % 2];
        keys.point(site.folder.path(), &keys.clinic(stable, moves as u64));
        report_of(&site, part, is_good("clinic", stable)).await;
        keys.list(&[&keys.clinic]);
        keys_problem("read again", &Value::is_null).await;
    }
}
