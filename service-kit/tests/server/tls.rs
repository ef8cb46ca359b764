//! TLS of the RPC port, as configured on the command line, with authorities created for the test.

use std::{path::Path, sync::Arc, sync::atomic::Ordering, time::Duration};

use clap::Parser as _;
use hyper_util::rt::TokioIo;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use service_kit::server::{ServeError, ServerConfig};
use tokio::{io::AsyncReadExt, net::TcpStream};
use tokio_rustls::{
    TlsConnector,
    rustls::{
        ClientConfig, RootCertStore,
        crypto::ring,
        pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer, ServerName},
    },
};
use tonic::{
    Code,
    transport::{Channel, Endpoint},
};

use crate::running::{PATIENCE, Running, call, exchange, start};

#[derive(Debug, clap::Parser)]
struct CommandLine {
    #[command(flatten)]
    server: ServerConfig,
}

fn parse(arguments: &[&str]) -> Result<ServerConfig, clap::Error> {
    let arguments = [&["svc-test"], arguments].concat();
    CommandLine::try_parse_from(arguments).map(|line| line.server)
}

struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Authority {
    fn new() -> Self {
        let mut parameters = CertificateParams::default();
        parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        Self(CertifiedIssuer::self_signed(parameters, key).unwrap())
    }

    fn certify(&self) -> (rcgen::Certificate, KeyPair) {
        let key = KeyPair::generate().unwrap();
        let parameters = CertificateParams::new(["localhost".to_owned()]).unwrap();
        (parameters.signed_by(&key, &self.0).unwrap(), key)
    }
}

/// Files of a server that accepts only callers certified by `callers`.
struct Files {
    folder: tempfile::TempDir,
    authority: Authority,
    callers: Authority,
}

impl Files {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (authority, callers) = (Authority::new(), Authority::new());
        let (certificate, key) = authority.certify();
        std::fs::write(folder.path().join("server.pem"), certificate.pem()).unwrap();
        std::fs::write(folder.path().join("server.key"), key.serialize_pem()).unwrap();
        std::fs::write(folder.path().join("callers.pem"), callers.0.pem()).unwrap();
        Self {
            folder,
            authority,
            callers,
        }
    }

    fn path(&self, name: &str) -> String {
        text(&self.folder.path().join(name))
    }

    async fn start(&self) -> Running {
        let config = parse(&[
            "--tls-certificate",
            &self.path("server.pem"),
            "--tls-key",
            &self.path("server.key"),
            "--tls-client-ca",
            &self.path("callers.pem"),
        ]);
        start(config.unwrap()).await
    }

    /// Returns the configuration of a caller that trusts the server and presents `identity`.
    fn caller(&self, identity: Option<(rcgen::Certificate, KeyPair)>) -> ClientConfig {
        let mut roots = RootCertStore::empty();
        roots.add(self.authority.0.der().clone()).unwrap();
        let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(roots);
        let mut config = match identity {
            None => builder.with_no_client_auth(),
            Some((certificate, key)) => {
                let chain = vec![CertificateDer::from(certificate)];
                let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(key.serialize_der()));
                builder.with_client_auth_cert(chain, key).unwrap()
            }
        };
        config.alpn_protocols = vec![b"h2".to_vec()];
        config
    }
}

fn text(path: &Path) -> String {
    path.to_str().unwrap().to_owned()
}

/// Returns a gRPC channel over TLS that connects on the first call.
fn channel(running: &Running, caller: ClientConfig) -> Channel {
    let connector = TlsConnector::from(Arc::new(caller));
    let address = running.address;
    let connect = tower::service_fn(move |_| {
        let connector = connector.clone();
        async move {
            let stream = TcpStream::connect(address).await?;
            let name = ServerName::try_from("localhost").unwrap();
            let stream = connector.connect(name, stream).await?;
            Ok::<_, std::io::Error>(TokioIo::new(stream))
        }
    });
    Endpoint::from_static("http://localhost").connect_with_connector_lazy(connect)
}

