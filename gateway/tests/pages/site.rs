//! A complete gateway on a free port: the fixtures' page modules, and the API in front of a real gRPC health service.

use std::{
    fs,
    io::{self, ErrorKind, Read as _},
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use axum::{
    body::Body,
    http::{HeaderMap, Method, Request, Response, StatusCode, header},
};
use bytes::Bytes;
use clap::Parser;
use gateway::{Gateway, config::Config};
use gateway_listen::Listeners;
use http_body_util::{BodyExt as _, Full};
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::TokioExecutor,
};
use serde_json::Value;
use tempfile::TempDir;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::upstream::{self, Upstream};

/// Time limit of every expected event.
const PATIENCE: Duration = Duration::from_secs(20);

/// Flags that raise the limits which other tests cover.
const NO_LIMITS: [&str; 4] = [
    "--visitor-calls-max=10000",
    "--address-calls-max=10000",
    "--address-documents-max=100000",
    "--address-requests-in-flight-max=10000",
];

#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    config: Config,
}

pub(crate) struct Site {
    pub(crate) folder: TempDir,
    pub(crate) upstream: Arc<Upstream>,
    address: SocketAddr,
    operators: SocketAddr,
    client: Client<HttpConnector, Full<Bytes>>,
    server: JoinHandle<()>,
    /// Stops the gateway in an orderly way.
    pub(crate) stopping: CancellationToken,
}

pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Site {
    pub(crate) async fn start() -> Self {
        Self::start_with(&[]).await
    }

    /// Starts with further command-line flags.
    pub(crate) async fn start_with(flags: &[&str]) -> Self {
        let flags: Vec<&str> = NO_LIMITS.iter().chain(flags).copied().collect();
        Self::begin(&flags, Arc::new(Upstream::start().await)).await
    }

    /// Starts with a shell of contract version 2.
    pub(crate) async fn start_with_new_shell(flags: &[&str]) -> Self {
        let flags: Vec<&str> = NO_LIMITS.iter().chain(flags).copied().collect();
        let folder = remotes();
        let json = fs::read_to_string(folder.path().join("remotes.json")).expect("a fixture");
        let new = json.replacen("1.0.0", "2.0.0", 1);
        assert!(new.contains(r#""shell": { "stable": "2.0.0" }"#), "{new}");
        fs::write(folder.path().join("remotes.json"), new).expect("writable");
        Self::begin_in(folder, &flags, Arc::new(Upstream::start().await)).await
    }

    /// Starts another gateway in front of the same upstream.
    pub(crate) async fn beside(&self, flags: &[&str]) -> Self {
        let flags: Vec<&str> = NO_LIMITS.iter().chain(flags).copied().collect();
        Self::begin(&flags, Arc::clone(&self.upstream)).await
    }

    /// Starts with the default limits, or those of the flags.
    pub(crate) async fn start_limited(flags: &[&str]) -> Self {
        Self::begin(flags, Arc::new(Upstream::start().await)).await
    }

    /// Starts while the upstream is down.
    pub(crate) async fn start_without_upstream() -> Self {
        let upstream = Upstream::start().await;
        upstream.stop().await;
        Self::begin(&NO_LIMITS, Arc::new(upstream)).await
    }

    /// Starts with the page modules of `folder`.
    pub(crate) async fn start_in(folder: TempDir, flags: &[&str]) -> Self {
        let flags: Vec<&str> = NO_LIMITS.iter().chain(flags).copied().collect();
        Self::begin_in(folder, &flags, Arc::new(Upstream::start().await)).await
    }

    async fn begin(flags: &[&str], upstream: Arc<Upstream>) -> Self {
        Self::begin_in(remotes(), flags, upstream).await
    }

    async fn begin_in(folder: TempDir, flags: &[&str], upstream: Arc<Upstream>) -> Self {
        let gateway = gateway(folder.path(), &upstream, flags).await;
        let address = gateway.listeners.public.local_addr().expect("bound");
        let operators = gateway.listeners.operators.as_ref().expect("bound");
        let operators = operators.address();
        let stopping = CancellationToken::new();
        let stopped = stopping.clone().cancelled_owned();
        let server = tokio::spawn(async move {
            gateway::serve(gateway, stopped)
                .await
                .expect("page modules load");
        });
        let client = Client::builder(TokioExecutor::new()).build_http();
        let site = Self {
            folder,
            upstream,
            address,
            operators,
            client,
            server,
            stopping,
        };
        // Connections wait in the listener's backlog. The first response means that the page modules are loaded.
        assert_eq!(site.get("/readyz").await.status, StatusCode::OK);
        site
    }

    pub(crate) async fn get(&self, path: &str) -> Reply {
        self.send(Method::GET, path, &[], "").await
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the operators' `/metrics`.
    pub(crate) async fn metrics(&self) -> Reply {
        let request = Request::builder().uri(format!("http://{}/metrics", self.operators));
        let request = request.body(Full::default()).expect("a valid request");
        self.answered(request).await
    }

    /// Returns the value of a counter by its series; `None` if the series does not exist.
    pub(crate) async fn counted(&self, series: &str) -> Option<u64> {
        let metrics = self.metrics().await;
        let mut lines = metrics.text().lines();
        let value = lines.find_map(|line| line.strip_prefix(series)?.strip_prefix(' '))?;
        Some(value.parse().expect("a count"))
    }

    /// Returns the operators' report on page modules.
    pub(crate) async fn remotes(&self) -> Value {
        self.operators_report("/remotes").await
    }

    /// Returns a report of the operators' listener.
    pub(crate) async fn operators_report(&self, path: &str) -> Value {
        let request = Request::builder().uri(format!("http://{}{path}", self.operators));
        let request = request.body(Full::default()).expect("a valid request");
        serde_json::from_slice(&self.answered(request).await.body).expect("JSON")
    }

    pub(crate) async fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> Reply {
        self.send(Method::GET, path, headers, "").await
    }

    pub(crate) async fn post(&self, path: &str, form: &str) -> Reply {
        let content_type = (
            header::CONTENT_TYPE.as_str(),
            "application/x-www-form-urlencoded",
        );
        self.send(Method::POST, path, &[content_type], form).await
    }

    pub(crate) async fn send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Reply {
        let mut request = Request::builder()
            .method(method)
            .uri(format!("http://{}{path}", self.address));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request
            .body(Full::from(body.to_owned()))
            .expect("a valid request");
        self.answered(request).await
    }

    /// Returns the response to a read once its head has arrived.
    pub(crate) async fn open(&self, path: &str, headers: &[(&str, &str)]) -> Response<Body> {
        let mut request = Request::builder().uri(format!("http://{}{path}", self.address));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Full::default()).expect("a valid request");
        let response = self.client.request(request).await;
        response.expect("an answer").map(Body::new)
    }

    /// Waits until the gateway has finished after [`Self::stopping`].
    pub(crate) async fn finished(&mut self) {
        let finished = tokio::time::timeout(PATIENCE, &mut self.server).await;
        finished.expect("still serves").expect("no panic");
    }

    async fn answered(&self, request: Request<Full<Bytes>>) -> Reply {
        let response = self.client.request(request).await.expect("an answer");
        let (parts, body) = response.into_parts();
        let body = body.collect().await.expect("a whole body").to_bytes();
        Reply {
            status: parts.status,
            headers: parts.headers,
            body,
        }
    }

    /// Repeats the request until `is_there` holds.
    pub(crate) async fn poll(
        &self,
        path: &str,
        what: &str,
        is_there: impl Fn(&Reply) -> bool,
    ) -> Reply {
        let started = Instant::now();
        loop {
            let reply = self.get(path).await;
            if is_there(&reply) {
                return reply;
            }
            assert!(
                started.elapsed() < PATIENCE,
                "{what} did not happen; last was {}: {}",
                reply.status,
                reply.text()
            );
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Makes `remotes.json` name this version of `clinic`.
    pub(crate) fn point_to(&self, version: &str) {
        point_to(self.folder.path(), version);
    }

    /// Publishes `clinic` again as `version`, with a replacement in one of its files.
    pub(crate) fn publish(&self, version: &str, file: &str, from: &str, to: &str) {
        publish(self.folder.path(), version, file, from, to);
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.server.abort();
    }
}

impl Reply {
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("UTF-8")
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().expect("ASCII"))
    }

    /// Returns the token that failure reports about this document need.
    pub(crate) fn token(&self) -> String {
        let timings = self.headers.get_all("server-timing").iter();
        let mut timings = timings.map(|timing| timing.to_str().expect("ASCII"));
        let token = timings.find_map(|timing| timing.strip_prefix("document;desc=\""));
        token.map_or_else(String::new, |token| token.trim_end_matches('"').to_owned())
    }

    pub(crate) fn decoded(&self) -> String {
        let mut text = String::new();
        let body = &self.body[..];
        match self.header("content-encoding") {
            "br" => brotli::Decompressor::new(body, 4096).read_to_string(&mut text),
            "gzip" => flate2::read::GzDecoder::new(body).read_to_string(&mut text),
            other => panic!("not compressed: `{other}`"),
        }
        .expect("decodes");
        text
    }
}

async fn gateway(folder: &Path, upstream: &Upstream, flags: &[&str]) -> Gateway {
    let (folder, upstream) = (folder.to_str().expect("UTF-8"), upstream.flag());
    let own = [
        "gateway",
        "--listen=127.0.0.1:0",
        "--operators-listen=127.0.0.1:0",
        "--lame-duck-ms=0",
        "--remotes-dir",
        folder,
        &upstream,
    ];
    let config = Arguments::parse_from(own.iter().chain(flags)).config;
    let listeners = Listeners::bind(&config.listen).await.expect("free ports");
    Gateway {
        config,
        pool: upstream::contracts(),
        listeners,
    }
}

/// Starts a gateway with the folder; returns the reasons for its refusals.
pub(crate) async fn refusal(folder: &Path) -> String {
    let upstream = Upstream::start().await;
    let gateway = gateway(folder, &upstream, &[]).await;
    let operators = gateway.listeners.operators.as_ref().expect("bound");
    let uri = format!("http://{}/remotes", operators.address());
    let served = Box::pin(gateway::serve(gateway, std::future::pending()));
    let client: Client<HttpConnector, Full<Bytes>> =
        Client::builder(TokioExecutor::new()).build_http();
    let asked = async {
        let request = Request::builder().uri(uri).body(Full::default());
        let response = client.request(request.expect("a valid request")).await;
        let body = response.expect("an answer").into_body().collect().await;
        let bytes = body.expect("a whole body").to_bytes();
        let report: Value = serde_json::from_slice(&bytes).expect("JSON");
        let refused = report["remotes"].as_object().expect("names").values();
        let refused = refused.filter_map(|entry| entry["refused"].as_array());
        let details = refused.flatten().map(|refused| {
            let detail = refused["detail"].as_str();
            detail.expect("a text").to_owned()
        });
        details.collect::<Vec<_>>().join("\n")
    };
    let refused = async {
        tokio::select! {
            served = served => served.expect_err("must be refused").to_string(),
            details = asked => details,
        }
    };
    tokio::time::timeout(PATIENCE, refused)
        .await
        .expect("an answer")
}

/// Returns a copy of the fixtures that a test may change.
pub(crate) fn remotes() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    copy(
        &PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/remotes"),
        folder.path(),
    );
    folder
}

pub(crate) fn publish(folder: &Path, version: &str, file: &str, from: &str, to: &str) {
    publish_of(folder, "clinic", version, file, from, to);
}

/// Publishes any team of the fixtures again as `version`, with a replacement in one of its files.
pub(crate) fn publish_of(
    folder: &Path,
    team: &str,
    version: &str,
    file: &str,
    from: &str,
    to: &str,
) {
    let team = folder.join(team);
    copy(&team.join("1.0.0"), &team.join(version));
    let replace = |file: &str, from: &str, to: &str| {
        let path = team.join(version).join(file);
        let text = fs::read_to_string(&path).expect("a file of the fixtures");
        assert!(text.contains(from), "{file} does not contain {from}");
        fs::write(path, text.replace(from, to)).expect("writable");
    };
    replace(
        "module.json",
        "\"version\": \"1.0.0\"",
        &format!("\"version\": \"{version}\""),
    );
    replace(file, from, to);
}

pub(crate) fn point_to(folder: &Path, version: &str) {
    point_teams_to(folder, version, "1.0.0");
}

/// Writes the versions of the two teams: `clinic` uses contract version 1, `ward` version 2.
pub(crate) fn point_teams_to(folder: &Path, clinic: &str, ward: &str) {
    let json = format!(
        r#"{{"contract":2,"shell":{{"stable":"1.0.0"}},"teams":{{"clinic":{{"stable":"{clinic}"}},"ward":{{"stable":"{ward}"}}}}}}"#
    );
    let temporary = folder.join("remotes.json.new");
    fs::write(&temporary, json).expect("writable");
    fs::rename(temporary, folder.join("remotes.json")).expect("renamed");
}

/// Copies a folder. A gateway that runs in it may replace files meanwhile: then the copy begins again.
pub(crate) fn copy(from: &Path, to: &Path) {
    for _ in 0..100 {
        match copy_once(from, to) {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            result => return result.expect("copied"),
        }
    }
    panic!("{} is missing, or changes all the time", from.display());
}

fn copy_once(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_once(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
