//! A TLS server of one document, and the authority of its certificate.

use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader},
    net::{TcpListener, TcpStream},
    task::JoinSet,
};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        ServerConfig,
        pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer},
    },
};

/// Responds to every request with one JSON document at `https://localhost:PORT`; stops at the end of the test.
#[derive(Debug)]
pub struct TlsServer {
    port: u16,
    visits: Arc<AtomicUsize>,
    folder: TempDir,
    #[expect(dead_code, reason = "held for what its drop does")]
    task: JoinSet<()>,
}

impl TlsServer {
    /// Starts on a free port, with a certificate signed by a new private authority.
    pub async fn start(document: String) -> Self {
        let mut authority = CertificateParams::default();
        authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().expect("a key");
        let authority = CertifiedIssuer::self_signed(authority, key).expect("an authority");
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("authority.pem"), authority.pem()).expect("a file");

        let key = KeyPair::generate().expect("a key");
        let certificate = CertificateParams::new(["localhost".to_owned()])
            .and_then(|parameters| parameters.signed_by(&key, &authority))
            .expect("a certificate");
        let chain = vec![CertificateDer::from(certificate)];
        let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(key.serialize_der()));
        let configuration = ServerConfig::builder()
            .with_no_client_auth()
            .with_single_cert(chain, key)
            .expect("a certificate that fits its key");
        let acceptor = TlsAcceptor::from(Arc::new(configuration));

        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let visits = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&visits);
        let mut task = JoinSet::new();
        task.spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                count.fetch_add(1, Ordering::SeqCst);
                // A client that does not trust the certificate fails here; the next client is served.
                if let Err(error) = answer(&acceptor, stream, &document).await {
                    println!("the TLS server: {error}");
                }
            }
        });
        Self {
            port,
            visits,
            folder,
            task,
        }
    }

    pub fn url(&self) -> String {
        format!("https://localhost:{}/", self.port)
    }

    /// Returns the number of connections so far, including those of clients that did not trust the certificate.
    pub fn visits(&self) -> usize {
        self.visits.load(Ordering::SeqCst)
    }

    /// Returns the path of the authority's PEM file, for `SSL_CERT_FILE`.
    pub fn authority(&self) -> PathBuf {
        self.folder.path().join("authority.pem")
    }
}

async fn answer(
    acceptor: &TlsAcceptor,
    stream: TcpStream,
    document: &str,
) -> Result<(), std::io::Error> {
    let mut stream = BufReader::new(acceptor.accept(stream).await?);
    let mut line = String::new();
    while stream.read_line(&mut line).await? > 2 {
        line.clear();
    }
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        document.len()
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(document.as_bytes()).await?;
    stream.shutdown().await
}
