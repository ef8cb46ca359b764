//! TLS of the public listener: 1.2 and 1.3, HTTP/2 and HTTP/1.1 by ALPN, session resumption by tickets. A new
//! certificate is loaded from its files without interrupting connections.

use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use arc_swap::ArcSwap;
use tokio::time::MissedTickBehavior;
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        self, ServerConfig,
        crypto::{CryptoProvider, ring},
        pki_types::{CertificateDer, PrivateKeyDer, pem, pem::PemObject},
        server::{ClientHello, ResolvesServerCert},
        sign::CertifiedKey,
    },
};

use service_kit::metrics::CertificateMetrics;

use super::config::ListenConfig;

/// Maximum bytes of a PEM file; a certificate chain has some ten thousand.
const FILE_BYTES_MAX: u64 = 1024 * 1024;
/// Interval between two checks of the files.
const RELOAD_INTERVAL: Duration = Duration::from_secs(2);

/// Reason why a certificate cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file cannot be read.
    #[error("{path}: {source}")]
    File {
        /// Path of the file.
        path: String,
        /// Cause of the failure.
        source: io::Error,
    },
    /// A file holds something else. The content is not reported, because it may be a key.
    #[error("{0}: not PEM, or not the expected kind of key or certificate")]
    Pem(String),
    /// Certificate and key do not match, or cannot be used.
    #[error("certificate and key: {0}")]
    Certificate(#[from] rustls::Error),
}

/// Certificate in use, and the files it comes from.
#[derive(Debug)]
pub struct Certificate {
    files: Files,
    provider: Arc<CryptoProvider>,
    read: parking_lot::Mutex<Contents>,
    key: ArcSwap<CertifiedKey>,
}

#[derive(Clone, Debug)]
struct Files {
    certificate: PathBuf,
    key: PathBuf,
}

#[derive(Debug, Eq, PartialEq)]
struct Contents {
    certificate: Vec<u8>,
    key: Vec<u8>,
}

impl Files {
    fn read(&self) -> Result<Contents, TlsError> {
        Ok(Contents {
            certificate: read(&self.certificate)?,
            key: read(&self.key)?,
        })
    }
}

impl Certificate {
    /// Reads the configured files. Returns `None` if none are configured, for clear text.
    pub fn read(config: &ListenConfig) -> Result<Option<Arc<Self>>, TlsError> {
        let (Some(certificate), Some(key)) = (&config.tls_certificate, &config.tls_key) else {
            return Ok(None);
        };
        let files = Files {
            certificate: certificate.clone(),
            key: key.clone(),
        };
        // Named explicitly: the process's default provider depends on which library's features were unified first.
        let provider = Arc::new(ring::default_provider());
        let contents = files.read()?;
        let key = ArcSwap::from(certified(&files, &contents, &provider)?);
        Ok(Some(Arc::new(Self {
            files,
            provider,
            read: parking_lot::Mutex::new(contents),
            key,
        })))
    }

    /// Creates an acceptor that uses the current certificate for each connection.
    pub fn acceptor(self: &Arc<Self>) -> Result<TlsAcceptor, TlsError> {
        let provider = Arc::clone(&self.provider);
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_protocol_versions(&[&rustls::version::TLS13, &rustls::version::TLS12])?
            .with_no_client_auth()
            .with_cert_resolver(Arc::clone(self) as Arc<dyn ResolvesServerCert>);
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        config.ticketer = ring::Ticketer::new()?;
        Ok(TlsAcceptor::from(Arc::new(config)))
    }

    /// Checks the files forever. Unusable files, which may be half written, change nothing.
    pub async fn follow(&self) -> std::convert::Infallible {
        let mut ticks = tokio::time::interval(RELOAD_INTERVAL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut last_error = None;
        loop {
            ticks.tick().await;
            let files = self.files.clone();
            let read = tokio::task::spawn_blocking(move || files.read()).await;
            let taken = match read {
                Ok(read) => read.and_then(|contents| self.take(contents)),
                // The runtime is stopping.
                Err(_) => continue,
            };
            match taken {
                Ok(is_new) => {
                    last_error = None;
                    if is_new {
                        CertificateMetrics::global().read.inc();
                        tracing::info!("certificate reloaded");
                    }
                }
                // Log once, not every two seconds until the files are repaired.
                Err(error) => {
                    let text = error.to_string();
                    if last_error.as_ref() != Some(&text) {
                        CertificateMetrics::global().refused.inc();
                        tracing::error!(%error, "changed certificate is unusable, keeping the previous one");
                        last_error = Some(text);
                    }
                }
            }
        }
    }

    /// Switches to these contents. Returns false if they are already in use.
    fn take(&self, contents: Contents) -> Result<bool, TlsError> {
        let mut read = self.read.lock();
        if *read == contents {
            return Ok(false);
        }
        self.key
            .store(certified(&self.files, &contents, &self.provider)?);
        *read = contents;
        Ok(true)
    }
}

impl ResolvesServerCert for Certificate {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.key.load_full())
    }
}

fn certified(
    files: &Files,
    contents: &Contents,
    provider: &CryptoProvider,
) -> Result<Arc<CertifiedKey>, TlsError> {
    let certificates: Result<Vec<_>, pem::Error> =
        CertificateDer::pem_slice_iter(&contents.certificate).collect();
    let chain = certificates
        .ok()
        .filter(|chain| !chain.is_empty())
        .ok_or_else(|| not_pem(&files.certificate))?;
    let key = PrivateKeyDer::from_pem_slice(&contents.key).map_err(|_| not_pem(&files.key))?;
    let certified = CertifiedKey::from_der(chain, key, provider)?;
    CertificateMetrics::global().set_expiry("TLS_CERTIFICATE", &certified.cert);
    Ok(Arc::new(certified))
}

fn not_pem(path: &Path) -> TlsError {
    TlsError::Pem(path.display().to_string())
}

fn read(path: &Path) -> Result<Vec<u8>, TlsError> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| {
        file.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > FILE_BYTES_MAX {
            return Err(io::Error::other(format!(
                "larger than {FILE_BYTES_MAX} bytes"
            )));
        }
        Ok(())
    });
    read.map_err(|source| TlsError::File {
        path: path.display().to_string(),
        source,
    })?;
    Ok(bytes)
}
