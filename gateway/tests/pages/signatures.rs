//! With signing keys, gateways accept only versions and pointers that their team has signed.

use std::{
    fs,
    path::{Path, PathBuf},
};

use axum::http::StatusCode;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use ring::signature::{Ed25519KeyPair, KeyPair as _};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{
    isolation::{is, report_of, seal},
    origin::Store,
    site::{Site, copy, publish_of, remotes},
};

pub(crate) const POINTER: &str = "hospital page modules, pointer 1\n";

fn public(key: &Ed25519KeyPair) -> String {
    STANDARD.encode(key.public_key())
}

/// Adds the signed statement of an entry and its signature.
fn signed_as(name: &str, mut entry: Value, key: &Ed25519KeyPair, context: &str) -> Value {
    let mut statement = entry.clone();
    statement["name"] = name.into();
    let text = statement.to_string();
    entry["signature"] = STANDARD
        .encode(key.sign(format!("{context}{text}").as_bytes()))
        .into();
    entry["signed"] = text.into();
    entry
}

/// The keys of the teams, and the on-call key, which both teams list.
pub(crate) struct Keys {
    pub(crate) clinic: Ed25519KeyPair,
    ward: Ed25519KeyPair,
    on_call: Ed25519KeyPair,
    /// Separate from the published files.
    folder: TempDir,
    pub(crate) flag: String,
}

pub(crate) fn key_of(seed: u8) -> Ed25519KeyPair {
    Ed25519KeyPair::from_seed_unchecked(&[seed; 32]).expect("a key")
}

impl Keys {
    pub(crate) fn new() -> Self {
        let [clinic, ward, on_call] = [7, 8, 9].map(key_of);
        let folder = tempfile::tempdir().unwrap();
        let flag = format!(
            "--remotes-keys={}",
            folder.path().join("keys.json").display()
        );
        let keys = Self {
            clinic,
            ward,
            on_call,
            folder,
            flag,
        };
        keys.list(&[&keys.clinic, &keys.on_call]);
        keys
    }

    /// Returns the path of the key file that gateways read.
    pub(crate) fn file(&self) -> PathBuf {
        self.folder.path().join("keys.json")
    }

    /// Writes the accepted keys of `clinic`; the other keys stay.
    pub(crate) fn list(&self, clinic: &[&Ed25519KeyPair]) {
        let clinic: Vec<_> = clinic.iter().map(|key| public(key)).collect();
        let keys = json!({
            "shell": [public(&self.ward)],
            "clinic": clinic,
            "ward": [public(&self.ward), public(&self.on_call)],
        });
        fs::write(self.file(), keys.to_string()).unwrap();
    }

    /// Publishes `clinic` 1.0.0 and 1.1.0, all signed. The pointers name `stable`, with a move count of two.
    pub(crate) fn published(&self, stable: &str) -> TempDir {
        let folder = remotes();
        publish_of(
            folder.path(),
            "clinic",
            "1.1.0",
            "server.js",
            "'1.0.0'",
            "'1.1.0'",
        );
        for (version, key) in [
            ("shell/1.0.0", &self.ward),
            ("ward/1.0.0", &self.ward),
            ("clinic/1.0.0", &self.clinic),
            ("clinic/1.1.0", &self.clinic),
        ] {
            seal(&folder.path().join(version), Some(key));
        }
        self.point(folder.path(), &self.clinic(stable, 2));
        folder
    }

    /// Returns a valid entry of `clinic`.
    pub(crate) fn clinic(&self, stable: &str, moves: u64) -> Value {
        clinic_as(stable, moves, &self.clinic)
    }

    fn ward(&self, name: &str, stable: &str) -> Value {
        signed_as(name, json!({"stable": stable}), &self.ward, POINTER)
    }

    /// Writes pointers with this entry of `clinic`; the others are valid.
    pub(crate) fn point(&self, folder: &Path, clinic: &Value) {
        let ward = self.ward("ward", "1.0.0");
        write(
            folder,
            &self.ward("shell", "1.0.0"),
            &json!({"clinic": clinic, "ward": ward}),
        );
    }
}

