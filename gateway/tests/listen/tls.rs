//! TLS of the site, with a private test authority.

use std::{fs, net::SocketAddr, path::Path, sync::Arc};

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};
use tokio_rustls::{
    TlsConnector,
    client::TlsStream,
    rustls::{
        ClientConfig, HandshakeKind, ProtocolVersion, RootCertStore, SupportedProtocolVersion,
        crypto::ring, pki_types::CertificateDer, pki_types::ServerName, version,
    },
};

use crate::door::{Door, PROBE, eventually, rest, status};

/// Certificate and key of a site in a folder, with their authority.
pub(crate) struct Files {
    folder: tempfile::TempDir,
    authority: CertifiedIssuer<'static, KeyPair>,
}

impl Files {
    pub(crate) fn new() -> Self {
        let mut parameters = CertificateParams::default();
        parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        let files = Self {
            folder: tempfile::tempdir().unwrap(),
            authority: CertifiedIssuer::self_signed(parameters, key).unwrap(),
        };
        files.certify();
        files
    }

    /// Writes a new certificate and key; returns the certificate.
    fn certify(&self) -> CertificateDer<'static> {
        let key = KeyPair::generate().unwrap();
        let parameters = CertificateParams::new(["localhost".to_owned()]).unwrap();
        let certificate = parameters.signed_by(&key, &self.authority).unwrap();
        fs::write(self.path("site.key"), key.serialize_pem()).unwrap();
        fs::write(self.path("site.pem"), certificate.pem()).unwrap();
        certificate.der().clone()
    }

    fn path(&self, name: &str) -> String {
        let path: &Path = self.folder.path();
        path.join(name).to_str().unwrap().to_owned()
    }

    pub(crate) async fn start(&self, flags: &[&str]) -> Door {
        let certificate = format!("--tls-certificate={}", self.path("site.pem"));
        let key = format!("--tls-key={}", self.path("site.key"));
        let flags: Vec<&str> = [certificate.as_str(), &key]
            .into_iter()
            .chain(flags.iter().copied())
            .collect();
        Door::start(&flags).await
    }

    pub(crate) fn client(
        &self,
        version: &'static SupportedProtocolVersion,
        alpn: &[u8],
    ) -> TlsConnector {
        let mut roots = RootCertStore::empty();
        roots.add(self.authority.der().clone()).unwrap();
        let mut config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_protocol_versions(&[version])
            .unwrap()
            .with_root_certificates(roots)
            .with_no_client_auth();
        config.alpn_protocols = vec![alpn.to_vec()];
        TlsConnector::from(Arc::new(config))
    }
}

pub(crate) async fn connect(client: &TlsConnector, address: SocketAddr) -> TlsStream<TcpStream> {
    secure(client, TcpStream::connect(address).await.unwrap()).await
}

/// Performs the TLS handshake on an open connection.
pub(crate) async fn secure(client: &TlsConnector, stream: TcpStream) -> TlsStream<TcpStream> {
    let name = ServerName::try_from("localhost").unwrap();
    client.connect(name, stream).await.unwrap()
}

/// Sends a request and reads to the end of the connection.
pub(crate) async fn exchange(stream: &mut TlsStream<TcpStream>) -> String {
    let request = b"GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
    stream.write_all(request).await.unwrap();
    let mut answer = String::new();
    // Fails without a TLS close_notify, so that a truncated response is noticed.
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}

#[tokio::test]
async fn serves_both_versions_of_tls_and_http() {
    let files = Files::new();
    let door = files.start(&[]).await;
    for (version, expected) in [
        (&version::TLS13, ProtocolVersion::TLSv1_3),
        (&version::TLS12, ProtocolVersion::TLSv1_2),
    ] {
        let client = files.client(version, b"http/1.1");
        let mut stream = connect(&client, door.address).await;
        assert_eq!(stream.get_ref().1.protocol_version(), Some(expected));
        assert_eq!(status(&exchange(&mut stream).await), 200);

        let client = files.client(version, b"h2");
        let stream = connect(&client, door.address).await;
        assert_eq!(stream.get_ref().1.alpn_protocol(), Some(&b"h2"[..]));
        let (mut client, connection) = h2::client::handshake(stream).await.unwrap();
        let connection = tokio::spawn(connection);
        let request = http::Request::get("https://localhost/healthz");
        let (answer, _) = client
            .send_request(request.body(()).unwrap(), true)
            .unwrap();
        assert_eq!(answer.await.unwrap().status(), 200);
        drop(client);
        connection.await.unwrap().unwrap();
    }
}