#[tokio::test]
async fn serves_only_callers_of_the_known_authority() {
    let files = Files::new();
    let running = files.start().await;
    let limit = Some(Duration::from_secs(5));
    let nobody = files.caller(None);
    let untrusted = files.caller(Some(Authority::new().certify()));
    for caller in [nobody, untrusted] {
        let status = call(channel(&running, caller), "/test.v1.Test/Remaining", limit).await;
        assert_ne!(status.code(), Code::FailedPrecondition, "{status:?}");
    }
    assert_eq!(running.handled.load(Ordering::SeqCst), 0);
    assert!(
        running
            .metric("rpc_server_refused_total{reason=\"handshake\"}")
            .await
            >= 2
    );
    let known = files.caller(Some(files.callers.certify()));
    let status = call(channel(&running, known), "/test.v1.Test/Remaining", limit).await;
    assert_eq!(status.code(), Code::FailedPrecondition, "{status:?}");
    assert_eq!(running.handled.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn refuses_clear_text_and_other_protocols() {
    let files = Files::new();
    let running = files.start().await;
    let answer = exchange(
        running.address,
        "POST /test.v1.Test/Remaining HTTP/1.1\r\nHost: test\r\n\r\n",
    )
    .await;
    assert!(!answer.contains("HTTP/1"), "{answer}");
    let mut browser = files.caller(Some(files.callers.certify()));
    browser.alpn_protocols = vec![b"http/1.1".to_vec()];
    let stream = TcpStream::connect(running.address).await.unwrap();
    let name = ServerName::try_from("localhost").unwrap();
    let connected = TlsConnector::from(Arc::new(browser)).connect(name, stream);
    let error = connected.await.expect_err("no HTTP/1.1 over TLS either");
    assert!(
        error.to_string().contains("NoApplicationProtocol"),
        "{error}"
    );
    assert_eq!(running.handled.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn closes_silent_connections() {
    let plain = start(ServerConfig::default()).await;
    let tls = Files::new().start().await;
    let end = async |running: &Running| {
        let mut stream = TcpStream::connect(running.address).await.unwrap();
        stream.read(&mut [0]).await.unwrap()
    };
    let ended = async { tokio::join!(end(&plain), end(&tls)) };
    let ended = tokio::time::timeout(PATIENCE, ended).await;
    assert_eq!(ended.expect("they end in time"), (0, 0));
}

#[test]
fn refuses_unusable_files_by_name() {
    let files = Files::new();
    let (certificate, key) = (files.path("server.pem"), files.path("server.key"));
    let empty = files.path("empty.pem");
    std::fs::write(&empty, "").unwrap();
    let large = files.path("large.pem");
    std::fs::write(&large, vec![b'a'; 1024 * 1024 + 1]).unwrap();
    let missing = files.path("missing.pem");
    // The PEM parser's error quotes this line, as numbers.
    let joined = files.path("joined.key");
    let pem = std::fs::read_to_string(&key).unwrap();
    std::fs::write(&joined, pem.replace(['\r', '\n'], "")).unwrap();
    for (arguments, expected) in [
        (vec!["--tls-certificate", &certificate], "--tls-key"),
        (vec!["--tls-key", &key], "--tls-certificate"),
        (vec!["--tls-client-ca", &certificate], "--tls-certificate"),
        (
            vec!["--tls-certificate", &missing, "--tls-key", &key],
            "cannot read",
        ),
        (
            vec!["--tls-certificate", &key, "--tls-key", &key],
            "holds no certificate",
        ),
        (
            vec!["--tls-certificate", &joined, "--tls-key", &key],
            ": not PEM\n",
        ),
        (
            vec!["--tls-certificate", &certificate, "--tls-key", &joined],
            ": not PEM\n",
        ),
        (
            vec!["--tls-certificate", &certificate, "--tls-key", &empty],
            "holds no private key",
        ),
        (
            vec!["--tls-certificate", &large, "--tls-key", &key],
            "larger than 1048576 bytes",
        ),
    ] {
        let error = parse(&arguments).expect_err(expected).to_string();
        assert!(error.contains(expected), "{arguments:?}: {error}");
        assert!(error.contains("--tls-"), "{error}");
    }
}

#[tokio::test]
async fn refuses_the_key_of_another_certificate_before_serving() {
    let (files, others) = (Files::new(), Files::new());
    let config = parse(&[
        "--tls-certificate",
        &files.path("server.pem"),
        "--tls-key",
        &others.path("server.key"),
    ])
    .unwrap();
    let service = service_kit::server::Service {
        listener: tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap(),
        routes: tonic::service::Routes::default(),
        readiness: service_kit::health::Readiness::new(),
        descriptor_set: tonic_health::pb::FILE_DESCRIPTOR_SET,
        names: &[],
    };
    let ended = service_kit::server::serve(service, &config, std::future::pending()).await;
    let error = ended.unwrap_err();
    assert!(matches!(error, ServeError::Tls(_)));
    assert!(error.to_string().contains("TLS_KEY"), "{error}");
    assert!(!format!("{config:?}").contains("PRIVATE"), "no key in logs");
}

/// Returns the metric once it satisfies `holds`, or panics after [`PATIENCE`].
async fn awaited(running: &Running, series: &str, holds: impl Fn(u64) -> bool) {
    let reached = async {
        while !holds(running.metric(series).await) {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let reached = tokio::time::timeout(PATIENCE, reached).await;
    reached.unwrap_or_else(|_| panic!("{series} never satisfied the condition"));
}

#[tokio::test]
async fn takes_renewed_certificates_and_authorities_without_a_restart() {
    const READ: &str = "tls_certificates_read_total";
    const REFUSED: &str = "tls_certificates_refused_total";
    let (files, renewed) = (Files::new(), Files::new());
    let running = files.start().await;
    let limit = Some(Duration::from_secs(5));
    let method = "/test.v1.Test/Remaining";
    let before = channel(&running, files.caller(Some(files.callers.certify())));
    assert_eq!(
        call(before.clone(), method, limit).await.code(),
        Code::FailedPrecondition
    );

    let refused = running.metric(REFUSED).await;
    std::fs::write(files.path("server.pem"), "half written").unwrap();
    awaited(&running, REFUSED, |count| count > refused).await;
    let again = channel(&running, files.caller(Some(files.callers.certify())));
    assert_eq!(
        call(again, method, limit).await.code(),
        Code::FailedPrecondition
    );

    let read = running.metric(READ).await;
    for name in ["server.key", "callers.pem", "server.pem"] {
        std::fs::copy(renewed.path(name), files.path(name)).unwrap();
    }
    awaited(&running, READ, |count| count > read).await;
    let after = channel(&running, renewed.caller(Some(renewed.callers.certify())));
    assert_eq!(
        call(after, method, limit).await.code(),
        Code::FailedPrecondition
    );
    let old = channel(&running, files.caller(Some(files.callers.certify())));
    assert_ne!(
        call(old, method, limit).await.code(),
        Code::FailedPrecondition
    );
    assert_eq!(
        call(before, method, limit).await.code(),
        Code::FailedPrecondition,
        "the open connection stays"
    );

    // rcgen's default: 4096-01-01.
    let expiry = "tls_certificate_expiry_timestamp_seconds{setting=\"TLS_CERTIFICATE\"}";
    assert_eq!(running.metric(expiry).await, 67_090_118_400);
}