/// Writes a key file in which the shell and both teams have these keys.
pub(crate) fn keys_of(file: &Path, keys: &[&Ed25519KeyPair]) {
    let keys: Vec<_> = keys.iter().map(|key| public(key)).collect();
    let keys = json!({"shell": keys, "clinic": keys, "ward": keys});
    fs::write(file, keys.to_string()).unwrap();
}

/// Returns the entry signed with `key`.
pub(crate) fn signed_entry(name: &str, entry: Value, key: &Ed25519KeyPair) -> Value {
    signed_as(name, entry, key, POINTER)
}

/// Returns an entry of `clinic` signed with `key`.
pub(crate) fn clinic_as(stable: &str, moves: u64, key: &Ed25519KeyPair) -> Value {
    let entry = json!({"stable": stable, "moves": moves});
    signed_as("clinic", entry, key, POINTER)
}

pub(crate) fn write(folder: &Path, shell: &Value, teams: &Value) {
    let pointers = json!({"contract": 2, "shell": shell, "teams": teams});
    let new = folder.join("remotes.json.new");
    fs::write(&new, pointers.to_string()).unwrap();
    fs::rename(new, folder.join("remotes.json")).unwrap();
}

/// Whether the team has exactly one refusal, with this reason and detail.
pub(crate) fn refused(team: &str, reason: &str, detail: &str) -> impl Fn(&Value) -> bool {
    let [team, reason, detail] = [team, reason, detail].map(str::to_owned);
    move |report| {
        let refused = report[&team]["refused"]
            .as_array()
            .map_or(&[][..], Vec::as_slice);
        let [refused] = refused else { return false };
        let text = refused["detail"].as_str().unwrap_or_default();
        refused["reason"] == *reason && text.contains(&detail)
    }
}

/// Whether this version of the team is live without any refusal.
pub(crate) fn is_good(team: &str, version: &str) -> impl Fn(&Value) -> bool {
    let (team, version) = (team.to_owned(), version.to_owned());
    move |report| report[&team]["stable"] == *version && report[&team]["refused"] == json!([])
}

