//! Page modules from an origin by URL: fetched, checked, and kept while the origin is unreachable.

use std::{fs, path::Path, time::Duration};

use axum::{Router, extract::State, http::StatusCode, http::Uri};
use serde_json::json;
use tempfile::TempDir;
use tokio::{net::TcpListener, task::JoinHandle};

use crate::{
    isolation::seal,
    site::{Site, copy, publish_of, remotes},
};

/// An HTTP origin that serves the files of a folder.
pub(crate) struct Store {
    pub(crate) folder: TempDir,
    pub(crate) url: String,
    server: JoinHandle<()>,
}

async fn file(State(folder): State<std::path::PathBuf>, uri: Uri) -> (StatusCode, Vec<u8>) {
    match fs::read(folder.join(uri.path().trim_start_matches('/'))) {
        Ok(bytes) => (StatusCode::OK, bytes),
        Err(_) => (StatusCode::NOT_FOUND, Vec::new()),
    }
}

impl Store {
    async fn start() -> Self {
        let folder = remotes();
        for name in ["shell/1.0.0", "ward/1.0.0", "clinic/1.0.0"] {
            seal(&folder.path().join(name), None);
        }
        Self::of(folder).await
    }

    pub(crate) async fn of(folder: TempDir) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        let router = Router::new().fallback(file);
        let router = router.with_state(folder.path().to_owned());
        let server = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self {
            folder,
            url,
            server,
        }
    }

    fn point(&self, clinic: &str, ward: &str) {
        let pointers = json!({"contract": 2, "shell": {"stable": "1.0.0"},
            "teams": {"clinic": {"stable": clinic}, "ward": {"stable": ward}}});
        fs::write(
            self.folder.path().join("remotes.json"),
            pointers.to_string(),
        )
        .unwrap();
    }
}

async fn shows(site: &Site, team: &str, version: &str) {
    for _ in 0..400 {
        if site.remotes().await["remotes"][team]["stable"] == *version {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{team} {version}: {}", site.remotes().await);
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn fetches_verifies_and_stores_versions_of_an_origin() {
    let store = Store::start().await;
    let flag = format!("--remotes-url={}", store.url);
    let site = Site::start_in(tempfile::tempdir().unwrap(), &[&flag]).await;
    assert!(site.get("/list").await.text().contains("List 1.0.0"));
    // One of the two new versions was altered in transit.
    publish_of(
        store.folder.path(),
        "clinic",
        "1.1.0",
        "server.js",
        "'1.0.0'",
        "'1.1.0'",
    );
    publish_of(
        store.folder.path(),
        "ward",
        "1.1.0",
        "module.json",
        "\"name\": \"ward\"",
        "\"name\":  \"ward\"",
    );
    let clinic = store.folder.path().join("clinic/1.1.0");
    for new in [&clinic, &store.folder.path().join("ward/1.1.0")] {
        seal(new, None);
    }
    let whole = fs::read(clinic.join("server.js")).unwrap();
    fs::write(clinic.join("server.js"), "stolen()").unwrap();
    store.point("1.1.0", "1.1.0");
    shows(&site, "ward", "1.1.0").await;
    let report = site.remotes().await["remotes"]["clinic"].clone();
    assert_eq!(
        (&report["stable"], &report["wanted"]),
        (&json!("1.0.0"), &json!("1.1.0"))
    );
    let fetched = names(&site.folder.path().join("clinic"));
    assert!(!fetched.contains(&"1.1.0".to_owned()), "{fetched:?}");
    fs::write(clinic.join("server.js"), whole).unwrap();
    shows(&site, "clinic", "1.1.0").await;
    // Without the origin, fetched versions are still served, even by a restarted gateway.
    store.server.abort();
    drop(store.folder);
    assert!(site.get("/list?q=away").await.text().contains("List 1.1.0"));
    let kept = tempfile::tempdir().unwrap();
    copy(site.folder.path(), kept.path());
    let again = Site::start_in(kept, &[&flag]).await;
    shows(&again, "clinic", "1.1.0").await;
}
