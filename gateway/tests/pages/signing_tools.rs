//! A gateway with keys accepts what our own tools sign: `cargo xtask publish` and the page module images.

use std::{
    fs,
    io::{Seek as _, Write as _},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use serde_json::{Value, json};

use crate::{
    isolation::report_of,
    signatures::{POINTER, is_good, refused, write},
    site::{Site, publish_of, remotes},
};

/// Creates a key in `folder`; returns its path and the public key.
fn made_key(folder: &Path) -> (PathBuf, String) {
    let make = "const { privateKey, publicKey } = require('node:crypto').generateKeyPairSync('ed25519');\
        require('node:fs').writeFileSync('key.pem', privateKey.export({ type: 'pkcs8', format: 'pem' }));\
        const { x } = publicKey.export({ format: 'jwk' });\
        process.stdout.write(Buffer.from(x, 'base64url').toString('base64'));";
    let public = node(folder, &["-e", make], "");
    (folder.join("key.pem"), public)
}

/// Writes the key list in which all teams have this key; returns the gateway's flag.
fn keys_of_all(folder: &Path, public: &str) -> String {
    let keys = json!({"shell": [public], "clinic": [public], "ward": [public]});
    let file = folder.join("keys.json");
    fs::write(&file, keys.to_string()).unwrap();
    format!("--remotes-keys={}", file.display())
}

/// Returns the path of a file of this repository.
fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name)
}

/// The gateway accepts the output of the scripts behind `cargo xtask publish`, with a key of the test.
#[tokio::test(flavor = "multi_thread")]
async fn accepts_signatures_of_the_publisher() {
    let folder = remotes();
    let (key, public) = made_key(folder.path());
    let key = key.to_str().unwrap();
    let sign = |context: &str, text: &str| {
        let sign = script("xtask/src/publish/sign.mjs");
        node(folder.path(), &[sign.to_str().unwrap(), key, context], text)
    };
    let mut entries = ["shell", "clinic", "ward"].map(|name| {
        let at = folder.path().join(name).join("1.0.0");
        let seal = script("xtask/src/publish/seal.mjs");
        node(&at, &[seal.to_str().unwrap()], "");
        let manifest = fs::read_to_string(at.join("integrity.json")).unwrap();
        let signature = sign("hospital page modules, integrity 1\n", &manifest);
        fs::write(at.join("integrity.sig"), signature).unwrap();
        let signed = json!({"name": name, "stable": "1.0.0"}).to_string();
        json!({"stable": "1.0.0", "signature": sign(POINTER, &signed), "signed": signed})
    });
    let [shell, clinic, ward] = entries.each_mut().map(Value::take);
    write(
        folder.path(),
        &shell,
        &json!({"clinic": clinic, "ward": ward}),
    );
    let flag = keys_of_all(folder.path(), &public);
    let site = Site::start_in(folder, &[&flag]).await;
    let report = site.remotes().await["remotes"].clone();
    for team in ["shell", "ward", "clinic"] {
        assert!(is_good(team, "1.0.0")(&report), "{report}");
    }
}

/// The gateway shows what page module images publish with a key. Without a key it keeps the previous version.
#[tokio::test(flavor = "multi_thread")]
async fn accepts_signatures_of_a_page_module_image() {
    // Content of the images.
    let images = remotes();
    publish_of(
        images.path(),
        "clinic",
        "1.1.0",
        "server.js",
        "'1.0.0'",
        "'1.1.0'",
    );
    let keys = tempfile::tempdir().unwrap();
    let (key, public) = made_key(keys.path());
    let publish = |to: &Path, name: &str, version: &str, key: Option<&Path>| {
        let pages = images.path().join(name).join(version);
        let seal = script("xtask/src/publish/seal.mjs");
        node(&pages, &[seal.to_str().unwrap()], "");
        let what = json!({"pages": pages, "remotes": to, "name": name, "keyFile": key});
        let line = format!(
            "import({}).then(({{ publish }}) => publish({what}))",
            json!(script("deploy/docker/publish.mjs"))
        );
        node(keys.path(), &["-e", &line], "");
    };
    let teams = ["shell", "ward", "clinic"];
    let folder = tempfile::tempdir().unwrap();
    for name in teams {
        publish(folder.path(), name, "1.0.0", Some(&key));
    }
    let flag = keys_of_all(keys.path(), &public);
    let site = Site::start_in(folder, &[&flag]).await;
    for team in teams {
        report_of(&site, "signed", is_good(team, "1.0.0")).await;
    }
    publish(site.folder.path(), "clinic", "1.1.0", None);
    let is_missing = refused("clinic", "signature", "is missing");
    let report = report_of(&site, "not signed", is_missing).await;
    assert_eq!(report["clinic"]["stable"], "1.0.0", "{report}");
    publish(site.folder.path(), "clinic", "1.1.0", Some(&key));
    report_of(&site, "signed afterwards", is_good("clinic", "1.1.0")).await;
}

/// Runs a script with `input` on standard input; returns its output.
fn node(at: &Path, arguments: &[&str], input: &str) -> String {
    let mut given = tempfile::tempfile().unwrap();
    given.write_all(input.as_bytes()).unwrap();
    given.rewind().unwrap();
    let ran = Command::new("node")
        .args(arguments)
        .current_dir(at)
        .stdin(Stdio::from(given))
        .output();
    let ran = ran.expect("node runs");
    assert!(
        ran.status.success(),
        "{}",
        String::from_utf8_lossy(&ran.stderr)
    );
    String::from_utf8(ran.stdout).expect("UTF-8")
}