#[tokio::test(flavor = "multi_thread")]
async fn with_keys_accepts_only_signed_versions() {
    let keys = Keys::new();
    let folder = keys.published("1.0.0");
    // A version that is valid at start would stay in memory, so the signature is removed before the start.
    fs::remove_file(folder.path().join("clinic/1.1.0/integrity.sig")).unwrap();
    let site = Site::start_in(folder, &[&keys.flag]).await;
    let new = site.folder.path().join("clinic/1.1.0");
    for (moves, what, key) in [
        (3, "unsigned", None),
        (5, "signed by another team", Some(&keys.ward)),
    ] {
        seal(&new, key);
        keys.point(site.folder.path(), &keys.clinic("1.1.0", moves));
        let report = report_of(&site, what, refused("clinic", "signature", "integrity.sig")).await;
        assert_eq!(report["clinic"]["stable"], "1.0.0", "{what}");
        let script = site.get("/remotes/clinic/1.1.0/book.0001.js").await;
        assert_eq!(script.status, StatusCode::NOT_FOUND, "{what}");
        keys.point(site.folder.path(), &keys.clinic("1.0.0", moves + 1));
        report_of(&site, "good again", is_good("clinic", "1.0.0")).await;
    }
    keys.point(site.folder.path(), &keys.clinic("1.1.0", 7));
    report_of(
        &site,
        "refused",
        refused("clinic", "signature", "integrity.sig"),
    )
    .await;
    seal(&new, Some(&keys.clinic));
    report_of(&site, "taken", is_good("clinic", "1.1.0")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn does_not_follow_an_unsigned_pointer() {
    let keys = Keys::new();
    let site = Site::start_in(keys.published("1.1.0"), &[&keys.flag]).await;
    let folder = site.folder.path();
    // An old version, which may have a known vulnerability.
    let old = json!({"stable": "1.0.0", "moves": 9});
    let mut changed = keys.clinic("1.1.0", 9);
    let text = changed["signed"].as_str().unwrap();
    changed["signed"] = text.replace("1.1.0", "1.0.0").into();
    let mut cut = keys.clinic("1.0.0", 9);
    cut["signature"] = Value::Null;
    let integrity = "hospital page modules, integrity 1\n";
    let unsigned = "`signed` is missing";
    let foreign = "of `signed` by a key of `clinic`";
    for (what, entry, detail) in [
        ("not signed", old.clone(), unsigned),
        ("without its signature", cut, "`signature` is missing"),
        (
            "by another team",
            signed_as("clinic", old.clone(), &keys.ward, POINTER),
            foreign,
        ),
        ("changed afterwards", changed, foreign),
        (
            "signed as a manifest",
            signed_as("clinic", old.clone(), &keys.clinic, integrity),
            foreign,
        ),
        (
            "another team's",
            signed_as("ward", old, &keys.on_call, POINTER),
            "is for \"ward\"",
        ),
    ] {
        let series = r#"remote_refusals_total{team="clinic",reason="signature"}"#;
        let before = site.counted(series).await.unwrap_or(0);
        keys.point(folder, &entry);
        let report = report_of(&site, what, refused("clinic", "signature", detail)).await;
        assert_eq!(report["clinic"]["stable"], "1.1.0", "{what}");
        // Other gateways of this process increment the counter, too.
        assert!(site.counted(series).await > Some(before), "{what}");
        keys.point(folder, &keys.clinic("1.1.0", 2));
        report_of(&site, "good again", is_good("clinic", "1.1.0")).await;
    }
    assert!(site.get("/list").await.text().contains("List 1.1.0"));
    // The on-call key may point a team to a version that the team has signed.
    let back = json!({"stable": "1.0.0", "moves": 3});
    keys.point(folder, &signed_as("clinic", back, &keys.on_call, POINTER));
    report_of(&site, "taken", is_good("clinic", "1.0.0")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn uses_only_the_signed_entry_of_a_pointer() {
    let keys = Keys::new();
    let site = Site::start_in(keys.published("1.0.0"), &[&keys.flag]).await;
    let mut entry = keys.clinic("1.1.0", 3);
    entry["stable"] = "1.0.0".into();
    entry["canary"] = json!({"version": "1.0.0", "percent": 99});
    entry["moves"] = 1.into();
    keys.point(site.folder.path(), &entry);
    let report = report_of(&site, "the signed one", is_good("clinic", "1.1.0")).await;
    assert_eq!(report["clinic"]["wanted"], "1.1.0", "{report}");
    assert_eq!(report["clinic"]["canary"], Value::Null, "{report}");
}

#[tokio::test(flavor = "multi_thread")]
async fn refuses_to_replay_an_older_entry() {
    let keys = Keys::new();
    let site = Site::start_in(keys.published("1.0.0"), &[&keys.flag]).await;
    let folder = site.folder.path();
    keys.point(folder, &keys.clinic("1.1.0", 3));
    report_of(&site, "taken", is_good("clinic", "1.1.0")).await;
    let older = keys.clinic("1.0.0", 2);
    let is_older = || {
        refused(
            "clinic",
            "pointer",
            "`moves` is 2, older than 3, which this gateway follows",
        )
    };
    keys.point(folder, &older);
    let report = report_of(&site, "refused", is_older()).await;
    assert_eq!(report["clinic"]["stable"], "1.1.0", "{report}");
    // The older entry is refused even after the team was removed.
    let ward = keys.ward("ward", "1.0.0");
    write(folder, &keys.ward("shell", "1.0.0"), &json!({"ward": ward}));
    report_of(&site, "away", |report| report["clinic"].is_null()).await;
    keys.point(folder, &older);
    let report = report_of(&site, "refused again", is_older()).await;
    assert_eq!(report["clinic"]["stable"], Value::Null, "{report}");
    keys.point(folder, &keys.clinic("1.0.0", 4));
    report_of(&site, "moved on", is_good("clinic", "1.0.0")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_keys_ignores_signatures_and_move_numbers() {
    let keys = Keys::new();
    let site = Site::start_in(keys.published("1.1.0"), &[]).await;
    let mut entry = signed_as(
        "ward",
        json!({"stable": "1.1.0", "moves": 1}),
        &keys.ward,
        POINTER,
    );
    entry["stable"] = "1.0.0".into();
    keys.point(site.folder.path(), &entry);
    report_of(&site, "the plain fields", is_good("clinic", "1.0.0")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn starts_without_a_team_whose_pointer_is_unsigned() {
    let keys = Keys::new();
    let folder = keys.published("1.1.0");
    keys.point(folder.path(), &json!({"stable": "1.1.0"}));
    let site = Site::start_in(folder, &[&keys.flag]).await;
    let report = report_of(
        &site,
        "refused",
        refused("clinic", "signature", "is missing"),
    )
    .await;
    assert_eq!(report["clinic"]["stable"], Value::Null, "{report}");
    assert_eq!(report["ward"]["stable"], "1.0.0", "{report}");
}

#[tokio::test(flavor = "multi_thread")]
async fn unsigned_shell_pointer_blocks_no_team() {
    let keys = Keys::new();
    let site = Site::start_in(keys.published("1.0.0"), &[&keys.flag]).await;
    let teams = json!({"clinic": keys.clinic("1.1.0", 3), "ward": keys.ward("ward", "1.0.0")});
    write(site.folder.path(), &json!({"stable": "2.0.0"}), &teams);
    let report = report_of(&site, "clinic goes on", is("clinic", "1.1.0")).await;
    assert_eq!(report["shell"]["stable"], "1.0.0", "{report}");
    assert!(
        refused("shell", "signature", "is missing")(&report),
        "{report}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn origin_cannot_replay_older_pointers_across_a_restart() {
    let keys = Keys::new();
    let store = Store::of(keys.published("1.0.0")).await;
    let origin = store.folder.path();
    let older = keys.clinic("1.0.0", 2);
    keys.point(origin, &keys.clinic("1.1.0", 3));
    let url = format!("--remotes-url={}", store.url);
    let flags = [&*keys.flag, &url];
    let mut site = Site::start_in(tempfile::tempdir().unwrap(), &flags).await;
    report_of(&site, "fetched", is_good("clinic", "1.1.0")).await;

    keys.point(origin, &older);
    let is_older = || {
        refused(
            "clinic",
            "pointer",
            "`moves` is 2, older than 3, which this gateway follows",
        )
    };
    let report = report_of(&site, "refused", is_older()).await;
    assert_eq!(report["clinic"]["stable"], "1.1.0", "{report}");
    site = again(&site, &flags).await;
    let report = report_of(&site, "refused from the start", is_older()).await;
    assert_eq!(report["clinic"]["stable"], "1.1.0", "{report}");
    assert_eq!(report["ward"]["stable"], "1.0.0", "{report}");

    // An unsigned entry does not replace it either.
    keys.point(origin, &json!({"stable": "1.0.0", "moves": 9}));
    site = again(&site, &flags).await;
    let unsigned = refused("clinic", "signature", "is missing");
    let report = report_of(&site, "refused", unsigned).await;
    assert_eq!(report["clinic"]["stable"], "1.1.0", "{report}");

    // Removing the team does not help: its move count is remembered.
    let ward = keys.ward("ward", "1.0.0");
    let shell = keys.ward("shell", "1.0.0");
    write(origin, &shell, &json!({"ward": ward}));
    site = again(&site, &flags).await;
    report_of(&site, "away", |report| report["clinic"].is_null()).await;
    keys.point(origin, &older);
    site = again(&site, &flags).await;
    let report = report_of(&site, "still refused", is_older()).await;
    assert_eq!(report["clinic"]["stable"], Value::Null, "{report}");

    keys.point(origin, &keys.clinic("1.0.0", 4));
    report_of(&site, "moved on", is_good("clinic", "1.0.0")).await;
}

/// Starts another gateway on a copy of this one's folder.
async fn again(site: &Site, flags: &[&str]) -> Site {
    let kept = tempfile::tempdir().unwrap();
    copy(site.folder.path(), kept.path());
    Site::start_in(kept, flags).await
}
