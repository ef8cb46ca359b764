//! A real SMTP server (aiosmtpd, from Debian) with scripted failures; see `server.py`.

use std::{
    process::Stdio,
    sync::{Arc, Mutex},
    time::Duration,
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use serde::Deserialize;
use tempfile::TempDir;
use test_kit::process::PATIENCE;
use tokio::{
    io::{AsyncBufReadExt as _, BufReader},
    process::{Child, Command},
    sync::Notify,
    task::JoinHandle,
};

/// Debian's interpreter; its packages are not installed for any other.
const PYTHON: &str = "/usr/bin/python3";
const PROGRAM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mail/server.py");

/// A mail accepted by the server.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Taken {
    pub(crate) from: String,
    pub(crate) to: Vec<String>,
    pub(crate) tls: bool,
    body: String,
}

impl Taken {
    pub(crate) fn text(&self) -> String {
        let bytes = STANDARD.decode(&self.body).expect("base64");
        String::from_utf8(bytes).expect("a mail of ASCII")
    }

    pub(crate) fn message_id(&self) -> String {
        header(&self.text(), "Message-ID")
    }
}

/// Returns the unfolded value of a header, which must occur at most once.
pub(crate) fn header(mail: &str, name: &str) -> String {
    let (head, _) = mail.split_once("\r\n\r\n").expect("headers");
    let unfolded = head.replace("\r\n ", " ").replace("\r\n\t", " ");
    let prefix = format!("{name}: ");
    let mut found = unfolded
        .split("\r\n")
        .filter_map(|line| line.strip_prefix(&prefix));
    let value = found.next().unwrap_or_default().to_owned();
    assert!(found.next().is_none(), "{name} is there once");
    value
}

#[derive(Deserialize)]
struct Said {
    port: Option<u16>,
    event: Option<String>,
    mail: Option<Taken>,
}

#[derive(Debug, Default)]
struct Log {
    taken: Mutex<Vec<Taken>>,
    events: Mutex<Vec<String>>,
    said: Notify,
}

/// The server process; killed when dropped.
#[derive(Debug)]
pub(crate) struct Server {
    pub(crate) port: u16,
    log: Arc<Log>,
    child: Child,
    reader: JoinHandle<()>,
}

impl Server {
    /// Starts a server on a free port, without TLS.
    pub(crate) async fn start(plan: &[&str]) -> Self {
        Self::start_with(&["--plan", &plan.join(",")]).await
    }

    pub(crate) async fn start_with(arguments: &[&str]) -> Self {
        let mut child = Command::new(PYTHON)
            .arg(PROGRAM)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("python3 of Debian with python3-aiosmtpd");
        let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
        let first = tokio::time::timeout(PATIENCE, lines.next_line()).await;
        let first = first.expect("in time").expect("a line");
        let first = first.expect("`apt-get install python3-aiosmtpd` first");
        let first: Said = serde_json::from_str(&first).expect("JSON");
        let log = Arc::new(Log::default());
        let kept = Arc::clone(&log);
        let reader = tokio::spawn(async move {
            while let Ok(Some(line)) = lines.next_line().await {
                let said: Said = serde_json::from_str(&line).expect("JSON");
                kept.taken.lock().expect("a log").extend(said.mail);
                kept.events.lock().expect("a log").extend(said.event);
                kept.said.notify_waiters();
            }
            kept.said.notify_waiters();
        });
        Self {
            port: first.port.expect("a port"),
            log,
            child,
            reader,
        }
    }

    pub(crate) fn url(&self) -> String {
        format!("smtp://127.0.0.1:{}?tls=none", self.port)
    }

    /// Returns every mail accepted so far.
    pub(crate) fn taken(&self) -> Vec<Taken> {
        self.log.taken.lock().expect("a log").clone()
    }

    /// Waits until the server has accepted this many mails.
    pub(crate) async fn wait_for(&self, mails: usize) -> Vec<Taken> {
        self.wait("mails", || self.taken().len() >= mails).await;
        self.taken()
    }

    /// Waits until the server has logged this event `count` times.
    pub(crate) async fn wait_for_event(&self, event: &str, count: usize) {
        let seen = || {
            let events = self.log.events.lock().expect("a log");
            events.iter().filter(|word| *word == event).count() >= count
        };
        self.wait(event, seen).await;
    }

    async fn wait(&self, what: &str, done: impl Fn() -> bool) {
        let waiting = async {
            loop {
                let said = self.log.said.notified();
                if done() {
                    return;
                }
                // A notification between the check and the wait could be missed, so poll every 200 ms as well.
                _ = tokio::time::timeout(Duration::from_millis(200), said).await;
            }
        };
        tokio::time::timeout(PATIENCE, waiting)
            .await
            .unwrap_or_else(|_| panic!("{what}: {:?}", self.log));
    }

    /// Kills the server, as if its machine failed; returns the accepted mails.
    pub(crate) async fn stop(mut self) -> Vec<Taken> {
        self.child.kill().await.expect("its end");
        self.reader.await.expect("its output");
        self.log.taken.lock().expect("a log").clone()
    }
}

/// A server certificate and the authority that issued it.
#[derive(Debug)]
pub(crate) struct Certificate {
    folder: TempDir,
}

impl Certificate {
    pub(crate) fn of(name: &str) -> Self {
        let mut authority = CertificateParams::default();
        authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().expect("a key");
        let authority = CertifiedIssuer::self_signed(authority, key).expect("an authority");
        let key = KeyPair::generate().expect("a key");
        let certificate = CertificateParams::new([name.to_owned()])
            .and_then(|parameters| parameters.signed_by(&key, &authority))
            .expect("a certificate");
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: String| {
            std::fs::write(folder.path().join(name), text).expect("a file");
        };
        write("authority.pem", authority.pem());
        write("certificate.pem", certificate.pem());
        write("key.pem", key.serialize_pem());
        Self { folder }
    }

    pub(crate) fn authority(&self) -> Vec<u8> {
        std::fs::read(self.folder.path().join("authority.pem")).expect("a file")
    }

    /// Starts a server with this certificate.
    pub(crate) async fn server(&self, tls: &str) -> Server {
        self.server_with(tls, &[]).await
    }

    pub(crate) async fn server_with(&self, tls: &str, more: &[&str]) -> Server {
        let path = |name: &str| self.folder.path().join(name).display().to_string();
        let (certificate, key) = (path("certificate.pem"), path("key.pem"));
        let own = ["--tls", tls, "--certificate", &certificate, "--key", &key];
        Server::start_with(&[&own, more].concat()).await
    }
}
