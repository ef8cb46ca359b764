//! G1: the unread-response attacks over each transport: HTTP/1.1 and HTTP/2, in clear text and over TLS.

use std::{
    sync::atomic::Ordering::SeqCst,
    time::{Duration, Instant},
};

use futures::future::join_all;
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
    task::JoinSet,
};
use tokio_rustls::{TlsConnector, rustls::version};

use crate::{
    door::{Door, PATIENCE, eventually, status},
    http2::Client,
    tls::{self, Files},
};

/// A response of a few hundred kilobytes of JSON.
const LARGE: &str = "/api/openapi.json";
const CLOSED: &str = "http_server_connections_closed_total";
const OPEN: &str = "http_server_connections_open";
const ATTACKERS: usize = 300;
/// Number of pipelined requests: their responses exceed a socket's buffers.
const PIPELINED: usize = 20;
/// Maximum wait of a visitor, on a machine that runs other tests too.
const VISIT_MAX: Duration = Duration::from_secs(5);

/// A connection, with or without TLS.
trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}
impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

/// Opens connections to a gateway, over TLS if it has a certificate.
struct Site {
    door: Door,
    files: Option<Files>,
}

impl Site {
    async fn start(is_tls: bool, flags: &[&str]) -> Self {
        let files = is_tls.then(Files::new);
        let door = match &files {
            Some(files) => files.start(flags).await,
            None => Door::start(flags).await,
        };
        Self { door, files }
    }

    /// Returns a TLS client that offers this protocol; `None` for clear text.
    fn tls(&self, protocol: &[u8]) -> Option<TlsConnector> {
        let files = self.files.as_ref()?;
        Some(files.client(&version::TLS13, protocol))
    }

    /// Connects from `source` with a receive buffer of a few kilobytes.
    async fn connect(&self, source: &str, protocol: &[u8]) -> Box<dyn Stream> {
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(4096).unwrap();
        socket.bind(format!("{source}:0").parse().unwrap()).unwrap();
        let stream: TcpStream = socket.connect(self.door.address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        match self.tls(protocol) {
            Some(client) => Box::new(tls::secure(&client, stream).await),
            None => Box::new(stream),
        }
    }

    /// Returns the status of a new visitor's probe.
    async fn visit(&self) -> u16 {
        let mut stream = self.connect("127.0.0.1", b"http/1.1").await;
        let request = b"GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
        stream.write_all(request).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        status(&answer)
    }

    async fn closed(&self) -> f64 {
        self.door.metric(CLOSED, "write_timeout").await
    }
}

/// Returns the bytes in the kernel's send queues for connections of this local port, including closed ones.
fn unsent(port: u16) -> u64 {
    let sockets = std::fs::read_to_string("/proc/net/tcp").unwrap();
    let own = sockets.lines().filter_map(|line| {
        let mut fields = line.split_whitespace().skip(1);
        let is_own = fields.next()?.ends_with(&format!(":{port:04X}"));
        let queue = fields.nth(2)?.split_once(':')?.0;
        is_own.then(|| u64::from_str_radix(queue, 16).ok())?
    });
    own.sum()
}

fn attacker(n: usize) -> String {
    format!("127.0.3.{}", n % 5 + 1)
}

#[tokio::test]
async fn closes_tls_on_a_shut_or_one_byte_window() {
    let site = Site::start(true, &["--write-timeout-ms-max=500"]).await;
    for path in ["/healthz", "/api/docs", LARGE] {
        for window in [0, 1] {
            let before = site.closed().await;
            let stream = site.connect("127.0.0.1", b"h2").await;
            let mut client = Client::over(stream, window).await;
            let asked = client.get(path).await;
            if window == 1 && path == LARGE {
                client.drip(asked, 1, Duration::from_millis(10)).await;
            }
            client.end().await;
            assert!(site.closed().await > before, "{path} with {window}");
        }
    }
    assert_eq!(site.visit().await, 200);
}

#[tokio::test]
async fn closes_http1_on_answers_read_byte_by_byte() {
    for is_tls in [false, true] {
        let site = Site::start(is_tls, &["--write-timeout-ms-max=500"]).await;
        let before = site.closed().await;
        let stream = site.connect("127.0.0.1", b"http/1.1").await;
        let (mut from, mut to) = tokio::io::split(stream);
        let asks = tokio::spawn(async move { pipeline(&mut to).await });
        let started = Instant::now();
        // Reads until the gateway has closed the connection.
        while site.closed().await <= before {
            from.read_u8().await.unwrap();
            tokio::time::sleep(Duration::from_millis(10)).await;
            assert!(started.elapsed() < PATIENCE, "still open, TLS: {is_tls}");
        }
        drop(from);
        asks.await.unwrap();
    }
}

/// Requests large responses until all requests are sent or the peer has closed.
async fn pipeline(to: &mut (impl AsyncWrite + Unpin)) {
    let request = format!("GET {LARGE} HTTP/1.1\r\nhost: localhost\r\n\r\n");
    for _ in 0..PIPELINED {
        if to.write_all(request.as_bytes()).await.is_err() || to.flush().await.is_err() {
            return;
        }
    }
}

/// Checks that visitors are served while attackers occupy all connection slots.
async fn visitors_are_answered(site: &Site) {
    for _ in 0..5 {
        let started = Instant::now();
        assert_eq!(site.visit().await, 200);
        let waited = started.elapsed();
        assert!(waited < VISIT_MAX, "{waited:?}");
    }
}

#[tokio::test]
async fn unread_http1_answers_on_300_connections_do_not_block_the_site() {
    for is_tls in [false, true] {
        let flags = [
            "--connections-max=300",
            "--write-timeout-ms-max=2000",
            "--address-calls-max=100000",
        ];
        let site = Site::start(is_tls, &flags).await;
        let before = site.closed().await;
        let connecting =
            (0..ATTACKERS).map(async |n| site.connect(&attacker(n), b"http/1.1").await);
        let mut attackers = JoinSet::new();
        for mut stream in join_all(connecting).await {
            attackers.spawn(async move {
                pipeline(&mut stream).await;
                std::future::pending::<()>().await;
            });
        }
        visitors_are_answered(&site).await;
        // The connections end although their clients stay, and the kernel keeps none of their data.
        let are_closed = async || site.door.metric(OPEN, "").await <= 1.0;
        eventually("all unread connections to be closed", are_closed).await;
        assert!(site.closed().await > before, "TLS: {is_tls}");
        let port = site.door.address.port();
        assert_eq!(unsent(port), 0, "TLS: {is_tls}");
        visitors_are_answered(&site).await;
    }
}

#[tokio::test]
async fn unread_http2_answers_on_300_tls_connections_do_not_block_the_site() {
    let flags = ["--connections-max=300", "--write-timeout-ms-max=2000"];
    let site = Site::start(true, &flags).await;
    let connecting = (0..ATTACKERS).map(async |n| {
        let stream = site.connect(&attacker(n), b"h2").await;
        let mut client = Client::over(stream, 0).await;
        client.get(LARGE).await;
        client
    });
    let unread = join_all(connecting).await;
    visitors_are_answered(&site).await;
    for client in unread {
        assert_eq!(client.seen.data.load(SeqCst), 0);
        client.end().await;
    }
    visitors_are_answered(&site).await;
}