#[tokio::test]
async fn resumes_a_session() {
    let files = Files::new();
    let door = files.start(&[]).await;
    for version in [&version::TLS13, &version::TLS12] {
        let client = files.client(version, b"http/1.1");
        let mut first = connect(&client, door.address).await;
        assert_eq!(status(&exchange(&mut first).await), 200);
        let mut again = connect(&client, door.address).await;
        assert_eq!(status(&exchange(&mut again).await), 200);
        let kind = again.get_ref().1.handshake_kind();
        assert_eq!(kind, Some(HandshakeKind::Resumed));
    }
}

#[tokio::test]
async fn reloads_a_certificate_without_closing_connections() {
    let files = Files::new();
    let door = files.start(&[]).await;
    let client = files.client(&version::TLS13, b"http/1.1");
    let mut old = connect(&client, door.address).await;
    old.write_all(PROBE).await.unwrap();
    let mut answer = vec![0; 15];
    old.read_exact(&mut answer).await.unwrap();
    assert_eq!(answer, b"HTTP/1.1 200 OK");

    // Unusable files change nothing.
    let before = door.metric("tls_certificates_refused_total", "").await;
    fs::write(files.path("site.pem"), "-----BEGIN CERT").unwrap();
    eventually("the bad file to be seen", async || {
        door.metric("tls_certificates_refused_total", "").await > before
    })
    .await;
    connect(&client, door.address).await;

    let new = files.certify();
    eventually("the new certificate", async || {
        // A new client, which has no session to resume.
        let client = files.client(&version::TLS13, b"http/1.1");
        let stream = connect(&client, door.address).await;
        stream.get_ref().1.peer_certificates().unwrap()[0] == new
    })
    .await;
    let resumed = connect(&client, door.address).await;
    let kind = resumed.get_ref().1.handshake_kind();
    assert_eq!(kind, Some(HandshakeKind::Resumed), "sessions outlive it");
    assert_eq!(status(&drained(&mut old).await), 200);
}

/// Makes a last exchange on a connection whose previous response was partly read.
async fn drained(stream: &mut TlsStream<TcpStream>) -> String {
    let text = exchange(stream).await;
    text[text.find("HTTP/1.1 ").expect("an answer")..].to_owned()
}

#[tokio::test]
async fn closes_without_a_handshake() {
    let files = Files::new();
    let door = files.start(&["--handshake-timeout-ms-max=300"]).await;
    let closed = "http_server_connections_closed_total";
    let before = door.metric(closed, "handshake_timeout").await;
    // First nothing, then the beginning of a ClientHello.
    for bytes in [&b""[..], &[0x16, 3, 1, 2, 0, 1]] {
        let mut stream = door.connect().await;
        stream.write_all(bytes).await.unwrap();
        rest(&mut stream).await;
    }
    assert!(door.metric(closed, "handshake_timeout").await >= before + 2.0);
    // Clear text is not a handshake.
    let bad = door.metric(closed, "bad_handshake").await;
    let answer = door.tell(PROBE).await;
    assert!(!answer.contains("HTTP/1.1"), "{answer}");
    assert!(door.metric(closed, "bad_handshake").await > bad);
}

#[tokio::test]
async fn redirects_clear_text_to_the_sites_origin() {
    let files = Files::new();
    let flags = [
        "--redirect-listen=127.0.0.1:0",
        "--redirect-to=https://www.example.org",
    ];
    let door = files.start(&flags).await;
    let mut stream = TcpStream::connect(door.redirect.unwrap()).await.unwrap();
    let request = b"GET /doctors?q=%20a HTTP/1.1\r\nhost: evil.example\r\n\r\n";
    stream.write_all(request).await.unwrap();
    let answer = crate::door::head(&mut stream).await;
    assert_eq!(status(&answer), 308);
    let location = "location: https://www.example.org/doctors?q=%20a\r\n";
    assert!(answer.contains(location), "{answer}");
}

#[tokio::test]
async fn unusable_files_fail_the_start() {
    let files = Files::new();
    fs::write(files.path("site.key"), "nothing").unwrap();
    let error = files.start(&[]).await.stop().await.unwrap_err();
    let expected = format!("TLS_KEY: {}: holds no private key", files.path("site.key"));
    assert_eq!(error.to_string(), expected);
    // A key that does not match the certificate.
    fs::write(
        files.path("site.key"),
        KeyPair::generate().unwrap().serialize_pem(),
    )
    .unwrap();
    let error = files.start(&[]).await.stop().await.unwrap_err();
    let expected = "TLS_CERTIFICATE and TLS_KEY: ";
    assert!(error.to_string().starts_with(expected), "{error}");
}
